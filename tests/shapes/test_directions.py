"""Many directions at once: the text of every other case of the corpus, run with the plain twins, against one at a time.

All of them with `S2SAD_FULL=1`.
"""

import copy
import os
from pathlib import Path

import numpy as np
import pytest
from corpus import CASES
from reference import assert_close, directions_like, weights_like
from shapes.wide import energy, product_with, steady, waves

import s2sad
from s2sad import pipeline
from s2sad.arguments import leaf_values
from s2sad.emit.load import load
from s2sad.errors import S2sadError
from s2sad.frontend.kinds import kind_of_value
from s2sad.pipeline import Request
from s2sad.requests import made_once
from s2sad.shapes.directions import Alone
from s2sad.testing import leaves

RIGHT = list({c.f: c for c in CASES if not c.refused and not c.plain}.values())
SEEDS = (2, 5, 6)
FOLDER = Path(__file__).parent.parent / "golden" / "directions"


def name(case):
    return case.name


def function(built, entry):
    """What the text has, with the plain twins of the runtime."""
    text = built.text.replace("from s2sad_runtime import", "from s2sad_runtime.plain import")
    return getattr(load(text, "directions", built.arrays, built.classes, jit=False), entry)


def together(values):
    """Values of one shape, with a last axis for which of them."""
    return [np.stack([np.asarray(v) for v in each], -1) for each in zip(*values, strict=True)]


def along(got, like):
    """What was found for all directions; what is the same for all of them may lack the axis."""
    got = np.asarray(got)
    return got if got.shape == np.shape(like) else np.broadcast_to(got[..., None], np.shape(like))


def lowered(case):
    kinds = tuple(map(kind_of_value, case.arguments))
    fn = pipeline.lowered(case.f, kinds)
    return kinds, fn, tuple(n for p in fn.signature for n in pipeline.real_leaves(fn, p))


def tangent(case):
    kinds, fn, names = lowered(case)
    built = pipeline.tangent(Request(case.f), kinds, names, at_once=True)
    each = [directions_like(case.arguments, seed) for seed in SEEDS]
    want = together([leaves(s2sad.jvp(case.f, copy.deepcopy(case.arguments), d, jit=False)[1]) for d in each])
    given = together([[v for v in leaves(d) if v is not None] for d in each])
    values = leaf_values(fn, copy.deepcopy(case.arguments))
    out = function(built, built.entry)(*(values[p] for p in fn.params), *given)
    return (out if isinstance(out, tuple) else (out,))[len(fn.results) :], want


def pullback(case):
    kinds, fn, names = lowered(case)
    built, pull = pipeline.pullback(Request(case.f), kinds, names, at_once=True)
    _, back = s2sad.vjp(case.f, *copy.deepcopy(case.arguments), jit=False)
    weights = [weights_like(case.f(*copy.deepcopy(case.arguments)), seed) for seed in SEEDS]
    want = together([[v for v in leaves(back(w)) if v is not None] for w in weights])
    seeds = together([leaves(w) for w in weights])
    values = leaf_values(fn, copy.deepcopy(case.arguments))
    given = [values[p] for p in fn.params]
    *_, arena = function(built, built.entry)(*given)
    used = [s for s, seed in zip(seeds, built.derived.adjoint.seeds, strict=True) if seed is not None]
    return function(built, pull)(*given, *used, arena), want


def product(case):
    kinds, fn, names = lowered(case)
    positions = tuple(k for k, p in enumerate(fn.signature) if pipeline.real_leaves(fn, p))
    if case.order < 2 or len(fn.results) != 1:
        return (), ()
    built = pipeline.nested(Request(case.f, positions), kinds, names, (names,), at_once=True)
    each = [directions_like(case.arguments, seed) for seed in SEEDS]
    products = [s2sad.hvp(case.f, copy.deepcopy(case.arguments), d, jit=False) for d in each]
    want = together([[v for v in leaves(p) if v is not None] for p in products])
    given = together([[v for v in leaves(d) if v is not None] for d in each])
    values = leaf_values(fn, copy.deepcopy(case.arguments))
    _, got = function(built, built.entry)(*(values[p] for p in fn.params), *given)
    return [v for v in leaves(got) if v is not None], want


def at_once(case, mode):
    """Whether a mode does all directions of a case at once; that it does it right."""
    try:
        found, want = mode(case)
    except (Alone, S2sadError):
        return False
    assert len(found) == len(want)
    for got, expected in zip(found, want, strict=True):
        assert_close(along(got, expected), expected, 1e-11, mode.__name__)
    return True


@pytest.mark.parametrize("case", RIGHT if "S2SAD_FULL" in os.environ else RIGHT[::4], ids=name)
def test_corpus(case):
    for mode in (tangent, pullback, product):
        at_once(case, mode)


@pytest.mark.parametrize("theme", ["loops", "scalars", "branches", "inplace"])
def test_loops_go_at_once(theme):
    cases = [c for c in RIGHT if c.name.startswith(f"{theme}.")]
    assert sum(at_once(c, tangent) and at_once(c, pullback) for c in cases) > 0.6 * len(cases)


def test_nothing_depends():
    kinds = tuple(map(kind_of_value, (X, 3)))
    with pytest.raises(Alone):
        pipeline.pullback(Request(steady), kinds, ("x",), at_once=True)
    found = pipeline.tangent(Request(steady), kinds, ("x",), at_once=True)
    assert (
        along(function(found, found.entry)(X, 3, np.ones((70, 5)))[1], np.ones((3, 5))).tolist()
        == [[0.0] * 5] * 3
    )


def test_text(golden):
    """The tangent, the pullback and the tangent of the gradient of a loop."""
    kinds = tuple(map(kind_of_value, (X, Y)))
    golden(FOLDER / "tangent.py", pipeline.tangent(Request(energy), kinds, ("x",), at_once=True).text)
    golden(
        FOLDER / "pullback.py", pipeline.pullback(Request(energy), kinds, ("x", "A"), at_once=True)[0].text
    )
    nested = pipeline.nested(Request(energy, (0,)), kinds, ("x",), (("x",),), at_once=True)
    golden(FOLDER / "nested.py", nested.text)


# ----- compiled ------------------------------------------------------------------------------------------------


X = np.linspace(0.2, 0.9, 70)  # more than go into one sweep
Y = np.cos(np.arange(25.0)).reshape(5, 5)


@pytest.mark.parametrize(
    ("transform", "f", "arguments"),
    [
        (s2sad.jacfwd, waves, (X, 0.3, 2)),
        (s2sad.jacrev, waves, (X, 0.3, 2)),
        (s2sad.hessian, energy, (X[:5], Y)),
        (s2sad.jacfwd, product_with, (Y, X[:5])),
        (s2sad.jacrev, product_with, (Y, X[:5])),
        (s2sad.jacfwd, s2sad.grad(energy, (0, 1)), (X[:5], Y)),
    ],
)
def test_compiled(transform, f, arguments):
    got = transform(f, (0, 1))(*copy.deepcopy(arguments))
    plain = s2sad.grad(energy, (0, 1), jit=False) if f not in (waves, energy, product_with) else f
    want = transform(plain, (0, 1), **({"jit": False} if plain is f else {}))(*copy.deepcopy(arguments))
    for a, b in zip(leaves(got), leaves(want), strict=True):
        assert_close(a, b, 1e-11, transform.__name__)


def test_what_goes_one_by_one_is_found_out_once():
    made = []
    for _ in range(2):
        assert made_once(Request(energy), "columns", (2.0,), made.append) is None
    assert len(made) == 1
