def f(x: float, n: int):
    for i, v in [(0, x)]:
        x = x * v
    return x
