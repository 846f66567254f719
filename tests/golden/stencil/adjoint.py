"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of s with respect to start, k.

kept              where     bytes            why
u_next (line 15)  snapshot  8 * u_next.size  the nest overwrites it as a whole
"""

from s2sad_runtime import (
    accumulate, guarded, hold, jit, new_arena, own, pooled_zeros, renewed, require, take_real,
    zeros_of
)

require(1)


@jit
def f(start, k, steps):
    n = start.shape[0]
    u = start.copy()
    u_next = start.copy()
    for _ in range(steps):
        for i in range(1, n - 1):
            u_next[i] = u[i] + k * u[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1])
        u, u_next = u_next, u
    s = 0.0
    for i in range(n):
        s += u[i] * u[i]
    return s


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def frame_of_u_b(u_b, u_next_b, u, n, k):
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
                    u_next_b[i] * (1.0 + k * (u[i - 1] - 2.0 * u[i] + u[i + 1]) - 2.0 * k * u[i])
                )
            if i < n - 2:
                u_b[i] += u_next_b[i + 1] * k * u[i + 1]
            if 2 <= i:
                u_b[i] += u_next_b[i - 1] * k * u[i - 1]


@jit(inner=True)
def f_fwd(start, k, steps, arena):
    """Run `f` forward; what the reverse sweep needs is kept in the arena."""
    n = start.shape[0]
    u = own(arena, start)
    u_next = own(arena, start)
    for _ in range(steps):
        u_next = renewed(arena, u_next, (1, n - 1))
        for i in range(1, n - 1):
            u_next[i] = u[i] + k * u[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1])
        u, u_next = u_next, u
    s = 0.0
    for i in range(n):
        s += u[i] * u[i]
    hold(arena, u_next, u)
    return s


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def f_rev(start, k, steps, start_b, s_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    u = take_real(arena, 1)
    u_b = pooled_zeros(u)
    u_next = take_real(arena, 1)
    u_next_b = pooled_zeros(u_next)
    # line 10: n = len(start)
    n = start.shape[0]
    k_b = 0.0
    for i in range(n):
        # line 19: s += u[i] * u[i]
        u_b[i] += 2.0 * s_b * u[i]
    for _ in range(steps - 1, -1, -1):
        # line 16: u, u_next = u_next, u
        u_next, u = u, u_next
        u_next_b, u_b = u_b, u_next_b
        # u_b gathers what its cells get from their neighbours
        for i in range(n - 4):
            # line 15: u_next[i] = u[i] + k * u[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1])
            u_b[i + 2] = (
                u_next_b[i + 2]
                    * (1.0 + k * (u[i + 1] - 2.0 * u[i + 2] + u[i + 3]) - 2.0 * k * u[i + 2])
                + u_next_b[i + 3] * k * u[i + 3] + u_next_b[i + 1] * k * u[i + 1]
            )
        frame_of_u_b(u_b, u_next_b, u, n, k)
        for i in range(1, n - 1):
            w = u_next_b[i]
            k_b += w * u[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1])
        u_next = take_real(arena, 1)
    for i in range(n - 2):
        # line 14: for i in range(1, n - 1):
        u_next_b[i + 1] = 0.0
    # line 12: u_next = start.copy()
    accumulate(start_b, u_next_b)
    # line 11: u = start.copy()
    accumulate(start_b, u_b)
    return k_b


@jit
def f_grad(start, k, steps):
    """The value and the gradient of `f`."""
    arena = new_arena()
    s = guarded(f_fwd, (arena,), start, k, steps, arena)
    start_b = zeros_of(start)
    k_b = guarded(f_rev, (arena,), start, k, steps, start_b, 1.0, arena)
    return s, (start_b, k_b)
