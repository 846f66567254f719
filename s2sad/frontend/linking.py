"""Functions that are called, for the kinds they are called with: made, named, told what they write, put together.

A function called is made once for each row of kinds of its arguments. Names of functions stay clear of all names of
the file, and of those that handlers make of them (`f_fwd`, `f_rev`, `f_d`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from s2sad.analyses.entities import classes, dynamic, roots
from s2sad.errors import AliasingError, KindError, UnsupportedSyntaxError
from s2sad.frontend.functions import Kinds, Program, Reading
from s2sad.frontend.infer import kind_of
from s2sad.frontend.kinds import kind_of_value
from s2sad.ir.names import function_name
from s2sad.ir.nodes import Call, Function, Kind, Stmt, Store, Update, Var
from s2sad.ir.paths import is_path, with_rate
from s2sad.ir.walk import map_body, rename, statements, unique
from s2sad.ops import OPS


def linked(fn: Function, program: Program) -> Function:
    """`fn` with all that it calls among its callees."""
    if not program.by_key:
        return fn
    made = _made(fn, program)
    names = _named(fn, made, program)
    functions = {"": fn} | {names[inst]: callee for inst, callee in made.items()}
    functions = {n: _called(f, names) for n, f in functions.items()}
    functions = _writing(functions)
    for function in functions.values():
        _check(function)
    functions, constants = _constants(functions)
    root = functions.pop("")
    kinds = {name: kind_of_value(value) for name, value in constants.items()}
    callees = {name: replace(f, name=name, callees={}) for name, f in functions.items()}
    return replace(root, callees=callees, constants=constants, kinds={**root.kinds, **kinds})


# ----- instances ---------------------------------------------------------------------------------------------

Instance: TypeAlias = tuple[str, Kinds]


def _calls(fn: Function) -> Iterator[tuple[Call, Instance]]:
    for stmt in statements(fn.body):
        if isinstance(stmt, Call) and stmt.function.startswith("@"):
            yield stmt, _instance(stmt, fn.kinds)
    if fn.rule is not None:
        for call in fn.rule.calls:
            yield call, _instance(call, fn.rule.kinds)


def _instance(call: Call, kinds: Mapping[str, Kind]) -> Instance:
    return call.function, tuple(k for a in call.args if (k := kind_of(a, kinds)) is not None)


def _made(fn: Function, program: Program) -> dict[Instance, Function]:
    """The functions that `fn` calls, and those that they call, in order of need."""
    made: dict[Instance, Function] = {}
    waiting = list(_calls(fn))
    for call, (key, kinds) in waiting:
        if (key, kinds) not in made:
            reading = program.by_key[key]
            _check_arrays(call, reading, kinds)
            _check_results(call, reading, program.found[key, kinds])
            assert reading.reader is not None
            made[key, kinds] = callee = reading.reader.made_for(kinds)
            waiting += _calls(callee)
    return made


def _check_arrays(call: Call, reading: Reading, kinds: Kinds) -> None:
    for kind, taken in zip(kinds, reading.formal, strict=False):
        if kind.is_array and kind != taken:
            raise KindError(f"`{reading.name}` is given {kind} here, and was read for {taken}", code="S064",
                            at=call.at, hint="make the array with the right type")  # fmt: skip


def _check_results(call: Call, reading: Reading, found: Iterable[Kind | None]) -> None:
    for kind in found:
        if reading.loose:
            continue
        if kind is None:
            raise UnsupportedSyntaxError(f"`{reading.name}` never returns without calling itself", code="S072",
                                         at=reading.at, hint="return a number where it ends")  # fmt: skip
        if not kind.is_real:
            raise KindError(f"`{reading.name}` gives {kind} here, and must give real numbers", code="S064",
                            at=call.at, hint="return a float: `1.0` for `1`, `float(n)` for `n`")  # fmt: skip


# ----- names -------------------------------------------------------------------------------------------------


def _named(fn: Function, made: Mapping[Instance, Function], program: Program) -> dict[Instance, str]:
    everyone = [fn, *made.values(), *(g for f in made.values() for g in f.callees.values())]
    taken = {n for f in everyone for n in (*f.kinds, *f.constants, *f.callees)} | {fn.name, *OPS}
    names: dict[Instance, str] = {}
    for key, kinds in made:
        base = program.by_key[key].name.strip("<>")
        if base == fn.name:
            base = f"{base}_self"
        names[key, kinds] = function_name(base, taken, names.values())
    return names


def _called(fn: Function, names: Mapping[Instance, str]) -> Function:
    """The function with calls of functions by name."""

    def settle(stmt: Stmt, kinds: Mapping[str, Kind]) -> tuple[Stmt, ...]:
        if isinstance(stmt, Call) and stmt.function.startswith("@"):
            stmt = replace(stmt, function=names[_instance(stmt, kinds)])
        return (stmt,)

    rule = fn.rule
    if rule is not None:
        kinds = rule.kinds
        calls = (replace(c, function=names[_instance(c, kinds)]) for c in rule.calls)
        rule = replace(rule, calls=tuple(calls))
    if rule is not None and is_path(fn):
        return with_rate(fn, rule.calls[0].function)
    return replace(fn, body=map_body(lambda stmt: settle(stmt, fn.kinds), fn.body), rule=rule)


# ----- what is written ---------------------------------------------------------------------------------------


def _writing(functions: Mapping[str, Function]) -> dict[str, Function]:
    """The functions with calls that tell exactly which arrays are written: a fixed point from below."""
    written: dict[str, frozenset[int]] = dict.fromkeys(functions, frozenset())

    def arrays(call: Call) -> tuple[str, ...]:
        args = (call.args[k] for k in sorted(written.get(call.function, ())))
        return unique(a.name for a in args if isinstance(a, Var))

    def places(fn: Function) -> frozenset[int]:
        same = classes(fn.body)
        found = {same[s.array] for s in statements(fn.body) if isinstance(s, Store | Update)}
        found |= {same[a] for s in statements(fn.body) if isinstance(s, Call) for a in arrays(s)}
        return frozenset(k for k, p in enumerate(fn.params) if same[p] in found)

    while (new := {name: places(fn) for name, fn in functions.items()}) != written:
        written = new

    def settle(stmt: Stmt) -> tuple[Stmt, ...]:
        return (replace(stmt, writes=arrays(stmt)),) if isinstance(stmt, Call) else (stmt,)

    return {name: replace(fn, body=map_body(settle, fn.body)) for name, fn in functions.items()}


def _check(fn: Function) -> None:
    """Refuse calls whose arrays overlap where one is written, and writes into constants."""
    same, root, shared = classes(fn.body), roots(fn.body), dynamic(fn.body)
    for stmt in statements(fn.body):
        if not isinstance(stmt, Call):
            continue
        arrays = [a.name for a in stmt.args if isinstance(a, Var) and fn.kinds[a.name].is_array]
        for k, one in enumerate(arrays):
            if same[one] in shared:
                raise AliasingError(f"`{one}` may share its array with another name", code="S080", at=stmt.at)
            if one in stmt.writes and root[one] in fn.constants:
                raise AliasingError(
                    f"`{root[one]}` belongs to the module and can't be written", code="S080", at=stmt.at,
                    hint=f"pass `{root[one]}.copy()`",
                )  # fmt: skip
            for other in arrays[k + 1 :]:
                if root[one] == root[other] and {one, other} & set(stmt.writes):
                    raise AliasingError(
                        f"`{one}` and `{other}` overlap, and this call writes into one of them",
                        code="S082", at=stmt.at,
                    )  # fmt: skip


# ----- constants ---------------------------------------------------------------------------------------------


def _constants(functions: Mapping[str, Function]) -> tuple[dict[str, Function], dict[str, Any]]:
    """The functions with one name for each constant of the file, and all of these."""
    values: dict[str, Any] = {}
    locals_ = {n for f in functions.values() for n in f.kinds if n not in f.constants}
    out: dict[str, Function] = {}
    for name, fn in functions.items():
        new: dict[str, str] = {}
        for constant, value in fn.constants.items():
            held = next((n for n, v in values.items() if _alike(v, value)), None)
            if held is None:
                held, number = constant, 2
                while held in values or held in functions or (name and held in locals_):
                    held, number = f"{constant}_{number}", number + 1
                values[held] = value
            new[constant] = held
        out[name] = fn if all(a == b for a, b in new.items()) else _renamed(fn, new)
    return out, values


def _alike(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return one is other
    return type(one) is type(other) and repr(one) == repr(other)


def _renamed(fn: Function, new: Mapping[str, str]) -> Function:
    return replace(
        fn, body=rename(new, fn.body), results=tuple(rename(new, r) for r in fn.results),
        kinds={new.get(n, n): kind for n, kind in fn.kinds.items()},
        constants={new[n]: value for n, value in fn.constants.items()},
    )  # fmt: skip
