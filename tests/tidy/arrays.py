"""Random programs of array statements: chains, sections, arrays written in place, sums; shapes that are alike or not.

Columns and arrays of length one are passed for parameters whose kinds don't tell, so that the same code broadcasts, or
doesn't, by what it is given.
"""

from __future__ import annotations

import random

import numpy as np
from strategies import Part, Program

FORMS = ("{0} * {1}", "{0} + {1}", "{0} - 0.3 * {1}", "np.sin({0})", "np.exp(-{0} * {0}) + {1}",
        "{0} / (1.5 + {1} * {1})",
         "np.where({0} > {1}, {0}, 0.5 * {1})", "c * {0}", "np.tanh({0} + {1})", "{0} ** 2 + p[1]", "-{0}")  # fmt: skip


class Writer:
    """Writes one program over vectors (rank 1) or matrices with rows and columns (rank 2)."""

    def __init__(self, r: random.Random) -> None:
        self.r = r
        self.rank = r.choice((1, 1, 2))
        self.ragged = r.random() < 0.5
        self.full = ["x", "y"]  # of the shape of the loop, as a rule
        self.low = ["row"] if self.rank == 2 else []
        self.sure = ["u"]  # of one shape, which sections are taken of
        self.count = 0

    def build(self) -> Program:
        r = self.r
        body = [Part("u = x0.copy()"), Part("s = 0.0")]
        body += [part for _ in range(r.randint(1, 4)) for part in self.statement()]
        if r.random() < 0.6:
            body.append(
                Part("for k in range(2):", [p for _ in range(r.randint(1, 3)) for p in self.statement(True)])
            )
        body += [part for _ in range(r.randint(0, 2)) for part in self.statement()]
        body += [Part(f"s += np.sum({name})") for name in r.sample([*self.full, *self.sure], 2)]
        body.append(Part("return s * c"))
        rng = np.random.default_rng(r.randint(0, 10**6))
        n, m = r.choice((1, 2, 4)), r.choice((1, 3))
        shape = (n,) if self.rank == 1 else (n, m)
        thin = tuple(r.choice((1, k)) for k in shape) if self.ragged else shape
        one, other = (shape, thin) if r.random() < 0.5 else (thin, shape)
        arrays = [rng.uniform(0.2, 0.9, s) for s in (one, other, shape)]
        row = rng.uniform(0.2, 0.9, 1 if self.ragged and r.random() < 0.3 else shape[-1])
        arguments = (*arrays, row, rng.uniform(0.2, 0.9, 3), 0.7)
        return Program([Part("def f(x, y, x0, row, p, c):", body)], arguments)

    def statement(self, inside: bool = False) -> list[Part]:
        r = self.r
        match r.choice(("new", "new", "new", "update", "section", "sum", "own", "number")):
            case "new":
                value = self.value([*self.full, *self.low])
                return [Part(f"{self.name(self.full, inside)} = {value}")]
            case "own":
                value = self.value(self.sure)
                return [Part(f"{self.name(self.sure, inside)} = {value}")]
            case "update":
                return [Part(f"{r.choice(self.sure)} {r.choice(('+=', '*=', '-='))} {self.value(self.sure)}")]
            case "section":
                a, b = r.choice(((":-1", "1:"), ("1:", ":-1"), ("1:-1", "1:-1"), ("1:", "1:")))
                return [Part(f"u[{a}] {r.choice(('=', '+='))} 0.5 * {r.choice(self.sure)}[{b}] * c")]
            case "number":
                return [Part(f"c = c * 0.9 + 0.01 * np.sum({r.choice(self.sure)})")]
        return [Part(f"s += np.sum({self.value([*self.full, *self.low])}) * c")]

    def name(self, names: list[str], inside: bool) -> str:
        """A new name, or one that is bound anew."""
        bound = [n for n in names if n[0] in "ab"]
        if bound and (inside or self.r.random() < 0.3):
            return self.r.choice(bound)
        self.count += 1
        made = f"{'a' if names is self.full else 'b'}{self.count}"
        if inside:  # it has no value where the loop doesn't run
            return made
        names.append(made)
        return made

    def value(self, names: list[str]) -> str:
        one, other = self.r.choice(names), self.r.choice(names)
        text = self.r.choice(FORMS).format(one, other)
        if self.r.random() < 0.4:
            text = self.r.choice(FORMS).format(f"({text})", self.r.choice(names))
        return text


def program(seed: object) -> Program:
    """The program of a seed; what NumPy can't broadcast is left to the caller to find out."""
    return Writer(random.Random(seed)).build()
