"""Functions and regions that are run again on the way back, with what they may be given and give; derivatives in them."""

import math

import numpy as np

import s2sad
from corpus.case import case, matrix, vector

K = 2.5


@s2sad.checkpoint
def advance(u, v, dt):
    for i in range(1, len(u) - 1):
        v[i] = u[i] + dt * (u[i - 1] - 2 * u[i] + u[i + 1]) * u[i]


def buffers(u0, dt, n):
    u = u0.copy()
    v = u0.copy()
    for k in range(n):
        advance(u, v, dt)
        u, v = v, u
    return np.sum(u * u)


def buffers_params(u, v, dt, n):
    for k in range(n):
        advance(u, v, dt)
        u, v = v, u
    return np.sum(u * u) + v[1]


@s2sad.checkpoint
def inside_swap(u, n):
    v = u * 2.0
    w = u.copy()
    for k in range(n):
        for i in range(len(v)):
            w[i] = v[i] * v[i - 1] + u[i]
        v, w = w, v
    u[0] = v[1] * u[1]
    return v[0]


def swaps(u, n):
    s = 0.0
    for k in range(n):
        s += inside_swap(u, n) * 0.1
    return s + u[0]


def region_arms(x, u, n):
    s = x
    k = 0
    while k < n:
        with s2sad.checkpoint():
            if u[k] > 0.0:
                u[k] = u[k] * s
                s = s + np.sin(u[k])
            else:
                t = u[k] * x
                s = s * t
                k = k + 0
        k += 1
    return s * u[0]


def region_in_recursion(u, x, i):
    if i == 0:
        return x * u[0]
    with s2sad.checkpoint():
        u[i] = u[i] * x + np.sin(u[i - 1])
        y = x * u[i]
    r = region_in_recursion(u, y, i - 1)
    with s2sad.checkpoint():
        u[i] += r * x
        r = r * u[i]
    return r + x


def region_in_a_recursion(u0, x):
    u = u0.copy()
    return region_in_recursion(u, x, 3) + np.sum(u * u)


@s2sad.checkpoint
def even_again(x, n):
    return np.cos(x) if n == 0 else x * odd_again(np.sin(x), n - 1)


@s2sad.checkpoint
def odd_again(x, n):
    return x if n == 0 else x + even_again(x * 0.5, n - 1)


def mutual_joint(x, n):
    return even_again(x, n) * odd_again(x, n)


def model(x, a):
    return a * x**3 + math.sin(x * a)


model_slope = s2sad.grad(model, jit=False)
mixed = s2sad.grad(model_slope, 1, jit=False)
third = s2sad.grad(s2sad.grad(model_slope, jit=False), jit=False)


@s2sad.checkpoint
def newton_step(x, a):
    return x - model(x, a) / model_slope(x, a)


def newton_steps(x, a, n):
    for k in range(n):
        x = newton_step(x, a)
        with s2sad.checkpoint():
            x = x + mixed(x, a) * 0.01
    return x * third(x, a)


def damped(x, n):
    if n == 0:
        return x
    return model_slope(x, 1.5) * 0.1 * damped(np.sin(x), n - 1)


both_of_model = s2sad.value_and_grad(model, jit=False)
slopes_of_model = s2sad.grad(model, (1, 0), jit=False)


def all_of_model(x, a):
    v, d = both_of_model(x * a, a)
    p, q = slopes_of_model(x, v)
    return v * d + p * q


def make(k):
    dk = s2sad.grad(lambda x: x**k * K, jit=False)

    def f(x):
        return dk(x) * x

    return f


closure = make(3)
damped_slope = s2sad.grad(damped, jit=False)


def slope_of_damped(x, n):
    return damped_slope(x, n) * x


@s2sad.checkpoint
def optional(u, w=None, mode="sin", f=np.sin, scale=0.5, *, bias=1.0):
    if w is None:
        return f(u[0]) * scale + bias
    u[0] += w[1] * w[1] * scale
    return (np.sin(u[0]) if mode == "sin" else np.exp(w[0])) * bias


def optionals(u, x):
    w = u * x
    return (
        optional(u)
        + optional(u, w)
        + optional(u, w, "exp") * optional(w, f=np.cos, bias=x)
        + optional(w, u, scale=2, bias=2)
    )


