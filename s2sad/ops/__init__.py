"""The table of operations: one row each, from which derivatives, costs, documentation and tests follow.

Read `row` (what a row says), then the rows (`arithmetic`, `elementwise`, `reductions`, `shaping`), gathered
in `table`. `formula` reads their slopes, `build` makes expressions that read well, `pullback` differentiates
expressions, `evaluate` runs them, `check` tells whether a row is well formed.
"""

from s2sad.ops.build import ONE, ZERO, add, build, div, is_one, is_zero, mul, neg, pow_, sub, where_
from s2sad.ops.formula import parse
from s2sad.ops.pullback import dear, guarded, partial, partials
from s2sad.ops.row import Op
from s2sad.ops.table import OPS, describe, find, find_name, result_kind, several

__all__ = [
    "ONE",
    "OPS",
    "ZERO",
    "Op",
    "add",
    "build",
    "dear",
    "describe",
    "div",
    "find",
    "find_name",
    "guarded",
    "is_one",
    "is_zero",
    "mul",
    "neg",
    "parse",
    "partial",
    "partials",
    "pow_",
    "result_kind",
    "several",
    "sub",
    "where_",
]
