def f(x: float):
    y = [x, x * x]
    del y[0]
    return y[0]
