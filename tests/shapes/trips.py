"""Random loops over samples, most of whose trips know nothing of one another but sums."""

import random

import numpy as np
from strategies import Part, Program

HEAD = "def f(x, z, p, r):"
FUNCTIONS = ("np.sin({})", "np.cos({})", "np.exp(0.3 * np.sin({}))", "({}) ** 2", "np.sqrt(1.0 + ({}) ** 2)")
START = {"s": "0.0", "q": "0.1", "c": "0.2", "w": "np.empty(z.shape[1])", "v": "np.zeros(x.shape[0])"}


class Trips:
    """One program; names that have a value are told as it grows."""

    def __init__(self, seed):
        self.draw = random.Random(f"trips:{seed}")
        self.numbers = ["r", "x[i]", "p[0]"]
        self.count = 0

    def one(self, *more):
        return self.draw.choice([*self.numbers, *more])

    def expr(self, *more):
        a, b = self.one(*more), self.one(*more)
        made = self.draw.choice((f"{a} * {b}", f"{a} - 0.5 * {b}", f"0.7 * {a} / (1.5 + {b} ** 2)", a))
        return self.draw.choice(FUNCTIONS).format(made) if self.draw.random() < 0.6 else made

    def fresh(self):
        self.count += 1
        return f"a{self.count}"

    def assign(self):
        name = self.fresh()
        part = Part(f"{name} = {self.expr()}")
        self.numbers.append(name)
        return [part]

    def again(self):
        name = self.draw.choice([n for n in self.numbers if n.startswith("a")] or ["x[i]"])
        return [Part(f"{name} = {self.expr()}")] if name.startswith("a") else self.assign()

    def inner(self):
        name, start = self.fresh(), self.one()
        step = self.draw.choice((
            f"{name} = 0.6 * {name} + np.sin(z[i, k]) * {self.one()}", f"{name} = {name} * np.cos({self.expr('p[k]')})",
            f"{name} += {self.expr('p[k]', 'z[i, k]')}",
        ))  # fmt: skip
        body = [Part(step)]
        if self.draw.random() < 0.4:
            body.append(Part(f"s += 0.1 * {name}"))
        self.numbers.append(name)
        return [Part(f"{name} = {start}"), Part("for k in range(z.shape[1]):", body)]

    def row(self):
        name = self.fresh()
        fill = Part("for k in range(z.shape[1]):", [Part(f"w[k] = {self.expr('z[i, k]')}")])
        step = (
            f"{name} += w[k] * w[k] * p[k]"
            if self.draw.random() < 0.7
            else f"{name} += w[z.shape[1] - 1 - k]"
        )
        self.numbers.append(name)
        return [fill, Part(f"{name} = 0.0"), Part("for k in range(z.shape[1]):", [Part(step)])]

    def turns(self):
        """A loop whose number of turns is its own: the room for it grows, and serves the next trip."""
        name, count = self.fresh(), self.fresh()
        step = self.draw.choice((
            f"{name} = 0.8 * {name} + 0.1 * np.sin({self.expr()})",
            f"{name} = {name} - 0.2 * np.cos({name}) * np.sin({name})",
            f"{name} *= 0.9 + 0.05 * np.cos({self.one()})",
        ))  # fmt: skip
        most = self.draw.choice((3, 15, 16, 17, 40))
        test = f"while {count} < {most} and abs({name}) > {self.draw.choice((0.3, 0.01))}:"
        start = Part(f"{name} = {self.expr()}")
        self.numbers.append(name)
        return [start, Part(f"{count} = 0"), Part(test, [Part(step), Part(f"{count} += 1")])]

    def branch(self):
        name = self.one()
        return [Part(f"if {name} > 0.2:", [Part(f"q += {self.expr()}")])]

    def carried(self):
        how = self.draw.choice(("c = 0.5 * c + x[i]", "x[i] = 0.5 * x[i]", "v[i] = s", "s = s * 0.9 + r"))
        return [Part(how)]

    def program(self):
        kinds = [
            self.assign,
            self.assign,
            self.again,
            self.inner,
            self.inner,
            self.row,
            self.branch,
            self.turns,
        ]
        kinds += [self.carried] if self.draw.random() < 0.15 else []
        body = [p for _ in range(self.draw.randint(2, 5)) for p in self.draw.choice(kinds)()]
        body.append(Part(f"s += {self.expr()}"))
        tail = self.draw.choice(
            ("s + q", "np.exp(-r) * s / x.shape[0] + q", "s * q + c", "s * s - 0.3 * q * r")
        )
        before = [Part("d = np.sin(r) + p[1]")] if self.draw.random() < 0.5 else []
        self.numbers += ["d"] if before else []
        behind = [Part("for k in range(p.shape[0]):", [Part("q += p[k] * np.cos(p[k])")])]
        start = [
            Part(t)
            for t in ("s = 0.0", "q = 0.1", "c = 0.2", "w = np.empty(z.shape[1])", "v = np.zeros(x.shape[0])")
        ]
        loop = Part("for i in range(x.shape[0]):", body)
        end = behind if self.draw.random() < 0.4 else []
        parts = [*before, *start, loop, *end, Part(f"return {tail} + v[0]")]
        n, m = self.draw.randint(0, 4), self.draw.randint(2, 4)
        numbers = np.random.default_rng(self.draw.randint(0, 10**6))
        arguments = (
            numbers.normal(size=max(n, 1)),
            numbers.normal(size=(max(n, 1), m)),
            numbers.normal(size=m),
            0.4,
        )
        return Program([Part(HEAD, parts)], arguments)


def trips(seed):
    return Trips(seed).program()
