"""Flags of reverse sweeps: relaxed where last bits don't matter; below bars and roots values are what they were."""

import inspect
import warnings
from pathlib import Path

import numpy as np
import pytest
from checks import Run
from judge import loaded, moderate
from reference import assert_close
from shapes.pairs import pairs

import s2sad
from s2sad import pipeline
from s2sad.frontend.kinds import kind_of_value
from s2sad.shapes.passes import NAMES

FOLDER = Path(__file__).parent.parent / "golden" / "passes" / "exact"
P, M = np.array([[0.1, 0.9], [1.2, -0.3], [-0.7, 0.4]]), np.array([1.0, 2.0, 0.5])


def attraction(p, m, e):
    n = p.shape[0]
    s = 0.0
    for t in range(2):
        for i in range(n):
            a = 0.0
            for j in range(n):
                d = p[j, 0] - p[i, 0]
                q = d * d + (p[j, 1] - p[i, 1]) ** 2 + e
                a += m[j] * d / (q * np.sqrt(q))
            s += a * a * m[i]
    return s


def polynomial(p, m, e):
    x = p[0, 0]
    for t in range(3):
        k = x * (1.0 - x) - e
        x = x + 0.1 * k * (m[0] - k)
    return x * x


def below_a_bar(p, m, e):
    x = p[0, 0]
    for t in range(3):
        k = 2.0 + x * x - e
        x = x + 0.1 * m[0] / k
    return x * x


def tied(x, y, z):
    """`k` is 0, with the product rounded as the program rounds it; fused with the difference it isn't."""
    s = 0.0
    for t in range(3):
        k = x * y - z
        s += abs(k) * (1.0 + t)
        x = x + 0.1 * k
    return s


def chosen(x, y, z):
    """A branch between, in a function called with a value that is formed again."""
    s = 0.0
    for t in range(3):
        k = x * y - z
        s += positive(k) * (1.0 + t)
        x = x + 0.1 * k
    return s


def positive(k):
    return 2.0 * k if k > 0.0 else 0.0


@pytest.mark.parametrize("jit", [False, True], ids=["plain", "compiled"])
@pytest.mark.parametrize("f", [tied, chosen])
def test_signs_and_branches_are_those_of_the_program(f, jit):
    x, y = 0.1, 0.7
    assert s2sad.grad(f, argnums=(0, 1, 2), jit=jit, cache=False)(x, y, x * y) == (0.0, 0.0, 0.0)
    text = pipeline.emit_text(f, tuple(map(kind_of_value, (x, y, x * y))), "adjoint", (0, 1, 2))
    assert "fastmath" not in text


def back(f):
    text = pipeline.emit_text(f, tuple(map(kind_of_value, (P, M, 0.4))), "adjoint", (0, 1, 2))
    return text, text[: text.index(f"def {f.__name__}_rev")].splitlines()[-1]


def test_text(golden):
    text, flags = back(attraction)
    assert "fastmath" in flags
    apart = text[text.index("def formed_again") : text.index("@jit", text.index("def formed_again"))]
    whole = text[text.index("def attraction_rev") : text.index("@jit", text.index("def attraction_rev"))]
    source = f"# {inspect.getsource(attraction).rstrip()}".replace("\n", "\n# ")
    golden(FOLDER / "attraction.py", f"{source}\n\n{apart}{whole}")


def test_relaxed_where_last_bits_do_not_matter():
    assert "fastmath" in back(polynomial)[1]


def test_strict_where_they_do():
    text, flags = back(below_a_bar)
    assert "fastmath" not in flags
    assert "formed_again" not in text


@pytest.mark.parametrize(
    ("f", "jit"), [(attraction, False), (polynomial, False), (below_a_bar, False), (attraction, True)]
)
def test_gradient(f, jit):
    Run.of(f, (P, M, 0.4), jit=jit).gradient()


def examine(seed, jit=False):
    """Gradients with all passes against those with none."""
    program = pairs(seed)
    with loaded(program.source) as module, warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        (value, got), (plain, want) = (
            s2sad.value_and_grad(module.f, argnums=(0, 1, 2, 3), jit=jit, cache=False, passes=passes)(
                *(np.copy(a) if np.ndim(a) else a for a in program.arguments)
            )
            for passes in (NAMES, ())
        )
    if moderate(plain):
        assert_close(value, plain, 1e-13, program.source)
        assert_close(got, want, 1e-10, program.source)


@pytest.mark.parametrize("number", range(20))
def test_random(number):
    examine(number)
