"""`record`: a run of a function on a tape, for any number of sweeps in any direction without running it again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from s2sad import pipeline
from s2sad.arguments import bind, leaf_values, pack
from s2sad.dense import SPARSE
from s2sad.drivers import leaves
from s2sad.errors import ArgumentError, KindError
from s2sad.ir.nodes import Function, Kind
from s2sad.ops.kinds import kind_of
from s2sad.pickled import reduced
from s2sad.requests import entry_of, made_once, request_of
from s2sad.tapes.entities import EntityTape, Known, Spot
from s2sad.tapes.kept import KeptTape
from s2sad.tapes.sparse import Sparsity
from s2sad.tapes.sweeps import Shape
from s2sad.tapes.tape import Tape

MANAGERS = {"linear": 1, "reuse": 2, "multiuse": 3}


def record(
    f: Callable[..., Any],
    *,
    index: str = "multiuse",
    values: str = "jacobian",
    entities: bool = False,
    **options: Any,
) -> Any:
    """A function that runs `f` once, records it, and gives the Tape.

    index    "linear", "reuse" or "multiuse": which manager hands out the indices of values
    values   "jacobian": the partial derivatives of statements are stored; "primal": the values that they overwrite, and
             slopes are formed in each sweep
    entities every array has one index instead of one per element, and a Python statement is put down as a whole: slopes
             are worked out in each sweep, whatever `values` says
    Errors:  ArgumentError for another index or values; UnsupportedSyntaxError for what a tape can't record

    >>> tape = record(lambda x, y: (x * y, x + y), jit=False)(3.0, 4.0)
    >>> tape.value, tape.reverse((1.0, 0.0)), tape.reverse((0.0, 1.0)), tape.forward(1.0, None)
    ((12.0, 7.0), (4.0, 3.0), (1.0, 1.0), (4.0, 1.0))
    """
    if index not in MANAGERS:
        raise ArgumentError(
            f"there is no index manager {index!r}", code="S097", hint=f"{', '.join(MANAGERS)}"
        )
    if values not in ("jacobian", "primal"):
        raise ArgumentError(
            f"a tape can't store {values!r}", code="S097", hint='values="jacobian" or "primal"'
        )
    form = "entities" if entities else values
    request = request_of(f, options)
    if request.argnums is not None:
        raise KindError(
            "a tape records a function, not a gradient", code="S061", hint="pass the function itself"
        )
    check = int(bool(options.get("check", False)))

    def recorder(*args: Any, **kwargs: Any) -> Tape:
        full = bind(request.f, args, kwargs)

        def make(kinds: tuple[Kind, ...]) -> Any:
            built, more = pipeline.recorder(request, kinds, form)
            return built, *(entry_of(built, name, request.options.jit) for name in (built.entry, *more))

        built, entry, *sweeps = made_once(request, f"tape of {form}", full, make)
        given = leaf_values(built.fn, full)
        start = _numbers(built, given) if form == "primal" else None  # before `f` writes into them
        with np.errstate(all="ignore"):
            out = entry(*(given[p] for p in built.fn.params), MANAGERS[index], check)
        if entities:
            return _entities_taken(built, given, out, index, bool(check), sweeps)
        return _taken(built, given, start, out, index, bool(check), sweeps)

    return recorder


def sparsity(f: Callable[..., Any], *args: Any, argnums: int = 0, **options: Any) -> Sparsity:
    """Which elements of the Jacobian of `f` by one argument are not zero, with a colouring.

    It is read off a recorded run, and serves `jacobian(f, argnums, sparsity=...)` at other points, as long as no branch
    and no subscript depends on the point.

    >>> sparsity(lambda x: x[1:] * x[:-1], np.ones(9), jit=False)
    <Sparsity of 8 x 9: 16 elements, 2 directions by columns>
    """
    tape: Tape = record(f, **options)(*args)
    return tape.sparsity(argnums)


class SparseJacobian:
    """`jacobian` with a pattern, or with "detect" in its place."""

    def __init__(self, f: Any, argnums: Any, known: Any, options: dict[str, Any]) -> None:
        if not isinstance(argnums, int):
            raise ArgumentError("a sparse Jacobian is by one argument", code="S093", hint="pass `argnums=0`")
        self.f, self.argnums, self.known, self.options = f, argnums, known, options
        self.recorder = record(f, **options)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        tape = self.recorder(*args, **kwargs)
        known = self.known
        return tape.jacobian(sparsity=tape.sparsity(self.argnums) if known == "detect" else known)

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(SparseJacobian, self.f, self.argnums, self.known, self.options)


SPARSE.append(SparseJacobian)


def _numbers(built: pipeline.Built, given: Mapping[str, Any]) -> Any:
    """Copies of the numbers that a run begins with, by index; that of index 0 is nobody's."""
    record = built.derived.recording
    assert record is not None
    return np.concatenate([[0.0], *(np.ravel(given[p]) for p in record.indices)])


def _shape(fn: Function) -> Shape:
    return Shape(
        fn.name, tuple(p.name for p in fn.signature), tuple(p.tree for p in fn.signature), fn.returns
    )


