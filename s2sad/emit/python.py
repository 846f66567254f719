"""IR to Python trees: one statement for one statement.

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
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from s2sad.emit import trees
from s2sad.emit.expressions import OPPOSITE, Expressions, Kinds, without_minus
from s2sad.ir.nodes import (
    REAL,
    Accumulate,
    Apply,
    Assign,
    Back,
    Bind,
    Call,
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
from s2sad.ops.table import several
from s2sad.tidy.dead import safe

NOTE_WIDTH = 70

_AUGMENTED: Mapping[str, ast.operator] = {
    "add": ast.Add(),
    "sub": ast.Sub(),
    "mul": ast.Mult(),
    "div": ast.Div(),
}
_WORDS: Mapping[str, str] = {
    "real": "real", "int": "int", "bool": "bit", "complex": "complex", "pool": "pool", "single": "single",
    "any": "any",
}  # fmt: skip  # as the runtime's names have them


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
        made.body.append(ast.Return(trees.pack([writer.expr(r) for r in results])))
    made.body = made.body or [ast.Pass()]
    return made


@dataclass
class _Writer(Expressions):
    provenance: bool = False
    own: bool = False  # the arena is this function's: calls of sweeps give it back where they raise
    pooled: bool = False  # zeros are made in memory of the pool
    _line: tuple[str, int] = field(default=("", 0), init=False)  # the source line noted last

    def block(self, body: Iterable[Stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        back = ""
        held: ast.Call | None = None  # the call of `hold` just made: one call takes many arrays
        for stmt in body:
            new = self._noted(stmt, back)
            back = stmt.name if isinstance(stmt, Back) else ""
            if isinstance(stmt, Keep) and stmt.how == "hold" and held is not None:
                held.args.append(trees.name(stmt.name))
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
                return [self._set(trees.name(target, ast.Store()), Var(target), value)]
            case Store(array, index, value):
                return [self._set(self._element(array, index, ast.Store()), Load(array, index), value)]
            case Update(array, value):
                return [self._set(trees.code(f"{array}[...]"), Var(array), value)]
            case New(target, value):
                return [ast.Assign([trees.name(target, ast.Store())], self._new(target, value))]
            case View(target, array, index, form):
                return [ast.Assign([trees.name(target, ast.Store())], self._view(array, index, form))]
            case Rebind(targets, sources):
                left = trees.pack([trees.name(t, ast.Store()) for t in targets], ast.Store())
                return [ast.Assign([left], trees.pack([trees.name(s) for s in sources]))]
            case Bind(target, source, index, form):
                seen = self._view(source, index, form) if form else trees.name(source)
                return [ast.Assign([trees.name(target, ast.Store())], seen)]
            case Release():
                return []
            case For(var, start, stop, step, body, threads=threads):
                word = "numba.prange" if threads == "shared" else "range"
                header = self._range(start, stop, step, word)
                return [ast.For(trees.name(var, ast.Store()), header, self.block(body) or [ast.Pass()], [])]
            case While(test, body):
                return [ast.While(self.expr(test), self.block(body) or [ast.Pass()], [])]
            case If():
                return self._if(stmt)
            case Region(body):
                return self.block(body)
            case Frame(body, own=True):
                inner = _Writer(self.kinds, self.provenance, own=True)
                return [
                    ast.Assign([trees.name("arena", ast.Store())], trees.call("new_arena")),
                    *inner.block(body),
                ]
            case Frame(body):
                mark, arena = trees.name("frame", ast.Store()), trees.name("arena")
                begin = ast.Assign([mark], trees.call("mark", arena))
                return [begin, *self.block(body), trees.do("release", arena, trees.name("frame"))]
            case Call(targets, function, args, half=half):
                passed = [*map(self.expr, args), *([trees.name("arena")] if half else [])]
                row = several(function)
                if row:
                    call = trees.filled(row.y, dict(zip(row.fixed, passed, strict=True)))
                else:
                    call = trees.call(f"{function}_{half}" if half else function, *passed)
                if half and self.own:
                    keep = ast.Tuple([trees.name("arena")], ast.Load())
                    call = trees.call(
                        "guarded", *trees.guarded(trees.name(f"{function}_{half}"), keep, passed)
                    )
                if not targets:
                    return [ast.Expr(call)]
                return [
                    ast.Assign([trees.pack([trees.name(t, ast.Store()) for t in targets], ast.Store())], call)
                ]
            case Print(args, _, sep, end, stream, flush):
                call = trees.call("print", *map(self.expr, args))
                texts = {"sep": (sep, " "), "end": (end, "\n")}
                call.keywords = [
                    ast.keyword(k, ast.Constant(v)) for k, (v, usual) in texts.items() if v != usual
                ]
                call.keywords += [ast.keyword("flush", ast.Constant(True))] if flush else []
                call.keywords += [ast.keyword("file", trees.code(f"sys.{stream}"))] if stream else []
                return [ast.Expr(call)]
            case Raise(cause=cause):
                return [ast.Raise(self._exception(stmt), None if cause is None else self._exception(cause))]
            case Keep(record, name, "place", (place,)):
                return [trees.do("put_state", trees.name(record), self.expr(place), trees.name(name))]
            case Keep(_, name, "renew", box):
                given = (trees.name("arena"), trees.name(name), ast.Tuple([*map(self.expr, box)], ast.Load()))
                return [ast.Assign([trees.name(name, ast.Store())], trees.call("renewed", *given))]
            case Keep(_, name, how, index):
                put = {"hold": "hold", "part": "hold_part", "shared": "keep_shared"}.get(how, "keep")
                return [trees.do(put, trees.name("arena"), self._part(name, index))]
            case Back(record, name, "place", (place,)):
                return [trees.do("get_state", trees.name(record), self.expr(place), trees.name(name))]
            case Back(_, name, "copy" | "shared" as how, index):
                back = "restore_shared" if how == "shared" else "restore"
                return [trees.do(back, trees.name("arena"), self._part(name, index))]
            case Back(_, name, how):
                kind = self.kinds[name]
                word = _WORDS[kind.base] + "_part" * (how == "part")
                taken = trees.call(f"take_{word}", trees.name("arena"), ast.Constant(kind.ndim))
                return [ast.Assign([trees.name(name, ast.Store())], taken)]
            case Push(stack, value):
                word = _WORDS[self._stacked(stack, kind_of(value, self.kinds))]
                return [trees.do(f"push_{word}", trees.name(stack), self.expr(value))]
            case Pop(stack, name):
                word = _WORDS[self._stacked(stack, self.kinds.get(name, REAL))]
                return [
                    ast.Assign([trees.name(name, ast.Store())], trees.call(f"pop_{word}", trees.name(stack)))
                ]
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
                    target = trees.name(own.name, ast.Store())
                return self._augmented(target, op, rest)
        return ast.Assign([target], self.expr(value))

    def _augmented(self, target: Any, op: str, value: Expr) -> ast.stmt:
        if op in ("add", "sub") and (minus := without_minus(value)) is not None:
            op, value = OPPOSITE[op], minus
        return ast.AugAssign(target, _AUGMENTED[op], self.expr(value))

    def _added(self, target: Var, value: Expr) -> ast.stmt:
        """`target += value` for a whole array; a product goes right into it."""
        minus = without_minus(value)
        match value if minus is None else minus:
            case Apply("dot22" | "outer" as op, (a, b)) if self._real(target, a, b):
                sign = [] if minus is None else [trees.literal(-1.0)]
                word = {"dot22": "add_product", "outer": "add_outer"}[op]
                return trees.do(word, *map(self.expr, (target, a, b)), *sign)
        return trees.do("accumulate", trees.name(target.name), self.expr(value))

    def _real(self, *arrays: Expr) -> bool:
        return all(kind_of(a, self.kinds).base == "real" for a in arrays)

    def _accumulate(self, stmt: Accumulate) -> ast.stmt:
        match stmt.target:
            case Load(array, index) if is_section(index):
                return trees.do("accumulate", self._element(array, index, ast.Load()), self.expr(stmt.value))
            case Load(array, index):
                target: ast.expr = self._element(array, index, ast.Store())
            case Var(name) if self.kinds.get(name, REAL).is_array:
                return self._added(stmt.target, stmt.value)
            case Var(name):
                target = trees.name(name, ast.Store())
        value = stmt.value
        if kind_of(value, self.kinds).is_array:
            value = Apply("sum", (value,))
        return self._augmented(target, "add", value)

    def _new(self, target: str, value: Expr) -> ast.expr:
        made = self.expr(value)
        base = self.kinds.get(target, REAL).base
        match value:
            case Apply("slots", shape):
                return trees.call(f"{_WORDS[base]}_slots", trees.name("arena"), self._shape(shape))
            case Apply("own", (Apply("dot22", (a, b)),)) if self._real(a, b):
                return trees.call("product_in", trees.name("arena"), self.expr(a), self.expr(b))
            case Apply("zeros" | "ones" | "empty") if base != "real":
                return trees.with_dtype(made, base)
            case Apply("zeros_like" | "ones_like" | "empty_like", (x,)) if (
                kind_of(x, self.kinds).base != base
            ):
                return trees.with_dtype(made, base)
            case Apply("zeros_like", (x,)) if self.pooled:
                return trees.call("pooled_zeros", self.expr(x))
        return made

    def _if(self, stmt: If) -> list[ast.stmt]:
        then, orelse = self.block(stmt.then), self.block(stmt.orelse)
        if then:
            return [ast.If(self.expr(stmt.test), then, orelse)]
        if orelse:
            return [ast.If(self._opposite(stmt.test), orelse, [])]
        return [] if safe(stmt.test) else [ast.If(self.expr(stmt.test), [ast.Pass()], [])]
