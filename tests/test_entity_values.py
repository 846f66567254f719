"""Values of several numbers on a tape of entities: one index each, a row of fields per index. Bytes are counted by hand:

a statement 8 (site, words of data), an index 4, a field that is overwritten or passive 8.
"""

from collections import namedtuple
from typing import NamedTuple

import numpy as np
import pytest
from corpus.usertypes import Quaternion, composed, parts, rotated

import s2sad

MANAGERS = ("linear", "reuse", "multiuse")
RNG = np.random.default_rng(8)
Q, P = (Quaternion(*map(float, RNG.normal(size=4))) for _ in range(2))
V = RNG.normal(size=3)
each_manager = pytest.mark.parametrize("index", MANAGERS)


def recorded(f, *args, index="multiuse", jit=False):
    """The tape, with its adjoints and tangents compared, one by one and several directions together."""
    tape = s2sad.record(f, entities=True, check=True, index=index, jit=jit)(*args)
    seeds = [shaped(tape.value, RNG) for _ in range(3)]
    value, pull = s2sad.vjp(f, *args, jit=False)
    np.testing.assert_array_equal(flat(tape.value), flat(value))
    for w in seeds:
        np.testing.assert_allclose(flat(tape.reverse(w)), flat(pull(w)), rtol=1e-12, atol=1e-13)
    together = tape.reverse(stacked(seeds))
    for k, w in enumerate(seeds):
        want = flat(tape.reverse(w))
        np.testing.assert_allclose(flat(together, k), want, rtol=1e-13, atol=1e-14)
    directions = [shaped(a, RNG) for a in args]
    want = s2sad.jvp(f, args, directions, jit=False)[1]
    np.testing.assert_allclose(flat(tape.forward(*directions)), flat(want), rtol=1e-11, atol=1e-13)
    return tape.stats()


def shaped(x, rng):
    if isinstance(x, tuple):
        made = [shaped(part, rng) for part in x]
        return type(x)(*made) if hasattr(x, "_fields") else tuple(made)
    if isinstance(x, int):
        return None
    return rng.normal(size=np.shape(x)) if np.shape(x) else float(rng.normal())


def stacked(xs):
    if isinstance(xs[0], tuple):
        made = [stacked(part) for part in zip(*xs, strict=True)]
        return type(xs[0])(*made) if hasattr(xs[0], "_fields") else tuple(made)
    return np.array(xs)


def flat(x, k=None):
    if isinstance(x, tuple):
        return np.concatenate([np.zeros(0), *(flat(part, k) for part in x)])
    return np.zeros(0) if x is None else np.ravel(x if k is None else x[k])


# ----- bytes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("index", "jit"), [*((index, False) for index in MANAGERS), ("multiuse", True), ("reuse", True)]
)
def test_an_operation_on_values(index, jit):
    """Two indices in, one out, and the four fields that the new index had before."""
    stats = recorded(composed, Q, P, index=index, jit=jit)
    assert (stats.inputs, stats.statements, stats.arguments, stats.index_max) == (8, 1, 3, 3)
    assert stats.tape_bytes == 8 + 3 * 4 + 4 * 8
    assert stats.primal_bytes == stats.adjoint_bytes == 8 * 4 * (stats.index_max + 1)
    assert stats.use_count_bytes == (
        0 if index == "linear" else 4 * (stats.index_max + 2)
    )  # (and none for numbers)


def turned(q, p, n):
    for _ in range(n):
        q = composed(q, p)
    return q


@pytest.mark.parametrize("n", [1, 7])
def test_copies_of_values(n):
    """`q` is bound to what the operation gives: no copy is a statement but with `reuse`."""
    linear, reuse, multiuse = (recorded(turned, Q, P, n, index=m) for m in MANAGERS)
    operation, copy = 8 + 3 * 4 + 4 * 8, 8 + 2 * 4 + 4 * 8
    assert linear.tape_bytes == multiuse.tape_bytes == n * operation
    assert reuse.tape_bytes == n * (operation + copy)
    assert (linear.copies_elided, reuse.copies_elided, multiuse.copies_elided) == (n, 0, n)
    assert (linear.index_max, reuse.index_max) == (2 + n, 3)
    assert multiuse.index_max == multiuse.index_live_max <= 4


def from_passive(p, n):
    q = Quaternion(1.0, 0.0, 0.0, 0.0)
    for _ in range(n):
        q = composed(q, p)
    return q.w * q.x


