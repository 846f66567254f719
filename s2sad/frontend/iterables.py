"""What loops run over: ranges, arrays, tuples, and `enumerate`, `zip`, `reversed` of these."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import gast

from s2sad.frontend.calls import Calls
from s2sad.frontend.comprehensions import entries
from s2sad.frontend.dicts import dict_of, is_dict
from s2sad.frontend.reader import described
from s2sad.frontend.subscripts import WHOLE
from s2sad.frontend.values import Array, Fresh, Growing, Known, Scalar, Struct, Tuple, Value, truth
from s2sad.ir.nodes import Apply, Const, Expr, Var
from s2sad.ops.build import add, mul, neg, sub
from s2sad.schedules import KINDS, is_schedule, rows

ONE, ZERO = Const(1), Const(0)


@dataclass(frozen=True, slots=True)
class Trips:
    """A counted loop: bounds of its counter, and the value of its target for a value of the counter.

    `plain` where the target is the counter itself; `fixed` are numbers that mustn't change meanwhile: the lengths
    of lists. A `schedule` and what is `given` with it make it a loop of `checkpoint_range`; `threads` tells of `prange`.
    """

    start: Expr
    stop: Expr
    step: Expr
    element: Callable[[Expr], Value]
    plain: bool = False
    fixed: tuple[str, ...] = ()
    schedule: str = ""
    given: Expr = ZERO
    threads: Literal["", "asked"] = ""

    @property
    def length(self) -> Expr:
        """How many trips there are; a number below zero counts as zero."""
        match self.start, self.stop, self.step:
            case Const(int() as start), Const(int() as stop), Const(int() as step):
                return Const(len(range(start, stop, step)))
            case _, _, Const(1):
                return sub(self.stop, self.start)
            case _, _, Const(-1):
                return sub(self.start, self.stop)
        return neg(Apply("floordiv", (sub(self.start, self.stop), self.step)))

    def at(self, number: Expr) -> Expr:
        """The counter of trip `number`."""
        return add(self.start, mul(number, self.step))

    def item(self, number: Expr) -> Value:
        """The value of the target in trip `number`."""
        return self.element(self.at(number))


Iterable: TypeAlias = Trips | tuple[Value, ...]


class Iterables(Calls):
    """Reads what stands behind `in`."""

    def iterable(self, node: gast.AST) -> Iterable:
        """The trips of a loop over `node`; one after the other where they are known now."""
        called = self._called(node)
        name = getattr(called, "__name__", "")
        module = (getattr(called, "__module__", None) or "").partition(".")[0]
        if called is range:
            return self._range(node, node.args)
        if name == "prange" and module == "numba":
            return replace(self._range(node, node.args), threads="asked")
        if name == "checkpoint_range" and module == "s2sad":
            return self._checkpointed(node)
        if called is reversed and len(node.args) == 1 and not node.keywords:
            return self._reversed(self.iterable(node.args[0]))
        if called is enumerate:
            return self._enumerate(node)
        if called is zip:
            return self._zip(node)
        value = self.expr(node)
        match value:
            case Tuple(items):
                return items
            case Struct() if is_dict(value):
                return self.keys(node, value).items
            case Array() | Fresh():
                return self._elements(node, value)
            case Growing(name, count):
                rank = self.rank(value)
                base, rest = Array(name, 1 + rank), (WHOLE,) * rank
                return Trips(ZERO, Var(count), ONE, lambda k: self.selected(base, (k, *rest)), fixed=(count,))
        self.refuse(node, f"a loop over {described(value)} is not supported", "S014")

    def expr_DictComp(self, node: gast.DictComp) -> Value:
        """An entry for each item of what is known now."""
        part = node.generators[0]
        source = self.iterable(part.iter) if len(node.generators) == 1 else None
        if source is None or isinstance(source, Trips):
            self.refuse(node, "a dict is made in a loop over a dict or a tuple here", "S032",
                        "use an array, and a number as subscript")  # fmt: skip
        asked, entry = map(self.closure, entries(node))
        found: dict[Hashable, Value] = {}
        for item in source:
            wanted = truth(self.called_with(node, asked, [item]))
            if wanted is None:
                self.refuse(part.ifs[0], "which entries a dict has must be known", "S031")
            if wanted:
                made = self.called_with(node, entry, [item])
                assert isinstance(made, Tuple)
                found[self.constant_key(node.key, made.items[0])] = made.items[1]
        return dict_of(found)

    def _called(self, node: gast.AST) -> Any:
        if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Name | gast.Attribute):
            return None
        function = self.expr(node.func) if isinstance(node.func, gast.Name) else self._member(node.func)
        return function.value if isinstance(function, Known) else None

    def _member(self, node: gast.Attribute) -> Value | None:
        """`module.name`; None where the base is no module, for it may be an array with a method."""
        base = self.expr(node.value)
        return self.attribute(node, base) if isinstance(base, Known) else None

    def _checkpointed(self, node: gast.Call) -> Trips:
        """The trips of `checkpoint_range(n, snapshots, schedule)`."""
        names = ("n", "snapshots", "schedule")
        given = dict(zip(names, node.args, strict=False)) | {k.arg: k.value for k in node.keywords}
        if len(node.args) > len(names) or "n" not in given or given.keys() - set(names):
            self.refuse(node, "`checkpoint_range` takes n, snapshots and schedule", "S014")
        order = [given[name] for name in names if name in given]
        values = dict(zip((n for n in names if n in given), self.operands(order), strict=True))
        stop = self.scalar_of(values["n"], given["n"])
        snapshots, schedule = values.get("snapshots", Known(None)), values.get("schedule", Known("revolve"))
        number = ZERO if snapshots == Known(None) else self.scalar_of(snapshots, node)
        match schedule:
            case Known(str() as how) if how in KINDS:
                return Trips(ZERO, stop, ONE, Scalar, plain=True, schedule=how, given=number)
            case Known(str()):
                self.refuse(given["schedule"], "there is no schedule of this name", "S014",
                            "revolve, uniform, online, disk, or an array of actions: `schedules.rows`")  # fmt: skip
            case Array(ndim=2) | Fresh(ndim=2):
                plan: Expr = Var(self.array(schedule).name)
            case Known(value) if is_schedule(value):
                baked = self.baked(rows(value), "plan", given["schedule"])
                assert isinstance(baked, Array)
                plan = Var(baked.name)
            case _:
                self.refuse(given["schedule"], f"a schedule can't be {described(schedule)}", "S014",
                            "revolve, uniform, online, disk, or an array of actions: `schedules.rows`")  # fmt: skip
        return Trips(ZERO, stop, ONE, Scalar, plain=True, schedule="rows", given=plan)

    def _range(self, node: gast.Call, args: list[gast.AST]) -> Trips:
        if node.keywords or not 1 <= len(args) <= 3:
            self.refuse(node, "`range` takes one to three arguments", "S014")
        values = [self.scalar_of(v, n) for v, n in zip(self.operands(args), args, strict=True)]
        start, stop = (ZERO, values[0]) if len(values) == 1 else values[:2]
        step = values[2] if len(values) == 3 else ONE
        if step == ZERO:
            self.refuse(node, "the step of `range` is zero", "S014")
        return Trips(start, stop, step, Scalar, plain=True)

    def _elements(self, node: gast.AST, value: Array | Fresh) -> Trips:
        base = self.bind(self.temporary("it"), self.array(value), node)
        assert isinstance(base, Array)
        length = Apply("shape", (Var(base.name), ZERO))
        rest = (WHOLE,) * (base.ndim - 1)
        return Trips(ZERO, length, ONE, lambda k: self.selected(base, (k, *rest)))

    def _steady(self, source: Iterable) -> Iterable:
        """A range under a counter of its own: what its items are computed from is taken now."""
        if not isinstance(source, Trips):
            return source
        start, step = (self.spill(Scalar(bound)) for bound in (source.start, source.step))
        assert isinstance(start, Scalar)
        assert isinstance(step, Scalar)
        return replace(source, start=start.expr, step=step.expr)

    def _reversed(self, source: Iterable) -> Iterable:
        if not isinstance(source, Trips):
            return source[::-1]
        first = source.at(sub(source.length, ONE))
        stop = sub(source.start, source.step)
        return replace(source, start=first, stop=stop, step=neg(source.step))

    def _enumerate(self, node: gast.Call) -> Iterable:
        options = {k.arg: k.value for k in node.keywords}
        if not 1 <= len(node.args) + len(options) <= 2 or not node.args or options.keys() - {"start"}:
            self.refuse(node, "`enumerate` takes something to loop over, and a start", "S014")
        source = self._steady(self.iterable(node.args[0]))
        given = node.args[1] if len(node.args) == 2 else options.get("start")
        first = ZERO if given is None else self.scalar_of(self.spill(self.expr(given)), given)
        if not isinstance(source, Trips):
            return tuple(Tuple((Scalar(add(first, Const(k))), item)) for k, item in enumerate(source))
        return Trips(
            ZERO,
            source.length,
            ONE,
            lambda k: Tuple((Scalar(add(first, k)), source.item(k))),
            fixed=source.fixed,
            schedule=source.schedule,
            given=source.given,
        )

    def _one_by_one(self, node: gast.Call, source: Iterable) -> Iterable:
        """Numbers that are known one by one as the elements of an array."""
        if isinstance(source, Trips) or not source or not all(isinstance(item, Scalar) for item in source):
            return source
        return self._elements(node, self.array_of(node, Tuple(source)))

    def _zip(self, node: gast.Call) -> Iterable:
        lenient = all(k.arg == "strict" and self.expr(k.value) == Scalar(Const(False)) for k in node.keywords)
        if not lenient or not node.args:
            self.refuse(node, "`zip` takes what is to be looped over, one or more", "S014")
        sources = [self._steady(self.iterable(arg)) for arg in node.args]
        if any(isinstance(source, Trips) for source in sources):
            sources = [self._one_by_one(node, source) for source in sources]
        counted = [source for source in sources if isinstance(source, Trips)]
        known = [source for source in sources if not isinstance(source, Trips)]
        if known and counted:
            self.refuse(node, "a `zip` of tuples and other things is not supported", "S014")
        if any(source.schedule for source in counted):
            self.refuse(node, "a `zip` with `checkpoint_range` is not supported", "S014",
                        "loop over `checkpoint_range` alone, and read `x[t]`")  # fmt: skip
        if known:
            return tuple(map(Tuple, zip(*known, strict=False)))
        length, fixed = counted[0].length, tuple(name for source in counted for name in source.fixed)
        for source in counted[1:]:
            if source.length != length:
                length = Apply("minimum", (length, source.length), "min")
        return Trips(ZERO, length, ONE, lambda k: Tuple(tuple(s.item(k) for s in counted)), fixed=fixed)
