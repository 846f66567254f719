"""IR to Python trees: expressions by the templates of the table, one statement for one statement.

What the user wrote comes out as it was spelled (`math.sin(x)`), what s2sad adds is spelled with NumPy
(`np.sin(x)`), operators are operators. A Release prints nothing; a Turn is not printed but split at.

>>> from s2sad.emit.printer import to_source
>>> from s2sad.ir.nodes import Accumulate, Const, For
>>> a, i = Load("a", (Var("i"),)), Var("i")
>>> loop = For("i", Const(0), Var("n"), Const(1), (Accumulate(Var("s_b"), Apply("mul", (a, a))),))
>>> print(to_source(ast.Module(statement(loop), [])), end="")
for i in range(n):
    s_b += a[i] * a[i]
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

from s2sad.ir.nodes import (
    REAL,
    Accumulate,
    Apply,
    Assign,
    Back,
    Bind,
    Call,
    Const,
    Expr,
    For,
    Frame,
    If,
    Keep,
    Kind,
    Load,
    New,
    Pop,
    Print,
    Push,
    Raise,
    Rebind,
    Region,
    Release,
    Slice,
    Stmt,
    Store,
    Turn,
    Update,
    Var,
    View,
    While,
)
from s2sad.ir.walk import is_section
from s2sad.ops.kinds import kind_of
from s2sad.ops.table import OPS, several
from s2sad.tidy.dead import safe

Kinds = Mapping[str, Kind]

NOTE_WIDTH = 70
LONG = 28  # arguments behind the first two: Python makes a tuple of more than thirty
T = TypeVar("T")

_AUGMENTED: Mapping[str, ast.operator] = {
    "add": ast.Add(),
    "sub": ast.Sub(),
    "mul": ast.Mult(),
    "div": ast.Div(),
}
_WORD_OPS: Mapping[str, ast.boolop] = {"and": ast.And(), "or": ast.Or()}
_OPPOSITE = {"add": "sub", "sub": "add", "eq": "ne", "ne": "eq"}
_WORDS: Mapping[str, str] = {
    "real": "real", "int": "int", "bool": "bit", "complex": "complex", "pool": "pool", "single": "single",
    "any": "any",
}  # fmt: skip  # as the runtime's names have them
_DTYPES: Mapping[str, str] = {
    "real": "np.float64",
    "single": "np.float32",
    "int": "np.int64",
    "bool": "np.bool_",
    "complex": "np.complex128",
}


def expression(expr: Expr, kinds: Kinds | None = None) -> ast.expr:
    """The Python expression that `expr` stands for."""
    return _Writer(kinds or {}).expr(expr)


def statement(stmt: Stmt, kinds: Kinds | None = None) -> list[ast.stmt]:
    """The Python statements for one IR statement."""
    return _Writer(kinds or {}).statement(stmt)


def block(body: Iterable[Stmt], kinds: Kinds | None = None, *, provenance: bool = False) -> list[ast.stmt]:
    """The Python statements for a body; with `provenance` headed by the source lines they stem from."""
    return _Writer(kinds or {}, provenance).block(body)


def function_def(
    name: str,
    params: Sequence[str],
    body: Iterable[Stmt],
    results: Sequence[Expr] = (),
    kinds: Kinds | None = None,
    decorators: Sequence[str] = (),
    doc: str = "",
    *,
    provenance: bool = False,
    pooled: bool = False,
) -> ast.FunctionDef:
    """A function definition; `params` and `decorators` are Python text: "x", "n=3", "jit(inner=True)".

    It returns nothing, one value, or a tuple of the results. The tree is for printing: it has no places.
    """
    signature = f"def {name}({', '.join(params)}): pass"
    made = ast.parse("".join(f"@{d}\n" for d in decorators) + signature).body[0]
    assert isinstance(made, ast.FunctionDef)
    writer = _Writer(kinds or {}, provenance, pooled=pooled)
    made.body = [ast.Expr(ast.Constant(doc))] if doc else []
    made.body += writer.block(body)
    if results:
        made.body.append(ast.Return(_pack([writer.expr(r) for r in results])))
    made.body = made.body or [ast.Pass()]
    return made


def literal(value: Any) -> ast.expr:
    """The expression for a number, bool, text, None or tuple of these; it evaluates to the same bits."""
    if isinstance(value, tuple):
        return ast.Tuple([literal(item) for item in value], ast.Load())
    if isinstance(value, float):
        value = float(value)
        if math.isnan(value):
            return _code("np.nan")
        size = _code("np.inf") if math.isinf(value) else ast.Constant(abs(value))
        return ast.UnaryOp(ast.USub(), size) if math.copysign(1.0, value) < 0 else size
    if isinstance(value, int) and not isinstance(value, bool) and value < 0:
        return ast.UnaryOp(ast.USub(), ast.Constant(-int(value)))
    return ast.Constant(value)


def _shortened(index: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """A subscript without the whole axes at its end: `x[i]` for `x[i, :]`, which Numba knows to be contiguous."""
    while len(index) > 1 and index[-1] == Slice() and Const(None) not in index:
        index = index[:-1]
    return index


def guarded(function: T, keep: T, args: Sequence[T]) -> tuple[T, ...]:
    """The arguments of `guarded`; in a long call, of which a tuple is made, none that begins with a function."""
    first = (keep, function) if len(args) > LONG else (function, keep)
    return (*first, *args)


@dataclass
class _Writer:
    kinds: Kinds
    provenance: bool = False
    own: bool = False  # the arena is this function's: calls of sweeps give it back where they raise
    pooled: bool = False  # zeros are made in memory of the pool
    _line: tuple[str, int] = field(default=("", 0), init=False)  # the source line noted last

    # ----- expressions ---------------------------------------------------------------------------------

    def expr(self, expr: Expr) -> ast.expr:
        match expr:
            case Var(name):
                return _name(name)
            case Const(value):
                return literal(value)
            case Load(array, index):
                return self._element(array, index, ast.Load())
            case Slice(start, stop, step):
                return ast.Slice(*(None if part is None else self.expr(part) for part in (start, stop, step)))
            case Apply():
                return self._apply(expr)

    def _exception(self, stmt: Raise) -> ast.expr:
        return _call(stmt.name, *map(self.expr, stmt.args)) if stmt.args else _code(stmt.name)

    def _element(self, array: str, index: tuple[Expr, ...], ctx: ast.expr_context) -> ast.Subscript:
        return ast.Subscript(_name(array), _pack([self.expr(e) for e in _shortened(index)]), ctx)

    def _view(self, array: str, index: tuple[Expr, ...], form: str) -> ast.expr:
        match form:
            case "T" if index:
                return _call("np.transpose", _name(array), self._shape(index))
            case "T" | "real" | "imag":
                return ast.Attribute(_name(array), form, ast.Load())
            case "reshape":
                return _call(f"{array}.reshape", self._shape(index))
            case "fit" | "room":
                return _call({"fit": "fitted", "room": "room_for"}[form], _name(array), self._shape(index))
        return self._element(array, index, ast.Load())

    def _part(self, name: str, index: tuple[Expr, ...]) -> ast.expr:
        return self._element(name, index, ast.Load()) if index else _name(name)

    def _apply(self, expr: Apply) -> ast.expr:
        match expr:
            case Apply("trips", (start, stop, step)):
                return _call("len", self._range(start, stop, step))
            case Apply("slots", shape):
                return _call("real_slots", _name("arena"), self._shape(shape))
            case Apply("full", (Apply("float32", (Const(0.0 | 1.0 as fill),)), *shape)):
                made = _call("np.ones" if fill else "np.zeros", self._shape(tuple(shape)))
                return _with_dtype(made, "single")
            case Apply("and" | "or" as op, _, ""):
                return ast.BoolOp(_WORD_OPS[op], [self.expr(e) for e in _flattened(op, expr)])
            case Apply("add" | "sub" as op, (a, b), "") if (minus := _without_minus(b)) is not None:
                return self._apply(Apply(_OPPOSITE[op], (a, minus)))
            case Apply("text", parts):
                return ast.JoinedStr([self._said(part) for part in parts])
            case Apply("shape", (x, _), "len"):
                return _call("len", self.expr(x))
            case Apply("odeint" | "odeint_or_raise" as solver, (Const(str() as rate), *rest)):
                return _call(solver, _name(rate), *map(self.expr, rest))
        row = OPS[expr.op]
        args = [self.expr(arg) for arg in expr.args]
        if expr.op in ("pack", "items"):
            return ast.Tuple(args, ast.Load())
        if row.structural == "tape":
            return _call(expr.op, *args)
        if expr.spell and (row.structural in ("", "matrix") or expr.op == "copy") and not row.scalar:
            return _call(expr.spell, *args)
        fixed = len(row.fixed)
        operands = dict(zip(row.fixed, args[:fixed], strict=True))
        if row.rest:
            operands[row.rest] = _pack(args[fixed:])
        scalar = row.scalar and all(kind_of(arg, self.kinds).ndim == 0 for arg in expr.args)
        return _filled(row.scalar if scalar else row.y, operands)

    def _said(self, part: Expr) -> ast.expr:
        """A piece of formatted text."""
        match part:
            case Const(str() as text):
                return ast.Constant(text)
            case Apply("format", (value, Const(how))):
                made = _code("f" + repr(f"{{_{how}}}"))
                assert isinstance(made, ast.JoinedStr)
                (piece,) = made.values
                assert isinstance(piece, ast.FormattedValue)
                piece.value = self.expr(value)
                return piece
        return ast.FormattedValue(self.expr(part), -1)

    def _shape(self, shape: tuple[Expr, ...]) -> ast.Tuple:
        return ast.Tuple([self.expr(e) for e in shape], ast.Load())

    def _range(self, start: Expr, stop: Expr, step: Expr, word: str = "range") -> ast.expr:
        args = [start, stop, step]
        if step == Const(1):
            args = [stop] if start == Const(0) else [start, stop]
        return _call(word, *map(self.expr, args))

    def _opposite(self, test: Expr) -> ast.expr:
        match test:
            case Apply("not", (inner,)):
                return self.expr(inner)
            case Apply("eq" | "ne" as op, args, ""):
                return self.expr(Apply(_OPPOSITE[op], args))
        return ast.UnaryOp(ast.Not(), self.expr(test))

    # ----- statements ----------------------------------------------------------------------------------

    def block(self, body: Iterable[Stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        back = ""
        held: ast.Call | None = None  # the call of `hold` just made: one call takes many arrays
        for stmt in body:
            new = self._noted(stmt, back)
            back = stmt.name if isinstance(stmt, Back) else ""
            if isinstance(stmt, Keep) and stmt.how == "hold" and held is not None:
                held.args.append(_name(stmt.name))
                continue
            made += new
            if new:
                match new[-1]:
                    case ast.Expr(value=ast.Call(func=ast.Name(id="hold")) as held):
                        pass
                    case _:
                        held = None
        return made

    def _noted(self, stmt: Stmt, back: str) -> list[ast.stmt]:
        """A statement, under the user's line that it comes from, where that tells something."""
        match stmt:
            case For(note=told) if told:
                note = told
            case For() | While() | If() | Region() | Release() | Back(how="bind" | "part"):
                note = ""
            case New(value=Apply("zeros_like", (Var(name=array),))) if array == back:
                note = ""  # the adjoint of what has just been taken back
            case _:
                note = self._note(stmt)
        made = self.statement(stmt)
        if note and made:
            made[0].note = note  # type: ignore[attr-defined]
        for node in made:
            node.at = getattr(node, "at", stmt.at)  # type: ignore[attr-defined]
        return made

    def _note(self, stmt: Stmt) -> str:
        source = stmt.at.source
        if not self.provenance or source is None or (source.file, stmt.at.line) == self._line:
            return ""
        self._line = (source.file, stmt.at.line)
        text = source.line(stmt.at.line).strip()
        if text.startswith(("def ", "@")):
            return ""
        if len(text) > NOTE_WIDTH:
            text = text[:NOTE_WIDTH].rsplit(" ", 1)[0] + " ..."
        return f"line {stmt.at.line}: {text}" if text else ""

    def statement(self, stmt: Stmt) -> list[ast.stmt]:
        match stmt:
            case Assign(target, value):
                return [self._set(_name(target, ast.Store()), Var(target), value)]
            case Store(array, index, value):
                return [self._set(self._element(array, index, ast.Store()), Load(array, index), value)]
            case Update(array, value):
                return [self._set(_code(f"{array}[...]"), Var(array), value)]
            case New(target, value):
                return [ast.Assign([_name(target, ast.Store())], self._new(target, value))]
            case View(target, array, index, form):
                return [ast.Assign([_name(target, ast.Store())], self._view(array, index, form))]
            case Rebind(targets, sources):
                left = _pack([_name(t, ast.Store()) for t in targets], ast.Store())
                return [ast.Assign([left], _pack([_name(s) for s in sources]))]
            case Bind(target, source, index, form):
                seen = self._view(source, index, form) if form else _name(source)
                return [ast.Assign([_name(target, ast.Store())], seen)]
            case Release():
                return []
            case For(var, start, stop, step, body, threads=threads):
                word = "numba.prange" if threads == "shared" else "range"
                header = self._range(start, stop, step, word)
                return [ast.For(_name(var, ast.Store()), header, self.block(body) or [ast.Pass()], [])]
            case While(test, body):
                return [ast.While(self.expr(test), self.block(body) or [ast.Pass()], [])]
            case If():
                return self._if(stmt)
            case Region(body):
                return self.block(body)
            case Frame(body, own=True):
                inner = _Writer(self.kinds, self.provenance, own=True)
                return [ast.Assign([_name("arena", ast.Store())], _call("new_arena")), *inner.block(body)]
            case Frame(body):
                mark, arena = _name("frame", ast.Store()), _name("arena")
                begin = ast.Assign([mark], _call("mark", arena))
                return [begin, *self.block(body), _do("release", arena, _name("frame"))]
            case Call(targets, function, args, half=half):
                passed = [*map(self.expr, args), *([_name("arena")] if half else [])]
                row = several(function)
                if row:
                    call = _filled(row.y, dict(zip(row.fixed, passed, strict=True)))
                else:
                    call = _call(f"{function}_{half}" if half else function, *passed)
                if half and self.own:
                    keep = ast.Tuple([_name("arena")], ast.Load())
                    call = _call("guarded", *guarded(_name(f"{function}_{half}"), keep, passed))
                if not targets:
                    return [ast.Expr(call)]
                return [ast.Assign([_pack([_name(t, ast.Store()) for t in targets], ast.Store())], call)]
            case Print(args, _, sep, end, stream, flush):
                call = _call("print", *map(self.expr, args))
                texts = {"sep": (sep, " "), "end": (end, "\n")}
                call.keywords = [
                    ast.keyword(k, ast.Constant(v)) for k, (v, usual) in texts.items() if v != usual
                ]
                call.keywords += [ast.keyword("flush", ast.Constant(True))] if flush else []
                call.keywords += [ast.keyword("file", _code(f"sys.{stream}"))] if stream else []
                return [ast.Expr(call)]
            case Raise(cause=cause):
                return [ast.Raise(self._exception(stmt), None if cause is None else self._exception(cause))]
            case Keep(record, name, "place", (place,)):
                return [_do("put_state", _name(record), self.expr(place), _name(name))]
            case Keep(_, name, "renew", box):
                given = (_name("arena"), _name(name), ast.Tuple([*map(self.expr, box)], ast.Load()))
                return [ast.Assign([_name(name, ast.Store())], _call("renewed", *given))]
            case Keep(_, name, how, index):
                put = {"hold": "hold", "part": "hold_part", "shared": "keep_shared"}.get(how, "keep")
                return [_do(put, _name("arena"), self._part(name, index))]
            case Back(record, name, "place", (place,)):
                return [_do("get_state", _name(record), self.expr(place), _name(name))]
            case Back(_, name, "copy" | "shared" as how, index):
                back = "restore_shared" if how == "shared" else "restore"
                return [_do(back, _name("arena"), self._part(name, index))]
            case Back(_, name, how):
                kind = self.kinds[name]
                word = _WORDS[kind.base] + "_part" * (how == "part")
                taken = _call(f"take_{word}", _name("arena"), ast.Constant(kind.ndim))
                return [ast.Assign([_name(name, ast.Store())], taken)]
            case Push(stack, value):
                word = _WORDS[self._stacked(stack, kind_of(value, self.kinds))]
                return [_do(f"push_{word}", _name(stack), self.expr(value))]
            case Pop(stack, name):
                word = _WORDS[self._stacked(stack, self.kinds.get(name, REAL))]
                return [ast.Assign([_name(name, ast.Store())], _call(f"pop_{word}", _name(stack)))]
            case Accumulate():
                return [self._accumulate(stmt)]
            case Turn():
                raise ValueError("a Turn ends one function and begins another: split there, then print both")

    def _stacked(self, stack: str, otherwise: Kind) -> str:
        return self.kinds.get(stack, otherwise).base

    def _set(self, target: ast.expr, own: Var | Load, value: Expr) -> ast.stmt:
        """`target = value`, or `target += rest` where value is an operation on the target itself."""
        match value:
            case Apply("add" | "sub" | "mul" | "div" as op, (first, rest), "") if first == own:
                if isinstance(own, Var):
                    target = _name(own.name, ast.Store())
                return self._augmented(target, op, rest)
        return ast.Assign([target], self.expr(value))

    def _augmented(self, target: Any, op: str, value: Expr) -> ast.stmt:
        if op in ("add", "sub") and (minus := _without_minus(value)) is not None:
            op, value = _OPPOSITE[op], minus
        return ast.AugAssign(target, _AUGMENTED[op], self.expr(value))

    def _added(self, target: Var, value: Expr) -> ast.stmt:
        """`target += value` for a whole array; a product goes right into it."""
        minus = _without_minus(value)
        match value if minus is None else minus:
            case Apply("dot22" | "outer" as op, (a, b)) if self._real(target, a, b):
                sign = [] if minus is None else [literal(-1.0)]
                word = {"dot22": "add_product", "outer": "add_outer"}[op]
                return _do(word, *map(self.expr, (target, a, b)), *sign)
        return _do("accumulate", _name(target.name), self.expr(value))

    def _real(self, *arrays: Expr) -> bool:
        return all(kind_of(a, self.kinds).base == "real" for a in arrays)

    def _accumulate(self, stmt: Accumulate) -> ast.stmt:
        match stmt.target:
            case Load(array, index) if is_section(index):
                return _do("accumulate", self._element(array, index, ast.Load()), self.expr(stmt.value))
            case Load(array, index):
                target: ast.expr = self._element(array, index, ast.Store())
            case Var(name) if self.kinds.get(name, REAL).is_array:
                return self._added(stmt.target, stmt.value)
            case Var(name):
                target = _name(name, ast.Store())
        value = stmt.value
        if kind_of(value, self.kinds).is_array:
            value = Apply("sum", (value,))
        return self._augmented(target, "add", value)

    def _new(self, target: str, value: Expr) -> ast.expr:
        made = self.expr(value)
        base = self.kinds.get(target, REAL).base
        match value:
            case Apply("slots", shape):
                return _call(f"{_WORDS[base]}_slots", _name("arena"), self._shape(shape))
            case Apply("own", (Apply("dot22", (a, b)),)) if self._real(a, b):
                return _call("product_in", _name("arena"), self.expr(a), self.expr(b))
            case Apply("zeros" | "ones" | "empty") if base != "real":
                return _with_dtype(made, base)
            case Apply("zeros_like" | "ones_like" | "empty_like", (x,)) if (
                kind_of(x, self.kinds).base != base
            ):
                return _with_dtype(made, base)
            case Apply("zeros_like", (x,)) if self.pooled:
                return _call("pooled_zeros", self.expr(x))
        return made

    def _if(self, stmt: If) -> list[ast.stmt]:
        then, orelse = self.block(stmt.then), self.block(stmt.orelse)
        if then:
            return [ast.If(self.expr(stmt.test), then, orelse)]
        if orelse:
            return [ast.If(self._opposite(stmt.test), orelse, [])]
        return [] if safe(stmt.test) else [ast.If(self.expr(stmt.test), [ast.Pass()], [])]


