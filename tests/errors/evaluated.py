def f(x: float):
    return eval("x * x")
