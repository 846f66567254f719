"""Small programs inside the language, each with arguments; they are run as Python, and as IR."""

import math
import math as m
from math import sin
from typing import NamedTuple

import numpy
import numpy as np
import numpy as xp

from s2sad.markers import checkpoint_range, stop_gradient

SHIFT = 0.25
FLAG = True
POWERS = (2, 3)
TABLE = np.array([0.5, -0.25, 0.75])


class Point(NamedTuple):
    x: float
    y: float


def vector(*values):
    return np.array(values)


X = vector(0.3, -0.8, 0.5, 1.1)
A = np.arange(6.0).reshape(2, 3) * 0.3 - 0.5

PROGRAMS = []


def program(*arguments):
    def add(f):
        PROGRAMS.append((f, arguments))
        return f

    return add


# ----- scalars ---------------------------------------------------------------------------------------------


@program(0.7, 1.3)
def arithmetic(x, y):
    return (x + y) * x - y / x + x**2 - 2**-1 + x // y + x % y + -x + +y


@program(0.7, 3)
def integers_and_reals(x, n):
    k = 0
    k += n
    k = k // 2
    half = n / 2
    return x * k + half + (n**2) % 5


@program(0.7)
def spellings(x):
    return sin(x) + m.cos(x) + math.exp(x) + numpy.tanh(x) + xp.sqrt(x) + abs(-x) + math.pi + np.pi


@program(0.7, 1.3, -0.4)
def largest(x, y, z):
    return max(x, y, z) + min(x, y) * np.maximum(x, z) + pow(x, 2) + math.floor(y)


@program(0.7, 1.3)
@program(1.3, 0.7)
def conditions(x, y):
    s = 0.0
    if 0.0 < x < y <= 2.0 and not x == y:
        s += x
    elif x > y or FLAG:
        s -= y
    else:
        s = 5.0
    ok = x > 0 and y > 0
    return s + (x if ok else y if x < y else 2.0)


@program(0.7)
def names_again(x):
    x = x * x
    y = x
    x = y + x
    x, y = y, x
    return x - 2 * y


@program(0.7, 2)
def docstring_and_pass(x, n):
    """Says something."""
    x: float = x * n
    return x


# ----- branches and exits ----------------------------------------------------------------------------------


@program(0.7)
@program(-0.7)
@program(3.0)
def early_returns(x):
    if x < 0.0:
        return -x
    y = x * x
    if y > 4.0:
        if x > 2.5:
            return y
        y = y + 1.0
    return y * x


@program(0.7, 5)
def continues(x, n):
    s = 0.0
    for i in range(n):
        if i == 1:
            continue
        if i > 2:
            s += x
            if i == 4:
                continue
            s += 1.0
        s = s * x + i
    return s


@program(X)
@program(vector(-1.0, 2.0))
def results_of_one_form(x):
    if x[0] > 0:
        return x[0], x * 2.0
    y = x + 1.0
    return y[1], y


@program(0.7)
@program(-0.7)
def raises(x):
    assert x < 5.0, "too large"
    if x < 0.0:
        raise ValueError("negative", 3)
    return math.sqrt(x)


@program(0.7, None)
@program(0.7, 2.0)
def optional(x, w=None):
    if w is None:
        return x
    w = w * x
    return w if w is not None else x


# ----- loops -----------------------------------------------------------------------------------------------


@program(X, 0)
@program(X, 3)
def total_from_integer(x, n):
    total = 0
    for i in range(n):
        total = total + x[i]
    return total


@program(X, 4)
def ranges(x, n):
    s = 0.0
    for i in range(1, n):
        for j in range(n - 1, -1, -2):
            s += x[i] * x[j]
    return s


@program(X, 0)
@program(X, 3)
def counter_read_after(x, n):
    i = 1
    for i in range(n):
        pass
    return x[i] * i


@program(X, 4)
def counter_assigned(x, n):
    s = 0.0
    for i in range(n):
        i = (i * 2) % n
        s += x[i]
    return s


