"""The programs of the suite that `benchmarks.workloads` doesn't have: plain Python, as a user would write it."""

import math

import numpy as np


def heston(market, first, second, maturity):
    """The price of a call where the variance is random too, in Euler steps, cut off at 0: spot, rate, variance, pull,
    level, volatility of the variance, correlation, strike.
    """
    spot, rate, variance, pull = market[0], market[1], market[2], market[3]
    level, wild, together, strike = market[4], market[5], market[6], market[7]
    paths, dates = first.shape
    dt = maturity / dates
    root = math.sqrt(dt)
    apart = math.sqrt(1.0 - together * together)
    payoffs = 0.0
    for p in range(paths):
        price, v = math.log(spot), variance
        for d in range(dates):
            held = max(v, 0.0)
            spread = root * math.sqrt(held + 1e-12)
            price += (rate - 0.5 * held) * dt + spread * first[p, d]
            v += pull * (level - held) * dt + wild * spread * (together * first[p, d] + apart * second[p, d])
        payoff = math.exp(price) - strike
        if payoff > 0.0:
            payoffs += payoff
    return math.exp(-rate * maturity) * payoffs / paths


def elementwise(x, y):
    """A chain of operations on whole arrays, and a sum."""
    a = np.sin(x) + x * y
    b = y * y + np.exp(-a)
    return np.sum(x * (b / (1.0 + a * a)) - y)


def elementwise_loop(x, y):
    """The chain of `elementwise` as one loop over numbers."""
    total = 0.0
    for i in range(len(x)):
        a = math.sin(x[i]) + x[i] * y[i]
        b = y[i] * y[i] + math.exp(-a)
        total += x[i] * (b / (1.0 + a * a)) - y[i]
    return total


def mlp(inside, shift, outside, bias, samples, labels):
    """A network of two layers: mean cross entropy of its answers, all samples at once."""
    hidden = np.tanh(samples @ inside + shift)
    answers = hidden @ outside + bias
    norms = np.log(np.sum(np.exp(answers), axis=1))
    return (np.sum(norms) - np.sum(labels * answers)) / len(samples)


def thomas(start, conductivity, steps):
    """Implicit steps of the heat equation: a tridiagonal system each, solved by elimination; the squares at the end."""
    cells = len(start)
    u = start.copy()
    right, inner = np.zeros(cells), np.zeros(cells)
    for _ in range(steps):
        for i in range(cells):
            k = conductivity[i]
            pivot = 1.0 + 2.0 * k
            known = u[i]
            if i > 0:
                pivot -= k * right[i - 1]
                known += k * inner[i - 1]
            right[i] = k / pivot
            inner[i] = known / pivot
        u[cells - 1] = inner[cells - 1]
        for i in range(cells - 2, -1, -1):
            u[i] = inner[i] + right[i] * u[i + 1]
    return np.sum(u * u)


def logistic(x):
    """A smooth step from 0 to 1."""
    return 1.0 / (1.0 + math.exp(-x))


def lstm(weights, ends, start, text):
    """A recurrent network with diagonal weights, two layers, that predicts a text bit by bit: its mean loss.

    weights  two rows per layer, factors and biases: of the gates forget, in, out, and of the change
    ends     three rows: factors of the input, factors and biases of the output
    """
    length, bits = text.shape
    hidden, cell = start[0].copy(), start[1].copy()
    value = np.empty(bits)
    total = 0.0
    for t in range(length - 1):
        for i in range(bits):
            value[i] = text[t, i] * ends[0, i]
        for layer in range(len(hidden)):
            w, b = weights[2 * layer], weights[2 * layer + 1]
            for i in range(bits):
                before = hidden[layer, i]
                forget = logistic(w[i] * value[i] + b[i])
                take = logistic(w[bits + i] * before + b[bits + i])
                show = logistic(w[2 * bits + i] * value[i] + b[2 * bits + i])
                change = math.tanh(w[3 * bits + i] * before + b[3 * bits + i])
                cell[layer, i] = forget * cell[layer, i] + take * change
                hidden[layer, i] = show * math.tanh(cell[layer, i])
                value[i] = hidden[layer, i]
        norm = 2.0
        for i in range(bits):
            value[i] = ends[1, i] * value[i] + ends[2, i]
            norm += math.exp(value[i])
        for i in range(bits):
            total += text[t + 1, i] * (math.log(norm) - value[i])
    return total / (bits * (length - 1))


