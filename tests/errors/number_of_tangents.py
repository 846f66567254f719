import s2sad


def f(x, y):
    return x * y


def run():
    s2sad.jvp(f, (2.0, 3.0), (1.0,), jit=False)
