"""Does a program have numbers in float32; and what that means for code that is not compiled.

>>> from s2sad.ir.nodes import SINGLE, Leaf, Var
>>> mixed(Function("f", ("x",), (), (Var("x"),), {"x": SINGLE}, (), Leaf("r_0")))
True
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from s2sad.errors import KindError
from s2sad.ir.nodes import REAL, Apply, Assign, Call, Expr, Function, New, Stmt
from s2sad.ir.walk import expressions, nodes, statements
from s2sad.ops import OPS, several
from s2sad.ops.kinds import kind_of
from s2sad.rules import RECORDS


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


#: Operations on matrices that are compiled for float32 with their derivatives.
IN_SINGLE = (
    "dot11", "dot12", "dot21", "dot22", "outer", "solve21", "solve22", "inv", "pinv", "det", "tril", "triu", "T",
    "diagonal", "singular_values", "einsum", "tensordot_by", "einsum_like", "fft_along", "ifft_along", "rfft_along",
    "irfft_along",
)  # fmt: skip
#: Those whose operands have to be of one type.
ALIKE = ("dot11", "dot12", "dot21", "dot22", "outer", "solve21", "solve22")


def compiled(fn: Function) -> None:
    """Refuse operations on matrices that are not compiled for float32, or not for float32 beside float64.

    Errors: KindError S062.
    """
    for function in (fn, *fn.callees.values()):
        for stmt in statements(function.body):
            for key, args in _matrix_operations(stmt):
                name = next(iter(OPS[key].names), key.rstrip("12"))
                found = {kind_of(arg, function.kinds).base for arg in args}
                what = "float32" if key.partition(" ")[0] not in IN_SINGLE else ""
                what = "float32 and float64 together" if key in ALIKE and "real" in found else what
                if "single" in found and what:
                    raise KindError(f"`{name}` of {what} is not compiled", code="S062", at=stmt.at,
                                    hint="take it of `a.astype(np.float64)`, or use `jit=False`")  # fmt: skip


def interpreted(fn: Function) -> None:
    """Refuse arrays of numbers of which NumPy finds the type when it runs: float32 or float64.

    Errors: KindError S062.
    """
    for function in (fn, *fn.callees.values()):
        for stmt in statements(function.body):
            match stmt:
                case New(value=Apply("empty", spell="np.array")) if mixed(fn):
                    raise KindError(
                        "whether this array is of float32 or float64 shows when it runs", code="S062", at=stmt.at,
                        hint="say `np.array([...], dtype=float)` or `dtype=np.float32`",
                    )  # fmt: skip


def without_rules(fn: Function) -> None:
    """Refuse rules of their own, and derivatives inside, in programs with float32: they are for float64.

    Errors: KindError S062.
    """
    ruled = next((callee for callee in fn.callees.values() if callee.rule is not None), None)
    if ruled is not None and mixed(fn):
        raise KindError(
            "rules of one's own, and derivatives inside of functions, are for float64", code="S062",
            at=ruled.at, hint="pass float64",
        )  # fmt: skip


def _matrix_operations(stmt: Stmt) -> Iterator[tuple[str, tuple[Expr, ...]]]:
    """The operations on matrices, and registered functions, of a statement, with their operands."""
    if isinstance(stmt, Call) and several(stmt.function):
        yield stmt.function, stmt.args
    for node in (n for e in expressions(stmt) for n in nodes(e)):
        if isinstance(node, Apply) and (OPS[node.op].structural == "matrix" or node.op in RECORDS):
            yield node.op, node.args


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
