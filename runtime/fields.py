"""Values of several numbers on a tape of entities: one index each, whose fields are a row.

Values of one number of fields have a pool of indices of their own, as arrays of one number of axes have; that of numbers
is the tape itself. What an index had before is put down with the statement that gives it anew.
"""

from numba.cpython.unsafe.tuple import tuple_setitem

from s2sad_runtime.compiled import jit
from s2sad_runtime.entities import _none_active, _pool_at, put_statement
from s2sad_runtime.kept import set_value, value_at
from s2sad_runtime.managers import assign_index, free_index, input_index, share_index
from s2sad_runtime.tape_words import HIGHEST, MANAGER, MOST_AXES, POOLS, REUSE
from s2sad_runtime.words import peek


@jit(inner=True)
def _values(tape, size):
    """The managers' words for values of so many numbers; for one they are the tape's own."""
    return tape if size == 1 else _pool_at(tape, tape + POOLS + 8 * (MOST_AXES + size - 1))


@jit(inner=True)
def put_value(tape, site, old, fields, entities, pairs, given):
    """Put down a statement that gives a value of several numbers: the index of that, 0 where nothing is active."""
    return put_values(tape, site, (len(fields),), (old,), fields, entities, pairs, given)[0]


@jit(inner=True)
def put_values(tape, site, sizes, olds, fields, entities, pairs, given):
    """Put down a statement that gives numbers and values of several: an index for each.

    sizes   how many fields each has; `fields` stand one after the other
    olds    the indices that the names had
    """
    indices, before, at = olds, fields, 0
    passive = len(entities) == 0 and _none_active(pairs)
    for k in range(len(olds)):
        pool = _values(tape, sizes[k])
        if passive:
            free_index(pool, olds[k])
            indices = tuple_setitem(indices, k, 0)
        else:
            known = peek(pool + HIGHEST)
            index = assign_index(pool, olds[k])
            indices = tuple_setitem(indices, k, index)
            for j in range(sizes[k]):
                old = 0.0 if index > known else value_at(pool, sizes[k] * index + j)
                before = tuple_setitem(before, at + j, old)
            at += sizes[k]
    if not passive:
        put_statement(tape, site, indices + entities, pairs, before + given)
        at = 0
        for k in range(len(olds)):
            pool = _values(tape, sizes[k])
            for j in range(sizes[k]):
                set_value(pool, sizes[k] * indices[k] + j, fields[at + j])
            at += sizes[k]
    return indices


@jit(inner=True)
def input_value(tape, fields):
    """The index of an input of several numbers."""
    pool = _values(tape, len(fields))
    index = input_index(pool)
    for k in range(len(fields)):
        set_value(pool, len(fields) * index + k, fields[k])
    return index


@jit(inner=True)
def drop_value(tape, size, old):
    """A name of a value of so many numbers becomes passive."""
    free_index(_values(tape, size), old)
    return 0


@jit(inner=True)
def free_value(tape, size, index):
    """A name of a value of so many numbers ends."""
    free_index(_values(tape, size), index)


@jit(inner=True)
def copy_value(tape, site, old, source, fields):
    """The index of a copy of a value of several numbers with index `source`, for a name that had `old`."""
    pool = _values(tape, len(fields))
    if source == 0:
        free_index(pool, old)
        return 0
    if peek(tape + MANAGER) != REUSE:
        return share_index(pool, old, source)
    return old if old == source else put_value(tape, site, old, fields, (), (source, fields), ())
