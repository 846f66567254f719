"""Functions with rules of their own: `custom_jvp`, `custom_vjp`, `register` of a function with Python source.

Such a call stays a call. The functions of the rule are read for the form of its arguments, as functions that are
called; what ties them to the function is a `Rule`: calls over its parameters.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import gast

from s2sad.errors import ArgumentError
from s2sad.frontend import infer
from s2sad.frontend.functions import Found, Functions, Kinds, Passed, Program, Reading, Settled
from s2sad.frontend.ruleforms import (
    Form,
    Increments,
    alike,
    copied,
    dims,
    form_of,
    formal,
    kept,
    outline,
    tangent_of,
    with_tangent,
)
from s2sad.frontend.values import Array, Frame, Scalar, Tuple, Value, leaves_of
from s2sad.ir.names import Namer
from s2sad.ir.nodes import REAL, Call, Expr, Function, Kind, Rule, Var
from s2sad.ir.walk import rename

RULE = "s2sad_rule"  # the attribute that `custom_jvp` and `custom_vjp` set


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


def in_class(function: Any) -> str:
    """What emitted code calls an operation: a method by its class as well, `Quaternion.__mul__` -> `Quaternion_mul`."""
    around, _, name = function.__qualname__.rpartition(".")
    home = around.rpartition(".")[2]
    return f"{home}_{name.strip('_')}" if home.isidentifier() else name


@dataclass(slots=True)
class Whole:
    """An operation that has been read, and is differentiated from its body."""

    reader: Settled

    def kinds_of_results(self, kinds: Kinds) -> Found:
        """Those of the function."""
        return self.reader.kinds_of_results(kinds)

    def made_for(self, kinds: Kinds) -> Function:
        """The function, marked."""
        return replace(self.reader.made_for(kinds), whole=True)


@dataclass(frozen=True, slots=True)
class Face:
    """What a function with a rule is given and gives: leaves by names of their own, forms and kinds.

    flags   per leaf of the arguments whether it has a derivative; those are the `inputs`
    slopes  the kinds of the cotangents of the results
    """

    arguments: tuple[Value, ...]
    forms: tuple[Form, ...]
    names: tuple[str, ...]
    kinds: tuple[Kind, ...]
    returns: Value

    @classmethod
    def of(cls, reading: Reading, arguments: Sequence[Value], passed: Passed) -> Face:
        """That of a function that has been read."""
        leaves = iter(passed.formal)
        assert reading.returns is not None
        names = tuple(f"p#{k}" for k in range(len(passed.formal)))
        forms = tuple(form_of(v, leaves) for v in arguments)
        return cls(tuple(arguments), forms, names, passed.formal, reading.returns)

    @property
    def flags(self) -> tuple[bool, ...]:
        return tuple(flag for form in self.forms for flag in form.leaves)

    @property
    def inputs(self) -> tuple[str, ...]:
        return tuple(n for n, flag in zip(self.names, self.flags, strict=True) if flag)

    @property
    def outs(self) -> tuple[Value, ...]:
        return tuple(leaves_of(self.returns))

    @property
    def results(self) -> tuple[str, ...]:
        return tuple(f"y#{k}" for k in range(len(self.outs)))

    @property
    def slopes(self) -> tuple[Kind, ...]:
        return tuple(Kind("real", dims(v)) for v in self.outs)


class Rules(Functions):
    """Reads calls of functions with rules."""

    @abstractmethod
    def operated(
        self,
        node: gast.AST,
        rule: Any,
        reading: Reading,
        reader: Any,
        face: Face,
        frame: Frame,
        params: Sequence[tuple[str, Value]],
        form: Hashable,
    ) -> Settled:
        """An operation that has been read, with the adjoints of its parameters."""

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
        rule = getattr(target, RULE, None) or getattr(frame.function, RULE)
        reading = self.read_for(node, frame, params, form, passed, copied)
        if rule.how == "operation":
            reading.name = in_class(frame.function)
        if reading.returns is None:
            reading.relied = True
            if reading.promised is None:
                self.refuse(node, f"`{name}` calls itself, and gives something else than numbers", "S072")
        elif reading.written:
            self.refuse(node, f"`{name}` has a rule, and writes into its argument", "S076")
        elif reading.reader is not None and not isinstance(reading.reader, WithRule | Whole):
            arguments = [v for _, v in params]
            if more:
                last = arguments.pop()
                arguments += last.items if isinstance(last, Tuple) else ()
            plain, reading.reader = reading.reader, None
            if rule.how == "operation":
                face = Face.of(reading, arguments, passed)
                reading.reader = self.operated(node, rule, reading, plain, face, frame, params, form)
            else:
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
        face = Face.of(reading, arguments, passed)
        kinds, names, forms, flags = face.kinds, face.names, face.forms, face.flags
        outs, results, slopes, inputs = face.outs, face.results, face.slopes, face.inputs
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
        cotangent = formal(face.returns)
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
