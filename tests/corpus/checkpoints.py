"""Stretches and loops that are run again on the way back: what they share, bind, exchange and nest."""

import numpy as np

import s2sad
from corpus.case import case, vector


def aliased(a0, dt, n):
    """Two names that may share an array; one is read, the other written."""
    u = a0.copy()
    b = u
    if dt > 0.5:
        b = u * 2.0
    s = dt
    for t in range(n):
        with s2sad.checkpoint():
            s += u[0] * u[0] * b[1]
            b[0] = s * dt
            u[1] = np.sin(b[0] * b[1] * u[0])
    return np.sum(u * u) + b[0] * s


def filled_again(u, x, y, n):
    """Each step fills what may be another name's array; its adjoint is nothing before the step, whosever it is."""
    u[u < -0.3] = np.sin(x)
    u[-1] = 0.07
    w = np.sin(u + u[:])
    if w[n - 1] > 10.0:
        u, w = w, u
    else:
        for _ in s2sad.checkpoint_range(2 * n, 1, "uniform"):
            for i in range(n):
                y -= 0.3 * u[0]
                w[i] = u[i]
    return np.sum(w)


def aliased3(a0, dt, n):
    """Three of them."""
    u = a0.copy()
    b = u
    c = b
    if dt > 0.5:
        b = u * 2.0
    if n > 2:
        c = b
    s = dt
    for t in range(n):
        with s2sad.checkpoint():
            s += u[0] * u[0] * b[1] * c[2]
            b[0] = s * dt
            c[2] = np.sin(c[2] * b[0])
            u[1] = np.sin(b[0] * b[1] * u[0])
    return np.sum(u * u) + b[0] * s + c[1]


def aliased_steps(a0, dt, n):
    """The same in steps of a schedule."""
    u = a0.copy()
    b = u
    if dt > 0.5:
        b = u * 2.0
    s = dt
    for t in s2sad.checkpoint_range(n, 2):
        s += u[0] * u[0] * b[1]
        b[0] = s * dt
        u[1] = np.sin(b[0] * b[1] * u[0])
    return np.sum(u * u) + b[0] * s


def views(a0, x, n):
    """A view from before, and what it looks into, both written."""
    u = a0.copy()
    v = u[1:]
    for t in range(n):
        with s2sad.checkpoint():
            x = x + u[1] * u[1]
            v[0] = u[0] * u[1] * x + v[0]
            u[1] = v[1] * v[0] * u[1]
    return np.sum(u * u) + v[0] * x


def view_steps(a0, x, n):
    """The same in steps of a schedule."""
    u = a0.copy()
    k = n - n + 1
    v = u[k:]
    for t in s2sad.checkpoint_range(n, 2):
        x = x + u[1] * u[1]
        v[0] = u[0] * u[1] * x + v[0]
        u[1] = v[1] * v[0] * u[1]
    return np.sum(u * u) + v[0] * x


def exchanged(a0, x, n):
    """Names are exchanged in a region, and bound anew on one way."""
    u = a0.copy()
    v = u * 2.0
    for t in range(n):
        with s2sad.checkpoint():
            v[0] = u[0] * u[1] * x + v[0]
            u, v = v, u
            u[1] = v[1] * v[0] * u[1]
            if u[0] > 0.3:
                u = u * v
    return np.sum(u * u) + v[0] * x


def bound(a0, x, n):
    """Arrays of before are bound anew in regions."""
    u = a0 * x
    v = a0 * 2.0
    for t in range(n):
        with s2sad.checkpoint():
            u[0] = u[1] * x
            v[:] = np.sin(u)
            u = v + u * 0.3
        x = x + v[0]
        with s2sad.checkpoint():
            if x > 0.5:
                u = u * x
            w = u[::-1].copy()
        u[0] += w[1]
    return np.sum(u * u) + v[0] * x


def nested(a0, x, n):
    """Loops under schedules and regions in one another; the state is written into before it is made anew."""
    u = a0 * x
    for t in s2sad.checkpoint_range(n, 2):
        for k in s2sad.checkpoint_range(t, 2, "uniform"):
            u[k % 3] = np.sin(u[0] + u[1] * x)
            with s2sad.checkpoint():
                x = x * u[2]
                for j in s2sad.checkpoint_range(2, 1):
                    x = x + u[j] * x
        u = u * x
    return np.sum(u * u)


