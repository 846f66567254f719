"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of r_2 with respect to mat, v1, v2.

kept         where  bytes  why
n2 (line 9)  slot   8 * n  what it is made of is overwritten
"""

import numpy as np
from s2sad_runtime import (
    accumulate, common, fitted, guarded, hold, int_slots, jit, new_arena, own, real_slots, require,
    room_for, room_for_factors, solve_by, take_int, take_real, with_factors, zeros_of
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
    n2_s = int_slots(arena, (n,))
    for r in range(n):
        t = own(arena, v - v1)
        t_2 = own(arena, solve_by(mat, lu, pivots, t))
        hold(arena, v)
        n2 = common(t_2.shape[0], v1.shape[0])
        n2_s[r] = n2
        t_2_fit = fitted(t_2, (n2,))
        v1_fit = fitted(v1, (n2,))
        v = real_slots(arena, (n2,))
        for i in range(n2):
            v[i] = t_2_fit[i] + v1_fit[i]
        hold(arena, t_2, t)
    hold(arena, n2_s)
    t_3 = own(arena, v * v)
    r_2 = np.sum(t_3)
    hold(arena, t_3, v, pivots, lu)
    return r_2


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def f_rev(mat, v1, v2, n, mat_b, v1_b, v2_b, r_2_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    lu = take_real(arena, 2)
    lu_b = np.zeros_like(lu)
    pivots = take_int(arena, 1)
    v = take_real(arena, 1)
    v_b = np.zeros_like(v)
    t_3 = take_real(arena, 1)
    t_3_b = np.zeros_like(t_3)
    # line 10: return np.sum(v * v)
    accumulate(t_3_b, r_2_b)
    accumulate(v_b, 2.0 * t_3_b * v)
    n2_s = take_int(arena, 1)
    for r in range(n - 1, -1, -1):
        # line 9: v = np.linalg.solve(mat, v - v1) + v1
        n2 = n2_s[r]
        t = take_real(arena, 1)
        t_b = np.zeros_like(t)
        t_2 = take_real(arena, 1)
        t_2_b = np.zeros_like(t_2)
        # line 8: for r in range(n):
        t_2_fit = fitted(t_2, (n2,))
        t_2_fit_b = room_for(t_2_b, (n2,))
        v1_fit = fitted(v1, (n2,))
        v1_fit_b = room_for(v1_b, (n2,))
        for i in range(n2):
            # line 9: v = np.linalg.solve(mat, v - v1) + v1
            w = v_b[i]
            v_b[i] = 0.0
            t_2_fit_b[i] += w
            v1_fit_b[i] += w
        if v1_b.shape[0] != v1_fit_b.shape[0]:
            accumulate(v1_b, v1_fit_b)
        if t_2_b.shape[0] != t_2_fit_b.shape[0]:
            accumulate(t_2_b, t_2_fit_b)
        v = take_real(arena, 1)
        v_b = np.zeros_like(v)
        w2 = with_factors(lu, pivots, t_2_b, True)
        accumulate(lu_b, -np.outer(w2, t_2))
        accumulate(t_b, w2)
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
