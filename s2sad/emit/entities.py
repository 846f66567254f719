"""The sweeps over a tape of entities: for every compute expression of the program a step back and a step on.

A step finds the operands, puts back what the statement overwrote, and hands its adjoint to the reverse sweep of the
compute expression. Arrays of so many axes lie in one heap; an adjoint gets its memory when it is touched first: `bars`
tells where it is, `seen` whether anything is in it. Adjoints and tangents have a row per direction: a step back is taken
once for each (what is put back stays as it was), a step on goes through the directions before it changes a value.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from s2sad.emit.module import Pair, Sweep, call, driver
from s2sad.emit.printer import to_source
from s2sad.emit.python import expression, statement
from s2sad.ir.names import Namer
from s2sad.ir.nodes import Expr, Kind, Stmt, Var, View
from s2sad.ir.walk import rename, variables
from s2sad.ops.kinds import kind_of
from s2sad.plan.computes import Compute

Lines = list[str]


@dataclass(frozen=True, slots=True)
class Step:
    """A compute expression, with what its two steps call.

    pair       its sweeps (None where nothing goes in), shadows of arrays, cotangents of results, places of the
               adjoints of numbers among what the reverse sweep gives
    tangent    its tangent, with the names of directions, by operand
    """

    number: int
    site: Compute
    pair: Pair | None
    shadows: Mapping[str, str]
    seeds: tuple[str | None, ...]
    seeded: tuple[str, ...]
    scalars: tuple[str, ...]
    tangent: Sweep
    directions: tuple[str, ...]


def carried(axes: Sequence[int], sizes: Iterable[int], mark: str) -> tuple[str, ...]:
    """The parameters for numbers and their adjoints or tangents; for arrays heap, places, and beside them either the heap
    of tangents, or where adjoints are and whether anything is in them; for values their fields, adjoints or tangents.
    """
    more = ("bars_{0}", "seen_{0}") if mark == "b" else ("reals_{0}_d",)
    arrays = [form.format(n) for n in axes for form in ("reals_{0}", "places_{0}", *more)]
    room = ("room",) if axes and mark == "b" else ()
    rows = (name for n in sizes for name in (f"fields_{n}", f"fields_{n}_{mark}"))
    return ("values", f"values_{mark}", *room, *arrays, *rows)


class Spot(NamedTuple):
    """A number among the indices of a statement; of a field of a value, how many there are, and which it is."""

    place: int
    size: int = 1
    field: int = 0


class Writer:
    """Writes the steps of one compute expression."""

    def __init__(self, step: Step, mark: str) -> None:
        self.step, self.mark = step, mark
        self.fn, self.kinds = step.site.function, step.site.function.kinds
        self.fixed = ("at", "here", "indices", "data", *carried(step.site.axes, step.site.sizes, mark))
        self.names = Namer([*self.kinds, *self.fn.constants])
        self.own = {name: self.names.fresh(name) for name in self.fixed}
        born = tuple(filter(step.site.is_array, step.site.lefts))
        rows = {r: (len(value), k) for value in step.site.gives for k, r in enumerate(value)}
        left = tuple(r for r in step.site.lefts if r not in born)
        heads = [r for r in left if rows.get(r, (1, 0))[1] == 0]
        first, behind = len(heads), len(heads) + len(step.site.arrays)
        self.born = {r: behind + k for k, r in enumerate(born)}
        self.place = {n: first + k for k, n in enumerate(step.site.arrays)}
        self.place |= {n: behind + len(born) + k for k, n in enumerate(step.site.numbers)}
        self.left: dict[str, Spot] = {}  # numbers, and the fields of values: where they are
        for r in left:
            self.left[r] = Spot(
                heads.index(r) if r in heads else len(set(heads) & set(self.left)) - 1, *rows.get(r, ())
            )
        self.right = {n: Spot(self.place[n]) for n in step.site.numbers}
        for k, held in enumerate(step.site.values):
            place = behind + len(born) + len(step.site.numbers) + k
            self.right |= {n: Spot(place, held.size, field) for n, field in held.fields}
        self.partner = {
            n: self.names.fresh(f"{n}_{mark}") for n in (*step.site.arrays, *step.site.numbers, *self.fields)
        }

    def __getitem__(self, name: str) -> str:
        return self.own[name]

    @property
    def params(self) -> str:
        return ", ".join(self.own.values())

    # ----- operands

    @property
    def fields(self) -> tuple[str, ...]:
        """Operands that are fields of values."""
        return tuple(n for held in self.step.site.values for n, _ in held.fields)

    def number(self, spot: Spot, mark: str = "", row: str = "") -> str:
        """Where a number is, or a field of a value; or its partner (of a direction)."""
        ahead, behind = f"{row}, " * bool(row), f", {spot.field}" * (spot.size > 1)
        table = self[f"fields_{spot.size}{mark}" if spot.size > 1 else f"values{mark}"]
        return f"{table}[{ahead}{self.index(spot.place)}{behind}]"

    def index(self, place: int) -> str:
        return f"{self['indices']}[{self['at']}{f' + {place}' * bool(place)}]"

    def whole(self, place: int, axes: int, partner: bool = False, row: str = "") -> str:
        """An array, or its partner (of a direction)."""
        where = f"{self[f'places_{axes}']}, {self.index(place)}, {axes}"
        if partner and self.mark == "b":
            places, rest = where.split(", ", 1)
            return f"adjoint({self['room']}, {places}, {self[f'bars_{axes}']}, {rest})"
        name = self[f"reals_{axes}{'_d' * partner}"] + row
        return f"entity({name}, {where})"

    def operand_lines(self) -> Lines:
        """Every array."""
        return [f"{n} = {self.whole(self.place[n], self.kinds[n].ndim)}" for n in self.step.site.arrays]

    def partner_lines(self, row: str = "") -> Lines:
        """The partner of every array."""
        return [
            f"{self.partner[n]} = {self.whole(self.place[n], self.kinds[n].ndim, True, row)}"
            for n in self.step.site.arrays
        ]

    @property
    def behind(self) -> int:
        """How many numbers, and values, may stand behind what was given."""
        return len(self.step.site.numbers) + len(self.step.site.values)

    def given_lines(self, start: int, behind: int) -> tuple[Lines, str]:
        """What was given, `behind` so many numbers, from the data; where the data go on then."""
        lines, where, k = [], self["here"], start
        arrays = [n for n in self.step.site.given if self.kinds[n].is_array]
        for n in self.step.site.given:
            if n not in arrays:
                word = f"{self['data']}[{where}{f' + {k}' * bool(k)}]"
                base = self.kinds[n].base
                lines.append(
                    f"{n} = " + {"int": f"bits_int({word})", "bool": f"{word} != 0.0"}.get(base, word)
                )
                k += 1
        here = f"{where}{f' + {k}' * bool(k)}"
        if not arrays and not behind:
            return lines, here
        lines.append(f"{where} += {k}") if k else None
        for n in arrays:
            kind = self.kinds[n]
            raw = n if kind.is_real else self.names.fresh(n)
            lines.append(f"{raw} = given_array({self['data']}, {where}, {kind.ndim})")
            lines.append(f"{where} += {kind.ndim} + {raw}.size")
            if raw != n:
                lines.append(f"{n} = {raw}" + (".view(np.int64)" if kind.base == "int" else " != 0.0"))
        return lines, where

    def number_lines(self, where: str) -> Lines:
        """The values of numbers, and of fields: in their vectors, or, where they are passive, among the data."""
        lines, step = [], self.step
        for n in step.site.numbers:
            index = self.index(self.place[n])
            lines.append(f"{n} = operand({self['values']}, {self['data']}, {index}, {where})")
            lines.append(f"{where} += {index} == 0")
        for held in step.site.values:
            table, index = self[f"fields_{held.size}"], self.index(self.right[held.fields[0][0]].place)
            for j, (n, field) in enumerate(held.fields):
                place = f"{where}{f' + {j}' * bool(j)}"
                lines.append(f"{n} = field_of({table}, {self['data']}, {index}, {field}, {place})")
            count = len(held.fields)
            lines.append(f"{where} += " + (f"{count} * ({index} == 0)" if count > 1 else f"{index} == 0"))
        return lines[:-1]

    def target(self) -> tuple[Lines, Lines, str, str, Kind]:
        """Lines that find what is stored into, and its partner; the text of both, its kind."""
        step, table = self.step, dict(self.partner)
        assert step.site.target is not None
        lines: Lines = []
        others: Lines = []
        for view in step.site.views:
            table[view.target] = self.names.fresh(f"{view.target}_{self.mark}")
            other = View(table[view.target], table[view.array], view.index, view.form)
            lines.append(text(view, self.kinds))
            others.append(text(other, self.kinds))
        name = variables(step.site.target)[0]
        mine, its = (shown(t) for t in (step.site.target, rename({name: table[name]}, step.site.target)))
        if isinstance(step.site.target, Var):
            mine, its = f"{mine}[...]", f"{its}[...]"
        return lines, others, mine, its, kind_of(step.site.target, self.kinds)


def back(step: Step, name: str, options: Mapping[str, str]) -> ast.FunctionDef:
    """The step of the reverse sweep."""
    w = Writer(step, "b")
    lines, inner, after = list[str](), list[str](), list[str]()
    cotangents: dict[str, str] = {}
    stored = step.site.form == "stored"
    if not stored:
        tests = []
        for k, (r, spot) in enumerate(w.left.items()):
            cotangents[r], its = w.names.fresh("w"), w.number(spot, "_b")
            old = f"{w['data']}[{w['here']}{f' + {k}' * bool(k)}]"
            lines += [f"{cotangents[r]} = {its}", f"{its} = 0.0", f"{w.number(spot)} = {old}"]
            tests.append(f"{cotangents[r]} != 0.0")
        for r, place in w.born.items():
            axes = w.kinds[r].ndim
            cotangents[r] = r_b = w.names.fresh(f"{r}_b")
            tests.append(f"{w[f'seen_{axes}']}[{w.index(place)}]")
            inner.append(f"{r_b} = {w.whole(place, axes, True)}")
            after += [f"{r_b}[...] = 0.0", f"{tests[-1]} = False"]
        test = " or ".join(tests)
        given, where = w.given_lines(len(w.left), w.behind)
        inner += [*w.operand_lines(), *w.partner_lines(), *given, *w.number_lines(where)] if step.pair else []
    else:
        found, others, mine, its, kind = w.target()
        seed = w.names.fresh("w")
        given, where = w.given_lines(0 if kind.is_array else 1, w.behind or kind.is_array)
        old = f"{w['data']}[{w['here']}]"
        lines = [*w.operand_lines(), *given, *found]
        if not kind.is_array and any(line.startswith(f"{w['here']} +=") for line in given):
            before = w.names.fresh("before")
            lines.insert(0, f"{before} = {old}")
            old = before
        root = owner(step)
        test = f"{w[f'seen_{w.kinds[root].ndim}']}[{w.index(w.place[root])}]"
        inner = [*w.partner_lines(), *others]
        if kind.is_array:
            before = w.names.fresh("before")
            lines.append(f"{before} = given_array({w['data']}, {where}, {kind.ndim})")
            lines += [f"{mine} = {before}"]
            if w.behind:
                lines.append(f"{where} += {kind.ndim} + {before}.size")
            source = its.removesuffix("[...]")
            inner += [f"{seed} = {source}.copy()", f"{its} = 0.0"]
        else:
            lines.append(f"{mine} = {old}")
            inner += [f"{seed} = {its}", f"{its} = 0.0"]
        cotangents[step.site.results[0]] = seed
        inner += w.number_lines(where)
    inner += reversed_lines(w, cotangents)
    inner += after
    lines += [f"if {test}:", *(f"    {line}" for line in inner)] if inner else []
    doc = f"Line {step.site.at.line}, backwards." if step.site.at.line else ""
    return function(name, w.params, lines, options, doc)


def reversed_lines(w: Writer, cotangents: Mapping[str, str]) -> Lines:
    """Lines that call the reverse sweep of a compute expression, and add up what it gives."""
    step = w.step
    if step.pair is None:
        return []
    lines: Lines = []
    arena = ""
    if step.pair.arena:
        arena = "arena"
        lines.append("arena = new_arena()")
        lines.append(call(step.pair.forward, step.site.function.params, arena))
    table = {shadow: w.partner[p] for p, shadow in step.shadows.items()}
    table |= {s: cotangents[r] for r, s in zip(step.site.results, step.seeds, strict=True) if s is not None}
    args = [*step.site.function.params, *(table[s] for s in step.seeded)]
    made = call(step.pair.reverse, args, arena)
    grads = [w.names.fresh(f"{n}_g") for n in step.scalars]
    lines.append(f"{', '.join(grads)} = {made}" if grads else made)
    for n, g in zip(step.scalars, grads, strict=True):
        lines.append(f"{w.number(w.right[n], '_b')} += {g}")
    for n in step.site.arrays:
        lines.append(f"{w[f'seen_{w.kinds[n].ndim}']}[{w.index(w.place[n])}] = True")
    return lines


def on(step: Step, name: str, options: Mapping[str, str]) -> ast.FunctionDef:
    """The step of the forward sweep: values once more, and tangents along every direction."""
    w = Writer(step, "d")
    section, found, mine, its = False, list[str](), "", ""
    if step.site.form == "stored":
        primal, others, mine, its, kind = w.target()
        found = [line for pair in zip(primal, others, strict=True) for line in pair]
        section = kind.is_array
    first = len(w.left) if step.site.form == "made" else int(not section)
    given, where = w.given_lines(first, w.behind or section)
    lines = [*w.operand_lines(), *given]
    if section and w.behind:
        before = w.names.fresh("before")
        lines += [f"{before} = given_array({w['data']}, {where}, {kind.ndim})"]
        lines += [f"{where} += {kind.ndim} + {before}.size"]
    lines += w.number_lines(where)
    d = w.names.fresh("d")
    inner = w.partner_lines(f"[{d}]")
    for n in (*step.site.numbers, *w.fields):
        inner.append(f"{w.partner[n]} = {w.number(w.right[n], '_d', d)}")
    values = [w.names.fresh("y") for _ in step.site.results]
    tangents = [w.names.fresh("y_d") for _ in step.site.results] if step.directions else []
    args = (*step.site.function.params, *(w.partner[n] for n in step.directions))
    inner.append(f"{', '.join((*values, *tangents))} = {step.tangent.name}({', '.join(args)})")
    slopes = tangents or ["0.0"] * len(values)
    after: Lines = []
    if step.site.form == "made":
        for r, y, y_d in zip(step.site.results, values, slopes, strict=True):
            if r in w.left:
                inner.append(f"{w.number(w.left[r], '_d', d)} = {y_d}")
                after.append(f"{w.number(w.left[r])} = {y}")
                continue
            index, axes = w.index(w.born[r]), w.kinds[r].ndim
            inner.append(f"settle({index}, {y}, {w[f'reals_{axes}']}, {w[f'places_{axes}']})")
            r_d = w.names.fresh(f"{r}_d")
            inner += [f"{r_d} = {w.whole(w.born[r], axes, True, f'[{d}]')}", f"{r_d}[...] = {y_d}"]
    else:
        inner += [*found, f"{its} = {slopes[0]}"]
        after.append(f"{mine} = {values[0]}")
    lines += [f"for {d} in range({w['values_d']}.shape[0]):", *(f"    {line}" for line in inner), *after]
    doc = f"Line {step.site.at.line}, forwards." if step.site.at.line else ""
    return function(name, w.params, lines, options, doc)


def owner(step: Step) -> str:
    """The array that a store writes into, through whatever views."""
    assert step.site.target is not None
    name = variables(step.site.target)[0]
    behind = {v.target: v.array for v in step.site.views}
    while name in behind:
        name = behind[name]
    return name


# ----- text ------------------------------------------------------------------------------------------------------


def function(name: str, params: str, lines: Lines, options: Mapping[str, str], doc: str) -> ast.FunctionDef:
    """A function that returns nothing."""
    made = driver(name, params, lines or ["pass"], "None", options, doc)
    made.body.pop()
    return made


def text(stmt: Stmt, kinds: Mapping[str, Kind]) -> str:
    """A statement as it is printed."""
    return to_source(ast.Module(statement(stmt, kinds), [])).strip()


def shown(expr: Expr) -> str:
    """An expression as it is printed."""
    made = ast.Expr(expression(expr))
    return to_source(ast.Module([made], [])).strip()
