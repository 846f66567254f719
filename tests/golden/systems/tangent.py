"""Tangent of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Derivative of r_2 along directions of mat, v1, v2.
"""

import numpy as np
from s2sad_runtime import jit, require, room_for_factors, solve_by, with_factors

require(1)


@jit
def f(mat, v1, v2, n):
    v = v2.copy()
    for r in range(n):
        t = v - v1
        t_2 = np.linalg.solve(mat, t)
        v = t_2 + v1
    t_3 = v * v
    r_2 = np.sum(t_3)
    return r_2


@jit
def f_d(mat, v1, v2, n, mat_d, v1_d, v2_d):
    """`f` and its tangent: the results, then their tangents."""
    v = v2.copy()
    v_d = v2_d.copy()
    lu, pivots = room_for_factors(mat)
    lu_d = mat_d
    for r in range(n):
        t = v - v1
        t_d = v_d - v1_d
        t_2 = solve_by(mat, lu, pivots, t)
        t_2_d = with_factors(lu, pivots, t_d) - with_factors(lu, pivots, lu_d @ t_2)
        v = t_2 + v1
        v_d = t_2_d + v1_d
    t_3 = v * v
    t_3_d = 2.0 * v * v_d
    r_2 = np.sum(t_3)
    r_2_d = np.sum(t_3_d)
    return r_2, r_2_d
