"""Derivatives taken inside of a function: `grad(h)(x)`, `jvp`, `vjp`, `hvp`, of functions of the file or defined inside.

What is asked for is read here; `pieces` makes it of functions that are called.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import gast

from s2sad.errors import ArgumentError
from s2sad.frontend.derived import Piece, positions_in, template
from s2sad.frontend.operations import Operations
from s2sad.frontend.pieces import held_by
from s2sad.frontend.reader import described
from s2sad.frontend.values import Array, Closure, Fresh, Known, Scalar, Tuple, Value, leaves_of
from s2sad.ir.nodes import Apply, Const, Var

TRANSFORMS = ("grad", "value_and_grad", "jvp", "vjp", "hvp")
ELSEWHERE = ("jacobian", "jacfwd", "jacrev", "hessian", "record")


@dataclass(frozen=True, slots=True)
class Asked:
    """A gradient made inside: of a function, or of such a gradient."""

    f: Any
    argnums: int | tuple[int, ...]
    value: bool
    aux: bool
    along: tuple[int, ...] = ()

    @property
    def request(self) -> Asked:
        """Itself: derivatives made outside carry theirs."""
        return self

    @property
    def positions(self) -> tuple[int, ...]:
        """The argnums as a tuple."""
        return (self.argnums,) if isinstance(self.argnums, int) else self.argnums


@dataclass(frozen=True, slots=True, eq=False)
class Pullback:
    """What `vjp` gives inside a function, to be called with a cotangent."""

    piece: Piece


class Derivatives(Operations):
    """Reads calls of derivatives."""

    def is_derivative(self, target: Any) -> bool:
        """Whether a known object is a derivative, or makes one."""
        return (
            hasattr(target, "request")
            or isinstance(target, Pullback)
            or (
                getattr(target, "__module__", "") in ("s2sad.api", "s2sad.dense")
                and target.__name__ in (*TRANSFORMS, *ELSEWHERE)
            )
        )

    def derivative(self, node: gast.Call, target: Any) -> Value:
        """The value of a call of a derivative, or of what makes one."""
        if isinstance(target, Pullback):
            return self._pulled(node, target.piece)
        if hasattr(target, "request"):
            piece = self._gradient(node, target.request, node.args, node.keywords)
            return self._value(node, piece)
        name = target.__name__
        if name in ELSEWHERE:
            self.refuse(node, f"`{name}` inside a function is not supported", "S071",
                        "`grad`, `value_and_grad`, `jvp`, `vjp` and `hvp` are")  # fmt: skip
        keywords = {k.arg: k.value for k in node.keywords}
        if not node.args:
            self.refuse(node, f"`{name}` needs a function", "S071")
        if name in ("grad", "value_and_grad"):
            return self._asked(node, name, keywords)
        f = self._function(node.args[0])
        if name == "vjp":
            return self._opened(node, f)
        return self._forward(node, f, name, keywords)

    # ----- what is asked for -------------------------------------------------------------------------------

    def _function(self, node: gast.AST) -> Any:
        """A function to be derived: an object, or a closure."""
        value = self.expr(node)
        if isinstance(value, Closure):
            return value
        if not isinstance(value, Known) or value.value is None or isinstance(value.value, str):
            self.refuse(node, f"a function is needed, not {described(value)}", "S071")
        return value.value

    def _asked(self, node: gast.Call, name: str, keywords: dict[str, gast.AST]) -> Value:
        given = node.args[1] if len(node.args) > 1 else keywords.get("argnums")
        argnums: int | tuple[int, ...] = 0
        if given is not None:
            value = self.expr(given)
            items = value.items if isinstance(value, Tuple) else (value,)
            numbers = [v.expr.value for v in items if isinstance(v, Scalar) and isinstance(v.expr, Const)]
            if len(numbers) < len(items) or not all(type(n) is int for n in numbers):
                self.refuse(given, "`argnums` has to be a number, or a tuple of numbers, in the text", "S071")
            argnums = tuple(numbers) if isinstance(value, Tuple) else numbers[0]
        aux = self.expr(keywords["has_aux"]) if "has_aux" in keywords else Scalar(Const(False))
        if aux not in (Scalar(Const(True)), Scalar(Const(False))):
            self.refuse(node, "`has_aux` has to be True or False, in the text", "S071")
        f = self._function(node.args[0])
        return Known(Asked(f, argnums, name == "value_and_grad", aux == Scalar(Const(True))))

    def _opened(self, node: gast.Call, f: Any) -> Value:
        """`vjp`: the value now, the arguments as they are now for later."""
        values = [self.taken(v, node) if not isinstance(v, Known | Closure) else v
                  for v in self.operands(node.args[1:])]  # fmt: skip
        values = [self._own(v) for v in values]
        piece = self._derivable(node, f, [held_by(v, node) for v in values], [])
        return Tuple((self._value(node, piece), Known(Pullback(piece))))

    def _own(self, value: Value) -> Value:
        """Arrays as copies: what happens to them later doesn't matter."""
        match value:
            case Array(name, ndim):
                return self.array(Fresh(Apply("copy", (Var(name),)), ndim, True))
            case Tuple(items, make):
                return Tuple(tuple(map(self._own, items)), make)
        return value

    def _forward(self, node: gast.Call, f: Any, name: str, keywords: dict[str, gast.AST]) -> Value:
        """`jvp` and `hvp`."""
        parts = [*node.args[1:3]]
        parts += [keywords[k] for k in ("primals", "tangents")[len(parts) :] if k in keywords]
        values = self.operands(parts)
        if len(values) != 2 or not all(isinstance(v, Tuple) for v in values):
            self.refuse(
                node, f"`{name}` takes a function, a tuple of primals, and a tuple of tangents", "S071"
            )
        primals, tangents = (v.items for v in values if isinstance(v, Tuple))
        if len(primals) != len(tangents):
            self.refuse(node, f"{len(primals)} primals need as many tangents, not {len(tangents)}", "S090",
                        error=ArgumentError)  # fmt: skip
        held = [held_by(v, node) for v in primals]
        if name == "jvp":
            return self._value(node, self._pushed(node, self._derivable(node, f, held, []), tangents))
        wanted = tuple(k for k, t in enumerate(tangents) if t != Known(None))
        piece = self._gradient(node, Asked(f, wanted, False, False), held, [])
        both = self._value(node, self._pushed(node, piece, tangents))
        assert isinstance(both, Tuple)
        products = both.items[1]
        assert isinstance(products, Tuple)
        if len(primals) == 1:
            return products.items[0]
        found = dict(zip(wanted, products.items, strict=True))
        return Tuple(tuple(found.get(k, Known(None)) for k in range(len(primals))))

    def _pulled(self, node: gast.Call, piece: Piece) -> Value:
        """A pullback called."""
        if len(node.args) != 1 or node.keywords:
            self.refuse(node, "a pullback takes one cotangent", "S074", error=ArgumentError)
        (given,) = self.operands(node.args)
        assert piece.reading.returns is not None
        value = template(piece.form, list(leaves_of(piece.reading.returns)))
        cotangents = self._leaves(node, value, given, "a cotangent")
        of = list(positions_in(piece.form))
        pairs = [(k, c) for k, c in zip(of, cotangents, strict=True) if c is not None]
        places = range(len(piece.params))
        made, forms = self._adjoints(node, piece, places, [k for k, _ in pairs], [c for _, c in pairs], True)
        return self._value(node, replace(made, form=(None, forms)))
