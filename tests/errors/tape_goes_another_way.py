import s2sad


def f(x):
    if x > 1.0:
        return x * x
    return x


def run():
    tape = s2sad.record(f, values="primal", jit=False)(2.0)
    tape.primal(0.5)
