"""Adjoints by hand of the other programs. Each takes the program's arguments and returns value, gradients."""

import math

import numpy as np


def rk4(start, parameters, h, steps):
    """Keeps the state of each step; the four stages are run again. The last is the combination of the others."""
    sigma, rho, beta = parameters[0], parameters[1], parameters[2]
    kept = np.empty((steps, 3))
    x, y, z = start[0], start[1], start[2]
    height = 0.0
    half, sixth = 0.5 * h, h / 6.0
    for t in range(steps):
        kept[t, 0], kept[t, 1], kept[t, 2] = x, y, z
        ax, ay, az = sigma * (y - x), x * (rho - z) - y, x * y - beta * z
        u, v, w = x + half * ax, y + half * ay, z + half * az
        bx, by, bz = sigma * (v - u), u * (rho - w) - v, u * v - beta * w
        u, v, w = x + half * bx, y + half * by, z + half * bz
        cx, cy, cz = sigma * (v - u), u * (rho - w) - v, u * v - beta * w
        u, v, w = x + h * cx, y + h * cy, z + h * cz
        x += sixth * (ax + 2.0 * bx + 2.0 * cx + sigma * (v - u))
        y += sixth * (ay + 2.0 * by + 2.0 * cy + u * (rho - w) - v)
        z += sixth * (az + 2.0 * bz + 2.0 * cz + u * v - beta * w)
        height += h * z
    value = height + x * x + y * y
    p, q, r = 2.0 * x, 2.0 * y, 0.0  # adjoints of x, y, z
    s_bar, r_bar, b_bar = 0.0, 0.0, 0.0
    for t in range(steps - 1, -1, -1):
        r += h
        x, y, z = kept[t, 0], kept[t, 1], kept[t, 2]
        x1, y1, z1 = (
            x + half * (sigma * (y - x)),
            y + half * (x * (rho - z) - y),
            z + half * (x * y - beta * z),
        )
        x2, y2, z2 = (
            x + half * (sigma * (y1 - x1)),
            y + half * (x1 * (rho - z1) - y1),
            z + half * (x1 * y1 - beta * z1),
        )
        x3, y3, z3 = (
            x + h * (sigma * (y2 - x2)),
            y + h * (x2 * (rho - z2) - y2),
            z + h * (x2 * y2 - beta * z2),
        )
        # the fourth stage, at the third point
        kx, ky, kz = sixth * p, sixth * q, sixth * r
        s_bar, r_bar, b_bar = s_bar + kx * (y3 - x3), r_bar + ky * x3, b_bar - kz * z3
        u, v, w = (
            ky * (rho - z3) + kz * y3 - kx * sigma,
            kx * sigma - ky + kz * x3,
            -ky * x3 - kz * beta,
        )
        px, py, pz = p + u, q + v, r + w
        # the third, at the second
        kx, ky, kz = 2.0 * sixth * p + h * u, 2.0 * sixth * q + h * v, 2.0 * sixth * r + h * w
        s_bar, r_bar, b_bar = s_bar + kx * (y2 - x2), r_bar + ky * x2, b_bar - kz * z2
        u, v, w = (
            ky * (rho - z2) + kz * y2 - kx * sigma,
            kx * sigma - ky + kz * x2,
            -ky * x2 - kz * beta,
        )
        px, py, pz = px + u, py + v, pz + w
        # the second, at the first
        kx, ky, kz = 2.0 * sixth * p + half * u, 2.0 * sixth * q + half * v, 2.0 * sixth * r + half * w
        s_bar, r_bar, b_bar = s_bar + kx * (y1 - x1), r_bar + ky * x1, b_bar - kz * z1
        u, v, w = (
            ky * (rho - z1) + kz * y1 - kx * sigma,
            kx * sigma - ky + kz * x1,
            -ky * x1 - kz * beta,
        )
        px, py, pz = px + u, py + v, pz + w
        # the first, at the state
        kx, ky, kz = sixth * p + half * u, sixth * q + half * v, sixth * r + half * w
        s_bar, r_bar, b_bar = s_bar + kx * (y - x), r_bar + ky * x, b_bar - kz * z
        p = px + ky * (rho - z) + kz * y - kx * sigma
        q = py + kx * sigma - ky + kz * x
        r = pz - ky * x - kz * beta
    return value, (np.array([p, q, r]), np.array([s_bar, r_bar, b_bar]))


