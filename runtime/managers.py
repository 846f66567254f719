"""The index managers of a tape: who has which index, and when an index is free again.

A name that carries a derivative has an index, its place in the adjoint vector. Index 0 is passive: it is nobody's
and is never counted. Three managers stand behind one interface; a tape is made for one of them and keeps to it.

=============  =======================  ======================  ==================================================
               linear                   reuse                   multi-use
=============  =======================  ======================  ==================================================
a left side    the next number          its own, or a free one  its own where nobody shares it, else a free one
a copy         shares the index         is a statement          shares the index, used once more
an end         nothing                  frees the index         one use less; the last one frees the index
adjoints       one per statement        one per live name       one per live value
=============  =======================  ======================  ==================================================

Source: Sagebaum, Blühdorn, Gauger, "Index handling and assign optimization for algorithmic differentiation reuse
index managers". One table serves the last two: the use count of an index in use, or the next free one of a free index.

With checking on every call is tested: an index that is freed must be in use, an argument as well, and so must the
index that is copied.
"""

from s2sad_runtime.compiled import jit
from s2sad_runtime.tape_words import (
    CHECK,
    COPIES,
    FREE,
    HIGHEST,
    LINEAR,
    LIVE,
    MANAGER,
    MOST_LIVE,
    MULTI,
    REUSE,
    ROOM,
    TABLE,
    borrowed,
)
from s2sad_runtime.words import copy_bytes, peek, peek4, poke, poke4

LAST = 2**31 - 1
OVERFLOW = "more values are alive than 4-byte indices can tell apart"
NOT_IN_USE = "an index is used that nobody holds"


@jit(inner=True)
def _fresh(tape):
    """An index that nobody holds: the one freed last, or the next number."""
    index = peek(tape + FREE)
    if index != 0:
        poke(tape + FREE, peek4(peek(tape + TABLE) + 4 * index))
    else:
        index = peek(tape + HIGHEST) + 1
        if index > LAST:
            raise OverflowError(OVERFLOW)
        poke(tape + HIGHEST, index)
        if index == peek(tape + ROOM):
            _grow(tape)
    poke4(peek(tape + TABLE) + 4 * index, 1)
    live = peek(tape + LIVE) + 1
    poke(tape + LIVE, live)
    if live > peek(tape + MOST_LIVE):
        poke(tape + MOST_LIVE, live)
    return index


@jit(inner=True)
def _grow(tape):
    room = peek(tape + ROOM)
    table = borrowed(tape, 8 * room)
    copy_bytes(table, peek(tape + TABLE), 4 * room)
    poke(tape + TABLE, table)
    poke(tape + ROOM, 2 * room)


@jit(inner=True)
def in_use(tape, index):
    """Does anybody hold the index? (Told by a walk through the free ones: for checking only.)"""
    if index < 1 or index > peek(tape + HIGHEST):
        return False
    if peek(tape + MANAGER) != LINEAR:
        free = peek(tape + FREE)
        while free != 0:
            if free == index:
                return False
            free = peek4(peek(tape + TABLE) + 4 * free)
    return True


@jit(inner=True)
def input_index(tape):
    """The index of an input.

    When:  for every real input, before anything is recorded
    Cost:  that of a fresh index
    Trap:  an input that is registered again draws a fresh index; its old one must not be reused meanwhile
    """
    if peek(tape + MANAGER) == LINEAR:
        return next_index(tape)
    return _fresh(tape)


@jit(inner=True)
def next_index(tape):
    """The next number, used once and for all."""
    index = peek(tape + HIGHEST) + 1
    if index > LAST:
        raise OverflowError(OVERFLOW)
    poke(tape + HIGHEST, index)
    return index


@jit(inner=True)
def assign_index(tape, old):
    """The index of a left side whose name had index `old` until now (0: none).

    When:  with every statement recorded, after its arguments have been put down
    Cost:  linear: a count · reuse: a test · multi-use: a test and a look-up
    Trap:  where two names share `old`, the one that is assigned must not keep it (multi-use counts, reuse never shares)
    """
    manager = peek(tape + MANAGER)
    if manager == LINEAR:
        return next_index(tape)
    if old != 0:
        if manager == REUSE:
            return old
        place = peek(tape + TABLE) + 4 * old
        uses = peek4(place)
        if uses == 1:
            return old
        poke4(place, uses - 1)
    return _fresh(tape)


@jit(inner=True)
def share_index(tape, old, source):
    """The index of a copy of `source`, for a name that had index `old`; of linear and multi-use tapes.

    When:  for every copy of an active value, instead of a statement: this is the copy elision
    Cost:  linear: nothing · multi-use: two look-ups, or none where both indices are the same already
    Trap:  a self copy (`a[i] = a[j]` with i = j) must not free the index on the way
    """
    if peek(tape + CHECK) and not in_use(tape, source):
        raise RuntimeError(NOT_IN_USE)
    poke(tape + COPIES, peek(tape + COPIES) + 1)
    if old == source or peek(tape + MANAGER) == LINEAR:
        return source
    place = peek(tape + TABLE) + 4 * source
    poke4(place, peek4(place) + 1)
    if old != 0:
        free_index(tape, old)
    return source


@jit(inner=True)
def free_index(tape, index):
    """A name that had this index ends, or is overwritten by a passive value.

    When:  at every end of a name: end of scope, overwriting, early exit
    Cost:  linear: nothing · reuse: a link in the list of free indices · multi-use: a look-up, then the same
    Trap:  index 0 is nobody's and must not be freed; a call forgotten costs an index, one too many joins two names
    """
    if index == 0 or peek(tape + MANAGER) == LINEAR:
        return
    if peek(tape + CHECK) and not in_use(tape, index):
        raise RuntimeError(NOT_IN_USE)
    place = peek(tape + TABLE) + 4 * index
    uses = peek4(place) if peek(tape + MANAGER) == MULTI else 1
    if uses > 1:
        poke4(place, uses - 1)
        return
    poke4(place, peek(tape + FREE))
    poke(tape + FREE, index)
    poke(tape + LIVE, peek(tape + LIVE) - 1)
