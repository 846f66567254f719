def f(x: float):
    return x * f(x * 0.5)
