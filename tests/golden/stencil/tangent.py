"""Tangent of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Derivative of s along directions of start, k.
"""

from s2sad_runtime import jit, require

require(1)


@jit
def f(start, k, steps):
    n = start.shape[0]
    u = start.copy()
    u_next = start.copy()
    for _ in range(steps):
        for i in range(1, n - 1):
            u_next[i] = u[i] + k * u[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1])
        u, u_next = u_next, u
    s = 0.0
    for i in range(n):
        s += u[i] * u[i]
    return s


@jit
def f_d(start, k, steps, start_d, k_d):
    """`f` and its tangent: the results, then their tangents."""
    n = start.shape[0]
    u = start.copy()
    u_d = start_d.copy()
    u_next = start.copy()
    u_next_d = start_d.copy()
    for _ in range(steps):
        for i in range(1, n - 1):
            u_next_d[i] = (
                (1.0 + k * (u[i - 1] - 2.0 * u[i] + u[i + 1]) - 2.0 * k * u[i]) * u_d[i]
                + u[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * k_d + k * u[i] * u_d[i - 1]
                + k * u[i] * u_d[i + 1]
            )
            u_next[i] = u[i] + k * u[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1])
        u, u_next = u_next, u
        u_d, u_next_d = u_next_d, u_d
    s = 0.0
    s_d = 0.0
    for i in range(n):
        s_d += 2.0 * u[i] * u_d[i]
        s += u[i] * u[i]
    return s, s_d
