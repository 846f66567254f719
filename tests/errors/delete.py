def f(x: float):
    y = x * x
    z = y + 1
    del y
    return z
