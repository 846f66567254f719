import s2sad


def g(x, a):
    return x * a


s2sad.register(g, partials=("a", None))


def f(x: float):
    return g(x, x * x)
