def f(x: float):
    g = lambda v: v * v
    return g(x)
