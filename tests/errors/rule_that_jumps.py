import numpy as np

import s2sad


@s2sad.custom_vjp
def signed(x):
    return x * x


def ahead(x):
    return x * x, x


def back(x, y_b):
    return (2.0 * x * y_b + np.sign(y_b),)


signed.defvjp(ahead, back)


def run():
    s2sad.jvp(lambda x: signed(x) * x, (2.0,), (1.0,), jit=False)
