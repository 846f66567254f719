def g(v):
    try:
        v = v / 2
    except ValueError:
        v = 0.0
    return v


def f(x: float):
    return g(x * x)
