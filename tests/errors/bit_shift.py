def f(x: float, n: int):
    return x * (1 << n)
