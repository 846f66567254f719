import s2sad


def f(x):
    return x * x


def run():
    s2sad.value_and_grad(f, has_aux=True, jit=False)(2.0)
