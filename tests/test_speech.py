"""What a function prints and raises, its derivatives print and raise, once; the reverse sweep says nothing."""

import numpy as np
import pytest
from corpus.speech import (
    Refused,
    Stopped,
    prints,
    prints_elsewhere,
    prints_in_a_callee,
    prints_in_a_row,
    prints_tuples,
    raises_from,
    raises_its_own,
    raises_with_values,
)
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
@pytest.mark.parametrize(
    ("n", "error", "values"),
    [(6, Refused, ("too many", 6)), (5, Stopped, ()), (-1, np.linalg.LinAlgError, ("negative",))],
    ids=["own", "bare", "numpy"],
)
def test_exceptions_of_modules_come_through(jit, n, error, values):
    for derivative in (s2sad.grad(raises_its_own, jit=jit), raises_its_own):
        with pytest.raises(error) as caught:
            derivative(0.7, n)
        assert type(caught.value) is error
        assert caught.value.args == values
        assert getattr(caught.value, "size", n) == n


def test_causes_are_plain_python():
    with pytest.raises(Refused) as caught:
        s2sad.jvp(raises_from, (0.7, 4), (1.0, None), jit=False)
    assert caught.value.size == 4
    assert type(caught.value.__cause__) is KeyError
    assert caught.value.__cause__.args == ("n", 4)
    with pytest.raises(s2sad.S2sadError) as refused:
        s2sad.grad(raises_from)(0.7, 4)
    assert refused.value.code == "S026"


def test_two_exceptions_of_one_name():
    """Each function raises the class that it knows."""
    for make in (ValueError, KeyError):
        f, error = raising(make)
        with pytest.raises(make) as caught:
            s2sad.grad(f, jit=False)(-1.0)
        assert type(caught.value) is error


def raising(base):
    error = type("Failed", (base,), {})

    def f(x):
        if x < 0.0:
            raise error("negative")
        return x * x

    return f, error


def test_other_streams_are_plain_python(capsys):
    s2sad.grad(prints_elsewhere, jit=False)(0.5, 3)
    said = capsys.readouterr()
    assert (said.err, said.out) == ("x 0.5\n", "3\n")
    with pytest.raises(s2sad.UnsupportedSyntaxError) as caught:
        s2sad.grad(prints_elsewhere)(0.5, 3)
    assert caught.value.code == "S029"


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
