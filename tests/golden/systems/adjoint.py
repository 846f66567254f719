"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of r_2 with respect to mat, v1, v2.
"""

import numpy as np
from s2sad_runtime import (
    accumulate, add_outer, guarded, hold, jit, new_arena, own, pooled_zeros, require,
    room_for_factors, solve_by, take_int, take_real, with_factors, zeros_of
)

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


@jit(inner=True)
def f_fwd(mat, v1, v2, n, arena):
    """Run `f` forward; what the reverse sweep needs is kept in the arena."""
    v = own(arena, v2)
    lu, pivots = room_for_factors(mat)
    lu = own(arena, lu)
    pivots = own(arena, pivots)
    for r in range(n):
        t = own(arena, v - v1)
        t_2 = own(arena, solve_by(mat, lu, pivots, t))
        hold(arena, v, t)
        v = own(arena, t_2 + v1)
        hold(arena, t_2)
    t_3 = own(arena, v * v)
    r_2 = np.sum(t_3)
    hold(arena, t_3, v, pivots, lu)
    return r_2


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def f_rev(mat, v1, v2, n, mat_b, v1_b, v2_b, r_2_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    lu = take_real(arena, 2)
    lu_b = pooled_zeros(lu)
    pivots = take_int(arena, 1)
    v = take_real(arena, 1)
    v_b = pooled_zeros(v)
    t_3 = take_real(arena, 1)
    t_3_b = pooled_zeros(t_3)
    # line 10: return np.sum(v * v)
    accumulate(t_3_b, r_2_b)
    accumulate(v_b, 2.0 * t_3_b * v)
    for r in range(n - 1, -1, -1):
        t_2 = take_real(arena, 1)
        t_2_b = pooled_zeros(t_2)
        # line 9: v = np.linalg.solve(mat, v - v1) + v1
        accumulate(t_2_b, v_b)
        accumulate(v1_b, v_b)
        t = take_real(arena, 1)
        t_b = pooled_zeros(t)
        v = take_real(arena, 1)
        v_b = pooled_zeros(v)
        w = with_factors(lu, pivots, t_2_b, True)
        add_outer(lu_b, w, t_2, -1.0)
        accumulate(t_b, w)
        accumulate(v_b, t_b)
        accumulate(v1_b, -t_b)
    # line 8: for r in range(n):
    accumulate(mat_b, lu_b)
    # line 7: v = v2.copy()
    accumulate(v2_b, v_b)


@jit
def f_grad(mat, v1, v2, n):
    """The value and the gradient of `f`."""
    arena = new_arena()
    r_2 = guarded(f_fwd, (arena,), mat, v1, v2, n, arena)
    mat_b = zeros_of(mat)
    v1_b = zeros_of(v1)
    v2_b = zeros_of(v2)
    guarded(f_rev, (arena,), mat, v1, v2, n, mat_b, v1_b, v2_b, 1.0, arena)
    return r_2, (mat_b, v1_b, v2_b)