# ----- small pieces ----------------------------------------------------------------------------------------


def _name(name: str, ctx: ast.expr_context | None = None) -> ast.Name:
    return ast.Name(name, ctx or ast.Load())


def _call(function: str, *args: ast.expr) -> ast.Call:
    return ast.Call(_code(function), list(args), [])


def _do(function: str, *args: ast.expr) -> ast.stmt:
    return ast.Expr(_call(function, *args))


def _with_dtype(made: ast.expr, base: str) -> ast.expr:
    assert isinstance(made, ast.Call)
    made.keywords.append(ast.keyword("dtype", _code(_DTYPES[base])))
    return made


def _pack(items: list[ast.expr], ctx: ast.expr_context | None = None) -> ast.expr:
    """The one item, or a tuple of them."""
    return items[0] if len(items) == 1 else ast.Tuple(list(items), ctx or ast.Load())


@cache
def _parsed(template: str) -> ast.expr:
    """The tree of a text; operands, in braces there, are names that end in two underscores."""
    return ast.parse(re.sub(r"\{(\w+)\}", r"\1__", template), mode="eval").body


def _code(text: str) -> ast.expr:
    made: ast.expr = _copied(_parsed(text), {})
    return made


def _filled(template: str, operands: Mapping[str, ast.expr]) -> ast.expr:
    """A row's template with its operands put in."""
    made: ast.expr = _copied(_parsed(template), {f"{name}__": tree for name, tree in operands.items()})
    return made


