def f(x: float, n: int):
    print(f"{n} steps")
    assert x > 0.0, f"x = {x:.3f}"
    return x * n
