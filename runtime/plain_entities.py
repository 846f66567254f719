"""The plain twins of `entities`: lists in place of chunks, a PlainTape per number of axes."""

# ruff: noqa: D103 (what these do stands where they are compiled)

import numpy as np

from s2sad_runtime.plain_kept import keep_values, set_value
from s2sad_runtime.plain_tape import LINEAR, REUSE, PlainTape

__all__ = [
    "copy_number", "copy_value", "drop_value", "end_entity", "entity_tape", "free_value", "input_value", "new_entity",
    "put_number", "put_numbers", "put_statement", "put_value", "put_values", "seal_entities", "share_entity",
]  # fmt: skip


def entity_tape(tape):
    keep_values(tape)
    tape.pools, tape.kinds = {}, {}


def seal_entities(tape):
    """Lists know how long they are."""


def _made(tape, pools, key):
    if key not in pools:
        pools[key] = pool = PlainTape()
        pool.manager, pool.check = tape.manager, tape.check
        keep_values(pool)
    return pools[key]


def _pool(tape, axes):
    return _made(tape, tape.pools, axes)


def _values(tape, size):
    return tape if size == 1 else _made(tape, tape.kinds, size)


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
    for index, value in zip(indices, values, strict=True):
        if index and not isinstance(value, tuple):
            tape.held(index)
    tape.arguments += [*map(int, entities), *indices]
    data = [float(x) for part in given for x in (*np.shape(part), *np.ravel(part))]
    data += [float(x) for i, v in zip(indices, values, strict=True) if i == 0 for x in np.ravel(v)]
    tape.sites.append(site)
    tape.sizes.append(len(data))
    tape.constants += data


def put_number(tape, site, old, value, entities, pairs, given):
    return put_values(tape, site, (1,), (old,), (value,), entities, pairs, given)[0]


def put_numbers(tape, site, olds, values, entities, pairs, given):
    return put_values(tape, site, (1,) * len(olds), olds, values, entities, pairs, given)


def put_value(tape, site, old, fields, entities, pairs, given):
    return put_values(tape, site, (len(fields),), (old,), fields, entities, pairs, given)[0]


def put_values(tape, site, sizes, olds, fields, entities, pairs, given):
    pools = [_values(tape, size) for size in sizes]
    if not entities and not any(pairs[::2]):
        for pool, old in zip(pools, olds, strict=True):
            pool.release(old)
        return (0,) * len(olds)
    indices, before = [], []
    for pool, size, old in zip(pools, sizes, olds, strict=True):
        known = pool.highest
        indices.append(index := pool.assign(old))
        before += [0.0] * size if index > known else pool.primal[size * index : size * (index + 1)]
    put_statement(tape, site, (*indices, *entities), pairs, (*before, *given))
    at = 0
    for pool, size, index in zip(pools, sizes, indices, strict=True):
        _set(pool, index, fields[at : at + size])
        at += size
    return tuple(indices)


def _set(pool, index, fields):
    for k, value in enumerate(fields):
        set_value(pool, len(fields) * index + k, value)


def input_value(tape, fields):
    pool = _values(tape, len(fields))
    index = pool.fresh()
    _set(pool, index, fields)
    return index


def drop_value(tape, size, old):
    _values(tape, size).release(old)
    return 0


def free_value(tape, size, index):
    _values(tape, size).release(index)


def copy_value(tape, site, old, source, fields):
    pool = _values(tape, len(fields))
    if source == 0:
        pool.release(old)
        return 0
    if tape.manager != REUSE:
        return pool.share(old, source)
    return old if old == source else put_value(tape, site, old, fields, (), (source, fields), ())


def copy_number(tape, site, old, source, value):
    if source == 0:
        tape.release(old)
        return 0
    if tape.manager != REUSE:
        return tape.share(old, source)
    return old if old == source else put_number(tape, site, old, value, (), (source, value), ())
