import s2sad


def g(x, a):
    return x * a


def run():
    s2sad.register(g, partials=("b", "x"))
