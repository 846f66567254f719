def f(x: float):
    y: float
    y = x * x
    return y
