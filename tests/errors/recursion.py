def f(x: float, n: int):
    def g(y, n):
        return y if n == 0 else y * g(y * x, n - 1)

    return g(x, n)
