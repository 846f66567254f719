import s2sad


@s2sad.custom_vjp
def product(x, a):
    return x * a


product.defvjp(lambda x, a: (x * a, (x, a)), lambda kept, y_b: (y_b * kept[1],))


def f(x: float, a: float):
    return product(x, a) * x
