def f(x: float, n: int):
    return x if n == 0 else x * f(x, n - 1)
