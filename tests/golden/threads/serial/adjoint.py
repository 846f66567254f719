"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of s with respect to x.
The loop of line 8 runs in threads forward, in order backwards: `y` is stored into, and
iterations may meet in an element.
The loop of line 11 runs in threads both ways.

kept        where  bytes     why
y (line 9)  log    8 * hi_i  an overwritten element is read before
"""

import numba
import numpy as np
from s2sad_runtime import (
    accumulate, guarded, hold, jit, new_arena, own, real_slots, require, take_real, zeros_of
)

require(1)


@jit(parallel=True)
def f(x):
    """Every second element, from its neighbours in the same array: in order on the way back."""
    y = x.copy()
    for i in numba.prange((x.shape[0] - 1) // 2):
        y[2 * i + 1] = y[2 * i] * y[2 * i + 2]
    s = 0.0
    for i in numba.prange(x.shape[0]):
        s += y[i] * y[i]
    return s


@jit(inner=True, parallel=True)
def f_fwd(x, arena):
    """Run `f` forward; what the reverse sweep needs is kept in the arena."""
    y = own(arena, x)
    hi_i = (x.shape[0] - 1) // 2
    y_s = real_slots(arena, (hi_i,))
    for i in numba.prange(hi_i):
        y_s[i] = y[2 * i + 1]
        y[2 * i + 1] = y[2 * i] * y[2 * i + 2]
    hold(arena, y_s)
    s = 0.0
    for i in numba.prange(x.shape[0]):
        s += y[i] * y[i]
    hold(arena, y)
    return s


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"}, parallel=True)
def f_rev(x, x_b, s_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    y = take_real(arena, 1)
    y_b = np.zeros_like(y)
    # line 8: for i in numba.prange((len(x) - 1) // 2):
    hi_i = (x.shape[0] - 1) // 2
    for i in numba.prange(x.shape[0]):
        # line 12: s += y[i] * y[i]
        y_b[i] += 2.0 * s_b * y[i]
    y_s = take_real(arena, 1)
    # in order, not in threads: `y` is stored into, and iterations may meet in an element
    for i in range(hi_i - 1, -1, -1):
        # line 9: y[2 * i + 1] = y[2 * i] * y[2 * i + 2]
        y[2 * i + 1] = y_s[i]
        w = y_b[2 * i + 1]
        y_b[2 * i + 1] = 0.0
        y_b[2 * i] += w * y[2 * i + 2]
        y_b[2 * i + 2] += w * y[2 * i]
    # line 7: y = x.copy()
    accumulate(x_b, y_b)


@jit
def f_grad(x):
    """The value and the gradient of `f`."""
    arena = new_arena()
    s = guarded(f_fwd, (arena,), x, arena)
    x_b = zeros_of(x)
    guarded(f_rev, (arena,), x, x_b, 1.0, arena)
    return s, (x_b,)
