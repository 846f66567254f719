"""What each pass makes of a reverse sweep: before and after as files, and the gradients of both."""

import inspect
from pathlib import Path

import numpy as np
import pytest
from checks import Run
from shapes.examples import EXAMPLES, X, Y

import s2sad
from s2sad import pipeline
from s2sad.frontend.kinds import kind_of_value
from s2sad.shapes.passes import PASSES

FOLDER = Path(__file__).parent.parent / "golden" / "passes"


def reverse(example, passes):
    """The reverse sweep of an example and the functions that it calls, as text."""
    kinds = tuple(map(kind_of_value, example.arguments))
    text = pipeline.emit_text(example.f, kinds, "adjoint", (0, 1), passes)
    functions = text.split("@jit")
    shown = [
        f
        for f in functions
        if f"def {example.f.__name__}_rev" in f or "def frame" in f or "def clear_rim" in f
    ]
    return "\n\n".join(f"@jit{f}".rstrip() for f in shown) + "\n"


def test_every_pass_has_an_example():
    assert set(EXAMPLES) == set(PASSES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_text(name, golden):
    example = EXAMPLES[name]
    before = reverse(example, example.before)
    after = reverse(example, (*example.before, name))
    assert before != after
    source = "# " + inspect.getsource(example.f).rstrip().replace("\n", "\n# ").replace("# \n", "#\n")
    golden(FOLDER / name / "before.py", f"{source}\n\n{before}")
    golden(FOLDER / name / "after.py", after)


@pytest.mark.parametrize("jit", [False, True], ids=["plain", "compiled"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_gradient(name, jit):
    example = EXAMPLES[name]
    for passes in (example.before, (*example.before, name)):
        Run.of(example.f, example.arguments, jit=jit, cache=False, passes=passes).gradient()


def test_unknown_pass():
    with pytest.raises(s2sad.ArgumentError, match="there is no pass `turn`"):
        s2sad.grad(EXAMPLES["merge"].f, passes=("turn",))


# ----- divisors and slopes ------------------------------------------------------------------------------------


def waves(x, y):
    s = 0.0
    for i in range(len(x)):
        s += np.sin(1e9 * x[i] / (1.0 + y[i] * y[i]))
    return s


def test_arguments_of_functions_stay_as_they_are():
    text = pipeline.emit_text(waves, tuple(map(kind_of_value, (X, Y))), "adjoint", (0, 1))
    back = text[text.index("def waves_rev") : text.index("def waves_grad")]
    assert "r = 1.0 / (1.0 + y[i] * y[i])" in back
    assert "cos(1000000000.0 * x[i] / (1.0 + y[i] * y[i])) * r" in back


def turned(x, y):
    s = 0.0
    for i in range(len(x)):
        c, d = np.cos(x[i] + y[i]), np.sin(x[i] - y[i])
        a = x[i] * y[i]
        s += np.sin(a) * c + d * np.cos(a)
    return s


def test_a_slope_that_the_program_forms_is_not_formed_again():
    text = pipeline.emit_text(turned, tuple(map(kind_of_value, (X, Y))), "adjoint", (0, 1))
    back = text[text.index("def turned_rev") : text.index("def turned_both")]
    lines = [line for line in back.splitlines() if "#" not in line]
    assert any("np.cos(x[i] - y[i])" in line for line in lines)
    assert not any("np.sin(a)" in line or "np.cos(a)" in line for line in lines)
    for jit in (False, True):
        Run.of(turned, (X, Y), jit=jit, cache=False).gradient()
