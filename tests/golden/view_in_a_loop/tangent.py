"""Tangent of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Derivative of r along directions of x.
"""

from s2sad_runtime import jit, require

require(1)


@jit
def f(x, steps):
    u = x.copy()
    for k in range(steps):
        for i in range(1, u.shape[0]):
            u[i] += 0.5 * u[i - 1]
        u_2 = u[::-1]
        u = u_2
    r = u[0] * u[1]
    return r


@jit
def f_d(x, steps, x_d):
    """`f` and its tangent: the results, then their tangents."""
    u = x.copy()
    u_d = x_d.copy()
    for k in range(steps):
        for i in range(1, u.shape[0]):
            u_d[i] += 0.5 * u_d[i - 1]
            u[i] += 0.5 * u[i - 1]
        u_2 = u[::-1]
        u_2_d = u_d[::-1]
        u = u_2
        u_d = u_2_d
    r = u[0] * u[1]
    r_d = u[1] * u_d[0] + u[0] * u_d[1]
    return r, r_d
