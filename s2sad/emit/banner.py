"""What stands above the functions of an emitted module: banner, imports, constants.

The banner says what a reader wants to know before the first line of code: which derivative this is, of which
results with respect to which inputs, what is kept between the sweeps and why, and which generation of the
runtime the file needs.

>>> (doc,) = banner(title("adjoint", "loss", "0.1", 1), [role("adjoint", ["x"], ["r_0"])])
>>> print(ast.literal_eval(doc.value))
Adjoint of loss, made by s2sad 0.1 for s2sad_runtime ABI 1.
<BLANKLINE>
Gradient of r_0 with respect to x.
"""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeGuard

from s2sad.emit.printer import to_source
from s2sad.emit.trees import literal
from s2sad.forms import names_of
from s2sad.ir.names import RUNTIME

if TYPE_CHECKING:
    import numpy as np

    Array: TypeAlias = np.ndarray[Any, Any]

Mode: TypeAlias = Literal["primal", "tangent", "adjoint", "tape"]

#: Arrays with more entries than this live in a file beside the module.
LARGEST_LITERAL = 64

_MODULES = {"math": "math", "sys": "sys", "numba": "numba", "np": "numpy"}
_TITLES = {
    "primal": "Primal form of",
    "tangent": "Tangent of",
    "adjoint": "Adjoint of",
    "tape": "Recording form of",
}
_ROLES = {
    "primal": "Results {outputs}; inputs {inputs}.",
    "tangent": "Derivative of {outputs} along directions of {inputs}.",
    "adjoint": "Gradient of {outputs} with respect to {inputs}.",
    "tape": "Statements between {inputs} and {outputs} are put on a tape.",
}


@dataclass(frozen=True, slots=True)
class Kept:
    """One line of the table of what is kept: a name, in which form, why, and how many bytes (a formula)."""

    name: str
    where: str
    why: str
    size: str


def title(mode: Mode, function: str, version: str, abi: int) -> str:
    """The first line of a banner; `function` is the name within its module, without a path."""
    return f"{_TITLES[mode]} {function}, made by s2sad {version} for s2sad_runtime ABI {abi}."


def role(mode: Mode, inputs: Sequence[str], outputs: Sequence[str]) -> str:
    """What is derived with respect to what, as a sentence."""
    return _ROLES[mode].format(inputs=", ".join(inputs) or "nothing", outputs=", ".join(outputs) or "nothing")


def banner(title: str, notes: Sequence[str] = (), kept: Sequence[Kept] = ()) -> list[ast.stmt]:
    """The module's docstring: a title, lines of notes, and a table of what is kept."""
    lines = [title]
    if notes:
        lines += ["", *notes]
    if kept:
        lines += ["", *_table(kept)]
    return [ast.Expr(ast.Constant("\n".join(lines)))]


def _table(kept: Sequence[Kept]) -> list[str]:
    rows = [("kept", "where", "bytes", "why"), *((k.name, k.where, k.size, k.why) for k in kept)]
    a, b, c = (max(len(row[column]) for row in rows) for column in range(3))
    return [f"{name:{a}}  {where:{b}}  {size:{c}}  {why}".rstrip() for name, where, size, why in rows]


# ----- imports ---------------------------------------------------------------------------------------------


def requirement(abi: int) -> ast.stmt:
    """The statement that refuses a runtime of another generation."""
    return ast.parse(f"require({abi})").body[0]


def imports(text: str, runtime: str = "s2sad_runtime") -> list[ast.stmt]:
    """The imports that a text needs: of math, numba, NumPy and the runtime, what occurs free in it, no more.

    `runtime` is "s2sad_runtime" for the compiled functions, "s2sad_runtime.plain" for their plain twins.
    """
    free = free_names(text)
    made: list[ast.stmt] = [
        ast.Import([ast.alias(module, alias if alias != module else None)])
        for alias, module in _MODULES.items()
        if alias in free
    ]
    used = sorted(free.intersection(RUNTIME))
    if used:
        made.append(ast.ImportFrom(runtime, [ast.alias(name) for name in used], 0))
    if "math" in free and len(made) > 1:
        made[1].gap = 1  # type: ignore[attr-defined]
    return made


def free_names(text: str) -> frozenset[str]:
    """Names that the text of a module uses and doesn't bind itself, builtins included."""
    top = symtable.symtable(text, "<emitted>", "exec")
    used = {s.get_name() for s in top.get_symbols() if s.is_referenced()}
    for table in _inner(top):
        used |= {s.get_name() for s in table.get_symbols() if s.is_global() and s.is_referenced()}
    return frozenset(used - {s.get_name() for s in top.get_symbols() if s.is_local()})


def _inner(table: symtable.SymbolTable) -> Iterable[symtable.SymbolTable]:
    for child in table.get_children():
        yield child
        yield from _inner(child)


# ----- classes ---------------------------------------------------------------------------------------------


def structures(classes: Mapping[type, str]) -> list[ast.stmt]:
    """Assignments that define the classes of results, and exceptions, by the names that they have here."""
    lines = [_structure(make, name) for make, name in classes.items()]
    made = ast.parse("\n".join(lines)).body
    for stmt in made[:1]:
        stmt.gap = 1  # type: ignore[attr-defined]
    return made


def _structure(make: type, name: str) -> str:
    if issubclass(make, Exception):
        base = next(base.__name__ for base in make.__mro__ if base.__module__ == "builtins")
        return f"{name} = type({name!r}, ({base},), {{}})"
    return f"{name} = named({name!r}, {' '.join(names_of(make))!r})"


# ----- constants -------------------------------------------------------------------------------------------


def constants(values: Mapping[str, Any]) -> list[ast.stmt]:
    """Assignments that define module-level constants.

    Numbers, texts, tuples and small arrays are literals that give back the same bits. Larger arrays are read
    from the .npz file that bears the module's name: whoever writes the module saves `stored(values)` there.
    """
    beside = stored(values)
    made: list[ast.stmt] = [
        ast.Assign(
            [ast.Name(name, ast.Store())], _array(value) if _is_array(value) else literal(_plain(value))
        )
        for name, value in values.items()
        if name not in beside
    ]
    if beside:
        lines = "".join(f'\n    {name} = arrays["{name}"]' for name in beside)
        made += ast.parse(f'with np.load(__file__.removesuffix(".py") + ".npz") as arrays:{lines}').body
    for stmt in made[:1]:
        stmt.gap = 1  # type: ignore[attr-defined]
    return made


def stored(values: Mapping[str, Any]) -> dict[str, Array]:
    """The arrays that are too large for a literal, by name."""
    return {k: v for k, v in values.items() if _is_array(v) and v.size > LARGEST_LITERAL}


def _is_array(value: object) -> TypeGuard[Array]:
    return hasattr(value, "dtype") and type(value).__name__ == "ndarray"


def _plain(value: Any) -> Any:
    """A NumPy number as Python's own."""
    return value.item() if hasattr(value, "dtype") else value


def _array(value: Array) -> ast.expr:
    """A small array as a call, with its type where a reader of the literals would take another one."""
    dtype = value.dtype.name
    if value.size == 0:
        call, usual = f"np.zeros({value.shape})", "float64"
    else:
        call, usual = f"np.array({to_source(_nested(value.tolist())).strip()})", "float64 int64 bool"
    if dtype not in usual.split():
        call = f"{call[:-1]}, dtype=np.{dtype}{'_' if dtype == 'bool' else ''})"
    return ast.parse(call, mode="eval").body


def _nested(items: Any) -> ast.expr:
    return ast.List([_nested(i) for i in items], ast.Load()) if isinstance(items, list) else literal(items)
