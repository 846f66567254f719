"""The plain twins: the same names in NumPy alone, for code that is not compiled.

An arena is a list of arrays here, a stack a list of scalars. Same meaning, same refusals, no Numba.
"""

import functools
import math
from importlib import import_module

import numpy as np

from s2sad_runtime import files, plans
from s2sad_runtime.abi import ABI, STAMP, require
from s2sad_runtime.again import back_dot, back_sum, on_dot, on_sum, operand
from s2sad_runtime.plain_entities import *  # noqa: F403
from s2sad_runtime.plain_fft import *  # noqa: F403
from s2sad_runtime.plain_kept import *  # noqa: F403
from s2sad_runtime.plain_linalg import *  # noqa: F403
from s2sad_runtime.plain_lives import *  # noqa: F403
from s2sad_runtime.plain_parts import *  # noqa: F403
from s2sad_runtime.plain_parts import Parts
from s2sad_runtime.plain_solvers import *  # noqa: F403
from s2sad_runtime.plain_tape import *  # noqa: F403
from s2sad_runtime.plans import places_of, resume_at, snapshot_at
from s2sad_runtime.structures import named

__all__ = [
    "ABI",
    "STAMP",
    "back_dot",
    "back_sum",
    "named",
    "on_dot",
    "on_sum",
    "operand",
    "places_of",
    "require",
    "resume_at",
    "snapshot_at",
]

WRONG_RECORD = "the top record of the arena is of another type, shape or number of dimensions"
OVERLAP = "two arguments share memory: pass a copy of one of them"
OTHER_SHAPE = "an array that `checkpoint_range` carries from step to step has to keep its shape"
STORED = {"i": np.int64, "u": np.int64, "b": np.bool_, "c": np.complex128}  # others as they are
REALS = (np.float64, np.float32)


def jit(function=None, /, **options):
    """Nothing to compile: the function itself; with error_model="numpy" dividing by zero gives inf or nan, silently."""
    if function is None:
        return lambda f: jit(f, **options)
    if options.get("error_model") != "numpy":
        return function
    return _silent(function, options.get("as_they_are", 0))


def _silent(f, first):
    """Python's floats become NumPy's, but for the first arguments."""

    @functools.wraps(f)
    def silent(*args):
        with np.errstate(all="ignore"):
            rest = (np.float64(a) if type(a) is float else a for a in args[first:])
            return f(*args[:first], *rest)

    return silent


def new_arena():
    return []


def thread_count():
    return 1


def _slots(dtype):
    def slots(arena, shape):
        return np.empty([max(0, n) for n in shape], dtype)

    return slots


real_slots, int_slots, bit_slots = _slots(np.float64), _slots(np.int64), _slots(np.bool_)
complex_slots = _slots(np.complex128)
single_slots, any_slots = _slots(np.float32), _slots(object)  # numbers that keep their own types


def keep(arena, a):
    arena.append(np.array(a, STORED.get(a.dtype.kind), order="C"))


def restore(arena, a):
    top = _top(arena)
    if top.shape != a.shape or top.dtype != STORED.get(a.dtype.kind, a.dtype):
        raise TypeError(WRONG_RECORD)
    a[...] = arena.pop()


keep_shared, restore_shared = keep, restore


def own(arena, a):
    return np.array(a, order="C")


def grown(arena, a):
    made = np.empty((2 * a.shape[0], *a.shape[1:]), a.dtype)
    made[: a.shape[0]] = a
    return made


def hold(arena, *arrays):
    arena.extend(
        a if isinstance(a, Pool | Parts) else np.asarray(a, STORED.get(a.dtype.kind)) for a in arrays
    )


def renewed(arena, a, box):
    arena.append(a)
    made = np.array(a, order="C")
    made[tuple(slice(max(lo, 0), max(hi, 0)) for lo, hi in zip(box[::2], box[1::2], strict=True))] = np.nan
    return made


def _take(*dtypes):
    def take(arena, ndim):
        top = _top(arena)
        if top.ndim != ndim or top.dtype not in dtypes:
            raise TypeError(WRONG_RECORD)
        return arena.pop()

    return take


take_real, take_int, take_bit = _take(*REALS), _take(np.int64), _take(np.bool_)
take_complex, take_any = _take(np.complex128), _take(object)
take_single = take_real


def _top(arena):
    if not arena:
        raise TypeError(WRONG_RECORD)
    return arena[-1]


def mark(arena):
    return len(arena)


def release(arena, m):
    """Memory goes by reference count here."""


def fork(arena):
    return list(arena)


def _plan(how):
    def plan(arena, n, snapshots):
        places = plans.places_for(how, n, snapshots)
        made = np.empty(plans.size_of(places, 0), np.int64)
        plans.begin(made, how, n, places)
        return made

    return plan


