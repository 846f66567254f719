"""Every case of the corpus in every mode, against references that s2sad has no part in; plain ones with checking pools.

Compiling takes most of the time: of every other theme the first function is compiled, and the first full case goes
through every twenty-seventh check, other ones in the next theme; all of them with `S2SAD_FULL=1`, which takes an hour.
"""

import os
from collections import defaultdict

import pytest
from checks import ALL, QUICK, Run
from corpus import CASES
from judge import watched_pools

import s2sad
from s2sad.widened import is_single


def name(value):
    return value if isinstance(value, str) else value.name


def first(cases, most):
    """The first few cases of each theme, or all of them."""
    themes = defaultdict(list)
    for case in cases:
        themes[case.name.partition(".")[0]].append(case)
    return [c for some in themes.values() for c in some[: None if "S2SAD_FULL" in os.environ else most]]


SPARSE = ("alone", "entities", "in_loops", "second_order")  # checks that every fourth case goes through
RIGHT = [c for c in CASES if not c.refused]
FULL = [c for c in RIGHT if c.full]
PLAIN = [c for c in RIGHT if c.plain]
COMPILED = list({c.f: c for c in reversed(RIGHT) if not c.plain and c.f not in {d.f for d in FULL}}.values())[
    ::-1
]


@pytest.mark.parametrize(
    ("case", "check"),
    [
        pytest.param(case, check, id=f"{case.name}-{check}")
        for k, case in enumerate(RIGHT)
        for check in ALL
        if "S2SAD_FULL" in os.environ or check not in SPARSE or (k + SPARSE.index(check)) % 4 == 0
    ],
)
def test_plain(case, check):
    if check == "second_order" and case.order < 2:
        pytest.skip("a kink")
    run = Run.of(case.f, case.arguments, case.expected, rounded=case.rounded, jit=False)
    with watched_pools() as dirty:
        getattr(run, check)()
    assert not dirty()


@pytest.mark.parametrize("case", first(COMPILED, 1)[:: 1 if "S2SAD_FULL" in os.environ else 2], ids=name)
def test_compiled(case):
    """Value and gradient of one case of every function (of a result that is no scalar: the pullback)."""
    exact = is_single(case.f, case.arguments) and not case.rounded  # types, too, are to be those of Numba
    run = Run.of(case.f, case.arguments, case.expected, exact, case.rounded, jit=True)
    run.gradient() if run.scalar else run.pullback()


@pytest.mark.parametrize(
    ("case", "check"),
    [
        pytest.param(case, check, id=f"{case.name}-{check}")
        for k, case in enumerate(first(FULL, 1))
        for j, check in enumerate(c for c in ALL if c not in QUICK[1:])
        if "S2SAD_FULL" in os.environ or (j + k) % 27 == 0
    ],
)
def test_compiled_in_full(case, check):
    run = Run.of(case.f, case.arguments, case.expected, exact=not case.rounded, jit=True)
    getattr(run, check)()


@pytest.mark.parametrize("case", PLAIN, ids=name)
def test_plain_alone(case):
    with pytest.raises(s2sad.S2sadError) as e:
        s2sad.vjp(case.f, *case.arguments)
    assert e.value.code in ("S026", "S029", "S062")


@pytest.mark.parametrize("case", [c for c in CASES if c.refused], ids=name)
@pytest.mark.parametrize("check", ALL)
def test_refused(case, check):
    """With the code that is expected, and with nothing changed."""
    run = Run.of(case.f, case.arguments, jit=False)
    with pytest.raises(s2sad.S2sadError) as e:
        getattr(run, check)()
    assert e.value.code == case.refused
