"""Adjoint of energy, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of s with respect to x.

kept         where  bytes                        why
t (line 10)  slot   8 * x.shape[0] * x.shape[0]  dear to form again
"""

import numpy as np
from s2sad_runtime import guarded, hold, jit, new_arena, real_slots, require, take_real, zeros_of

require(1)


@jit
def energy(x, A):
    s = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            s += A[i, j] * np.sin(x[i]) * x[j] ** 2
    return s


@jit(inner=True)
def energy_fwd_d(x, A, x_d, arena):
    """Run `energy` forward; what the reverse sweep needs is kept in the arena."""
    directions = x_d.shape[1]
    s_d = np.zeros(directions)
    s = 0.0
    t_s = real_slots(arena, (x.shape[0], x.shape[0]))
    t_s_d = real_slots(arena, (x.shape[0], x.shape[0], directions))
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            t = np.sin(x[i])
            t_s[i, j] = t
            s += A[i, j] * t * x[j] ** 2
            slope = np.cos(x[i])
            slope2 = A[i, j] * x[j] ** 2
            slope3 = 2.0 * A[i, j] * t * x[j]
            for q in range(directions):
                t_d = slope * x_d[i, q]
                t_s_d[i, j, q] = t_d
                s_d[q] = s_d[q] + slope2 * t_d + slope3 * x_d[j, q]
    hold(arena, t_s, t_s_d)
    return s, s_d


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def energy_rev_d(x, A, x_d, x_b, s_b, x_b_d, arena):
    """Take `energy` backwards: from the adjoints of its results to those of its arguments."""
    directions = x_d.shape[1]
    x_b_d_sum = np.zeros(directions)
    t_s_d = take_real(arena, 3)
    t_s = take_real(arena, 2)
    for i in range(x.shape[0]):
        # line 9: for j in range(len(x)):
        x_sum = 0.0
        for q in range(directions):
            x_b_d_sum[q] = 0.0
        for j in range(x.shape[0]):
            # line 10: s += A[i, j] * np.sin(x[i]) * x[j] ** 2
            t = t_s[i, j]
            t_b = s_b * A[i, j] * x[j] ** 2
            x_b[j] += 2.0 * s_b * A[i, j] * t * x[j]
            x_sum += t_b * np.cos(x[i])
            slope = 2.0 * s_b * A[i, j] * x[j]
            slope2 = 2.0 * s_b * A[i, j] * t
            slope3 = np.cos(x[i])
            slope4 = t_b * np.sin(x[i])
            for q in range(directions):
                t_d2 = t_s_d[i, j, q]
                t_b_d = slope * x_d[j, q]
                x_b_d[j, q] += slope * t_d2 + slope2 * x_d[j, q]
                x_b_d_sum[q] += slope3 * t_b_d - slope4 * x_d[i, q]
        x_b[i] += x_sum
        for q in range(directions):
            x_b_d[i, q] += x_b_d_sum[q]


@jit
def energy_nested(x, A, x_d):
    """The gradient of `energy`, and the tangent."""
    arena = new_arena()
    s, s_d = guarded(energy_fwd_d, (arena,), x, A, x_d, arena)
    x_b = zeros_of(x)
    x_b_d = np.zeros(x.shape + (x_d.shape[1],), x.dtype)
    guarded(energy_rev_d, (arena,), x, A, x_d, x_b, 1.0, x_b_d, arena)
    return (x_b,), (x_b_d,)
