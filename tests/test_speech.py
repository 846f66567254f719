"""What a function prints and raises, its derivatives print and raise, once; the reverse sweep says nothing."""

import numpy as np
import pytest
from corpus.speech import prints, prints_in_a_callee, prints_in_a_row, prints_tuples, raises_with_values
from reference import compiled

import s2sad

X = np.array([0.3, 0.5, -0.2])
MODES = pytest.mark.parametrize("jit", [False, True], ids=["plain", "jit"])
SAID = """from 3 [ 0.3  0.5 -0.2] None True
0 1.3
1 1.9500000000000002
2 1.5600000000000003
3 factors [ 0.6  1.  -0.4]
"""


def formatted(x):
    print(f"x = {x:.2f}, {x!s:>5}|")
    return x * x


@MODES
def test_gradients_print_what_the_function_prints(capsys, jit):
    s2sad.value_and_grad(prints, jit=jit)(X, 3)
    assert capsys.readouterr().out == SAID


@MODES
def test_tangents_print_once(capsys, jit):
    s2sad.jvp(prints, (X, 3), (X, None), jit=jit)
    assert capsys.readouterr().out == SAID


@MODES
def test_pullbacks_are_silent(capsys, jit):
    _, pull = s2sad.vjp(prints, X, 3, jit=jit)
    assert capsys.readouterr().out == SAID
    pull(1.0), pull(2.0)
    assert capsys.readouterr().out == ""


@MODES
def test_callees_print(capsys, jit):
    s2sad.grad(prints_in_a_callee, jit=jit)(1.7)
    assert capsys.readouterr().out == "large 5.89\n"


@MODES
@pytest.mark.parametrize(
    ("arguments", "error", "values"),
    [((X * 100.0, 2), ValueError, ("too large", 3800.0, 2)), ((X, -1), IndexError, ("-1 is negative",)),
     ((X, 0), AssertionError, ("n = 0",))],
    ids=["values", "text", "assert"],
)  # fmt: skip
def test_exceptions_carry_their_values(jit, arguments, error, values):
    for derivative in (s2sad.grad(raises_with_values, jit=jit), raises_with_values):
        with pytest.raises(error) as caught:
            derivative(*arguments)
        assert caught.value.args == pytest.approx(values) if error is ValueError else values


@MODES
def test_tuples_are_said_as_such(capsys, jit):
    s2sad.value_and_grad(prints_tuples, jit=jit)(X, 2)
    said = capsys.readouterr().out
    prints_tuples(X, 2) if not jit else compiled(prints_tuples)(X, 2)
    assert said == capsys.readouterr().out != ""


@MODES
def test_arrays_outlive_what_raised_them(jit):
    with pytest.raises(ValueError, match="too many") as caught:
        s2sad.grad(prints_tuples, jit=jit)(X, 4)
    s2sad.release_memory()
    s2sad.grad(raises_with_values, jit=jit)(X, 2)
    text, (n, inside), array = caught.value.args
    assert (text, n) == ("too many", 4)
    np.testing.assert_array_equal(inside, 2.0 * X)
    np.testing.assert_array_equal(array, 2.0 * X)


def test_separators_are_plain_python(capsys):
    s2sad.grad(prints_in_a_row, jit=False)(0.5, 3)
    assert capsys.readouterr().out == "0; 0.0 | 1; 0.5 | 2; 1.0 | \n"
    with pytest.raises(s2sad.UnsupportedSyntaxError) as caught:
        s2sad.grad(prints_in_a_row)(0.5, 3)
    assert caught.value.code == "S029"


def test_formats_are_plain_python(capsys):
    s2sad.grad(formatted, jit=False)(0.7)
    assert capsys.readouterr().out == "x = 0.70,   0.7|\n"
    with pytest.raises(s2sad.S2sadError) as caught:
        s2sad.grad(formatted)(0.7)
    assert caught.value.code == "S035"
