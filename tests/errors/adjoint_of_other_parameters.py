import s2sad


@s2sad.operation
def weighed(a, x):
    return a * x


@weighed.adjoint("a")
def weighed_a(r_b, x, a):
    return r_b * x


def f(x: float):
    return weighed(2.0 * x, x)
