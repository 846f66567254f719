"""Checks of derivatives against independent answers: for users' functions, and for people who write rules.

Four building blocks, each usable alone, and `check_grads`, which puts them together:

complex_step         derivative along a direction to machine precision, where f takes complex numbers
differences          the same from differences of values only, extrapolated, with an estimate of its error
taylor_remainders    how fast `f(x + h v) - f(x) - h f'(x) v` falls: with h squared if the derivative is right
random_like          random directions in the structure of the arguments

Directions come from a generator with a fixed seed: a check that failed fails again.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from s2sad.api import hvp, jvp, vjp
from s2sad.arguments import bind
from s2sad.complexstep import complex_step, plain
from s2sad.errors import ArgumentError, GradientCheckError
from s2sad.forms import beside, items_of, like
from s2sad.widened import SINGLE, is_single, widened

__all__ = [
    "check_grads",
    "complex_step",
    "differences",
    "inner",
    "leaves",
    "random_like",
    "taylor_remainders",
]

MODES = ("fwd", "rev")


def check_grads(
    f: Callable[..., Any],
    args: Sequence[Any],
    *,
    order: int = 2,
    modes: Sequence[str] = MODES,
    seed: int = 0,
    rtol: float | None = None,
    **options: Any,
) -> None:
    """Check the derivatives of f at args, in one random direction per argument; return if they are right.

    order    1: `jvp` and `vjp`; 2: also `hvp`, where the result of f is a scalar
    modes    "fwd" checks `jvp` and "rev" checks `vjp` against an independent reference (complex step where f
             can be run on complex numbers, else differences); "fwd" also by its Taylor remainder, both
             together by the dot product of what they give
    rtol     relative tolerance; by default 1e-8 (complex step) or 1e-5 (differences); in float32 5e-5, against the same
             program in float64
    options  those of the transforms (`jit=False`, ...)

    Errors:  GradientCheckError names function, argument and both numbers
             ArgumentError for an unknown mode or order
    >>> check_grads(lambda x, y: x * y, (2.0, 3.0), jit=False)
    """
    if order not in (1, 2) or not set(modes) <= set(MODES):
        raise ArgumentError(f"order is 1 or 2 and modes are among {MODES}, got {order} and {tuple(modes)}")
    check = _Check(f, bind(plain(f), args, {}), np.random.default_rng(seed), rtol, options)
    if "fwd" in modes:
        check.forward()
    if "rev" in modes:
        check.reverse()
    if len(set(modes)) == 2:
        check.dot_product()
    if order == 2 and check.scalar:
        check.second_order()


class _Check:
    """One function at one point: directions, reference derivatives, and the comparisons."""

    def __init__(
        self,
        f: Callable[..., Any],
        args: tuple[Any, ...],
        rng: np.random.Generator,
        rtol: float | None,
        options: dict[str, Any],
    ) -> None:
        self.f, self.args, self.options = f, args, options
        self.name = getattr(plain(f), "__name__", "f")
        single = is_single(plain(f), args)
        self.point = (
            (widened(plain(f)), widened(args)) if single else (f, args)
        )  # what references are taken of
        self.least = 2.5 * SINGLE if single else 0.0
        self.value = plain(f)(*copy.deepcopy(args))
        self.scalar = items_of(self.value) is None and np.ndim(self.value) == 0
        self.directions = tuple(random_like(a, rng) for a in args)
        self.others = tuple(random_like(a, rng) for a in args)
        self.weights = random_like(self.value, rng)
        self.active = [k for k, d in enumerate(self.directions) if d is not None]
        self.rtol = rtol
        self.source = ""
        self.alone = {k: self._reference(self._only(k)) for k in self.active}

    def _only(self, k: int) -> tuple[Any, ...]:
        return tuple(d if j == k else None for j, d in enumerate(self.directions))

    def _reference(self, tangents: tuple[Any, ...]) -> Any:
        """Complex step where the function takes complex numbers and differences don't contradict it."""
        rough, error = differences(self.point[0], self.point[1], tangents)
        try:
            exact = complex_step(self.point[0], self.point[1], tangents)
        except TypeError:
            exact = None
        if (
            exact is not None
            and _most(_flat(exact) - _flat(rough)) <= 1e-5 * _most(_flat(rough)) + 10.0 * error + 1e-9
        ):
            self.source, self.tolerance = "complex step", self.rtol or max(1e-8, self.least)
            return exact
        self.source, self.tolerance = "differences", self.rtol or max(1e-5, self.least)
        return rough

    def forward(self) -> None:
        for k in self.active:
            y, ydot = jvp(self.f, copy.deepcopy(self.args), self._only(k), **self.options)
            self._same_value(y, "jvp")
            self.compare(
                "jvp", k, inner(self.weights, ydot), inner(self.weights, self.alone[k]), self._scale(k)
            )
            tail = taylor_remainders(self.point[0], self.point[1], self._only(k), ydot)[-1]
            if tail.order < 1.5 and tail.remainder / tail.step > max(self.tolerance, 1e-5, self.least) * (
                1.0 + self._scale(k)
            ):
                self._fail(
                    "jvp",
                    k,
                    f"the Taylor remainder falls with power {tail.order:.2f} of the step instead of 2",
                )

    def reverse(self) -> None:
        y, pullback = vjp(self.f, *copy.deepcopy(self.args), **self.options)
        self._same_value(y, "vjp")
        gradients = pullback(self.weights)
        for k in self.active:
            got = inner(gradients[k], self.directions[k])
            self.compare("vjp", k, got, inner(self.weights, self.alone[k]), self._scale(k))

    def dot_product(self) -> None:
        _, ydot = jvp(self.f, copy.deepcopy(self.args), self.directions, **self.options)
        _, pullback = vjp(self.f, *copy.deepcopy(self.args), **self.options)
        left, right = inner(self.weights, ydot), inner(pullback(self.weights), self.directions)
        scale = sum(self._scale(k) for k in self.active)
        if not abs(left - right) <= max(1e-10, self.least) * scale + 1e-13:
            numbers = f"<ybar, jvp(v)> is {left:.16g} and <vjp(ybar), v> is {right:.16g}"
            raise GradientCheckError(f"`{self.name}`: {numbers}, which should be equal")

    def second_order(self) -> None:
        """`hvp` against differences of `vjp`, and its symmetry."""

        def gradient(*args: Any) -> tuple[Any, ...]:
            full = vjp(self.point[0], *args, **self.options)[1](1.0)
            return tuple(full[k] for k in self.active)

        def product(tangents: tuple[Any, ...]) -> tuple[Any, ...]:
            p = hvp(self.f, copy.deepcopy(self.args), tangents, **self.options)
            return (p,) if len(self.args) == 1 else tuple(p[k] for k in self.active)

        others = tuple(self.others[k] for k in self.active)
        for k in self.active:
            want = differences(gradient, self.point[1], self._only(k))[0]
            one = tuple(d if j == k else random_like(d, None) for j, d in enumerate(self.directions))
            scale = inner(_abs(others), _abs(want))
            tolerance = self.rtol or max(1e-5, self.least)
            self.compare("hvp", k, inner(others, product(one)), inner(others, want), scale, tolerance)
        left, right = (
            inner(others, product(self.directions)),
            inner(self.directions, self._whole(product(self.others))),
        )
        if not abs(left - right) <= max(1e-8, self.least) * (abs(left) + abs(right)) + 1e-10:
            raise GradientCheckError(
                f"`{self.name}`: hvp is not symmetric, <w, H v> is {left:.16g} and <v, H w> is {right:.16g}"
            )

    def _whole(self, some: tuple[Any, ...]) -> tuple[Any, ...]:
        by_place = dict(zip(self.active, some, strict=True))
        return tuple(by_place.get(k) for k in range(len(self.args)))

    def _scale(self, k: int) -> float:
        return inner(_abs(self.weights), _abs(self.alone[k]))

    def _same_value(self, y: Any, mode: str) -> None:
        for got, want in zip(leaves(y), leaves(self.value), strict=True):
            if not np.allclose(got, want, rtol=max(1e-13, self.least), atol=0.0, equal_nan=True):
                raise GradientCheckError(
                    f"`{self.name}`: {mode} gives the value {got}, the function itself {want}"
                )

    def compare(
        self, mode: str, k: int, got: float, want: float, scale: float, rtol: float | None = None
    ) -> None:
        if not abs(got - want) <= (rtol or self.tolerance) * scale + 1e-12:
            source = self.source if mode != "hvp" else "differences of vjp"
            self._fail(mode, k, f"{mode} gives {got:.12g}, {source} {want:.12g}")

    def _fail(self, mode: str, k: int, sentence: str) -> None:
        code = getattr(plain(self.f), "__code__", None)
        names = code.co_varnames[: code.co_argcount] if code else ()
        argument = f"`{names[k]}`" if k < len(names) else f"{k}"
        raise GradientCheckError(f"`{self.name}`, argument {argument}: {sentence} along a random direction")


