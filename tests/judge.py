"""What s2sad makes of a program: right, refused (with its code) or wrong."""

from __future__ import annotations

import contextlib
import copy
import importlib.util
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType

import numpy as np
from reference import assert_close, assert_same, directional, directions_like, gradient, weights_like
from strategies import Part, Program

import s2sad
from s2sad.testing import differences, inner, leaves


@dataclass(frozen=True)
class Verdict:
    """kind: "right", "refused", "wrong", or "unusable" (the program itself doesn't run or overflows)."""

    kind: str
    code: str = ""
    detail: str = ""


def judge(program: Program, *, jit: bool = False, order: int = 1) -> Verdict:
    """Value, arguments afterwards, gradient or pullback (called twice), tangent, duality; order 2: hvp."""
    with loaded(program.source) as module, warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        args = copy.deepcopy(program.arguments)
        try:
            want = module.f(*args)
        except Exception as e:
            return Verdict("unusable", detail=repr(e))
        if not all(moderate(x) for x in [*leaves(want), *leaves(args)]):
            return Verdict("unusable", detail="large, not finite, or no number")
        try:
            _check(module.f, program.arguments, want, args, jit, order)
        except s2sad.S2sadError as e:
            return Verdict("refused", getattr(e, "code", "?"), str(e))
        except AssertionError as e:
            return Verdict("wrong", "answer", str(e))
        except Exception as e:
            return Verdict("wrong", type(e).__name__, traceback.format_exc())
    return Verdict("right")


def moderate(x: object) -> bool:
    """Numbers that are neither huge nor nan."""
    return isinstance(x, float | int | np.ndarray | np.number) and bool(np.all(np.abs(x) < 1e4))


def _check(f, arguments, want, left, jit, order):  # type: ignore[no-untyped-def]
    fresh = lambda: copy.deepcopy(arguments)  # noqa: E731
    options = {"jit": jit, "cache": False}
    active = [k for k, d in enumerate(directions_like(arguments)) if d is not None]
    tangents, weights = directions_like(arguments), weights_like(want)
    scalar = not isinstance(want, tuple) and np.ndim(want) == 0

    def same(value, args, mode):  # type: ignore[no-untyped-def]
        assert_same(value, want, f"value of {mode}")
        assert_same(args, left, f"arguments after {mode}")

    args = fresh()
    y, ydot = s2sad.jvp(f, args, tangents, **options)
    same(y, args, "jvp")
    assert_close(ydot, *directional(f, fresh(), tangents), "jvp")

    if scalar:
        args = fresh()
        value, got = s2sad.value_and_grad(f, argnums=tuple(active), **options)(*args)
        same(value, args, "value_and_grad")
        for k, g in zip(active, got, strict=True):
            assert_close(g, *gradient(f, fresh(), k), f"gradient of argument {k}")
    if not scalar or not jit:
        args = fresh()
        y, pullback = s2sad.vjp(f, *args, **options)
        same(y, args, "vjp")
        first, second = pullback(weights), pullback(weights)
        for k in active:
            assert_same(second[k], first[k], f"second pullback, argument {k}")
            assert_close(first[k], *gradient(f, fresh(), k, weights), f"vjp of argument {k}")
        scale = inner(np.abs(inner(weights, ydot)), 1.0) + 1.0
        left_, right_ = inner(first, tangents), inner(weights, ydot)
        assert abs(left_ - right_) <= 1e-9 * scale, f"dot product: {left_!r} and {right_!r}"
    if order == 2 and scalar:
        df = s2sad.grad(f, argnums=tuple(active), **options)
        want2, error = differences(lambda *a: df(*a), arguments, tangents, step=1e-3)
        args = fresh()
        got2 = s2sad.hvp(f, args, tangents, **options)
        assert_same(args, left, "arguments after hvp")
        top = max(1.0, max(float(np.max(np.abs(w), initial=0.0)) for w in leaves(want2)))
        if error < 1e-6 * top:
            assert_close(tuple(got2[k] for k in active), want2, 1e-4, "hvp")


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