def _taken(
    built: pipeline.Built,
    given: Mapping[str, Any],
    start: Any,
    out: Sequence[Any],
    index: str,
    check: bool,
    sweeps: Sequence[Any],
) -> Tape:
    """The Tape of what a recording function gives; `start` are the numbers that it began with, where it keeps values."""
    from s2sad_runtime.contents import contents, kept_contents

    fn, record = built.fn, built.derived.recording
    assert record is not None
    n, *rest = len(fn.results), *out
    *rest, tape = rest
    results = rest[:n]
    real = [k for k, e in enumerate(fn.results) if kind_of(e, fn.kinds).is_real]
    found = dict(zip(real, rest[n : n + len(real)], strict=True))
    inputs, first = {}, 1
    for p in record.indices:
        size = int(np.size(given[p]))
        inputs[p] = np.arange(first, first + size).reshape(np.shape(given[p]))
        first += size
    held, values = kept_contents(tape) if sweeps else (contents(tape), None)
    if check and index != "linear":
        scalars = [i for p, i in inputs.items() if i.ndim == 0 and p not in record.ended]
        left = [*found.values(), *rest[n + len(real) :], *scalars]
        _nothing_forgotten(fn, left, held)
    names = leaves(fn.returns)
    outputs = {names[k]: np.asarray(i) for k, i in found.items()}
    value = pack(fn.returns, dict(zip(names, (_own(r) for r in results), strict=True)))
    if values is None:
        return Tape(value, _shape(fn), inputs, outputs, index, first - 1, held, tape)
    return KeptTape(
        value, _shape(fn), inputs, outputs, index, first - 1, held, tape, values=values, start=start, sites=record.sites,
        sweeps=sweeps,
    )  # fmt: skip


def _entities_taken(
    built: pipeline.Built,
    given: Mapping[str, Any],
    out: Sequence[Any],
    index: str,
    check: bool,
    sweeps: Sequence[Any],
) -> Tape:
    """The Tape of entities of what a recording function gives."""
    from s2sad_runtime.contents import entity_contents

    fn, record = built.fn, built.derived.recording
    assert record is not None
    *rest, tape = out
    results, indices = rest[: len(fn.results)], rest[len(fn.results) :]
    real = [k for k, e in enumerate(fn.results) if kind_of(e, fn.kinds).is_real]
    names, found = leaves(fn.returns), dict(zip(real, map(int, indices), strict=True))
    fields = {p: (len(value), k) for value in record.values for k, p in enumerate(value)}
    last: dict[tuple[int, int], int] = {}  # a kind -> the index given out last, to inputs one after the other
    inputs, places, first = {}, {}, 1
    for p in record.indices:
        axes, size = np.ndim(given[p]), int(np.size(given[p]))
        count, field = fields.get(p, (1, 0))
        last[axes, count] = last.get((axes, count), 0) + (field == 0)
        inputs[p] = Spot(last[axes, count], count, field)
        places[p] = np.arange(first, first + size).reshape(np.shape(given[p]))
        first += size
    spots = {k: Spot(i) for k, i in found.items()}
    for head, count in record.together.items():
        spots |= {head + k: Spot(found[head], count, k) for k in range(count)}
    outputs = {names[k]: spot for k, spot in spots.items()}
    shapes = {names[k]: np.zeros(np.shape(results[k]), int) for k in found}
    held, values, pools, kinds = entity_contents(tape, record.axes, record.sizes)
    arrays = [(i.index, np.asarray(given[p])) for p, i in inputs.items() if np.ndim(given[p])]
    arrays += [(i, np.asarray(results[k])) for k, i in found.items() if i and np.ndim(results[k])]
    if check and index != "linear":
        left = [i for p, i in inputs.items() if np.ndim(given[p]) == 0 and p not in record.ended]
        left += [i for k, i in spots.items() if np.ndim(results[k]) == 0]
        _nothing_forgotten(fn, [i.index for i in left if i.size == 1], held)
        for axes, pool in pools.items():
            _nothing_forgotten(fn, [i for i, a in arrays if a.ndim == axes], pool)
        for size, kind in kinds.items():
            _nothing_forgotten(fn, [i.index for i in left if i.size == size], kind)
    value = pack(fn.returns, dict(zip(names, (_own(r) for r in results), strict=True)))
    return EntityTape(
        value, _shape(fn), places, shapes, index, first - 1, held, tape, known=Known(inputs, outputs), values=values,
        arrays=arrays, pools=pools, kinds=kinds, sweeps=sweeps,
    )  # fmt: skip


def _nothing_forgotten(fn: Function, left: Sequence[Any], held: Any) -> None:
    """With a checking manager: at the end nobody holds an index but arguments and results."""
    known = {int(i) for array in left for i in np.ravel(array) if i != 0}
    if len(known) != held.live:
        raise RuntimeError(f"{held.live - len(known)} indices of `{fn.name}` were not freed")


def _own(value: Any) -> Any:
    return np.array(value) if isinstance(value, np.ndarray) else value
