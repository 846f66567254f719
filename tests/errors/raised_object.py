def f(x: float):
    error = 3
    if x < 0.0:
        raise error
    return x * x
