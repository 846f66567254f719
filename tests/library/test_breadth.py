"""The list of functions and the page that shows it; every function of the library, run as it stands, is NumPy's."""

import ast
import warnings

import breadth
import numpy as np
import pytest

import s2sad
from s2sad import library
from s2sad.ops import OPS
from s2sad.testing import leaves

FOUND = breadth.examples()
RIGHT = [e for e in FOUND if e.how in breadth.THERE]
NAMES = {e.name for e in FOUND}


def name(value):
    return value.name if isinstance(value, breadth.Example) else None


def test_the_page_is_what_the_script_writes(golden):
    golden(breadth.PAGE, breadth.page(FOUND))


def test_every_function_there_is_has_an_example():
    assert {n for op in OPS.values() for n in op.names} <= NAMES
    assert set(library.table()) <= NAMES
    assert set(breadth.autograd_names()) <= NAMES
    assert len(NAMES) == len(FOUND)


@pytest.fixture(scope="module")
def functions():
    made = breadth.functions([e.text for e in FOUND])
    return {e.name: f for e, f in zip(FOUND, made, strict=True)}


def values(function, args):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return function(*args)


@pytest.mark.parametrize("example", FOUND, ids=name)
def test_examples_go_as_the_list_says(example, functions):
    """In plain Python; and the value is NumPy's."""
    args = breadth.arguments()
    f = functions[example.name]
    code = breadth.differentiated(f, jit=False)
    assert code == ("" if example.how in breadth.THERE else example.how)
    if not code:
        tangents = tuple(np.ones_like(a) for a in args)
        value, _ = s2sad.jvp(f, breadth.arguments(), (*tangents[:-1], 1.0), jit=False)
        same(value, values(f, args))


EMPTY = (np.zeros(0), np.zeros(0), np.zeros((0, 3)), np.eye(3), np.zeros((2, 0, 4)), 0.4)


@pytest.mark.parametrize("example", RIGHT, ids=name)
def test_of_nothing(example, functions):
    """What NumPy makes of empty arrays is made of them; where NumPy raises, nothing is asked."""
    f = functions[example.name]
    try:
        expected = values(f, EMPTY)
    except (ValueError, IndexError, TypeError, ZeroDivisionError):
        pytest.skip("NumPy has no value here")
    tangents = tuple(np.ones_like(a) for a in EMPTY)
    value, _ = values(lambda *args: s2sad.jvp(f, args, (*tangents[:-1], 1.0), jit=False), EMPTY)
    same(value, expected)


def same(value, expected):
    for a, b in zip(leaves(value), leaves(expected), strict=True):
        assert np.shape(a) == np.shape(b)
        assert np.allclose(a, b, rtol=1e-13, atol=1e-13, equal_nan=True)


class Written(ast.NodeTransformer):
    """Calls the library's functions in place of NumPy's."""

    def visit_Attribute(self, node):
        self.generic_visit(node)
        text = ast.unparse(node)
        return ast.parse(f"written[{text!r}]", mode="eval").body if text in library.table() else node


#: Those that are written for every call of theirs.
WHOLE = [e for e in RIGHT if e.name in library.table() and not library.table()[e.name].only]


@pytest.mark.parametrize("example", WHOLE, ids=name)
def test_functions_of_the_library_run_as_they_stand(example):
    module = ast.parse(breadth.HEADER + f"\n\ndef f(x, p, A, P, c, s):\n    return {example.text}\n")
    scope = {"written": {n: w.function for n, w in library.table().items()}}
    exec(compile(ast.fix_missing_locations(Written().visit(module)), "<written>", "exec"), scope)
    plain = {}
    exec(breadth.HEADER + f"\n\ndef f(x, p, A, P, c, s):\n    return {example.text}\n", plain)
    args = breadth.arguments()
    same(values(scope["f"], args), values(plain["f"], args))


PAIRS = [
    op for op in OPS.values()
    if not op.structural and len(op.fixed) > 1 and op.names and op.names[0].startswith(("np.", "scipy.")) and op.d
]  # fmt: skip


@pytest.mark.parametrize("op", PAIRS, ids=lambda op: op.key)
def test_every_operand_is_broadcast(op):
    """The dot product of a tangent and a pullback, each operand in turn having fewer dimensions than the others."""
    rng = np.random.default_rng(3)
    f = of_row(op)
    for k in range(len(op.fixed)):
        args = tuple(drawn(d, () if m == k else (2, 3), rng) for m, d in enumerate(op.domains))
        wide = tuple(drawn(d, (3,) if m == k else (2, 1), rng) for m, d in enumerate(op.domains))
        for point in (args, wide):
            if all(np.ndim(a) == 0 for a in point):
                continue
            tangents = tuple(direction(op, m, a, rng) for m, a in enumerate(point))
            value, ydot = s2sad.jvp(f, point, tangents, jit=False)
            assert np.allclose(value, f(*point), rtol=1e-14)
            weights = rng.standard_normal(value.shape)
            active = [m for m, t in enumerate(tangents) if t is not None]
            scalar = dotted(op, active, point, weights)
            left = sum(np.sum(scalar[m] * tangents[m]) for m in active)
            assert left == pytest.approx(np.sum(weights * ydot), rel=1e-10)


def of_row(op):
    """A function of the row's operands."""
    return breadth.functions([f"{op.names[0]}({', '.join(op.fixed)}) * 1.5"], op.fixed)[0]


def dotted(op, active, point, weights):
    """The pullback, of active operands alone (a row may have no slope for the others)."""
    (g,) = breadth.functions([f"np.sum({op.names[0]}({', '.join(op.fixed)}) * 1.5 * w_)"], (*op.fixed, "w_"))
    found = s2sad.grad(g, argnums=tuple(active), jit=False)(*point, weights)
    return dict(zip(active, found, strict=True))


def drawn(domain, shape, rng):
    if domain.text == "whole":
        return 2
    if domain.text == "true or false":
        return rng.random(shape or 1) < 0.5 if shape else bool(rng.random() < 0.5)
    value = rng.uniform(domain.low, domain.high, shape)
    return value if shape else float(value)


def direction(op, m, value, rng):
    """A direction for an operand that has a slope; None for one that is discrete, or that nobody has a slope for."""
    if m >= len(op.d) or op.d[m] == "unknown" or np.asarray(value).dtype.kind != "f":
        return None
    made = rng.standard_normal(np.shape(value))
    return made if np.ndim(value) else float(made)
