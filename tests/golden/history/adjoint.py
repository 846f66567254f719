"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of r with respect to u.

kept         where  bytes  why
c (line 13)  slot   n      what it is made of is overwritten
"""

import numpy as np
from s2sad_runtime import (
    accumulate, bit_slots, guarded, hold, int_slots, jit, new_arena, own, pooled_zeros, real_slots,
    require, take_bit, take_int, take_real, zeros_of
)

require(1)


@jit
def f(u, goal, n):
    u_2 = u.copy()
    path = np.empty((8, u_2.shape[0]))
    path[0] = u_2
    path_n = 1
    for _ in range(n):
        u_3 = u_2 + 0.1 * np.sin(u_2)
        u_2 = u_3
        if path.shape[1] != u_2.shape[0]:
            raise ValueError("the arrays in a list that changes have one shape")
        if path_n == path.shape[0]:
            more = np.empty((max(8, 2 * path_n), u_2.shape[0]))
            more[:path_n] = path
            path = more
        path[path_n] = u_2
        path_n += 1
    s = 0.0
    t = path[:path_n]
    part = t[1:].copy()
    part_n = part.shape[0]
    for k in range(part_n):
        row = part[k]
        s += (row[0] - goal[0]) ** 2
    if path_n == 0:
        raise ValueError("need at least one array to stack")
    t_2 = path[:path_n].copy()
    t_3 = t_2[-1] * goal
    r = s + np.sum(t_3)
    return r


@jit(inner=True)
def f_fwd(u, goal, n, arena):
    """Run `f` forward; what the reverse sweep needs is kept in the arena."""
    kept_n = int_slots(arena, (2,))
    u_2 = own(arena, u)
    path = real_slots(arena, (8, u_2.shape[0]))
    path[0] = u_2
    path_n = 1
    c_s = bit_slots(arena, (n,))
    for it in range(n):
        u_3 = real_slots(arena, (u_2.shape[0],))
        for i in range(u_2.shape[0]):
            t2 = np.sin(u_2[i])
            u_3[i] = u_2[i] + 0.1 * t2
        hold(arena, u_2)
        u_2 = u_3
        if path.shape[1] != u_2.shape[0]:
            raise ValueError("the arrays in a list that changes have one shape")
        c = path_n == path.shape[0]
        c_s[it] = c
        if c:
            more = real_slots(arena, (max(8, 2 * path_n), u_2.shape[0]))
            more[:path_n] = path
            hold(arena, path)
            path = more
        path[path_n] = u_2
        path_n += 1
    hold(arena, c_s)
    kept_n[0] = path_n
    s = 0.0
    t = path[:path_n]
    part = own(arena, t[1:])
    part_n = part.shape[0]
    kept_n[1] = part_n
    for k in range(part_n):
        row = part[k]
        s += (row[0] - goal[0]) ** 2
    if path_n == 0:
        raise ValueError("need at least one array to stack")
    t_2 = own(arena, path[:path_n])
    t_3 = own(arena, t_2[-1] * goal)
    t3 = np.sum(t_3)
    r = s + t3
    hold(arena, t_3, t_2, part, path, u_2, kept_n)
    return r


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def f_rev(u, goal, n, u_b, r_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    kept_n = take_int(arena, 1)
    # line 11: for _ in range(n):
    path_n_3 = kept_n[0]
    # line 15: for row in path[1:]:
    part_n = kept_n[1]
    u_2 = take_real(arena, 1)
    u_2_b = pooled_zeros(u_2)
    path = take_real(arena, 2)
    path_b = pooled_zeros(path)
    part = take_real(arena, 2)
    part_b = pooled_zeros(part)
    t_2 = take_real(arena, 2)
    t_2_b = pooled_zeros(t_2)
    t_3 = take_real(arena, 1)
    t_3_b = pooled_zeros(t_3)
    # line 10: path = [u]
    path_n = 1
    # line 17: return s + np.sum(np.array(path)[-1] * goal)
    t_b = path_b[:path_n_3]
    accumulate(t_3_b, r_b)
    accumulate(t_2_b[-1], t_3_b * goal)
    accumulate(path_b[:path_n_3], t_2_b)
    for k in range(part_n - 1, -1, -1):
        # line 15: for row in path[1:]:
        row = part[k]
        row_b = part_b[k]
        # line 16: s += (row[0] - goal[0]) ** 2
        row_b[0] += 2.0 * r_b * (row[0] - goal[0])
    # line 15: for row in path[1:]:
    accumulate(t_b[1:], part_b)
    c_s = take_bit(arena, 1)
    for it in range(n - 1, -1, -1):
        # line 13: path.append(u)
        c = c_s[it]
        # line 11: for _ in range(n):
        path_n_2 = path_n + it
        # line 13: path.append(u)
        w = path_b[path_n_2].copy()
        path_b[path_n_2] = 0.0
        accumulate(u_2_b, w)
        if c:
            more = path
            more_b = path_b
            path = take_real(arena, 2)
            path_b = pooled_zeros(path)
            w2 = more_b[:path_n_2].copy()
            more_b[:path_n_2] = 0.0
            accumulate(path_b, w2)
        # line 12: u = u + 0.1 * np.sin(u)
        u_3 = u_2
        u_3_b = u_2_b
        u_2 = take_real(arena, 1)
        u_2_b = pooled_zeros(u_2)
        for i in range(u_2.shape[0]):
            w3 = u_3_b[i]
            u_3_b[i] = 0.0
            t2_b = 0.1 * w3
            u_2_b[i] += w3 + t2_b * np.cos(u_2[i])
    # line 10: path = [u]
    w4 = path_b[0].copy()
    path_b[0] = 0.0
    accumulate(u_2_b, w4)
    # line 12: u = u + 0.1 * np.sin(u)
    accumulate(u_b, u_2_b)


@jit
def f_grad(u, goal, n):
    """The value and the gradient of `f`."""
    arena = new_arena()
    r = guarded(f_fwd, (arena,), u, goal, n, arena)
    u_b = zeros_of(u)
    guarded(f_rev, (arena,), u, goal, n, u_b, 1.0, arena)
    return r, (u_b,)
