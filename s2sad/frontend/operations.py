"""Operations: functions with an adjoint per parameter, given by the user or made of the body.

`rotate(q, v)` with an adjoint for v alone is put together from calls::

    y = rotate(q, v)                        the function itself
    v_b = adjoint_v_of_rotate(y_b, q, v)    the adjoint that is given
    y, q_b = rotate_body_pull(q, v, y_b)    for all other parameters, the pullback of the body

Those that nobody asks for are left out when derivatives are made.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import gast

from s2sad.frontend.functions import Passed, Reading, Settled
from s2sad.frontend.pieces import Pieces
from s2sad.frontend.ruleforms import Increment, copied, formal
from s2sad.frontend.rules import Face, Whole, WithRule, in_class
from s2sad.frontend.values import Frame, Value
from s2sad.ir.nodes import Call, Expr, Rule, Var

BODY = "the body of"  # before the form of arguments: the reading of an operation without its rule


class Operations(Pieces):
    """Reads calls of operations."""

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
        """An operation with its rule, where adjoints are given."""
        if not rule.adjoints:
            return Whole(reader)
        given = tuple(f"{y}#b" for y in face.results)
        calls = [Call(face.results, reading.key, tuple(map(Var, face.names)), at=self.at)]
        made: dict[str, str] = {}
        rest: list[int] = []
        first = 0
        for (name, _), own in zip(params, face.forms, strict=True):
            places = range(first, first := first + len(own.leaves))
            if name in rule.adjoints:
                back = self._adjoint(node, rule.adjoints[name], [n for n, _ in params], face, places)
                back.name = f"adjoint_{name}_of_{reading.name}"
                targets = [f"g#{k}" for k in places]
                found = [t for t, place in zip(targets, back.reader.plan, strict=True) if place is not None]  # type: ignore[union-attr]
                made |= {face.names[k]: t for k, t in zip(places, targets, strict=True) if t in found}
                if found:
                    args: tuple[Expr, ...] = (*map(Var, given), *map(Var, face.names))
                    calls.append(Call(tuple(found), back.key, args, at=self.at))
            else:
                rest += [k for k in places if face.flags[k]]
        if rest:
            back = self._body(node, frame, params, form, face, tuple(rest))
            again = tuple(f"{y}#again" for y in face.results)
            targets = [f"g#{k}" for k in rest]
            made |= {face.names[k]: t for k, t in zip(rest, targets, strict=True)}
            args = tuple(map(Var, (*face.names, *given)))
            calls.append(Call((*again, *targets), back.key, args, at=self.at))
        kinds = dict(zip(given, face.slopes, strict=True))
        outcome = tuple(made.get(n, "") for n in face.inputs)
        record = Rule("vjp", tuple(calls), face.inputs, given, face.results, outcome, kinds)
        return WithRule(reader, self.program, record, face.names)

    def _adjoint(
        self, node: gast.AST, function: Any, names: Sequence[str], face: Face, places: range
    ) -> Reading:
        """The reading of the adjoint of one parameter."""
        tree = self.frame_of(node, function).node
        taken = [p.id for p in (*tree.args.posonlyargs, *tree.args.args)]
        if taken[1:] != list(names):
            expected = ", ".join((taken[0] if taken else "r_b", *names))
            self.refuse(node, f"the adjoint `{tree.name}` takes the parameters of the operation", "S077",
                        f"begin it with `def {tree.name}({expected}):`")  # fmt: skip
        at = next(
            k for k, form in enumerate(face.forms) if self._first(face, k) == places.start and form.leaves
        )
        outcome = Increment(face.forms[at], tuple(face.kinds[k].ndim for k in places))
        values = [formal(face.returns), *map(formal, face.arguments)]
        return self._read_rule(node, function, values, [*face.slopes, *face.kinds], outcome)

    def _first(self, face: Face, k: int) -> int:
        return sum(len(form.leaves) for form in face.forms[:k])

    def _body(
        self,
        node: gast.AST,
        frame: Frame,
        params: Sequence[tuple[str, Value]],
        form: Hashable,
        face: Face,
        places: tuple[int, ...],
    ) -> Reading:
        """The pullback of the body, for the leaves at some places."""
        passed = Passed(dict(zip(face.names, face.kinds, strict=True)), [*map(Var, face.names)])
        base = self.read_for(node, frame, params, (BODY, form), passed, copied)
        base.name = f"{in_class(frame.function)}_body"
        return self._derived(node, base, "pullback", places, tuple(range(len(face.outs))), True)
