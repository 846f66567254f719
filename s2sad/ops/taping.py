"""Rows: what a recording function calls to put statements on a tape, and to hand indices on. All of them give indices."""

from __future__ import annotations

from s2sad.ops.row import WHOLE, Op


def _op(key: str, params: str, why: str) -> Op:
    operands = ", ".join(f"{{{p.lstrip('*')}}}" for p in params.split())
    domain = tuple(WHOLE for p in params.split() if not p.startswith("*"))
    return Op(
        key, params, y=f"{key}({operands})", domain=domain, result="int", cost="dear", structural="tape", why=why
    )  # fmt: skip


ROWS = (
    _op("record", "tape old *pairs", "a statement of a scalar: (index, partial) per argument"),
    _op("copy_index", "tape old source", "a copy of a scalar"),
    _op("drop_index", "tape old", "a scalar becomes passive"),
    _op("int_bits", "n", "a whole number, as it is put down"),
    _op("ints_bits", "a", "an array of whole numbers, as it is put down"),
    _op("pack", "*items", "a tuple of operands"),
    _op("note", "tape site old value pairs constants", "a statement of a scalar: (index, value) per operand"),
    _op("note_sum", "tape old value indices values", "a sum of all elements of an array"),
    _op("note_dot", "tape old value a a_i b b_i", "the product of two vectors"),
    _op("note_copy", "tape old source", "a copy of a scalar"),
    _op("noted_copy", "tape source", "a copy of an array"),
    _op("copied", "tape source", "a copy of an array"),
    _op("no_indices", "a", "a fresh array is passive"),
    _op("as_indices", "a", "indices that were moved about"),
    _op("record_sum", "tape old indices partials", "a scalar of all elements of an array"),
    _op("record_dot11", "tape old a a_i b b_i", "the product of two vectors"),
    _op("record_dot12", "tape a a_i b b_i", "the product of a vector and a matrix"),
    _op("record_dot21", "tape a a_i b b_i", "the product of a matrix and a vector"),
    _op("new_entity", "tape a", "an array is born"),
    _op("share_entity", "tape axes index", "one more name for an array"),
    _op("copy_number", "tape site old source value", "a copy of a number"),
    _op("put_number", "tape site old value entities pairs given", "a statement that gives a number"),
    _op("copy_value", "tape site old source fields", "a copy of a value of several numbers"),
    _op(
        "put_value",
        "tape site old fields entities pairs given",
        "a statement that gives a value of several numbers",
    ),
    _op("drop_value", "tape size old", "a value of several numbers becomes passive"),
    _op("record_dot22", "tape a a_i b b_i", "the product of two matrices"),
)
