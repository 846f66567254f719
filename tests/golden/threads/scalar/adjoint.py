"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of s with respect to c, x.
The loop of line 8 runs in threads both ways.
"""

import numba
import numpy as np
from s2sad_runtime import jit, require, zeros_of

require(1)


@jit(parallel=True)
def f(c, x):
    """A number that all trips read: a sum on the way back."""
    s = 0.0
    for i in numba.prange(x.shape[0]):
        s += np.sin(c * x[i])
    return s


@jit(inner=True, parallel=True)
def f_fwd(c, x):
    """Run `f` forward."""
    s = 0.0
    for i in numba.prange(x.shape[0]):
        t = np.sin(c * x[i])
        s += t
    return s


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"}, parallel=True)
def f_rev(c, x, x_b, s_b):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    c_b = 0.0
    for i in numba.prange(x.shape[0]):
        # line 9: s += np.sin(c * x[i])
        c_b += s_b * np.cos(c * x[i]) * x[i]
        x_b[i] += s_b * np.cos(c * x[i]) * c
    return c_b


@jit
def f_grad(c, x):
    """The value and the gradient of `f`."""
    s = f_fwd(c, x)
    x_b = zeros_of(x)
    c_b = f_rev(c, x, x_b, 1.0)
    return s, (c_b, x_b)
