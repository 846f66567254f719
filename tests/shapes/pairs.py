"""Random sums over pairs of points: rows of a matrix by their columns, values formed again, below bars and roots."""

import random

import numpy as np
from strategies import Part, Program

HEAD = "def f(p0, m, e, k):"
KERNELS = (
    "m[j] / (q * math.sqrt(q))", "m[j] / q", "np.exp(-q) * m[j]", "m[j] * q", "math.sqrt(q) - m[j]",
    "m[j] * np.log(q) / (1.0 + q)", "(m[j] if q > 1.3 else e * q)", "q ** 1.5 * m[j]",
)  # fmt: skip


def pairs(seed):
    """One program."""
    draw = random.Random(f"pairs:{seed}")
    axes = draw.choice((1, 2, 3))
    names = "xyz"[:axes]
    sums = [Part(f"a{n} = 0.0") for n in names]
    deltas = [Part(f"d{n} = p[j, {c}] - p[i, {c}]") for c, n in enumerate(names)]
    q = " + ".join(f"d{n} * d{n}" for n in names)
    inner = [*deltas, Part(f"q = {q} + e * e + 0.1"), Part(f"w = {draw.choice(KERNELS)}")]
    inner += [Part(f"a{n} += w * d{n}") for n in names]
    if draw.random() < 0.3:
        inner.append(Part(f"s += 0.01 * w * {draw.choice(('q', 'm[i]', 'p[i, 0]'))}"))
    if draw.random() < 0.2:
        inner.insert(len(deltas), Part("if dx > 0.5:", [Part("dx = dx * m[i]")]))
    ends = [Part(f"v[i, {c}] += k * a{n}") for c, n in enumerate(names)]
    each = Part("for i in range(n):", [*sums, Part("for j in range(n):", inner), *ends])
    moved = draw.choice((
        [Part("for i in range(n):", [Part(f"p[i, {c}] += k * v[i, {c}]") for c in range(axes)])],
        [Part("for i in range(n):", [Part(f"for c in range({axes}):", [Part("p[i, c] += k * v[i, c]")])])],
        [Part("p = p + k * v")], [Part("p, v = p + k * v, v")],
    ))  # fmt: skip
    before = draw.choice(([], [], [Part("r = p[0]"), Part("s += r[0] * r[0]")], [Part("s += np.sum(p)")]))
    steps = Part("for t in range(2):", [each, *moved]) if draw.random() < 0.8 else each
    tail = draw.choice(("np.sum(p * p)", "np.sum(v) + p[0, 0]", "np.sum(p[:, 0] * v[:, 0])", "np.sum(v * v)"))
    start = [Part("n = p0.shape[0]"), Part("p = p0.copy()"), Part("v = 0.1 * p0"), Part("s = 0.0")]
    numbers = np.random.default_rng(draw.randint(0, 10**6))
    n = draw.choice((1, 3, 4))
    arguments = (numbers.normal(size=(n, axes)), 1.0 + numbers.random(n), 0.3, 0.2)
    return Program([Part(HEAD, [*start, *before, steps, Part(f"return s + {tail}")])], arguments)