def _copied(part: Any, operands: Mapping[str, ast.expr]) -> Any:
    """A tree of our own that may be changed, without places, with names exchanged for operands."""
    if isinstance(part, list):
        return [_copied(item, operands) for item in part]
    if isinstance(part, ast.Name):
        return operands.get(part.id) or ast.Name(part.id, part.ctx)
    if isinstance(part, ast.expr | ast.keyword | ast.comprehension | ast.arguments | ast.arg):
        return type(part)(*[_copied(getattr(part, field), operands) for field in part._fields])
    return part


def _flattened(op: str, expr: Expr) -> list[Expr]:
    """Operands of nested `and`s (or `or`s) in a row; the order of evaluation stays."""
    if isinstance(expr, Apply) and expr.op == op and not expr.spell:
        return [e for arg in expr.args for e in _flattened(op, arg)]
    return [expr]


def _without_minus(expr: Expr) -> Expr | None:
    """`e` where `expr` is `-e`, or a product or quotient that begins so; the same to the last bit."""
    match expr:
        case Apply("neg", (inner,), ""):
            return inner
        case Const(float() | int() as value) if value < 0:
            return Const(-value)
        case Apply("mul" | "div" as op, (first, other), "") if (rest := _without_minus(first)) is not None:
            return Apply(op, (rest, other))
    return None
