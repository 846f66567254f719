def g(x, y):
    return x * y


def f(x: float):
    p = (x, x)
    return g(*p)
