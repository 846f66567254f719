"""A short textual form of the IR, for tests, dumps and error messages. It is meant to be read, not run.

>>> from s2sad.ir.nodes import Apply, Const, Var
>>> show(Apply("mul", (Apply("neg", (Var("w"),)), Apply("sin", (Apply("add", (Var("x"), Const(1.0))),)))))
'-w * sin(x + 1.0)'
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from s2sad.ir.nodes import (
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
    Function,
    If,
    Keep,
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

# operator and how tightly it binds
_INFIX = {
    "or": ("or", 1),
    "and": ("and", 2),
    "lt": ("<", 4),
    "le": ("<=", 4),
    "gt": (">", 4),
    "ge": (">=", 4),
    "eq": ("==", 4),
    "ne": ("!=", 4),
    "logical_or": ("|", 5),
    "logical_and": ("&", 6),
    "add": ("+", 7),
    "sub": ("-", 7),
    "mul": ("*", 8),
    "div": ("/", 8),
    "floordiv": ("//", 8),
    "mod": ("%", 8),
    "pow": ("**", 10),
}
_PREFIX = {"not": ("not ", 3), "neg": ("-", 9), "pos": ("+", 9)}


def show(expr: Expr, binding: int = 0) -> str:
    """An expression as text, in parentheses where what is around it binds more tightly than `binding`."""
    match expr:
        case Var(name):
            return name
        case Const(value):
            text = repr(value)
            return f"({text})" if text.startswith("-") and binding > 9 else text
        case Load(array, index):
            return f"{array}[{_list(index)}]"
        case Slice(start, stop, step):
            parts = ["" if part is None else show(part) for part in (start, stop, step)]
            return ":".join(parts if parts[2] else parts[:2])
        case Apply(op, (a, b)) if op in _INFIX and not expr.spell:
            sign, own = _INFIX[op]
            left, right = (own + 1, 9) if op == "pow" else (own, own + 1)
            left += own == 4  # comparisons don't chain
            text = f"{show(a, left)} {sign} {show(b, right)}"
        case Apply(op, (x,)) if op in _PREFIX and not expr.spell:
            sign, own = _PREFIX[op]
            text = f"{sign}{show(x, own)}"
        case Apply(op, args):
            return f"{expr.spell or op}({_list(args)})"
    return f"({text})" if own < binding else text


def _list(exprs: Iterable[Expr]) -> str:
    return ", ".join(show(e) for e in exprs)


def _seen(array: str, index: tuple[Expr, ...], form: str) -> str:
    """A view of an array; the array itself where there is no form."""
    forms = {"": "", "section": f"[{_list(index)}]", "reshape": f".reshape({_list(index)})"}
    forms |= {form: f".{form}({_list(index)})" for form in ("rows", "fit", "room")}
    forms |= {"T": f".transpose({_list(index)})"} if index else {}
    return array + forms.get(form, f".{form}")


def show_stmt(s: Stmt, indent: int = 0) -> str:
    """A statement as text, one line each, bodies indented."""
    return "\n".join("    " * (indent + depth) + line for depth, line in _lines(s))


def show_function(fn: Function) -> str:
    """A function as text: parameters with their kinds, statements, results."""
    params = ", ".join(f"{p}: {fn.kinds[p]}" for p in fn.params)
    lines = [f"def {fn.name}({params}):", *(show_stmt(s, 1) for s in fn.body)]
    return "\n".join([*lines, f"    return {_list(fn.results)}".rstrip()])


def _lines(s: Stmt) -> list[tuple[int, str]]:
    """The lines of a statement, each with its depth."""
    match s:
        case Assign(target, value):
            return [(0, f"{target} = {show(value)}")]
        case Store(array, index, value):
            return [(0, f"{array}[{_list(index)}] = {show(value)}")]
        case Update(array, value):
            return [(0, f"{array}[...] = {show(value)}")]
        case New(target, value):
            return [(0, f"new {target} = {show(value)}")]
        case View(target, array, index, form):
            return [(0, f"view {target} = {_seen(array, index, form)}")]
        case Rebind(targets, sources):
            return [(0, f"rebind {', '.join(targets)} = {', '.join(sources)}")]
        case Bind(target, source, index, form):
            return [(0, f"bind {target} = {_seen(source, index, form)}")]
        case Release(name):
            return [(0, f"release {name}")]
        case For(var, start, stop, step, body, threads=threads):
            word = "prange" if threads else "range"
            return [(0, f"for {var} in {word}({_list((start, stop, step))}):"), *_body(body)]
        case While(test, body):
            return [(0, f"while {show(test)}:"), *_body(body)]
        case If(test, then, orelse):
            other = [(0, "else:"), *_body(orelse)] if orelse else []
            return [(0, f"if {show(test)}:"), *_body(then), *other]
        case Region(body, schedule=schedule, given=given):
            how = f" {schedule}({show(given)})" if schedule else ""
            return [(0, f"region{how}:"), *_body(body)]
        case Call(targets, function, args, half=half):
            left = f"{', '.join(targets)} = " if targets else ""
            return [(0, f"{left}call {function}{half and '_'}{half}({_list(args)})")]
        case Frame(body):
            return [(0, "frame:"), *_body(body)]
        case Print(args):
            return [(0, f"print({_list(args)})")]
        case Raise(args=args, cause=cause, name=name):
            origin = "" if cause is None else f" from {cause.name}({_list(cause.args)})"
            return [(0, f"raise {name}({_list(args)}){origin}")]
        case Keep(record, name, how, index):
            return [(0, f"keep {record}: {_part(name, index)} {how}")]
        case Back(record, name, how, index):
            return [(0, f"back {record}: {_part(name, index)} {how}")]
        case Push(stack, value):
            return [(0, f"push {stack}: {show(value)}")]
        case Pop(stack, name):
            return [(0, f"pop {stack}: {name}")]
        case Accumulate(target, value):
            return [(0, f"{show(target)} += {show(value)}")]
        case Turn(results=results, seeds=seeds):
            return [(0, f"turn {_list(results)}" + (f" <- {', '.join(seeds)}" if seeds else ""))]
    assert_never(s)


def _part(name: str, index: tuple[Expr, ...]) -> str:
    return f"{name}[{_list(index)}]" if index else name


def _body(body: tuple[Stmt, ...]) -> list[tuple[int, str]]:
    return [(depth + 1, line) for s in body for depth, line in _lines(s)] or [(1, "pass")]