def bundle(cameras, points, weights, seen, places):
    """Bundle adjustment: half the squared errors of points that cameras see, weighted; rotations by Rodrigues' formula.

    cameras  rows of turn (3), place (3), focal length, middle of the picture (2), distortion (2)
    seen     rows of camera, point
    """
    total = 0.0
    for s in range(len(seen)):
        c, p = seen[s, 0], seen[s, 1]
        a, b, d = cameras[c, 0], cameras[c, 1], cameras[c, 2]
        x, y, z = points[p, 0] - cameras[c, 3], points[p, 1] - cameras[c, 4], points[p, 2] - cameras[c, 5]
        square = a * a + b * b + d * d
        if square > 0.0:
            angle = math.sqrt(square)
            cos, sin = math.cos(angle), math.sin(angle)
            a, b, d = a / angle, b / angle, d / angle
            along = (1.0 - cos) * (a * x + b * y + d * z)
            u = cos * x + sin * (b * z - d * y) + along * a
            v = cos * y + sin * (d * x - a * z) + along * b
            w = cos * z + sin * (a * y - b * x) + along * d
        else:
            u, v, w = x + b * z - d * y, y + d * x - a * z, z + a * y - b * x
        u, v = u / w, v / w
        radius = u * u + v * v
        scale = cameras[c, 6] * (1.0 + radius * (cameras[c, 9] + radius * cameras[c, 10]))
        across = weights[s] * (scale * u + cameras[c, 7] - places[s, 0])
        down = weights[s] * (scale * v + cameras[c, 8] - places[s, 1])
        rest = 1.0 - weights[s] * weights[s]
        total += 0.5 * (across * across + down * down + rest * rest)
    return total


def newton(anomaly, eccentricity):
    """Kepler's equation for many orbits, each by Newton's steps until they are small; the sum of the cosines."""
    total = 0.0
    for i in range(len(anomaly)):
        angle, step = anomaly[i], 1.0
        while abs(step) > 1e-10:
            miss = angle - eccentricity[i] * math.sin(angle) - anomaly[i]
            step = miss / (1.0 - eccentricity[i] * math.cos(angle))
            angle -= step
        total += math.cos(angle)
    return total


def gaussian_process(parameters, squares, observed):
    """The negative log-likelihood of observations: height, length and noise of the kernel are given as logarithms."""
    n = len(observed)
    kernel = np.exp(parameters[0] - 0.5 * squares * np.exp(-2.0 * parameters[1])) + np.exp(
        parameters[2]
    ) * np.eye(n)
    factor = np.linalg.cholesky(kernel)
    explained = np.linalg.solve(kernel, observed)
    return 0.5 * np.dot(observed, explained) + np.sum(np.log(np.diag(factor)))


def solve_chain(matrix, shift, start, times):
    """Systems with one matrix, solved one after another; the squares at the end."""
    v = start.copy()
    for _ in range(times):
        v = 0.5 * np.dot(matrix, np.linalg.solve(matrix, v - shift) + shift)
    return np.sum(v * v)


def hmm(first, moves, emissions, seen):
    """The log-likelihood of what a hidden Markov model showed, by the forward algorithm, scaled step by step."""
    states = len(first)
    now, then = np.empty(states), np.empty(states)
    for j in range(states):
        now[j] = first[j] * emissions[j, seen[0]]
    result = 0.0
    for t in range(len(seen)):
        if t > 0:
            for j in range(states):
                reached = 0.0
                for i in range(states):
                    reached += now[i] * moves[i, j]
                then[j] = reached * emissions[j, seen[t]]
            now, then = then, now
        mass = np.sum(now)
        for j in range(states):
            now[j] /= mass
        result += math.log(mass)
    return result


def dtw(x, y, soft):
    """Dynamic time warping with a smooth minimum: the cost of the cheapest alignment of two series."""
    rows, columns = len(x), len(y)
    cost = np.full((rows + 1, columns + 1), 1e10)
    cost[0, 0] = 0.0
    for i in range(rows):
        for j in range(columns):
            both, one, other = cost[i, j], cost[i, j + 1], cost[i + 1, j]
            least = min(both, one, other)
            mass = (
                math.exp((least - both) / soft)
                + math.exp((least - one) / soft)
                + math.exp((least - other) / soft)
            )
            cost[i + 1, j + 1] = (x[i] - y[j]) ** 2 + least - soft * math.log(mass)
    return cost[rows, columns]


def pairs(place, weight, width, reach):
    """Weighted pairs of points, the nearer the more, within reach; the points are sorted by their first coordinate."""
    total = 0.0
    for i in range(len(weight)):
        for j in range(i + 1, len(weight)):
            dx = place[j, 0] - place[i, 0]
            if dx > reach:
                break
            dy, dz = place[j, 1] - place[i, 1], place[j, 2] - place[i, 2]
            square = dx * dx + dy * dy + dz * dz
            if square < reach * reach:
                total += weight[i] * weight[j] * math.exp(-square / (width * width))
    return total
