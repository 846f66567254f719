"""What is checked of a function at a point, one method per check; for the corpus and for random programs alike."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import pytest
from reference import (
    assert_close,
    assert_same,
    compiled,
    directional,
    directions_like,
    gradient,
    weights_like,
)

import s2sad
from s2sad.forms import items_of, like
from s2sad.shapes.passes import NAMES
from s2sad.testing import differences, inner, leaves
from s2sad.widened import SINGLE, is_single, widened

FIRST_ORDER = (
    "tangent", "gradient", "in_loops", "alone", "pullback", "pullback_again", "duality", "taped", "entities",
)  # fmt: skip
QUICK = ("tangent", "gradient")
TAPED = ("managers",)
PASSES = ("each_off",)
ALL = (*FIRST_ORDER, "kept", "second_order")
MANAGERS = ("linear", "reuse", "multiuse")


@dataclass(frozen=True)
class Run:
    """A function at a point.

    value, left  its value there, and the arguments as it leaves them
    expected     gradients by position, where a convention and not a reference decides
    exact        the value is the same to the last bit
    single       it computes in float32: references are those of the program in float64
    without      the kinds of tapes that it was found to be nothing for
    """

    f: Callable[..., Any]
    arguments: tuple[Any, ...]
    value: Any
    left: tuple[Any, ...]
    options: dict[str, Any]
    expected: dict[int, Any] | None = None
    exact: bool = True
    single: bool = False
    without: set[str] = field(default_factory=set)

    @staticmethod
    def of(
        f: Callable[..., Any],
        arguments: tuple[Any, ...],
        expected: dict[int, Any] | None = None,
        exact: bool = True,
        rounded: bool = False,
        **options: Any,
    ) -> Run:
        """Run f once: as Numba compiles it, where its derivatives are compiled and the last bit counts."""
        left = copy.deepcopy(arguments)
        value = (compiled(f) if options["jit"] and exact else f)(*left)
        exact = not rounded and (exact or not options["jit"])
        return Run(f, arguments, value, left, options, expected, exact, is_single(f, arguments))

    @property
    def scalar(self) -> bool:
        return items_of(self.value) is None and np.ndim(self.value) == 0

    @property
    def active(self) -> tuple[int, ...]:
        return tuple(k for k, d in enumerate(self.tangents) if d is not None)

    @property
    def tangents(self) -> tuple[Any, ...]:
        return directions_like(self.arguments)

    @property
    def weights(self) -> Any:
        return weights_like(self.value)

    def fresh(self) -> tuple[Any, ...]:
        return copy.deepcopy(self.arguments)

    def reference(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """A function and fresh arguments to take references of."""
        return (widened(self.f), widened(self.fresh())) if self.single else (self.f, self.fresh())

    def close(self, got: Any, want: Any, accuracy: float, what: str) -> None:
        assert_close(got, want, max(accuracy, SINGLE) if self.single else accuracy, what)

    def slope(self, tangents: tuple[Any, ...]) -> tuple[Any, float]:
        f, args = self.reference()
        return directional(f, args, widened(tangents))

    def refused(self, **options: Any) -> None:
        """Tapes hold float64: float32 is refused."""
        with pytest.raises(s2sad.KindError) as e:
            s2sad.record(self.f, **options, **self.options)(*self.fresh())
        assert e.value.code == "S062"

    def same(self, value: Any, args: tuple[Any, ...]) -> None:
        """The value is that of f, and the arguments are left as f leaves them."""
        compare = assert_same if self.exact else partial(self.close, accuracy=1e-13)
        compare(value, self.value, what="value")
        compare([*args], [*self.left], what="arguments afterwards")

    # ---------------------------------------------------------------- the checks

    def tangent(self) -> None:
        args, tangents = self.fresh(), self.tangents
        y, ydot = s2sad.jvp(self.f, args, tangents, **self.options)
        self.same(y, args)
        assert_same([*tangents], [*self.tangents], "tangents afterwards")
        if self.expected is not None:
            slope = sum(inner(g, self.tangents[k]) for k, g in self.expected.items())
            self.close(ydot, slope, 1e-12, "tangent")
        else:
            self.close(ydot, *self.slope(self.tangents), "tangent")

    def gradient(self) -> None:
        """Value and gradient, twice."""
        if not self.scalar:
            return
        derivative = s2sad.value_and_grad(self.f, argnums=self.active, **self.options)
        for _ in range(2):
            args = self.fresh()
            value, got = derivative(*args)
            self.same(value, args)
            self._close(dict(zip(self.active, got, strict=True)), 1.0)

    def in_loops(self) -> None:
        """Value and gradient by the text that would be compiled, with loops for array statements, uncompiled."""
        self._in_loops(NAMES)

    def each_off(self) -> None:
        """The same with no pass, and with each pass left out."""
        for passes in ((), *(tuple(p for p in NAMES if p != off) for off in NAMES)):
            self._in_loops(passes)

    def _in_loops(self, passes: Sequence[str]) -> None:
        if not self.scalar or self.options["jit"] or "passes" in self.options:
            return
        args = self.fresh()
        derivative = s2sad.value_and_grad(self.f, argnums=self.active, passes=passes, **self.options)
        value, got = derivative(*args)
        self.close(value, self.value, 1e-12, "value in loops")
        self.close([*args], [*self.left], 1e-12, "arguments afterwards")
        self._close(dict(zip(self.active, got, strict=True)), 1.0)

    def alone(self) -> None:
        """One active argument at a time: tangent and gradient."""
        for k in self.active:
            tangents = tuple(t if j == k else None for j, t in enumerate(self.tangents))
            y, ydot = s2sad.jvp(self.f, self.fresh(), tangents, **self.options)
            self.same(y, self.left)
            if self.expected is None:
                self.close(ydot, *self.slope(tangents), f"tangent along argument {k}")
            if self.scalar:
                got = s2sad.grad(self.f, argnums=k, **self.options)(*self.fresh())
                self._close({k: got}, 1.0)

    def pullback(self) -> None:
        """All gradients, None for what holds no floats; the cotangents are left alone."""
        args = self.fresh()
        weights = self.weights
        y, pull = s2sad.vjp(self.f, *args, **self.options)
        self.same(y, args)
        got = pull(weights)
        assert_same(weights, self.weights, "cotangents afterwards")
        assert len(got) == len(args)
        assert [k for k, g in enumerate(got) if g is not None] == list(self.active)
        self._close({k: got[k] for k in self.active}, weights)

    def pullback_again(self) -> None:
        _, pull = s2sad.vjp(self.f, *self.fresh(), **self.options)
        first, _, again = pull(self.weights), pull(weights_like(self.value, 5)), pull(self.weights)
        for k in self.active:
            assert_same(again[k], first[k], f"adjoint of argument {k} once more")

    def duality(self) -> None:
        _, ydot = s2sad.jvp(self.f, self.fresh(), self.tangents, **self.options)
        _, pull = s2sad.vjp(self.f, *self.fresh(), **self.options)
        left, right = inner(pull(self.weights), self.tangents), inner(self.weights, ydot)
        accuracy = 1e-5 if self.single else 1e-10
        assert abs(left - right) <= accuracy * (1.0 + abs(right)), f"{left!r} and {right!r} should be equal"

    def taped(self, several: bool = False) -> None:
        """The tape of every index manager gives the pullback's adjoints and the tangent; nothing is forgotten."""
        if self.single:
            self.refused()
            return
        want, ydot = self._first_order()
        for index in MANAGERS:
            args = self.fresh()
            try:
                tape = s2sad.record(self.f, index=index, check=True, **self.options)(*args)
            except s2sad.UnsupportedSyntaxError as e:
                if e.code == "S075" and "complex" in str(e):
                    self.without.add("slopes")
                    return  # (arrays of complex numbers have adjoint code and no tape)
                raise
            self.same(tape.value, args)
            for _ in range(2):
                got = tape.reverse(self.weights)
                assert [k for k, g in enumerate(got) if g is not None] == list(self.active)
                for k in self.active:
                    assert_close(got[k], want[k], 1e-12, f"{index} tape, adjoint of argument {k}")
            assert_close(tape.forward(*self.tangents), ydot, 1e-11, f"{index} tape, tangent")
            if several:
                self._together(tape, f"{index} tape")
            stats = tape.stats()
            assert stats.formula_bytes == stats.adjoint_bytes + stats.index_bytes + stats.use_count_bytes
            assert stats.index_max == stats.index_live_max

    def kept(self, managers: Sequence[str] = ("multiuse",)) -> None:
        """The tape that keeps values gives the same, in both directions and either order, where it can."""
        if self.single:
            self.refused(values="primal")
            return
        want, ydot = self._first_order()
        for index in managers:
            args = self.fresh()
            try:
                tape = s2sad.record(self.f, index=index, values="primal", check=True, **self.options)(*args)
            except s2sad.UnsupportedSyntaxError as e:
                if e.code != "S075":
                    raise
                self.without.add("values")
                return
            self.same(tape.value, args)
            for _ in range(2):
                assert_close(tape.forward(*self.tangents), ydot, 1e-11, f"{index} tape of values, tangent")
                got = tape.reverse(self.weights)
                for k in self.active:
                    assert_close(got[k], want[k], 1e-12, f"{index} tape of values, adjoint of argument {k}")
            if len(managers) > 1:
                self._together(tape, f"{index} tape of values")

    def entities(self, managers: Sequence[str] = ("multiuse",)) -> None:
        """The tape of entities gives the same, where it can."""
        if self.single:
            self.refused(entities=True)
            return
        want, ydot = self._first_order()
        for index in managers:
            args = self.fresh()
            try:
                tape = s2sad.record(self.f, index=index, entities=True, check=True, **self.options)(*args)
            except s2sad.UnsupportedSyntaxError as e:
                if e.code != "S075" or "entit" not in str(e):
                    raise
                self.without.add("entities")
                return
            self.same(tape.value, args)
            for _ in range(2):
                got = tape.reverse(self.weights)
                for k in self.active:
                    assert_close(got[k], want[k], 1e-12, f"{index} tape of entities, adjoint of argument {k}")
            assert_close(tape.forward(*self.tangents), ydot, 1e-11, f"{index} tape of entities, tangent")
            if len(managers) > 1:
                self._together(tape, f"{index} tape of entities")

    def managers(self) -> None:
        """Tapes of every kind under every manager, several directions at once as well."""
        self.taped(several=True)
        self.kept(MANAGERS)
        self.entities(MANAGERS)

    def _together(self, tape: Any, what: str) -> None:
        """Three directions in one sweep are what they are one by one."""
        bars = [weights_like(self.value, seed) for seed in (3, 4, 5)]
        dots = [directions_like(self.arguments, seed) for seed in (3, 4, 5)]
        back, on = tape.reverse(stacked(bars)), tape.forward(*stacked(dots))
        for d in range(3):
            alone = tape.reverse(bars[d])
            for k in self.active:
                for a, b in zip(leaves(back[k]), leaves(alone[k]), strict=True):
                    assert_close(a[d], b, 1e-12, f"{what}, adjoint of argument {k}, direction {d}")
            for a, b in zip(leaves(on), leaves(tape.forward(*dots[d])), strict=True):
                if b is not None:
                    assert_close(a[d], b, 1e-12, f"{what}, tangent, direction {d}")

    def _first_order(self) -> tuple[Any, Any]:
        """What the pullback and the tangent give."""
        _, pull = s2sad.vjp(self.f, *self.fresh(), **self.options)
        _, ydot = s2sad.jvp(self.f, self.fresh(), self.tangents, **self.options)
        return pull(self.weights), ydot

    def second_order(self) -> None:
        """`hvp` against differences of `grad`."""
        if not self.scalar or self.expected is not None:
            return
        derivative = s2sad.grad(self.f, argnums=self.active, **self.options)
        f, point = self.reference()
        if self.single:
            derivative = s2sad.grad(f, argnums=self.active, **self.options)
        want, error = differences(lambda *a: derivative(*a), point, widened(self.tangents), step=2e-3)
        args, tangents = self.fresh(), self.tangents
        got = s2sad.hvp(self.f, args, tangents, **self.options)
        assert_same(args, self.left, "arguments afterwards")
        assert_same([*tangents], [*self.tangents], "tangents afterwards")
        got = (got,) if len(args) == 1 else tuple(got[k] for k in self.active)
        top = max(1.0, max(float(np.max(np.abs(w), initial=0.0)) for w in leaves(want)))
        if error < 1e-6 * top:
            self.close(got, want, 1e-5, "hvp")

    def _close(self, got: dict[int, Any], weights: Any) -> None:
        for k, g in got.items():
            if self.expected is None:
                f, args = self.reference()
                self.close(g, *gradient(f, args, k, widened(weights)), f"gradient of argument {k}")
            else:
                self.close(g, weights * self.expected[k], 1e-12, f"gradient of argument {k}")
            for mine, argument in zip(leaves(g), leaves(self.arguments[k]), strict=True):
                assert not isinstance(mine, np.ndarray) or mine.dtype == argument.dtype, f"{mine.dtype}"


def stacked(values: Sequence[Any]) -> Any:
    """Values of one structure, with one leading axis more in every leaf."""
    if values[0] is None:
        return None
    items = [items_of(v) for v in values]
    if items[0] is None:
        return np.stack(values)
    return like(values[0], [stacked(column) for column in zip(*items, strict=True)])
