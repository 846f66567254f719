def f(x: float, n: int):
    return max(x**i for i in range(n))
