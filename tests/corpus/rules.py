"""Functions with rules of their own: on numbers and arrays, in loops and branches, one in another."""

import math

import numpy as np

import s2sad
from corpus.case import case, vector


@s2sad.custom_jvp
def scaled_log(x, a):
    return a * math.log(x)


@scaled_log.defjvp
def scaled_log_jvp(primals, tangents):
    x, a = primals
    x_d, a_d = tangents
    y = scaled_log(x, a)
    return y, a * x_d / x + a_d * math.log(x)


@s2sad.custom_vjp
def norm(x):
    return np.sqrt(np.sum(x * x))


def norm_fwd(x):
    n = norm(x)
    return n, (x, n)


def norm_bwd(kept, n_b):
    x, n = kept
    return (x * (n_b / n),)


norm.defvjp(norm_fwd, norm_bwd)


@s2sad.custom_jvp
def smooth(u, k):
    v = np.empty_like(u)
    for i in range(len(u)):
        v[i] = u[i] * u[i - k]
    return v


@smooth.defjvp
def smooth_jvp(primals, tangents):
    u, k = primals
    u_d, _ = tangents
    v_d = np.zeros_like(u)
    for i in range(len(u)):
        v_d[i] = u_d[i] * u[i - k] + u[i] * u_d[i - k]
    return smooth(u, k), v_d


@s2sad.custom_vjp
def both(x, u, n):
    return np.sum(u) * x**n, x * u


def both_fwd(x, u, n):
    s = np.sum(u)
    return both(x, u, n), (s, x, u, n)


def both_bwd(kept, cotangents):
    s, x, u, n = kept
    p, v = cotangents
    return p * s * n * x ** (n - 1) + np.sum(v * u), np.full_like(u, p * x**n) + x * v, None


both.defvjp(both_fwd, both_bwd)


@s2sad.custom_vjp
def same(u):
    return u


same.defvjp(lambda u: (u, None), lambda kept, u_b: (u_b,))


@s2sad.custom_jvp
def of_pair(pair, *more):
    s = pair[0] * pair[1]
    for m in more:
        s += m * pair[0]
    return s


@of_pair.defjvp
def of_pair_jvp(primals, tangents):
    (a, b), m = primals
    (a_d, b_d), m_d = tangents
    return of_pair((a, b), m), a_d * b + a * b_d + m_d * a + m * a_d


def numbers(x, a):
    s = 0.0
    for k in range(3):
        s += scaled_log(x + s, a) * x
    return s


def numbers_alone(x, n):
    return scaled_log(x * n, 2.0) + scaled_log(n, x)


def arrays(u, x):
    s = 0.0
    for k in range(3):
        s += norm(u * x + s)
    return s * x


def in_place(u, x, n):
    v = u.copy()
    for k in range(n):
        w = smooth(v, 1)
        if k % 2 == 0:
            v[0] = w[1] * x
        else:
            v = w + u
    return norm(v) * x


def several(x, u, n):
    p, v = both(x, u, n)
    q, w = both(p, v, 2)
    return q + np.sum(w * w)


def one_of_two(x, u, n):
    p, _ = both(x, u, n)
    _, v = both(x, u, n)
    return p * v[0]


def identity(u, x):
    v = same(u)
    return np.sum(v * u) * x


def tuples(a, b, x):
    return of_pair((a, b), x) * of_pair((x, 2.0), a)


def while_loop(x, a):
    n = 0
    while x < 4.0 and n < 10:
        x = x + scaled_log(x, a) ** 2 + 0.1
        n += 1
    return x


def recursive(x, a, n):
    if n == 0:
        return x
    return scaled_log(recursive(x, a, n - 1) + 1.5, a) * x


@s2sad.checkpoint
def stretch(u, x):
    for k in range(2):
        u[0] = norm(u) * x
    return scaled_log(u[0], x)


def run_again(u, x):
    v = u.copy()
    s = stretch(v, x)
    with s2sad.checkpoint():
        s = s * norm(v)
    return s * scaled_log(s * s, x)


def part_written(u, n):
    """A part of what came back is used on, and written into."""
    s = 0.0
    for i in range(n):
        v = smooth(np.concatenate((u, u)), 1)
        u = v[1 : 1 + len(u)]
        u[0] = u[0] * (1.0 + i)
        s += np.sum(v * v) * 0.1
    return s * np.sum(u)


CASES = [
    case(numbers, 1.7, 0.4, full=True),
    case(numbers_alone, 1.3, 3),
    case(arrays, vector(3), 0.8, full=True),
    case(in_place, vector(4), 0.7, 3),
    case(several, 0.7, vector(3), 3),
    case(one_of_two, 0.7, vector(3), 3),
    case(identity, vector(3), 0.6),
    case(tuples, 0.7, 0.4, 1.2),
    case(while_loop, 1.5, 0.8),
    case(recursive, 1.2, 0.7, 3),
    case(run_again, vector(3), 0.8),
    case(scaled_log, 1.7, 0.4),
    case(norm, vector(3)),
    case(smooth, vector(4), 1),
    case(both, 0.7, vector(3), 2),
    case(part_written, vector(3), 3),
]
