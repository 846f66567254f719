import s2sad


@s2sad.custom_vjp
def clipped(x):
    return x


def ahead(x):
    return x


def back(kept, x_b):
    return (0.5 * x_b,)


clipped.defvjp(ahead, back)


def f(x: float):
    return clipped(x) * x