@each_manager
def test_passive_values_are_put_down(index):
    """Four fields once: the second trip is given a value with an index."""
    one, two, three = (recorded(from_passive, P, n, index=index).tape_bytes for n in (1, 2, 3))
    trip = (8 + 3 * 4 + 4 * 8) + (8 + 2 * 4 + 4 * 8) * (index == "reuse")
    product = 8 + 2 * 4 + 8
    assert (one, two, three) == tuple(n * trip + 4 * 8 + product for n in (1, 2, 3))


def halved(q, n):
    for _ in range(n):
        q = Quaternion(0.5 * q.w, q.x, q.y, 2.0 * q.z)
    return rotated(q, q_vector(q))


def q_vector(q):
    return np.array([q.x, q.y, q.z])


@each_manager
def test_values_that_are_put_together(index):
    """`Quaternion(...)` is one statement, whatever stands in it."""
    few, many = (recorded(halved, Q, n, index=index) for n in (2, 5))
    assert (many.statements - few.statements, many.tape_bytes - few.tape_bytes) == (
        3,
        3 * (8 + 2 * 4 + 4 * 8),
    )


def field_by_field(q, v):
    s = q.w * v[0]
    return s * q.z + q.x


def test_fields_that_are_read():
    """A field costs the index of its value; one of a passive value costs the field."""
    stats = recorded(field_by_field, Q, V)
    assert (stats.statements, stats.arguments) == (2, 3 + 3)


# ----- kinds, results, exits --------------------------------------------------------------------------------------


@s2sad.entity
class Pair(NamedTuple):
    a: float
    b: float


@s2sad.entity
class Both(NamedTuple):
    one: Pair
    two: Pair


@s2sad.operation
def crossed(x, y):
    return Both(Pair(x.a * y.b, y.a), Pair(x.b - y.b, x.a)), x.b * y.b, Pair(y.b, x.a * x.b)


def two_kinds(x, y, q, n):
    both, s = Both(x, y), 0.0
    for _ in range(n):
        both, t, x = crossed(both.two, x)
        s += t * both.one.b
        q = composed(q, Quaternion(x.a, x.b, s, both.two.a))
    return both, x, q, s


@each_manager
def test_values_of_several_kinds(index):
    """Rows of two, four and eight fields apart from each other; an operation with two values and a number."""
    recorded(two_kinds, Pair(0.3, 0.7), Pair(1.1, -0.4), Q, 3, index=index)


def exchanged(x, y, n):
    both, s = Both(x, y), 0.0
    for _ in range(n):
        both, t, x = crossed(both.two, x)
        s += t * both.one.b
    return x, s


def test_values_of_several_kinds_compiled():
    recorded(exchanged, Pair(0.3, 0.7), Pair(1.1, -0.4), 3, jit=True)


@s2sad.entity
class Moving(NamedTuple):
    """Of numbers and an array: what is inside has an index each."""

    q: Quaternion
    u: np.ndarray


@s2sad.operation
def moved(m, h):
    return Moving(Quaternion(m.q.w * h, m.q.x, m.q.y, m.q.z + h), m.u * h)


def moving(q, u, h, n):
    m = Moving(q, u * 1.0)
    for _ in range(n):
        m = moved(m, h)
    return m


@each_manager
def test_values_within_entities(index):
    one, two = (recorded(moving, Q, V, 0.8, n, index=index) for n in (1, 2))
    copies = (8 + 2 * 4 + 4 * 8) * (index == "reuse")
    ended = 8 + 4 + 8 * (1 + 3)  # the array that `m` had, with its values
    assert two.tape_bytes - one.tape_bytes == 8 + 5 * 4 + 4 * 8 + ended + copies


def early(q, p, n, limit):
    for k in range(n):
        q = composed(q, p)
        if q.w > limit:
            return q, rotated(q, np.ones(3))
        r = composed(p, q)
        if r.x > limit:
            break
        p = r
    return composed(p, q), np.array([q.w, p.x, 1.0])


@each_manager
@pytest.mark.parametrize("limit", [-10.0, 0.5, 4.0, 1e9])
def test_every_exit_frees(index, limit):
    recorded(early, Q, P, 4, limit, index=index)


def one_value_twice(q, p):
    r = composed(q, q)
    return r, r, q, r.x, composed(r, r)


@each_manager
def test_one_value_in_several_places(index):
    recorded(one_value_twice, Q, P, index=index)


def within(q, n):
    """A function that calls itself: its parameters are numbers."""
    if n == 0:
        return q.w
    p = composed(q, q)
    return q.x * within(p, n - 1) + p.y


@each_manager
def test_calls_that_stay_calls(index):
    recorded(lambda q, n: within(composed(q, q), n), Q, 3, index=index)


def of_parts(q, v, n):
    a, b, p = parts(q, v, n)
    for k in range(n):
        a, b, p = parts(p, a * b, 2)
    return a, b, p


