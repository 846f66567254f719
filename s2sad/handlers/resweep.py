"""What goes through kept statements: a function that forms slopes last statement first, and one that evaluates again.

Both switch on the site of a statement. `at` and `more` are the places among its operands and its constants.
"""

from __future__ import annotations

from collections.abc import Sequence

from s2sad.handlers.complexparts import silent
from s2sad.handlers.kept import Site
from s2sad.ir.nodes import (
    INT,
    REAL,
    Apply,
    Assign,
    Call,
    Const,
    Expr,
    For,
    Function,
    If,
    Kind,
    Leaf,
    Load,
    Stmt,
    Store,
    Var,
)
from s2sad.ir.walk import variables
from s2sad.ops.build import add, sub
from s2sad.ops.pullback import partials

WHOLE, REALS = Kind("int", 1), Kind("real", 1)
ARRAYS = {
    "handles": WHOLE, "left": WHOLE, "before": REALS, "arguments": WHOLE, "constants": REALS, "primal": REALS,
    "partials": REALS, "sizes": WHOLE,
}  # fmt: skip
ZERO, ONE, K, AT, MORE, HERE, SITE = Const(0), Const(1), *map(Var, ("k", "at", "more", "here", "site"))
LEFT = Load("left", (K,))


def slopes_back(sites: Sequence[Site]) -> Function:
    """Form the partial derivatives of a chunk, last statement first; overwritten values are put back on the way."""
    cases = [_back_copy(), _back_call("back_sum"), _back_call("back_dot", "primal"), *map(_back, sites)]
    restore = If(
        Apply("gt", (Apply("shape", (Var("before"), ZERO)), ZERO)),
        (Store("primal", (LEFT,), Load("before", (K,))),),
    )
    size = Apply("shape", (Var("handles"), ZERO))
    loop = For(
        "k",
        sub(size, ONE),
        Const(-1),
        Const(-1),
        (restore, Assign("site", Load("handles", (K,))), *_switch(cases, 0)),
    )
    start = (
        Assign("at", Apply("shape", (Var("arguments"), ZERO))),
        Assign("more", Apply("shape", (Var("constants"), ZERO))),
    )
    doc = "Form the slopes of a chunk, last statement first; what was overwritten is put back on the way."
    return _function("slopes_back", (*start, loop), (), sites, doc)


def evaluated_again(sites: Sequence[Site]) -> Function:
    """Evaluate a chunk again from the vector of values, forming slopes; the first check with another outcome, or -1."""
    cases = [_on_copy(), _on_call("on_sum"), _on_call("on_dot"), *map(_on, sites)]
    size = Apply("shape", (Var("handles"), ZERO))
    loop = For("k", ZERO, size, ONE, (Assign("site", Load("handles", (K,))), *_switch(cases, 0)))
    start = (Assign("at", ZERO), Assign("more", ZERO), Assign("wrong", Const(-1)))
    doc = "Evaluate a chunk again, forming slopes; the first decision that turns out otherwise, or -1."
    return _function("evaluated_again", (*start, loop), (Var("wrong"),), sites, doc)


def _function(
    name: str, body: tuple[Stmt, ...], results: tuple[Expr, ...], sites: Sequence[Site], doc: str
) -> Function:
    most = max((max(s.operands, s.constants) for s in sites), default=0)
    kinds = dict(ARRAYS) | dict.fromkeys(("k", "at", "more", "here", "site", "wrong", "size"), INT)
    kinds |= {f"i{k}": INT for k in range(most)} | {f"{x}{k}": REAL for x in "ac" for k in range(most)}
    kinds["value"] = REAL
    return Function(name, tuple(ARRAYS), body, results, kinds, (), Leaf("r_0"), doc=doc)


def _switch(cases: Sequence[tuple[Stmt, ...]], first: int) -> tuple[Stmt, ...]:
    """The case that `site` numbers, found by halves."""
    if len(cases) == 1:
        return tuple(cases[0])
    half = len(cases) // 2
    return (
        If(
            Apply("lt", (SITE, Const(first + half))),
            _switch(cases[:half], first),
            _switch(cases[half:], first + half),
        ),
    )


# ----- backwards -----------------------------------------------------------------------------------------------


def _back_copy() -> tuple[Stmt, ...]:
    return (
        Assign("at", sub(AT, ONE)),
        Store("partials", (AT,), Const(1.0)),
        Store("sizes", (K,), ONE),
    )


