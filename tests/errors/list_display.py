def f(x: float):
    v = [x, 2 * x]
    return v
