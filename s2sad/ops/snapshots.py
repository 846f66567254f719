"""Rows: plans of snapshots, and the places they go to."""

from __future__ import annotations

from s2sad.ops.row import ARRAY, WHOLE, Op

# fmt: off
ROWS = (
    Op("disk_slots", "*shape", y="disk_slots(arena, {shape})", structural="new",
       why="undefined contents, in a file without a name"),
    Op("revolve_plan", "n snapshots", y="revolve_plan(arena, {n}, {snapshots})", domain=WHOLE, structural="new",
       why="the fewest steps run again"),
    Op("uniform_plan", "n snapshots", y="uniform_plan(arena, {n}, {snapshots})", domain=WHOLE, structural="new",
       why="snapshots evenly spaced"),
    Op("online_plan", "n snapshots", y="online_plan(arena, {n}, {snapshots})", domain=WHOLE, structural="new",
       why="the number of steps is not known"),
    Op("given_plan", "n rows", y="given_plan(arena, {n}, {rows})", domain=(WHOLE, ARRAY), structural="new",
       why="actions that are given, one a row"),
    Op("places_of", "plan", y="places_of({plan})", domain=ARRAY, result="int", structural="pick",
       why="how many snapshots a plan provides for"),
    Op("address_of", "x", y="address_of({x})", domain=ARRAY, result="int", structural="pick",
       why="two names with one address share their memory"),
)
# fmt: on