@each_manager
def test_an_array_a_number_and_a_value(index):
    one, two = (recorded(of_parts, Q, V, n, index=index).statements for n in (1, 2))
    assert two - one == 2 + 2 * (
        index == "reuse"
    )  # `a * b`, the operation; copies of the number and the value


# ----- passive operands, exceptions, what belongs to somebody else ------------------------------------------------


def growing(b, n):
    w = 1.0
    for _ in range(n):
        w *= b
    return w


@each_manager
def test_a_passive_number_that_is_overwritten(index):
    """`w *= b` with a passive `w` puts its value down: 8 bytes more, the first time alone."""
    one, two, three = (recorded(growing, 1.3, n, index=index).tape_bytes for n in (1, 2, 3))
    statement = 8 + 3 * 4 + 8
    assert (one, two, three) == (statement + 8, 2 * statement + 8, 3 * statement + 8)


def scaled(x, n):
    w = np.array([1.0, 2.0, 4.0])
    for _ in range(n):
        w *= x
    return w


@each_manager
def test_a_passive_array_that_is_overwritten(index):
    """An array has an index from its birth on; a store puts down the elements that it overwrites."""
    one, two = (recorded(scaled, V, n, index=index) for n in (1, 2))
    assert two.tape_bytes - one.tape_bytes == 8 + 2 * 4 + 8 * (1 + 3)  # the shape, three elements


def weighed(x, n):
    k = np.arange(3.0) + n
    return x * k


def test_a_passive_array_that_is_read():
    """Its shape and elements are put down."""
    assert recorded(weighed, V, 2).tape_bytes == 8 + 2 * 4 + 8 * (1 + 3)


def far(q, p, n, limit):
    for _ in range(n):
        r = composed(q, p)
        if r.w > limit:
            raise ValueError("too far")
        q = r
    return q


def test_exceptions_end_a_recording():
    """They come through as they are, and leave nothing behind: the next recording is right."""
    record = s2sad.record(far, entities=True, check=True, jit=False)
    for limit in (-10.0, 0.0):
        with pytest.raises(ValueError, match="too far"):
            record(Q, P, 9, limit)
    recorded(far, Q, P, 2, 1e9)


def summed(p, q):
    return Theirs(p.a + 2.0 * q.a, p.b * q.b)


def first_alone(r_b, p, q):
    return Theirs(r_b.a, 100.0 * r_b.b)  # (wrong, so that one sees who decides)


Theirs = namedtuple("Theirs", "a b")
s2sad.entity(Theirs)
s2sad.operation(summed).adjoint("p")(first_alone)


def with_theirs(p, q, n):
    for _ in range(n):
        p = summed(p, q)
    return p.a + p.b


@pytest.mark.parametrize("options", [{}, {"entities": True}, {"entities": True, "index": "reuse"}])
def test_marks_from_outside(options):
    """The class and the function are somebody else's; values have one index, and the rule that is given decides."""
    args = Theirs(2.0, 3.0), Theirs(5.0, 7.0)
    tape = s2sad.record(with_theirs, jit=False, **options)(*args, 1)
    want = s2sad.grad(with_theirs, (0, 1), jit=False)(*args, 1)
    assert tape.reverse(1.0)[:2] == want == (Theirs(1.0, 100.0), Theirs(2.0, 3.0))
    if options:
        stats = tape.stats()
        copies = (8 + 2 * 4 + 2 * 8) * ("index" in options)
        assert stats.tape_bytes == (8 + 3 * 4 + 2 * 8) + copies + (8 + 2 * 4 + 8)


def one_way(x, q, n):
    """What the other way makes is never there: arrays of two axes, values of two fields."""
    s = x[0] * q.w
    if n > 5:
        A = np.outer(x, x)
        r = summed(Theirs(q.x, q.y), Theirs(q.z, s))
        s += A[0, 1] + summed(r, r).b
    return s


@pytest.mark.parametrize("n", [2, 6])
def test_kinds_that_the_way_taken_does_not_meet(n):
    recorded(one_way, V, Q, n)


def copies_of_what_is_passive(q, n):
    """`x` depends on nothing; what `y` is bound to afterwards does."""
    x, y = Theirs(0.5, 2.0), Theirs(1.0, 1.0)
    for k in range(n):
        z = x
        if k > 0:
            y = summed(Theirs(q.x, 1.0), y)
            z = y
        x, y = Theirs(2.0 * k, 1.0), z
    return y, summed(y, x)


@each_manager
def test_copies_of_what_is_passive(index):
    recorded(copies_of_what_is_passive, Q, 3, index=index)
