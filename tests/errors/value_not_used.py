def f(x: float):
    x * x
    return x
