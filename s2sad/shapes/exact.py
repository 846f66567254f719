"""Values of the program that a reverse sweep forms again are to be what they were: where it matters, apart.

A reverse sweep has relaxed flags: sums may be taken in another order, a product and a sum in one step. A value formed
again then differs in its last bits from what the program had. That is no matter where it is a factor; below a division
bar or under a root it is, as zero may become something else. There a function of its own, which is strict, forms it:

Before: `for j in range(n):` `d = x[j] - y` · `q = d * d + e` · `w = s_b / q` · `x_sum += w * d` ...
After:  `for j in range(n):` `d, q = formed_again(x[j], y, e)` · `w = s_b / q` · `x_sum += w * d` ...

That is done in innermost loops that add up numbers and call nothing costly, where relaxed flags tell, since they let
several trips be taken at once: elsewhere the whole sweep is strict.

>>> from s2sad.ir.names import Namer
>>> from s2sad.ir.nodes import INT, REAL, Const, Kind
>>> from s2sad.ir.text import show_stmt
>>> from s2sad.ops.build import add, div, mul, sub
>>> d, q, w = Var("d"), Var("q"), Var("w")
>>> forms = (Assign("d", sub(Load("x", (Var("j"),)), Var("y"))), Assign("q", add(mul(d, d), Var("e"))))
>>> adds = (Assign("w", div(Var("s_b"), q)), Accumulate(Var("x_sum"), mul(w, d)))
>>> loop = For("j", Const(0), Var("n"), Const(1), (*forms, *adds))
>>> kinds = {**dict.fromkeys(("d", "q", "w", "y", "e", "s_b", "x_sum"), REAL), "x": Kind("real", 1), "j": INT, "n": INT}
>>> made = apart((loop,), Sweep(kinds, Namer(kinds), adjoints=frozenset({"s_b"})))
>>> print(show_stmt(made[0]))
for j in range(0, n, 1):
    d, q = call formed_again(x[j], y, e)
    w = s_b / q
    x_sum += w * d
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from s2sad.ir.nodes import Accumulate, Apply, Assign, Call, Expr, For, Function, Kind, Load, Node, Stmt, Var
from s2sad.ir.walk import (
    Body,
    blocks,
    expressions,
    nodes,
    reads_in,
    statements,
    unique,
    variables,
    with_blocks,
)
from s2sad.ops import OPS, dear
from s2sad.ops.build import number
from s2sad.ops.kinds import kind_of
from s2sad.shapes.sweep import Sweep, fed_by

DOC = "Values of the program, formed as it formed them."

#: Operations that give a bool or whole numbers of real ones.
DISCRETE = frozenset(
    (
        "lt", "le", "gt", "ge", "eq", "ne", "bool", "isfinite", "isinf", "isnan", "int", "floor_int", "ceil_int",
        "trunc_int", "round_int", "floor", "ceil", "trunc", "rint", "sign", "copysign", "heaviside", "floordiv",
        "mod", "fmod", "ties", "middle_shares", "around", "signbit", "isposinf", "isneginf", "remainder",
        "argsort", "nonzero", "argsort_stable", "argpartition", "searchsorted_right",
        "count_nonzero", "argmax", "argmin", "searchsorted",
    )
)  # fmt: skip


def apart(body: Body, sweep: Sweep) -> Body | None:
    """`body` with what matters in functions of their own; None where it is to be strict as a whole."""
    if decides(body, sweep.kinds):
        return None
    again = formed(body, sweep)
    if not delicate(body, again, sweep):
        return body
    made = in_block(body, again, sweep, frozenset())
    return None if delicate(made, formed(made, sweep), sweep) else made


def decides(body: Iterable[Stmt], kinds: Mapping[str, Kind]) -> bool:
    """Does anything in `body` go from a computed real number to a bool or to whole numbers?"""
    return any(
        isinstance(part, Apply) and kind_of(part, kinds).is_real
        for stmt in statements(body)
        for expr in expressions(stmt)
        for node in nodes(expr)
        if isinstance(node, Apply) and node.op in DISCRETE
        for operand in node.args
        for part in nodes(operand)
    )


def formed(body: Body, sweep: Sweep) -> frozenset[str]:
    """The numbers that a sweep forms again by operations: those that no adjoint goes into."""
    adjoints = fed_by(sweep.adjoints, body)
    return frozenset(
        s.target
        for s in statements(body)
        if isinstance(s, Assign)
        and s.target not in adjoints
        and sweep.kinds[s.target].is_real
        and isinstance(s.value, Apply)
        and number(s.value) is None
    )


def delicate(body: Body, again: frozenset[str], sweep: Sweep) -> bool:
    """Does anything to which last bits matter see a number that is formed again?"""
    for s in statements(body):
        helper = sweep.helpers.get(s.function) if isinstance(s, Call) else None
        if helper is not None and not helper.exact:
            # a stretch of the sweep, with the names that it had there
            if delicate(helper.body, again, sweep):
                return True
        elif any(
            not again.isdisjoint(variables(e) if isinstance(s, Call) else seen(e)) for e in expressions(s)
        ):
            return True
    return False


def seen(expr: Expr) -> Iterator[str]:
    """The names of which the last bits matter to an expression: to signs, choices, slopes that may be infinite."""
    match expr:
        case Apply(op="div", args=(over, under)):
            yield from seen(over)
            yield from variables(under)
        case Apply(op=op, args=args):
            row = OPS.get(op)
            smooth = row is not None and row.structural == "" and not row.guarded and op not in DISCRETE
            for k, arg in enumerate(args):
                yield from seen(arg) if smooth and row is not None and row.flows(k) else variables(arg)


def costly(body: Body) -> bool:
    """Is there a function in it that is called for one number at a time?"""
    return any(dear(e) for s in statements(body) for e in expressions(s))


def in_block(body: Body, again: frozenset[str], sweep: Sweep, behind: frozenset[str]) -> Body:
    """One block; `behind` are the names that are read when it has run."""
    out: list[Stmt] = []
    for k, stmt in enumerate(body):
        inner = blocks(stmt)
        after = behind | {*reads_in(body[k + 1 :])}
        if isinstance(stmt, For) and not any(isinstance(s, For) for s in statements(stmt.body)):
            out.append(replace(stmt, body=in_loop(stmt.body, again, sweep, after)))
        elif inner:
            out.append(
                with_blocks(stmt, [in_block(b, again, sweep, after | {*reads_in((stmt,))}) for b in inner])
            )
        else:
            out.append(stmt)
    return tuple(out)


def in_loop(body: Body, again: frozenset[str], sweep: Sweep, behind: frozenset[str]) -> Body:
    """The body of an innermost loop with what it forms first in a function, where it adds up numbers."""
    forms: list[Assign] = []
    for s in body:
        if not isinstance(s, Assign) or s.target not in again:
            break
        forms.append(s)
    rest = body[len(forms) :]
    sums = any(isinstance(s, Accumulate) and isinstance(s.target, Var) for s in rest) and not costly(body)
    mine = unique(s.target for s in forms)
    if not sums or len(mine) < len(forms) or not forms:
        return body
    given: dict[Expr, str] = {}

    def operand(node: Var | Load) -> Expr:
        if isinstance(node, Var) and node.name in mine:
            return node
        if node not in given:
            kind = kind_of(node, sweep.kinds)
            given[node] = node.name if isinstance(node, Var) else sweep.fresh(f"{node.array}_at", kind)
        return Var(given[node])

    def outer(expr: Expr) -> Expr:
        match expr:
            case Load() | Var():
                return operand(expr)
            case Apply(args=args):
                return replace(expr, args=tuple(map(outer, args)))
        return expr

    lines = tuple(replace(s, value=outer(s.value)) for s in forms)
    whole = any(isinstance(node, Var) and sweep.is_array(node.name) for node in given)
    moving = any({*mine} & {*variables(node)} for node in given)
    if whole or moving:
        return body
    results = [n for n in mine if n in {*reads_in(rest)} | behind]
    name = sweep.functions.fresh("formed_again")
    params = tuple(given.values())
    kinds = {n: sweep.kinds[n] for n in (*params, *mine)}
    sweep.helpers[name] = Function(
        name, params, lines, tuple(map(Var, results)), kinds, (), Node(()), doc=DOC, exact=True
    )
    return (Call(tuple(results), name, tuple(given), at=forms[0].at), *rest)
