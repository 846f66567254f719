"""Swaps and rotations of names."""

import numpy as np

from corpus.case import case, vector


def heat(u0, kappa, steps):
    n = u0.shape[0]
    u = u0.copy()
    un = np.empty_like(u)
    for t in range(steps):
        un[0] = u[0]
        un[n - 1] = u[n - 1]
        for i in range(1, n - 1):
            un[i] = u[i] + kappa * (u[i - 1] - 2.0 * u[i] + u[i + 1])
        u, un = un, u
    s = 0.0
    for i in range(n):
        s += u[i] * u[i] * (1.0 + 0.1 * i)
    return s


def two_fields(u0, v0, steps):
    n = len(u0)
    u, v, u_next, v_next = u0.copy(), v0.copy(), u0.copy(), v0.copy()
    for _ in range(steps):
        for i in range(1, n - 1):
            u_next[i] = u[i - 1] + 0.5 * u[i + 1] + 0.2 * v[i] + 0.1 * v[i - 1] * v[i + 1]
            v_next[i] = 0.3 * v[i] * u[i + 1] - v[i + 1] + 0.7 * v[i - 1]
        u, u_next = u_next, u
        v, v_next = v_next, v
    return np.sum(u * u) + np.sum(v * v * v)


def nonlinear_heat(u0, kappa, steps):
    u = u0.copy()
    un = u0.copy()
    for t in range(steps):
        for i in range(1, len(u) - 1):
            un[i] = u[i] + kappa * u[i] * (u[i - 1] - u[i + 1]) + 0.1 * un[i]
        u, un = un, u
    return np.sum(u * un)


def reads_before_the_swap(u, v, n):
    s = 0.0
    for k in range(n):
        s += u[0] * v[1]
        u[0] = np.sin(v[0]) + s
        u, v = v, u
        s *= u[1] * v[0]
    return s + np.sum(u * u)


def wave(u, c, steps):
    n = len(u)
    old = u.copy()
    new = np.zeros(n)
    now = u.copy()
    for t in range(steps):
        for i in range(1, n - 1):
            new[i] = 2.0 * now[i] - old[i] + c * c * (now[i + 1] - 2.0 * now[i] + now[i - 1]) * now[i]
        old, now, new = now, new, old
    return np.sum(now * now) + old[1]


def local_reads_before_the_swap(u, n):
    v = u * 0.5
    w = u * 1.0
    s = 0.0
    for k in range(n):
        s += w[0] * v[1]
        w[0] = np.sin(v[0]) + s
        w, v = v, w
        s *= w[1] * v[0]
    return s + np.sum(w * w)


def locals_swapped_in_a_branch(u, n):
    a = u * 0.5
    b = u * u
    for k in range(n):
        if a[0] > b[0]:
            a, b = b, a
        a[0] = a[0] + 0.3 * b[1] * b[0]
    return np.sum(a * a) + np.sum(b) * a[0]


def rotated_in_nested_loops(u):
    a = u * 0.5
    b = u * u
    c = np.sin(u)
    for i in range(2):
        for j in range(i + 1):
            a[j] = b[j] * a[j] + 0.2 * c[j - 1]
            a, b, c = b, c, a
    return np.sum(a * a) - np.sum(b) * c[0]


def swapped_parameters(u, v):
    u, v = v, u
    u[0] = v[0] * v[1]
    v *= u
    return np.sum(u * v * v)


def swapped_in_a_branch(u, v, n):
    for k in range(n):
        if u[0] > v[0]:
            u, v = v, u
        u[0] = u[0] + 0.3 * v[1] * v[0]
    return np.sum(u * u) + np.sum(v) * u[0]


def odd_and_even_swaps(u, v):
    for i in range(2):
        for j in range(i + 1):
            u[j] = v[j] * u[j] + 0.2
            u, v = v, u
    return np.sum(u * u) - np.sum(v)


def scalar_rotation(x, y, z, n):
    for k in range(n):
        x, y, z = y * z, z, x + y
    return x * y * z


