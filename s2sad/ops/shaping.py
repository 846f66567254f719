"""Rows: arrays are made, copied, and asked for their shape."""

from __future__ import annotations

from s2sad.ops.row import ARRAY, REAL, WHOLE, Op

# fmt: off
ROWS = (
    Op("shape", "x k", y="{x}.shape[{k}]", domain=ARRAY, result="int", structural="shape"),
    Op("trips", "start stop step", y="len(range({start}, {stop}, {step}))", domain=WHOLE, result="int",
       why="how often a loop runs"),
    Op("threads", "", y="thread_count()", domain=WHOLE, result="int",
       why="how many threads share a loop"),
    Op("zeros", "*shape", y="np.zeros({shape})", structural="new", names=("np.zeros",)),
    Op("ones", "*shape", y="np.ones({shape})", structural="new", names=("np.ones",)),
    Op("empty", "*shape", y="np.empty({shape})", structural="new", names=("np.empty",)),
    Op("full", "value *shape", y="np.full({shape}, {value})", d=("1.0",), result="same", structural="new",
       names=("np.full",)),
    Op("zeros_like", "x", y="np.zeros_like({x})", domain=ARRAY, result="same", structural="like",
       names=("np.zeros_like",)),
    Op("ones_like", "x", y="np.ones_like({x})", domain=ARRAY, result="same", structural="like",
       names=("np.ones_like",)),
    Op("empty_like", "x", y="np.empty_like({x})", domain=ARRAY, result="same", structural="like",
       names=("np.empty_like",)),
    Op("full_like", "x value", y="np.full_like({x}, {value})", d=("0.0", "1.0"), domain=(ARRAY, REAL),
       result="same", structural="like", names=("np.full_like",)),
    Op("copy", "x", y="{x}.copy()", d=("1.0",), domain=ARRAY, result="same", structural="copy",
       names=("np.copy",)),
    Op("slots", "*shape", y="real_slots(arena, {shape})", structural="new",
       why="undefined contents, in arena memory"),
    Op(
        "grown", "x", y="grown(arena, {x})", d=("1.0",), domain=ARRAY, result="same", structural="copy",
        why="twice as long along the first axis, in arena memory",
    ),
    Op("columns", "x", y="np.asfortranarray({x})", d=("1.0",), domain=ARRAY, result="same", structural="copy",
       why="the same, column by column"),
    Op("own", "x", y="own(arena, {x})", d=("1.0",), domain=ARRAY, result="same", structural="copy",
       why="in arena memory"),
    Op("computed", "x", y="np.asarray({x})", d=("1.0",), domain=ARRAY, result="same", structural="copy",
       why="the result of an array expression, for a name that is bound to views elsewhere"),
    Op("own_as", "x", y="own_as(arena, {x})", d=("1.0",), domain=ARRAY, result="same", structural="copy",
       why="in arena memory, lying there as x does"),
)
# fmt: on
