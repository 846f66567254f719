"""Does a program have numbers in float32; and what that means for code that is not compiled.

>>> from s2sad.ir.nodes import SINGLE, Leaf, Var
>>> mixed(Function("f", ("x",), (), (Var("x"),), {"x": SINGLE}, (), Leaf("r_0")))
True
"""

from __future__ import annotations

from dataclasses import replace

from s2sad.ir.nodes import REAL, Apply, Assign, Expr, Function, New
from s2sad.ir.walk import expressions, nodes, statements
from s2sad.ops.kinds import kind_of


def mixed(fn: Function) -> bool:
    """Whether anything in a function, or in one that it calls, is in float32, a part of an expression included."""
    return (
        any(kind.base == "single" for kind in fn.kinds.values())
        or any(
            isinstance(node, Apply) and node.op == "float32"
            for expr in (*(e for s in statements(fn.body) for e in expressions(s)), *fn.results)
            for node in nodes(expr)
        )
        or any(mixed(callee) for callee in fn.callees.values())
    )


def widens(fn: Function) -> bool:
    """Whether a number of float32 is given to a name that is float64 later on, or on another path."""
    return any(
        isinstance(s, Assign)
        and fn.kinds.get(s.target, REAL).base == "real"
        and kind_of(s.value, fn.kinds).base == "single"
        for s in statements(fn.body)
    )


def untyped(fn: Function) -> Function:
    """`fn` with slots that keep numbers as they are: in Python code their types are known when it runs.

    Before: `s_s = real_slots(arena, (n,))` · After: `s_s = any_slots(arena, (n,))`
    """
    slots = {s.target for s in statements(fn.body) if isinstance(s, New) and _of_reals(s.value)}
    kinds = {n: replace(k, base="any") if n in slots and k.is_real else k for n, k in fn.kinds.items()}
    callees = {name: untyped(callee) for name, callee in fn.callees.items()}
    return replace(fn, kinds=kinds, callees=callees, pairs={n: untyped(p) for n, p in fn.pairs.items()})


def _of_reals(value: Expr) -> bool:
    return isinstance(value, Apply) and value.op == "slots"
