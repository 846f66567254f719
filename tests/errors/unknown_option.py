import s2sad


def f(x):
    return x * x


def run():
    s2sad.grad(f, just_in_time=False)
