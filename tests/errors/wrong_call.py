def g(x, y):
    return x * y


def f(x: float):
    return g(x)
