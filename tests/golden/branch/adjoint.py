"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of s with respect to x.

kept         where  bytes           why
s (line 11)  slot   8 * x.shape[0]  carried by the loop
t (line 13)  slot   8 * x.shape[0]  dear to form again
s (line 17)  slot   8 * x.shape[0]  dear to form again
"""

import numpy as np
from s2sad_runtime import guarded, hold, jit, new_arena, real_slots, require, take_real, zeros_of

require(1)


@jit
def f(x):
    s = 1.0
    for i in range(x.shape[0]):
        if s * x[i] > 0.3:
            s *= np.cos(x[i])
        elif x[i] < -1.0:
            s -= x[i] * x[i]
        else:
            s = np.exp(s * x[i])
    return s


@jit(inner=True)
def f_fwd(x, arena):
    """Run `f` forward; what the reverse sweep needs is kept in the arena."""
    s = 1.0
    s_s = real_slots(arena, (x.shape[0],))
    t_s = real_slots(arena, (x.shape[0],))
    s_s2 = real_slots(arena, (x.shape[0],))
    for i in range(x.shape[0]):
        s_s[i] = s
        c2 = s * x[i] > 0.3
        if c2:
            t = np.cos(x[i])
            t_s[i] = t
            s *= t
        else:
            c = x[i] < -1.0
            if c:
                s -= x[i] * x[i]
            else:
                s = np.exp(s * x[i])
                s_s2[i] = s
    hold(arena, s_s, t_s, s_s2)
    return s


@jit(inner=True, error_model="numpy")
def f_rev(x, x_b, s_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    s_s2 = take_real(arena, 1)
    t_s = take_real(arena, 1)
    s_s = take_real(arena, 1)
    for i in range(x.shape[0] - 1, -1, -1):
        # line 11: for i in range(len(x)):
        s = s_s[i]
        # line 12: if s * x[i] > 0.3:
        c2 = s * x[i] > 0.3
        if c2:
            # line 13: s = s * np.cos(x[i])
            t = t_s[i]
            t_b = s_b * s
            s_b *= t
            x_b[i] -= t_b * np.sin(x[i])
        else:
            # line 14: elif x[i] < -1.0:
            c = x[i] < -1.0
            if c:
                # line 15: s -= x[i] * x[i]
                x_b[i] -= 2.0 * s_b * x[i]
            else:
                # line 17: s = np.exp(s * x[i])
                s_2 = s_s2[i]
                x_b[i] += s_b * s_2 * s
                s_b = s_b * s_2 * x[i]


@jit
def f_grad(x):
    """The value and the gradient of `f`."""
    arena = new_arena()
    s = guarded(f_fwd, (arena,), x, arena)
    x_b = zeros_of(x)
    guarded(f_rev, (arena,), x, x_b, 1.0, arena)
    return s, (x_b,)