def returning(a0, x, n):
    """A `return` leaves the loop."""
    u = a0 * x
    for t in s2sad.checkpoint_range(n, 2):
        u[t % 3] = np.sin(u[0] + u[1] * x)
        if t == 3:
            return u[0] * x
    return np.sum(u * u)


def enumerated(a0, x, n):
    """Counted from the other end, and beside another counter."""
    u = a0 * x
    for k, t in enumerate(s2sad.checkpoint_range(n, 2)):
        u[t % 3] = np.sin(u[0] + u[1] * x) * k
    for t in reversed(s2sad.checkpoint_range(n, 2)):
        u[t % 3] += np.sin(u[0] + u[1] * x) * t
    return np.sum(u * u)


def index_given(u, x, idx):
    """Dynamic subscripts in a step."""
    for t in s2sad.checkpoint_range(len(idx), 2):
        u[idx[t]] = u[idx[t]] * np.sin(u[t % 2] * x)
    return np.sum(u * u) * x


def only_numbers(x, y, n):
    for t in s2sad.checkpoint_range(n, 2, "uniform"):
        x, y = np.sin(x * y), x + 0.1 * t
    return x * y


def three_levels(u0, dt, n):
    """Rotated names, one of them not seen before."""
    u = u0.copy()
    v = u0 * 0.5
    w = np.zeros(len(u0))
    for _ in s2sad.checkpoint_range(n, 3):
        for i in range(1, len(u) - 1):
            w[i] = 2.0 * v[i] - u[i] + dt * (v[i - 1] - 2.0 * v[i] + v[i + 1]) * v[i]
        u, v, w = v, w, u
    return np.sum(v * v)


def not_reversed(x, y, n):
    """A stretch that only one of the arguments flows through, and overwrites what was read before."""
    a = np.ones(n)
    s = 0.0
    if n > 2:
        s = a[0]
    with s2sad.checkpoint():
        a[-1] = y / (2.0 + y * y)
    return x * s + np.sum(a)


@s2sad.checkpoint
def given_anew(a, b):
    if a > 0.1:
        b = np.sin(a * b)
    return a * b


def passive_as_it_comes(x):
    """A number is passed that becomes active inside."""
    return given_anew(x, 1.5) + given_anew(x * x, 0.5)


def turned_within(x, y, u, v, n):
    """The inner loop is gone back over twice: for numbers that are active, and for others."""
    for _ in s2sad.checkpoint_range(n, 1):
        with s2sad.checkpoint():
            x = np.sin(x * y)
            for _ in s2sad.checkpoint_range(2, 2, "uniform"):
                u, v = v, u
                v[0] = np.sin(y)
    return x * np.sum(u) + y * np.sum(v)


def of_no_use(x, v):
    """What the region makes of an array is for another one alone, which nobody reads."""
    a = np.ones(len(v))
    with s2sad.checkpoint():
        for i in range(1, len(v)):
            a[i] = np.tanh(v[i])
        v[0] *= np.cos(a[-1] * x)
    return x * x


def of_no_use_beside(x, y, v):
    """The same beside a number that is an argument."""
    r = np.empty_like(v)
    with s2sad.checkpoint():
        with s2sad.checkpoint():
            for i in range(len(v)):
                r[i] = -np.tanh(x**3)
                x = np.sin(x + r[i] * r[i])
        for i in range(len(v)):
            y += 0.3 * r[i] * r[-1]
    return v * v


A = vector(3)

CASES = [
    *(case(f, A, 0.7, 3) for f in (aliased, aliased3, aliased_steps, views, view_steps, bound, nested)),
    case(aliased, A, 0.3, 3, note="one"),
    case(aliased_steps, A, 0.3, 3, note="one"),
    case(exchanged, A, 0.7, 3),
    case(not_reversed, 0.7, 0.9, 3),
    case(passive_as_it_comes, 0.7),
    case(passive_as_it_comes, 0.2, note="the other way"),
    case(returning, A, 0.7, 3, note="runs out"),
    case(returning, A, 0.7, 5, full=True),
    case(enumerated, A, 0.7, 4),
    case(index_given, A, 0.7, np.array([2, 0, 1, 1])),
    case(only_numbers, 0.7, 0.9, 5, full=True),
    case(three_levels, vector(6), 0.3, 7),
    case(turned_within, 0.7, 0.9, A, vector(3, 0.4), 2),
    case(of_no_use, 0.7, A),
    case(filled_again, vector(4) - 0.6, 0.7, 0.3, 4),
    case(of_no_use_beside, 0.7, 0.4, A),
]
