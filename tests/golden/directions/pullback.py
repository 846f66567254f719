"""Adjoint of energy, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of s with respect to x, A.

kept         where  bytes                        why
t (line 10)  slot   8 * x.shape[0] * x.shape[0]  dear to form again
"""

import numpy as np
from s2sad_runtime import fork, guarded, hold, jit, new_arena, real_slots, require, take_real

require(1)


@jit
def energy(x, A):
    s = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            s += A[i, j] * np.sin(x[i]) * x[j] ** 2
    return s


@jit(inner=True)
def energy_fwd(x, A, arena):
    """Run `energy` forward; what the reverse sweep needs is kept in the arena."""
    s = 0.0
    t_s = real_slots(arena, (x.shape[0], x.shape[0]))
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            t = np.sin(x[i])
            t_s[i, j] = t
            s += A[i, j] * t * x[j] ** 2
    hold(arena, t_s)
    return s


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def energy_rev(x, A, x_b, A_b, s_b, arena):
    """Take `energy` backwards: from the adjoints of its results to those of its arguments."""
    directions = x_b.shape[1]
    x_sum = np.zeros(directions)
    t_s = take_real(arena, 2)
    for i in range(x.shape[0]):
        for q in range(directions):
            # line 9: for j in range(len(x)):
            x_sum[q] = 0.0
        for j in range(x.shape[0]):
            # line 10: s += A[i, j] * np.sin(x[i]) * x[j] ** 2
            t = t_s[i, j]
            slope = x[j] ** 2
            slope2 = A[i, j]
            slope3 = x[j]
            slope4 = np.cos(x[i])
            for q in range(directions):
                A_b[i, j, q] += s_b[q] * t * slope
                t_b = s_b[q] * slope2 * slope
                x_b[j, q] += 2.0 * s_b[q] * slope2 * t * slope3
                x_sum[q] += t_b * slope4
        for q in range(directions):
            x_b[i, q] += x_sum[q]


@jit
def energy_open(x, A):
    """The results of `energy`, and the arena for its pullback."""
    arena = new_arena()
    s = guarded(energy_fwd, (arena,), x, A, arena)
    return s, arena


@jit
def energy_pull(x, A, s_b, arena):
    """The adjoints of `energy`'s arguments."""
    own_arena = fork(arena)
    x_b = np.zeros(x.shape + (s_b.shape[0],), x.dtype)
    A_b = np.zeros(A.shape + (s_b.shape[0],), A.dtype)
    guarded(energy_rev, (own_arena,), x, A, x_b, A_b, s_b, own_arena)
    return x_b, A_b
