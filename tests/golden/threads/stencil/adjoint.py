"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of s with respect to u0, k.
The loop of line 10 runs in threads both ways.
The loop of line 14 runs in threads both ways.

kept          where     bytes        why
un (line 11)  snapshot  8 * un.size  the nest overwrites it as a whole
"""

import numba
import numpy as np
from s2sad_runtime import (
    accumulate, guarded, hold, jit, new_arena, own, renewed, require, take_real, zeros_of
)

require(1)


@jit(parallel=True)
def f(u0, k, steps):
    """Explicit steps of a nonlinear diffusion: neighbours are read, and gathered from on the way
    back.
    """
    n = u0.shape[0]
    u = u0.copy()
    un = u0.copy()
    for _ in range(steps):
        for i in numba.prange(1, n - 1):
            un[i] = u[i] + k[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i]
        u, un = un, u
    s = 0.0
    for i in numba.prange(n):
        s += u[i] * u[i]
    return s


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def frame_of_u_b(u_b, un_b, k, u, n):
    """The frame of `u_b`: cells that get nothing from some of their neighbours."""
    left = min(2, n)
    right = max(left, n - 2)
    for side in range(2):
        lo = 0
        hi = left
        if side == 1:
            lo = right
            hi = n
        for i in range(lo, hi):
            if 1 <= i and i < n - 1:
                u_b[i] = (
                    un_b[i] * (1.0 + k[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1]) - 2.0 * k[i] * u[i])
                )
            if i < n - 2:
                u_b[i] += un_b[i + 1] * k[i + 1] * u[i + 1]
            if 2 <= i:
                u_b[i] += un_b[i - 1] * k[i - 1] * u[i - 1]


@jit(inner=True, parallel=True)
def f_fwd(u0, k, steps, arena):
    """Run `f` forward; what the reverse sweep needs is kept in the arena."""
    n = u0.shape[0]
    u = own(arena, u0)
    un = own(arena, u0)
    for _ in range(steps):
        un = renewed(arena, un, (1, n - 1))
        for i in numba.prange(1, n - 1):
            un[i] = u[i] + k[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i]
        u, un = un, u
    s = 0.0
    for i in numba.prange(n):
        s += u[i] * u[i]
    hold(arena, un, u)
    return s


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"}, parallel=True)
def f_rev(u0, k, steps, u0_b, k_b, s_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    u = take_real(arena, 1)
    u_b = np.zeros_like(u)
    un = take_real(arena, 1)
    un_b = np.zeros_like(un)
    # line 7: n = len(u0)
    n = u0.shape[0]
    for i in numba.prange(n):
        # line 15: s += u[i] * u[i]
        u_b[i] += 2.0 * s_b * u[i]
    for _ in range(steps - 1, -1, -1):
        # line 12: u, un = un, u
        un, u = u, un
        un_b, u_b = u_b, un_b
        # u_b gathers what its cells get from their neighbours
        for i in numba.prange(n - 4):
            # line 11: un[i] = u[i] + k[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i]
            u_b[i + 2] = (
                un_b[i + 2]
                    * (
                        1.0 + k[i + 2] * (u[i + 1] - 2.0 * u[i + 2] + u[i + 3])
                        - 2.0 * k[i + 2] * u[i + 2]
                    )
                + un_b[i + 3] * k[i + 3] * u[i + 3] + un_b[i + 1] * k[i + 1] * u[i + 1]
            )
        frame_of_u_b(u_b, un_b, k, u, n)
        for i in numba.prange(1, n - 1):
            w = un_b[i]
            k_b[i] += w * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i]
        un = take_real(arena, 1)
    for i in numba.prange(n - 2):
        # line 10: for i in numba.prange(1, n - 1):
        un_b[i + 1] = 0.0
    # line 8: u, un = u0.copy(), u0.copy()
    accumulate(u0_b, un_b)
    accumulate(u0_b, u_b)


@jit
def f_grad(u0, k, steps):
    """The value and the gradient of `f`."""
    arena = new_arena()
    s = guarded(f_fwd, (arena,), u0, k, steps, arena)
    u0_b = zeros_of(u0)
    k_b = zeros_of(k)
    guarded(f_rev, (arena,), u0, k, steps, u0_b, k_b, 1.0, arena)
    return s, (u0_b, k_b)
