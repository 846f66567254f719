"""Implicit functions: solutions of equations, differentiated at the solution.

Where F(x, p) = 0, the solution x(p) has the tangent x_d = -(F_x)^-1 F_p p_d, whatever way led to x (the implicit
function theorem). What `root` and `fixed_point` give is a function with that rule, written in the language that s2sad
reads: it is compiled with what is around it, and differentiated to any order, since the rule calls it again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sad.api import jvp, value_and_grad
from s2sad.rules import custom_jvp

LOST = "no solution found: the steps don't become small"


def root(residual: Callable[..., Any], *, tol: float = 1e-12, most: int = 50) -> Callable[..., Any]:
    """The function `solve(x, *params)` that solves `residual(x, *params) = 0` for x, by Newton's method."""

    @custom_jvp
    def solve(x, *params):
        for _ in range(most):
            step = newton(lambda z: residual(z, *params), x)
            x = x - step
            if size(step) <= tol * (1.0 + size(x)):
                return x
        raise ArithmeticError(LOST)

    @solve.defjvp  # type: ignore[attr-defined]
    def tangent(primals, tangents):
        x = solve(*primals)
        params, params_d = primals[1:], tangents[1:]
        _, r_d = jvp(lambda p: residual(x, *p), (params,), (params_d,), jit=False)
        return x, -solved(lambda z: residual(z, *params), x, r_d)

    return solve


def fixed_point(step: Callable[..., Any], *, tol: float = 1e-12, most: int = 1000) -> Callable[..., Any]:
    """The function `solve(x, *params)` that repeats `x = step(x, *params)` until x stands still."""

    @custom_jvp
    def solve(x, *params):
        for _ in range(most):
            new = step(x, *params)
            change = size(new - x)
            x = new
            if change <= tol * (1.0 + size(new)):
                return x
        raise ArithmeticError(LOST)

    @solve.defjvp  # type: ignore[attr-defined]
    def tangent(primals, tangents):
        x = solve(*primals)
        params, params_d = primals[1:], tangents[1:]
        _, r_d = jvp(lambda p: step(x, *p), (params,), (params_d,), jit=False)
        return x, solved(lambda z: z - step(z, *params), x, r_d)

    return solve


def newton(f, x):
    """The step to where the linear function that touches f at x is zero, backwards."""
    if np.ndim(x) == 0:
        value, slope = value_and_grad(f, jit=False)(x)
        return value / slope
    value, J = matrix(f, x)
    return np.linalg.solve(J, value.ravel()).reshape(x.shape)


def solved(f, x, r):
    """What gives r, multiplied by the derivative of f at x."""
    if np.ndim(x) == 0:
        _, slope = value_and_grad(f, jit=False)(x)
        return r / slope
    _, J = matrix(f, x)
    return np.linalg.solve(J, r.ravel()).reshape(x.shape)


def matrix(f, x):
    """The value of f, and its derivatives, a column per element of x."""
    n = x.size
    J = np.empty((n, n))
    e = np.zeros(n)
    value = np.zeros_like(x)
    for k in range(n):
        e[k] = 1.0
        value, column = jvp(f, (x,), (e.reshape(x.shape),), jit=False)
        J[:, k] = column.ravel()
        e[k] = 0.0
    return value, J


def size(x):
    """The largest element."""
    return abs(x) if np.ndim(x) == 0 else np.max(np.abs(x))