# ---------------------------------------------------------------- building blocks


def differences(
    f: Callable[..., Any], args: Sequence[Any], tangents: Sequence[Any], *, step: float = 0.02
) -> tuple[Any, float]:
    """The derivative of f at args along tangents by central differences, extrapolated to step 0.

    Source: Ridders 1982, as a table of steps that shrink by 1.6.

    Only values of f are used; arguments are not changed. Returns the derivative, in the structure of f's
    result, and an estimate of its error (largest over the entries).
    >>> d, error = differences(lambda x: x**3, (2.0,), (1.0,))
    >>> abs(d - 12.0) < 1e-9 and error < 1e-8
    True
    """
    f = plain(f)
    shape = f(*copy.deepcopy(tuple(args)))

    def central(h: float) -> np.ndarray[Any, np.dtype[np.float64]]:
        up, down = (_flat(f(*moved(args, tangents, s * h))) for s in (1.0, -1.0))
        return (up - down) / (2.0 * h)

    best, error = central(step), np.inf
    row = [best]
    for k in range(1, 8):
        h = step / 1.6**k
        new = [central(h)]
        for j, old in enumerate(row):
            factor = 1.6 ** (2 * (j + 1))
            new.append(new[j] + (new[j] - old) / (factor - 1.0))
            guess = max(_most(new[j + 1] - new[j]), _most(new[j + 1] - old))
            if guess < error:
                best, error = new[j + 1], guess
        row = new
    return _like(shape, iter(best)), float(error)


