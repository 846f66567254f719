"""Snapshots of `checkpoint_range` in compiled code: plans, places, memory in a file.

The plans are those of plans.py, compiled. A state's arrays go to places of arrays made for all snapshots of a loop.
"""

from types import FunctionType

from s2sad_runtime import plans
from s2sad_runtime.arena import MAPS, map_file
from s2sad_runtime.compiled import jit
from s2sad_runtime.files import NO_ROOM
from s2sad_runtime.records import OUT_OF_RANGE, TOO_BIG, int_slots
from s2sad_runtime.views import REAL, address, assign, count, lay
from s2sad_runtime.words import poke

OTHER_SHAPE = "an array that `checkpoint_range` carries from step to step has to keep its shape"
HEADER = 64  # bytes of a mapping that the arena uses


def _compiled():
    """The functions of plans.py, each compiled, calling each other."""
    space = dict(vars(plans))
    for name, function in vars(plans).items():
        if isinstance(function, FunctionType):
            space[name] = jit(inner=True)(FunctionType(function.__code__, space, name))
    return space


_plans = _compiled()
_begin, _begin_rows, _places_for = (_plans[name] for name in ("begin", "begin_rows", "places_for"))
_size_of, _peak_of = _plans["size_of"], _plans["peak_of"]
snapshot_at, resume_at, places_of = (_plans[name] for name in ("snapshot_at", "resume_at", "places_of"))
_REVOLVE, _UNIFORM, _ONLINE = plans.REVOLVE, plans.UNIFORM, plans.ONLINE


@jit(inner=True)
def _plan(arena, how, n, snapshots):
    places = _places_for(how, n, snapshots)
    plan = int_slots(arena, (_size_of(places, 0),))
    _begin(plan, how, n, places)
    return plan


@jit(inner=True)
def revolve_plan(arena, n, snapshots):
    """The plan with the fewest steps; `snapshots` places, 0 for the default."""
    return _plan(arena, _REVOLVE, n, snapshots)


@jit(inner=True)
def uniform_plan(arena, n, snapshots):
    """The plan with snapshots evenly spaced."""
    return _plan(arena, _UNIFORM, n, snapshots)


@jit(inner=True)
def online_plan(arena, n, snapshots):
    """The plan for an unknown number of steps, at most n."""
    return _plan(arena, _ONLINE, n, snapshots)


@jit(inner=True)
def given_plan(arena, n, rows):
    """The plan that somebody else made: rows of action, step, end."""
    places = _peak_of(rows)
    plan = int_slots(arena, (_size_of(places, rows.shape[0]),))
    _begin_rows(plan, rows, n, places)
    return plan


@jit(inner=True)
def put_state(slots, place, a):
    """Keep array `a` in a place."""
    if slots.shape[1:] != a.shape:
        raise ValueError(OTHER_SHAPE)
    assign(slots[place], a)


@jit(inner=True)
def get_state(slots, place, a):
    """Write what is in a place into `a`."""
    if slots.shape[1:] != a.shape:
        raise ValueError(OTHER_SHAPE)
    assign(a, slots[place])


@jit(inner=True)
def disk_slots(arena, shape):
    """A float64 array in a file without a name, which goes with the arena (or its frame)."""
    elements = count(shape)
    if elements < 0 or elements > TOO_BIG:
        raise MemoryError(OUT_OF_RANGE)
    at = map_file(8 * elements + HEADER)
    if at == 0:
        raise OSError(NO_ROOM)
    poke(at, arena[MAPS])
    arena[MAPS] = at
    return lay(at + HEADER, shape, REAL)


@jit(inner=True)
def address_of(a):
    """Where an array's memory begins: two names with one address share it."""
    return address(a)
