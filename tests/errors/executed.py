def f(x: float):
    exec("x = 2 * x")
    return x