def nbody(position, velocity, mass, soft, dt, steps):
    """Keeps positions, column by column, so that loops over bodies become vectors."""
    bodies = len(mass)
    x, v = position.T.copy(), velocity.T.copy()
    kept = np.empty((steps, 3, bodies))
    for t in range(steps):
        kept[t] = x
        for i in range(bodies):
            ax, ay, az = 0.0, 0.0, 0.0
            for j in range(bodies):
                dx, dy, dz = x[0, j] - x[0, i], x[1, j] - x[1, i], x[2, j] - x[2, i]
                r2 = dx * dx + dy * dy + dz * dz + soft
                pull = mass[j] / (r2 * math.sqrt(r2))
                ax += pull * dx
                ay += pull * dy
                az += pull * dz
            v[0, i] += dt * ax
            v[1, i] += dt * ay
            v[2, i] += dt * az
        x += dt * v
    total = np.sum(0.5 * mass * v * v) + np.sum(x * x)
    mass_bar = np.zeros(bodies)
    for k in range(3):
        mass_bar += 0.5 * v[k] * v[k]
    x_bar, v_bar = 2.0 * x, mass * v
    for t in range(steps - 1, -1, -1):
        v_bar += dt * x_bar
        nbody_back(kept[t, 0], kept[t, 1], kept[t, 2], mass, soft, dt, v_bar, x_bar, mass_bar)
    return total, (x_bar.T.copy(), v_bar.T.copy(), mass_bar)


def nbody_back(x, y, z, mass, soft, dt, v_bar, x_bar, mass_bar):
    """What one kick gives back: each pair's share goes to both bodies, with opposite signs."""
    xb, yb, zb = x_bar[0], x_bar[1], x_bar[2]
    for i in range(len(mass)):
        ax, ay, az = dt * v_bar[0, i], dt * v_bar[1, i], dt * v_bar[2, i]
        xi, yi, zi = x[i], y[i], z[i]
        sx, sy, sz = 0.0, 0.0, 0.0
        for j in range(len(mass)):
            dx, dy, dz = x[j] - xi, y[j] - yi, z[j] - zi
            r2 = 1.0 / (dx * dx + dy * dy + dz * dz + soft)
            r3 = r2 * math.sqrt(r2)
            along = (ax * dx + ay * dy + az * dz) * r3
            mass_bar[j] += along
            pull, turn = mass[j] * r3, 3.0 * mass[j] * along * r2
            ex, ey, ez = pull * ax - turn * dx, pull * ay - turn * dy, pull * az - turn * dz
            xb[j] += ex
            yb[j] += ey
            zb[j] += ez
            sx += ex
            sy += ey
            sz += ez
        xb[i] -= sx
        yb[i] -= sy
        zb[i] -= sz


def gmm(weights, means, scales, points):
    """Both sweeps in one loop over the points: the result is a sum over them."""
    count, dim = points.shape
    parts = len(weights)
    diagonal, log_det = np.empty((parts, dim)), np.zeros(parts)
    for c in range(parts):
        for i in range(dim):
            at = i * (i + 3) // 2
            diagonal[c, i] = math.exp(scales[c, at])
            log_det[c] += scales[c, at]
    scaled, centred = np.empty((parts, dim)), np.empty((parts, dim))
    inside = np.empty(parts)
    weights_bar, means_bar, scales_bar = np.zeros(parts), np.zeros((parts, dim)), np.zeros(scales.shape)
    result = 0.0
    for p in range(count):
        for c in range(parts):
            square, at = 0.0, 0
            for i in range(dim):
                centred[c, i] = points[p, i] - means[c, i]
                s = diagonal[c, i] * centred[c, i]
                for j in range(i):
                    s += scales[c, at + j] * centred[c, j]
                at += i + 1
                scaled[c, i] = s
                square += s * s
            inside[c] = weights[c] + log_det[c] - 0.5 * square
        top = np.max(inside)
        mass = 0.0
        for c in range(parts):
            inside[c] = math.exp(inside[c] - top)
            mass += inside[c]
        result += top + math.log(mass)
        for c in range(parts):
            share = inside[c] / mass
            weights_bar[c] += share
            at = 0
            for i in range(dim):
                s = -share * scaled[c, i]
                for j in range(i):
                    scales_bar[c, at + j] += s * centred[c, j]
                    means_bar[c, j] -= s * scales[c, at + j]
                at += i
                scales_bar[c, at] += share + s * diagonal[c, i] * centred[c, i]
                means_bar[c, i] -= s * diagonal[c, i]
                at += 1
    total = np.sum(np.exp(weights))
    weights_bar -= count * np.exp(weights) / total
    return result - count * math.log(total), (weights_bar, means_bar, scales_bar)


