"""float32: the types that names are given are those of Numba; what is not compiled, or not recorded, is refused."""

import copy
import warnings

import numba
import numpy as np
import pytest
from corpus.singles import CASES

import s2sad
from s2sad import pipeline
from s2sad.emit.load import load
from s2sad.frontend.kinds import kind_of_value
from s2sad.frontend.lower import lower
from s2sad.pipeline import Options, Request

MATRIX = np.array([[2.0, 0.3], [0.3, 1.0]], dtype=np.float32)
NAMED = {c.f.__name__: c for c in CASES}


@pytest.mark.parametrize(
    "name", ["made_like", "decided", "stored_in_doubles", "chosen", "in_doubles_between"]
)
def test_types_are_those_of_numba(name):
    """Of every name of the forward sweep: what is kept is kept as it is."""
    from numba.core import types

    case = NAMED[name]
    kinds = tuple(map(kind_of_value, case.arguments))
    fn = lower(case.f, kinds)
    active = tuple(n for p in fn.signature for n in pipeline.real_leaves(fn, p))
    built, _ = pipeline.pullback(Request(case.f, options=Options(cache=False)), kinds, active)
    module = load(built.text, built.entry, built.arrays, built.classes, jit=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        getattr(module, built.entry)(*copy.deepcopy(case.arguments))
    (compiled,) = getattr(module, f"{name}_fwd").overloads.values()
    seen = 0
    for version, ty in compiled.type_annotation.typemap.items():
        kind = built.derived.function.kinds.get(version.partition(".")[0])
        of = ty.dtype if isinstance(ty, types.Array) else ty
        if kind is not None and kind.is_real and isinstance(of, types.Float):
            assert of == (types.float32 if kind.base == "single" else types.float64), version
            seen += 1
    assert seen > 3


def factorised(A):
    return np.sum(np.linalg.cholesky(A))


def of_two_types(A, u):
    return np.sum(A @ u)


@pytest.mark.parametrize(("f", "arguments"), [(factorised, (MATRIX,)), (of_two_types, (MATRIX, np.ones(2)))])
def test_not_compiled(f, arguments):
    with pytest.raises(s2sad.KindError) as caught:
        s2sad.grad(f)(*arguments)
    assert caught.value.code == "S062"
    assert "float64" in caught.value.hint
    s2sad.check_grads(f, arguments, jit=False)


@s2sad.custom_vjp
def ruled(x):
    return x * x


ruled.defvjp(lambda x: (x * x, x), lambda x, w: (2.0 * x * w,))


def with_a_rule(x):
    return ruled(x) * x


def with_a_derivative(x):
    return np.sum(s2sad.grad(lambda y: np.sum(np.sin(y) * x))(np.array([x, x * x])))


@pytest.mark.parametrize("f", [with_a_rule, with_a_derivative])
@pytest.mark.parametrize("jit", [False, True])
def test_rules_are_for_float64(f, jit):
    with pytest.raises(s2sad.KindError) as caught:
        s2sad.grad(f, jit=jit)(np.float32(0.7))
    assert caught.value.code == "S062"


def test_checks_are_against_float64():
    s2sad.check_grads(NAMED["running_sum"].f, NAMED["running_sum"].arguments, jit=False)


def wrong_rule(x):
    return np.sum(x * x) * np.float32(1.0)


def test_checks_find_faults(monkeypatch):
    from s2sad import testing

    monkeypatch.setattr(
        testing,
        "jvp",
        lambda f, a, t, **options: (f(*a), np.float32(1.001) * s2sad.jvp(f, a, t, **options)[1]),
    )
    with pytest.raises(s2sad.GradientCheckError):
        s2sad.check_grads(wrong_rule, (np.array([0.3, 0.7], dtype=np.float32),), jit=False)


def of_unknown_type(x):
    return np.sum(np.array([2.0 * x, x]) * 0.1)


def test_arrays_whose_type_shows_when_they_are_made():
    """NumPy makes float32 of it, Numba float64: without Numba it is refused, with a `dtype` it isn't needed."""
    with pytest.raises(s2sad.KindError, match="shows when it runs") as caught:
        s2sad.value_and_grad(of_unknown_type, jit=False)(np.float32(0.7))
    assert caught.value.code == "S062"
    value, slope = s2sad.value_and_grad(of_unknown_type)(np.float32(0.7))
    assert value == numba.njit(of_unknown_type)(np.float32(0.7))
    assert slope == pytest.approx(0.3, rel=1e-6)


def of_their_type(x, n):
    """Arrays of the type that others have together."""
    a = np.full(3, x[0], dtype=np.result_type(x, np.float32))
    b = np.ones((2, 2), np.result_type(n, 1))
    c = np.empty(2, np.result_type(x[0], n))
    c[:] = x[1] * x[2]
    d = np.zeros(3, np.result_type(x, np.float64))
    d += x
    return np.sum(a * x) + np.sum(b) * x[1] + np.sum(c * c) + np.sum(d * d)


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_the_type_that_arrays_have_together(kind, jit):
    """Values in eighths, which both types hold."""
    x = np.array([0.5, 1.5, 2.0], kind)
    value, slope = s2sad.value_and_grad(of_their_type, jit=jit)(x, 2)
    assert value == of_their_type(x, 2)
    assert slope.dtype == kind
    shares = np.array([0.0, 2.0 * 2.0 * 3.0 * 2.0 + 4.0, 2.0 * 2.0 * 3.0 * 1.5])
    first = np.array([4.0, 0.0, 0.0])
    assert np.array_equal(slope, first + np.array([0.5, 0.5, 0.5]) + shares + 2.0 * x)
