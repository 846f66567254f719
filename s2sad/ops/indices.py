"""Rows: the refcounted pools of indices that entities of dynamic classes carry, and their adjoint places."""

from __future__ import annotations

from s2sad.ops.row import ARRAY, WHOLE, Op

ROWS = (
    Op("common", "n m", y="common({n}, {m})", domain=(WHOLE, WHOLE), result="int",
       why="the length that two axes have together"),
    Op("new_pool", "", y="new_pool(arena)", structural="new", why="index 0 is nobody's"),
    Op(
        "pool_new", "pool", y="pool_new(arena, {pool})", domain=ARRAY, result="int", cost="dear", structural="index",
        why="the index of an entity just born: a free one, or the next",
    ),
    Op(
        "pool_share", "pool i", y="pool_share({pool}, {i})", domain=(ARRAY, WHOLE), result="int", cost="dear",
        structural="index", why="the same index once more: nothing is copied, nothing recorded",
    ),
    Op(
        "new_places", "pool layers", y="new_places(arena, {pool}, {layers})", domain=(ARRAY, WHOLE), structural="like",
        why="adjoint memory by index, made at first touch",
    ),
    Op(
        "place", "places i like layer", y="place(arena, {places}, {i}, {like}, {layer})",
        domain=(ARRAY, WHOLE, ARRAY, WHOLE), structural="copy", why="the adjoint of the entity that has this index",
    ),
    Op("new_parts", "", y="new_parts(arena)", structural="new", why="index 0 is nobody's"),
    Op(
        "part_new", "pool a", y="part_new(arena, {pool}, {a})", domain=(ARRAY, ARRAY), result="int", cost="dear",
        structural="index", why="the number of an entity just born, whose memory is noted",
    ),
    Op(
        "part_share", "pool i", y="part_share({pool}, {i})", domain=(ARRAY, WHOLE), result="int", cost="dear",
        structural="index", why="the same number once more, of the entity or of a part of it",
    ),
    Op(
        "part", "places i like layer pool", y="part_place(arena, {places}, {i}, {like}, {layer}, {pool})",
        domain=(ARRAY, WHOLE, ARRAY, WHOLE, ARRAY), structural="copy",
        why="the adjoint of what an array looks at in the entity of that number",
    ),
)  # fmt: skip
