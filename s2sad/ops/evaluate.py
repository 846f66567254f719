"""The simplest interpreter of expressions: it runs the rows' own values with NumPy, as a reference.

>>> from s2sad.ops.formula import parse
>>> float(evaluate(parse("2.0 * x + exp(y)"), {"x": 3.0, "y": 0.0}))
7.0
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from s2sad.ir.nodes import Apply, Const, Expr, Load, Var
from s2sad.ops.table import OPS


def evaluate(expr: Expr, env: Mapping[str, Any]) -> Any:
    """The value of an expression where `env` gives the names theirs."""
    match expr:
        case Var(name):
            return env[name]
        case Const(value):
            return value
        case Load(array, index):
            return env[array][tuple(evaluate(i, env) for i in index)]
        case Apply("and", (a, b)):
            return evaluate(a, env) and evaluate(b, env)
        case Apply("or", (a, b)):
            return evaluate(a, env) or evaluate(b, env)
        case Apply(op, args):
            values = [evaluate(arg, env) for arg in args]
            return function(op, bool(OPS[op].scalar) and not any(hasattr(v, "shape") for v in values))(
                *values
            )


@cache
def function(key: str, numbers: bool = False) -> Callable[..., Any]:
    """The value of a row as a Python function of its operands, or as it is printed for numbers."""
    import numpy

    op = OPS[key]
    text = (op.scalar if numbers else op.y).format(
        **{name: name for name in (*op.fixed, *filter(None, [op.rest]))}
    )
    scope: dict[str, Any] = {"np": numpy, "math": math, "arena": None}
    scope |= {"own": lambda arena, x: x.copy(), "real_slots": lambda arena, shape: numpy.empty(shape)}
    if "special." in op.y:
        scope["special"] = importlib.import_module("s2sad_runtime.plain_special")
    made: Callable[..., Any] = eval(f"lambda {op.params.replace(' ', ', ')}: {text}", scope)
    return made