def _back_call(function: str, *values: str) -> tuple[Stmt, ...]:
    args = tuple(map(Var, ("arguments", "constants", *values, "partials", "at", "more")))
    return (Call(("at", "more", "size"), function, args, ("partials",)), Store("sizes", (K,), Var("size")))


def _back(site: Site) -> tuple[Stmt, ...]:
    """A statement of the program: its slopes; a check has none."""
    m = site.operands
    lines: list[Stmt] = [Assign("at", sub(AT, Const(m))), Store("sizes", (K,), Const(m), site.at)]
    lines += [Assign(f"i{k}", Load("arguments", (add(AT, Const(k)),))) for k in range(m)]
    passive: Expr = Const(site.constants + site.check)
    lines.append(Assign("more", sub(MORE, passive)))
    lines += [If(Apply("eq", (Var(f"i{k}"), ZERO)), (Assign("more", sub(MORE, ONE)),), ()) for k in range(m)]
    slopes = {} if site.check else _slopes(site)
    needed = {n for p in slopes.values() for n in variables(p)}
    lines += _operands(site, needed)
    lines += [
        Store("partials", (add(AT, Const(k)),), slopes.get(f"a{k}", Const(0.0)), site.at) for k in range(m)
    ]
    return tuple(lines)


def _slopes(site: Site) -> dict[str, Expr]:
    """Operand -> partial derivative."""
    names = {Var(f"a{k}") for k in range(site.operands)}
    found = partials(site.value, lambda leaf: leaf in names)
    return {leaf.name: silent(p) for leaf, p in found.items() if isinstance(leaf, Var)}


def _operands(site: Site, needed: set[str]) -> list[Stmt]:
    """The values of the operands and constants that are needed, from `more` on."""
    lines: list[Stmt] = [Assign("here", MORE)]
    for k in range(site.operands):
        if f"a{k}" in needed:
            args = tuple(map(Var, ("primal", "constants", f"i{k}", "here")))
            lines.append(Call((f"a{k}",), "operand", args))
        lines.append(If(Apply("eq", (Var(f"i{k}"), ZERO)), (Assign("here", add(HERE, ONE)),), ()))
    for k in range(site.constants):
        if f"c{k}" in needed:
            lines.append(Assign(f"c{k}", Load("constants", (add(HERE, Const(k)),))))
    return lines


# ----- forwards ------------------------------------------------------------------------------------------------


def _kept() -> tuple[Stmt, ...]:
    """A new value in its place, the overwritten one where it can be put back."""
    log = Store("before", (K,), Load("primal", (LEFT,)))
    return (
        If(Apply("gt", (Apply("shape", (Var("before"), ZERO)), ZERO)), (log,), ()),
        Store("primal", (LEFT,), Var("value")),
    )


def _on_copy() -> tuple[Stmt, ...]:
    value = Load("primal", (Load("arguments", (AT,)),))
    return (
        Assign("value", value),
        Store("partials", (AT,), Const(1.0)),
        Assign("at", add(AT, ONE)),
        *_kept(),
    )


def _on_call(function: str) -> tuple[Stmt, ...]:
    args: tuple[Expr, ...] = tuple(map(Var, ("arguments", "constants", "primal", "partials")))
    args = (*args, Load("sizes", (K,)), AT, MORE)
    return (Call(("value", "at", "more"), function, args, ("partials",)), *_kept())


def _on(site: Site) -> tuple[Stmt, ...]:
    m = site.operands
    lines: list[Stmt] = [Assign(f"i{k}", Load("arguments", (add(AT, Const(k)),))) for k in range(m)]
    slopes = {} if site.check else _slopes(site)
    lines += _operands(site, {n for e in (site.value, *slopes.values()) for n in variables(e)})
    lines.append(Assign("more", add(HERE, Const(site.constants + site.check))))
    if site.check:
        outcome = Load("constants", (sub(MORE, ONE),))
        other = Apply("and", (Apply("lt", (Var("wrong"), ZERO)), Apply("ne", (site.value, outcome))))
        lines.append(If(other, (Assign("wrong", K),), ()))
        lines += [Store("partials", (add(AT, Const(k)),), Const(0.0)) for k in range(m)]
    else:
        lines.append(Assign("value", site.value, site.at))
        lines += [Store("partials", (add(AT, Const(k)),), slopes.get(f"a{k}", Const(0.0))) for k in range(m)]
        lines += _kept()
    lines.append(Assign("at", add(AT, Const(m))))
    return tuple(lines)
