def f(x: float, n: int):
    return sum([x**i for i in range(n)])
