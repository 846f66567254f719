"""Rows: an array becomes a scalar."""

from __future__ import annotations

from s2sad.ops.row import ARRAY, Op

EVENLY = "where(x == y, 1.0 / sum(where(x == y, 1.0, 0.0)), 0.0)"

ROWS = (
    Op("sum", "x", y="np.sum({x})", d=("1.0",), domain=ARRAY, result="same", structural="sum", names=("np.sum",)),
    Op(
        "amax", "x", y="np.max({x})", d=(EVENLY,), domain=ARRAY, result="same", structural="amax",
        names=("np.max", "np.amax"), why="ties share evenly",
    ),
    Op(
        "amin", "x", y="np.min({x})", d=(EVENLY,), domain=ARRAY, result="same", structural="amax",
        names=("np.min", "np.amin"), why="ties share evenly",
    ),
    Op("item", "x", y="{x}.item()", d=("1.0",), domain=ARRAY, result="same", structural="sum", why="the only element"),
)  # fmt: skip
