def f(x: float):
    return x * scale
