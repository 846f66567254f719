"""Loops: `for` and `while`, what they run over, and how they are left in the middle.

A `break` puts down a flag that the loop asks for before each trip, a `return` keeps its result and puts down the
flags of all loops around it::

    for i in range(n):                     r = 0.0
        if x[i] < 0.0:                     going = True
            return x[i]           ->       i = 0
        s += x[i]                          while going and i < n:
    return s                                   if x[i] < 0.0:
                                                   r = x[i]
                                                   going = False
                                               else:
                                                   s += x[i]
                                               i += 1
                                           if going:
                                               r = s
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import gast

from s2sad.frontend.assignments import Assignments
from s2sad.frontend.flow import defines
from s2sad.frontend.iterables import Iterables, Trips
from s2sad.frontend.reader import is_atomic, reads
from s2sad.frontend.subset import assigned_names, exits, outer_names, stored_into
from s2sad.frontend.values import Closure, Known, Loop, Lost, Scalar, Value, meet, same, truth
from s2sad.ir.nodes import INT, Apply, Assign, Const, Expr, For, If, Raise, Region, Stmt, Var, While
from s2sad.ir.walk import nodes, statements, variables
from s2sad.ops.build import add
from s2sad.source import Span

#: Operations in a bound that may as well be done before each trip.
PLAIN = ("shape", "add", "sub", "neg", "whole")


@dataclass(frozen=True, slots=True)
class Leaving:
    """How a loop may be left: the flags that `break` and `return` put down, and the statements that put them up.

    `ends` tells whether what follows the loop is ever reached.
    """

    flag: str = ""
    going: str = ""
    starts: tuple[Stmt, ...] = ()
    ends: bool = True

    @property
    def test(self) -> Expr | None:
        """Whether the loop goes on; None where nothing leaves it in the middle."""
        name = self.flag or self.going
        return Var(name) if name else None


class Loops(Iterables, Assignments):
    """Reads loops; `body` reads what is in them."""

    @abstractmethod
    def body(self, stmts: Sequence[gast.stmt]) -> bool:
        """Statements one after the other; whether their end is reached."""

    def loop(self, node: gast.For | gast.While) -> Leaving:
        """A loop, without its `else`."""
        frame, found = self.frame, exits(node.body)
        outermost = not frame.loops
        if "return" in found:
            frame.into = frame.into or self.result()
            self.late.add(frame.into.partition("#")[2])
            if outermost:
                frame.going = self.temporary("going")
        flag = self.temporary("going") if "break" in found else ""
        going = frame.going if "return" in found else ""
        up = [going] if going and outermost else []
        starts = tuple(Assign(name, Const(True), self.at) for name in (*up, flag) if name)
        leaving = Leaving(flag, going, starts)
        ends = self._while(node, leaving) if isinstance(node, gast.While) else self._for(node, leaving)
        return Leaving(flag, going, starts, ends)

    def result(self) -> str:
        """The raw name under which results meet."""
        return self.temporary("r")

    @contextmanager
    def _trip(self, leaving: Leaving) -> Iterator[list[Stmt]]:
        """A block that is one trip of a loop, and the values at its end."""
        frame = self.frame
        loop = Loop(dict(frame.env), leaving.flag)
        frame.loops.append(loop)
        with self.block() as stmts:
            yield stmts
        frame.loops.pop()

    def _read(self, node: gast.For | gast.While) -> bool:
        """The body of a loop, up to where its trips meet; whether any gets there."""
        loop = self.frame.loops[-1]
        ways = [self.frame.env] if self.body(node.body) else []
        ways += loop.ends
        self.frame.env = meet(loop.entry, ways) if ways else dict(loop.entry)
        loop.ends = []
        return bool(ways)

    def _behind(self, loop: Loop, node: gast.AST) -> None:
        """The values behind a loop."""
        after = self.frame.env
        self.frame.env = env = dict(loop.entry)
        for name, value in after.items():
            old = loop.entry.get(name)
            if old is None:
                lost = Lost("is bound in a loop that may make no trip", "S051")
                env[name] = lost if isinstance(value, Known | Closure | Lost) else value
            elif old is not value and not same(old, value):
                if name in loop.carried and old == Known(None):
                    self.refuse(node, f"`{name}` is None before this loop, and something else in it", "S052",
                                f"begin with a number, and tell by another name whether `{name}` counts")  # fmt: skip
                if name in loop.carried:
                    self.refuse(node, f"`{name}` changes its kind in this loop", "S052",
                                f"use one name for what `{name}` is before the loop, another inside")  # fmt: skip
                env[name] = Lost("has different kinds before the loop and in it")

    # ----- for ---------------------------------------------------------------------------------------------

    def _for(self, node: gast.For, leaving: Leaving) -> bool:
        source, place = self.iterable(node.iter), self.at
        if not isinstance(source, Trips):
            return self._unrolled(node, source, leaving)
        base = node.target.id if isinstance(node.target, gast.Name) and source.plain else "k"
        counter = self.temporary(base)
        self.kinds[counter] = INT
        with self._trip(leaving) as stmts:
            loop = self.frame.loops[-1]
            self.assign(node.target, source.element(Var(counter)))
            with self._counting_up(node, source):
                self._read(node)
        if any(name in defines(stmt) for stmt in statements(stmts) for name in source.fixed):
            self.refuse(node, "the list changes its length while a loop runs over it", "S031")
        if leaving.test is None:
            made: For | While = For(
                counter, source.start, source.stop, source.step, tuple(stmts), place, threads=source.threads
            )
        else:
            made = self._counted(counter, source, stmts, leaving, place)
        if source.schedule:
            self.emit(Region((made,), place, source.schedule, source.given, source.length))
        else:
            self.emit(made)
        self._behind(loop, node)
        return True

    @contextmanager
    def _counting_up(self, node: gast.For, source: Trips) -> Iterator[None]:
        """While a loop is read that counts up from zero or more, by a name that it doesn't bind anew."""
        known = self.natural
        match node.target, source.start, source.step:
            case gast.Name(id=name), Const(int() as start), Const(int() as step) if (
                source.plain and start >= 0 and step > 0
            ):
                if name not in assigned_names(node.body) | outer_names(self.frame.node.body):
                    self.natural = known | {self.raw(name)}
        yield
        self.natural = known

    def _counted(
        self, counter: str, source: Trips, stmts: list[Stmt], leaving: Leaving, place: Span
    ) -> While:
        """A `for` that may be left in the middle: a `while` with the counter written out."""
        made = {name for stmt in statements(stmts) for name in defines(stmt)}
        start = _whole(source.start)
        stop, step = (
            self._kept(_whole(bound), made, name, place)
            for bound, name in ((source.stop, "stop"), (source.step, "step"))
        )
        position, zero = Var(counter), Const(0)
        below, above = Apply("lt", (position, stop)), Apply("gt", (position, stop))
        match step:
            case Const(value=value):
                more: Expr = below if value > 0 else above
            case _:
                wrong = Raise("ValueError", (Const("range() arg 3 must not be zero"),), place)
                self.emit(If(Apply("eq", (step, zero)), (wrong,), (), place))
                up, down = Apply("gt", (step, zero)), Apply("lt", (step, zero))
                more = Apply("or", (Apply("and", (up, below)), Apply("and", (down, above))))
        self.emit(Assign(counter, start, place), *leaving.starts)
        assert leaving.test is not None
        onward = Assign(counter, add(position, step), place)
        return While(Apply("and", (leaving.test, more)), (*stmts, onward), "", place)

    def _kept(self, bound: Expr, made: set[str], base: str, place: Span) -> Expr:
        """A bound, in a name of its own where the loop may change what it is computed from."""
        plain = all(
            n.op in PLAIN if isinstance(n, Apply) else isinstance(n, Var | Const) for n in nodes(bound)
        )
        if plain and made.isdisjoint(variables(bound)):
            return bound
        name = self.temporary(base)
        self.emit(Assign(name, bound, place))
        return Var(name)

    def _unrolled(self, node: gast.For, items: Sequence[Value], leaving: Leaving) -> bool:
        """A loop over a tuple: its trips one after the other."""
        changed = assigned_names([node]) | outer_names(self.frame.node.body) | set(stored_into(node))
        items = [self._taken(item, node, changed) for item in items]
        self.emit(*leaving.starts)
        place, open_ = self.at, True
        self.frame.loops.append(Loop({}, leaving.flag))

        def trips(items: Sequence[Value]) -> bool:
            if not items:
                return True
            self._bind_item(node, items[0])
            if not self._read(node):
                return False
            if leaving.test is None or len(items) == 1:
                return trips(items[1:])
            before = dict(self.frame.env)
            with self.block() as stmts:
                ways = [self.frame.env] if trips(items[1:]) else []
            self.emit(If(leaving.test, tuple(stmts), (), place))
            self.frame.env = meet(before, [*ways, before])
            return True

        open_ = trips(items)
        self.frame.loops.pop()
        return open_

    def _taken(self, value: Value, node: gast.AST, changed: set[str]) -> Value:
        """`value` as it is now: in a name of its own, where it has none or the name gets another value."""
        names = {name.partition("#")[0].partition(".")[0] for name in reads(value)}
        keep = is_atomic(value) and changed.isdisjoint(names)
        return value if keep else self.bind(self.temporary(), value, node)

    def _bind_item(self, node: gast.For, value: Value) -> None:
        """The target of one trip: what is known now stands for itself, where the body doesn't assign to it."""
        name = node.target.id if isinstance(node.target, gast.Name) else ""
        settled = isinstance(value, Known | Closure) or (
            isinstance(value, Scalar) and isinstance(value.expr, Const)
        )
        if name and settled and is_atomic(value) and name not in assigned_names(node.body):
            self.frame.env[name] = value
        else:
            self.assign(node.target, value)

    # ----- while -------------------------------------------------------------------------------------------

    def _while(self, node: gast.While, leaving: Leaving) -> bool:
        place = self.at
        with self._trip(leaving) as stmts:
            loop = self.frame.loops[-1]
            with self.block() as head:
                test = self._condition(node.test)
            if head:  # run before the first trip, and again at the end of each
                name = self.temporary("more")
                head.append(Assign(name, self.scalar_of(test, node.test), place))
                loop.entry, loop.carried = dict(self.frame.env), set()
                test = Scalar(Var(name))
            known = truth(test)
            if known is not False:
                self._read(node)
            self.at = place
            if head:
                with self.block() as tail:
                    again = self._condition(node.test)
                    self.emit(Assign(name, self.scalar_of(again, node.test), place))
                self.emit(*tail if leaving.test is None else [If(leaving.test, tuple(tail), (), place)])
        if known is False:
            self.frame.env = loop.entry
            self.emit(*leaving.starts)
            return True
        if known and leaving.test is None:
            self.refuse(node, "nothing leaves this loop", "S011")
        self.emit(*head, *leaving.starts)
        asked = [
            e for e in (leaving.test, None if known else self.scalar_of(test, node.test)) if e is not None
        ]
        self.emit(While(asked[0] if len(asked) == 1 else Apply("and", tuple(asked)), tuple(stmts), "", place))
        self._behind(loop, node)
        return not known or bool(leaving.flag)

    def _condition(self, node: gast.AST) -> Value:
        """The condition of a loop; `1` and `0` are known ones, too."""
        value = self.test(node)
        match value:
            case Scalar(Const(int() as number)):
                return Scalar(Const(bool(number)))
        return value


def _whole(bound: Expr) -> Expr:
    """A bound of `range`, which must turn out to be an integer."""
    return bound if isinstance(bound, Const) else Apply("whole", (bound,))
