"""Derivatives of solutions of initial value problems, by equations of their own, with the solver's own options.

Forward, the variational equation is solved together with the problem: v' = f_y v + f_p p_d from v = y0_d on. On the
way back, the adjoint equation is, from each time to the one before, l' = -f_y^T l, together with the problem again
(which begins at the value that was found) and the integrals of what the parameters get, g' = -f_p^T l; at each time the
cotangent of the value there is added to l. Both are functions in the IR, made of calls of the tangent and the pullback of
the right-hand side, and of solutions of wider problems. So they can be differentiated as all others are, to any order.

That time t_k is later by dt moves y(t_k) by f dt, and the whole path by -f dt where it is the time of the start. Nothing
flows to the solver's options: the solution doesn't depend on how closely it is followed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from s2sad.analyses.speech import once
from s2sad.handlers.drafts import Draft, Names
from s2sad.ir.names import Namer
from s2sad.ir.nodes import (
    INT,
    REAL,
    Apply,
    Assign,
    Call,
    Const,
    Expr,
    For,
    Function,
    If,
    Kind,
    Load,
    New,
    Rule,
    Slice,
    Stmt,
    Store,
    Var,
    View,
)
from s2sad.ir.paths import MATRIX, OPTIONS, VECTOR, path
from s2sad.ops.build import add, mul, neg, sub
from s2sad.tidy.ends import ended

NOUGHT, ONE, TWO = Const(0), Const(1), Const(2)


class Parts:
    """What is known of a solution: its right-hand side, and the parameters that it is differentiated for."""

    def __init__(self, fn: Function, wrt: Names, functions: Mapping[str, Function]) -> None:
        assert fn.rule is not None
        (call,) = fn.rule.calls
        self.fn, self.rate, self.functions = fn, call.function, functions
        self.y0, self.t = fn.params[:2]
        self.rest, self.options = fn.params[2 : -len(OPTIONS)], fn.params[-len(OPTIONS) :]
        self.wrt = tuple(p for p in wrt if p not in self.options)
        self.active = tuple(p for p in self.rest if p in wrt)
        once((call,), functions)
        namer = Namer(fn.params)
        self.slopes = {p: namer.fresh(f"{p}_t") for p in wrt}
        self.kinds = {p: fn.kinds[p] for p in fn.params}
        self.kinds |= {d: fn.kinds[p].slope for p, d in self.slopes.items()}

    @property
    def inner(self) -> Names:
        """The parameters of the right-hand side that it is differentiated for: the vector, and those that are active."""
        params = self.functions[self.rate].params
        return (params[0], *(params[2 + self.rest.index(p)] for p in self.active))

    def of(self, names: Sequence[str]) -> dict[str, Kind]:
        """Names with their kinds."""
        return {name: self.kinds[name] for name in names}

    def sheet(self, params: Mapping[str, Kind]) -> Sheet:
        """A function of such parameters, to be put together; all other names that are known here are taken."""
        sheet = Sheet(replace(self.fn, params=tuple(params), kinds=params, results=(), rule=None))
        sheet.namer.take(*self.kinds)
        return sheet


class Sheet(Draft):
    """A function of vectors, being put together."""

    def vector(self, stem: str) -> str:
        return self.name(stem, VECTOR)

    def part(self, stem: str, part: Load) -> str:
        """A part of a vector, or a row of a matrix, in an array of its own."""
        name = self.name(stem, Kind("real", sum(isinstance(i, Slice) for i in part.index)))
        self.emit(New(name, Apply("copy", (part,)), self.fn.at))
        return name

    def put(self, part: Load, value: Expr) -> None:
        """`part = value`."""
        self.emit(Store(part.array, part.index, value, self.fn.at))

    def to(self, name: str, value: Expr) -> None:
        self.emit(Assign(name, value, self.fn.at))

    def calls(self, function: str, targets: Sequence[str], args: Sequence[str]) -> None:
        self.emit(Call(tuple(targets), function, tuple(map(Var, args)), at=self.fn.at))

    @contextmanager
    def block(self) -> Iterator[list[Stmt]]:
        """Statements apart: those that are emitted meanwhile."""
        outer, self.lines = self.lines, []
        yield self.lines
        self.lines = outer

    @contextmanager
    def loop(self, k: str, start: Expr, stop: Expr, step: Expr) -> Iterator[None]:
        """A loop; what is emitted meanwhile is its body."""
        with self.block() as body:
            yield
        self.emit(For(k, start, stop, step, tuple(body), self.fn.at))

    @contextmanager
    def where(self, test: Expr) -> Iterator[None]:
        """A branch; what is emitted meanwhile is its body."""
        with self.block() as body:
            yield
        self.emit(If(test, tuple(body), (), self.fn.at))

    def done(self, name: str, results: Sequence[str], doc: str) -> Function:
        """The function; its arrays end."""
        function = self.function(name, self.fn.params, map(Var, results), doc)
        arrays = {n for n, kind in function.kinds.items() if kind.is_array}
        return replace(function, body=ended(function.body, arrays))

    def rate(self, parts: Parts, y: str, time: Expr) -> str:
        """The right-hand side at some point."""
        s, made = self.name("s", REAL), self.vector("f")
        self.to(s, time)
        self.calls(parts.rate, (made,), (y, s, *parts.rest))
        return made


def length(array: str) -> Expr:
    """The number of elements of a vector, or of rows."""
    return Apply("shape", (Var(array), NOUGHT))


def section(array: str, start: Expr | None = None, stop: Expr | None = None) -> Load:
    """`array[start:stop]`."""
    return Load(array, (Slice(start, stop),))


def row(array: str, k: Expr, start: Expr | None = None) -> Load:
    """`array[k, start:]`."""
    return Load(array, (k, Slice(start)))


# ----- forward -----------------------------------------------------------------------------------------------


def tangent(name: str, fn: Function, wrt: Names, program: Any) -> Function:
    """The tangent of a solution for some of its parameters; `program` gets the functions that it calls.

    ::

        y = swing_path(y0, t, k)
        z[:n], z[n:] = y0, y0_t
        both = swing_wide_path(z, t, k, k_t)
        y_d = both[:, n:].copy()
    """
    parts = Parts(fn, wrt, program.functions)
    pushed = program.callee(parts.rate, parts.inner)
    wide = program.taken.names.fresh(f"{parts.rate}_wide")
    wider = program.taken.names.fresh(f"{wide}_path")
    along = [parts.slopes[p] for p in parts.active]
    program.functions[wide] = _wide(wide, parts, pushed, along)
    program.functions[wider] = path(wider, wide, parts.of((*parts.rest, *along)), fn.at, own=False)
    new = parts.sheet(parts.of((*fn.params, *parts.slopes.values())))
    n, k, z = new.name("n", INT), new.name("k", INT), new.vector("z")
    y, both = new.name("y", MATRIX), new.name("both", MATRIX)
    new.calls(fn.name, (y,), fn.params)
    new.to(n, length(parts.y0))
    new.emit(New(z, Apply("zeros", (mul(TWO, Var(n)),)), fn.at))
    new.put(section(z, None, Var(n)), Var(parts.y0))
    end = section(z, Var(n))
    if parts.y0 in wrt:
        new.put(end, Var(parts.slopes[parts.y0]))
    if parts.t in wrt:
        slope = new.rate(parts, parts.y0, Load(parts.t, (NOUGHT,)))
        new.put(end, sub(end, mul(Load(parts.slopes[parts.t], (NOUGHT,)), Var(slope))))
    new.calls(wider, (both,), (z, parts.t, *parts.rest, *along, *parts.options))
    y_d = new.part("y_d", Load(both, (Slice(), Slice(Var(n)))))
    if parts.t in wrt:
        with new.loop(k, NOUGHT, length(parts.t), ONE):
            slope = new.rate(parts, new.part("y_k", row(y, Var(k))), Load(parts.t, (Var(k),)))
            moved = mul(Load(parts.slopes[parts.t], (Var(k),)), Var(slope))
            new.put(row(y_d, Var(k)), add(row(y_d, Var(k)), moved))
    return new.done(name, (y, y_d), f"`{fn.name}` and its tangent, by the variational equation.")


def _wide(name: str, parts: Parts, pushed: str, along: Sequence[str]) -> Function:
    """The right-hand side of a problem and its variational equation: of y and of v, one behind the other."""
    z, s = map(Namer(parts.kinds).fresh, "zs")
    new = parts.sheet({z: VECTOR, s: REAL, **parts.of((*parts.rest, *along))})
    n, dy, dv, dz = new.name("n", INT), *map(new.vector, ("y_t", "v_t", "z_t"))
    new.to(n, Apply("floordiv", (length(z), TWO)))
    y, v = new.part("y", section(z, None, Var(n))), new.part("v", section(z, Var(n)))
    new.calls(pushed, (dy, dv), (y, s, *parts.rest, v, *along))
    new.emit(New(dz, Apply("zeros_like", (Var(z),)), parts.fn.at))
    new.put(section(dz, None, Var(n)), Var(dy))
    new.put(section(dz, Var(n)), Var(dv))
    return new.done(name, (dz,), f"`{parts.rate}` and its tangent, of two vectors one behind the other.")


# ----- backwards ---------------------------------------------------------------------------------------------


def with_halves(fn: Function, wrt: Names, program: Any) -> Function:
    """The solution with a rule of two halves, for some of its parameters; `program` gets the functions that it calls.

    The second half, with w = (y, l, g) one behind the other::

        for k in range(len(t) - 1, 0, -1):
            w[:n] = y[k]
            w[n:2 * n] += y_b[k]
            back = swing_back_path(w, (t[k], t[k - 1]), p, n)
            w[n:] = back[1, n:]
        y0_b, p_b = w[n:2 * n] + y_b[0], w[2 * n:]
    """
    parts, names = Parts(fn, wrt, program.callees), program.taken.names
    pulled = program.pullback(parts.rate, parts.inner, (0,))
    inner = names.fresh(f"{parts.rate}_back")
    outer, half = names.fresh(f"{inner}_path"), names.fresh(f"{fn.name}_back")
    n = Namer(parts.kinds).fresh("n")
    program.callees[inner] = _back(inner, parts, pulled, n)
    program.callees[outer] = path(outer, inner, {**parts.of(parts.rest), n: INT}, fn.at, own=False)
    program.callees[half] = function = _half(half, parts, outer)
    made = tuple(e.name for e in function.results if isinstance(e, Var))
    y, y_b = function.params[-2:]
    ahead = Call((y,), fn.name, tuple(map(Var, fn.params)), at=fn.at)
    back = Call(made, half, tuple(map(Var, function.params)), at=fn.at)
    return replace(fn, rule=Rule("vjp", (ahead, back), parts.wrt, (y_b,), (y,), made, function.kinds))


def _back(name: str, parts: Parts, pulled: str, n: str) -> Function:
    """The right-hand side of a problem, of its adjoint equation, and of what the parameters get."""
    w, s = map(Namer((*parts.kinds, n)).fresh, "ws")
    new = parts.sheet({w: VECTOR, s: REAL, **parts.of(parts.rest), n: INT})
    twice = mul(TWO, Var(n))
    y, line = new.part("y", section(w, None, Var(n))), new.part("lam", section(w, Var(n), twice))
    dy, y_b, dw = map(new.vector, ("y_t", "y_b", "w_t"))
    made = [new.name(f"{p}_b", parts.fn.kinds[p].slope) for p in parts.active]
    new.calls(pulled, (dy, y_b, *made), (y, s, *parts.rest, line))
    new.emit(New(dw, Apply("zeros_like", (Var(w),)), parts.fn.at))
    new.put(section(dw, None, Var(n)), Var(dy))
    new.put(section(dw, Var(n), twice), neg(Var(y_b)))
    for p, first, last in places(new, parts, twice):
        g = made[parts.active.index(p)]
        if not new.kinds[g].is_array:
            new.put(Load(dw, (first,)), neg(Var(g)))
            continue
        if new.kinds[g].ndim > 1:
            flat = new.vector(g)
            new.emit(View(flat, g, (sub(last, first),), "reshape", parts.fn.at))
            g = flat
        new.put(section(dw, first, last), neg(Var(g)))
    doc = f"`{parts.rate}` and its adjoint equation, of y, its adjoint, and what the parameters get."
    return new.done(name, (dw,), doc)


def _half(name: str, parts: Parts, outer: str) -> Function:
    """The adjoints of the parameters, from the solution and its cotangent."""
    y, y_b = map(Namer(parts.kinds).fresh, ("y", "y_b"))
    fn, at = parts.fn, parts.fn.at
    new = parts.sheet({**parts.of(fn.params), y: MATRIX, y_b: MATRIX})
    n, k, w, span = new.name("n", INT), new.name("k", INT), new.vector("w"), new.vector("span")
    now = Var(k)
    new.to(n, length(parts.y0))
    twice = mul(TWO, Var(n))
    spots = list(places(new, parts, twice))
    new.emit(New(w, Apply("zeros", (spots[-1][2] if spots else twice,)), at))
    new.emit(New(span, Apply("zeros", (TWO,)), at))
    line = section(w, Var(n), twice)
    results = {p: new.name(f"{p}_b", fn.kinds[p].slope) for p in parts.wrt}
    if parts.t in results:
        new.emit(New(results[parts.t], Apply("zeros_like", (Var(parts.t),)), at))

    def moved(here: str, k: Expr, weight: Load) -> Expr:
        """What time k gets."""
        product = new.vector("p")
        slope = new.rate(parts, here, Load(parts.t, (k,)))
        new.emit(New(product, mul(Var(slope), weight), at))
        return Apply("sum", (Var(product),))

    with new.loop(k, sub(length(parts.t), ONE), NOUGHT, Const(-1)):
        new.put(section(w, None, Var(n)), row(y, now))
        new.put(line, add(line, row(y_b, now)))
        new.put(Load(span, (NOUGHT,)), Load(parts.t, (now,)))
        new.put(Load(span, (ONE,)), Load(parts.t, (sub(now, ONE),)))
        if parts.t in results:
            here = new.part("y_k", row(y, now))
            new.put(Load(results[parts.t], (now,)), moved(here, now, row(y_b, now)))
        before, back = Load(parts.t, (sub(now, ONE),)), new.name("back", MATRIX)
        with new.where(Apply("ne", (Load(parts.t, (now,)), before))):
            new.calls(outer, (back,), (w, span, *parts.rest, n, *parts.options))
            new.put(section(w, Var(n)), row(back, ONE, Var(n)))
    if parts.t in results:
        new.put(Load(results[parts.t], (NOUGHT,)), neg(moved(parts.y0, NOUGHT, line)))
    if parts.y0 in results:
        new.emit(New(results[parts.y0], add(line, row(y_b, NOUGHT)), at))
    for p, first, last in spots:
        if not fn.kinds[p].is_array:
            new.to(results[p], Load(w, (first,)))
        elif fn.kinds[p].ndim == 1:
            new.emit(New(results[p], Apply("copy", (section(w, first, last),)), at))
        else:
            flat, seen = new.part("g", section(w, first, last)), new.name("g", fn.kinds[p])
            lengths = tuple(Apply("shape", (Var(p), Const(j))) for j in range(fn.kinds[p].ndim))
            new.emit(View(seen, flat, lengths, "reshape", at))
            new.emit(New(results[p], Apply("copy", (Var(seen),)), at))
    doc = f"The adjoints of the arguments of `{fn.name}`, by the adjoint equation."
    return new.done(name, [results[p] for p in parts.wrt], doc)


def places(new: Sheet, parts: Parts, first: Expr) -> Iterator[tuple[str, Expr, Expr]]:
    """Where in a vector what the parameters get stands, from some place on: from here to there."""
    for p in parts.active:
        size: Expr = ONE
        for j in range(parts.fn.kinds[p].ndim):
            size = mul(size, Apply("shape", (Var(p), Const(j))))
        last = new.name("end", INT)
        new.to(last, add(first, size))
        yield p, first, Var(last)
        first = Var(last)
