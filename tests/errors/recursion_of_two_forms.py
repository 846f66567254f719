def g(x, n):
    if n == 0:
        return x
    return g(x, n - 1)[0], x


def f(x: float, n: int):
    return g(x, n)[0]
