def f(x: float):
    v = [x, 2 * x]
    return v[0] * v[1]
