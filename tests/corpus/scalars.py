"""Straight-line scalar programs."""

import math

import numpy as np

from corpus.case import case, vector


def product(x, y):
    return x * y


def polynomial(x, y):
    return 1.0 + x**3 + (-(y**2))


def overwritten(x, y):
    z = x * y
    w = np.sin(z)
    z = z * w + x
    x = z * z
    return x * y + w


def every_operator(x, y):
    a = x + y - 2.0 * x / (1.0 + y * y)
    b = -a + (+x)
    c = x**y + y**3 + 2.0**x
    return a * b / c


def many_functions(x, y):
    a = np.sin(x) + math.cos(y) + np.tan(x * 0.5) + np.arctan(x) + math.atan2(y, x)
    b = np.exp(-x) + math.log(2.0 + y) + np.sqrt(x + y) + np.log1p(x) + math.expm1(y) + np.cbrt(x)
    c = np.tanh(x) + math.sinh(y) + np.cosh(x) + np.arcsin(0.3 * x) + math.acos(0.4 * y) + np.hypot(x, y)
    return a * b + c


def reused_name(x):
    t = x * x
    y = np.exp(t)
    t = np.sin(x)
    y = y * t
    t = y + t
    return t * y


def integer_and_real(x, n):
    k = n * 2 + 1
    half = k // 2
    rest = k % 3
    return x**half + rest * x + n / 2 * np.sin(x)


def joined_integer_and_real(x, n):
    s = 0
    for i in range(n):
        s = s + x * i
    return s * x


def nothing_active(x, y):
    return 2.0 * y


def constant_result(x):
    y = 3.0
    return y + 1.0


def identity(x):
    return x


def same_twice(x):
    y = x
    z = y
    return x * y * z


def negated_augmented(x, y):
    s = x
    s += y * s
    s -= x * x
    s *= s
    s /= 2.0 + y
    return s


def one_entry(u):
    return u[0] * u[0] + np.sin(u[-1])


CASES = [
    case(product, 2.0, 3.0),
    case(polynomial, 2.0, 4.0),
    case(overwritten, 0.7, -1.2),
    case(every_operator, 0.7, 1.2, full=True),
    case(many_functions, 0.6, 0.8),
    case(reused_name, 0.7),
    case(integer_and_real, 1.3, 3),
    case(joined_integer_and_real, 1.3, 3),
    case(joined_integer_and_real, 1.3, 0, note="no trips"),
    case(nothing_active, 1.3, 0.4),
    case(constant_result, 1.3),
    case(identity, 1.3),
    case(same_twice, 1.3),
    case(negated_augmented, 0.7, 0.4),
    case(one_entry, vector(1)),
    case(one_entry, vector(3), note="three entries"),
]
