"""Many data: a compiled loop over a batch, values and gradients of each.

    value, gradient = s2sad.batch.value_and_grad(loss, in_axes=(None, 0, 0))(w, xs, ys)

The loop runs over the axes that `in_axes` names (None: the same for all); it is compiled code that calls the
compiled gradient, so Python is not involved per element.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from s2sad import api
from s2sad.arguments import bind
from s2sad.errors import ArgumentError
from s2sad.forms import filled, items_of, leaves, like, outline
from s2sad.pickled import reduced
from s2sad.pipeline import Argnums

Axes = int | tuple[int | None, ...] | None


def value_and_grad(
    f: Callable[..., Any], argnums: Argnums = 0, *, in_axes: Axes = 0, **options: Any
) -> Callable[..., Any]:
    """What gives the values and the gradients of `f` for each element of a batch: (values, gradients).

    in_axes  per argument the axis that the batch lies along (of a structure, that of all its leaves), None for one that
             all share; one int for all;
             defaults that are not given are shared
    Shapes:  values (n,); a gradient has the batch first, then the shape of the argument's element; a tuple of
             argnums gives a tuple
    Errors:  ArgumentError S092 where axes don't fit the arguments, or lengths differ; those of `grad`

    >>> value_and_grad(lambda w, x: w * x * x, in_axes=(None, 0), jit=False)(3.0, np.array([1.0, 2.0]))
    (array([ 3., 12.]), array([1., 4.]))
    """
    return Mapped(f, argnums, in_axes, options)


class Mapped:
    """A gradient over a batch."""

    def __init__(
        self, f: Callable[..., Any], argnums: Argnums, in_axes: Axes, options: dict[str, Any]
    ) -> None:
        self.f, self.argnums, self.in_axes, self.options = f, argnums, in_axes, options
        self.made = api.value_and_grad(f, argnums, **options)
        self.loops: dict[Any, Any] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(Mapped, self.f, self.argnums, self.in_axes, self.options)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        made, loops, argnums, in_axes = self.made, self.loops, self.argnums, self.in_axes
        full = bind(self.f, args, kwargs)
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
        each = tuple(axis is not None for axis in axes)
        parts = [leaves(v) for v in stacked]
        lengths = {len(leaf) for part, e in zip(parts, each, strict=True) if e for leaf in part}
        if len(lengths) != 1:
            raise ArgumentError(
                f"a batch has one length, not {sorted(lengths)}", code="S092", hint="see `in_axes`"
            )
        (n,) = lengths
        if n == 0:
            raise ArgumentError("the batch is empty", code="S092")
        like = stacked[argnums] if isinstance(argnums, int) else tuple(stacked[k] for k in argnums)
        if self.options.get("jit", True):
            key = each, tuple(map(outline, stacked))
            loop = loops.get(key) or loops.setdefault(key, _compiled(made, each, stacked, like))
            values, *outs = loop(n, *(leaf for part in parts for leaf in part))
            return values, filled(like, iter(outs))
        rows = [made(*(_at(v, i) if e else v for v, e in zip(stacked, each, strict=True))) for i in range(n)]
        gradients = zip(*(leaves(g) for _, g in rows), strict=True)
        return np.array([value for value, _ in rows]), filled(like, map(np.stack, gradients))


def _first(k: int, value: Any, axis: int | None) -> Any:
    """An argument with the batch along its first axis; of a structure every leaf."""
    items = items_of(value)
    if axis is None:
        return value
    if items is not None:
        return like(value, [_first(k, item, axis) for item in items])
    if not isinstance(value, np.ndarray) or not -value.ndim <= axis < value.ndim:
        raise ArgumentError(
            f"argument {k} has no axis {axis}",
            code="S092",
            hint="None in `in_axes` for an argument that all share",
        )
    return np.ascontiguousarray(np.moveaxis(value, axis, 0))


def _at(value: Any, i: int) -> Any:
    """One element of a batch."""
    items = items_of(value)
    return value[i] if items is None else like(value, [_at(item, i) for item in items])


def _compiled(made: Any, each: tuple[bool, ...], args: Sequence[Any], gradient: Any) -> Any:
    """The loop as one compiled function: of the length and of the leaves of the arguments."""
    import numba

    space: dict[str, Any] = {"np": np, "made": made}
    names: list[str] = []

    def text(value: Any, at: str) -> str:
        """An argument, put together of leaves."""
        items = items_of(value)
        if items is None:
            names.append(f"a{len(names)}")
            return names[-1] + at
        inner = ", ".join(text(item, at) for item in items)
        if type(value) is tuple:
            return f"({inner},)"
        space[f"C{len(space)}"] = type(value)
        return f"C{len(space) - 1}({inner})"

    def call(i: str) -> str:
        names.clear()
        return f"made({', '.join(text(v, f'[{i}]' if e else '') for v, e in zip(args, each, strict=True))})"

    first, one = call("0"), call("i")
    targets = list(_paths(gradient, "g"))
    lines = [f"def loop(n, {', '.join(names)}):", f"    value, g = {first}", "    values = np.empty(n)"]
    lines += [f"    out{k} = np.empty((n,) + np.asarray({target}).shape)" for k, target in enumerate(targets)]
    lines += ["    values[0] = value", *(f"    out{k}[0] = {target}" for k, target in enumerate(targets))]
    lines += ["    for i in range(1, n):", f"        value, g = {one}", "        values[i] = value"]
    lines += [f"        out{k}[i] = {target}" for k, target in enumerate(targets)]
    lines += [f"    return values, {''.join(f'out{k}, ' for k in range(len(targets)))}"]
    exec("\n".join(lines), space)
    return numba.njit(space["loop"])


def _paths(value: Any, text: str) -> Iterator[str]:
    """The leaves of a gradient, as compiled code names them."""
    items = items_of(value)
    if items is None:
        yield text
    for k, item in enumerate(items or ()):
        yield from _paths(item, f"{text}[{k}]")
