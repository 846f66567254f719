"""Many data: a compiled loop over a batch, values and gradients of each.

    value, gradient = s2sad.batch.value_and_grad(loss, in_axes=(None, 0, 0))(w, xs, ys)

The loop runs over the axes that `in_axes` names (None: the same for all); it is compiled code that calls the
compiled gradient, so Python is not involved per element.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sad import api
from s2sad.arguments import bind
from s2sad.errors import ArgumentError
from s2sad.pipeline import Argnums

Axes = int | tuple[int | None, ...] | None


def value_and_grad(
    f: Callable[..., Any], argnums: Argnums = 0, *, in_axes: Axes = 0, **options: Any
) -> Callable[..., Any]:
    """What gives the values and the gradients of `f` for each element of a batch: (values, gradients).

    in_axes  per argument the axis that the batch lies along, None for an argument that all share; one int for all;
             defaults that are not given are shared
    Shapes:  values (n,); a gradient has the batch first, then the shape of the argument's element; a tuple of
             argnums gives a tuple
    Errors:  ArgumentError S092 where axes don't fit the arguments, or lengths differ; those of `grad`

    >>> value_and_grad(lambda w, x: w * x * x, in_axes=(None, 0), jit=False)(3.0, np.array([1.0, 2.0]))
    (array([ 3., 12.]), array([1., 4.]))
    """
    made = api.value_and_grad(f, argnums, **options)
    jit = options.get("jit", True)
    loops: dict[Any, Any] = {}

    def mapped(*args: Any, **kwargs: Any) -> Any:
        full = bind(f, args, kwargs)
        axes = in_axes if isinstance(in_axes, tuple) else tuple(in_axes for _ in full)
        if not len(args) <= len(axes) <= len(full):
            raise ArgumentError(
                f"{len(axes)} axes for {len(args)} arguments",
                code="S092",
                hint="one entry of `in_axes` per argument",
            )
        axes = (*axes, *[None] * (len(full) - len(axes)))
        stacked = tuple(
            _first(k, value, axis) for k, (value, axis) in enumerate(zip(full, axes, strict=True))
        )
        lengths = {len(v) for v, axis in zip(stacked, axes, strict=True) if axis is not None}
        if len(lengths) != 1:
            raise ArgumentError(
                f"a batch has one length, not {sorted(lengths)}", code="S092", hint="see `in_axes`"
            )
        (n,) = lengths
        each = tuple(axis is not None for axis in axes)
        if n == 0:
            raise ArgumentError("the batch is empty", code="S092")
        if jit and all(axis is None or v.ndim >= 1 for v, axis in zip(stacked, axes, strict=True)):
            loop = loops.get(each) or loops.setdefault(each, _compiled(made, each, argnums))
            return loop(n, *stacked)
        rows = [made(*(v[i] if e else v for v, e in zip(stacked, each, strict=True))) for i in range(n)]
        values = np.array([value for value, _ in rows])
        if isinstance(argnums, tuple):
            return values, tuple(np.stack([g[k] for _, g in rows]) for k in range(len(argnums)))
        return values, np.stack([g for _, g in rows])

    return mapped


def _first(k: int, value: Any, axis: int | None) -> Any:
    """An argument with the batch along its first axis."""
    if axis is None:
        return value
    if not isinstance(value, np.ndarray) or not -value.ndim <= axis < value.ndim:
        raise ArgumentError(
            f"argument {k} has no axis {axis}",
            code="S092",
            hint="None in `in_axes` for an argument that all share",
        )
    return np.ascontiguousarray(np.moveaxis(value, axis, 0))


def _compiled(made: Any, each: tuple[bool, ...], argnums: Argnums) -> Any:
    """The loop as one compiled function: of the length and of the arguments."""
    import numba

    names = [f"a{k}" for k in range(len(each))]
    one = ", ".join(f"{n}[i]" if e else n for n, e in zip(names, each, strict=True))
    first = ", ".join(f"{n}[0]" if e else n for n, e in zip(names, each, strict=True))
    parts = len(argnums) if isinstance(argnums, tuple) else 0
    targets = [f"g[{k}]" for k in range(parts)] or ["g"]
    lines = [f"def loop(n, {', '.join(names)}):", f"    value, g = made({first})", "    values = np.empty(n)"]
    lines += [f"    out{k} = np.empty((n,) + np.asarray({target}).shape)" for k, target in enumerate(targets)]
    lines += ["    values[0] = value", *(f"    out{k}[0] = {target}" for k, target in enumerate(targets))]
    lines += ["    for i in range(1, n):", f"        value, g = made({one})", "        values[i] = value"]
    lines += [f"        out{k}[i] = {target}" for k, target in enumerate(targets)]
    outs = ", ".join(f"out{k}" for k in range(len(targets)))
    lines += [f"    return values, {f'({outs},)' if parts else outs}"]
    space: dict[str, Any] = {"np": np, "made": made}
    exec("\n".join(lines), space)
    return numba.njit(space["loop"])
