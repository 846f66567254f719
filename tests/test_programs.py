"""Random programs: right or refused, never wrong. `python -m tests.fuzz` runs many more of them."""

import random
from collections import Counter
from collections.abc import Sequence

import pytest
from checks import FIRST_ORDER, QUICK
from hypothesis import HealthCheck, given, settings
from judge import judge, smaller
from strategies import Choices, Part, Program, build, programs

SLOW = [
    HealthCheck.too_slow,
    HealthCheck.filter_too_much,
    HealthCheck.data_too_large,
    HealthCheck.large_base_example,
]
VERDICTS: Counter[str] = Counter()


@pytest.fixture(scope="module", autouse=True)
def tally(request):
    """Say at the end how many were right, and why the others were refused."""
    yield
    reporter = request.config.pluginmanager.getplugin("terminalreporter")
    if reporter is not None and VERDICTS:
        reporter.write_line("")
        reporter.write_line(
            "random programs: " + ", ".join(f"{n} {what}" for what, n in sorted(VERDICTS.items()))
        )


def examine(program: Program, jit: bool, checks: Sequence[str]) -> None:
    verdict = judge(program, jit=jit, checks=checks)
    VERDICTS[f"{verdict.kind} {verdict.code}".strip()] += 1
    assert verdict.kind != "wrong", f"{program.source}\n# f{program.arguments}\n{verdict.detail}"


@given(programs())
@settings(max_examples=10, deadline=None, suppress_health_check=SLOW)
def test_programs(program):
    examine(program, False, FIRST_ORDER)


@given(programs())
@settings(max_examples=8, deadline=None, suppress_health_check=SLOW)
def test_programs_second_order(program):
    examine(program, False, ("second_order",))


@given(programs(regions=True))
@settings(max_examples=8, deadline=None, suppress_health_check=SLOW)
def test_programs_with_stretches_that_are_run_again(program):
    examine(program, False, FIRST_ORDER)


@pytest.mark.parametrize("number", range(6))
def test_programs_compiled(number):
    examine(build(Choices(random.Random(f"compiled:{number}").randint)), True, QUICK)


def test_most_programs_are_not_refused():
    verdicts = [judge(build(Choices(random.Random(f"share:{k}").randint))).kind for k in range(12)]
    assert verdicts.count("right") >= 9, Counter(verdicts)


def test_same_seed_same_program():
    one, two = (build(Choices(random.Random(7).randint)) for _ in range(2))
    assert one.source == two.source


def test_cutting_down_keeps_what_is_needed():
    body = [
        Part("x = np.sin(x)"),
        Part("for i in range(n):", [Part("x = x * x"), Part("x += 1.0")]),
        Part("return x"),
    ]
    program = Program([Part("def f(x, n):", body)], (0.5, 2))
    cut = smaller(program, lambda p: "x * x" in p.source)
    assert [p.head for p in cut.parts[0].body or []] == ["x = x * x"]