class Remainder(NamedTuple):
    """`remainder` = |f(x + step v) - f(x) - step ydot|, and the power of the step with which it fell last."""

    step: float
    remainder: float
    order: float


def taylor_remainders(
    f: Callable[..., Any], args: Sequence[Any], tangents: Sequence[Any], ydot: Any, *, steps: int = 8
) -> list[Remainder]:
    """The first-order Taylor remainders of f at args, for steps 1e-2, 5e-3, ...; order 2 where ydot is right.

    A remainder in the noise of rounding ends the list: it counts as order 2.
    >>> [round(r.order) for r in taylor_remainders(lambda x: x**3, (2.0,), (1.0,), 12.0)][-1]
    2
    >>> [round(r.order) for r in taylor_remainders(lambda x: x**3, (2.0,), (1.0,), 12.5)][-1]
    1
    """
    f = plain(f)
    base, slope = _flat(f(*copy.deepcopy(tuple(args)))), _flat(ydot)
    noise = 1e-12 * (1.0 + _most(base))
    found: list[Remainder] = []
    for k in range(steps):
        h = 0.01 / 2**k
        remainder = _most(_flat(f(*moved(args, tangents, h))) - base - h * slope)
        if remainder < noise:
            found.append(Remainder(h, remainder, 2.0))
            break
        order = float(np.log2(found[-1].remainder / remainder)) if found else 2.0
        found.append(Remainder(h, remainder, order))
    return found


def random_like(tree: Any, rng: np.random.Generator | None) -> Any:
    """A random direction in the structure of a value; None for what holds no floats.

    Without a generator: zeros.
    """
    if (inside := items_of(tree)) is not None:
        items = [random_like(t, rng) for t in inside]
        return None if all(t is None for t in items) else like(tree, items)
    if isinstance(tree, np.ndarray) and tree.dtype.kind == "f":
        return np.asarray(rng.standard_normal(tree.shape), dtype=tree.dtype) if rng else np.zeros_like(tree)
    if isinstance(tree, float | np.floating):
        return float(rng.standard_normal()) if rng else 0.0
    return None


def leaves(tree: Any) -> list[Any]:
    """The scalars and arrays in a value, in order."""
    if (inside := items_of(tree)) is not None:
        return [leaf for t in inside for leaf in leaves(t)]
    return [tree]


def inner(a: Any, b: Any) -> float:
    """The inner product of two values of one structure; None counts as zero."""
    if a is None or b is None:
        return 0.0
    if (inside := items_of(a)) is not None:
        return float(sum(inner(x, y) for x, y in zip(inside, beside(a, b), strict=True)))
    return float(np.sum(np.asarray(a, dtype=float) * np.asarray(b, dtype=float)))


def moved(tree: Any, tangents: Any, h: float) -> Any:
    """A fresh copy of `tree + h * tangents`."""
    if (inside := items_of(tree)) is not None:
        return like(tree, [moved(x, t, h) for x, t in zip(inside, beside(tree, tangents), strict=True)])
    if tangents is None:
        return copy.deepcopy(tree)
    if isinstance(tree, np.ndarray):
        return tree + h * np.asarray(tangents)
    return float(tree + h * tangents)


def _abs(tree: Any) -> Any:
    if (inside := items_of(tree)) is not None:
        return like(tree, list(map(_abs, inside)))
    return None if tree is None else np.abs(tree)


def _most(a: np.ndarray[Any, np.dtype[np.float64]]) -> float:
    return float(np.max(np.abs(a), initial=0.0))


def _flat(tree: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.concatenate(
        [np.ravel(np.asarray(0.0 if t is None else t, dtype=float)) for t in leaves(tree)] or [np.zeros(0)]
    )


def _like(tree: Any, numbers: Iterator[Any]) -> Any:
    """The numbers, in order, in the structure of tree."""
    if (inside := items_of(tree)) is not None:
        return like(tree, [_like(t, numbers) for t in inside])
    if isinstance(tree, np.ndarray):
        return np.array([next(numbers) for _ in range(tree.size)], dtype=float).reshape(tree.shape)
    return float(next(numbers))
