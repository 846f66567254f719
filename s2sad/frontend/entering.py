"""Functions that are written out where they are called: their parameters get values, and their statements are read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from s2sad import library
from s2sad.errors import ArgumentError
from s2sad.frontend import subset
from s2sad.frontend.functions import MARK
from s2sad.frontend.reader import is_atomic, reads
from s2sad.frontend.rules import RULE
from s2sad.frontend.solutions import Solutions
from s2sad.frontend.values import Closure, Frame, Tuple, Value

WITHIN = 4  # times a function is written out within itself, where it is given functions


class Entering(Solutions):
    """What a call of a function gives that was read."""

    def write_out(
        self,
        node: gast.Call,
        tree: gast.FunctionDef,
        outer: Frame,
        defaults: Sequence[Value],
        kw: Sequence[Value | None],
    ) -> Value:
        locals_ = subset.bound_names(tree)
        frame = Frame(outer.source, outer.function, tree, locals_, self.number(), outer)
        return self.enter(node, frame, defaults, kw)

    def enter(
        self,
        node: gast.Call,
        frame: Frame,
        defaults: Sequence[Value],
        kw_defaults: Sequence[Value | None],
        target: Any = None,
    ) -> Value:
        tree = frame.node
        marked, rule = (hasattr(target, mark) or hasattr(frame.function, mark) for mark in (MARK, RULE))
        marked, rule = (m and target is not None for m in (marked, rule))
        again = any(body is tree.body for body in self.calls) or (
            frame.outer is None and any(body is frame.function.__code__ for body in self.calls)
        )
        again = again and not library.belongs(frame.function)
        params = self.parameters(node, frame, defaults, kw_defaults)
        if again and any(
            isinstance(value, Closure) for _, value in params
        ):  # (within one that it is given, maybe)
            again = sum(body is tree.body for body in self.calls) > WITHIN
        if rule:
            return self.ruled(node, target, frame, params, tree.args.vararg is not None)
        if again or marked:
            return self.called(node, frame, params, marked)
        outer, place = self.frame, self.at
        changed = subset.assigned_names(tree.body)
        for name, value in params:
            if tree.args.vararg is not None and name == tree.args.vararg.id:
                frame.env[name] = self.spill(value)
                continue
            keep = is_atomic(value) and name not in changed and not (self.outward and reads(value))
            frame.env[name] = value if keep else self.bind(f"{name}#{frame.number}", value, node)
        self.frame = frame
        self.calls += [tree.body, frame.function.__code__]
        try:
            return self.run(tree)
        finally:
            self.frame, self.at = outer, place
            self.finished.add(frame.number)
            del self.calls[-2:]

    def parameters(
        self, node: gast.Call, frame: Frame, defaults: Sequence[Value], kw_defaults: Sequence[Value | None]
    ) -> list[tuple[str, Value]]:
        """The values of the parameters of a function that is called."""
        args = frame.node.args
        plain = [*args.posonlyargs, *args.args]
        values, more = self.passed(
            node, [*plain, *args.kwonlyargs], plain,
            [*[None] * (len(plain) - len(defaults)), *defaults, *kw_defaults], args.posonlyargs,
            frame.node.name, args.vararg is not None,
        )  # fmt: skip
        found = [(p.id, value) for p, value in zip([*plain, *args.kwonlyargs], values, strict=True)]
        return found + ([(args.vararg.id, Tuple(more))] if args.vararg is not None else [])

    def passed(
        self, node: gast.Call, params: Sequence[gast.Name], plain: Sequence[gast.Name],
        defaults: Sequence[Value | None], positional: Sequence[gast.Name], name: str, more: bool = False,
    ) -> tuple[list[Value], tuple[Value, ...]]:  # fmt: skip
        """The value of each parameter, and the `more` values; refused as Python would refuse the call."""
        labels = [p.id for p in params]
        args = [arg for written in node.args for arg in self.starred(written)]
        values = self.operands([*args, *(k.value for k in node.keywords)])
        if len(args) > len(plain) and not more:
            self.refuse(
                node,
                f"`{name}` takes {len(plain)} arguments, not {len(args)}",
                "S074",
                error=ArgumentError,
            )
        given = dict(zip([p.id for p in plain], values[: len(args)], strict=False))
        for keyword, value in zip(node.keywords, values[len(args) :], strict=True):
            if keyword.arg not in labels or keyword.arg in given or keyword.arg in [p.id for p in positional]:
                self.refuse(
                    keyword.value, f"`{name}` can't take `{keyword.arg}=` here", "S074", error=ArgumentError
                )
            given[keyword.arg] = value
        fallback = dict(zip(labels, defaults, strict=False)) if defaults else {}
        out: list[Value] = []
        for label in labels:
            found = given.get(label) or fallback.get(label)
            if found is None:
                self.refuse(node, f"`{name}` needs `{label}`", "S074", error=ArgumentError)
            out.append(found)
        return out, tuple(values[len(plain) : len(args)])

    def starred(self, node: gast.AST) -> list[gast.AST]:
        """The arguments that `*t` stands for: the items of a tuple that has a name."""
        if not isinstance(node, gast.Starred):
            return [node]
        value = self.expr(node.value) if isinstance(node.value, gast.Name) else None
        if not isinstance(value, Tuple):
            self.refuse(node, "`*` is supported with a tuple that has a name", "S033")
        return [
            gast.copy_location(
                gast.Subscript(node.value, gast.copy_location(gast.Constant(k, None), node), gast.Load()),
                node,
            )
            for k in range(len(value.items))
        ]
