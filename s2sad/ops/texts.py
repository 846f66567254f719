"""Rows: text made of numbers, for exceptions and `print`."""

from __future__ import annotations

from s2sad.ops.row import Op

# fmt: off
ROWS = (
    Op("text", "*parts", y="{parts}", result="text", structural="text", why="the parts of an f-string in a row"),
    Op("format", "x spec", y="format({x}, {spec})", result="text", structural="text", why="a part with a format"),
    Op("items", "*items", y="({items})", result="text", structural="text", why="a tuple, as one argument"),
)
# fmt: on
