"""Adjoints of stencils by hand. What cells take from their neighbours in a step, they give back gathered: no scatter.

Sweeps over a grid are functions of their own, so that compilers make vectors of them. Adjoints of border cells, which
no step changes, are collected beside.
"""

import math

import numpy as np


def heat1d_step(u, after, k):
    for i in range(1, len(u) - 1):
        after[i] = u[i] + k[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1])


def heat1d_back(u, w, before, k, k_bar):
    """w: adjoint of the inner cells after a step, zero at the ends."""
    for i in range(1, len(u) - 1):
        k_bar[i] += w[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1])
    for i in range(1, len(u) - 1):
        before[i] = w[i] * (1.0 - 2.0 * k[i]) + k[i - 1] * w[i - 1] + k[i + 1] * w[i + 1]


def heat1d(start, conductivity, observed, steps):
    n, k = len(start), conductivity
    levels = np.empty((steps + 1, n))
    levels[0] = start
    for t in range(steps):
        levels[t + 1, 0], levels[t + 1, n - 1] = start[0], start[n - 1]
        heat1d_step(levels[t], levels[t + 1], k)
    w = levels[steps] - observed
    misfit = 0.5 * np.sum(w * w)
    before, k_bar = np.zeros(n), np.zeros(n)
    left, right = w[0], w[n - 1]
    w[0] = w[n - 1] = 0.0
    for t in range(steps - 1, -1, -1):
        left += k[1] * w[1]
        right += k[n - 2] * w[n - 2]
        heat1d_back(levels[t], w, before, k, k_bar)
        w, before = before, w
    w[0], w[n - 1] = left, right
    return misfit, (w, k_bar)


def inner(grid):
    """A grid's adjoint taken apart: of its inner cells, zero at the border, and of its border alone."""
    inside, border = np.zeros_like(grid), grid.copy()
    inside[1:-1, 1:-1] = grid[1:-1, 1:-1]
    border[1:-1, 1:-1] = 0.0
    return inside, border


def wave2d_step(before, now, after, speed):
    for i in range(1, now.shape[0] - 1):
        for j in range(1, now.shape[1] - 1):
            around = now[i - 1, j] + now[i + 1, j] + now[i, j - 1] + now[i, j + 1]
            after[i, j] = 2.0 * now[i, j] - before[i, j] + speed[i, j] * (around - 4.0 * now[i, j])


def wave2d_back(now, speed, w, earlier, pushed, before, speed_bar):
    """w: adjoint of the newest level; earlier: of the level before, from later steps; before: the same, in all."""
    rows, columns = now.shape
    for i in range(1, rows - 1):
        for j in range(1, columns - 1):
            pushed[i, j] = speed[i, j] * w[i, j]
            around = now[i - 1, j] + now[i + 1, j] + now[i, j - 1] + now[i, j + 1]
            speed_bar[i, j] += w[i, j] * (around - 4.0 * now[i, j])
    for i in range(1, rows - 1):
        for j in range(1, columns - 1):
            around = pushed[i - 1, j] + pushed[i + 1, j] + pushed[i, j - 1] + pushed[i, j + 1]
            before[i, j] = earlier[i, j] + 2.0 * w[i, j] - 4.0 * pushed[i, j] + around
            earlier[i, j] = -w[i, j]


