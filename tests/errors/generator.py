def f(x: float):
    yield x * x
