"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of s with respect to w.
"""

import math

from s2sad_runtime import guarded, hold, jit, new_arena, real_slots, require, take_real, zeros_of

require(1)


@jit(inner=True)
def logistic(x):
    return 1.0 / (1.0 + math.exp(-x))


@jit(inner=True)
def logistic_tangent_pull(primals_0, tangents_0, y3_seed):
    """`logistic_tangent` and its pullback."""
    arena = new_arena()
    y2, y3 = guarded(logistic_tangent_fwd, (arena,), primals_0, tangents_0, arena)
    tangents_0_b = guarded(logistic_tangent_rev, (arena,), primals_0, tangents_0, y3_seed, arena)
    return y2, y3, tangents_0_b


@jit
def f(w, x, n):
    s = 0.0
    for k in range(n):
        t = w[0] + w[1] * x[k]
        t_2 = logistic(t)
        s += t_2
    return s


@jit(inner=True)
def logistic_fwd(x, arena):
    y2 = logistic(x)
    return y2


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def logistic_rev(x, y2_seed, arena):
    y_again, y_d_again, x_g = logistic_tangent_pull(x, 0.0, y2_seed)
    return x_g


@jit(inner=True)
def logistic_tangent_fwd(primals_0, tangents_0, arena):
    kept = real_slots(arena, (1,))
    x = primals_0
    x_d = tangents_0
    t = logistic(x)
    y = t
    kept[0] = y
    y2 = y * (1.0 - y) * x_d
    hold(arena, kept)
    return y, y2


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def logistic_tangent_rev(primals_0, tangents_0, y2_b, arena):
    kept = take_real(arena, 1)
    # line 18: y = logistic(x)
    y = kept[0]
    # line 19: return y, y * (1.0 - y) * x_d
    x_d_b = y2_b * y * (1.0 - y)
    # line 17: (x,), (x_d,) = primals, tangents
    tangents_0_b = x_d_b
    return tangents_0_b


@jit(inner=True)
def f_fwd(w, x, n, arena):
    """Run `f` forward."""
    s = 0.0
    for k in range(n):
        t = w[0] + w[1] * x[k]
        t_2 = logistic_fwd(t, arena)
        s += t_2
    return s


@jit(inner=True, error_model="numpy")
def f_rev(w, x, n, w_b, s_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    for k in range(n - 1, -1, -1):
        # line 25: s += logistic(w[0] + w[1] * x[k])
        t = w[0] + w[1] * x[k]
        g = logistic_rev(t, s_b, arena)
        t_b = g
        w_b[0] += t_b
        w_b[1] += t_b * x[k]


@jit
def f_grad(w, x, n):
    """The value and the gradient of `f`."""
    arena = new_arena()
    s = guarded(f_fwd, (arena,), w, x, n, arena)
    w_b = zeros_of(w)
    guarded(f_rev, (arena,), w, x, n, w_b, 1.0, arena)
    return s, (w_b,)
