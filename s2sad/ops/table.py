"""The table of operations: all rows by key, look-up by function, and what follows from a row.

>>> find(abs)[1], find_name("math.sin").key
('abs', 'sin')
"""

from __future__ import annotations

import builtins
import fnmatch
import math
import re
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from s2sad.ir.nodes import INT, Base, Kind
from s2sad.ops import (
    arithmetic,
    complexes,
    einsum,
    elementwise,
    factors,
    fourier,
    indices,
    linalg,
    pieces,
    reductions,
    shaping,
    snapshots,
    solvers,
    special,
    taping,
    texts,
)
from s2sad.ops.einsum import FAMILIES
from s2sad.ops.registered import row_of
from s2sad.ops.row import Op
from s2sad.rules import FAMILY


class Table(dict[str, Op]):
    """Rows by key; those of a family are made when they are asked for: `OPS["einsum ij,jk->ik"]`."""

    def __missing__(self, key: str) -> Op:
        family, _, text = key.partition(" ")
        if family == FAMILY:
            return row_of(key)
        if family not in FAMILIES:
            raise KeyError(key)
        return _of_family(family, text)


@cache
def _of_family(family: str, text: str) -> Op:
    make, _ = FAMILIES[family]
    return make(text)


MODULES = (
    arithmetic, elementwise, reductions, shaping, indices, snapshots, complexes, linalg, factors, einsum, fourier,
    pieces, solvers, special, taping, texts,
)  # fmt: skip
OPS: Mapping[str, Op] = Table((op.key, op) for module in MODULES for op in module.ROWS)


@cache
def _by_name() -> Mapping[str, Op]:
    return {name: op for op in OPS.values() for name in op.names}


@cache
def _by_object() -> Mapping[int, tuple[Op, str, object]]:
    found: dict[int, tuple[Op, str, object]] = {}
    for name, op in _by_name().items():
        function = None if name.startswith("scipy.") else resolve(name)
        if function is not None:
            found.setdefault(id(function), (op, name, function))
    return found


def _of_scipy(function: object) -> tuple[Op, str] | None:
    """The row of a function of SciPy: its own functions are called as s2sad spells them."""
    name = getattr(function, "__name__", "")
    op = _by_name().get(f"scipy.special.{name}")
    return (op, "") if op is not None and resolve(f"scipy.special.{name}") is function else None


def resolve(name: str) -> object | None:
    """The function behind a dotted name ("np.sin", "math.sin", "abs"); None where this version has none.

    SciPy is not loaded for it: who has one of its functions has loaded it.
    """
    import numpy

    if name.startswith("scipy."):
        _, module, *path = name.split(".")
        found: object | None = sys.modules.get(f"scipy.{module}")
    else:
        top, *path = name.split(".")
        found = {"np": numpy, "math": math}.get(top) if path else getattr(builtins, top, None)
    for attribute in path:
        found = getattr(found, attribute, None)
    return found


def several(key: str) -> Op | None:
    """The row with several results that is the function of a Call; None for other functions."""
    row = OPS.get(key)
    return row if row is not None and row.results else None


def find(function: object) -> tuple[Op, str] | None:
    """The row of a function object and how it is spelled: `math.sin` -> (row of sin, "math.sin")."""
    found = _by_object().get(id(function))
    return (found[0], found[1]) if found and found[2] is function else _of_scipy(function)


def find_name(name: str) -> Op | None:
    """The row with this key or dotted name."""
    return OPS.get(name) or _by_name().get(name)


def result_kind(op: Op | str, kinds: Sequence[Kind]) -> Kind:
    """The kind of an operation's value, from the kinds of its operands."""
    row = OPS[op] if isinstance(op, str) else op
    match row.structural:
        case "sum" | "amax":
            return Kind(_base(row, kinds))
        case "matrix":
            return Kind(
                "complex"
                if row.result == "complex"
                else "real"
                if row.result == "double"
                else _width(row, kinds),
                row.ndim if row.ndim >= 0 else kinds[0].ndim,
            )
        case "shape" | "index" | "pick" | "tape":
            return INT
        case "new" if row.fixed and kinds[0].base == "bool":
            return Kind("bool", len(kinds) - len(row.fixed))
        case "new":
            return Kind(_base(row, kinds[: len(row.fixed)]), len(kinds) - len(row.fixed))
        case "like" if row.result == "int":
            return Kind("int", row.ndim or kinds[0].ndim)
        case "like" | "copy":
            return kinds[0]
    if row.key == "where":
        kinds = (*kinds[1:], Kind("bool", kinds[0].ndim))
        if all(kind.base == "bool" for kind in kinds):
            return Kind("bool", _ndim(kinds))
    return Kind(_base(row, kinds), _ndim(kinds))


#: Real numbers made of complex ones.
MODULI = ("abs", "real", "imag")


def _base(row: Op, kinds: Sequence[Kind]) -> Base:
    if (
        any(kind.base == "complex" for kind in kinds)
        and row.result in ("real", "same")
        and row.key not in MODULI
    ):
        return "complex"
    if row.result == "double":
        return "real"
    if row.result == "real":
        return _width(row, kinds)
    if row.result != "same":
        return row.result
    if row.key.startswith("bit_") and all(kind.base == "bool" for kind in kinds):
        return "bool"
    return "int" if all(kind.base in ("int", "bool") for kind in kinds) else _width(row, kinds)


def _width(row: Op, kinds: Sequence[Kind]) -> Base:
    """float32 or float64, as Numba has it: a whole number beside a float32 gives float64, among arrays float32."""
    reals = [kind for kind in kinds if kind.is_real]
    if not reals or any(kind.base == "real" for kind in reals):
        return "real"
    if row.structural or _ndim(kinds):
        return "single"
    whole = any(kind.base == "int" for kind in kinds) and row.key not in ("pow", "around", "ldexp")
    return "real" if whole or row.key in ("sinc", "nan_to_num") else "single"


def _ndim(kinds: Sequence[Kind]) -> int:
    return max((kind.ndim for kind in kinds), default=0)


class Description(NamedTuple):
    """One line of the listing."""

    key: str
    names: tuple[str, ...]
    value: str
    slopes: tuple[str, ...]
    domain: tuple[str, ...]
    why: str


def describe(pattern: str = "") -> list[Description]:
    """The rows that have a name which contains `pattern`, or matches it where it has a *, ? or [.

    >>> [row.key for row in describe("log10")]
    ['log10']
    """
    wild = pattern if any(c in pattern for c in "*?[") else f"*{pattern}*"
    return [
        _description(op)
        for op in OPS.values()
        if any(fnmatch.fnmatchcase(name, wild) for name in (op.key, *op.names))
    ]


def _description(op: Op) -> Description:
    let = ", ".join(f"{name} = {text}" for name, text in op.let.items())
    slopes = tuple(d + f" with {let}" if let else d for d in op.d)
    slopes = op.pull or slopes + ("0.0",) * (len(op.fixed) - len(op.d))
    value = re.sub("[{}]", "", op.y)
    return Description(op.key, op.names, value, slopes, tuple(d.text for d in op.domains), op.why)
