def count(n):
    return 1 if n == 0 else n * count(n - 1)


def f(x: float, n: int):
    return x * count(n)
