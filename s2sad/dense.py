"""Dense Jacobians and Hessians: many directions in one sweep where a function allows it, else one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from s2sad import pipeline
from s2sad.api import grad, in_full, slopes_along, vjp
from s2sad.arguments import bind, leaf_values
from s2sad.drivers import leaves
from s2sad.fingerprint import fingerprint
from s2sad.forms import built, filled, items_of, like
from s2sad.forms import leaves as parts
from s2sad.ir.nodes import Kind, Leaf, Tree
from s2sad.jacobians import KEEPING, WIDTH, gathered
from s2sad.pickled import reduced
from s2sad.pipeline import Argnums, Request
from s2sad.requests import entry_of, made_once, request_of
from s2sad.shapes.directions import Alone


def jacfwd(
    f: Callable[..., Any], argnums: Argnums = 0, *, sparsity: Any = None, **options: Any
) -> Callable[..., Any]:
    """The Jacobian by columns, from tangents, many in one sweep where they allow it: for few inputs.

    Shapes:  result shape + argument shape; a tuple over results of a tuple over argnums where there are several
    """
    if sparsity is not None:
        return SPARSE[0](f, argnums, sparsity, options)
    return Jacobian(f, argnums, options, _columns)


def jacrev(
    f: Callable[..., Any], argnums: Argnums = 0, *, sparsity: Any = None, **options: Any
) -> Callable[..., Any]:
    """The Jacobian by rows, from adjoints, many in one sweep where they allow it: for few results.

    Shapes as in `jacfwd`.
    """
    if sparsity is not None:
        return SPARSE[0](f, argnums, sparsity, options)
    return Jacobian(f, argnums, options, _rows)


def jacobian(
    f: Callable[..., Any], argnums: Argnums = 0, *, sparsity: Any = None, **options: Any
) -> Callable[..., Any]:
    """The Jacobian, by rows or by columns, whichever are fewer. Shapes as in `jacfwd`.

    With a `sparsity` ("detect", or what `sparsity(f, *args)` gave) it is a scipy.sparse.csr_array: results (flat) by
    elements of the argument (flat), from few sweeps over a tape.

    >>> jacobian(lambda x: (x * x, 3.0 * x), jit=False)(2.0)
    (4.0, 3.0)
    """
    if sparsity is not None:
        return SPARSE[0](f, argnums, sparsity, options)
    return Jacobian(f, argnums, options, _fewer)


def _fewer(f: Any, args: tuple[Any, ...], argnums: tuple[int, ...], options: dict[str, Any]) -> Any:
    inputs = sum(np.size(x) for k in argnums for x in parts(args[k]))
    return (_rows if _results(f, args, options) < inputs else _columns)(f, args, argnums, options)


def _results(f: Any, args: tuple[Any, ...], options: dict[str, Any]) -> int:
    """How many numbers a function gives at `args`: it is run, compiled; a gradient has as many as its arguments."""
    request = request_of(f, options)
    if request.argnums is not None:
        return sum(np.size(x) for k in request.positions for x in parts(args[k]))
    run = compiled(request, args) if request.options.jit else request.f
    return sum(np.size(r) for r in parts(run(*map(_copied, args))))


def compiled(request: Request, args: Sequence[Any]) -> Callable[..., Any]:
    """A function itself, with all that it calls, compiled for the kinds of `args`."""

    def make(kinds: tuple[Kind, ...]) -> Any:
        built = pipeline.value(request, kinds)
        return entry_of(built, built.entry, True)

    run: Callable[..., Any] = made_once(request, "value", args, make)
    return run


def hessian(f: Callable[..., Any], argnums: Argnums = 0, **options: Any) -> Callable[..., Any]:
    """The second derivative of a scalar function, forward over reverse, many columns in one sweep where they allow it.

    Shapes:  argument shape twice; with a tuple of argnums a tuple of tuples

    >>> hessian(lambda x: x**3, jit=False)(2.0)
    12.0
    """
    return Jacobian(grad(f, argnums, **options), argnums, {}, _columns)


#: What makes a sparse Jacobian (it needs a tape): f, argnums, pattern, options -> function.
SPARSE: list[Callable[[Any, Argnums, Any, dict[str, Any]], Callable[..., Any]]] = []


class Jacobian:
    """A dense Jacobian; `how` gives, per result, an array per argument."""

    def __init__(self, f: Any, argnums: Argnums, options: dict[str, Any], how: Callable[..., Any]) -> None:
        self.f, self.argnums, self.options, self.how = f, argnums, options, how
        self.base = request_of(f, options)
        self.__name__ = f"{how.__name__.strip('_')}_of_{getattr(self.base.f, '__name__', 'f')}"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        base, argnums = self.base, self.argnums
        args = bind(base.f, args, kwargs)
        lowered = made_once(base, "ir", args, lambda kinds: pipeline.lowered(base.f, kinds))
        request = pipeline.normal(replace(base, argnums=argnums), lowered)
        pipeline.differentiable(lowered, request.positions)
        table = self.how(self.f, args, request.positions, self.options)
        rows = iter([row[0] if isinstance(argnums, int) else tuple(row) for row in table])
        tree = lowered.returns if base.argnums is None else pipeline.structure(lowered, base.argnums)
        return _assembled(tree, rows)

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(Jacobian, self.f, self.argnums, self.options, self.how)


def _assembled(tree: Tree, items: Iterator[Any]) -> Any:
    """Items in a structure."""
    return (
        next(items)
        if isinstance(tree, Leaf)
        else built(tree.make, [_assembled(t, items) for t in tree.items])
    )


def _copied(value: Any) -> Any:
    items = items_of(value)
    if items is not None:
        return like(value, list(map(_copied, items)))
    return value.copy() if isinstance(value, np.ndarray) else value


def _basis(value: Any) -> list[Any]:
    """The unit directions of a number, or of an array."""
    return [1.0] if np.ndim(value) == 0 else list(np.eye(np.size(value)).reshape(-1, *np.shape(value)))


def _number(value: Any) -> Any:
    return float(value) if np.ndim(value) == 0 else value


def _columns(
    f: Any, args: tuple[Any, ...], argnums: tuple[int, ...], options: dict[str, Any]
) -> list[list[Any]]:
    request = request_of(f, options)
    mark = fingerprint(request.f)

    def along(tangents: Sequence[Any], k: int) -> tuple[Any, ...]:
        given = tuple(filled(a, iter(tangents)) if j == k else None for j, a in enumerate(args))
        return slopes_along(request, tuple(map(_copied, args)), given, mark)

    table: list[list[Any]] = []
    for k in argnums:
        inputs = parts(args[k])
        found: list[list[Any]] = []  # per leaf of the argument a block per result
        for place, leaf in enumerate(inputs):
            at_once = _columns_at_once(request, args, k, place, mark) if np.size(leaf) > 1 else None
            if at_once is not None:
                found.append([b.reshape(b.shape[:-1] + np.shape(leaf)) for b in at_once])
                continue
            units = _basis(leaf)
            columns = [
                parts(along([u if j == place else None for j in range(len(inputs))], k)[1]) for u in units
            ]
            if columns:
                blocks = [
                    np.stack(c, -1).reshape(np.shape(c[0]) + np.shape(leaf))
                    for c in zip(*columns, strict=True)
                ]
            else:
                y = parts(along([None] * len(inputs), k)[0])
                blocks = [np.zeros(np.shape(r) + np.shape(leaf)) for r in y]
            found.append(list(map(_number, blocks)))
        table.append([filled(args[k], iter(blocks)) for blocks in zip(*found, strict=True)])
    return [list(row) for row in zip(*table, strict=True)]


def _columns_at_once(
    request: Request, args: tuple[Any, ...], k: int, place: int, mark: str
) -> list[Any] | None:
    """Per result, its derivative along all elements of a leaf (last axis); None where they go one by one."""
    if not request.options.jit or request.aux or (request.value and request.argnums is not None):
        return None
    lowered = made_once(request, "ir", args, lambda kinds: pipeline.lowered(request.f, kinds), mark=mark)
    request = pipeline.normal(request, lowered) if request.argnums is not None else request
    active = leaves(lowered.signature[k].tree)[place : place + 1]

    def make(kinds: tuple[Kind, ...]) -> Any:
        try:
            if request.argnums is None:
                built = pipeline.tangent(request, kinds, active, at_once=True)
            else:
                wrt = pipeline.differentiable(lowered, request.positions)
                along = [pipeline.differentiable(lowered, (j,), scalar=True) for j in request.along]
                built = pipeline.nested(request, kinds, wrt, (*along, active), at_once=True)
        except Alone:
            return None
        return built, entry_of(built, built.entry, True)

    made = made_once(request, "columns", args, make, active, mark=mark)
    if made is None:
        return None
    built, entry = made
    ones = [1.0 for _ in request.along]

    def run(directions: np.ndarray[Any, Any]) -> tuple[list[Any], list[Any]]:
        values = leaf_values(built.fn, tuple(map(_copied, args)))
        out = entry(*(values[p] for p in built.fn.params), *ones, directions)
        if request.argnums is not None:
            return parts(out[0]), parts(out[1])
        flat = out if isinstance(out, tuple) else (out,)
        return list(flat[: len(built.fn.results)]), list(flat[len(built.fn.results) :])

    width = WIDTH if request.argnums is None else KEEPING
    return gathered(np.shape(parts(args[k])[place]), run, width)


def _rows_at_once(f: Any, args: tuple[Any, ...], options: dict[str, Any]) -> list[list[list[Any]]] | None:
    """Per result and argument the blocks of its leaves; None where rows go one by one."""
    request = request_of(f, options)
    if not request.options.jit or request.argnums is not None:
        return None
    args = in_full(request.f, args)

    def make(kinds: tuple[Kind, ...]) -> Any:
        fn = pipeline.lowered(request.f, kinds)
        active = tuple(n for p in fn.signature for n in pipeline.real_leaves(fn, p))
        try:
            built, pull = pipeline.pullback(request, kinds, active, at_once=True)
        except Alone:
            return None
        return built, entry_of(built, built.entry, True), entry_of(built, pull, True)

    made = made_once(request, "rows", args, make)
    if made is None:
        return None
    built, opened, pulled = made
    fn, adjoint = built.fn, built.derived.adjoint
    names = list(adjoint.gradients)

    def forward() -> tuple[list[Any], list[Any], Any]:
        values = leaf_values(fn, tuple(map(_copied, args)))
        given = [values[p] for p in fn.params]
        *results, arena = opened(*given)
        return given, [np.array(r) if isinstance(r, np.ndarray) else r for r in results], arena

    _, results, _ = forward()
    values = leaf_values(fn, args)
    table: list[list[list[Any]]] = []
    for r, result in enumerate(results):

        def run(directions: np.ndarray[Any, Any], r: int = r) -> tuple[list[Any], list[Any]]:
            given, _, arena = forward()
            more = (directions.shape[-1],)
            bars = [directions if q == r else np.zeros(np.shape(v) + more) for q, v in enumerate(results)]
            used = [bar for bar, seed in zip(bars, adjoint.seeds, strict=True) if seed is not None]
            return [values[n] for n in names], list(pulled(*given, *used, arena))

        shape = np.shape(result)
        if adjoint.seeds[r] is None:
            found = [np.zeros((*np.shape(values[n]), np.size(result))) for n in names]
        else:
            found = gathered(shape, run)
        blocks = {
            n: np.moveaxis(b, -1, 0).reshape(shape + b.shape[:-1]) for n, b in zip(names, found, strict=True)
        }
        table.append([[blocks[n] for n in leaves(p.tree) if n in blocks] for p in fn.signature])
    return table


def _rows(
    f: Any, args: tuple[Any, ...], argnums: tuple[int, ...], options: dict[str, Any]
) -> list[list[Any]]:
    at_once = _rows_at_once(f, args, options)
    if at_once is not None:
        return [
            [filled(args[k], (_number(block) for block in blocks[k])) for k in argnums] for blocks in at_once
        ]
    y, pullback = vjp(f, *map(_copied, args), **options)
    results = parts(y)
    table = []
    for r, result in enumerate(results):
        rows = []
        for unit in _basis(result):
            bars = [unit if q == r else np.zeros(np.shape(v)) for q, v in enumerate(results)]
            adjoints = pullback(filled(y, iter(bars)))
            rows.append([parts(adjoints[k]) for k in argnums])
        blocks = []
        for j, k in enumerate(argnums):
            inputs = enumerate(parts(args[k]))
            found = [
                np.reshape([row[j][n] for row in rows], np.shape(result) + np.shape(leaf))
                for n, leaf in inputs
            ]
            blocks.append(filled(args[k], map(_number, found)))
        table.append(blocks)
    return table
