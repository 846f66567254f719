"""Calls of other functions: nested, writing into arguments, returning tuples, with defaults."""

import numpy as np

from corpus.case import case, vector


def square(x):
    return x * x


def cube(x):
    return x * square(x)


def rates(s, i, beta, gamma=0.4):
    caught = beta * s * i
    return -caught, caught - gamma * i


def scale_into(dst, src, x):
    for i in range(len(dst)):
        dst[i] = src[i] * x + dst[i] * dst[i]


def blend(dst, src, theta):
    n = dst.shape[0]
    for i in range(n):
        dst[i] = dst[i] * theta + src[(i + 1) % n] * src[i]


def smooth(u):
    v = u.copy()
    for i in range(1, len(u)):
        v[i] = 0.5 * (u[i] + v[i - 1])
    return v


def bump(u, i):
    u[i] += square(u[i])
    return u[i]


def overwrites_its_parameter(x):
    x = x * 2.0
    x = np.sin(x)
    return x * 1.0


def nested_calls(x, y):
    return cube(square(x) + y) * square(cube(y))


def called_in_a_loop(x, n):
    s = x
    for i in range(n):
        s = square(np.sin(s)) + cube(x) * 0.1
    return s


def tuple_result(s, i, beta, n):
    for k in range(n):
        ds, di = rates(s, i, beta)
        s += 0.1 * ds
        i += 0.1 * di
    return s * i


def default_and_keyword(s, i):
    a, b = rates(s, i, gamma=0.3, beta=2.0)
    c, d = rates(s, i, 1.5)
    return a * b + c * d


def callee_writes(u, v, x):
    w = u * 1.0
    scale_into(w, v, x)
    scale_into(w, w, x)
    return np.sum(w * w)


def callee_writes_into_argument(u, v, x):
    scale_into(u, v, x)
    scale_into(v, u, x)
    return np.sum(u * v)


def one_array_twice(x, theta):
    w = x.copy()
    blend(w, w, theta)
    blend(w, w, theta * theta)
    return np.sum(w * w)


def array_result_of_callee(u):
    v = smooth(u)
    w = smooth(v * v)
    return np.sum(v * w)


def same_names_as_callee(x, y):
    caught = x * y
    beta = square(caught)
    s, i = rates(beta, caught, x)
    return caught * beta + s * i


def value_and_effect(u, n):
    s = 0.0
    for k in range(n):
        s += bump(u, k % len(u)) * s + u[0]
    return s


def parameter_untouched_outside(x):
    y = overwrites_its_parameter(x)
    return x * y


CASES = [
    case(nested_calls, 0.7, 0.4),
    case(called_in_a_loop, 0.7, 3),
    case(tuple_result, 0.9, 0.1, 1.7, 4, full=True),
    case(default_and_keyword, 0.9, 0.1),
    case(callee_writes, vector(3), vector(3, 2.0), 0.7, full=True),
    case(callee_writes_into_argument, vector(3), vector(3, 2.0), 0.7),
    case(one_array_twice, vector(4), 0.7),
    case(array_result_of_callee, vector(4)),
    case(same_names_as_callee, 0.7, 0.4),
    case(value_and_effect, vector(3), 4),
    case(parameter_untouched_outside, 0.7),
]
