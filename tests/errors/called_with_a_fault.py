def g(v):
    while v > 1.0:
        v = v / 2
    return v


def f(x: float):
    return g(x * x)
