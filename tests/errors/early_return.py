def f(x: float):
    if x > 0.0:
        return x
    y = x * x
    return y
