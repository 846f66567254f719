"""Tangent of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Derivative of r along directions of u0, nu.
"""

import numpy as np
from s2sad_runtime import jit, require

require(1)


@jit
def f(u0, nu, n, snapshots):
    u = u0.copy()
    v = u0.copy()
    for _ in range(n):
        for i in range(1, u.shape[0] - 1):
            v[i] = u[i] + nu * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i]
        u, v = v, u
        nu *= 0.99
    t = u * u
    r = np.sum(t)
    return r


@jit
def f_d(u0, nu, n, snapshots, u0_d, nu_d):
    """`f` and its tangent: the results, then their tangents."""
    u = u0.copy()
    u_d = u0_d.copy()
    v = u0.copy()
    v_d = u0_d.copy()
    for _ in range(n):
        for i in range(1, u.shape[0] - 1):
            v_d[i] = (
                (1.0 + nu * (u[i - 1] - 2.0 * u[i] + u[i + 1]) - 2.0 * nu * u[i]) * u_d[i]
                + (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i] * nu_d + nu * u[i] * u_d[i - 1]
                + nu * u[i] * u_d[i + 1]
            )
            v[i] = u[i] + nu * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i]
        u, v = v, u
        u_d, v_d = v_d, u_d
        nu_d = 0.99 * nu_d
        nu *= 0.99
    r = 0.0
    r_d = 0.0
    for i2 in range(u.shape[0]):
        t = u[i2] * u[i2]
        t_d = 2.0 * u[i2] * u_d[i2]
        r_d += t_d
        r += t
    return r, r_d
