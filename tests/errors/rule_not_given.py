import s2sad


@s2sad.custom_vjp
def clipped(x):
    return x


def f(x: float):
    return clipped(x) * x
