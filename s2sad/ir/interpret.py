"""The simplest interpreter of the IR: primal statements, run by Python and NumPy as the user's code would be.

>>> from s2sad.ir.nodes import REAL, Apply, Function, Leaf, Var
>>> fn = Function("f", ("x",), (), (Apply("mul", (Var("x"), Var("x"))),), {"x": REAL}, (), Leaf("r_0"))
>>> run(fn, [3.0])
[9.0]
"""

from __future__ import annotations

import builtins
import functools
import importlib
import math
import operator
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from s2sad.ir.nodes import (
    Apply,
    Assign,
    Bind,
    Call,
    Const,
    Expr,
    For,
    Function,
    If,
    Load,
    New,
    Print,
    Raise,
    Rebind,
    Region,
    Release,
    Slice,
    Stmt,
    Store,
    Update,
    Var,
    View,
    While,
)
from s2sad.rules import RECORDS

OPERATORS: dict[str, Callable[..., Any]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "div": operator.truediv,
    "floordiv": operator.floordiv, "mod": operator.mod, "pow": operator.pow, "neg": operator.neg,
    "pos": operator.pos, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
    "eq": operator.eq, "ne": operator.ne, "not": operator.not_, "int": int, "float": float, "bool": bool,
    "text": lambda *parts: "".join(map(str, parts)), "format": lambda x, how: f"{{0{how}}}".format(x),
    "trips": lambda *bounds: len(range(*bounds)), "shape": lambda x, k: x.shape[k], "copy": lambda x: x.copy(),
    "items": lambda *items: items,
    "bit_and": np.bitwise_and, "bit_or": np.bitwise_or, "bit_xor": np.bitwise_xor, "bit_not": np.invert,
    "own": np.array, "item": lambda x: x.item(),
    "floor_int": math.floor, "ceil_int": math.ceil, "trunc_int": math.trunc, "round_int": round,
    "stop_gradient": lambda x: +x if isinstance(x, np.ndarray) else x,
    "norm": np.linalg.norm,
    "erf": math.erf, "erfc": math.erfc, "abs": abs,
    "zeros": lambda *n: np.zeros(n), "ones": lambda *n: np.ones(n), "empty": lambda *n: np.empty(n),
    "full": lambda value, *n: np.full(n, value),
    "nonzero": np.flatnonzero, "argsort_stable": functools.partial(np.argsort, kind="stable"),
    "searchsorted_right": functools.partial(np.searchsorted, side="right"),
}  # fmt: skip
AUGMENTED: dict[str, Callable[..., Any]] = {
    "add": operator.iadd, "sub": operator.isub, "mul": operator.imul, "div": operator.itruediv,
}  # fmt: skip


#: Operations on matrices that NumPy has under other names.
MATRICES: dict[str, Callable[..., Any]] = {
    "dot11": np.matmul, "dot12": np.matmul, "dot21": np.matmul, "dot22": np.matmul,
    "solve21": np.linalg.solve, "solve22": np.linalg.solve, "inv": np.linalg.inv, "cholesky": np.linalg.cholesky,
    "det": np.linalg.det,
    "norm": np.linalg.norm,
}  # fmt: skip


def function_of(op: str, spell: str) -> Any:
    """What an operation calls: the user's spelling first."""
    if spell and op not in ("zeros", "ones", "empty", "full"):
        module, *names = spell.split(".") if "." in spell else ("", spell)
        return functools.reduce(getattr, names, {"np": np, "math": math, "": builtins}[module])
    if op in MATRICES:
        return MATRICES[op]
    if op in RECORDS:
        return RECORDS[op].function
    if op.startswith("special."):
        return getattr(importlib.import_module("scipy.special"), op.removeprefix("special."))
    return OPERATORS[op] if op in OPERATORS else getattr(np, op)


def evaluate(expr: Expr, env: dict[str, Any]) -> Any:
    """The value of an expression."""
    match expr:
        case Const(value=value):
            return value
        case Var(name=name):
            return env[name]
        case Load(array=name, index=index):
            return env[name][tuple(evaluate(i, env) for i in index)]
        case Slice(start=start, stop=stop, step=step):
            return slice(*(None if part is None else evaluate(part, env) for part in (start, stop, step)))
        case Apply(op="and", args=(a, b)):
            return evaluate(a, env) and evaluate(b, env)
        case Apply(op="or", args=(a, b)):
            return evaluate(a, env) or evaluate(b, env)
        case Apply(op=op, args=args, spell=spell):
            return function_of(op, spell)(*(evaluate(arg, env) for arg in args))