def wave2d(shape, speed, steps):
    rows, columns = shape.shape
    levels = np.empty((steps + 2, rows, columns))
    levels[0], levels[1] = shape, shape
    heard = 0.0
    for t in range(steps):
        after = levels[t + 2]
        after[0], after[rows - 1], after[:, 0], after[:, columns - 1] = (
            shape[0],
            shape[rows - 1],
            shape[:, 0],
            shape[:, columns - 1],
        )
        wave2d_step(levels[t], levels[t + 1], after, speed)
        heard += after[rows // 2, columns // 3] ** 2
    last = levels[steps + 1]
    w, border = inner(2.0 * last)
    earlier, pushed, before, speed_bar = (
        np.zeros_like(w),
        np.zeros_like(w),
        np.zeros_like(w),
        np.zeros_like(w),
    )
    for t in range(steps - 1, -1, -1):
        w[rows // 2, columns // 3] += 2.0 * levels[t + 2, rows // 2, columns // 3]
        wave2d_back(levels[t + 1], speed, w, earlier, pushed, before, speed_bar)
        border[0] += pushed[1]
        border[rows - 1] += pushed[rows - 2]
        border[:, 0] += pushed[:, 1]
        border[:, columns - 1] += pushed[:, columns - 2]
        w, before = before, w
    return heard + np.sum(last * last), (w + earlier + border, speed_bar)


def burgers2d_step(u, v, u_next, v_next, carry, spread):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            u_next[i, j] = (
                u[i, j]
                - carry * (u[i, j] * (u[i, j] - u[i - 1, j]) + v[i, j] * (u[i, j] - u[i, j - 1]))
                + spread * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j])
            )
            v_next[i, j] = (
                v[i, j]
                - carry * (u[i, j] * (v[i, j] - v[i - 1, j]) + v[i, j] * (v[i, j] - v[i, j - 1]))
                + spread * (v[i - 1, j] + v[i + 1, j] + v[i, j - 1] + v[i, j + 1] - 4.0 * v[i, j])
            )


def burgers2d_back(u, v, p, q, p_before, q_before, carry, spread):
    """p, q: adjoints of the inner cells of u and v after a step."""
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            down, along = carry * u[i + 1, j] + spread, carry * v[i, j + 1] + spread
            p_before[i, j] = (
                p[i, j] * (1.0 - 4.0 * spread - carry * (2.0 * u[i, j] - u[i - 1, j] + v[i, j]))
                - q[i, j] * carry * (v[i, j] - v[i - 1, j])
                + p[i + 1, j] * down
                + p[i, j + 1] * along
                + spread * (p[i - 1, j] + p[i, j - 1])
            )
            q_before[i, j] = (
                q[i, j] * (1.0 - 4.0 * spread - carry * (u[i, j] + 2.0 * v[i, j] - v[i, j - 1]))
                - p[i, j] * carry * (u[i, j] - u[i, j - 1])
                + q[i + 1, j] * down
                + q[i, j + 1] * along
                + spread * (q[i - 1, j] + q[i, j - 1])
            )


def burgers2d_border(u, v, w, border, carry, spread):
    """What the border gets from the inner cells beside it."""
    rows, columns = u.shape
    for j in range(1, columns - 1):
        border[0, j] += w[1, j] * (carry * u[1, j] + spread)
        border[rows - 1, j] += w[rows - 2, j] * spread
    for i in range(1, rows - 1):
        border[i, 0] += w[i, 1] * (carry * v[i, 1] + spread)
        border[i, columns - 1] += w[i, columns - 2] * spread


def burgers2d(u0, v0, viscosity, h, dt, steps):
    rows, columns = u0.shape
    carry, spread = dt / h, viscosity * dt / (h * h)
    us, vs = np.empty((steps + 1, rows, columns)), np.empty((steps + 1, rows, columns))
    us[0], vs[0] = u0, v0
    for levels in (us, vs):
        for t in range(1, steps + 1):
            levels[t, 0], levels[t, rows - 1] = levels[0, 0], levels[0, rows - 1]
            levels[t, :, 0], levels[t, :, columns - 1] = levels[0, :, 0], levels[0, :, columns - 1]
    for t in range(steps):
        burgers2d_step(us[t], vs[t], us[t + 1], vs[t + 1], carry, spread)
    energy = math.sqrt(np.sum(us[steps] ** 2) + np.sum(vs[steps] ** 2))
    p, u_border = inner(us[steps] / energy)
    q, v_border = inner(vs[steps] / energy)
    p_before, q_before = np.zeros_like(p), np.zeros_like(q)
    for t in range(steps - 1, -1, -1):
        burgers2d_border(us[t], vs[t], p, u_border, carry, spread)
        burgers2d_border(us[t], vs[t], q, v_border, carry, spread)
        burgers2d_back(us[t], vs[t], p, q, p_before, q_before, carry, spread)
        p, p_before = p_before, p
        q, q_before = q_before, q
    return energy, (p + u_border, q + v_border)