def asian(market, noise):
    """Path by path; a price is the one before times an exponential, so adjoints of logarithms just add up."""
    spot, rate, volatility, strike, maturity = market[0], market[1], market[2], market[3], market[4]
    paths, dates = noise.shape
    dt = maturity / dates
    root = math.sqrt(dt)
    trend, spread = (rate - 0.5 * volatility * volatility) * dt, volatility * root
    prices = np.empty(dates)
    payoffs, hits = 0.0, 0
    spot_bar, trend_bar, spread_bar = 0.0, 0.0, 0.0
    for p in range(paths):
        price, mean = spot, 0.0
        for d in range(dates):
            price *= math.exp(trend + spread * noise[p, d])
            prices[d] = price / dates
            mean += prices[d]
        if mean > strike:
            payoffs += mean - strike
            hits += 1
            bar = 0.0
            for d in range(dates - 1, -1, -1):
                bar += prices[d]
                trend_bar += bar
                spread_bar += bar * noise[p, d]
            spot_bar += bar / spot
    shrunk = math.exp(-rate * maturity) / paths
    value = shrunk * payoffs
    dt_bar = trend_bar * (rate - 0.5 * volatility * volatility) + spread_bar * volatility * 0.5 / root
    bars = np.empty(5)
    bars[0] = shrunk * spot_bar
    bars[1] = shrunk * trend_bar * dt - maturity * value
    bars[2] = shrunk * (spread_bar * root - trend_bar * volatility * dt)
    bars[3] = -shrunk * hits
    bars[4] = shrunk * dt_bar / dates - rate * value
    return value, (bars,)


def cholesky(matrix):
    """The factor is all that the way back needs, and it stays in place."""
    n = len(matrix)
    a = matrix.copy()
    result = 0.0
    for j in range(n):
        pivot = a[j, j]
        for k in range(j):
            pivot -= a[j, k] * a[j, k]
        pivot = math.sqrt(pivot)
        a[j, j] = pivot
        result += 2.0 * math.log(pivot)
        for i in range(j + 1, n):
            entry = a[i, j]
            for k in range(j):
                entry -= a[i, k] * a[j, k]
            a[i, j] = entry / pivot
    bar = np.zeros((n, n))
    for j in range(n - 1, -1, -1):
        pivot = a[j, j]
        of_pivot = bar[j, j] + 2.0 / pivot
        for i in range(j + 1, n):
            b = bar[i, j] / pivot
            of_pivot -= b * a[i, j]
            bar[i, j] = b
            for k in range(j):
                bar[i, k] -= b * a[j, k]
                bar[j, k] -= b * a[i, k]
        b = of_pivot / (2.0 * pivot)
        bar[j, j] = b
        for k in range(j):
            bar[j, k] -= 2.0 * b * a[j, k]
    return result, (bar,)


def elementwise(x, y):
    """Both sweeps in one loop, without arrays in between."""
    total = 0.0
    x_bar, y_bar = np.empty(len(x)), np.empty(len(x))
    for i in range(len(x)):
        a = math.sin(x[i]) + x[i] * y[i]
        e = math.exp(-a)
        q = 1.0 / (1.0 + a * a)
        b = y[i] * y[i] + e
        c = b * q
        total += x[i] * c - y[i]
        b_bar = x[i] * q
        a_bar = -b_bar * (e + 2.0 * a * c)
        x_bar[i] = c + a_bar * (math.cos(x[i]) + y[i])
        y_bar[i] = a_bar * x[i] + 2.0 * b_bar * y[i] - 1.0
    return total, (x_bar, y_bar)


elementwise_loop = elementwise


def thomas(start, conductivity, steps):
    """A step solves A u' = u; its adjoint solves with the transpose, and A's entries give k's share. One elimination."""
    n, k = len(start), conductivity
    right, pivot = np.zeros(n), np.empty(n)
    for i in range(n):
        pivot[i] = 1.0 / (1.0 + 2.0 * k[i] - (k[i] * right[i - 1] if i > 0 else 0.0))
        right[i] = k[i] * pivot[i]
    levels = np.empty((steps + 1, n))
    levels[0] = start
    for t in range(steps):
        u, after = levels[t], levels[t + 1]
        after[0] = u[0] * pivot[0]
        for i in range(1, n):
            after[i] = (u[i] + k[i] * after[i - 1]) * pivot[i]
        for i in range(n - 2, -1, -1):
            after[i] += right[i] * after[i + 1]
    w = 2.0 * levels[steps]
    k_bar = np.zeros(n)
    for t in range(steps - 1, -1, -1):
        for i in range(1, n):  # A is L U: first with the transpose of U, then of L
            w[i] += right[i - 1] * w[i - 1]
        w[n - 1] *= pivot[n - 1]
        for i in range(n - 2, -1, -1):
            w[i] = (w[i] + k[i + 1] * w[i + 1]) * pivot[i]
        thomas_back(levels[t + 1], w, k_bar)
    return np.sum(levels[steps] ** 2), (w, k_bar)