def view(array: Any, index: tuple[Any, ...], form: str) -> Any:
    """A view of an array."""
    match form:
        case "T":
            return array.transpose(index or None)
        case "reshape" | "rows":
            return array.reshape(index)
        case "real" | "imag":
            return getattr(array, form)
        case "fit":
            return array if array.shape == index else np.broadcast_to(array, index).copy()
        case "room":
            return array if array.shape == index else np.zeros(index, array.dtype)
    return array[index]


def update(array: Any, expr: Expr, env: dict[str, Any]) -> None:
    """`array[...] = expr`, in place: `a += e` where it is written so."""
    match expr:
        case Apply(op=op, args=(Var(name=name), value)) if op in AUGMENTED and env[name] is array:
            AUGMENTED[op](array, evaluate(value, env))
        case _:
            array[...] = evaluate(expr, env)


def execute(body: Iterable[Stmt], env: dict[str, Any], callees: Mapping[str, Function]) -> None:
    """Run statements on the names in `env`.

    Errors: whatever the program raises; TypeError for a statement that no primal has.
    """
    for stmt in body:
        match stmt:
            case Assign(target=name, value=value) | New(target=name, value=value):
                env[name] = evaluate(value, env)
            case Store(array=name, index=index, value=value):
                new = evaluate(value, env)
                env[name][tuple(evaluate(i, env) for i in index)] = new
            case Update(array=name, value=value):
                update(env[name], value, env)
            case View(target=name, array=array, index=index, form=form):
                env[name] = view(env[array], tuple(evaluate(i, env) for i in index), form)
            case Bind(target=target, source=source, index=index, form=form):
                at = tuple(evaluate(i, env) for i in index)
                env[target] = view(env[source], at, form) if form else env[source]
            case Rebind(targets=targets, sources=sources):
                env.update(zip(targets, [env[s] for s in sources], strict=True))
                for gone in set(sources) - set(targets):
                    del env[gone]
            case Release(name=name):
                env[f"released {name}"] = env.pop(name)
            case For(var=var, start=start, stop=stop, step=step, body=inner):
                for env[var] in range(*(evaluate(bound, env) for bound in (start, stop, step))):
                    execute(inner, env, callees)
            case While(test=test, body=inner):
                while evaluate(test, env):
                    execute(inner, env, callees)
            case If(test=test, then=then, orelse=orelse):
                execute(then if evaluate(test, env) else orelse, env, callees)
            case Region(body=inner):
                execute(inner, env, callees)
            case Call(targets=targets, function=name, args=args):
                given = [evaluate(arg, env) for arg in args]
                called = callees.get(name)
                made = run(replace(called, callees=callees), given) if called else library(name)(*given)
                env.update(zip(targets, made, strict=True))
            case Print(args=args, sep=sep, end=end, stream=stream, flush=flush):
                file = getattr(sys, stream) if stream else None
                print(*(evaluate(arg, env) for arg in args), sep=sep, end=end, file=file, flush=flush)
            case Raise(cause=Raise() as cause):
                raise _exception(stmt, env) from _exception(cause, env)
            case Raise():
                raise _exception(stmt, env)
            case _:
                raise TypeError(f"{type(stmt).__name__} is no statement of a primal")


def _exception(stmt: Raise, env: dict[str, Any]) -> Exception:
    make = getattr(builtins, stmt.exception) if isinstance(stmt.exception, str) else stmt.exception
    made: Exception = make(*(evaluate(arg, env) for arg in stmt.args))
    return made


def library(name: str) -> Callable[..., Any]:
    """The function behind a dotted name: "np.linalg.eigh"."""
    found: Any = np
    for attribute in name.split(".")[1:]:
        found = getattr(found, attribute)
    return found  # type: ignore[no-any-return]


def run(fn: Function, args: Sequence[Any]) -> list[Any]:
    """The flat results of `fn` for flat arguments; arrays among them are written as the function writes them."""
    env = dict(fn.constants) | dict(zip(fn.params, args, strict=True))
    execute(fn.body, env, fn.callees)
    kept = {
        name.removeprefix("released "): value for name, value in env.items() if name.startswith("released ")
    }
    return [evaluate(result, kept | env) for result in fn.results]
