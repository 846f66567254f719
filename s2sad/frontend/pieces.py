"""Functions that are differentiated where they are called: gradients, tangents and pullbacks of them as calls.

What is derived is a function with its arguments (`Piece`); its derivative is another, so one is taken of the other.
"""

from __future__ import annotations

import functools
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import gast

from s2sad.errors import ArgumentError, KindError
from s2sad.frontend.derived import (
    Derived,
    Form,
    How,
    Piece,
    formal_leaf,
    matching,
    ndim_of,
    numbered,
    shifted,
    template,
)
from s2sad.frontend.expressions import Held
from s2sad.frontend.functions import Outcome, Passed, Reading
from s2sad.frontend.lifting import Lifted, writes_around
from s2sad.frontend.reader import described, is_atomic
from s2sad.frontend.ruleforms import with_tangent
from s2sad.frontend.rules import RULE, Rules
from s2sad.frontend.values import Array, Closure, Frame, Fresh, Known, Scalar, Tuple, Value, leaves_of
from s2sad.ir.nodes import Const, Expr, Kind, Var


class Pieces(Rules):
    """Makes pieces of pieces."""

    @abstractmethod
    def parameters(
        self, node: gast.Call, frame: Frame, defaults: Sequence[Value], kw_defaults: Sequence[Value | None]
    ) -> list[tuple[str, Value]]:
        """The values of the parameters of a function that is called."""

    def _derivable(
        self,
        node: gast.Call,
        f: Any,
        args: Sequence[gast.AST],
        keywords: Sequence[Any],
        outcome: Outcome | None = None,
    ) -> Piece:
        """A function with its arguments; `outcome` settles its results."""
        if hasattr(f, "request"):
            return self._gradient(node, f.request, args, keywords)
        bound: list[tuple[str, Value]] = []
        target = f
        named: dict[str, Any] = {}
        while isinstance(target, functools.partial):
            args = [*(held_by(self.baked(a, "partial", node, plain=True), node) for a in target.args), *args]
            named = {**target.keywords, **named}
            target = target.func
        skipped = sum(len(p.args) for p in _partials(f))
        if isinstance(f, Closure):
            frame, bound = self._lifted(node, f)
            defaults, kw = f.defaults, f.kw_defaults
        else:
            frame = self.frame_of(node, target)
            function = frame.function
            defaults = tuple(self.baked(v, "", node, plain=True) for v in function.__defaults__ or ())
            given = function.__kwdefaults__ or {}
            kw = tuple(
                self.baked(given[p.id], p.id, node, plain=True) if p.id in given else None
                for p in frame.node.args.kwonlyargs
            )
        keywords = [
            *keywords,
            *(gast.keyword(k, held_by(self.baked(v, k, node, plain=True), node)) for k, v in named.items()),
        ]
        call = gast.copy_location(gast.Call(node.func, list(args), list(keywords)), node)
        params = [*self.parameters(call, frame, defaults, kw), *bound]
        passed = Passed(self.kinds)
        forms, places = [], []
        for name, value in params:
            start = len(passed.args)
            forms.append(self._form(node, value, passed))
            if name not in named:
                places.append((value, tuple(range(start, len(passed.args)))))
        if hasattr(target, RULE) or (not isinstance(f, Closure) and hasattr(frame.function, RULE)):
            reading = self.ruled_reading(
                node, target, frame, params, tuple(forms), passed, frame.node.args.vararg is not None
            )
        else:
            reading = self.read_for(node, frame, params, tuple(forms), passed, outcome)
        if reading.returns is None:
            self.refuse(node, f"`{reading.name}` is derived here, and calls its derivative", "S072",
                        "write the derivative out")  # fmt: skip
        if reading.returns == Known(None):
            self.refuse(node, f"`{reading.name}` returns nothing", "S061", error=KindError)
        form, _ = numbered(reading.returns, 0)
        own = places[skipped : len(places) - len(bound)]
        return Piece(reading, tuple(passed.args), tuple(own), form)

    def _gradient(
        self, node: gast.Call, request: Any, args: Sequence[gast.AST], keywords: Sequence[Any]
    ) -> Piece:
        """The gradient of a function (with its value)."""
        piece = self._derivable(node, request.f, args, keywords)
        for position in request.along:
            piece = self._slope(node, piece, position)
            assert isinstance(piece.form, tuple)
            piece = replace(piece, form=piece.form[1][1])
        form, aux = piece.form, None
        if request.aux:
            if not isinstance(form, tuple) or len(form[1]) != 2:
                self.refuse(
                    node,
                    "with has_aux=True a function has to return a pair (value, aux)",
                    "S096",
                    error=ArgumentError,
                )
            form, aux = form[1]
        if not isinstance(form, int) or piece.reading.arrays[form]:
            self.refuse(node, f"a gradient needs one real number, and `{piece.reading.name}` doesn't return one",
                        "S061", error=KindError)  # fmt: skip
        places = [self._position(node, piece, k) for k in request.positions]
        if not places:
            self.refuse(node, "this derivative needs the arguments that it differentiates for", "S071")
        if len(places) == 1 and isinstance(piece.params[places[0]][0], Scalar) and aux is None:
            made = self._slope(node, piece, places[0])
            assert isinstance(made.form, tuple)
            value, slope = made.form[1]
            gradient: Form = slope if isinstance(request.argnums, int) else (None, (slope,))
        else:
            made, adjoints = self._adjoints(node, piece, places, (form,), (Const(1.0),), False)
            value = form
            gradient = adjoints[0] if isinstance(request.argnums, int) else (None, adjoints)
        if aux is not None:
            value, gradient = (None, (value, aux)), gradient if request.value else (None, (gradient, aux))
        return replace(made, form=(None, (value, gradient)) if request.value else gradient)

    def _position(self, node: gast.AST, piece: Piece, k: int) -> int:
        count = len(piece.params)
        if not -count <= k < count:
            self.refuse(
                node,
                f"`argnums` names position {k}, and there are {count} arguments",
                "S093",
                error=ArgumentError,
            )
        return k % count

    def _slope(self, node: gast.AST, piece: Piece, position: int) -> Piece:
        value, places = piece.params[self._position(node, piece, position)]
        if not isinstance(value, Scalar):
            self.refuse(
                node, f"a derivative along {described(value)} is not one number", "S061", error=KindError
            )
        return self._tangent(node, piece, dict.fromkeys(places, Const(1.0)))

    def _pushed(self, node: gast.AST, piece: Piece, tangents: Sequence[Value]) -> Piece:
        """The value and its tangent."""
        directions: dict[int, Expr] = {}
        for (value, places), tangent in zip(piece.params, tangents, strict=False):
            leaves = self._leaves(node, value, tangent, "a tangent")
            directions |= {p: e for p, e in zip(places, leaves, strict=True) if e is not None}
        return self._tangent(node, piece, directions)

    def _tangent(self, node: gast.AST, piece: Piece, directions: dict[int, Expr]) -> Piece:
        inputs = tuple(sorted(directions))
        count = piece.reading.count
        if not inputs:
            self.refuse(node, "a tangent is needed: all are None", "S071")
        loose = self.outcome is with_tangent  # the tangent of an integer is a number there
        reading = self._derived(node, piece.reading, "tangent", inputs, (), loose)
        form = (None, (piece.form, shifted(piece.form, count)))
        return Piece(reading, (*piece.args, *(directions[k] for k in inputs)), piece.params, form)

    def _adjoints(
        self,
        node: gast.AST,
        piece: Piece,
        places: Sequence[int],
        of: Sequence[int],
        cotangents: Sequence[Expr],
        loose: bool,
    ) -> tuple[Piece, tuple[Form, ...]]:
        """The function with its pullback, and the forms of the adjoints of the parameters at `places`."""
        wanted = {p for k in places for p in piece.params[k][1]}
        real = tuple(sorted(p for p in wanted if self._may_be_real(piece.args[p])))
        order = sorted(range(len(of)), key=lambda k: of[k])
        reading = self._derived(node, piece.reading, "pullback", real, tuple(of[k] for k in order), loose)
        args = (*piece.args, *(cotangents[k] for k in order))
        made = {p: piece.reading.count + k for k, p in enumerate(real)}
        forms = tuple(matching(piece.params[k][0], iter(piece.params[k][1]), made) for k in places)
        return Piece(reading, args, piece.params, piece.form), forms

    def _may_be_real(self, arg: Expr) -> bool:
        kind = self.kinds.get(arg.name) if isinstance(arg, Var) else None
        return kind is None or kind.is_real or not kind.is_array

    def _leaves(self, node: gast.AST, value: Value, given: Value, what: str) -> list[Expr | None]:
        """The leaves of a tangent (a cotangent) of a value; None where it has none."""
        match value, given:
            case Tuple(items), Known(None):
                return [leaf for item in items for leaf in self._leaves(node, item, given, what)]
            case Known(), _:
                return []
            case _, Known(None):
                return [None]
            case Tuple(items), Tuple(others) if len(items) == len(others):
                pairs = zip(items, others, strict=True)
                return [leaf for a, b in pairs for leaf in self._leaves(node, a, b, what)]
            case Scalar(), Scalar():
                held = given if is_atomic(given) else self.spill(given)
                return [self.scalar_of(held, node)]
            case Array(ndim=ndim) | Fresh(ndim=ndim), Array() | Fresh() if given.ndim == ndim:
                return [Var(self.array(given).name)]
        self.refuse(
            node, f"{what} is {described(given)}, for {described(value)}", "S091", error=ArgumentError
        )

    def _derived(
        self,
        node: gast.AST,
        base: Reading,
        how: How,
        inputs: tuple[int, ...],
        of: tuple[int, ...],
        loose: bool,
    ) -> Reading:
        key = ("derivative", how, base.key, inputs, of, loose)
        reading = self.program.readings.get(key)
        if reading is not None:
            return reading
        if base.written:
            self.refuse(node, f"`{base.name}` writes into its argument, and is differentiated here", "S076")
        assert base.returns is not None
        leaves = list(leaves_of(base.returns))
        more = leaves if how == "tangent" else [self._beside(base, k) for k in inputs]
        flat = Tuple((*map(formal_leaf, leaves), *map(formal_leaf, more)))
        made = Reading(self._fresh_key(), f"{base.name}_{how}", node, self.span(node), None, returns=flat)
        made.arrays = tuple(isinstance(leaf, Array) for leaf in flat.items)
        made.written = frozenset()
        extra = (
            [self.formal_kind(base, k) for k in inputs]
            if how == "tangent"
            else [Kind("real", ndim_of(leaves[k])) for k in of]
        )
        made.formal = (*base.formal, *extra)
        made.reader = Derived(self.program, base, how, inputs, of, loose, self.span(node))
        return self.program.add(key, made)

    def formal_kind(self, base: Reading, k: int) -> Kind:
        """The kind of a tangent of a parameter."""
        return Kind("real", base.formal[k].ndim)

    def _beside(self, base: Reading, k: int) -> Value:
        ndim = base.formal[k].ndim
        return Array("", ndim) if ndim else Scalar(Var(""))

    def _value(self, node: gast.AST, piece: Piece) -> Value:
        """Call, and what is wanted of the results."""
        passed = Passed(self.kinds)
        passed.args = list(piece.args)
        value = self._emitted(piece.reading, passed, False)
        return template(piece.form, list(leaves_of(value)))

    # ----- functions defined inside ------------------------------------------------------------------------

    def _lifted(self, node: gast.AST, closure: Closure) -> tuple[Frame, list[tuple[str, Value]]]:
        """The frame of a function defined inside, where what it reads from around are parameters."""
        lifted = Lifted(closure, self.number())
        closures = (v.node for v in lifted.frame.env.values() if isinstance(v, Closure))
        for tree in (lifted.frame.node, *closures):
            if writes_around(tree):
                self.refuse(node, f"`{tree.name}` writes names of the function around it", "S072")
        return lifted.frame, lifted.captured


def _partials(f: Any) -> Iterator[Any]:
    while isinstance(f, functools.partial):
        yield f
        f = f.func


def held_by(value: Value, node: gast.AST) -> Any:
    """A node that stands for a value."""
    held = gast.copy_location(Held(), node)
    held.item = value
    return held
