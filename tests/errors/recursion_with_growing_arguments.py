def g(t, n):
    return t[0] if n == 0 else g((t[0], t), n - 1) * 2.0


def f(x: float, n: int):
    return g((x, x), n)