@program(X, 2)
def counter_bounds(x, i):
    s = 0.0
    for i in range(i, 4):
        for i in range(i):
            s += x[i]
    return s


@program(X)
def elements(x):
    s = 0.0
    for v in x * 2.0:
        s += v
        for v in x:
            s *= v
    return s


@program(0.7, 3)
def plain_loop_marker(x, n):
    for _ in checkpoint_range(n, snapshots=2):
        x = x * x + stop_gradient(x)
    return x


@program(3, 2.0)
def integer_parameter_becomes_real(n, x):
    for _ in range(3):
        n = n * 0.5
    return n * x


@program(X)
def reused_with_another_kind(x):
    t = x * 2.0
    s = np.sum(t)
    for i in range(3):
        t = x[i]
        s += t
    return s


# ----- arrays ----------------------------------------------------------------------------------------------


@program(A, 1)
def subscripts(a, k):
    n, m = a.shape
    a[0, -1] += a[k, m - 1]
    a[k][0] = a[0][1] * n
    a[k, 1] *= 2.0
    return a[-1, 0] + len(a) + a.size + a.ndim + np.shape(a)[1]


@program(X)
def creations(x):
    n = x.shape[0]
    z = np.zeros((2, n)) + np.ones(n)
    e = np.empty_like(x)
    e[:] = 3.0
    f = np.full(n, x[0])
    k = np.zeros(n, dtype=np.int64)
    for i in range(n):
        k[i] = i
    c = np.copy(x) + x.copy() + np.zeros_like(x) + np.full_like(x, 0.5)
    return np.sum(z * (e + f) + c) + k[2] + x.sum() + np.max(x) - x.min()


@program(A, vector(0.5, 1.0, 2.0), 0.3)
def in_place(a, row, s):
    m = a.copy()
    m += row
    m *= m
    m -= s
    m /= 2.0
    m[...] = m + a
    a[:, :] = m
    return np.sum(m * m)


@program(X, 3)
@program(X, 0)
def swapped(u0, n):
    u = u0.copy()
    v = np.zeros_like(u)
    for _ in range(n):
        v[0] = u[1]
        for i in range(1, 4):
            v[i] = u[i - 1] * 0.5
        u, v = v, u
    return np.sum(u)


@program(X, 4)
def rotated(u0, n):
    a = u0 * 1.0
    b = u0 * 2.0
    c = u0 * 3.0
    for i in range(n):
        c[i] = a[i] + b[0]
        a, b, c = b, c, a
    return np.sum(a) + b[0] * c[1]


@program(X, 4)
def rotated_by_hand(u0, n):
    a = u0 * 1.0
    b = u0 * 2.0
    for i in range(n):
        b[i] += a[i - 1]
        spare = a
        a = b
        b = spare
    return np.sum(a) - np.sum(b)


@program(X, 3)
def rebuilt(y0, n):
    y = y0
    for _ in range(n):
        old = y
        y = y * 0.5 + old
    return y


@program(X)
def two_names(x):
    y = x
    y[0] = 3.0
    a = b = x * 2.0
    a[1] = 1.0
    return x[0] * b[1]


@program(X, 0.5)
@program(X, -0.5)
def arms_of_arrays(x, c):
    y = x * 2.0 if c > 0 else x + 1.0
    if c > 0.2:
        z = y
    else:
        z = y * 3.0
    return np.sum(z)


@program(X)
def parameter_rebound(x):
    x = x * 2.0
    x[0] = 1.0
    return x


@program(X)
def handed_on(x):
    new = x * 2.0
    for i in range(2):
        alpha = new
        new = alpha * 3.0
        alpha[0] = i
    return np.sum(new)


@program(vector(1.0, 2.0, 3.0))
@program(vector(1.0, 2.0))
def unpacked(p):
    a, b, c = p
    return a * b - c


# ----- tuples ----------------------------------------------------------------------------------------------


