"""Random programs in the language of s2sad, as source text, with arguments to call them on.

`build(choices)` writes one program; what it chooses comes from `choices`, so that hypothesis (`programs()`)
and a seeded generator (`tests/fuzz.py`) drive the same code. Every program ends, keeps its values bounded
(as a rule) and stays away from kinks: it compares with numbers that its values don't take.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np
from aliases import Aliases
from buffers import Buffers
from cuts import Cuts
from hypothesis import strategies as st
from regions import Regions

T = TypeVar("T")

CONSTANTS = ("0.3", "0.5", "-0.7", "1.5", "2.0", "0.1")
LIMITS = ("0.0137", "0.2671", "-0.3119", "0.5377")  # for comparisons
TABLE = "TABLE = np.array([0.4, -0.9, 1.2, 0.7])"


class Choices:
    """Choices, all made by one function `integer(low, high)`, bounds included."""

    def __init__(self, integer: Callable[[int, int], int]) -> None:
        self.integer = integer

    def one_of(self, options: Sequence[T]) -> T:
        return options[self.integer(0, len(options) - 1)]

    def chance(self, percent: int) -> bool:
        return self.integer(0, 99) >= 100 - percent


@dataclass
class Part:
    """A statement; with a body, and perhaps an `else:`. `first` is a line of the body that is never cut out."""

    head: str
    body: list[Part] | None = None
    orelse: list[Part] | None = None
    first: str = ""

    @property
    def is_function(self) -> bool:
        """A definition, which may carry a mark."""
        return "def " in self.head

    def lines(self, indent: int = 0) -> list[str]:
        pad = "    " * indent
        out = [pad + self.head]
        if self.first:
            out.append(f"{pad}    {self.first}")
        if self.body is not None:
            out += [line for p in self.body for line in p.lines(indent + 1)] or [pad + "    pass"]
        if self.orelse:
            out += [pad + "else:", *(line for p in self.orelse for line in p.lines(indent + 1))]
        return out


@dataclass
class Program:
    """Helper functions and `f`, and the arguments of `f`."""

    parts: list[Part]
    arguments: tuple[Any, ...]
    imports: str = "import math\n\nimport numpy as np\n"

    @property
    def source(self) -> str:
        defs = ["\n".join(p.lines()) for p in self.parts]
        return "\n\n\n".join([f"{self.imports}\n{TABLE}", *defs]) + "\n"


@dataclass(frozen=True)
class Index:
    """An integer in [low, size - 1 - high] of a dimension; dimension "" is no dimension at all."""

    name: str
    dimension: str
    low: int = 0
    high: int = 0


@dataclass
class Scope:
    """The names in sight."""

    reals: list[str]
    vectors: list[str]  # of length n
    matrices: list[str]  # of shape (n, m)
    indices: list[Index]
    counters: list[str]  # integers >= 0, of any size
    depth: int = 0
    loops: int = 0
    open: int = 0  # loops that may be left here
    fenced: bool = False  # whether no `return` may stand here
    table: bool = False  # whether the table of subscripts `order` is in sight
    cuts: list[str] = field(default_factory=list)  # of length n - 1

    def inner(self, **changes: Any) -> Scope:
        lists = ("reals", "vectors", "matrices", "indices", "counters", "cuts")
        return replace(self, depth=self.depth + 1, **{k: list(getattr(self, k)) for k in lists} | changes)


@dataclass
class Builder(Aliases, Buffers, Cuts, Regions):
    """Writes one program."""

    choices: Choices
    sizes: dict[str, int]
    scalar_helpers: list[str] = field(default_factory=list)
    pair_helpers: list[str] = field(default_factory=list)
    array_helpers: list[str] = field(default_factory=list)
    result: Callable[[Scope], str] | None = None  # what an early `return` gives; None where there is none
    count: int = 0
    buffers: list[str] = field(default_factory=list)
    counted: set[str] = field(default_factory=set)  # variables of loops over ranges
    aliasing: bool = False  # whether arrays get several names often
    regions: bool = False  # whether stretches are run again often

    def part(self, head: str, body: list[Part] | None = None) -> Part:
        return Part(head, body)

    def fresh(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    # ------------------------------------------------------------ subscripts

    def subscript(self, s: Scope, dimension: str) -> str:
        """A valid subscript, often negative."""
        c, size = self.choices, self.sizes[dimension]
        usable = [i for i in s.indices if self.sizes.get(i.dimension) == size]
        forms = ["0", "-1", f"{dimension} - 1"]
        if s.counters:
            p = c.one_of(s.counters)
            forms += [f"{p} % {dimension}", f"({p} + 1) % {dimension}", f"{p} % {dimension} - 1"]
        if usable:
            i = c.one_of(usable)
            forms += [i.name] * 8 + [
                f"{i.name} - 1",
                f"{dimension} - 1 - {i.name}",
                f"({i.name} + 2) % {dimension}",
            ]
            forms += [f"{i.name} - {min(2, size)}", f"-{i.name} - 1"]
            if i.high >= 1:
                forms += [f"{i.name} + 1"] * 4
            if s.table and dimension == "n":
                forms += [f"order[{i.name}]"] * 2
            other = c.one_of(usable)
            forms += [f"({i.name} * {other.name}) % {dimension}", f"({i.name} + {other.name}) % {dimension}"]
        return c.one_of(forms)

    def place(self, s: Scope) -> str:
        """An array element."""
        if s.matrices and (not s.vectors or self.choices.chance(35)):
            return f"{self.choices.one_of(s.matrices)}[{self.subscript(s, 'n')}, {self.subscript(s, 'm')}]"
        return f"{self.choices.one_of(s.vectors)}[{self.subscript(s, 'n')}]"

    # ------------------------------------------------------------ expressions

    def leaf(self, s: Scope) -> str:
        c = self.choices
        forms: list[Callable[[], str]] = [lambda: c.one_of(CONSTANTS)]
        forms += [lambda: c.one_of(s.reals)] * 4 if s.reals else []
        forms += [lambda: self.place(s)] * 5 if s.vectors or s.matrices else []
        if s.indices:
            forms += [
                lambda: f"0.1 * ({c.one_of(s.indices).name} + 1)",
                lambda: f"TABLE[{c.one_of(s.indices).name} % 4]",
            ]
        if s.counters:
            forms += [lambda: f"0.1 * ({c.one_of(s.counters)} % 5)"]
        return c.one_of(forms)()

    def real(self, s: Scope, depth: int = 2) -> str:
        """A real expression; smooth, or with a kink that is out of the way."""
        c = self.choices
        if depth == 0 or c.chance(15):
            return self.leaf(s)
        a = self.real(s, depth - 1)
        b = self.real(s, depth - 1) if c.chance(60) else self.leaf(s)
        forms = [
            f"({a} + {b})",
            f"({a} - {b})",
            f"{_f(a)} * {_f(b)}",
            f"0.5 * {_f(a)} * {_f(b)}",
            f"{_f(a)} / (2.0 + {_f(b)} * {_f(b)})",
            f"np.sin({a})",
            f"np.cos({a})",
            f"math.sin({a})",
            f"np.tanh({a})",
            f"np.arctan({a})",
            f"np.exp(-{_f(a)} * {_f(a)})",
            f"np.sqrt(1.0 + {_f(a)} ** 2)",
            f"np.log(1.5 + {_f(a)} * {_f(a)})",
            f"-{_f(a)}",
            f"{_f(a)} ** 2",
            f"np.tanh({_f(a)} ** 3)",
            f"(1.1 + np.sin({a})) ** {c.one_of(['1.5', '2', '-1', b])}",
            f"np.arctan2({a}, 2.0 + {_f(b)} ** 2)",
            f"max({a}, {c.one_of(LIMITS)})",
            f"np.minimum({a}, {c.one_of(LIMITS)})",
            f"abs({a} - {c.one_of(LIMITS)})",
        ]
        if self.scalar_helpers:
            forms += [f"{c.one_of(self.scalar_helpers)}({a}, {b})"] * 2
        return c.one_of(forms)

    def bounded(self, s: Scope) -> str:
        """A real expression of moderate size, for what is carried around loops."""
        e = self.real(s)
        return self.choices.one_of([f"np.sin({e})", f"np.tanh({e})", f"0.3 * {_f(e)}", e] if s.loops else [e])

    def condition(self, s: Scope) -> str:
        c = self.choices
        active = f"{self.leaf(s)} {c.one_of(['<', '>', '<=', '>='])} {c.one_of(LIMITS)}"
        forms = [active] * 4 + [f"{self.real(s, 1)} > {c.one_of(LIMITS)}"]
        forms += [f"-0.4339 < {self.leaf(s)} <= 0.7331", f"not ({active})"]
        if s.indices:
            i = c.one_of(s.indices).name
            forms += [f"{i} % 2 == 0", f"{i} > {c.one_of(s.indices).name}", f"{i} != 1"]
            forms += [f"{active} and {i} > 0", f"{i} == 1 or {active}"]
        if s.counters:
            forms.append(f"{c.one_of(s.counters)} % 3 != 1")
        return c.one_of(forms)

    def array(self, s: Scope, names: list[str], depth: int = 2) -> str:
        """An elementwise expression in which at least one whole array of `names` stands."""
        c = self.choices
        a = c.one_of(names)
        if depth == 0:
            return a
        e = self.array(s, names, depth - 1)
        b = c.one_of([self.leaf(s), c.one_of(names), self.array(s, names, depth - 1)])
        if c.chance(12):
            b = self.turned(s, names)
        if names is s.matrices and s.vectors and self.sizes["n"] == self.sizes["m"] and c.chance(25):
            b = c.one_of(s.vectors)
        forms = [
            f"({e} + {b})",
            f"({e} - {b})",
            f"0.5 * {_f(e)} * {_f(b)}",
            f"{_f(e)} / (2.0 + {_f(b)} * {_f(b)})",
        ]
        forms += [f"np.{g}({e})" for g in ("sin", "cos", "tanh", "arctan")] + [f"{_f(e)} ** 2", f"-{_f(e)}"]
        forms += [f"np.exp(-{_f(e)} * {_f(e)})", f"np.maximum({e}, {c.one_of(LIMITS)})"]
        return c.one_of(forms)

    # ------------------------------------------------------------ statements

    def statement(self, s: Scope) -> list[Part]:
        c = self.choices
        kinds: list[Callable[[Scope], list[Part]]] = (
            [self.assign] * 5 + [self.augment] * 3 + [self.pair, self.ternary]
        )
        kinds += (
            [self.store] * 8
            + [self.whole] * 2
            + [self.update] * 2
            + [self.swap] * 2
            + [self.create, self.sum]
        )
        kinds += [self.counter] * 2 + [self.sectional] * 4
        kinds += [self.refill] * (8 if s.loops else 3) if self.buffers and s.loops < 3 else []
        kinds += [self.share] * 25 if self.aliasing else []
        if self.regions and s.depth < 3:
            kinds += [self.region] * 8 + [self.long_loop] * (8 if s.loops < 2 else 0)  # deeper takes too long
        kinds += [self.call] * 2 if self.pair_helpers or self.array_helpers else []
        if s.depth < 3:
            kinds += [self.loop] * (5 if s.loops < 3 else 0) + [self.branch] * 3
            kinds += [self.while_loop, self.each] if s.loops < 3 else []
        kinds += [self.leave] * (2 if s.open else 1 if self.result and not s.fenced else 0)
        return c.one_of(kinds)(s)

    def block(self, s: Scope, most: int) -> list[Part]:
        return [p for _ in range(self.choices.integer(1, most)) for p in self.statement(s)]

    def assign(self, s: Scope) -> list[Part]:
        value = self.bounded(s)
        if s.reals and self.choices.chance(65):
            return [Part(f"{self.choices.one_of(s.reals)} = {value}")]
        name = self.fresh("s")
        s.reals.append(name)
        return [Part(f"{name} = {value}")]

    def augment(self, s: Scope) -> list[Part]:
        if not s.reals:
            return self.assign(s)
        op = self.choices.one_of(["+=", "-=", "*="])
        value = f"np.cos({self.real(s)})" if op == "*=" else self.bounded(s)
        return [Part(f"{self.choices.one_of(s.reals)} {op} {value}")]

    def pair(self, s: Scope) -> list[Part]:
        if len(s.reals) < 2:
            return self.assign(s)
        a, b = self._two(s.reals)
        return [
            Part(
                self.choices.one_of(
                    [f"{a}, {b} = {b}, {a}", f"{a}, {b} = {self.bounded(s)}, {self.bounded(s)}"]
                )
            )
        ]

    def ternary(self, s: Scope) -> list[Part]:
        value = f"{self.bounded(s)} if {self.condition(s)} else {self.bounded(s)}"
        name = self.choices.one_of(s.reals) if s.reals and self.choices.chance(50) else self.fresh("s")
        if name not in s.reals:
            s.reals.append(name)
        return [Part(f"{name} = {value}")]

    def store(self, s: Scope) -> list[Part]:
        c = self.choices
        if not s.vectors and not s.matrices:
            return self.assign(s)
        place = self.place(s)
        if c.chance(8):
            other = self.place(s)
            return [Part(f"{place}, {other} = {other}, {place}")]
        op = c.one_of(["=", "=", "=", "+=", "-=", "*="])
        if op == "*=":
            return [Part(f"{place} *= np.cos({self.real(s, 1)})")]
        if c.chance(12):
            return [Part(f"{place} {op} {c.one_of([self.place(s), c.one_of(CONSTANTS)])}")]
        return [Part(f"{place} {op} {self.bounded(s)}")]

    def whole(self, s: Scope) -> list[Part]:
        names = self._family(s)
        if not names:
            return self.assign(s)
        value = self.array(s, names)
        if self.choices.chance(60):
            return [Part(f"{self.choices.one_of(names)} = {self._calm(s, value)}")]
        name = self.fresh("w")
        names.append(name)
        return [Part(f"{name} = {value}")]

    def update(self, s: Scope) -> list[Part]:
        names = self._family(s)
        if not names:
            return self.assign(s)
        target, c = self.choices.one_of(names), self.choices
        value = c.one_of([self.array(s, names, 1), self.leaf(s), self.array(s, names)])
        if names is s.matrices and s.vectors and self.sizes["n"] == self.sizes["m"] and c.chance(30):
            value = c.one_of(s.vectors)
        forms = [
            f"{target} += np.sin({value})",
            f"{target} -= 0.2 * {_f(value)}",
            f"{target} *= np.cos({value})",
        ]
        return [
            Part(c.one_of([*forms, f"{target} += 0.3 * {_f(value)}", f"{target} /= 1.2 + np.sin({value})"]))
        ]

    def swap(self, s: Scope) -> list[Part]:
        names = self._family(s)
        if len(names) < 2:
            return self.whole(s)
        if len(names) > 2 and self.choices.chance(30):
            a, b, d = names[-3:]
            return [Part(f"{a}, {b}, {d} = {b}, {d}, {a}")]
        a, b = self._two(names)
        return [Part(f"{a}, {b} = {b}, {a}")]

    def create(self, s: Scope) -> list[Part]:
        c = self.choices
        names = self._family(s)
        if not names:
            return self.assign(s)
        old, new = c.one_of(names), self.fresh("w")
        shape = "n" if names is s.vectors else "(n, m)"
        forms = [f"{old}.copy()"] * 3 + [
            f"np.zeros({shape})",
            f"np.zeros_like({old})",
            f"np.full({shape}, {self.leaf(s)})",
        ]
        value = c.one_of(forms)
        if c.chance(4):
            value = old
        if c.chance(25):
            return [Part(f"{c.one_of(names)} = {value}")]
        names.append(new)
        return [Part(f"{new} = {value}")]

    def sum(self, s: Scope) -> list[Part]:
        names = self._family(s)
        if not names:
            return self.assign(s)
        name = self.fresh("s")
        form = self.choices.one_of(
            [f"0.3 * np.sum({self.array(s, names)})", f"np.sin(np.sum({self.choices.one_of(names)}))"]
        )
        s.reals.append(name)
        return [Part(f"{name} = {form}")]

    def counter(self, s: Scope) -> list[Part]:
        c = self.choices
        if not s.counters:
            name = self.fresh("p")
            s.counters.append(name)
            return [Part(f"{name} = {c.integer(0, 3)}")]
        p = c.one_of(s.counters)
        forms = [
            f"{p} += 1",
            f"{p} = ({p} + 2) % {'n' if s.vectors else '3'}",
            f"{p} = {p} + {c.integer(1, 3)}",
        ]
        if s.indices:
            forms.append(f"{p} += {c.one_of(s.indices).name}")
        return [Part(c.one_of(forms))]

    def call(self, s: Scope) -> list[Part]:
        c = self.choices
        if self.array_helpers and s.vectors and (not self.pair_helpers or c.chance(60)):
            a, b = c.one_of(s.vectors), c.one_of(s.vectors)
            return [Part(f"{c.one_of(self.array_helpers)}({a}, {b}, {self.real(s, 1)}, n)")]
        if not self.pair_helpers:
            return self.assign(s)
        value = f"{c.one_of(self.pair_helpers)}({self.leaf(s)}, {self.leaf(s)})"
        names = (
            self._two(s.reals) if len(s.reals) > 1 and c.chance(60) else (self.fresh("s"), self.fresh("s"))
        )
        s.reals += [x for x in names if x not in s.reals]
        return [Part(f"{names[0]}, {names[1]} = {value}")]

    def loop(self, s: Scope) -> list[Part]:
        c, k = self.choices, self.fresh("i")
        if not s.vectors and not s.matrices:
            body = self.block(
                s.inner(indices=[*s.indices, Index(k, "")], loops=s.loops + 1, open=s.open + 1), 3
            )
            return [Part(f"for {k} in range({c.integer(0, 3)}):", body)]
        d = c.one_of(["n", "m"] if s.matrices else ["n"])
        heads = [(f"range({d})", Index(k, d))] * 4
        heads += [(f"range(1, {d})", Index(k, d, low=1)), (f"range({d} - 1)", Index(k, d, high=1))]
        heads += [(f"range(1, {d} - 1)", Index(k, d, low=1, high=1))] * 2
        heads += [(f"range({d} - 1, -1, -1)", Index(k, d)), (f"range(0, {d}, 2)", Index(k, d))]
        heads += [(f"range({c.integer(0, 3)})", Index(k, ""))] * 2
        inner = [i for i in s.indices if i.dimension == d]
        if inner:
            i = c.one_of(inner)
            heads += [(f"range({i.name})", Index(k, d, high=1)), (f"range({i.name} + 1)", Index(k, d))]
            heads += [
                (f"range({i.name}, {d})", Index(k, d)),
                (f"range({i.name} + 1, {d})", Index(k, d, low=1)),
            ]
        if s.counters:
            heads.append((f"range({c.one_of(s.counters)} % 3)", Index(k, "")))
        head, index = c.one_of(heads)
        again = [i for i in s.indices if i.name in self.counted and i.dimension == index.dimension]
        again = [i for i in again if i.low <= index.low and i.high <= index.high]
        if again and c.chance(25):  # by the name of a loop around it
            index = replace(index, name=(k := c.one_of(again).name))
        self.counted.add(k)
        indices = [*(i for i in s.indices if i.name != k), index]
        body = self.block(s.inner(indices=indices, loops=s.loops + 1, open=s.open + 1), 4)
        return [Part(f"for {k} in {head}:", body, self.otherwise(s))]

    def otherwise(self, s: Scope) -> list[Part] | None:
        """The `else` of a loop."""
        return self.block(s.inner(), 1) if self.choices.chance(12) else None

    def while_loop(self, s: Scope) -> list[Part]:
        c, k = self.choices, self.fresh("k")
        test = f"{k} < {c.integer(1, 3)}"
        head = c.one_of([test, f"{test} and ({self.condition(s)})", f"({self.condition(s)}) and {test}"])
        body = self.block(s.inner(indices=[*s.indices, Index(k, "")], loops=s.loops + 1, open=s.open + 1), 3)
        if c.chance(20):
            head, body = "True", [Part(f"if not ({head}):", [Part("break")]), *body]
        return [Part(f"{k} = 0"), Part(f"while {head}:", body, self.otherwise(s), f"{k} += 1")]

    def each(self, s: Scope) -> list[Part]:
        """A loop over what arrays and tuples hold."""
        c, k, v, w = self.choices, self.fresh("i"), self.fresh("e"), self.fresh("e")
        if not s.vectors:
            x, y = self.leaf(s), self.leaf(s)
            head, new, indices = f"for {v} in ({x}, {y}):", [v], []
        else:
            a, b = c.one_of(s.vectors), c.one_of(s.vectors)
            head, new, indices = c.one_of(
                [
                    (f"for {v} in {a}:", [v], []),
                    (f"for {k}, {v} in enumerate({a}):", [v], [Index(k, "n")]),
                    (f"for {v}, {w} in zip({a}, {b}):", [v, w], []),
                    (f"for {k} in reversed(range(n)):", [], [Index(k, "n")]),
                    (
                        f"for {v}, {w} in (({self.leaf(s)}, {self.leaf(s)}), (0.3, {self.leaf(s)})):",
                        [v, w],
                        [],
                    ),
                ]
            )
        inner = s.inner(
            reals=[*s.reals, *new], indices=[*s.indices, *indices], loops=s.loops + 1, open=s.open + 1
        )
        return [Part(head, self.block(inner, 3), self.otherwise(s))]

    def leave(self, s: Scope) -> list[Part]:
        """A way out of a loop, or of the function."""
        ways = ["break", "break", "continue"] if s.open else []
        if self.result is not None and not s.fenced:
            ways.append(f"return {self.result(s)}".rstrip())
        return [Part(f"if {self.condition(s)}:", [Part(self.choices.one_of(ways))])]

    def branch(self, s: Scope) -> list[Part]:
        then = self.block(s.inner(), 2)
        orelse = self.block(s.inner(), 2) if self.choices.chance(60) else None
        return [Part(f"if {self.condition(s)}:", then, orelse)]

    # ------------------------------------------------------------ helpers and results

    def helpers(self) -> list[Part]:
        c, parts = self.choices, []
        for _ in range(c.integer(0, 2)):
            kind, name = c.one_of(["scalar", "pair", "array"]), self.fresh("h")
            early = c.chance(50)
            s = Scope(["a", "b"], [], [], [], [])
            if kind == "array":
                s = Scope(["a"], ["q", "r"], [], [], [])
                self.result = (lambda s: "") if early else None
                head = f"{self.mark()}def {name}(q, r, a, n):"
                parts.append(Part(head, self.block(s, 3) + self.loop(s)))
                self.array_helpers.append(name)
                self.result = None
                continue
            body = [p for _ in range(c.integer(0, 2)) for p in self.assign(s)]
            if early and kind == "pair":
                self.result = lambda s: f"{self.bounded(s)}, {self.leaf(s)}"
            elif early:
                self.result = lambda s: f"np.cos({self.real(s, 1)})"
            if c.chance(40):
                body += self.branch(s)
            if early and c.chance(50):
                body += self.loop(s)
            self.result = None
            result = f"np.sin({self.real(s)})" + (f", {self.bounded(s)}" if kind == "pair" else "")
            parts.append(Part(f"{self.mark()}def {name}(a, b):", [*body, Part(f"return {result}")]))
            (self.scalar_helpers if kind == "scalar" else self.pair_helpers).append(name)
        return parts

    def mark(self) -> str:
        """What stands above a helper."""
        return "@s2sad.checkpoint\n" if self.regions and self.choices.chance(50) else ""

    def results(self, s: Scope) -> list[Part]:
        c = self.choices
        parts = [Part("total = 0.0")]
        parts += [Part(f"total += {0.3 + 0.1 * k:.1f} * {x}") for k, x in enumerate(s.reals)]
        for k, a in enumerate(s.vectors + s.matrices + s.cuts):
            parts.append(Part(f"total += {0.7 - 0.1 * k:.1f} * np.sum({a})"))
        arrays = s.vectors + s.matrices
        if arrays and self.result is None and c.chance(30):
            return [*parts, Part(f"return {c.one_of(arrays)}" + (", total" if c.chance(50) else ""))]
        return [*parts, Part("return total")]

    # ------------------------------------------------------------ small things

    def _family(self, s: Scope) -> list[str]:
        """The vectors, or the matrices."""
        if s.matrices and (not s.vectors or self.choices.chance(35)):
            return s.matrices
        return s.vectors

    def _two(self, names: list[str]) -> tuple[str, str]:
        k = self.choices.integer(0, len(names) - 1)
        return names[k], names[(k + 1) % len(names)]

    def _calm(self, s: Scope, value: str) -> str:
        return f"np.tanh({value})" if s.loops and self.choices.chance(50) else value


def build(choices: Choices, aliasing: bool = False, regions: bool = False) -> Program:
    """One random program; with names that share arrays, with stretches that are run again."""
    sizes = {"n": choices.integer(1, 4)}
    sizes["m"] = choices.one_of([sizes["n"], choices.integer(1, 4)])
    builder = Builder(choices, sizes, aliasing=aliasing, regions=regions)
    table = choices.chance(30)
    helpers = builder.helpers() + (builder.alias_helpers() if aliasing else [])
    reals = ["x", "y"][: choices.integer(1, 2)]
    vectors = ["u", "v"][: choices.integer(1, 2)]
    matrices = ["A"] if choices.chance(40) else []
    scope = Scope(list(reals), list(vectors), list(matrices), [], [], table=table)
    builder.result = builder.bounded if choices.chance(30) else None
    body = []
    for name in ("a", "b")[: choices.integer(0, 2)]:  # arrays of its own, to overwrite and to swap
        old = choices.one_of(scope.vectors)
        body.append(
            Part(
                f"{name} = {choices.one_of([f'{old}.copy()', f'0.5 * {old}', f'np.zeros_like({old})', 'np.ones(n)'])}"
            )
        )
        scope.vectors.append(name)
    if choices.chance(25):
        name = builder.fresh("r")
        body.append(
            Part(f"{name} = {choices.one_of(['np.empty(n)', 'np.zeros(n)', f'np.empty_like({vectors[0]})'])}")
        )
        body.append(Part("for k in range(n):", [Part(f"{name}[k] = 0.1 * k")])) if choices.chance(
            20
        ) else None
        builder.buffers.append(name)
        body += builder.refill(scope)
    body += [p for _ in range(choices.integer(2, 7)) for p in builder.statement(scope)]
    body += builder.results(scope)

    numbers = iter(np.sin(choices.integer(0, 999) + 1.7 * np.arange(60)) * 0.9)
    take = lambda k: np.array([next(numbers) for _ in range(k)])  # noqa: E731
    n, m = sizes["n"], sizes["m"]
    arguments: list[Any] = [float(next(numbers)) for _ in reals]
    arguments += [take(n) for _ in vectors] + [take(n * m).reshape(n, m) for _ in matrices]
    names = [*reals, *vectors, *matrices]
    if table:
        names.append("order")
        arguments.append(np.array([choices.integer(-n, n - 1) for _ in range(n)]))
    main = Part(f"def f({', '.join([*names, 'n', 'm'])}):", body)
    made = Program([*helpers, main], (*arguments, n, m))
    return replace(made, imports=made.imports + "\nimport s2sad\n") if regions else made


@st.composite
def programs(draw: st.DrawFn, aliasing: bool = False, regions: bool = False) -> Program:
    """Random programs, as a strategy of hypothesis."""
    return build(Choices(lambda low, high: draw(st.integers(low, high))), aliasing, regions)


def _f(e: str) -> str:
    """An expression as a factor: parenthesised where it isn't a name, a number, a subscript or a call."""
    return f"({e})" if e.startswith("-") or " " in e.split("(")[0].split("[")[0] or not _closed(e) else e


def _closed(e: str) -> bool:
    """Whether e is one piece: no operator outside brackets."""
    level = 0
    for ch in e:
        level += (ch in "([") - (ch in ")]")
        if level == 0 and ch == " ":
            return False
    return True
