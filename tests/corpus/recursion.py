"""Calls that stay calls: functions that call themselves, that are run again on the way back, derivatives inside."""

import numpy as np

import s2sad
from corpus.case import case, vector

WEIGHTS = np.array([0.5, -0.25, 0.75, 1.25])
SCALE = 1.5


def series(x, y, n):
    if n == 0:
        return y
    return x * series(x * 0.9, y + x, n - 1) + np.sin(x * y)


def tree(x, depth):
    """Two calls of itself."""
    if depth == 0:
        return np.sin(x)
    left = tree(x * 0.7, depth - 1)
    right = tree(x + 0.1 * left, depth - 1)
    return left * right + x


def even_part(x, n):
    return 1.0 if n == 0 else x * odd_part(np.sin(x), n - 1)


def odd_part(x, n):
    return x if n == 0 else x + even_part(x * 0.5, n - 1)


def mutual(x, n):
    return even_part(x, n) * odd_part(x, n)


def sweep(a, x, i):
    """Written in place on the way down and on the way up."""
    a[i] = a[i] * x + a[i] * a[i]
    if i + 1 < len(a):
        below = sweep(a, x * a[i], i + 1)
        a[i] += below * a[i + 1]
        return below + a[i]
    return a[i] * x


def swept(a0, x):
    a = a0.copy()
    s = sweep(a, x, 0)
    for k in range(len(a)):
        s += a[k] * a[k] * (k + 1)
    return s


def swept_in_place(a, x):
    return sweep(a, x, 0) + a[0] * a[1]


def halves(a, out):
    """On sections of itself."""
    n = len(a)
    if n == 1:
        out[0] += a[0] * a[0]
        return np.sin(a[0])
    m = n // 2
    left = halves(a[:m], out[:m])
    right = halves(a[m:], out[m:])
    out[0] = out[0] * right
    return left * right + left


def divided(x):
    out = np.ones(len(x))
    return halves(x, out) + np.sum(out * x)


def pair(x, y, n):
    if n == 0:
        return x, y
    u, v = pair(x * 0.8 + 0.1 * y, y * 0.9, n - 1)
    return u * v, u + np.cos(v)


def pairs(x, y, n):
    u, v = pair(x, y, n)
    return u * x - v


def weighted(x, k):
    if k == len(WEIGHTS):
        return SCALE
    return WEIGHTS[k] * x + SCALE * x * weighted(x * x, k + 1)


def weighed(x):
    return weighted(x, 0) * SCALE


def power(x, n):
    """Numbers of other kinds at its end than elsewhere."""
    if n == 0:
        return 1
    return x * power(x, n - 1)


def powers(x, n):
    return power(x, n) + power(2.0 * n, n) * x


def in_a_state(x, state, n):
    a, (b, scale) = state
    if n == 0:
        return a[0] * scale + b
    a[n] *= x
    return in_a_state(x * b, (a, (b + a[n], scale)), n - 1) * a[n]


def with_a_state(x, y):
    a = np.ones(4) * y
    return in_a_state(x, (a, (y * y, 2.0)), 3) + a[1] * a[2]


def raising(x, n):
    if n > 4:
        raise ValueError("too deep")
    return x if n == 0 else x * raising(np.sin(x), n - 1)


# ----- run again on the way back ----------------------------------------------------------------------------


@s2sad.checkpoint
def step(u, v, dt):
    for i in range(len(u)):
        v[i] = v[i] - dt * np.sin(u[i])
    for i in range(len(u)):
        u[i] = u[i] + dt * v[i]
    return u[0] * v[1]


def stepped(u0, v0, dt, n):
    u = u0.copy()
    v = v0.copy()
    s = 0.0
    for k in range(n):
        s += step(u, v, dt) * (k + 1)
    return s + np.sum(u * u)


@s2sad.checkpoint
def moved(u, dt):
    """Gives an array."""
    out = np.empty(len(u))
    for i in range(len(u)):
        out[i] = u[i] + dt * np.sin(u[i - 1] * u[i])
    return out


def moving(u, dt, n):
    u[0] *= dt
    for k in range(n):
        u = moved(u, dt)
    return np.sum(u * u)


def moving_away(u, dt, n):
    for k in range(n):
        u = moved(u, dt)
    return np.sum(u * u)


@s2sad.checkpoint
def both(u, x):
    w = u * x
    return w, np.sum(w * u)


def both_used(u, x):
    w, s = both(u, x)
    w, t = both(w, x * s)
    return np.sum(w) * t + s


@s2sad.checkpoint
def chain(x, n):
    if n == 0:
        return np.exp(x)
    return np.sin(x) * chain(x * 0.9, n - 1)


@s2sad.checkpoint
def inner_step(x, k):
    return np.sin(x * k) + x


@s2sad.checkpoint
def outer_step(x, n):
    for k in range(n):
        x = inner_step(x, k) * 0.9
    return x


