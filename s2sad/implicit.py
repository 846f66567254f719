"""Implicit functions: solutions of equations, differentiated at the solution.

Where F(x, p) = 0, the solution x(p) has the tangent -(F_x)^-1 F_p p_d, whatever way led to x: the implicit function
theorem. What `root` and `fixed_point` give is a function with that rule, written in the language that s2sad reads. It is
compiled with what is around it; its rule calls it again, so derivatives of any order are right.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sad.api import jvp, value_and_grad
from s2sad.library.table import unsupported
from s2sad.rules import custom_jvp

LOST = "no solution found: the steps don't become small"


def root(residual: Callable[..., Any], *, tol: float = 1e-12, most: int = 50) -> Callable[..., Any]:
    """The function `solve(x, *params)` that solves `residual(x, *params) = 0` for x, from a first guess.

    x is a number or an array, the residual of its shape; the parameters are numbers, arrays and tuples of these.
    Newton's method goes on until no element of x changes by more than `tol` times (1 + the largest element), `most`
    times at the most, else ArithmeticError. Each step takes a tangent per element of x and one dense solution: meant
    for up to some hundreds of unknowns. Derivatives need the same once, at the solution; no iterate is kept. The slope
    with respect to the first guess is zero.

    `solve` is called in functions that s2sad compiles, to be fast; it runs in plain Python, too.

    >>> solve = root(lambda x, a: x * x - a)
    >>> y, slope = value_and_grad(lambda a: solve(1.0, a), jit=False)(2.0)
    >>> round(float(y), 12), round(float(slope), 12)
    (1.414213562373, 0.353553390593)
    """

    @custom_jvp
    def solve(x, *params):
        x = x + 0.0  # (a whole number is a guess, too)
        for _ in range(most):
            value, slopes = linear(residual, x, params)
            step = solved(slopes, value)
            x = x - step
            if largest(step) <= tol * (1.0 + largest(x)):
                return x
        raise ArithmeticError(LOST)

    @solve.defjvp  # type: ignore[attr-defined]
    def tangent(primals, tangents):
        x = solve(*primals)
        if len(primals) == 1:
            return x, 0.0 * x
        _, slopes = linear(residual, x, primals[1:])
        return x, -solved(slopes, pushed(residual, x, primals[1:], tangents[1:]))

    return solve


def fixed_point(step: Callable[..., Any], *, tol: float = 1e-12, most: int = 1000) -> Callable[..., Any]:
    """The function `solve(x, *params)` that repeats `x = step(x, *params)` from a first x, until x stands still.

    x is a number or an array, and so is what `step` gives; the parameters are numbers, arrays and tuples of these. It
    stands still when no element changes by more than `tol` times (1 + the largest element), after `most` steps at the
    most, else ArithmeticError. Derivatives take a tangent of `step` per element of x and one dense solution with
    1 - step_x, at the solution; no iterate is kept, however many there were. The slope with respect to the first x is
    zero.

    >>> solve = fixed_point(lambda x, a: 0.5 * (x + a / x))
    >>> y, slope = value_and_grad(lambda a: solve(1.0, a), jit=False)(2.0)
    >>> round(float(y), 12), round(float(slope), 12)
    (1.414213562373, 0.353553390593)
    """

    @custom_jvp
    def solve(x, *params):
        x = x + 0.0  # (a whole number is a guess, too)
        for _ in range(most):
            new = step(x, *params)
            change = largest(new - x)
            x = new
            if change <= tol * (1.0 + largest(new)):
                return x
        raise ArithmeticError(LOST)

    @solve.defjvp  # type: ignore[attr-defined]
    def tangent(primals, tangents):
        x = solve(*primals)
        if len(primals) == 1:
            return x, 0.0 * x
        _, slopes = linear(step, x, primals[1:])
        return x, solved(to_one(slopes), pushed(step, x, primals[1:], tangents[1:]))

    return solve


def linear(f, x, params):
    """The value of f at x, and its derivative for x: a matrix with a column per element where x is an array."""
    if np.ndim(x) == 0:
        return value_and_grad(lambda z: f(z, *params), jit=False)(x)
    n = x.size
    slopes = np.empty((n, n))
    e = np.zeros(n)
    value = np.zeros_like(x)
    for k in range(n):
        e[k] = 1.0
        value, column = jvp(lambda z: f(z, *params), (x,), (e.reshape(x.shape),), jit=False)
        if np.ndim(column) != np.ndim(x):
            unsupported("a function whose result has another number of dimensions than x")
        slopes[:, k] = column.ravel()
        e[k] = 0.0
    return value, slopes


def pushed(f, x, params, tangents):
    """The tangent of f at x along the parameters."""
    _, made = jvp(lambda p: f(x, *p), (params,), (tangents,), jit=False)
    return made


def solved(slopes, r):
    """What gives r when it is multiplied by the slopes."""
    if np.ndim(r) == 0:
        return r / slopes
    return np.linalg.solve(slopes, r.ravel()).reshape(r.shape)


def to_one(slopes):
    """One minus the slopes."""
    return 1.0 - slopes if np.ndim(slopes) == 0 else np.eye(len(slopes)) - slopes


def largest(x):
    """The largest element, without its sign."""
    return abs(x) if np.ndim(x) == 0 else np.max(np.abs(x))
