"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of s with respect to packed.
"""

from s2sad_runtime import jit, require, zeros_of

require(1)


@jit
def f(packed, n):
    """A quadratic form, its upper triangle packed by rows."""
    s = 0.0
    p = 0
    for i in range(n):
        for j in range(i, n):
            s += packed[p] * packed[p] * (i + 1.0) / (j + 2.0)
            p += 1
    return s


@jit(inner=True)
def f_fwd(packed, n):
    """Run `f` forward."""
    s = 0.0
    p = 0
    for i in range(n):
        for j in range(i, n):
            s += packed[p] * packed[p] * (i + 1.0) / (j + 2.0)
            p += 1
    return s


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def f_rev(packed, n, packed_b, s_b):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    # line 12: p = 0
    p = 0
    # line 13: for i in range(n):
    p_2 = p
    for i in range(n):
        for j in range(i, n):
            # line 15: s += packed[p] * packed[p] * (i + 1.0) / (j + 2.0)
            packed_b[p_2] += 2.0 * s_b * packed[p_2] * (i + 1.0) / (j + 2.0)
            # line 14: for j in range(i, n):
            p_2 += 1


@jit
def f_grad(packed, n):
    """The value and the gradient of `f`."""
    s = f_fwd(packed, n)
    packed_b = zeros_of(packed)
    f_rev(packed, n, packed_b, 1.0)
    return s, (packed_b,)
