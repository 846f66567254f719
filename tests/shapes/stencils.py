"""Random programs of loop nests over arrays: what the passes look for, and what they mustn't take for it.

Steps over one or two dimensions with one to three arrays that rotate, one array in place, or two coupled fields of two
arrays each; offsets of any sign, so that subscripts wrap where they are negative and the sizes let them; bounds of all
kinds, down to loops that don't run.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
from strategies import Part, Program

LETTERS = "ij"


@dataclass
class Writer:
    """Writes one program."""

    r: random.Random

    def build(self) -> Program:
        r = self.r
        self.d = r.choice((1, 1, 2))
        self.tame = r.random() < 0.5  # no subscript below 0, no form that rules gathering out
        self.fields = r.choice(
            ([["u", "un"]], [["um", "u", "un"]], [["u"]], [["u", "un"], ["v", "vn"]])  # the last is written
        )
        self.names = [name for field in self.fields for name in field]
        self.now = [name for field in self.fields for name in field[:-1]]
        self.new = [field[-1] for field in self.fields]
        self.size = tuple(r.choice((2, 3, 4, 5, 6, 7)) for _ in range(self.d))
        sizes = "nm"[: self.d]
        body = [Part(f"{s} = u0.shape[{k}]") for k, s in enumerate(sizes)]
        body += [Part(f"{name} = u0.copy()") for name in self.names]
        body += [Part("s = 0.0"), Part("w = k[0]")]
        step = [self.nest()]
        if r.random() < 0.4:
            step.append(self.nest())
        if r.random() < 0.3:
            step.insert(
                r.randint(0, len(step)),
                Part(f"s += {self.cell(fixed=True)} * {r.choice(['w', '0.7', 's * 0.1'])}"),
            )
        for field in self.fields:
            if len(field) > 1:
                step.append(Part(f"{', '.join(field)} = {', '.join(field[1:] + field[:1])}"))
        if r.random() < 0.3:
            step.append(Part(f"w = np.sin({self.cell(fixed=True)})"))
        body.append(Part("for t in range(steps):", step))
        body += [self.total(field[0]) for field in self.fields]
        if r.random() < 0.4:
            body.append(
                Part(
                    f"for q in range({r.choice(['0', '1'])}, 4):",
                    [Part(f"s += k[q] * k[{r.choice(['q', 'q - 1', '2'])}] * {self.cell(fixed=True)}")],
                )
            )
        body.append(Part("return s"))
        rng = np.random.default_rng(r.randint(0, 10**6))
        arguments = (rng.uniform(0.2, 1.0, self.size), rng.uniform(-0.4, 0.4, 4), r.choice((0, 1, 2, 3)))
        return Program([Part("def f(u0, k, steps):", body)], arguments)

    def total(self, name: str) -> Part:
        part = Part(
            f"s += {name}[{', '.join(LETTERS[: self.d])}] ** 2 * {self.r.choice(['0.5', 'k[1]', 'w'])}"
        )
        for letter, size in reversed(list(zip(LETTERS, "nm"))[: self.d]):
            part = Part(f"for {letter} in range({size}):", [part])
        return part

    def nest(self) -> Part:
        """Loops with one to three statements in the middle, or some for each field."""
        r = self.r
        # bounds first: how far the subscripts may go to the right
        self.room = []
        heads = []
        for letter, size in list(zip(LETTERS, "nm"))[: self.d]:
            low, cut = r.choice((0, 0, 1, 1, 2)), r.choice((0, 1, 1, 2, 3))
            start = r.choice([f"{low}", f"{low}", f"{low}", f"lo{letter}"])
            if start.startswith("lo"):
                start = r.choice([f"{low}", f"min({low}, {size})"])
            stop = f"{size} - {cut}" if cut else size
            form = r.random()
            form = 0.5 if self.tame else form
            start = f"{low}" if self.tame else start
            if letter == "j" and form < 0.12:
                heads.append(f"for j in range(min(i, {stop})):")
                self.room.append((letter, 0, cut))
            elif form < 0.85:
                heads.append(
                    f"for {letter} in range({start}, {stop}):"
                    if start != "0"
                    else f"for {letter} in range({stop}):"
                )
                self.room.append((letter, low, cut))
            elif form < 0.93:
                heads.append(f"for {letter} in range({stop} - 1, {low} - 1, -1):")
                self.room.append((letter, low, cut))
            else:
                heads.append(f"for {letter} in range({low}, {stop}, 2):")
                self.room.append((letter, low, cut))
        statements = [self.statement() for _ in range(len(self.fields) - 1 + r.choice((1, 1, 2, 3)))]
        if r.random() < 0.25:
            statements.insert(0, Part(f"g = {self.expr()}"))
            last = statements[-1]
            statements[-1] = Part(
                f"{last.head} * g" if last.body is None else last.head, last.body, last.orelse
            )
        if r.random() < 0.12:
            statements = [Part(f"if {self.cell()} > {r.choice(['0.5177', '-0.2033'])}:", statements)]
        part: list[Part] = statements
        for k, head in reversed(list(enumerate(heads))):
            part = [Part(head, part)]
            if k == 1 and r.random() < 0.15:
                part.append(Part(f"{r.choice(self.new)}[i, 0] *= 0.9"))
        return part[0]

    def statement(self) -> Part:
        r = self.r
        target = r.choice(self.new if r.random() < 0.85 or self.tame else self.names)
        index = ", ".join(
            letter if r.random() < 0.93 or self.tame else self.subscript(k)
            for k, (letter, _, _) in enumerate(self.room)
        )
        op = r.choice(("=", "=", "=", "+=", "*="))
        value = self.expr()
        if op == "*=":
            value = f"(0.5 + 0.2 * {self.cell()})"
        elif op == "=":
            value = f"{self.cell()} + 0.3 * ({value})"
        else:
            value = f"0.2 * ({value})"
        if r.random() < 0.1:
            return Part(f"s += {value}")
        return Part(f"{target}[{index}] {op} {value}")

    def expr(self) -> str:
        r = self.r
        terms = []
        for _ in range(r.randint(1, 4)):
            form = r.random()
            a = self.cell()
            if form < 0.35:
                terms.append(f"{r.choice(['0.3', 'k[2]', 'w', '-0.5'])} * {a}")
            elif form < 0.6:
                terms.append(f"{a} * {self.cell()}")
            elif form < 0.7:
                terms.append(f"np.sin({a})")
            elif form < 0.8:
                terms.append(f"0.1 * {r.choice([x for x, _, _ in self.room])} * {a}")
            elif form < 0.9:
                terms.append(f"{a} / (1.5 + {self.cell()} ** 2)")
            else:
                terms.append(a)
        return " + ".join(terms)

    def subscript(self, k: int) -> str:
        """A subscript of dimension k that stays below the size; often below 0."""
        letter, low, cut = self.room[k]
        offset = self.r.randint(-low if self.tame else -2, cut)
        if offset + low < -self.size[k]:
            offset = 0
        if self.r.random() < 0.06 and not self.tame:
            return "0"
        return f"{letter} {'+' if offset > 0 else '-'} {abs(offset)}" if offset else letter

    def cell(self, fixed: bool = False) -> str:
        r = self.r
        name = r.choice(self.names if fixed or not self.tame else self.now or self.names)
        if fixed:
            return f"{name}[{', '.join(r.choice(['0', '-1', f'{s} // 2']) for s in 'nm'[: self.d])}]"
        return f"{name}[{', '.join(self.subscript(k) for k in range(self.d))}]"


def stencil(seed: str) -> Program:
    """The random program of a seed."""
    return Writer(random.Random(seed)).build()
