"""Whole emitted files, and what they compute.

Each folder of golden/ holds an `input.py` with a function `f`, its ARGUMENTS and ARGNUMS, and what is emitted for it:
`adjoint.py`, `tangent.py` and `tape.py`. `pytest --update-golden` writes those anew; read them before they are
committed. They are run as they stand, compiled and, with the plain twins of the runtime, as Python.
"""

import ast
import copy
import importlib.util
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from reference import assert_close, directional, directions_like, gradient

from s2sad import pipeline
from s2sad.derive import derive
from s2sad.drivers import File
from s2sad.emit.banner import imports
from s2sad.emit.load import load
from s2sad.emit.printer import to_source
from s2sad.emit.python import function_def
from s2sad.frontend.kinds import kind_of_value
from s2sad.frontend.lower import lower
from s2sad.ir.nodes import INT, REAL, Assign, Const, For, Function, Leaf, Param, Pop, Push, Region, Var
from s2sad.ops.formula import parse
from s2sad.options import Options
from s2sad.testing import leaves

FOLDER = Path(__file__).parent / "golden"
CASES = sorted(path.parent.name for path in FOLDER.glob("*/input.py"))
COMPILED_TANGENTS = ("stencil", "tuples", "while_loop")


def read(case):
    spec = importlib.util.spec_from_file_location(f"golden_{case}", FOLDER / case / "input.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def function(case, mode, name, jit):
    """A function of a golden file."""
    text = (FOLDER / case / f"{mode}.py").read_text(encoding="utf-8")
    if not jit:
        text = text.replace("from s2sad_runtime import", "from s2sad_runtime.plain import")
    return getattr(load(text, f"golden_{case}", jit=jit), name)


@pytest.mark.parametrize("mode", ["adjoint", "tangent", "tape"])
@pytest.mark.parametrize("case", CASES)
def test_text(case, mode, golden):
    module = read(case)
    kinds = tuple(map(kind_of_value, module.ARGUMENTS))
    golden(FOLDER / case / f"{mode}.py", pipeline.emit_text(module.f, kinds, mode, module.ARGNUMS))


@pytest.mark.parametrize("jit", [False, True], ids=["plain", "compiled"])
@pytest.mark.parametrize("case", CASES)
def test_adjoint(case, jit):
    module = read(case)
    args, left = copy.deepcopy(module.ARGUMENTS), copy.deepcopy(module.ARGUMENTS)
    expected = module.f(*left)
    value, gradients = function(case, "adjoint", "f_grad", jit)(*args)
    assert_close(value, expected, 1e-14 if jit else 0.0, "value")
    assert_close([*args], [*left], 1e-14 if jit else 0.0, "arguments afterwards")
    for k, got in zip(module.ARGNUMS, gradients, strict=True):
        assert_close(got, *gradient(module.f, module.ARGUMENTS, k), f"gradient of argument {k}")


@pytest.mark.parametrize(
    ("case", "jit"), [*((c, False) for c in CASES), *((c, True) for c in COMPILED_TANGENTS)]
)
def test_tangent(case, jit):
    module = read(case)
    directions = tuple(
        d if k in module.ARGNUMS else None for k, d in enumerate(directions_like(module.ARGUMENTS))
    )
    given = [v for v in leaves(copy.deepcopy((module.ARGUMENTS, directions))) if v is not None]
    value, slope = function(case, "tangent", "f_d", jit)(*given)
    assert_close(value, module.f(*copy.deepcopy(module.ARGUMENTS)), 1e-14 if jit else 0.0, "value")
    assert_close(slope, *directional(module.f, module.ARGUMENTS, directions), "tangent")


# ----- what today's programs don't lead to: stacks, and regions, from IR ---------------------------------------


def stacked() -> Function:
    """Values on a stack, taken off in reverse order: what loops with unknown trip counts keep."""
    up = (Push("trail", Var("x")), Assign("x", parse("sin(x) * x")))
    down = (Pop("trail", "v"), Assign("s", parse("s * v + x")))
    body = (
        For("k", Const(0), Var("n"), Const(1), up),
        Assign("s", Const(1.0)),
        For("k", Const(0), Var("n"), Const(1), down),
    )
    kinds = {"x": REAL, "n": INT, "s": REAL, "v": REAL, "k": INT}
    signature = tuple(Param(p, Leaf(p)) for p in ("x", "n"))
    return Function("f", ("x", "n"), body, (Var("s"),), kinds, signature, Leaf("r_0"))


def by_stack(x, n):
    trail = []
    for _ in range(n):
        trail.append(x)
        x = np.sin(x) * x
    s = 1.0
    for _ in range(n):
        s = s * trail.pop() + x
    return s


def test_stacks(golden):
    """Pushes and pops printed, and differentiated: the tangents of pushed values go on a stack of their own."""
    made = derive(stacked(), None, [("x",)])
    function = made.function
    params = (*function.params, "trail", "trail_d")
    tree = function_def("f_d", params, function.body, function.results, function.kinds, doc="A tangent.")
    text = to_source(ast.Module([*imports(to_source(tree), "s2sad_runtime.plain"), tree], []))
    golden(FOLDER / "stack" / "tangent.py", text)
    value, slope = load(text, "golden_stack", jit=False).f_d(0.7, 3, 1.0, [], [])
    assert value == by_stack(0.7, 3)
    assert_close(slope, *directional(by_stack, (0.7, 3), (1.0, None)), "tangent")


def stepped(x, steps):
    s = x
    for _ in range(steps):
        for i in range(3):
            s = s + np.sin(s * x) / (i + 1.0)
    return s


@pytest.mark.parametrize("jit", [False, True], ids=["plain", "compiled"])
def test_region(jit, golden):
    """A stretch of the program that keeps nothing, and is run again on the way back."""
    fn = lower(stepped, (REAL, INT))
    (loop,) = (s for s in fn.body if isinstance(s, For))
    region = replace(loop, body=(Region(loop.body, loop.at),))
    fn = replace(fn, body=tuple(region if s is loop else s for s in fn.body))
    file = File(derive(fn, ("x",), of=(0,)), Options(jit=jit))
    entry = file.gradient_driver("stepped_grad", fn.signature[0].tree, value=True, aux=False)
    text = file.text()
    golden(
        FOLDER / "region" / "adjoint.py", text.replace("s2sad_runtime.plain import", "s2sad_runtime import")
    )
    value, slope = getattr(load(text, entry, jit=jit), entry)(0.7, 2)
    assert_close(value, stepped(0.7, 2), 1e-14, "value")
    assert_close(slope, *gradient(stepped, (0.7, 2), 0), "gradient")
