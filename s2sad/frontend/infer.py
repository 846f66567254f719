"""Kinds of all names, from parameters and constants along assignments; and what kinds forbid.

A name that is an integer on one path and real on another is real, also round loops: a fixed point from below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from s2sad.analyses.layout import LAID
from s2sad.errors import KindError, UnsupportedSyntaxError
from s2sad.frontend.kinds import kind_of_value
from s2sad.frontend.webs import pretty
from s2sad.ir.nodes import (
    BOOL,
    INT,
    REAL,
    Apply,
    Assign,
    Base,
    Bind,
    Call,
    Const,
    Expr,
    For,
    If,
    Kind,
    Load,
    New,
    Rebind,
    Slice,
    Stmt,
    Store,
    Update,
    Var,
    View,
    While,
)
from s2sad.ir.walk import (
    Body,
    children,
    expressions,
    is_axis,
    map_body,
    map_expr,
    map_expressions,
    statements,
)
from s2sad.ops import OPS, result_kind, several
from s2sad.ops.kinds import NOTHING
from s2sad.source import Span

ORDER: tuple[Base, ...] = ("bool", "int", "single", "real", "complex")
#: Structures of operations (`ops.row`) that are not defined for complex numbers, unless they give some.
NOT_OF_COMPLEX = ("matrix", "amax", "pick")
#: Elementwise ones whose slopes, or whose meaning, are those of real numbers.
OF_REALS = (
    "sign", "sinc", "lt", "le", "gt", "ge", "clip", "maximum", "minimum", "fmax", "fmin", "float64", "float32", "float",
)  # fmt: skip
Kinds = dict[str, Kind]
#: The kinds of the targets of a call, as far as they are known, from those of the names around.
Given: TypeAlias = Callable[[Call, Mapping[str, Kind]], Sequence[Kind | None]]


def kinds_of(
    body: Body, params: Mapping[str, Kind], constants: Mapping[str, Any], called: Given | None = None
) -> Kinds:
    """The kind of every name.

    Errors: KindError S052 ... for a name that is a scalar and an array, or arrays of several types.
    """
    kinds: Kinds = dict(params) | {name: kind_of_value(value) for name, value in constants.items()}
    stmts = list(statements(body))
    roomy = _roomy(stmts)
    changed = True
    while changed:
        changed = False
        for stmt in stmts:
            told = _called(stmt, kinds, called) if isinstance(stmt, Call) else given(stmt, kinds, roomy)
            for name, kind in told:
                new = kind if name not in kinds else join(kinds[name], kind, name, stmt.at)
                if new != kinds.get(name):
                    kinds[name] = new
                    changed = True
    for stmt in stmts:
        for name, kind in given(stmt, kinds, roomy):
            if kind.is_array and name not in roomy:
                _agree(name, params.get(name, kinds[name]), kind, stmt.at)
                _agree(name, kinds[name], kind, stmt.at)
        match stmt:
            case Store(array=name, value=Var(item)) if roomy.get(name, 0) > 1 and kinds[item].is_array:
                _agree(name, kinds[name], replace(kinds[item], ndim=kinds[name].ndim), stmt.at)
    return kinds | {name: Kind("real", ndim) for name, ndim in roomy.items() if name not in kinds}


def _roomy(stmts: Sequence[Stmt]) -> dict[str, int]:
    """Names of arrays that hold what is stored in them, of any kind, and their numbers of dimensions."""
    found: dict[str, int] = {}
    for stmt in stmts:
        match stmt:
            case New(target=name, value=Apply(op="room", args=lengths)):
                found[name] = max(len(lengths), found.get(name, 0))
    more = True
    while more:
        more = False
        for stmt in stmts:
            pairs = zip(stmt.targets, stmt.sources, strict=True) if isinstance(stmt, Rebind) else ()
            for name, other in (pair for names in pairs for pair in (names, names[::-1])):
                if found.get(name, 0) < found.get(other, 0):
                    found[name], more = found[other], True
    for stmt in stmts:
        if isinstance(stmt, Store) and len(stmt.index) != found.get(stmt.array, len(stmt.index)):
            _agree(stmt.array, Kind("any"), Kind("any", found[stmt.array] - 1), stmt.at)
    return found


def _called(stmt: Call, kinds: Kinds, called: Given | None) -> list[tuple[str, Kind]]:
    if row := several(stmt.function):
        found: Sequence[Kind | None] = tuple(row.results.values())
    else:
        found = called(stmt, kinds) if called is not None else ()
    return [(t, kind) for t, kind in zip(stmt.targets, found, strict=False) if kind is not None]


def given(stmt: Stmt, kinds: Kinds, roomy: Mapping[str, int]) -> list[tuple[str, Kind]]:
    """The kinds that a statement gives names."""
    match stmt:
        case Store(array=name, value=value) if name in roomy:
            kind = kind_of(value, kinds)
            return [] if kind is None else [(name, Kind(kind.base, roomy[name]))]
        case Assign(target=name, value=value) | New(target=name, value=value):
            kind = kind_of(value, kinds)
            return [] if kind is None else [(name, kind)]
        case For(var=name):
            return [(name, INT)]
        case (
            View(target=name, array=array, index=index, form=form)
            | Bind(target=name, source=array, index=index, form=form)
        ) if array in kinds:
            base, ndim = kinds[array].base, kinds[array].ndim
            shaped = len(index) if form in ("reshape", "rows") else ndim
            axes = sum(map(is_axis, index)) if form == "section" else shaped
            parts = base == "complex" and form in ("real", "imag")
            return [(name, Kind("real" if parts else base, axes))]
        case Rebind(targets=targets, sources=sources):
            return [(t, kinds[s]) for t, s in zip(targets, sources, strict=True) if s in kinds]
    return []


def kind_of(expr: Expr, kinds: Mapping[str, Kind]) -> Kind | None:
    """The kind of an expression; None while a name in it has none yet."""
    match expr:
        case Var(name=name):
            return kinds.get(name)
        case Apply(op="unset" | "room"):
            return None
        case Apply(op="whole" | "flag", args=(bound,)):
            return kind_of(bound, kinds)
        case Apply(op="typed" | "cleared", args=(Const(ndim), *rest)):
            held = [kind_of(sample, kinds) for sample in rest[ndim:]]
            bases = [kind.base for kind in held if kind is not None and kind.base in ORDER]
            return Kind(widest(bases), ndim) if len(bases) == len(held) else None
        case Load(array=name, index=index):
            return Kind(kinds[name].base, sum(map(is_axis, index))) if name in kinds else None
        case Slice():
            return INT
        case Const(value=bool()):
            return BOOL
        case Const(value=int()):
            return INT
        case Const(value=complex()):
            return Kind("complex")
        case Const(value=str()):
            return Kind("text")
        case Const():
            return REAL
        case Apply(op="pow", args=(base, Const(value=int() as power))) if power < 0:
            inner = kind_of(base, kinds)
            return None if inner is None else inner if inner.is_real else Kind("real", inner.ndim)
        case Apply(op=op, args=args):
            found = [kind_of(arg, kinds) for arg in args]
            known = [kind for kind in found if kind is not None]
            return result_kind(op, known) if len(known) == len(found) else None


def join(one: Kind, other: Kind, name: str, at: Span) -> Kind:
    """The kind of a name that has both, as far as is known: whether arrays agree is seen in the end."""
    if one == other:
        return one
    if one.ndim != other.ndim or not {one.base, other.base} <= set(ORDER):
        _agree(name, one, other, at)
    return Kind(widest((one.base, other.base)), one.ndim)


def widest(bases: Sequence[Base]) -> Base:
    """The base of what is one of these: a whole number and a float32 are float64."""
    most = max(bases, key=ORDER.index)
    return "real" if most == "single" and "int" in bases else most


def _agree(name: str, one: Kind, other: Kind, at: Span) -> None:
    if one != other:
        raise KindError(f"`{pretty(name)}` is {one} on one path and {other} on another", code="S064", at=at)


def check(body: Body, results: tuple[Expr, ...], kinds: Kinds, at: Span) -> None:
    """Refuse what kinds forbid; the results are returned `at` a place.

    Errors: KindError S064 for conditions used as numbers and for loop bounds that are real, S065 for real values
    stored in integer arrays.
    """
    for expr in results:
        _expression(expr, kinds, at, False)
        _simple(expr, kinds, at, "a complex result is not supported")
    for stmt in statements(body):
        match stmt:
            case Store(array=name, value=value) | Update(array=name, value=value):
                kind = kind_of(value, kinds)
                if kind is None or (
                    ORDER.index(kind.base) > ORDER.index(kinds[name].base)
                    and not (kind.is_real and kinds[name].is_real)
                ):
                    raise KindError(
                        f"a {kind} can't be stored in `{pretty(name)}`, an array of {kinds[name].base}",
                        code="S065",
                        at=stmt.at,
                    )
            case View(array=name, form="imag") if kinds[name].base != "complex":
                raise KindError(f"`.imag` of an array of {kinds[name].base} is zero", code="S064", at=stmt.at)
            case For(start=start, stop=stop, step=step):
                for bound in (start, stop, step):
                    _whole(bound, kinds, stmt.at, "`range` takes integers")
        if isinstance(stmt, Store | View):
            for index in stmt.index:
                _subscript(index, kinds, stmt.at)
        for expr in expressions(stmt):
            _expression(expr, kinds, stmt.at, isinstance(stmt, If | While))


def _simple(expr: Expr, kinds: Kinds, at: Span, message: str) -> None:
    """Refuse an expression that is complex."""
    kind = kind_of(expr, kinds)
    if kind is not None and kind.base == "complex":
        hint = "keep real and imaginary parts apart"
        raise UnsupportedSyntaxError(message, code="S042", at=at, hint=hint)


def _takes_complex(op: str) -> bool:
    """Are the rules of an operation right for complex numbers?"""
    family = op.partition(" ")[2]
    row = OPS.get(op)
    if family or row is None:
        return not family
    return (
        (row.structural not in NOT_OF_COMPLEX and op not in ("norm", *OF_REALS))
        or row.result == "complex"
        or op == "irfft_along"
    )


def _whole(expr: Expr, kinds: Kinds, at: Span, message: str) -> None:
    kind = kind_of(expr, kinds)
    if kind != INT:
        raise KindError(message, code="S064", at=at, label=f"this is {kind}", hint="use `int(...)` or `//`")


def _subscript(sub: Expr, kinds: Kinds, at: Span) -> None:
    for part in children(sub) if isinstance(sub, Slice) else (sub,):
        if part != Const(None):
            _whole(part, kinds, at, "a subscript must be an integer")


def _expression(expr: Expr, kinds: Kinds, at: Span, as_test: bool) -> None:
    """`and` and `or` give one of their operands: as a value, they need bools. Subscripts need integers."""
    if isinstance(expr, Load):
        for index in expr.index:
            _subscript(index, kinds, at)
    if isinstance(expr, Apply) and not _takes_complex(expr.op):
        for arg in expr.args:
            _simple(arg, kinds, at, f"`{expr.op}` of complex numbers is not supported")
    match expr:
        case Apply(op="and" | "or", args=args):
            for arg in args:
                if not as_test and kind_of(arg, kinds) != BOOL:
                    raise KindError("`and` and `or` of numbers are supported in conditions only", code="S064", at=at,
                                    hint="write a conditional expression, `a if c else b`")  # fmt: skip
                _expression(arg, kinds, at, as_test)
        case Apply(op="bit_and" | "bit_or" | "bit_xor" | "bit_not", args=args) if any(
            (kind := kind_of(arg, kinds)) and kind.base not in ("int", "bool") for arg in args
        ):
            raise KindError("`&`, `|`, `^` and `~` are defined for bools and integers", code="S064", at=at,
                            hint="compare first: `(x > 0) & (y > 0)`")  # fmt: skip
        case Apply(op="not", args=(arg,)):
            _expression(arg, kinds, at, True)
        case Apply(op="whole", args=(arg,)):
            _whole(arg, kinds, at, "`range` takes integers")
        case Apply(op="flag", args=(arg,)):
            if kind_of(arg, kinds) != BOOL:
                raise KindError("a mask holds bools", code="S064", at=at)
        case Apply(args=args) | Load(index=args):
            for arg in args:
                _expression(arg, kinds, at, False)


# ----- what is settled once kinds are known ----------------------------------------------------------------


def plain(expr: Expr, kinds: Kinds) -> Expr:
    """`expr` without the operations that only reading knows, and without imaginary parts of real numbers."""

    def settle(expr: Expr) -> Expr:
        match expr:
            case Apply(op="whole" | "flag", args=(inner,)):
                return inner
            case Apply(op="floor" | "ceil" | "trunc" | "rint", args=(inner,)) if (
                (kind := kind_of(inner, kinds)) and kind.ndim and kind.base == "int"
            ):
                return Apply("mul", (Const(1.0), inner))
            case Apply(op="imag", args=(inner,)) if (
                kind := kind_of(inner, kinds)
            ) and kind.base != "complex":
                nothing = Apply("where", (Apply("ne", (inner, inner)), Const(0.0), Const(0.0)))
                return (
                    nothing if kind.ndim else Const(0.0)
                )  # (a product would be -0.0, or nan of infinite ones)
        return expr

    return map_expr(settle, expr)


def settled(body: Body, kinds: Kinds) -> Body:
    """`body` without the operations that only reading knows.

    "unset" is a first value that is never read, "room" an array for elements of any kind, "whole" an integer,
    "flag" a bool, "typed" and "cleared" are arrays (of zeros) of the kind of samples that are given, but not evaluated.
    """

    def settle(stmt: Stmt) -> Iterator[Stmt]:
        stmt = map_expressions(lambda expr: plain(expr, kinds), stmt)
        match stmt:
            case Assign(target=name, value=Apply(op="unset")):
                stmt = replace(stmt, value=NOTHING[kinds[name].base])
            case New(target=name, value=Apply(op="unset" | "room", args=lengths)):
                missing = kinds[name].ndim - len(lengths)
                if missing:  # nothing is known of what will be put in, there is no room yet
                    lengths = (Const(0), *(Const(1),) * (kinds[name].ndim - 1))
                fill = NOTHING[kinds[name].base]
                made = Apply("empty", lengths) if fill == Const(0.0) else Apply("full", (fill, *lengths))
                stmt = replace(stmt, value=made)
            case New(target=name, value=Apply("typed" | "cleared" as op, (Const(ndim), *rest), spell)):
                shape, fill = tuple(rest[:ndim]), NOTHING[kinds[name].base]
                sure = any(isinstance(e, Const) and isinstance(e.value, float) for e in rest[ndim:])
                real = Apply("zeros" if op == "cleared" else "empty", shape, "" if sure else spell)
                stmt = replace(stmt, value=real if fill == Const(0.0) else Apply("full", (fill, *shape)))
            case New(target=name, value=Apply("copy", (inner,), spell)) if spell == LAID:
                if kinds[name].base == "bool":  # which has no sign
                    stmt = replace(stmt, value=Apply("copy", (inner,), "np.copy"))
        yield stmt

    return map_body(settle, body)