def nested_steps(x, n):
    s = x
    for k in range(n):
        s = outer_step(s, n) + s * 0.1
    return s


def region(u0, dt, n):
    u = u0.copy()
    s = 0.0
    for k in range(n):
        with s2sad.checkpoint():
            w = np.exp(-dt * k) + s * 0.01
            for i in range(len(u)):
                u[i] = u[i] * w + dt * np.sin(u[i])
            s = s + w * u[0]
        s = s * u[1]
    return s + np.sum(u)


def region_with_a_view(u, x):
    s = x
    with s2sad.checkpoint():
        top = u[1:]
        top[0] = top[0] * u[0] * x
        t = np.sin(u) * x
        s += np.sum(t * t)
    return s * u[1]


def region_with_calls(u0, x):
    u = u0.copy()
    v = u0 * 2.0
    s = x
    with s2sad.checkpoint():
        s += sweep(u, x, 0)
        with s2sad.checkpoint():
            s = s * step(u, v, 0.1) + np.sin(s)
        s += u[1] * v[0]
    return s * u[0]


def region_left_by_an_exception(x):
    with s2sad.checkpoint():
        if x < 0.0:
            raise ValueError("negative")
        y = x * np.sin(x)
    return y * y


# ----- derivatives inside -----------------------------------------------------------------------------------


def cubic(x, a):
    return a * x**3 + np.sin(x) * a * a - x


slope = s2sad.grad(cubic, jit=False)
slope_compiled = s2sad.grad(cubic)
curvature = s2sad.grad(slope, jit=False)
value_and_slopes = s2sad.value_and_grad(cubic, (0, 1), jit=False)


def newton(x, a, n):
    for _ in range(n):
        x = x - cubic(x, a) / slope(x, a)
    return x


def newton_compiled(x, a):
    return x - cubic(x, a) / slope_compiled(x, a)


def bent(x, a):
    return curvature(x * a, a) / (1.0 + slope(x, a) ** 2)


def all_slopes(x, a):
    y, (dx, da) = value_and_slopes(x * x, a + 1.0)
    return y * dx + da * x


def looped(x, n):
    s = x
    for k in range(n):
        s = s * x + np.sin(s)
    return s


looped_slope = s2sad.grad(looped, jit=False)


def slope_of_a_loop(x, y):
    return looped_slope(x * y, 4) * y


series_slope = s2sad.grad(series, 1, jit=False)


def slope_of_a_recursion(x, y):
    return series_slope(x, y, 3) * x


def named(x, n):
    """A name that handlers would take for an adjoint."""
    g_b = x * 2.0
    return g_b if n == 0 else named(g_b, n - 1) * np.sin(g_b)


def g(x, n):
    w = x * x
    return named(w, n) + named(w * x, 1)


def polynomial(x, n):
    return x * 1.0 if n == 0 else polynomial(x, n - 1) * x + 1


def of_two_kinds(x, n):
    return polynomial(2, n) * x + polynomial(x, n)


def doubled(a, i):
    """Gives nothing."""
    if i == len(a):
        return
    a[i] = a[i] * a[i - 1]
    doubled(a, i + 1)
    a[i] += a[0]


def doubling(a, x):
    doubled(a, 1)
    return a[2] * x


A = vector(4)

CASES = [
    case(series, 0.6, 1.4, 5, full=True),
    case(series, 0.6, 1.4, 0, note="ends at once"),
    case(tree, 0.6, 4),
    case(mutual, 0.7, 5, full=True),
    case(swept, A, 0.7, full=True),
    case(swept_in_place, A, 0.7),
    case(divided, vector(5)),
    case(pairs, 0.7, 0.4, 3),
    case(weighed, 0.6, full=True),
    case(powers, 1.3, 3),
    case(with_a_state, 0.7, 0.9),
    case(raising, 0.7, 3),
    case(g, 0.7, 2),
    case(of_two_kinds, 0.7, 3),
    case(doubling, A, 0.7),
    case(stepped, A, vector(4, 0.9), 0.1, 3, full=True),
    case(moving, A, 0.3, 3),
    case(moving_away, A, 0.3, 3),
    case(both_used, A, 0.4),
    case(chain, 0.6, 4),
    case(nested_steps, 0.6, 3),
    case(region, A, 0.1, 3),
    case(region_with_a_view, A, 0.7),
    case(region_with_calls, A, 0.7),
    case(region_left_by_an_exception, 0.7),
    case(newton, 0.9, 1.1, 3, rounded=True),
    case(newton_compiled, 0.9, 1.1, rounded=True),
    case(bent, 0.9, 1.1, rounded=True),
    case(all_slopes, 0.9, 1.1, rounded=True),
    case(slope_of_a_loop, 0.9, 1.1, rounded=True),
    case(slope_of_a_recursion, 0.7, 0.4, rounded=True),
]
