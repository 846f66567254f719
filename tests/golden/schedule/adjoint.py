"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of r with respect to u0, nu.

kept         where      bytes                       why
v (line 9)   snapshots  8 * snapshots * v.shape[0]  the state of a loop, kept as `revolve`
says
u (line 9)   snapshots  8 * snapshots * u.shape[0]  the state of a loop, kept as `revolve`
says
nu (line 9)  snapshots  8 * snapshots               the state of a loop, kept as `revolve`
says
"""

import numpy as np
from s2sad_runtime import (
    accumulate, get_state, guarded, hold, int_slots, jit, keep, mark, new_arena, own, places_of,
    pooled_zeros, put_state, real_slots, release, require, restore, resume_at, revolve_plan,
    snapshot_at, take_int, take_real, zeros_of
)

require(1)


@jit(inner=True)
def f_step(u, v, nu):
    """A step of `f`, run again on the way back."""
    for i in range(1, u.shape[0] - 1):
        v[i] = u[i] + nu * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i]
    nu *= 0.99
    return nu


@jit
def f(u0, nu, n, snapshots):
    u = u0.copy()
    v = u0.copy()
    for _ in range(n):
        for i in range(1, u.shape[0] - 1):
            v[i] = u[i] + nu * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i]
        u, v = v, u
        nu *= 0.99
    t = u * u
    r = np.sum(t)
    return r


@jit(inner=True)
def f_steps_fwd(u, v, nu, n_steps, snapshots2, arena):
    states = revolve_plan(arena, n_steps, snapshots2)
    count = places_of(states)
    v_s = real_slots(arena, (count, v.shape[0]))
    u_s = real_slots(arena, (count, u.shape[0]))
    nu_s = real_slots(arena, (count + 1,))
    for trip in range(n_steps - 1):
        place_k = snapshot_at(states, trip)
        if place_k >= 0:
            put_state(v_s, place_k, v)
            put_state(u_s, place_k, u)
            nu_s[place_k] = nu
        if trip % 2 == 0:
            nu = f_step(u, v, nu)
        else:
            nu = f_step(v, u, nu)
    if n_steps > 0:
        nu_s[count] = nu
        if (n_steps - 1) % 2 == 0:
            nu = f_step_fwd(u, v, nu, arena)
        else:
            nu = f_step_fwd(v, u, nu, arena)
    hold(arena, v_s, u_s, nu_s, states)
    return len(range(n_steps))


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def f_steps_rev(u, v, nu, n_steps, snapshots2, u_b, v_b, arena):
    states = take_int(arena, 1)
    nu_s = take_real(arena, 1)
    u_s = take_real(arena, 2)
    v_s = take_real(arena, 2)
    # line 9: for _ in s2sad.checkpoint_range(n, snapshots):
    nu_b = 0.0
    count = places_of(states)
    if n_steps > 0:
        nu = nu_s[count]
        if (n_steps - 1) % 2 == 0:
            g = f_step_rev(u, v, nu, u_b, v_b, nu_b, arena)
            nu_b = g
        else:
            g2 = f_step_rev(v, u, nu, v_b, u_b, nu_b, arena)
            nu_b = g2
    for trip in range(n_steps - 2, -1, -1):
        place_k, start = resume_at(states, trip)
        get_state(v_s, place_k, v)
        get_state(u_s, place_k, u)
        nu = nu_s[place_k]
        for j in range(start, trip):
            place_k = snapshot_at(states, j)
            if place_k >= 0:
                put_state(v_s, place_k, v)
                put_state(u_s, place_k, u)
                nu_s[place_k] = nu
            if j % 2 == 0:
                nu = f_step(u, v, nu)
            else:
                nu = f_step(v, u, nu)
        frame = mark(arena)
        if trip % 2 == 0:
            nu_again = f_step_fwd(u, v, nu, arena)
        else:
            nu_again = f_step_fwd(v, u, nu, arena)
        if trip % 2 == 0:
            g3 = f_step_rev(u, v, nu, u_b, v_b, nu_b, arena)
            nu_b = g3
        else:
            g4 = f_step_rev(v, u, nu, v_b, u_b, nu_b, arena)
            nu_b = g4
        release(arena, frame)
    return nu_b


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def frame_of_u_b(u, u_b, v_b, nu):
    """The frame of `u_b`: cells that get nothing from some of their neighbours."""
    left = min(2, u.shape[0])
    right = max(left, u.shape[0] - 2)
    for side in range(2):
        lo = 0
        hi = left
        if side == 1:
            lo = right
            hi = u.shape[0]
        for i in range(lo, hi):
            if 1 <= i and i < u.shape[0] - 1:
                u_b[i] += v_b[i] * (1.0 + nu * (u[i - 1] - 2.0 * u[i] + u[i + 1]) - 2.0 * nu * u[i])
            if i < u.shape[0] - 2:
                u_b[i] += v_b[i + 1] * nu * u[i + 1]
            if 2 <= i:
                u_b[i] += v_b[i - 1] * nu * u[i - 1]


@jit(inner=True)
def f_step_fwd(u, v, nu, arena):
    keep(arena, v)
    for i in range(1, u.shape[0] - 1):
        v[i] = u[i] + nu * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i]
    nu *= 0.99
    return nu


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def f_step_rev(u, v, nu, u_b, v_b, nu_seed, arena):
    nu_b = nu_seed
    # line 13: nu = nu * 0.99
    nu_b = 0.99 * nu_b
    # u_b gathers what its cells get from their neighbours
    for i in range(u.shape[0] - 4):
        # line 11: v[i] = u[i] + nu * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i]
        u_b[i + 2] += (
            v_b[i + 2] * (1.0 + nu * (u[i + 1] - 2.0 * u[i + 2] + u[i + 3]) - 2.0 * nu * u[i + 2])
            + v_b[i + 3] * nu * u[i + 3] + v_b[i + 1] * nu * u[i + 1]
        )
    frame_of_u_b(u, u_b, v_b, nu)
    for i in range(1, u.shape[0] - 1):
        w = v_b[i]
        v_b[i] = 0.0
        nu_b += w * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i]
    # line 10: for i in range(1, len(u) - 1):
    restore(arena, v)
    return nu_b


@jit(inner=True)
def f_fwd(u0, nu, n, snapshots, arena):
    """Run `f` forward; what the reverse sweep needs is kept in the arena."""
    kept_n = int_slots(arena, (1,))
    u = own(arena, u0)
    v = own(arena, u0)
    trips = f_steps_fwd(u, v, nu, n, snapshots, arena)
    kept_n[0] = trips
    if trips % 2 == 1:
        u, v = v, u
    r = 0.0
    for i2 in range(u.shape[0]):
        t = u[i2] * u[i2]
        r += t
    hold(arena, v, u, kept_n)
    return r


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def f_rev(u0, nu, n, snapshots, u0_b, r_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    kept_n = take_int(arena, 1)
    # line 9: for _ in s2sad.checkpoint_range(n, snapshots):
    trips = kept_n[0]
    u = take_real(arena, 1)
    u_b = pooled_zeros(u)
    v = take_real(arena, 1)
    v_b = pooled_zeros(v)
    for i2 in range(u.shape[0]):
        # line 14: return np.sum(u * u)
        u_b[i2] += 2.0 * r_b * u[i2]
    if trips % 2 == 1:
        # line 12: u, v = v, u
        v, u = u, v
        v_b, u_b = u_b, v_b
    # line 9: for _ in s2sad.checkpoint_range(n, snapshots):
    g = f_steps_rev(u, v, nu, n, snapshots, u_b, v_b, arena)
    nu_b = g
    # line 8: v = u0.copy()
    accumulate(u0_b, v_b)
    # line 7: u = u0.copy()
    accumulate(u0_b, u_b)
    return nu_b


@jit
def f_grad(u0, nu, n, snapshots):
    """The value and the gradient of `f`."""
    arena = new_arena()
    r = guarded(f_fwd, (arena,), u0, nu, n, snapshots, arena)
    u0_b = zeros_of(u0)
    nu_b = guarded(f_rev, (arena,), u0, nu, n, snapshots, u0_b, 1.0, arena)
    return r, (u0_b, nu_b)
