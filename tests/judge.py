"""What s2sad makes of a program: right, refused (with its code) or wrong."""

from __future__ import annotations

import contextlib
import copy
import importlib.util
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from reference import assert_close, assert_same, directional, directions_like, gradient, weights_like
from strategies import Part, Program

import s2sad
from s2sad.testing import differences, inner, leaves

FIRST_ORDER = ("tangent", "gradient", "pullback", "pullback_again", "duality")
QUICK = ("tangent", "gradient")


@dataclass(frozen=True)
class Verdict:
    """kind: "right", "refused", "wrong", or "unusable" (the program itself doesn't run or overflows).

    code: of the refusal, or the check that was not passed.
    """

    kind: str
    code: str = ""
    detail: str = ""


def judge(program: Program, *, jit: bool = False, checks: Sequence[str] = FIRST_ORDER) -> Verdict:
    """Put a program to the checks, and stop at the first that it doesn't pass."""
    with loaded(program.source) as module, warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        left = copy.deepcopy(program.arguments)
        try:
            value = module.f(*left)
        except Exception as e:
            return Verdict("unusable", detail=repr(e))
        if not all(moderate(x) for x in [*leaves(value), *leaves(left)]):
            return Verdict("unusable", detail="large, not finite, or no number")
        run = Run(module.f, program.arguments, value, left, {"jit": jit, "cache": False})
        for check in checks:
            try:
                getattr(run, check)()
            except s2sad.S2sadError as e:
                return Verdict("refused", getattr(e, "code", "?"), str(e))
            except AssertionError as e:
                return Verdict("wrong", check, str(e))
            except Exception as e:
                return Verdict("wrong", f"{check}, {type(e).__name__}", traceback.format_exc())
    return Verdict("right")


@dataclass(frozen=True)
class Run:
    """A function at a point: its value there, the arguments as it leaves them, and a method per check."""

    f: Callable[..., Any]
    arguments: tuple[Any, ...]
    value: Any
    left: tuple[Any, ...]
    options: dict[str, Any]

    @property
    def scalar(self) -> bool:
        return not isinstance(self.value, tuple) and np.ndim(self.value) == 0

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

    def same(self, value: Any, args: tuple[Any, ...]) -> None:
        """The value is that of f, and the arguments are left as f leaves them."""
        assert_same(value, self.value, "value")
        assert_same(args, self.left, "arguments afterwards")

    def tangent(self) -> None:
        args = self.fresh()
        y, ydot = s2sad.jvp(self.f, args, self.tangents, **self.options)
        self.same(y, args)
        assert_close(ydot, *directional(self.f, self.fresh(), self.tangents), "tangent")

    def gradient(self) -> None:
        if not self.scalar:
            return
        args = self.fresh()
        value, got = s2sad.value_and_grad(self.f, argnums=self.active, **self.options)(*args)
        self.same(value, args)
        for k, g in zip(self.active, got, strict=True):
            assert_close(g, *gradient(self.f, self.fresh(), k), f"gradient of argument {k}")

    def pullback(self) -> None:
        args = self.fresh()
        y, pull = s2sad.vjp(self.f, *args, **self.options)
        self.same(y, args)
        got = pull(self.weights)
        for k in self.active:
            assert_close(got[k], *gradient(self.f, self.fresh(), k, self.weights), f"adjoint of argument {k}")

    def pullback_again(self) -> None:
        _, pull = s2sad.vjp(self.f, *self.fresh(), **self.options)
        first, _, again = pull(self.weights), pull(weights_like(self.value, 5)), pull(self.weights)
        for k in self.active:
            assert_same(again[k], first[k], f"adjoint of argument {k} once more")

    def duality(self) -> None:
        _, ydot = s2sad.jvp(self.f, self.fresh(), self.tangents, **self.options)
        _, pull = s2sad.vjp(self.f, *self.fresh(), **self.options)
        left, right = inner(pull(self.weights), self.tangents), inner(self.weights, ydot)
        assert abs(left - right) <= 1e-9 * (1.0 + abs(right)), f"{left!r} and {right!r} should be equal"

    def second_order(self) -> None:
        if not self.scalar:
            return
        df = s2sad.grad(self.f, argnums=self.active, **self.options)
        want, error = differences(lambda *a: df(*a), self.arguments, self.tangents, step=1e-3)
        args = self.fresh()
        got = s2sad.hvp(self.f, args, self.tangents, **self.options)
        assert_same(args, self.left, "arguments afterwards")
        top = max(1.0, max(float(np.max(np.abs(w), initial=0.0)) for w in leaves(want)))
        if error < 1e-6 * top:
            assert_close(tuple(got[k] for k in self.active), want, 1e-4, "hvp")


def moderate(x: object) -> bool:
    """Numbers that are neither huge nor nan."""
    return isinstance(x, float | int | np.ndarray | np.number) and bool(np.all(np.abs(x) < 1e4))


@contextlib.contextmanager
def loaded(source: str) -> Iterator[ModuleType]:
    """The source as a module of a file that is there while the block runs."""
    with tempfile.TemporaryDirectory(prefix="program-") as folder:
        path = Path(folder) / "program.py"
        path.write_text(source, encoding="utf-8")
        name = "program_" + path.parent.name.rpartition("-")[2]
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        quiet, sys.dont_write_bytecode = sys.dont_write_bytecode, True
        try:
            spec.loader.exec_module(module)
            yield module
        finally:
            sys.dont_write_bytecode = quiet
            del sys.modules[name]


def smaller(program: Program, still: Callable[[Program], bool], tries: int = 400) -> Program:
    """The program with every statement taken out that isn't needed for `still` to hold."""
    changed = True
    while changed and tries > 0:
        changed = False
        for candidate in _cuts(program):
            tries -= 1
            if tries <= 0:
                break
            if still(candidate):
                program, changed = candidate, True
                break
    return program


def _cuts(program: Program) -> Iterator[Program]:
    for parts in _cut_list(program.parts):
        if any(p.head.startswith("def f(") for p in parts):
            yield replace(program, parts=parts)


def _cut_list(parts: list[Part]) -> Iterator[list[Part]]:
    """Every list with one statement less, or a block in place of its statement."""
    for k, p in enumerate(parts):
        before, after = parts[:k], parts[k + 1 :]
        yield before + after
        if p.body is not None and not p.head.startswith("def "):
            yield before + p.body + after
        if p.orelse:
            yield before + p.orelse + after
            yield [*before, replace(p, orelse=None), *after]
            for orelse in _cut_list(p.orelse):
                yield [*before, replace(p, orelse=orelse), *after]
        if p.body:
            for body in _cut_list(p.body):
                yield [*before, replace(p, body=body), *after]
