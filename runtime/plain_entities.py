"""The plain twins of `entities`: lists in place of chunks, a PlainTape per number of axes."""

# ruff: noqa: D103 (what these do stands where they are compiled)

import numpy as np

from s2sad_runtime.plain_kept import keep_values, set_value
from s2sad_runtime.plain_tape import LINEAR, REUSE, PlainTape

__all__ = [
    "copy_number", "end_entity", "entity_tape", "new_entity", "put_number", "put_numbers", "put_statement",
    "seal_entities", "share_entity",
]  # fmt: skip


def entity_tape(tape):
    keep_values(tape)
    tape.pools = {}


def seal_entities(tape):
    """Lists know how long they are."""


def _pool(tape, axes):
    if axes not in tape.pools:
        tape.pools[axes] = pool = PlainTape()
        pool.manager, pool.check = tape.manager, tape.check
        keep_values(pool)
    return tape.pools[axes]


def new_entity(tape, a):
    pool = _pool(tape, a.ndim)
    index = pool.fresh()
    most = max(pool.primal[index], a.size) if index < len(pool.primal) else a.size
    set_value(pool, index, most)
    return index


def share_entity(tape, axes, index):
    pool = _pool(tape, axes)
    pool.uses[pool.held(index)] += 1
    pool.copies += 1
    return index


def end_entity(tape, index, a):
    pool = _pool(tape, a.ndim)
    if pool.uses[pool.held(index)] > 1:
        pool.uses[index] -= 1
        return
    put_statement(tape, a.ndim - 1, (index,), (), (a,))
    if tape.manager != LINEAR:
        pool.uses[index] = 0
        pool.free.append(index)
        pool.live -= 1


def put_statement(tape, site, entities, pairs, given):
    indices, values = [int(i) for i in pairs[::2]], pairs[1::2]
    tape.arguments += [*map(int, entities), *(tape.held(i) if i else 0 for i in indices)]
    data = [float(x) for part in given for x in (*np.shape(part), *np.ravel(part))]
    data += [float(v) for i, v in zip(indices, values, strict=True) if i == 0]
    tape.sites.append(site)
    tape.sizes.append(len(data))
    tape.constants += data


def put_number(tape, site, old, value, entities, pairs, given):
    return put_numbers(tape, site, (old,), (value,), entities, pairs, given)[0]


def put_numbers(tape, site, olds, values, entities, pairs, given):
    if not entities and not any(pairs[::2]):
        for old in olds:
            tape.release(old)
        return (0,) * len(olds)
    indices, before = [], []
    for old in olds:
        known = tape.highest
        indices.append(index := tape.assign(old))
        before.append(0.0 if index > known else tape.primal[index])
    put_statement(tape, site, (*indices, *entities), pairs, (*before, *given))
    for index, value in zip(indices, values, strict=True):
        set_value(tape, index, value)
    return tuple(indices)


def copy_number(tape, site, old, source, value):
    if source == 0:
        tape.release(old)
        return 0
    if tape.manager != REUSE:
        return tape.share(old, source)
    return old if old == source else put_number(tape, site, old, value, (), (source, value), ())
