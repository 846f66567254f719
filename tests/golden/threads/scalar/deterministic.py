"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of s with respect to c, x.
The loop of line 8 runs in threads both ways.
"""

import numba
import numpy as np
from s2sad_runtime import jit, require, zeros_of

require(1)


@jit(parallel={"numpy": False, "reduction": False})
def f(c, x):
    """A number that all trips read: a sum on the way back."""
    s = 0.0
    trips = x.shape[0]
    s_parts = np.zeros(16)
    # each part has its own `s`
    for part in numba.prange(16):
        s_part = 0.0
        for i in range(part * trips // 16, (part + 1) * trips // 16):
            s_part += np.sin(c * x[i])
        s_parts[part] = s_part
    for part in range(16):
        s += s_parts[part]
    return s


@jit(inner=True, parallel={"numpy": False, "reduction": False})
def f_fwd(c, x):
    """Run `f` forward."""
    s = 0.0
    trips = x.shape[0]
    s_parts = np.zeros(16)
    # each part has its own `s`
    for part in numba.prange(16):
        s_part = 0.0
        for i in range(part * trips // 16, (part + 1) * trips // 16):
            t = np.sin(c * x[i])
            s_part += t
        s_parts[part] = s_part
    for part in range(16):
        s += s_parts[part]
    return s


@jit(
    inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"},
    parallel={"numpy": False, "reduction": False}
)
def f_rev(c, x, x_b, s_b):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    c_b = 0.0
    trips = x.shape[0]
    c_parts = np.zeros(16)
    # each part has its own `c_b`
    for part in numba.prange(16):
        c_part = 0.0
        for i in range(part * trips // 16, (part + 1) * trips // 16):
            # line 9: s += np.sin(c * x[i])
            c_part += s_b * np.cos(c * x[i]) * x[i]
            x_b[i] += s_b * np.cos(c * x[i]) * c
        c_parts[part] = c_part
    for part in range(16):
        c_b += c_parts[part]
    return c_b


@jit
def f_grad(c, x):
    """The value and the gradient of `f`."""
    s = f_fwd(c, x)
    x_b = zeros_of(x)
    c_b = f_rev(c, x, x_b, 1.0)
    return s, (c_b, x_b)
