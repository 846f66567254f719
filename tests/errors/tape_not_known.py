import s2sad


def f(x):
    return x * x


def run():
    s2sad.record(f, index="stack")
