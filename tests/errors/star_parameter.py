def f(x: float, *more):
    return x * x
