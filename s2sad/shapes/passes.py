"""The passes in order, each with the name it is switched by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from s2sad.errors import ArgumentError
from s2sad.ir.names import Namer
from s2sad.ir.nodes import Function, Turn
from s2sad.ir.walk import variables
from s2sad.shapes.assigned import assigned
from s2sad.shapes.columns import columns
from s2sad.shapes.counted import counted
from s2sad.shapes.exact import apart
from s2sad.shapes.from_zero import from_zero
from s2sad.shapes.gather import gather
from s2sad.shapes.hoist import hoist
from s2sad.shapes.merge import merge
from s2sad.shapes.overwrite import overwrite
from s2sad.shapes.rebound import rebound
from s2sad.shapes.reciprocal import reciprocal
from s2sad.shapes.renewed import renewed
from s2sad.shapes.sweep import Body, Place, Sweep, floors, sweep_of
from s2sad.shapes.together import together
from s2sad.shapes.upwards import upwards

#: name -> the pass: a body, where it stands, what is known of the sweep -> the body in another shape.
PASSES: Mapping[str, Callable[[Body, Place, Sweep], Body]] = {
    "merge": merge,
    "upwards": upwards,
    "gather": gather,
    "overwrite": overwrite,
    "hoist": hoist,
    "counted": counted,
    "rebound": rebound,
    "reciprocal": reciprocal,
    "columns": columns,
    "from_zero": lambda body, place, _: from_zero(body, place),
}

#: The pass over the program itself, before it is taken backwards (`tidy/fuse.py`).
FUSE = "fuse"
#: The pass over the forward sweep, which knows how the reverse sweep takes back what is kept (`shapes/renewed.py`).
RENEW = "renew"
#: The pass that forms values of the program apart, so that the rest may be relaxed (`shapes/exact.py`).
EXACT = "exact"
#: The pass that makes one sweep of two (`shapes/together.py`).
TOGETHER = "together"
NAMES = (FUSE, *PASSES, RENEW, EXACT, TOGETHER)


def chosen(names: Iterable[str]) -> tuple[str, ...]:
    """Names of passes, checked: a list of them, or text with commas between; ArgumentError for a name that is none."""
    given = [n.strip() for n in names.split(",") if n.strip()] if isinstance(names, str) else list(names)
    for name in given:
        if name not in NAMES:
            raise ArgumentError(
                f"there is no pass `{name}`", code="S094", hint=f"passes are {', '.join(NAMES)}"
            )
    return tuple(name for name in NAMES if name in given)


def fuses(names: Iterable[str] | None) -> bool:
    """Are array statements to become loops?"""
    return names is None or FUSE in set(names)


def joins(names: Iterable[str] | None) -> bool:
    """Are the two sweeps to become one where they can?"""
    return names is None or TOGETHER in set(names)


def unfused(names: Iterable[str] | None) -> tuple[str, ...]:
    """The passes of these names (None: all) that leave array statements as they are."""
    return tuple(name for name in (*PASSES, RENEW, EXACT) if names is None or name in set(names))


def one_sweep(
    fn: Function, shadows: Mapping[str, str], two: Function, passes: Iterable[str] | None = None
) -> tuple[Function, set[str]] | None:
    """`fn` with both sweeps as one, in the shape that the passes give it; None where it stays two, or is to.

    Beside it the adjoint arrays (the `shadows` of parameters) that it assigns as a whole. Its functions have other names
    than those of its `two` sweeps, which stand in the same file.
    """
    taken = taken_by(fn)
    taken.take(*(name for f in (two, *two.pairs.values()) for name in f.helpers))
    shaping = [PASSES[name] for name in unfused(passes) if name in PASSES]
    one = together(fn, taken, shaping) if joins(passes) else None
    return None if one is None else assigned(one, shadows)


def shaped(fn: Function, passes: Iterable[str] | None = None) -> Function:
    """`fn` with its reverse sweep, and those of its pairs, in the shape that the passes (None: all) give it."""
    names, taken = unfused(passes), taken_by(fn)
    pairs = {name: in_shape(pair, names, taken) for name, pair in fn.pairs.items()}
    return replace(in_shape(fn, names, taken), pairs=pairs)


def taken_by(fn: Function) -> Namer:
    """The names that the functions of a file have."""
    every = (fn, *fn.callees.values(), *fn.pairs.values())
    taken = Namer(n for f in every for n in (*f.kinds, *f.constants, *f.callees))
    halves = ("", "_fwd", "_rev", "_both")
    taken.take(*(f"{name}{half}" for f in every for name in (f.name, *f.pairs) for half in halves))
    return taken


def in_shape(fn: Function, names: Iterable[str], taken: Namer) -> Function:
    """One function; what becomes functions of their own gets names that aren't `taken`."""
    k = next((i for i, s in enumerate(fn.body) if isinstance(s, Turn)), None)
    if k is None:
        return fn
    sweep = sweep_of(fn, taken)
    ahead, body = fn.body[:k], fn.body[k + 1 :]
    live = frozenset(name for e in fn.results for name in variables(e))
    for name in names:
        if name in PASSES:
            body = PASSES[name](body, Place(live, floors(body, sweep.kinds)), sweep)
    if RENEW in names:
        ahead = renewed(ahead, body, sweep.kinds)
    turn = fn.body[k]
    assert isinstance(turn, Turn)
    if turn.reruns and EXACT in names and (made := apart(body, sweep)) is not None:
        body, turn = made, replace(turn, reruns=False)
    return replace(fn, body=(*ahead, turn, *body), kinds=sweep.kinds, helpers=sweep.helpers)