def handed_over(u, x):
    y = u * x
    z = y
    z[0] = z[0] * z[1]
    return np.sum(z * z)


def kept_and_replaced(u, n):
    y = u.copy()
    for k in range(n):
        z = y * y * 0.5
        z[0] = y[1] + z[0]
        y = z
    return np.sum(y)


def bound_anew_after_writing(u, w, n):
    for k in range(n):
        u[k] = u[k - 1] * w[0]
        w = w * u
        if k == 1:
            u = np.sin(u)
    return np.sum(u * w)


def written_after_the_swap(u, v, s):
    if s > 0.0:
        u, v = v, u
    part = u[1:]
    part[0] *= v[0]
    if s > 1.0:
        v = u * part[1]
        v[1] = s * s
    return v


def view_outlives_its_array(x, n):
    """The name is bound anew while another one looks into what it stood for."""
    u = x * 1.0
    for k in range(n):
        part = u[1:]
        u = np.sin(u)
        part[0] = u[1]
        u[2] += part[0] * part[1]
    return np.sum(u)


def view_of_what_was_swapped(u, v, x, n):
    for k in range(n):
        t = u[::-1]
        u[0] *= x
        if t[0] < 0.75:
            u, v = v, u
        t[-1] += x * v[1]
    return u[0] * v[0] + np.sum(v)


def element_and_array_in_one_statement(u, v, x):
    w = u
    u[0], u, v[1], w = x * u[1], v, np.sin(w[0]), u.copy()
    u[2], w[0] = w[0] * x, u[0]
    return u[0] * w[0] + u[1] * np.sum(u) + w[2]


def shared_after_a_step(x, u):
    """From the first step on both names have one array: what is restored for one is restored for the other."""
    a = 0.5 * u
    for _ in range(4):
        u *= np.cos(a - x - u)
        u, u = u, a
    for _ in range(2):
        u *= np.cos(u)
        u, u = u, a
    return 0.7 * np.sum(u) + 0.6 * np.sum(a)


def length_of_what_is_swapped(u, y, n):
    a = np.zeros(n)
    a[:-1] -= np.sin(a[:0:-1] - u[0])
    a, u = u, a
    for _ in range(n):
        u = np.tanh(np.cos(u) - y)
    return np.sum(u)


CASES = [
    case(view_outlives_its_array, vector(4), 3),
    case(view_of_what_was_swapped, vector(3), vector(3, 2.0), 1.3, 3),
    case(element_and_array_in_one_statement, vector(3), vector(3, 2.0), 1.3),
    case(bound_anew_after_writing, vector(3), vector(3, 2.0), 3, full=True),
    case(written_after_the_swap, vector(3), vector(3, 2.0), -0.5),
    case(written_after_the_swap, vector(3), vector(3, 2.0), 0.5, note="swapped"),
    case(written_after_the_swap, vector(3), vector(3, 2.0), 1.5, note="bound anew"),
    case(heat, vector(7), 0.21, 5, full=True),
    case(heat, vector(7), 0.21, 4, note="even"),
    case(heat, vector(7), 0.21, 0, note="no trips"),
    case(two_fields, vector(7), vector(7, 2.0), 3, full=True),
    case(nonlinear_heat, vector(5), 0.2, 3),
    case(reads_before_the_swap, vector(3), vector(3, 2.0), 3),
    case(wave, vector(5), 0.4, 4),
    case(local_reads_before_the_swap, vector(3), 3, full=True),
    case(locals_swapped_in_a_branch, vector(3), 3),
    case(rotated_in_nested_loops, vector(3)),
    case(swapped_parameters, vector(3), vector(3, 2.0)),
    case(swapped_in_a_branch, vector(3), vector(3, 2.0), 3),
    case(odd_and_even_swaps, vector(3), vector(3, 2.0)),
    case(scalar_rotation, 0.7, 0.4, -0.3, 4),
    case(handed_over, vector(3), 0.7),
    case(kept_and_replaced, vector(3), 3),
    case(shared_after_a_step, 0.7, vector(3)),
    case(length_of_what_is_swapped, vector(3), 0.3, 3),
]
