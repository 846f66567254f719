def f(x: float):
    a, *b = (x, x, x)
    return a