def thomas_back(u, w, k_bar):
    n = len(u)
    k_bar[0] -= w[0] * (2.0 * u[0] - u[1])
    for i in range(1, n - 1):
        k_bar[i] -= w[i] * (2.0 * u[i] - u[i - 1] - u[i + 1])
    k_bar[n - 1] -= w[n - 1] * (2.0 * u[n - 1] - u[n - 2])


def hmm(first, moves, emissions, seen):
    """The forward and the backward algorithm: what is yet to come, scaled by the same factors."""
    states, count = len(first), len(seen)
    kept, reached, mass = np.empty((count, states)), np.empty((count, states)), np.empty(count)
    reached[0] = first
    result = 0.0
    for t in range(count):
        if t > 0:
            reached[t] = 0.0
            for i in range(states):
                for j in range(states):
                    reached[t, j] += kept[t - 1, i] * moves[i, j]
        total = 0.0
        for j in range(states):
            kept[t, j] = reached[t, j] * emissions[j, seen[t]]
            total += kept[t, j]
        for j in range(states):
            kept[t, j] /= total
        mass[t] = total
        result += math.log(total)
    moves_bar, emissions_bar = np.zeros(moves.shape), np.zeros(emissions.shape)
    coming, weighted = np.ones(states), np.empty(states)
    for t in range(count - 1, -1, -1):
        for j in range(states):
            scaled = coming[j] / mass[t]
            emissions_bar[j, seen[t]] += reached[t, j] * scaled
            weighted[j] = emissions[j, seen[t]] * scaled
        if t > 0:
            for i in range(states):
                total = 0.0
                for j in range(states):
                    moves_bar[i, j] += kept[t - 1, i] * weighted[j]
                    total += moves[i, j] * weighted[j]
                coming[i] = total
    return result, (weighted, moves_bar, emissions_bar)


def dtw(x, y, soft):
    """Keeps how much each cell takes of its three neighbours; on the way back a cell gathers from those that took."""
    rows, columns = len(x), len(y)
    cost = np.full((rows + 1, columns + 1), 1e10)
    cost[0, 0] = 0.0
    part = np.zeros((rows + 1, columns + 1, 3))
    for i in range(rows):
        for j in range(columns):
            both, one, other = cost[i, j], cost[i, j + 1], cost[i + 1, j]
            least = min(both, one, other)
            a = math.exp((least - both) / soft)
            b = math.exp((least - one) / soft)
            c = math.exp((least - other) / soft)
            mass = a + b + c
            cost[i + 1, j + 1] = (x[i] - y[j]) ** 2 + least - soft * math.log(mass)
            part[i, j, 0], part[i, j, 1], part[i, j, 2] = a / mass, b / mass, c / mass
    x_bar, y_bar = np.zeros(rows), np.zeros(columns)
    below, here = np.zeros(columns + 1), np.zeros(columns + 1)
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            taken = below[j + 1] * part[i + 1, j + 1, 0] + below[j] * part[i + 1, j, 1]
            taken += here[j + 1] * part[i, j + 1, 2]
            if i == rows - 1 and j == columns - 1:
                taken = 1.0
            here[j] = taken
            slope = 2.0 * taken * (x[i] - y[j])
            x_bar[i] += slope
            y_bar[j] -= slope
        below, here = here, below
    return cost[rows, columns], (x_bar, y_bar)


def pairs(place, weight, width, reach):
    """Both sweeps in one: a pair's share of the sum is all that its adjoint needs."""
    n = len(weight)
    total = 0.0
    place_bar, weight_bar = np.zeros((n, 3)), np.zeros(n)
    for i in range(n):
        for j in range(i + 1, n):
            dx = place[j, 0] - place[i, 0]
            if dx > reach:
                break
            dy, dz = place[j, 1] - place[i, 1], place[j, 2] - place[i, 2]
            square = dx * dx + dy * dy + dz * dz
            if square < reach * reach:
                near = math.exp(-square / (width * width))
                weight_bar[i] += weight[j] * near
                weight_bar[j] += weight[i] * near
                share = weight[i] * weight[j] * near
                total += share
                slope = -2.0 * share / (width * width)
                place_bar[j, 0] += slope * dx
                place_bar[j, 1] += slope * dy
                place_bar[j, 2] += slope * dz
                place_bar[i, 0] -= slope * dx
                place_bar[i, 1] -= slope * dy
                place_bar[i, 2] -= slope * dz
    return total, (place_bar, weight_bar)
