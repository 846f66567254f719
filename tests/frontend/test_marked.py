"""Every case of the corpus as a function that is run again on the way back, and in a region: the same derivatives."""

import os
import types

import pytest
from checks import Run
from corpus import CASES
from reference import assert_close, weights_like

import s2sad
from s2sad.rules import registered

#: What a call that stays a call, or a region, doesn't do.
REFUSED = {"S029", "S080", "S081", "S084"}


def one(f):
    def region(a):
        with s2sad.checkpoint():
            y = f(a)
        return y  # noqa: RET504

    return region


def two(f):
    def region(a, b):
        with s2sad.checkpoint():
            y = f(a, b)
        return y  # noqa: RET504

    return region


def three(f):
    def region(a, b, c):
        with s2sad.checkpoint():
            y = f(a, b, c)
        return y  # noqa: RET504

    return region


def call_of_one(f):
    def called(a):
        return f(a)

    return called


def call_of_two(f):
    def called(a, b):
        return f(a, b)

    return called


def call_of_three(f):
    def called(a, b, c):
        return f(a, b, c)

    return called


REGIONS = {1: one, 2: two, 3: three}
CALLED = {1: call_of_one, 2: call_of_two, 3: call_of_three}
WRAPPED = [  # (a copy of a registered function has no rule)
    c
    for c in CASES
    if not c.refused
    and len(c.arguments) in REGIONS
    and isinstance(c.f, types.FunctionType)
    and registered(c.f) is None
]


def twin(f):
    """The same function, without a mark."""
    made = types.FunctionType(f.__code__, f.__globals__, f.__name__, f.__defaults__, f.__closure__)
    made.__kwdefaults__ = f.__kwdefaults__
    return made


def derivatives(f, case, options):
    """The value and derivatives in both modes."""
    run = Run(f, case.arguments, None, (), options)
    y, tangent = s2sad.jvp(f, run.fresh(), run.tangents, **options)
    if isinstance(y, float):
        return y, tangent, s2sad.grad(f, run.active, **options)(*run.fresh())
    value, pullback = s2sad.vjp(f, *run.fresh(), **options)
    return y, tangent, pullback(weights_like(value))


@pytest.mark.parametrize(
    ("number", "case"),
    [
        pytest.param(k, case, id=case.name)
        for k, case in enumerate(WRAPPED)
        if "S2SAD_FULL" in os.environ or k % 2
    ],
)
def test_run_again(number, case):
    """Either way by turns, or neither; both with `S2SAD_FULL=1`."""
    wanted = derivatives(case.f, case, {"jit": False})
    f, count = twin(case.f), len(case.arguments)
    ways = {"called": CALLED[count](s2sad.checkpoint(f)), "region": REGIONS[count](f)}
    if "S2SAD_FULL" not in os.environ:
        del ways["called" if number % 4 == 1 else "region"]
    for how, g in ways.items():
        try:
            got = derivatives(g, case, {"jit": False})
        except s2sad.S2sadError as error:
            assert error.code in REFUSED | ({"S072"} if case.plain else set()), how  # noqa: PT017
            continue
        assert_close(got, wanted, 1e-12, how)
