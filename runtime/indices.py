"""The refcounted pool of indices, and the adjoint places that they lead to.

An entity (an array in memory) has one index, whatever names it goes by. A birth takes a free index or the next one;
another name for it shares the index, and nothing is copied or recorded; the end of a name counts one less, and at
zero the index is free for another entity. Index 0 is nobody's. On the way back an index leads to its place, adjoint
memory made at first touch. Reversing a birth cleans the place, so an index is clean when its earlier life begins.

A pool is an int64 array of words, its table of use counts (or, of free indices, the next free one) in the arena.
"""

from s2sad_runtime.compiled import jit
from s2sad_runtime.records import int_slots, real_slots, take_int
from s2sad_runtime.views import address, lay_like
from s2sad_runtime.words import peek, poke

TABLE, SIZE, HIGHEST, FREE = range(4)
FIRST_SIZE = 64


@jit(inner=True)
def new_pool(arena):
    """A pool without indices."""
    pool = int_slots(arena, (4,))
    table = int_slots(arena, (FIRST_SIZE,))
    pool[TABLE], pool[SIZE], pool[HIGHEST], pool[FREE] = address(table), FIRST_SIZE, 0, 0
    return pool


@jit(inner=True)
def pool_new(arena, pool):
    """An index for an entity just born, used once."""
    index = pool[FREE]
    if index != 0:
        pool[FREE] = peek(pool[TABLE] + 8 * index)
    else:
        index = pool[HIGHEST] + 1
        pool[HIGHEST] = index
        if index == pool[SIZE]:
            _grow(arena, pool)
    poke(pool[TABLE] + 8 * index, 1)
    return index


@jit(inner=True)
def _grow(arena, pool):
    table = int_slots(arena, (2 * pool[SIZE],))
    for k in range(pool[SIZE]):
        table[k] = peek(pool[TABLE] + 8 * k)
    pool[TABLE], pool[SIZE] = address(table), 2 * pool[SIZE]


@jit(inner=True)
def pool_share(pool, index):
    """The same index, used once more."""
    at = pool[TABLE] + 8 * index
    poke(at, peek(at) + 1)
    return index


@jit(inner=True)
def pool_release(pool, index):
    """One use less; the last one frees the index."""
    at = pool[TABLE] + 8 * index
    uses = peek(at) - 1
    if uses == 0:
        poke(at, pool[FREE])
        pool[FREE] = index
    else:
        poke(at, uses)


@jit(inner=True)
def take_pool(arena, ndim):
    """The pool on top of the arena."""
    return take_int(arena, 1)


@jit(inner=True)
def new_places(arena, pool, layers):
    """Places for every index of a pool, `layers` times over (adjoints, and tangents of them): (address, size) each."""
    places = int_slots(arena, (layers, pool[HIGHEST] + 1, 2))
    places[:] = 0
    return places


@jit(inner=True)
def place(arena, places, index, like, layer):
    """The adjoint array of an index, of the shape of `like`; zeros at first touch."""
    size = like.size
    if places[layer, index, 0] == 0 or places[layer, index, 1] != size:
        made = real_slots(arena, (size,))
        made[:] = 0.0
        places[layer, index, 0], places[layer, index, 1] = address(made), size
    return lay_like(places[layer, index, 0], like.shape, like)


@jit(inner=True)
def place_at(places, index, array, layer):
    """Let an index lead to an array there is: the adjoint of a parameter."""
    places[layer, index, 0], places[layer, index, 1] = address(array), array.size
