import math

import s2sad


@s2sad.custom_jvp
def log(x):
    return math.log(x)


@log.defjvp
def log_jvp(primals, tangents):
    (x,), (x_d,) = primals, tangents
    return log(x), math.sin(x_d) / x


def f(x: float):
    return log(x) * x