@program((0.5, (2.0, X)), 3.0)
def tuples(p, s):
    x, (y, v) = p
    q = (x, y * s)
    q = (q[1], q[0])
    a, b = q
    v[0] = a
    return (a, (b, q[-1])), v


@program(0.5, 2.0)
def named(x, y):
    p = Point(x * y, y=x)
    return p.x - p.y, p


@program(X)
def swap_of_elements(x):
    x[0], x[1] = x[1], x[0]
    i = 2
    i, x[i] = 3, x[0]
    return x[i] * i


@program(X, X * 2.0)
def arrays_at_once(a, b):
    a, b = a + b, a - b
    c, a = a, b * 2.0
    return np.sum(a * c) + b[0]


# ----- functions -------------------------------------------------------------------------------------------


def scaled(x, rate=0.5, *, power=2):
    return x * rate**power


def put(buf, k, v):
    buf[k] = buf[k] * 0.5 + v


def swapped_pair(x, y):
    return y, x


def first_positive(x):
    if x[0] > 0:
        return x[0]
    s = 0.0
    for v in x:
        s += v
    return s


def shifted(a):
    a = a + SHIFT
    a[0] = 0.0
    return a


def through(a):
    a[1] = 7.0
    return a


@program(0.7, 1.3)
def keywords(x, y):
    return scaled(x) + scaled(y, power=3) + scaled(rate=x, x=y)


@program(X)
def written_by_callee(x):
    buf = np.zeros(4)
    for k in range(4):
        put(buf, k, x[k])
        put(buf, (2 * k) % 4, v=first_positive(x))
    put(x, 0, first_positive(buf * -1.0))
    return np.sum(shifted(buf) * through(x)) + through(x)[1]


@program(X)
def order_of_evaluation(x):
    a = x[1] + through(x)[1] * x[1]
    x[1] = 0.5
    x[0] += through(x)[1]
    x[int(through(x)[1]) - 5] = x[2] + a
    return a * (x * through(x))[1]


@program(0.7, 1.3)
def pairs(x, y):
    x, y = swapped_pair(x * y, x)
    return x - y * POWERS[1] * TABLE[POWERS[0]] + SHIFT


@program(0.7, 3)
def closures(x, n):
    c = x * 2.0
    g = lambda t, k=3.0: t * c + k  # noqa: E731

    def h(t):
        return g(t) * x

    s = 0.0
    for i in range(n):
        c = c + i

        def inner(t, w=i):
            return h(t) * w + s

        s = inner(x) + s
    return s


def apply(f, x):
    return f(x) + f(2 * x)


@program(0.7)
def functions_as_values(x):
    def twice(t):
        return 2 * t

    f = twice
    return apply(f, x) + apply(np.sin, x) + apply(lambda t: t * x, 1.0)


@program(0.7, -0.3)
def calls_in_conditions(x, y):
    s = 1.0
    if (x > 0 and first_positive(vector_of(x, y)) > 0.5) or early_returns(y) > 2.0:
        s = 2.0
    return s if -1.0 < first_positive(vector_of(y, y)) < first_positive(vector_of(x, y)) < 9.0 else 3.0


def vector_of(x, y):
    v = np.empty(2)
    v[0] = x
    v[1] = y
    return v


# ----- names -----------------------------------------------------------------------------------------------


@program(X, 1.4)
def awkward(x, dx):
    tape = x * dx
    stack = tape.copy()
    d_x = 0.0
    total = 1.0
    keep = 2.0
    x_2 = 3.0
    np_ = x[0]
    for _i in range(3):
        d_x += tape[_i] * stack[_i] * keep
        total = total * dx
        sum = d_x + x_2
        keep = sum
    x = total * keep
    return x * d_x + np_


square = lambda t: t * t + SHIFT  # noqa: E731
PROGRAMS.append((square, (0.7,)))


def made(c):
    k = 2

    def inner(x):
        return x * c + k

    return inner


PROGRAMS.append((made(3.0), (0.7,)))
