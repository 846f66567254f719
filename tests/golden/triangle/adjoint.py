"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of s with respect to matrix.
"""

import math

from s2sad_runtime import (
    accumulate, guarded, hold, jit, new_arena, own, pooled_zeros, require, take_real, zeros_of
)

require(1)


@jit
def f(matrix):
    """The sum of the diagonal of Cholesky's factor."""
    a = matrix.copy()
    s = 0.0
    for j in range(a.shape[0]):
        for k in range(j):
            a[j, j] -= a[j, k] * a[j, k]
        a[j, j] = math.sqrt(a[j, j])
        s += a[j, j]
        for i in range(j + 1, a.shape[0]):
            for k in range(j):
                a[i, j] -= a[i, k] * a[j, k]
            a[i, j] /= a[j, j]
    return s


@jit(inner=True)
def f_fwd(matrix, arena):
    """Run `f` forward; what the reverse sweep needs is kept in the arena."""
    a = own(arena, matrix)
    s = 0.0
    for j in range(a.shape[0]):
        for k in range(j):
            a[j, j] -= a[j, k] * a[j, k]
        a[j, j] = math.sqrt(a[j, j])
        s += a[j, j]
        for i in range(j + 1, a.shape[0]):
            for k in range(j):
                a[i, j] -= a[i, k] * a[j, k]
            a[i, j] /= a[j, j]
    hold(arena, a)
    return s


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def f_rev(matrix, matrix_b, s_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    a = take_real(arena, 2)
    a_b = pooled_zeros(a)
    for j in range(a.shape[0] - 1, -1, -1):
        for i in range(a.shape[0] - 1, j, -1):
            # line 23: a[i, j] = a[i, j] / a[j, j]
            w = a_b[i, j]
            r = 1.0 / a[j, j]
            a_b[i, j] = w * r
            a_b[j, j] -= w * a[i, j] * r
            for k in range(j - 1, -1, -1):
                # line 22: a[i, j] -= a[i, k] * a[j, k]
                w = a_b[i, j]
                a_b[i, k] -= w * a[j, k]
                a_b[j, k] -= w * a[i, k]
        # line 19: s += a[j, j]
        a_b[j, j] += s_b
        # line 18: a[j, j] = math.sqrt(a[j, j])
        a_b[j, j] = 0.5 * a_b[j, j] / a[j, j]
        for k in range(j - 1, -1, -1):
            # line 17: a[j, j] -= a[j, k] * a[j, k]
            w = a_b[j, j]
            a_b[j, k] -= 2.0 * w * a[j, k]
    # line 13: a = matrix.copy()
    accumulate(matrix_b, a_b)


@jit
def f_grad(matrix):
    """The value and the gradient of `f`."""
    arena = new_arena()
    s = guarded(f_fwd, (arena,), matrix, arena)
    matrix_b = zeros_of(matrix)
    guarded(f_rev, (arena,), matrix, matrix_b, 1.0, arena)
    return s, (matrix_b,)
