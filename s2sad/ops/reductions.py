"""Rows: an array becomes a scalar, and how a slope is shared between its elements."""

from __future__ import annotations

from s2sad.ops.row import ARRAY, POSITIVE, REAL, WHOLE, Op

# fmt: off
ROWS = (
    Op("sum", "x", y="np.sum({x})", d=("1.0",), domain=ARRAY, result="same", structural="sum",
       names=("np.sum",)),
    Op("amax", "x", y="np.max({x})", d=("ties(x, y)",), domain=ARRAY, result="same", structural="amax",
       names=("np.max", "np.amax"), why="ties share evenly"),
    Op("amin", "x", y="np.min({x})", d=("ties(x, y)",), domain=ARRAY, result="same", structural="amax",
       names=("np.min", "np.amin"), why="ties share evenly"),
    Op("ties", "x m", result="double", y="np.where({x} == {m}, 1.0, 0.0) / np.sum({x} == {m})", domain=(ARRAY, REAL),
       why="equal shares for the elements that equal m"),
    Op("median", "x", result="double", y="np.median({x})", d=("middle_shares(x)",), domain=ARRAY, structural="amax",
       names=("np.median",), why="one half each for two middle values; ties share evenly"),
    Op("middle_shares", "x", result="double", y="middle_shares({x})", domain=ARRAY,
       why="the slope of the median: equal shares for the elements that equal a middle value"),
    Op(
        "norm", "x", y="np.linalg.norm({x})", d=("where(y == 0.0, 0.0, x / y)",), domain=ARRAY, structural="sum",
        names=("np.linalg.norm",), why="the Euclidean norm of all elements; 0 at the origin, where it has no slope",
    ),
    Op("root", "s", y="np.sqrt({s})", d=("where(y == 0.0, 0.0, 0.5 / y)",), domain=POSITIVE,
       why="of a sum of squares: 0 at the origin, where it has no slope"),
    Op("root_of_order", "s p", result="double", y="{s} ** (1.0 / {p})", domain=POSITIVE,
       d=("where(s == 0.0, 0.0, y / (p * s))", "where(s == 0.0, 0.0, -y * log(s) / (p * p))"),
       why="of a sum of powers of order p: 0 at the origin, where it has no slope"),
    Op("argmax", "x", y="np.argmax({x})", domain=ARRAY, result="int", structural="pick", names=("np.argmax",)),
    Op("argmin", "x", y="np.argmin({x})", domain=ARRAY, result="int", structural="pick", names=("np.argmin",)),
    Op(
        "searchsorted", "x v", y="np.searchsorted({x}, {v})", domain=ARRAY, result="int", structural="pick",
        names=("np.searchsorted",),
    ),
    Op("count_nonzero", "x", y="np.count_nonzero({x})", domain=ARRAY, result="int", structural="pick",
       names=("np.count_nonzero",)),
    Op("argsort", "x", y="np.argsort({x})", domain=ARRAY, result="int", structural="like",
       why="the order of equal ones is up to NumPy"),
    Op("argsort_stable", "x", y="np.argsort({x}, kind='mergesort')", domain=ARRAY, result="int", structural="like"),
    Op("argpartition", "x k", y="np.argpartition({x}, {k})", domain=(ARRAY, WHOLE), result="int", structural="like"),
    Op("searchsorted_right", "x v", y="np.searchsorted({x}, {v}, 'right')", domain=ARRAY, result="int",
       structural="pick"),
    Op("nonzero", "x", y="np.flatnonzero({x})", domain=ARRAY, result="int", structural="like", ndim=1,
       why="positions in flat order"),
    Op("item", "x", y="{x}.item()", d=("1.0",), domain=ARRAY, result="same", structural="sum",
       why="the only element"),
)
# fmt: on
