"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of r with respect to x.

kept           where  bytes      why
u_i (line 11)  slot   8 * steps  carried by the loop
"""

from s2sad_runtime import (
    accumulate, guarded, hold, hold_part, int_slots, jit, new_arena, new_parts, new_places, own,
    part_end, part_new, part_place, part_share, require, take_int, take_pool, take_real_part,
    zeros_of
)

require(1)


@jit
def f(x, steps):
    u = x.copy()
    for k in range(steps):
        for i in range(1, u.shape[0]):
            u[i] += 0.5 * u[i - 1]
        u_2 = u[::-1]
        u = u_2
    r = u[0] * u[1]
    return r


@jit(inner=True)
def f_fwd(x, steps, arena):
    """Run `f` forward; what the reverse sweep needs is kept in the arena."""
    kept_n = int_slots(arena, (1,))
    pool = new_parts(arena)
    u = own(arena, x)
    u_i = part_new(arena, pool, u)
    u_i_s = int_slots(arena, (steps,))
    for k in range(steps):
        u_i_s[k] = u_i
        for i in range(1, u.shape[0]):
            u[i] += 0.5 * u[i - 1]
        u_2 = u[::-1]
        u_2_i = part_share(pool, u_i)
        hold_part(arena, u)
        part_end(pool, u_i)
        u = u_2
        u_i = u_2_i
    hold(arena, u_i_s)
    kept_n[0] = u_i
    r = u[0] * u[1]
    hold_part(arena, u)
    part_end(pool, u_i)
    hold(arena, pool, kept_n)
    return r


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def f_rev(x, steps, x_b, r_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    kept_n = take_int(arena, 1)
    # line 11: for k in range(steps):
    u_i_2 = kept_n[0]
    pool = take_pool(arena, 1)
    places = new_places(arena, pool, 1)
    u = take_real_part(arena, 1)
    # line 15: return u[0] * u[1]
    u_b = part_place(arena, places, u_i_2, u, 0, pool)
    u_b[0] += r_b * u[1]
    u_b[1] += r_b * u[0]
    u_i_s = take_int(arena, 1)
    for k in range(steps - 1, -1, -1):
        # line 11: for k in range(steps):
        u_i = u_i_s[k]
        # line 14: u = u[::-1]
        u_2 = u
        u_2_b = u_b
        u = take_real_part(arena, 1)
        u_b = part_place(arena, places, u_i, u, 0, pool)
        for i in range(u.shape[0] - 1, 0, -1):
            # line 13: u[i] += 0.5 * u[i - 1]
            w = u_b[i]
            u_b[i - 1] += 0.5 * w
    # line 10: u = x.copy()
    accumulate(x_b, u_b)
    u_b[...] = 0.0


@jit
def f_grad(x, steps):
    """The value and the gradient of `f`."""
    arena = new_arena()
    r = guarded(f_fwd, (arena,), x, steps, arena)
    x_b = zeros_of(x)
    guarded(f_rev, (arena,), x, steps, x_b, 1.0, arena)
    return r, (x_b,)
