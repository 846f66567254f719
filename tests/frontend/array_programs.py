"""More programs inside the language: arrays and their names, tuples, calls."""

import numpy as np
from frontend.programs import POWERS, SHIFT, TABLE, A, Point, X, early_returns, program, vector

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
