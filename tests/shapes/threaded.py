"""Random programs with `prange`: loops whose trips write what is their own, and read what they like beside it."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np
from strategies import Part, Program

IMPORTS = "import math\n\nimport numba\nimport numpy as np\n"


@dataclass
class Threaded:
    """Writes one program."""

    r: random.Random
    names: int = 0
    here: list[str] = field(default_factory=list)  # scalars in sight inside the loop

    def build(self) -> Program:
        r = self.r
        n, m = r.choice((1, 2, 5, 8)), r.choice((1, 2, 3))
        body = [
            Part("n, m = A.shape"),
            Part("u, v = x.copy(), x.copy()"),
            Part("B = A.copy()"),
            Part("s = c"),
        ]
        steps = [p for _ in range(r.choice((1, 1, 2, 3))) for p in self.loop()]
        if r.random() < 0.4:
            swap = [Part("u, v = v, u")] if r.random() < 0.6 else []
            body += [Part("for t in range(steps):", steps + swap)]
        else:
            body += steps
        body.append(
            Part("for i in numba.prange(n):", [Part("s += u[i] * v[i]"), *self.row("s += B[i, j] * B[i, j]")])
        )
        body.append(Part("return s"))
        rng = np.random.default_rng(r.randint(0, 10**6))
        arguments = (
            rng.uniform(0.3, 0.9, n), rng.uniform(0.3, 0.9, (n, m)), 0.7, rng.uniform(-0.5, 0.5, 4),
            rng.integers(0, n, n), rng.permutation(n), r.choice((0, 1, 2)),
        )  # fmt: skip
        return Program([Part("def f(x, A, c, k, idx, perm, steps):", body)], arguments, IMPORTS)

    def fresh(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names}"

    def row(self, line: str) -> list[Part]:
        return [Part("for j in range(m):", [Part(line)])]

    def loop(self) -> list[Part]:
        """A loop in threads, and what leads up to it."""
        r = self.r
        self.target = r.choice(("u", "v", "B"))
        self.here = []
        form = r.random()
        if form < 0.12:  # every second element of one array, from those between
            place = r.choice(("2 * i", "2 * i + 1"))
            other = "2 * i + 1" if place == "2 * i" else r.choice(("2 * i", "2 * i + 2"))
            value = f"0.5 * u[{other}] + 0.2 * u[{place}] * u[{other}] + {self.cell(('v', 'B', 'x'))}"
            return [Part("for i in numba.prange((n - 1) // 2):", [Part(f"u[{place}] = {value}")])]
        if form < 0.2:  # any order
            return [
                Part("for i in numba.prange(n):", [Part(f"v[perm[i]] = 0.5 * {self.cell(('u', 'B', 'x'))}")])
            ]
        low, cut = r.choice(((0, 0), (0, 0), (1, 0), (0, 1), (1, 1)))
        self.low, self.cut = low, cut
        stop = f"n - {cut}" if cut else "n"
        head = f"for i in numba.prange({low}, {stop}):" if low else f"for i in numba.prange({stop}):"
        return [Part(head, [p for _ in range(r.choice((1, 2, 2, 3))) for p in self.statement()])]

    def statement(self) -> list[Part]:
        r = self.r
        form = r.random()
        if form < 0.2:
            sign = r.choice(("+=", "+=", "-="))
            lines = [Part(f"s {sign} 0.3 * {self.expr()}")]
            if r.random() < 0.3:
                lines = [Part(f"if {self.cell()} > 0.6123:", lines, [Part("s += c * 0.1")])]
            elif r.random() < 0.3:
                lines = [Part("for j in range(m):", lines)]
            return lines
        if form < 0.45:
            name = self.fresh("a")
            lines = [Part(f"{name} = {self.expr()}")]
            if r.random() < 0.5:
                bounds = r.choice(("n", "n", "i", "i + 1, n", "n - i", "i, min(i + 2, n)"))
                more = r.choice(
                    (f"{self.cell(at='q')} * {self.cell()}", f"np.sin({name} * {self.cell(at='q')})")
                )
                lines += [Part(f"for q in range({bounds}):", [Part(f"{name} += 0.2 * {more}")])]
            elif r.random() < 0.3:
                lines += [Part(f"if {name} > 0.4711:", [Part(f"{name} = {name} * np.sin({name})")])]
            elif r.random() < 0.2:
                lines += [
                    Part(f"while {name} > 0.4:", [Part(f"{name} = {name} * 0.7 - 0.01 * {self.cell()}")])
                ]
            self.here.append(name)
            return lines
        if form < 0.52:
            name = self.fresh("h")
            others = self.expr()
            made = [
                Part(f"{name} = np.zeros(3)"),
                Part(f"{name}[0] = {others}"),
                Part(f"{name}[2] = {name}[0] * {self.cell()}"),
            ]
            self.here += [f"{name}[0]", f"{name}[2]"]
            return made
        if form < 0.56:
            return [Part(f"s {r.choice(('*= 1.0 + 0.1', '= max(s, 0.0) + 0.1'))} * {self.cell()}")]
        if form < 0.62:
            return [Part("if x[i] > 5.0:", [Part('raise ValueError("large")')])]
        if self.target == "B":
            if r.random() < 0.25:
                return [
                    Part(
                        r.choice(("B[i, :] = A[i, :] * c", "B[i] += 0.1 * A[idx[i]]", "s += np.sum(A[i, :])"))
                    )
                ]
            return [Part("for j in range(m):", [Part(f"B[i, j] {self.op('B[i, j]')} {self.expr()}")])]
        place = f"{self.target}[i]"
        return [Part(f"{place} {self.op(place)} {self.expr()}")]

    def op(self, place: str) -> str:
        return self.r.choice(("=", "=", "+=", f"= 0.5 * {place} +", f"= 0.4 * {place} *"))

    def expr(self) -> str:
        r = self.r
        a, b = self.cell(), self.cell()
        return r.choice((
            f"0.3 * {a}", f"{a} * {b}", f"np.sin({a}) * c", f"k[{r.randint(0, 3)}] * {a}", f"np.exp(-{a} * {b}) + {b}",
            f"c * {a} - k[1] * {b}", f"{a} / (1.5 + {b} * {b})",
        ))  # fmt: skip

    def cell(self, arrays: tuple[str, ...] = (), at: str = "i") -> str:
        """An element that no other trip writes."""
        r = self.r
        own = self.here + ([f"{self.target}[i]"] if self.target != "B" and not arrays else [])
        if own and r.random() < 0.4 and at == "i":
            return r.choice(own)
        name = r.choice(arrays or [a for a in ("u", "v", "x", "A", "B") if a != self.target])
        steps = [f"{at}"] if at != "i" or arrays else ["i", "i", "idx[i]", "0", "-1"]
        if at == "i" and not arrays:
            steps += ["i - 1"] * 2 if self.low else []
            steps += ["i + 1"] * 2 if self.cut else []
        sub = r.choice(steps)
        return f"{name}[{sub}, {r.choice(('0', 'm - 1'))}]" if name in "AB" else f"{name}[{sub}]"


def threaded(seed: str) -> Program:
    """The random program of a seed."""
    return Threaded(random.Random(seed)).build()
