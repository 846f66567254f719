"""Arrays as subscripts: integers that pick elements, masks that leave some out; loops over what they select.

Reading makes an array of its own, `x[idx]`. Storing goes through the places one after the other: of two values for
one place the last stays. `x[idx] += v` reads, adds and stores, as NumPy does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import gast

from s2sad.errors import KindError
from s2sad.frontend.infer import kind_of
from s2sad.frontend.making import ONE, ZERO, Making
from s2sad.frontend.reader import described
from s2sad.frontend.subscripts import NEW_AXIS, PICK, WHOLE, Index, is_pick
from s2sad.frontend.values import Array, Fresh, Scalar, Value
from s2sad.ir.nodes import Apply, Assign, Const, Expr, If, Load, Update, Var
from s2sad.ir.walk import is_axis
from s2sad.ops.build import add

SHORT = "boolean index did not match indexed array"
UNLIKE = "shape mismatch: indexing arrays could not be broadcast together"


class Gathers(Making):
    """Reads and stores at subscripts that are arrays."""

    def gathered(self, node: gast.AST, base: Array, index: Index) -> Array:
        """`base[index]`, an array of its own."""
        base, index, pick = self._plain(node, base, index)
        if self._is_mask(node, pick):
            count, out = self._room_behind(base, index, pick, Var(base.name))
            self._each_marked(base, index, pick, count, lambda place, of: self._move(out, of, base, place))
            return out
        out = self.room(self._lengths(base, index, self.shape(pick)), Var(base.name))
        with self.counters(self.shape(pick)) as numbers:
            self._move(out, _target(index, numbers), base, _source(index, numbers))
        return out

    def scattered(self, node: gast.AST, base: Array, index: Index, value: Value) -> None:
        """`base[index] = value`."""
        base, index, pick = self._plain(node, base, index)
        masked = self._is_mask(node, pick)
        if isinstance(value, Scalar):
            held = self.held(value)
            assert isinstance(held, Scalar)
            if masked:
                self._each_marked(base, index, pick, "", lambda place, _: self.fill(base, place, held.expr))
                return
            with self.counters(self.shape(pick)) as numbers:
                self.fill(base, _source(index, numbers), held.expr)
            return
        if not isinstance(value, Array | Fresh):
            self.refuse(node, f"an array can't take {described(value)}", "S064", error=KindError)
        filling = self.array(value)
        if masked:
            count, taken = self._room_behind(base, index, pick, Var(filling.name))
        else:
            count, taken = "", self.room(self._lengths(base, index, self.shape(pick)), Var(filling.name))
        if filling.ndim > taken.ndim:
            self.refuse(node, f"{described(value)} doesn't fit into {taken.ndim}", "S064", error=KindError)
        self.emit(Update(taken.name, Var(filling.name), self.at))
        if masked:
            self._each_marked(base, index, pick, count, lambda place, of: self._move(base, place, taken, of))
            return
        with self.counters(self.shape(pick)) as numbers:
            self._move(base, _source(index, numbers), taken, _target(index, numbers))

    # ----- what is selected ----------------------------------------------------------------------------------

    def _plain(self, node: gast.AST, base: Array, index: Index) -> tuple[Array, Index, Array]:
        """The same selection with slices that are whole, and the first of the arrays in it."""
        if NEW_AXIS in index:
            self.refuse(node, "a new axis beside an array as subscript is not supported", "S038")
        picks = [sub for sub in index if is_pick(sub)]
        pick = _array(picks[0])
        if pick.ndim > 1 and self._is_mask(node, pick):
            first = index.index(picks[0])
            spare = index[first + 1 : first + pick.ndim]
            if len(picks) > 1 or spare != (WHOLE,) * (pick.ndim - 1):
                self.refuse(node, "this mask doesn't fit", "S038")
            index = (*index[: first + 1], *index[first + pick.ndim :])
        if any(is_axis(sub) and sub != WHOLE for sub in index):
            part = [sub if is_axis(sub) else WHOLE for sub in index]
            base = self.array(Fresh(Load(base.name, tuple(part)), base.ndim))
            index = tuple(WHOLE if is_axis(sub) else sub for sub in index)
        places = [k for k, sub in enumerate(index) if not is_axis(sub)]
        if places[-1] - places[0] >= len(places):
            self.refuse(node, "subscripts that are arrays and numbers must stand side by side", "S038")
        if len(picks) > 1:
            index = tuple(
                self._as_places(node, base, k, sub) if is_pick(sub) else sub for k, sub in enumerate(index)
            )
            picks = [sub for sub in index if is_pick(sub)]
            pick = _array(picks[0])
        for other in picks[1:]:
            if _array(other).ndim != 1 or pick.ndim != 1 or self._is_mask(node, _array(other)):
                self.refuse(node, "several arrays as subscripts must be of one dimension", "S038")
            self.unless((self.shape(pick)[0], self.shape(_array(other))[0]), "IndexError", UNLIKE)
        return base, index, pick

    def _as_places(self, node: gast.AST, base: Array, axis: int, sub: Expr) -> Expr:
        """A subscript of one axis, beside others: where it is a mask, the places that it leaves in."""
        mask = _array(sub)
        if mask.ndim != 1 or not self._is_mask(node, mask):
            return sub
        self.unless((self.shape(mask)[0], self.shape(base)[axis]), "IndexError", SHORT)
        places = self.array(Fresh(Apply("nonzero", (Var(mask.name),)), 1))
        return Apply(PICK, (Var(places.name), Const(1)))

    def _is_mask(self, node: gast.AST, pick: Array) -> bool:
        """Whether a subscript is a mask; each use of it is checked once kinds are known."""
        kind = kind_of(Var(pick.name), self.kinds)
        if kind is None or kind.base not in ("int", "bool"):
            self.refuse(node, "an array as subscript holds integers, or is a mask", "S038")
        return kind.base == "bool"

    def _lengths(self, base: Array, index: Index, selected: Sequence[Expr]) -> tuple[Expr, ...]:
        """The shape of a selection: so many places, and the axes that stay."""
        before, shape = _first(index), self.shape(base)
        behind = len(index) - 1 - max(k for k, sub in enumerate(index) if not is_axis(sub))
        return (*shape[:before], *selected, *shape[base.ndim - behind :])

    def _room_behind(self, base: Array, index: Index, pick: Array, sample: Expr) -> tuple[str, Array]:
        """A counter that stands at zero, and an array for what a mask selects."""
        self._fits(base, index, pick)
        number, count = self.temporary("n"), self.temporary("k")
        self.emit(Assign(number, ZERO, self.at))
        with self.counters(self.shape(pick)) as at:
            step = Assign(number, add(Var(number), ONE), self.at)
            self.emit(If(_marked(pick, at), (step,), (), self.at))
        out = self.room(self._lengths(base, index, (Var(number),)), sample)
        self.emit(Assign(count, ZERO, self.at))
        return count, out

    def _fits(self, base: Array, index: Index, mask: Array) -> None:
        """Raise where a mask is not as long as what it is laid on."""
        axis = next(k for k, sub in enumerate(index) if is_pick(sub))
        for k, length in enumerate(self.shape(mask)):
            self.unless((length, self.shape(base)[axis + k]), "IndexError", SHORT)

    def _each_marked(
        self, base: Array, index: Index, pick: Array, count: str, act: Callable[..., None]
    ) -> None:
        """Act for each place that a mask leaves in, in order: on the place, and on its number where it has one."""
        if not count:
            self._fits(base, index, pick)
        with self.counters(self.shape(pick)) as at:
            with self.block() as stmts:
                act(_source(index, at, mask=True), _target(index, (Var(count),)))
                if count:
                    self.emit(Assign(count, add(Var(count), ONE), self.at))
            self.emit(If(_marked(pick, at), tuple(stmts), (), self.at))

    def _move(self, out: Array, place: Sequence[Expr], base: Array, source: Sequence[Expr]) -> None:
        self.fill(out, place, Load(base.name, tuple(source)))


def _first(index: Index) -> int:
    """Which subscript is the first of those that are no slices."""
    return next(k for k, sub in enumerate(index) if not is_axis(sub))


def _array(pick: Expr) -> Array:
    match pick:
        case Apply(args=(Var(name), Const(ndim))):
            return Array(name, ndim)
    raise TypeError(f"{pick} is no array")


def _marked(mask: Array, at: Sequence[Expr]) -> Expr:
    return Apply("flag", (Load(mask.name, tuple(at)),))


def _source(index: Index, at: Sequence[Expr], mask: bool = False) -> Index:
    """The place in the array that is selected from."""
    out: list[Expr] = []
    for sub in index:
        if not is_pick(sub):
            out.append(sub)
        elif mask:
            out.extend(at)
        else:
            out.append(Apply("whole", (Load(_array(sub).name, tuple(at)),)))
    return tuple(out)


def _target(index: Index, at: Sequence[Expr]) -> Index:
    """The place in what is selected."""
    out: list[Expr] = []
    for k, sub in enumerate(index):
        if is_axis(sub):
            out.append(WHOLE)
        elif k == _first(index):
            out.extend(at)
    return tuple(out)