revolve_plan, uniform_plan, online_plan = map(_plan, (plans.REVOLVE, plans.UNIFORM, plans.ONLINE))


def given_plan(arena, n, rows):
    places = plans.peak_of(rows)
    made = np.empty(plans.size_of(places, rows.shape[0]), np.int64)
    plans.begin_rows(made, rows, n, places)
    return made


def put_state(slots, place, a):
    if slots.shape[1:] != a.shape:
        raise ValueError(OTHER_SHAPE)
    slots[place] = a


def get_state(slots, place, a):
    if slots.shape[1:] != a.shape:
        raise ValueError(OTHER_SHAPE)
    a[...] = slots[place]


def disk_slots(arena, shape):
    shape = [max(0, n) for n in shape]
    count = math.prod(shape)
    return np.frombuffer(files.mapped(8 * count), np.float64, count).reshape(shape)


def address_of(a):
    return a.__array_interface__["data"][0]


def new_stack_real():
    return []


def push_real(stack, value):
    stack.append(value)


def pop_real(stack):
    return stack.pop()


new_stack_int = new_stack_bit = new_stack_real
push_int = push_bit = push_real
pop_int = pop_bit = pop_real


class Pool:
    """Use counts by index; index 0 is nobody's."""

    def __init__(self):
        self.uses, self.free = [0], []

    def new(self):
        index = self.free.pop() if self.free else len(self.uses)
        self.uses[index:] = [1, *self.uses[index + 1 :]]
        return index

    def share(self, index):
        self.uses[index] += 1
        return index

    def release(self, index):
        self.uses[index] -= 1
        if self.uses[index] == 0:
            self.free.append(index)

    def places(self):
        return Places()


class Places(dict):
    """The adjoint of every index and layer: zeros at first touch, or where its entity has another shape."""

    def at(self, index, like, layer):
        made = self.get((layer, index))
        if made is None or made.shape != like.shape:
            made = self[layer, index] = np.zeros(like.shape)
        return made


def new_pool(arena):
    return Pool()


def pool_new(arena, pool):
    return pool.new()


def pool_share(pool, index):
    return pool.share(index)


def pool_release(pool, index):
    pool.release(index)


def take_pool(arena, ndim):
    return arena.pop()


def new_places(arena, pool, layers):
    return pool.places()


def place(arena, places, index, like, layer):
    return places.at(index, like, layer)


def place_at(places, index, array, layer):
    places[layer, index] = array


def new_parts(arena):
    return Parts(Pool())


take_real_part, take_int_part, take_bit_part, take_complex_part = take_real, take_int, take_bit, take_complex


def accumulate(x_b, inc):
    """x_b += inc, summed over the axes that x_b lacks or has once only."""
    inc = np.asarray(inc)
    lacking = inc.ndim - x_b.ndim
    if lacking > 0:
        inc = inc.sum(axis=tuple(range(lacking)))
    lead = x_b.ndim - inc.ndim
    once = tuple(k for k, n in enumerate(inc.shape) if x_b.shape[lead + k] == 1 != n)
    x_b += inc.sum(axis=once, keepdims=True) if once else inc


def total(inc):
    return np.sum(inc) if isinstance(inc, np.ndarray) else inc


def room_of(x):
    return np.empty(x.shape, x.dtype)


def zeros_of(x):
    return np.zeros(x.shape, x.dtype)


def pooled_zeros(x):
    return np.zeros_like(x)


def product_in(arena, a, b):
    return a @ b


def add_product(x_b, a, b, scale=1.0):
    accumulate(x_b, scale * (a @ b))


def add_outer(x_b, a, b, scale=1.0):
    accumulate(x_b, scale * np.outer(a, b))


def common(n, m):
    if n != m and 1 not in (n, m):
        raise ValueError("operands could not be broadcast together")
    return n if m == 1 else m


def fitted(a, shape):
    return a if a.shape == shape else np.broadcast_to(a, shape).copy()


def room_for(a, shape):
    return a if a.shape == shape else np.zeros(shape, a.dtype)


def contiguous(a):
    """Names share arrays of any layout here."""


def distinct(a, b):
    if np.may_share_memory(a, b):
        raise ValueError(OVERLAP)


def guarded(f, keep, *args):
    return (keep if isinstance(f, tuple) else f)(*args)


def release_memory():
    """Nothing is pooled here: 0 bytes."""
    return 0


def memory():
    return (0, 0, 0, 0)


def __getattr__(name):
    """`special` needs SciPy, which is loaded when it is first asked for; `given` is there for the asking, too."""
    if name in ("special", "given"):
        return import_module(f"s2sad_runtime.plain_{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
