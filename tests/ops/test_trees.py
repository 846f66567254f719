"""Random trees: partials after all simplification agree with complex step, in value and to second order."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2sad.ir.nodes import Apply, Const, Expr, Var
from s2sad.ops import add, mul, neg, parse, partials, sub
from s2sad.ops.build import real
from s2sad.ops.evaluate import evaluate

H = 1e-30
LEAVES = (Var("x"), Var("y"), Var("z"))
ENV = {"x": 0.7, "y": -1.3, "z": 1.9, "c": True, "d": False}

constants = st.sampled_from([0, 1, 2, -1, 3, 0.0, 0.5, -2.0, 1.0]).map(Const)
leaves = st.one_of(st.sampled_from(LEAVES), constants)


def _nodes(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    def formula(text: str, *names: str) -> st.SearchStrategy[Expr]:
        return st.tuples(*[inner] * len(names)).map(lambda e: parse(text, **dict(zip(names, e, strict=True))))

    return st.one_of(
        formula("a + b", "a", "b"),
        formula("a - b", "a", "b"),
        formula("a * b", "a", "b"),
        formula("a / (2.0 + b * b)", "a", "b"),
        formula("a / 3", "a"),
        formula("a / -0.5", "a"),
        formula("-a", "a"),
        formula("sin(a)", "a"),
        formula("tanh(a)", "a"),
        formula("exp(-a * a)", "a"),
        formula("sqrt(1.0 + a * a)", "a"),
        formula("a ** 2", "a"),
        formula("a ** 3", "a"),
        formula("a ** 0", "a"),
        formula("(1.5 + tanh(a)) ** -1", "a"),
        formula("where(c, a, b)", "a", "b"),
        formula("where(d, a, 0.0)", "a"),
        formula("where(d, 0.0, a) * b", "a", "b"),
    )


trees = st.recursive(leaves, _nodes, max_leaves=12)


def numbers(**env):
    return {
        name: value if isinstance(value, bool) else np.complex128(value)
        for name, value in (ENV | env).items()
    }


def step(tree: Expr, name: str) -> float:
    return float(np.imag(evaluate(tree, numbers(**{name: ENV[name] + 1j * H}))) / H)


@given(trees)
def test_partials_of_trees(tree):
    found = partials(tree, lambda leaf: leaf in LEAVES, y=Var("result"))
    result = evaluate(tree, numbers())
    for leaf in LEAVES:
        p = found.get(leaf, Const(0.0))
        assert complex(evaluate(p, numbers(result=result))) == pytest.approx(
            step(tree, leaf.name), rel=1e-11, abs=1e-11
        )


@given(trees)
def test_partials_of_partials(tree):
    p = partials(tree, lambda leaf: leaf == Var("x")).get(Var("x"), Const(0.0))
    for leaf in LEAVES:
        found = partials(p, lambda e, leaf=leaf: e == leaf).get(leaf, Const(0.0))
        assert complex(evaluate(found, numbers())) == pytest.approx(step(p, leaf.name), rel=1e-10, abs=1e-10)


@given(trees, trees)
def test_constructors_keep_the_value(a, b):
    u, v = evaluate(a, numbers()), evaluate(b, numbers())
    for made, value in (
        (add(a, b), u + v),
        (sub(a, b), u - v),
        (mul(a, b), u * v),
        (neg(a), -u),
        (real(a), u),
        (sub(mul(a, b), mul(b, a)), 0.0),
    ):
        scale = 1e-12 * (1.0 + abs(u)) * (1.0 + abs(v))
        assert complex(evaluate(made, numbers())) == pytest.approx(complex(value), rel=1e-12, abs=scale)


@given(trees)
def test_the_same_tree_gives_the_same_expressions(tree):
    assert partials(tree, lambda leaf: True) == partials(Apply("pos", (tree,)), lambda leaf: True)
