"""Banner, imports and constants of emitted modules."""

from __future__ import annotations

import ast
import io
import math

import numpy as np
import pytest
from pyflakes.api import check
from pyflakes.reporter import Reporter

from s2sad.emit.banner import Kept, banner, constants, free_names, imports, requirement, role, stored, title
from s2sad.emit.printer import to_source
from s2sad.emit.python import function_def
from s2sad.ir.nodes import Apply, Assign, Keep, Var


def text(*stmts: ast.stmt) -> str:
    return to_source(ast.Module(list(stmts), []))


def test_banner() -> None:
    kept = [Kept("u", "arena", "overwritten on line 12", "8*n*steps"), Kept("i_it3", "stack", "trips", "8")]
    notes = [role("adjoint", ["u0", "k"], ["r_0"])]
    assert (
        text(*banner(title("adjoint", "heat.loss", "0.1.0", 1), notes, kept))
        == '''\
"""Adjoint of heat.loss, made by s2sad 0.1.0 for s2sad_runtime ABI 1.

Gradient of r_0 with respect to u0, k.

kept   where  bytes      why
u      arena  8*n*steps  overwritten on line 12
i_it3  stack  8          trips
"""
'''
    )


def test_imports_are_those_used() -> None:
    program = """
@jit(inner=True)
def f(x, keep, arena):
    total = np.sum(x)
    restore(arena, x)
    return total + keep + math.sin(x[0])

def g(x):
    return f(x, 1, total(x))

require(1)
"""
    assert free_names(program) == {"jit", "np", "math", "restore", "require", "total"}
    assert (
        text(*imports(program))
        == """\
import math

import numpy as np
from s2sad_runtime import jit, require, restore, total
"""
    )
    assert text(*imports("require(1)", "s2sad_runtime.plain")) == "from s2sad_runtime.plain import require\n"
    assert imports("x = 1") == []


VALUES = {
    "G": 9.81,
    "N": -3,
    "ON": True,
    "NAME": "a 'b'",
    "LOW": -math.inf,
    "MINUS_ZERO": -0.0,
    "PAIR": (1, (2.5, -1)),
    "NP": np.float64(0.1),
    "NODES": np.array([0.1, 1e300, -np.inf, np.inf, 5e-324, -0.0]),
    "TABLE": np.arange(6).reshape(2, 3) - 2,
    "MASK": np.array([True, False]),
    "SINGLE": np.float32([0.1, 0.2]),
    "SMALL": np.array([1, 2], dtype=np.int8),
    "NONE": np.zeros((0, 3)),
    "NO_INT": np.zeros((2, 0), dtype=np.int64),
    "ZERO_D": np.array(3.0),
    "NAN": np.array([[math.nan], [1.0]]),
}


def test_constants_give_back_the_same_bits() -> None:
    written = text(*constants(VALUES))
    assert stored(VALUES) == {}
    assert max(map(len, written.splitlines())) <= 100
    found: dict[str, object] = {"np": np}
    exec(written, found)
    for name, value in VALUES.items():
        if isinstance(value, np.ndarray):
            got = found[name]
            assert isinstance(got, np.ndarray)
            assert (got.dtype, got.shape, got.tobytes()) == (value.dtype, value.shape, value.tobytes())
        else:
            assert repr(found[name]) == repr(value.item() if isinstance(value, np.generic) else value)


def test_larger_arrays_live_beside_the_module(tmp_path: object) -> None:
    values = {"A": np.linspace(0.0, 1.0, 65), "B": np.ones((9, 9), dtype=np.int64), "C": 1.0}
    written = text(*constants(values))
    assert (
        written
        == """\
C = 1.0
with np.load(__file__.removesuffix(".py") + ".npz") as arrays:
    A = arrays["A"]
    B = arrays["B"]
"""
    )
    file = f"{tmp_path}/emitted.py"
    np.savez(file.removesuffix(".py") + ".npz", **stored(values))
    found: dict[str, object] = {"np": np, "__file__": file}
    exec(written, found)
    assert np.array_equal(found["A"], values["A"])  # type: ignore[arg-type]
    assert np.array_equal(found["B"], values["B"])  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", ["primal", "tangent", "adjoint"])
def test_titles(mode: str) -> None:
    assert title(mode, "f", "1", 2).endswith("f, made by s2sad 1 for s2sad_runtime ABI 2.")  # type: ignore[arg-type]
    assert "nothing" in role(mode, [], ["y"])  # type: ignore[arg-type]


def test_a_whole_module_is_clean() -> None:
    body = (
        Keep("u", "u", "copy"),
        Assign("y", Apply("sin", (Apply("mul", (Var("x"), Var("G"))),), "math.sin")),
    )
    sweep = function_def("f_fwd", ["x", "u", "arena"], body, [Var("y")], {}, ["jit(inner=True)"], "Forward.")
    parts = [requirement(1), *constants({"G": 9.81}), sweep]
    written = text(*banner("Adjoint of f."), *imports(text(*parts)), *parts)
    assert (
        written
        == '''\
"""Adjoint of f."""

import math

from s2sad_runtime import jit, keep, require

require(1)

G = 9.81


@jit(inner=True)
def f_fwd(x, u, arena):
    """Forward."""
    keep(arena, u)
    y = math.sin(x * G)
    return y
'''
    )
    complaints = io.StringIO()
    assert check(written, "emitted", Reporter(complaints, complaints)) == 0, complaints.getvalue()
