import s2sad


def f(x: float):
    return x * slope(x)


slope = s2sad.grad(f)
