"""Calls of functions that stand in the library: read like the user's own, at the place that calls them."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import gast

from s2sad import library
from s2sad.errors import KindError, S2sadError
from s2sad.frontend.expressions import Expressions
from s2sad.frontend.making import Making
from s2sad.frontend.read import source_of, span_of
from s2sad.frontend.values import Array, Fresh, Scalar, Tuple, Value
from s2sad.ir.nodes import Apply, Const, Expr, New, Var
from s2sad.source import Source

#: What the library alone calls -> the operation that makes the array.
ROOMS: dict[Any, str] = {library.room: "typed", library.cleared: "cleared"}


class WrittenOut(Making):
    """What the library's functions give."""

    @abstractmethod
    def read_in(
        self, node: gast.Call, function: Any, source: Source, tree: gast.FunctionDef, marked: bool = False
    ) -> Value:
        """The value of a call of a function that was read."""

    def takes_over(self, node: gast.Call, written: library.Written) -> bool:
        """Whether a call is one that the function is written for."""
        if written.function.__code__ in self.calls:
            return False  # it calls what it is written for: the shorter form
        if not written.only:
            return True
        named = {k.arg for k in node.keywords}
        places = [*node.args[1:2], *(k.value for k in node.keywords if k.arg == "axis")]
        if any(isinstance(place, gast.Tuple | gast.List) for place in places):
            named.add("axes")
        if len(node.args) > 2:
            named.add("many")
        return bool(named & written.only)

    def written_out(self, node: gast.Call, written: library.Written) -> Value:
        """The value of a call; what is refused on the way is refused where the call stands."""
        source, tree = source_of(written.function)
        tree.decorator_list = []
        frame = self.frame
        try:
            return self.read_in(node, written.function, source, tree)
        except S2sadError as error:
            if library.belongs(frame.function):
                raise
            at = span_of(node, frame.source)
            raise type(error)(error.message, code=error.code, at=at, hint=error.hint) from None

    def roomy(self, node: gast.Call, target: Any) -> Value:
        """`room(shape, *samples)`: an array that can hold what is like the samples."""
        shape, *samples = self.operands(node.args)
        lengths = shape.items if isinstance(shape, Tuple) else (shape,)
        held: list[Expr] = []
        for sample in samples:
            if isinstance(sample, Array | Fresh):
                held.append(Var(self.array(sample).name))
            else:
                held.append(self.scalar_of(sample, node))
        name = self.temporary()
        sizes = [self.scalar_of(length, node) for length in lengths]
        if not sizes:
            self.refuse(node, "an array without dimensions is not supported", "S064", error=KindError)
        self.emit(New(name, Apply(ROOMS[target], (Const(len(sizes)), *sizes, *held)), self.at))
        return Array(name, len(sizes))
