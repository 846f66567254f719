"""Random programs that work in place on a matrix in nests with bounds of all kinds: eliminations, substitutions, tables.

What is read may be overwritten later, or never; what is stored may be read back, or not.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
from strategies import Part, Program


@dataclass
class Writer:
    """Writes one program."""

    r: random.Random

    def build(self) -> Program:
        r = self.r
        size = r.choice((2, 3, 4, 5))
        body = [Part("n = a0.shape[0]"), Part(r.choice(("a = a0.copy()", "a = a0 * 1.0", "a = a0")))]
        body += [Part("b = np.zeros((n, n))"), Part("s = 0.0"), Part("t = 0.5")]
        for _ in range(r.choice((1, 1, 2))):
            body += self.nest([], 0)
        body.append(Part(f"return s + t + np.sum(a * {r.choice(('a', 'np.sin(a)', '0.5'))}) + np.sum(b * b)"))
        a0 = 1.0 + 0.5 * np.random.default_rng(r.randrange(1 << 30)).random((size, size))
        a0 += size * np.eye(size)
        return Program([Part("def f(a0):", body)], (a0,))

    def nest(self, names: list[str], depth: int) -> list[Part]:
        r = self.r
        var = "ijk"[depth]
        before = [*names, *names, "n"]
        kind = r.random()
        if kind < 0.5 or not names:
            stop = r.choice(("n", "n", *names, *(f"{v} + 1" for v in names), "n - 1"))
            head = f"for {var} in range({r.choice(('0', '0', '1', *names, *(f'{v} + 1' for v in names)))}, {stop}):"
        elif kind < 0.8:
            head = f"for {var} in range({r.choice((*before, 'n'))} - 1, {r.choice(('-1', '0', *names))}, -1):"
        else:
            head = f"for {var} in range({r.choice(names)}, n, 2):"
        inside = [*names, var]
        body: list[Part] = []
        for _ in range(r.choice((1, 1, 2))):
            if depth < 2 and r.random() < 0.6:
                body += self.nest(inside, depth + 1)
            body += self.statement(inside)
        if r.random() < 0.3:
            body += self.statement(inside)
        return [Part(head, body)]

    def statement(self, names: list[str]) -> list[Part]:
        r = self.r
        cell = self.cell(names)
        kind = r.random()
        if kind < 0.15:
            return [Part(f"s += {self.value(names)}")]
        if kind < 0.3:
            return [Part(f"t = {self.value(names)}"), Part(f"{cell} = t")]
        if kind < 0.45:
            return [Part(f"t = {self.value(names)}"), Part(f"b{cell[1:]} = {self.dear('t')}")]
        if kind < 0.6 and len(names) > 1:
            test = f"{names[-1]} {r.choice(('==', '!=', '<', '<=', '>'))} {names[-2]}"
            one, other = (Part(f"{self.cell(names)} = {self.value(names)}") for _ in range(2))
            return [Part(f"if {test}:", [one], [other])]
        if kind < 0.75:
            return [Part(f"{cell} = {cell} / {self.divisor(names)}")]
        if kind < 0.9:
            return [Part(f"{cell} -= 0.1 * {self.cell(names)} * {self.cell(names)}")]
        return [Part(f"{cell} = {self.value(names)}")]

    def cell(self, names: list[str]) -> str:
        return f"a[{self.subscript(names)}, {self.subscript(names)}]"

    def subscript(self, names: list[str]) -> str:
        r = self.r
        name = r.choice([*names, names[-1]])
        return r.choice((name, name, name, f"{name} - 1", "0"))

    def divisor(self, names: list[str]) -> str:
        return self.r.choice(
            (f"(2.0 + {self.cell(names)} ** 2)", f"(3.0 + t * t + {self.cell(names)} ** 2)", "2.0")
        )

    def dear(self, name: str) -> str:
        return self.r.choice((f"np.sin({name})", f"np.exp(-{name} * {name})", f"{name} * 0.7"))

    def value(self, names: list[str]) -> str:
        a, b = self.cell(names), self.cell(names)
        return self.r.choice((
            f"np.sin({a}) + {b}", f"0.3 * {a} * {b}", f"{a} / {self.divisor(names)}", f"np.tanh(t * {a})",
            f"t / {self.divisor(names)}", f"0.5 * t + b[{self.subscript(names)}, {self.subscript(names)}] * {a}",
            f"np.sqrt(1.0 + {a} * {a})", f"np.exp(-{a} * {a})",
        ))  # fmt: skip


def triangle(seed: str) -> Program:
    """The program of a seed."""
    return Writer(random.Random(seed)).build()
