"""The table: rows are well formed, found by function, and give the right kinds."""

import math

import numpy as np
import pytest
import scipy.special  # noqa: F401  (rows of its functions are found once it is loaded)

from s2sad.ir.nodes import BOOL, INT, REAL, Kind
from s2sad.ops import OPS, describe, find, find_name, result_kind
from s2sad.ops.check import faults, table_faults
from s2sad.ops.row import Op
from s2sad.ops.table import resolve

VECTOR, MATRIX, FLAGS = Kind("real", 1), Kind("real", 2), Kind("bool", 1)


def test_every_row_is_well_formed():
    assert table_faults() == []


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        (Op("f", "x x", y="{x}"), "parameters are not distinct, or one is called y"),
        (Op("f", "a b", y="f({a})"), "f({a}) doesn't use just the parameters"),
        (Op("f", "x", y="{x}", d=("1.0", "1.0")), "more slopes than operands"),
        (Op("f", "x", y="{x}", d=("q",)), "slope 0 uses q, which the row does not know"),
        (Op("f", "x", y="{x}", d=("digamma(x)",)), "slope 0: `digamma` isn't in the table of operations"),
        (Op("f", "x", y="{x}", d=("x[0]",)), "slope 0: `x[0]` has no meaning in a formula"),
        (Op("f", "x", y="{x}", guarded=True), "guarded, but nothing flows"),
    ],
)
def test_the_checker_tells_what_is_wrong(row, fault):
    assert faults(row) == [fault]


NAMES = sorted((name, op.key) for op in OPS.values() for name in op.names)


@pytest.mark.parametrize(("name", "key"), NAMES)
def test_every_name_leads_to_its_row(name, key):
    function = resolve(name)
    assert function is not None
    assert find(function)[0].key == find_name(name).key == key


def test_a_function_is_spelled_as_its_module_spells_it():
    assert [find(f)[1] for f in (np.sin, math.sin, abs, np.abs, max, np.maximum, np.asin)] == [
        "np.sin", "math.sin", "abs", "np.abs", "max", "np.maximum", "np.arcsin",
    ]  # fmt: skip


def test_what_is_not_in_the_table_is_not_found():
    assert find(np.fft.fft) is None
    assert find([]) is None
    assert find_name("np.nothing") is None


@pytest.mark.parametrize(
    ("key", "kinds", "kind"),
    [
        ("add", (INT, INT), INT),
        ("add", (BOOL, INT), INT),
        ("add", (INT, REAL), REAL),
        ("mul", (VECTOR, REAL), VECTOR),
        ("div", (INT, INT), REAL),
        ("sin", (INT,), REAL),
        ("sin", (MATRIX,), MATRIX),
        ("lt", (VECTOR, REAL), FLAGS),
        ("and", (BOOL, BOOL), BOOL),
        ("floor_int", (REAL,), INT),
        ("where", (FLAGS, REAL, INT), VECTOR),
        ("where", (BOOL, INT, INT), INT),
        ("where", (BOOL, BOOL, BOOL), BOOL),
        ("sum", (MATRIX,), REAL),
        ("sum", (Kind("int", 1),), INT),
        ("amax", (VECTOR,), REAL),
        ("ties", (VECTOR, REAL), VECTOR),
        ("shape", (MATRIX, INT), INT),
        ("zeros", (INT, INT), MATRIX),
        ("full", (REAL, INT, INT), MATRIX),
        ("full", (INT, INT), Kind("int", 1)),
        ("zeros_like", (MATRIX,), MATRIX),
        ("full_like", (VECTOR, REAL), VECTOR),
        ("copy", (MATRIX,), MATRIX),
    ],
)
def test_kinds_of_results(key, kinds, kind):
    assert result_kind(key, kinds) == kind
    assert result_kind(OPS[key], kinds) == kind


def test_which_operands_carry_derivatives():
    assert [OPS["where"].flows(k) for k in range(3)] == [False, True, True]
    assert [OPS["full"].flows(k) for k in range(3)] == [True, False, False]
    assert not OPS["floor"].flows(0)


def test_how_many_operands_fit():
    assert OPS["clip"].takes(3)
    assert not OPS["clip"].takes(2)
    assert OPS["zeros"].takes(3)
    assert not OPS["full"].takes(0)


def test_the_listing_says_how_to_call_an_operation_and_what_its_slopes_are():
    rows = {row.key: row for row in describe()}
    assert list(rows) == list(OPS)
    assert rows["arctan2"] == (
        "arctan2", ("np.arctan2", "math.atan2"), "np.arctan2(a, b)",
        ("b / r with r = a * a + b * b", "-a / r with r = a * a + b * b"), ("real", "not 0"), "",
    )  # fmt: skip
    assert rows["floor"].slopes == ("0.0",)


def test_the_listing_can_be_narrowed():
    assert [row.key for row in describe("arcta")] == ["arctan", "arctan2", "arctanh"]
    assert [row.key for row in describe("math.sin*")] == ["sin", "sinh"]
    assert describe("nothing like it") == []
