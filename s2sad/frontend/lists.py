"""Lists of numbers or of arrays, and arrays made of lists.

A list that stays as it is written is a tuple. One that grows, shrinks or is looked up by a computed subscript is an
array with room at its end and a counter::

    vals = []                      vals = np.empty(8)
                                   vals_n = 0
    vals.append(x)         ->      if vals_n == vals.shape[0]: move to an array of twice the length
                                   vals[vals_n] = x
                                   vals_n += 1

Arrays in a list are rows of such an array, all of one shape; `items` proves that nobody can tell. What a list holds is
known once something is put in: where it was taken for a list of numbers before, the function is read again.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import reduce
from typing import NoReturn, TypeAlias, TypeVar

import gast

from s2sad.errors import AliasingError, KindError, S2sadError
from s2sad.frontend.flow import live_after, wanted
from s2sad.frontend.items import ITEM, MOVED, SHARED
from s2sad.frontend.reader import described
from s2sad.frontend.subscripts import WHOLE, Index, Subscripts
from s2sad.frontend.values import Array, Fresh, Growing, Scalar, Tuple, Value, section_of
from s2sad.ir.nodes import Apply, Assign, Const, Expr, If, Load, New, Raise, Rebind, Slice, Stmt, Store, Var
from s2sad.ir.walk import statements
from s2sad.ops.build import add, sub
from s2sad.source import Span

T = TypeVar("T")
#: By the number of a list, the dimensions of its items, and whether that is sure.
Told: TypeAlias = dict[int, tuple[int, bool]]

ROOM = 8
ONE, ZERO = Const(1), Const(0)


class Again(Exception):
    """List number `which` holds items of `ndim` dimensions, and was taken for another: read the function again."""

    def __init__(self, which: int, ndim: int) -> None:
        super().__init__(which, ndim)
        self.which, self.ndim = which, ndim


def until_told(read: Callable[[Told, set[int]], T]) -> T:
    """What `read` gives once it is told what lists hold, by their number in the order of their births.

    It enters the numbers of lists that are read before anything is put in: taken for lists of numbers first, and of
    vectors where that is refused.
    """
    told: Told = {}
    refused: S2sadError | None = None
    while True:
        guessed: set[int] = set()
        try:
            return read(told, guessed)
        except Again as found:
            which, holds = found.which, (found.ndim, True)
        except S2sadError as error:
            refused = refused or error
            if guessed <= told.keys():
                raise refused from None
            which, holds = min(guessed - told.keys()), (1, False)
        # what lists hold that are born later is found anew
        told = {k: held for k, held in told.items() if k < which} | {which: holds}


class Lists(Subscripts):
    """What lists do."""

    @abstractmethod
    def shape(self, base: Array) -> tuple[Expr, ...]:
        """The lengths of an array's axes."""

    def expr_List(self, node: gast.List) -> Value:
        return Tuple(tuple(self.operands(node.elts)), list)

    def grown(self, raw: str, value: Tuple, node: gast.AST) -> Growing:
        """A list as an array with a counter, bound to `raw`."""
        if any(known is value and number not in self.finished for known, number in self.steady):
            self._two_names(self.at)
        found = self.begin_list(raw)
        self.shaped.update({self.births} if value.items else ())
        size = Const(max(ROOM, 2 * len(value.items)))
        first = [self.stored_item(found, item, node, check=False) for item in value.items[:1]]
        self.emit(New(raw, Apply("room", (size, *self.item_lengths(found, *first))), self.at))
        for k, item in enumerate(value.items):
            held = self.stored_item(found, item, node) if k else first[0]
            self.emit(Store(raw, self.place_in(found, Const(k)), held, self.at))
        self.emit(Assign(found.count, Const(len(value.items)), self.at))
        return found

    def handed(self, raw: str, value: Growing) -> Growing:
        """A list under another name: its first one must not be used again (`one_name`)."""
        if value.name == raw:
            return value
        found = Growing(raw, counter_of(raw))
        self.lists[raw] = self.lists[value.name]
        self.emit(Rebind((raw,), (value.name,), self.at), Assign(found.count, Var(value.count), self.at))
        return found

    def one_name(self, body: Sequence[Stmt], results: Sequence[Expr]) -> None:
        """Refuse lists with two names in use."""
        lists = {counter_of(raw): raw for raw in self.lists}
        live = live_after(body, wanted(results)) if lists else {}
        for stmt in statements(body):
            match stmt:
                case Assign(target, Var(source)) if target in lists and source in lists:
                    if {source, lists[source]} & live[id(stmt)]:
                        self._two_names(stmt.at)

    def _two_names(self, at: Span) -> NoReturn:
        raise AliasingError(
            "two names for one list", code="S080", at=at, hint="use one name, or a copy: `x.copy()`"
        )

    # ----- what a list holds -------------------------------------------------------------------------------

    def begin_list(self, raw: str) -> Growing:
        """A list that begins here."""
        self.births += 1
        self.lists[raw] = self.births
        self.roomy[raw] = 1 + self.holding.get(self.births, 0)
        if self.births in self.told:
            self.holding[self.births], sure = self.told[self.births]
            self.guessed.update(() if sure else {self.births})
        return Growing(raw, counter_of(raw))

    def rank(self, base: Growing) -> int:
        """The number of dimensions of what a list holds; numbers, where nothing is known yet."""
        which = self.lists[base.name]
        if which not in self.holding:
            self.holding[which] = 0
            self.guessed.add(which)
        return self.holding[which]

    def holds(self, base: Growing, ndim: int, node: gast.AST) -> None:
        """From here on it is known what a list holds."""
        which = self.lists[base.name]
        held = self.holding.setdefault(which, ndim)
        if held != ndim and which in self.guessed:
            raise Again(which, ndim)
        if held != ndim:
            self.refuse(node, "a list that changes holds numbers, or arrays of one number of dimensions", "S031",
                        "begin the list with its first item, or use two lists")  # fmt: skip
        self.guessed.discard(which)
        self.roomy[base.name] = 1 + ndim

    def stored_item(self, base: Growing, value: Value, node: gast.AST, check: bool = True) -> Expr:
        """What is stored of an item: a number, or the elements of an array, of which it is a copy or stands for it."""
        if isinstance(value, Scalar):
            self.holds(base, 0, node)
            return value.expr
        if not isinstance(value, Array | Fresh):
            self.refuse(node, f"a list that changes holds numbers and arrays, not {described(value)}", "S031")
        self.holds(base, value.ndim, node)
        match value:
            case Fresh(Apply("copy", (Var(name),))):
                item, how = Array(name, value.ndim), ITEM
            case _:
                how = SHARED if isinstance(value, Array) or section_of(value) else ITEM
                taken = value if isinstance(value, Array) else self.bind(self.temporary(), value, node)
                assert isinstance(taken, Array)
                item = taken
        if check:
            self.check_item(base, item)
        return Apply("copy", (Var(item.name),), how)

    def check_item(self, base: Growing, item: Array) -> None:
        """Raise where an array has another shape than those in a list."""
        room, *lengths = self.shape(Array(base.name, item.ndim + 1))
        pairs = zip(lengths, self.shape(item), strict=True)
        tests: list[Expr] = [Apply("ne", pair) for pair in pairs]
        differs = reduce(lambda one, other: Apply("or", (one, other)), tests)
        if self.lists[base.name] not in self.shaped:
            differs = Apply("and", (Apply("gt", (room, ZERO)), differs))
        self.raise_if(differs, "ValueError", "the arrays in a list that changes have one shape")

    def item_lengths(self, base: Growing, *held: Expr) -> tuple[Expr, ...]:
        """The lengths of the axes of an item that is stored."""
        match held:
            case (Apply(args=(Var(name),)),) if rank := self.rank(base):
                return self.shape(Array(name, rank))
        return ()

    def place_in(self, base: Growing, where: Expr) -> Index:
        """The full subscript of an item (of items, with a slice) in the array behind a list."""
        return (where, *(WHOLE,) * self.rank(base))

    # ----- items -------------------------------------------------------------------------------------------

    def append(self, base: Growing, value: Value, node: gast.AST) -> None:
        """Put an item at the end of a list."""
        held = self.stored_item(base, value, node)
        self.room_for_one(base, held)
        count = Var(base.count)
        self.emit(Store(base.name, self.place_in(base, count), held, self.at))
        self.emit(Assign(base.count, add(count, ONE), self.at))

    def room_for_one(self, base: Growing, held: Expr) -> None:
        """Move to an array of twice the length where there is no room for one more item."""
        count, name = Var(base.count), base.name
        rank = self.rank(base)
        room = self.shape(Array(name, 1 + rank))[0]
        twice: Expr = Apply("mul", (Const(2), count))
        kept: Expr = Var(name)
        if rank:
            twice = Apply("maximum", (Const(ROOM), twice), "max")
            kept = Apply("copy", (kept,), MOVED)
        more = self.temporary("more")
        grow: tuple[Stmt, ...] = (
            New(more, Apply("room", (twice, *self.item_lengths(base, held))), self.at),
            Store(more, self.place_in(base, Slice(None, count, None)), kept, self.at),
            Rebind((name,), (more,), self.at),
        )
        self.emit(If(Apply("eq", (count, room)), grow, (), self.at))

    def put_item(self, base: Growing, where: Value, value: Value, node: gast.AST) -> None:
        """`x[k] = value`."""
        held = self.stored_item(base, value, node)
        at = self.position(base, where, node, "list assignment")
        self.emit(Store(base.name, self.place_in(base, at), held, self.at))

    def position(self, base: Growing, index: Value, node: gast.AST, what: str = "list") -> Expr:
        """The subscript of an item in the array behind a list."""
        count = Var(base.count)
        expr = self.scalar_of(index, node)
        wrong: Expr
        match expr:
            case Const(int() as number) if not isinstance(number, bool):
                wrong = Apply("le", (count, Const(number if number >= 0 else -number - 1)))
                where: Expr = expr if number >= 0 else sub(count, Const(-number))
            case Const():
                self.refuse(node, "a subscript must be an integer", "S038")
            case _:
                held = index if isinstance(expr, Var) or self._is_natural(expr) else self.spill(index)
                assert isinstance(held, Scalar)
                if self._is_natural(held.expr):
                    self.raise_if(Apply("ge", (held.expr, count)), "IndexError", f"{what} index out of range")
                    return held.expr
                below = Apply("lt", (held.expr, Apply("neg", (count,))))
                wrong = Apply("or", (below, Apply("ge", (held.expr, count))))
                where = Apply("mod", (held.expr, count))
        self.raise_if(wrong, "IndexError", f"{what} index out of range")
        return where

    def _is_natural(self, expr: Expr) -> bool:
        """Whether an integer is surely not below zero."""
        match expr:
            case Var(name):
                return name in self.natural
            case Const(number):
                return type(number) is int and number >= 0
            case Apply(op="add" | "mul" | "floordiv", args=args):
                return all(map(self._is_natural, args))
            case Apply(op="mod", args=(Var(), Const(number))):
                return type(number) is int and number > 0
        return False

    def seen(self, base: Growing) -> Array:
        """What a list holds now, as a view of the array behind it."""
        part = Load(base.name, self.place_in(base, Slice(None, Var(base.count), None)))
        return self.array(Fresh(part, 1 + self.rank(base)))

    def list_part(self, base: Growing, part: Expr) -> Growing:
        """`x[a:b]`, a list of its own that holds the same items."""
        seen = self.seen(base)
        raw = self.temporary("part")
        found = self.begin_list(raw)
        self.holds(found, self.rank(base), self.frame.node)
        held = Load(seen.name, self.place_in(found, part))
        self.emit(New(raw, Apply("copy", (held,), SHARED if self.rank(base) else ""), self.at))
        self.emit(Assign(found.count, self.shape(Array(raw, seen.ndim))[0], self.at))
        return found

    def raise_if(self, test: Expr, name: str, text: str) -> None:
        check = If(test, (Raise(name, (Const(text),), self.at),), (), self.at)
        if self.out[-1:] != [check]:
            self.emit(check)

    # ----- arrays of lists ---------------------------------------------------------------------------------

    def array_of(self, node: gast.AST, value: Value, op: str = "typed") -> Array | Fresh:
        """`np.array(value)`, its elements as "typed" (what they are), "empty" (real), "single" or "full" (int)."""
        match value:
            case Growing(name, count):
                if self.rank(value):
                    empty = Apply("eq", (Var(count), ZERO))
                    self.raise_if(empty, "ValueError", "need at least one array to stack")
                part = Load(name, self.place_in(value, Slice(None, Var(count), None)))
                return Fresh(Apply("copy", (part,)), 1 + self.rank(value), True)
            case Array() | Fresh():
                return Fresh(Apply("copy", (Var(self.array(value).name),), "np.copy"), value.ndim, True)
            case Tuple(items) if items:
                items = tuple(map(self._named, items))
                shape = self._shape_of(node, Tuple(items))
                name = self.temporary("t")
                typed = (Const(len(shape)), *shape, *self._samples(node, items))
                single = Apply("full", (Apply("float32", (Const(0.0),)), *shape))
                made = {
                    "full": Apply("full", (ZERO, *shape)),
                    "empty": Apply("empty", shape),
                    "single": single,
                }
                self.emit(New(name, made.get(op, Apply("typed", typed, "np.array")), self.at))
                self._fill(node, name, (), items, len(shape))
                return Array(name, len(shape))
        self.refuse(node, f"an array of {described(value)} is not supported", "S073")

    def _samples(self, node: gast.AST, items: Sequence[Value]) -> list[Expr]:
        """What stands in an array that is written out."""
        found: list[Expr] = []
        for item in items:
            match item:
                case Tuple(inner):
                    found += self._samples(node, inner)
                case Array(row):
                    found.append(Var(row))
                case _:
                    found.append(self.scalar_of(item, node))
        return found

    def _named(self, item: Value) -> Value:
        return self.array(item) if isinstance(item, Fresh) else item

    def _shape_of(self, node: gast.AST, value: Value) -> tuple[Expr, ...]:
        match value:
            case Scalar():
                return ()
            case Array():
                return self.shape(value)
            case Tuple(items) if items:
                inner = [self._shape_of(node, item) for item in items]
                for one in inner[1:]:
                    self._alike(node, inner[0], one)
                return (Const(len(items)), *inner[0])
        self.refuse(node, f"an array of {described(value)} is not supported", "S073")

    def _alike(self, node: gast.AST, one: Sequence[Expr], other: Sequence[Expr]) -> None:
        """Rows of an array have one shape."""
        if len(one) != len(other) or any(
            isinstance(a, Const) and isinstance(b, Const) and a != b for a, b in zip(one, other, strict=True)
        ):
            self.refuse(node, "the rows of an array have one shape", "S064", error=KindError)
        for a, b in zip(one, other, strict=True):
            if a != b:
                self.raise_if(Apply("ne", (a, b)), "ValueError", "setting an array element with a sequence.")

    def _fill(
        self, node: gast.AST, name: str, index: tuple[Expr, ...], items: Sequence[Value], ndim: int
    ) -> None:
        for k, item in enumerate(items):
            place = (*index, Const(k))
            match item:
                case Tuple(inner):
                    self._fill(node, name, place, inner, ndim)
                case Array(row):
                    rest = (WHOLE,) * (ndim - len(place))
                    self.emit(Store(name, (*place, *rest), Var(row), self.at))
                case _:
                    self.emit(Store(name, place, self.scalar_of(item, node), self.at))


def counter_of(raw: str) -> str:
    """The raw name of the number of items of the list `raw`."""
    base, _, tag = raw.partition("#")
    return f"{base}.n#{tag}"
