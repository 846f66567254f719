"""Functions with rules of their own: `custom_jvp`, `custom_vjp`, `register` of a function with Python source.

Such a call stays a call. The functions of the rule are read for the form of its arguments, as functions that are
called; what ties them to the function is a `Rule`: calls over its parameters.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import gast

from s2sad.errors import ArgumentError, UnsupportedSyntaxError
from s2sad.frontend import infer
from s2sad.frontend.functions import Found, Functions, Kinds, Passed, Program, Reading, Settled, leaves_of
from s2sad.frontend.read import span_of
from s2sad.frontend.reader import described
from s2sad.frontend.values import Array, Frame, Fresh, Known, Scalar, Tuple, Value
from s2sad.ir.names import Namer
from s2sad.ir.nodes import REAL, Apply, Call, Const, Expr, Function, If, Kind, Raise, Rule, Stmt, Var
from s2sad.ir.walk import rename

RULE = "s2sad_rule"  # the attribute that `custom_jvp` and `custom_vjp` set
OTHER_SHAPE = "a rule gives a tangent of another shape than the value has"


@dataclass(slots=True)
class WithRule:
    """A function that has been read, and the calls of its rule.

    Its parameters are called `p#0`, `p#1`, ... here.
    """

    reader: Settled
    program: Program
    rule: Rule
    params: tuple[str, ...]

    def kinds_of_results(self, kinds: Kinds) -> Found:
        """Those of the function; the functions of the rule are asked for theirs."""
        self._kinds(kinds)
        return self.reader.kinds_of_results(kinds)

    def _kinds(self, kinds: Kinds) -> dict[str, Kind]:
        known = {**self.rule.kinds, **dict(zip(self.params, kinds, strict=True))}
        return infer.kinds_of(self.rule.calls, known, {}, self.program.given)

    def made_for(self, kinds: Kinds) -> Function:
        """The function with its rule."""
        fn, rule = self.reader.made_for(kinds), self.rule
        found = self._kinds(kinds)
        new = dict(zip(self.params, fn.params, strict=True))
        namer = Namer(fn.params)
        results = [namer.fresh("y") for _ in rule.results]
        after, before = (rule.inputs, rule.results) if rule.how == "jvp" else (rule.results, rule.inputs)
        new |= dict(zip(rule.results, results, strict=True))
        mark = "d" if rule.how == "jvp" else "b"
        new |= {n: namer.fresh(f"{new[of]}_{mark}") for of, n in zip(after, rule.given, strict=True)}
        new |= {n: namer.fresh(f"{new[of]}_{mark}") for of, n in zip(before, rule.made, strict=True) if n}
        new |= {n: namer.fresh(n.replace("#", "_")) for n in found if n not in new}

        def named(names: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(new.get(n, n) for n in names)

        calls = tuple(c for c in rename(new, rule.calls) if isinstance(c, Call))
        return replace(
            fn,
            rule=Rule(
                rule.how, calls, named(rule.inputs), named(rule.given), named(rule.results), named(rule.made),
                {new[n]: kind for n, kind in found.items()},
            ),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Form:
    """An argument, or a result, by its form: leaves with tangents (True), without (False), and tuples."""

    leaf: bool | None
    items: tuple[Form, ...] = ()

    @property
    def leaves(self) -> tuple[bool, ...]:
        """Per leaf that is passed, whether it has a tangent."""
        if self.leaf is not None:
            return (self.leaf,)
        return tuple(flag for item in self.items for flag in item.leaves)


def refuse(reader: Any, node: gast.AST, message: str, code: str, hint: str = "") -> NoReturn:
    """Refuse a rule at its place."""
    raise UnsupportedSyntaxError(message, code=code, at=span_of(node, reader.frame.source), hint=hint)


def copied(reader: Any, value: Value, node: gast.AST) -> Value:
    """The results of a function with a rule: an array that it was given is given back as a copy."""
    match value:
        case Tuple(items, make):
            return Tuple(tuple(copied(reader, item, node) for item in items), make)
        case Array(name, ndim) if name in reader.param_kinds or name in reader.constants:
            return Fresh(Apply("copy", (Var(name),)), ndim, True)
    return value


def with_tangent(reader: Any, value: Value, node: gast.AST) -> Value:
    """The results of the rule of a `custom_jvp`: the value and its tangent, of one shape."""
    if not isinstance(value, Tuple) or len(value.items) != 2:
        refuse(reader, node, "a rule gives the value and its tangent", "S077")
    one, other = (tuple(leaves_of(copied(reader, item, node))) for item in value.items)
    if not alike(one, other):
        refuse(reader, node, "the tangent has another structure than the value", "S077")
    held = [reader.array(v) if isinstance(v, Fresh | Array) else v for v in (*one, *other)]
    for y, t in zip(held[: len(one)], held[len(one) :], strict=True):
        if isinstance(y, Array) and isinstance(t, Array):
            reader.emit(*_same_shape(y.name, t.name, y.ndim, reader.at))
    return Tuple(tuple(held))


def kept(reader: Any, value: Value, node: gast.AST) -> Value:
    """The results of the first half of a `custom_vjp`: the value, and what is kept; parameters are not kept twice."""
    if not isinstance(value, Tuple) or len(value.items) != 2:
        refuse(reader, node, "the forward half of a rule gives the value and what is kept", "S077")
    result, residuals = copied(reader, value.items[0], node), value.items[1]
    params = list(reader.param_kinds)
    out: list[Value] = []

    def leaf(item: Value) -> Any:
        match item:
            case Tuple(items, make):
                return ("tuple", make, tuple(map(leaf, items)))
            case Array(name, ndim) if name in params:
                return ("param", params.index(name), ndim)
            case Scalar():
                out.append(item)
                return ("kept", len(out) - 1, 0)
            case Array(ndim=ndim) | Fresh(ndim=ndim):
                name = reader.array(item).name
                out.append(Fresh(Apply("copy", (Var(name),)), ndim, True))
                kind = reader.kinds.get(name, REAL)
                return ("kept", len(out) - 1, Kind(kind.base, ndim))
            case Known():
                return ("known", item)
        refuse(
            reader,
            node,
            f"{described(item)} can't be kept",
            "S077",
            "keep numbers, arrays and tuples of them",
        )

    reader.plan = leaf(residuals)
    return Tuple((result, Tuple(tuple(out))))


@dataclass(frozen=True, slots=True)
class Increments:
    """The results of the second half of a `custom_vjp` for arguments of some forms: an adjoint per leaf."""

    forms: tuple[Form, ...]
    ndims: tuple[int, ...]

    def __call__(self, reader: Any, value: Value, node: gast.AST) -> Value:
        """Those that are not None."""
        if not isinstance(value, Tuple) or len(value.items) != len(self.forms):
            refuse(reader, node, f"the backward half of a rule gives a tuple of {len(self.forms)}, one adjoint (or None)"
                          " per argument", "S077")  # fmt: skip
        found: list[Value | None] = []
        for form, item in zip(self.forms, value.items, strict=True):
            self._matched(reader, form, item, node, found)
        out: list[Value] = []
        places: list[int | None] = []
        for made, ndim in zip(found, self.ndims, strict=True):
            places.append(None if made is None else len(out))
            if made is not None:
                if (made.ndim if isinstance(made, Array | Fresh) else 0) != ndim:
                    refuse(
                        reader,
                        node,
                        f"an adjoint is {described(made)}, its argument has {ndim} dimensions",
                        "S077",
                    )
                out.append(copied(reader, made, node))
        reader.plan = tuple(places)
        return Tuple(tuple(out))

    def _matched(
        self, reader: Any, form: Form, item: Value, node: gast.AST, found: list[Value | None]
    ) -> None:
        if item == Known(None) or form.leaf is False:
            found += [None] * len(form.leaves)
        elif form.leaf is None:
            if not isinstance(item, Tuple) or len(item.items) != len(form.items):
                refuse(reader, node, "an adjoint has another structure than its argument", "S077")
            for inner, part in zip(form.items, item.items, strict=True):
                self._matched(reader, inner, part, node, found)
        elif not isinstance(item, Scalar | Array | Fresh):
            refuse(reader, node, f"an adjoint is a number or an array, not {described(item)}", "S077")
        else:
            found.append(item)


def alike(one: Sequence[Value], other: Sequence[Value]) -> bool:
    """Whether leaves match: numbers with numbers, arrays with arrays of as many dimensions."""
    return [dims(v) for v in one] == [dims(v) for v in other]


def dims(value: Value) -> int:
    """The number of dimensions of a leaf; -1 of what is neither number nor array."""
    return value.ndim if isinstance(value, Array | Fresh) else 0 if isinstance(value, Scalar) else -1


class Rules(Functions):
    """Reads calls of functions with rules."""

    @abstractmethod
    def frame_of(self, node: gast.AST, target: Any) -> Frame:
        """The frame of a function that is called."""

    def ruled(
        self, node: gast.AST, target: Any, frame: Frame, params: Sequence[tuple[str, Value]], more: bool
    ) -> Value:
        """The value of a call of a function with a rule; with `more` the last parameter is `*more`."""
        passed = Passed(self.kinds)
        form = tuple(self._form(node, value, passed) for _, value in params)
        reading = self.ruled_reading(node, target, frame, params, form, passed, more)
        return self._emitted(reading, passed, False)

    def ruled_reading(
        self,
        node: gast.AST,
        target: Any,
        frame: Frame,
        params: Sequence[tuple[str, Value]],
        form: tuple[Hashable, ...],
        passed: Passed,
        more: bool,
    ) -> Reading:
        """The reading of a function with a rule."""
        name = getattr(frame.node, "shown", frame.node.name)
        reading = self.read_for(node, frame, params, form, passed, copied)
        if reading.returns is None:
            reading.relied = True
            if reading.promised is None:
                self.refuse(node, f"`{name}` calls itself, and gives something else than numbers", "S072")
        elif reading.written:
            self.refuse(node, f"`{name}` has a rule, and writes into its argument", "S076")
        elif reading.reader is not None and not isinstance(reading.reader, WithRule):
            rule = getattr(target, RULE, None) or getattr(frame.function, RULE)
            arguments = [v for _, v in params]
            if more:
                last = arguments.pop()
                arguments += last.items if isinstance(last, Tuple) else ()
            plain, reading.reader = reading.reader, None
            reading.reader = self._with_rule(node, rule, name, reading, plain, arguments, passed)
        return reading

    def _with_rule(
        self,
        node: gast.AST,
        rule: Any,
        name: str,
        reading: Reading,
        reader: Any,
        arguments: Sequence[Value],
        passed: Passed,
    ) -> WithRule:
        kinds = list(passed.formal)
        leaves = iter(kinds)
        forms = tuple(form_of(v, leaves) for v in arguments)
        flags = [flag for form in forms for flag in form.leaves]
        names = tuple(f"p#{k}" for k in range(len(kinds)))
        assert reading.returns is not None
        outs = tuple(leaves_of(reading.returns))
        results = tuple(f"y#{k}" for k in range(len(outs)))
        slopes = [Kind("real", dims(v)) for v in outs]
        inputs = tuple(n for n, flag in zip(names, flags, strict=True) if flag)
        inner = [Kind("real", k.ndim) for k, flag in zip(kinds, flags, strict=True) if flag]
        if rule.jvp is not None:
            given = tuple(f"{n}#d" for n in inputs)
            tangents = [tangent_of(f, v) for f, v in zip(forms, arguments, strict=True)]
            values = [Tuple(tuple(map(formal, arguments))), Tuple(tuple(tangents))]
            jvp = self._read_rule(node, rule.jvp, values, [*kinds, *inner], with_tangent)
            made = tuple(f"{y}#d" for y in results)
            self._same_results(node, rule.jvp, outs, jvp, len(outs))
            call = Call((*results, *made), jvp.key, tuple(map(Var, (*names, *given))), at=self.at)
            known = dict(zip(given, inner, strict=True))
            record = Rule("jvp", (call,), inputs, given, results, made, known)
            return WithRule(reader, self.program, record, names)
        if rule.fwd is None:
            self.refuse(node, f"`{name}` has no rule yet", "S077", rule.hint(name))
        fwd = self._read_rule(node, rule.fwd, [formal(v) for v in arguments], kinds, kept)
        fwd.loose = True
        self._same_results(node, rule.fwd, outs, fwd, len(outs))
        plan = fwd.reader.plan  # type: ignore[union-attr]
        residuals: list[Expr] = []
        more: list[Kind] = []
        value = self._residual(plan, residuals, more, names, kinds)
        given = tuple(f"{y}#b" for y in results)
        cotangent = formal(reading.returns)
        outcome = Increments(forms, tuple(k.ndim for k in kinds))
        bwd = self._read_rule(node, rule.bwd, [value, cotangent], [*more, *slopes], outcome)
        places = bwd.reader.plan  # type: ignore[union-attr]
        targets = tuple(f"g#{k}" for k in range(sum(p is not None for p in places)))
        made = tuple("" if p is None else targets[p] for p, flag in zip(places, flags, strict=True) if flag)
        count = fwd.count - len(outs)
        ahead = Call(
            (*results, *(f"kept#{k}" for k in range(count))), fwd.key, tuple(map(Var, names)), at=self.at
        )
        back = Call(targets, bwd.key, (*residuals, *map(Var, given)), at=self.at)
        record = Rule(
            "vjp", (ahead, back), inputs, given, results, made, dict(zip(given, slopes, strict=True))
        )
        return WithRule(reader, self.program, record, names)

    def _residual(
        self, plan: Any, args: list[Expr], kinds: list[Kind], names: Sequence[str], params: Sequence[Kind]
    ) -> Value:
        """The form of what is kept; where it comes from goes to `args`."""
        match plan:
            case ("tuple", make, items):
                return Tuple(tuple(self._residual(i, args, kinds, names, params) for i in items), make)
            case ("param", int() as k, int() as ndim):
                args.append(Var(names[k]))
                kinds.append(params[k])
                return Array("", ndim)
            case ("kept", k, Kind() as kind):
                args.append(Var(f"kept#{k}"))
                kinds.append(kind)
                return Array("", kind.ndim)
            case ("kept", k, _):
                args.append(Var(f"kept#{k}"))
                kinds.append(REAL)
                return Scalar(Var(""))
        return plan[1]  # type: ignore[no-any-return]

    def _same_results(
        self, node: gast.AST, function: Any, outs: Sequence[Value], reading: Reading, count: int
    ) -> None:
        assert reading.returns is not None
        given = list(leaves_of(reading.returns))[:count]
        if not alike(outs, given):
            self.refuse(node, f"the rule `{function.__name__}` gives another value than the function", "S077")

    def _read_rule(
        self, node: gast.AST, function: Any, values: Sequence[Value], kinds: Sequence[Kind], outcome: Any
    ) -> Reading:
        """The reading of a function of a rule for arguments of some forms, by position."""
        frame = self.frame_of(node, function)
        args = frame.node.args
        names = [p.id for p in (*args.posonlyargs, *args.args)]
        if len(values) < len(names) or (len(values) > len(names) and args.vararg is None):
            self.refuse(node, f"the rule `{frame.node.name}` takes {len(names)} arguments, and gets {len(values)}",
                        "S074", error=ArgumentError)  # fmt: skip
        params = list(zip(names, values, strict=False))
        if args.vararg is not None:
            params.append((args.vararg.id, Tuple(tuple(values[len(names) :]))))
        passed = Passed({f"l#{k}": kind for k, kind in enumerate(kinds)})
        passed.args = [Var(f"l#{k}") for k in range(len(kinds))]
        form = (tuple(map(outline, values)), passed.formal)
        reading = self.read_for(node, frame, params, form, passed, outcome)
        if reading.returns is None:
            self.refuse(node, f"the rule `{frame.node.name}` needs itself", "S072")
        if reading.written:
            self.refuse(node, f"the rule `{frame.node.name}` writes into its argument", "S076")
        return reading


def form_of(value: Value, kinds: Any) -> Form:
    """The form of an argument; `kinds` gives those of its leaves in order."""
    match value:
        case Tuple(items):
            return Form(None, tuple(form_of(item, kinds) for item in items))
        case Known():
            return Form(None)
    kind = next(kinds)
    return Form(kind.base == "real" or not kind.is_array)


def formal(value: Value) -> Value:
    """A value that stands for all of its form."""
    match value:
        case Tuple(items, make):
            return Tuple(tuple(map(formal, items)), make)
        case Scalar():
            return Scalar(Var(""))
        case Array(ndim=ndim) | Fresh(ndim=ndim):
            return Array("", ndim)
    return value


def tangent_of(form: Form, value: Value) -> Value:
    """The form of a tangent: as the value's, None where it has none."""
    match value:
        case Tuple(items, make):
            return Tuple(tuple(tangent_of(f, v) for f, v in zip(form.items, items, strict=True)), make)
        case Scalar() | Array() | Fresh() if form.leaf:
            return formal(value)
    return Known(None)


def outline(value: Value) -> Any:
    """The form of a value, to compare with others."""
    match value:
        case Tuple(items, make):
            return ("tuple", make, tuple(map(outline, items)))
        case Known(known):
            return ("known", id(known))
    return dims(value)


def _same_shape(one: str, other: str, ndim: int, at: Any) -> tuple[Stmt, ...]:
    """Raise where two arrays differ in shape."""
    test: Expr | None = None
    for k in range(ndim):
        more = Apply("ne", (Apply("shape", (Var(one), Const(k))), Apply("shape", (Var(other), Const(k)))))
        test = more if test is None else Apply("or", (test, more))
    return () if test is None else (If(test, (Raise("ValueError", (Const(OTHER_SHAPE),), at),), (), at),)
