"""For each pass a program on whose reverse sweep it shows, and the passes before it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

X, Y = np.linspace(0.3, 0.9, 6), np.linspace(-0.5, 0.7, 6)


@dataclass(frozen=True)
class Example:
    """f, its arguments, and the passes that run before the one shown."""

    f: Callable[..., Any]
    arguments: tuple[Any, ...]
    before: tuple[str, ...] = ()


EXAMPLES: dict[str, Example] = {}


def example(name: str, *arguments: Any, before: tuple[str, ...] = ()) -> Callable[..., Any]:
    def add(f: Callable[..., Any]) -> Callable[..., Any]:
        EXAMPLES[name] = Example(f, arguments, before)
        return f

    return add


@example("merge", X, Y)
def products(x, y):
    u, v = np.zeros(len(x)), np.zeros(len(x))
    for i in range(1, len(x)):
        u[i] = x[i] * y[i - 1]
        v[i] = x[i] * np.sin(y[i])
    s = 0.0
    for i in range(len(x)):
        s += u[i] * v[i]
    return s


@example("upwards", X, Y)
def sums_of_squares(x, y):
    s = 0.0
    for i in range(len(x)):
        r = x[i] - y[i]
        s += r * r
    return s


@example("gather", X, Y, before=("merge", "upwards"))
def smoothed(x, y):
    u = x.copy()
    for i in range(1, len(x) - 1):
        u[i] = x[i] + y[i] * (x[i - 1] - 2.0 * x[i] + x[i + 1])
    s = 0.0
    for i in range(len(x)):
        s += u[i] ** 2
    return s


@example("hoist", X, Y)
def pairs(x, y):
    s = 0.0
    for i in range(len(x)):
        for j in range(len(y)):
            d = x[i] - y[j]
            s += d * d * x[0]
    return s


@example("counted", np.linspace(0.3, 0.9, 4), np.linspace(-0.5, 0.7, 6), before=("merge", "upwards"))
def packed(x, y):
    s, p = 0.0, 0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            s += y[p] * x[i] * x[j]
            p += 1
    return s


@example("rebound", X, Y, before=("merge", "upwards"))
def stepped(x, y):
    u, new = x.copy(), x.copy()
    for _ in range(3):
        for i in range(1, len(x) - 1):
            new[i] = u[i] + 0.1 * y[i] * np.sin(u[i - 1])
        u, new = new, u
    s = 0.0
    for i in range(len(x)):
        s += u[i] * u[i]
    return s


@example("overwrite", X, Y, before=("merge", "upwards", "gather"))
def diffused(x, y):
    u, new = x.copy(), x.copy()
    for _ in range(3):
        for i in range(1, len(x) - 1):
            new[i] = u[i] + 0.1 * y[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1])
        u, new = new, u
    s = 0.0
    for i in range(len(x)):
        s += u[i] * u[i]
    return s


@example("reciprocal", X, Y, before=("merge", "upwards"))
def quotients(x, y):
    s = 0.0
    for i in range(len(x)):
        s += x[i] / (1.0 + y[i] * y[i])
    return s


@example("columns", np.linspace(0.3, 0.9, 6).reshape(3, 2), Y[:3], before=("merge", "upwards", "hoist"))
def sums_by_columns(p, y):
    u = p.copy()
    s = 0.0
    for i in range(len(y)):
        for j in range(len(y)):
            s += y[i] * u[j, 0] * (u[j, 1] - u[i, 1])
    return s


@example("from_zero", X, Y, before=("upwards",))
def inner_cells(x, y):
    s = 0.0
    for i in range(2, len(x) - 2):
        s += x[i] * y[i - 1]
    return s