@s2sad.checkpoint
def mixed_in(a, b):
    a[0] = a[0] * b[0]
    b[-1] = a[-1] * b[0] * b[-1]
    return np.sum(a * a)


def sections(a, x):
    v = a[3:]
    r = mixed_in(a[:2], a[2:4] * 1.0)
    s = mixed_in(v, a[:3].copy()) * x
    return r * s + mixed_in(a * x, a)


def matrix_rows(A, x):
    s = 0.0
    for i in range(len(A)):
        s += mixed_in(A[i], A[(i + 1) % len(A)] * x)
    return s * A[0, 0]


@s2sad.checkpoint
def two_arrays(u, x):
    v = u * x
    w = np.sin(v)
    return v, w * v


def arrays_given(u, x, n):
    s = 0.0
    v, w = two_arrays(u, x)
    for k in range(n):
        if k % 2 == 0:
            p, q = two_arrays(w, s)
            p[0] = q[1] * p[0]
            s += np.sum(p * q)
        else:
            w[0] = w[0] * s
            v, w = two_arrays(v, x + s)
    a = two_arrays(v * w, x)
    return s + a[0][0] * a[1][1] + v[0]


@s2sad.checkpoint
def noresult(u, x):
    u[0] = u[0] * x
    u[1] = u[0] * u[2]


def noresults(u, x):
    noresult(u, x)
    noresult(u, x * u[0])
    return u[1] * u[0]


def arrays_result(u, x, n):
    for k in range(n):
        u = two_arrays(u, x)[1]
    return u


TABLE = np.array([1.0, 2.0, 3.0])


@s2sad.checkpoint
def weighed_again(u, x):
    return np.sum(u * TABLE) * x * K


def constants_again(x, n):
    K = x * 2.0
    TABLE_2 = K * x
    return weighed_again(TABLE, x) * K + weighed_again(TABLE * x, TABLE_2)


@s2sad.checkpoint
def left_early(x, n):
    s = 0.0
    for k in range(n):
        if s > 2.0:
            break
        s += x * x * (k + 1)
    return s


def left_regions(x, n):
    s = left_early(x, n)
    with s2sad.checkpoint():
        for k in range(n):
            if s > 30.0:
                break
            s = s * x * 1.3
    return s


@s2sad.checkpoint
def indexed(u, i, idx):
    return u[idx][i] * u[i] + np.sum(u[u > 0.1])


def indexed_again(u, idx):
    s = 0.0
    for i in range(3):
        s = s * u[i] + indexed(u, i, idx)
    return s


@s2sad.checkpoint
def leapfrog(u, v, dt):
    """Gives nothing; what is written first is seen only through what is written then."""
    for _ in range(2):
        for i in range(len(u)):
            v[i] = v[i] - dt * np.sin(u[i])
        for i in range(len(u)):
            u[i] = u[i] + dt * v[i] * v[i]


def leaping(u, v, dt):
    leapfrog(u, v, dt)
    leapfrog(u, v, dt)
    return np.sum(u)


def region_with_arrays_given(u, x):
    s = x
    with s2sad.checkpoint():
        v, w = two_arrays(u, x)
        s = s * np.sum(v * w)
        u[1] = w[0] * s
    return s + u[1]


A = vector(4)

CASES = [
    case(buffers, vector(6), 0.3, 3, full=True),
    case(buffers_params, vector(5), vector(5, 0.9), 0.3, 3),
    case(swaps, A, 3),
    case(leaping, A, vector(4, 0.9), 0.3, full=True),
    case(region_with_arrays_given, A, 0.7),
    case(region_arms, 0.7, A, 4),
    case(region_in_a_recursion, A, 0.7),
    case(mutual_joint, 0.7, 4),
    case(newton_steps, 0.9, 1.1, 2, rounded=True),
    case(damped, 0.7, 3, rounded=True),
    case(all_of_model, 0.7, 0.9, rounded=True),
    case(closure, 0.7, rounded=True),
    case(slope_of_damped, 0.7, 2, rounded=True),
    case(optionals, A, 0.7),
    case(sections, vector(6), 0.7),
    case(matrix_rows, matrix(3, 3), 0.7),
    case(arrays_given, A, 0.7, 4),
    case(noresults, A, 0.7),
    case(arrays_result, A, 0.7, 2),
    case(constants_again, 0.7, 3),
    case(left_regions, 1.2, 6),
    case(indexed_again, A, np.array([2, 0, 1])),
]
