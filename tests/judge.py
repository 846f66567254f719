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
from checks import FIRST_ORDER, Run
from reference import directional, directions_like
from strategies import Part, Program

import s2sad
from s2sad.testing import leaves
from s2sad_runtime import checked, plain


@dataclass(frozen=True)
class Verdict:
    """kind: "right", "refused", "wrong", or "unusable" (the program itself doesn't run or overflows).

    code: of the refusal, or the check that was not passed. detail, where it is right: kinds of tapes that refuse it.
    """

    kind: str
    code: str = ""
    detail: str = ""


def judge(program: Program, *, jit: bool = False, checks: Sequence[str] = FIRST_ORDER) -> Verdict:
    """Put a program to the checks, and stop at the first that it doesn't pass."""
    try:
        compile(program.source, "program", "exec")
    except SyntaxError as e:  # `break` cut out of its loop
        return Verdict("unusable", detail=repr(e))
    with loaded(program.source) as module, warnings.catch_warnings(), watched_pools() as dirty:
        warnings.simplefilter("ignore", RuntimeWarning)
        try:
            run = Run.of(module.f, program.arguments, jit=jit, cache=False)
        except Exception as e:
            return Verdict("unusable", detail=repr(e))
        if not all(moderate(x) for x in [*leaves(run.value), *leaves(run.left)]):
            return Verdict("unusable", detail="large, not finite, or no number")
        for check in checks:
            try:
                getattr(run, check)()
            except s2sad.S2sadError as e:
                return Verdict("refused", getattr(e, "code", "?"), str(e))
            except AssertionError as e:
                if steep(run) or shaky(run):
                    return Verdict("unusable", detail="roundings alone change its derivatives")
                if overflows(run):
                    return Verdict(
                        "unusable", detail="numbers overflow on the way: slopes of 0 times infinity"
                    )
                return Verdict("wrong", check, str(e))
            except Exception as e:
                return Verdict("wrong", f"{check}, {type(e).__name__}", traceback.format_exc())
            if places := dirty():
                return Verdict("wrong", f"{check}, places not zero", repr(places))
    return Verdict("right", detail=", ".join(sorted(run.without)))


@contextlib.contextmanager
def watched_pools() -> Iterator[Callable[[], list[Any]]]:
    """Plain gradients use the checking pool; what is called afterwards tells the places that were not left zero."""
    pools, usual = checked.CheckedPool.made, plain.Pool
    plain.Pool = checked.CheckedPool
    pools.clear()
    try:
        yield lambda: [place for pool in pools for place in pool.dirty()]
    finally:
        plain.Pool = usual
        pools.clear()


def moderate(x: object) -> bool:
    """Numbers that are neither huge nor nan."""
    return isinstance(x, float | int | np.ndarray | np.number) and bool(np.all(np.abs(x) < 1e4))


def steep(run: Run) -> bool:
    """Is a slope above 1e6, so that roundings (2e-16 each) may change derivatives by more than the 1e-9 allowed?"""
    try:
        slope, _ = directional(run.f, run.arguments, directions_like(run.arguments))
    except Exception:
        return False
    return not all(bool(np.all(np.abs(x) <= 1e6)) for x in leaves(slope))  # (nan counts)


def overflows(run: Run) -> bool:
    """Does a number on the way become infinite, though none is at the end?"""
    try:
        with np.errstate(over="raise"):
            run.f(*copy.deepcopy(run.arguments))
    except (FloatingPointError, OverflowError):
        return True
    return False


def shaky(run: Run) -> bool:
    """Does the reference itself change by more than the 1e-9 allowed when arguments change by a rounding or two?"""

    def nudged(value: Any) -> Any:
        match value:
            case float():
                return value * (1.0 + 4e-16)
            case np.ndarray() if value.dtype.kind == "f":
                return value * (1.0 + 4e-16)
            case tuple():
                return tuple(map(nudged, value))
        return value

    tangents = directions_like(run.arguments)
    try:
        one, other = (
            leaves(directional(run.f, a, tangents)[0]) for a in (run.arguments, nudged(run.arguments))
        )
    except Exception:
        return False
    top = max((float(np.max(np.abs(x), initial=0.0)) for x in one), default=0.0)
    return not all(bool(np.all(np.abs(a - b) <= 1e-9 * top)) for a, b in zip(one, other, strict=True))


def examine(
    program: Program, checks: Sequence[str] = ("gradient",), jit: bool = False, **options: Any
) -> None:
    """Run the checks on a program; one whose values are too large says nothing."""
    with loaded(program.source) as module, warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        run = Run.of(module.f, program.arguments, jit=jit, cache=False, **options)
        if not all(moderate(x) for x in leaves(run.value)):
            return
        for check in checks:
            try:
                getattr(run, check)()
            except AssertionError as e:
                raise AssertionError(f"{program.source}\n# f{program.arguments}") from e


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
        if p.body is not None and not p.is_function:
            yield before + p.body + after
        if p.orelse:
            yield before + p.orelse + after
            yield [*before, replace(p, orelse=None), *after]
            for orelse in _cut_list(p.orelse):
                yield [*before, replace(p, orelse=orelse), *after]
        if p.body:
            for body in _cut_list(p.body):
                yield [*before, replace(p, body=body), *after]
