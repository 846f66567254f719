def f(x: float):
    name = f"{x}"
    return x * len(name)
