"""Walk over IR and rebuild it: children, names, blocks, maps and renamings; every answer is in program order.

Nothing here knows what a statement means beyond its fields. `reads` and `writes` speak of one statement
alone; for a body with everything nested in it use `reads_in` and `writes_in`.

>>> from s2sad.ir.nodes import Apply, Const, Load, Var
>>> e = Apply("mul", (Load("a", (Var("i"),)), Apply("add", (Var("x"), Const(1.0)))))
>>> variables(e)
('a', 'i', 'x')
>>> leaves(e)
(Load(array='a', index=(Var(name='i'),)), Var(name='x'))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from operator import is_
from typing import TypeAlias, TypeVar, overload

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

Body: TypeAlias = tuple[Stmt, ...]
T = TypeVar("T")


def unique(items: Iterable[T]) -> tuple[T, ...]:
    """The items without repetitions, in the order of first occurrence."""
    return tuple(dict.fromkeys(items))


# ----- expressions -----------------------------------------------------------------------------------------


def children(expr: Expr) -> tuple[Expr, ...]:
    """The operands of an operation, the subscripts of a load; nothing for a name or a constant."""
    match expr:
        case Apply(args=args):
            return args
        case Load(index=index):
            return index
        case Slice(start=start, stop=stop, step=step):
            return tuple(part for part in (start, stop, step) if part is not None)
    return ()


def rebuild(expr: Expr, fn: Callable[[Expr], Expr]) -> Expr:
    """`expr` with `fn` applied to each child; the same object where no child changes."""
    old = children(expr)
    if not old:
        return expr
    new = tuple(map(fn, old))
    if all(map(is_, new, old)):
        return expr
    match expr:
        case Apply(op=op, spell=spell):
            return Apply(op, new, spell)
        case Load(array=array):
            return Load(array, new)
        case Slice(start=start, stop=stop, step=step):
            parts = iter(new)
            return Slice(*(None if part is None else next(parts) for part in (start, stop, step)))
    return expr


def map_expr(fn: Callable[[Expr], Expr], expr: Expr) -> Expr:
    """`fn` applied to every node of `expr`, children first, subscripts included."""
    return fn(rebuild(expr, lambda child: map_expr(fn, child)))


def nodes(expr: Expr) -> Iterator[Expr]:
    """Every node of `expr`, a parent before its children."""
    left = [expr]
    while left:
        node = left.pop()
        yield node
        left.extend(reversed(children(node)))


def variables(expr: Expr) -> tuple[str, ...]:
    """Names read: variables, arrays of loads, names in subscripts."""
    if isinstance(expr, Var):
        return (expr.name,)
    return unique(filter(None, map(name_of, nodes(expr))))


def name_of(node: Expr) -> str:
    """The name that a node itself reads; "" for operations and constants."""
    return node.name if isinstance(node, Var) else node.array if isinstance(node, Load) else ""


def loads(expr: Expr) -> tuple[Load, ...]:
    """The element reads in `expr`, those in subscripts of others included."""
    return unique(node for node in nodes(expr) if isinstance(node, Load))


def leaves(expr: Expr) -> tuple[Var | Load, ...]:
    """The Var and Load operands of `expr`, not looking into subscripts: what a derivative may flow to."""
    return unique(_leaves(expr))


def _leaves(expr: Expr) -> Iterator[Var | Load]:
    match expr:
        case Var() | Load():
            yield expr
        case Apply(args=args):
            for arg in args:
                yield from _leaves(arg)


def is_section(index: Iterable[Expr]) -> bool:
    """Do subscripts select a section (an array) rather than one element?"""
    return any(isinstance(sub, Slice) for sub in index)


def is_axis(sub: Expr) -> bool:
    """Does a subscript leave an axis, or make one?"""
    return isinstance(sub, Slice) or sub == Const(None)


def substitute(mapping: Mapping[str, Expr], expr: Expr) -> Expr:
    """`expr` with names replaced by expressions, all at once; the array of a Load only by another name.

    Errors: TypeError where an array that is read by element stands for something else than a name.
    """

    def swap(node: Expr) -> Expr:
        new = mapping.get(name_of(node))
        if new is None:
            return node
        if isinstance(node, Load):
            if not isinstance(new, Var):
                raise TypeError(f"{node.array} is read by element; it can't become {new}")
            return Load(new.name, node.index)
        return new

    return map_expr(swap, expr)


# ----- statements ------------------------------------------------------------------------------------------


def blocks(stmt: Stmt) -> tuple[Body, ...]:
    """The bodies nested in a statement: one of a For or Region, two of an If."""
    match stmt:
        case For(body=body) | While(body=body) | Region(body=body) | Frame(body=body):
            return (body,)
        case If(then=then, orelse=orelse):
            return (then, orelse)
    return ()


def with_blocks(stmt: Stmt, new: Iterable[Body]) -> Stmt:
    """`stmt` with its nested bodies, in the order of `blocks`, exchanged."""
    bodies = tuple(new)
    match stmt:
        case For() | While() | Region() | Frame():
            (body,) = bodies
            return stmt if body is stmt.body else replace(stmt, body=body)
        case If():
            then, orelse = bodies
            return replace(stmt, then=then, orelse=orelse)
    return stmt


def statements(body: Iterable[Stmt]) -> Iterator[Stmt]:
    """Every statement of `body`, nested ones included, a parent before its blocks."""
    for stmt in body:
        yield stmt
        for block in blocks(stmt):
            yield from statements(block)


def map_body(fn: Callable[[Stmt], Iterable[Stmt]], body: Iterable[Stmt]) -> Body:
    """`body` with every statement exchanged for the statements `fn` gives, nested bodies first."""
    new: list[Stmt] = []
    for stmt in body:
        inner = blocks(stmt)
        new.extend(fn(with_blocks(stmt, [map_body(fn, block) for block in inner]) if inner else stmt))
    return tuple(new)


def expressions(stmt: Stmt) -> tuple[Expr, ...]:
    """The expressions that a statement evaluates itself, in the order of its fields; none from its blocks."""
    match stmt:
        case Assign(value=value) | Update(value=value) | New(value=value) | Push(value=value):
            return (value,)
        case Store(index=index, value=value):
            return (*index, value)
        case Release(index=index) if index:
            return (Var(index),)
        case View(index=index) | Bind(index=index) | Keep(index=index) | Back(index=index):
            return index
        case Accumulate(target=target, value=value):
            return (*children(target), value)
        case For(start=start, stop=stop, step=step):
            return (start, stop, step)
        case If(test=test) | While(test=test):
            return (test,)
        case Raise(args=args, cause=Raise(args=more)):
            return (*args, *more)
        case Raise(args=args) | Print(args=args) | Call(args=args):
            return args
        case Region(given=given, trips=trips):
            return (given, trips)
        case Turn(results=results):
            return results
    return ()


def map_expressions(fn: Callable[[Expr], Expr], stmt: Stmt) -> Stmt:
    """`stmt` with `fn` applied to each of its `expressions`; nested bodies stay."""
    match stmt:
        case Assign() | Update() | New() | Push():
            value = fn(stmt.value)
            return stmt if value is stmt.value else replace(stmt, value=value)
        case Store():
            return replace(stmt, index=tuple(map(fn, stmt.index)), value=fn(stmt.value))
        case View() | Bind() | Keep() | Back():
            return replace(stmt, index=tuple(map(fn, stmt.index)))
        case Release() if stmt.index:
            new = fn(Var(stmt.index))
            return replace(stmt, index=new.name) if isinstance(new, Var) else stmt
        case Accumulate():
            target = stmt.target
            if isinstance(target, Load):
                target = replace(target, index=tuple(map(fn, target.index)))
            return replace(stmt, target=target, value=fn(stmt.value))
        case For():
            return replace(stmt, start=fn(stmt.start), stop=fn(stmt.stop), step=fn(stmt.step))
        case If() | While():
            return replace(stmt, test=fn(stmt.test))
        case Raise(cause=Raise() as cause):
            return replace(
                stmt, args=tuple(map(fn, stmt.args)), cause=replace(cause, args=tuple(map(fn, cause.args)))
            )
        case Raise() | Print() | Call():
            return replace(stmt, args=tuple(map(fn, stmt.args)))
        case Region():
            return replace(stmt, given=fn(stmt.given), trips=fn(stmt.trips))
        case Turn():
            return replace(stmt, results=tuple(map(fn, stmt.results)))
    return stmt


def reads(stmt: Stmt) -> tuple[str, ...]:
    """Names whose value the statement itself uses.

    The array that a Store or Update writes into is read only where the expressions name it; an Accumulate
    reads its target. A Release reads nothing.
    """
    names = [name for expr in expressions(stmt) for name in variables(expr)]
    match stmt:
        case Rebind(sources=sources):
            names.extend(sources)
        case View(array=array):
            names.append(array)
        case Bind(source=source):
            names.append(source)
        case Accumulate(target=target):
            names.insert(0, name_of(target))
        case Keep(name=name):
            names.append(name)
    return unique(names)


def writes(stmt: Stmt) -> tuple[str, ...]:
    """Names that the statement itself assigns or binds, and arrays it writes into."""
    match stmt:
        case (
            Assign(target=name)
            | New(target=name)
            | View(target=name)
            | Bind(target=name)
            | Store(array=name)
            | Update(array=name)
        ):
            return (name,)
        case For(var=name) | Back(name=name) | Pop(name=name) | Keep(name=name, how="renew"):
            return (name,)
        case Rebind(targets=targets):
            return targets
        case Call(targets=targets, writes=written):
            return unique((*targets, *written))
        case Accumulate(target=target):
            return (name_of(target),)
        case Turn(seeds=seeds):
            return seeds
    return ()


def reads_in(body: Iterable[Stmt]) -> tuple[str, ...]:
    """`reads` of every statement of `body`, nested ones included."""
    return unique(name for stmt in statements(body) for name in reads(stmt))


def writes_in(body: Iterable[Stmt]) -> tuple[str, ...]:
    """`writes` of every statement of `body`, nested ones included."""
    return unique(name for stmt in statements(body) for name in writes(stmt))


def names_in(body: Iterable[Stmt]) -> tuple[str, ...]:
    """Every name that occurs in `body`: read, written, released, and the stacks."""
    return unique(name for stmt in statements(body) for name in (*writes(stmt), *reads(stmt), *_others(stmt)))


def _others(stmt: Stmt) -> tuple[str, ...]:
    match stmt:
        case Push(stack=name) | Pop(stack=name) | Release(name=name):
            return (name,)
    return ()


@overload
def rename(mapping: Mapping[str, str], what: Expr) -> Expr: ...
@overload
def rename(mapping: Mapping[str, str], what: Body) -> Body: ...
def rename(mapping: Mapping[str, str], what: Expr | Body) -> Expr | Body:
    """An expression or body with names exchanged everywhere, all at once; labels of arena records stay."""
    swapped = {old: Var(new) for old, new in mapping.items()}
    if isinstance(what, tuple):
        return map_body(lambda stmt: (_renamed(mapping, swapped, stmt),), what)
    return substitute(swapped, what)


def _renamed(mapping: Mapping[str, str], swapped: Mapping[str, Expr], stmt: Stmt) -> Stmt:
    def to(name: str) -> str:
        return mapping.get(name, name)

    stmt = map_expressions(lambda expr: substitute(swapped, expr), stmt)
    match stmt:
        case Assign() | New():
            return replace(stmt, target=to(stmt.target))
        case View():
            return replace(stmt, target=to(stmt.target), array=to(stmt.array))
        case Bind():
            return replace(stmt, target=to(stmt.target), source=to(stmt.source))
        case While():
            return replace(stmt, counter=to(stmt.counter))
        case Call():
            return replace(stmt, targets=tuple(map(to, stmt.targets)), writes=tuple(map(to, stmt.writes)))
        case Store() | Update():
            return replace(stmt, array=to(stmt.array))
        case Rebind():
            return replace(stmt, targets=tuple(map(to, stmt.targets)), sources=tuple(map(to, stmt.sources)))
        case Release() | Keep() | Back():
            return replace(stmt, name=to(stmt.name))
        case For():
            return replace(stmt, var=to(stmt.var))
        case Push():
            return replace(stmt, stack=to(stmt.stack))
        case Pop():
            return replace(stmt, stack=to(stmt.stack), name=to(stmt.name))
        case Accumulate():
            target = stmt.target
            new = Var(to(target.name)) if isinstance(target, Var) else replace(target, array=to(target.array))
            return replace(stmt, target=new)
        case Turn():
            return replace(stmt, seeds=tuple(map(to, stmt.seeds)))
    return stmt


def is_constant(expr: Expr) -> bool:
    """Whether no name occurs in `expr`."""
    return all(isinstance(node, (Const, Apply)) for node in nodes(expr))
