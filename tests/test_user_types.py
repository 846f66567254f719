"""Types of users: values from SciPy's rotations and dense solutions, structures that come back, what is decided where.

(The corpus takes such programs through every mode.)
"""

from collections import namedtuple
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest
from corpus.usertypes import (
    Quaternion,
    Tridiagonal,
    Unit,
    composed,
    diffused,
    rotated,
    solved,
    spun,
)
from numba import njit
from scipy.spatial.transform import Rotation

import s2sad

BOTH = pytest.mark.parametrize("jit", [False, True], ids=["plain", "compiled"])
RNG = np.random.default_rng(3)


def unit():
    q = RNG.standard_normal(4)
    return Quaternion(*map(float, q / np.linalg.norm(q)))


def as_rotation(q):
    return Rotation.from_quat([q.x, q.y, q.z, q.w])


def dense(A):
    return np.diag(A.lower, -1) + np.diag(A.diagonal) + np.diag(A.upper, 1)


def heading(q, p, v, w):
    return np.sum(rotated(composed(q, p), v) * w)


@BOTH
def test_rotations(jit):
    """The adjoint of v is turned back; slopes along the rotation group are those of SciPy's rotations."""
    q, p, v, w = unit(), unit(), RNG.standard_normal(3), RNG.standard_normal(3)
    turn = as_rotation(q) * as_rotation(p)
    value, (q_b, v_b) = s2sad.value_and_grad(heading, (0, 2), jit=jit)(q, p, v, w)
    assert value == pytest.approx(w @ turn.apply(v), rel=1e-13)
    np.testing.assert_allclose(v_b, turn.inv().apply(w), rtol=1e-12)
    assert isinstance(q_b, Quaternion)
    for axis in np.eye(3):  # q moves along (0, axis) q / 2, the rotated vector along axis x r
        moved = composed(Quaternion(0.0, *map(float, 0.5 * axis)), q)
        slope = w @ np.cross(axis, turn.apply(v))
        assert np.dot(q_b, moved) == pytest.approx(slope, rel=1e-12, abs=1e-13)
        _, tangent = s2sad.jvp(heading, (q, p, v, w), (moved, None, None, None), jit=jit)
        assert tangent == pytest.approx(slope, rel=1e-12, abs=1e-13)


@BOTH
def test_a_tridiagonal_matrix(jit):
    """The adjoints are those of a dense solution, on the bands."""
    n = 7
    A = Tridiagonal(RNG.standard_normal(n - 1), 4.0 + RNG.standard_normal(n), RNG.standard_normal(n - 1))
    b, w = RNG.standard_normal(n), RNG.standard_normal(n)
    x, pull = s2sad.vjp(solved, A, b, jit=jit)
    A_b, b_b = pull(w)
    back = np.linalg.solve(dense(A).T, w)
    whole = -np.outer(back, np.linalg.solve(dense(A), b))
    np.testing.assert_allclose(x, np.linalg.solve(dense(A), b), rtol=1e-12)
    np.testing.assert_allclose(b_b, back, rtol=1e-12)
    for k, band in zip((-1, 0, 1), A_b, strict=True):
        np.testing.assert_allclose(band, np.diag(whole, k), rtol=1e-11)
    assert isinstance(A_b, Tridiagonal)
    J = s2sad.jacobian(solved, 1, jit=jit)(A, b)
    np.testing.assert_allclose(J, np.linalg.inv(dense(A)), rtol=1e-11, atol=1e-14)


@s2sad.operation
def weighed(a, x):
    """The rules below differ from what the body says, so that one sees who decides."""
    return a * x * x


@weighed.adjoint("a")
def weighed_a(r_b, a, x):
    return 100.0 * r_b


@weighed.adjoint("x")
def weighed_x(r_b, a, x):
    return None


def around(a, x):
    return weighed(a, x) + 0.0 * a * x


@s2sad.operation
def partly(a, x):
    return a * x * x


partly.adjoint("a")(weighed_a)


@BOTH
@pytest.mark.parametrize("f", [weighed, around])
def test_the_adjoint_decides(f, jit):
    assert s2sad.value_and_grad(f, (0, 1), jit=jit)(2.0, 3.0) == (18.0, (100.0, 0.0))
    assert s2sad.jvp(f, (2.0, 3.0), (0.5, 7.0), jit=jit) == (18.0, 50.0)
    tape = s2sad.record(f, jit=jit)(2.0, 3.0)
    assert (tape.reverse(1.0), tape.forward(0.5, 7.0)) == ((100.0, 0.0), 50.0)


@BOTH
def test_the_body_decides_where_no_adjoint_is_given(jit):
    assert s2sad.value_and_grad(partly, (0, 1), jit=jit)(2.0, 3.0) == (18.0, (100.0, 12.0))
    assert s2sad.jvp(partly, (2.0, 3.0), (0.5, 7.0), jit=jit) == (18.0, 134.0)
    assert s2sad.grad(s2sad.grad(partly, 1, jit=jit), 1, jit=jit)(2.0, 3.0) == 4.0
    tape = s2sad.record(partly, jit=jit)(2.0, 3.0)
    assert (tape.reverse(1.0), tape.forward(0.5, 7.0)) == ((100.0, 12.0), 134.0)


def test_only_adjoints_that_are_needed_are_there():
    def texts(argnums):
        return s2sad.differentiate(argnums=argnums)(partly_called).emit("adjoint")

    assert "adjoint_a_of_partly" in texts(0)
    assert "partly_body" not in texts(0)
    assert "partly_body" in texts(1)
    assert "partly_rev" in texts(1)


def partly_called(a, x):
    return partly(a, x) * 2.0


def test_an_operation_of_an_integer():
    @s2sad.operation
    def power(x, n):
        return x**n

    @power.adjoint("x")
    def _(r_b, x, n):
        return r_b * n * x ** (n - 1)

    def f(x, n):
        return power(x, n) + power(x, 2.0)

    assert s2sad.grad(f, jit=False)(3.0, 4) == 4 * 27.0 + 6.0


def test_operations_that_cannot_be():
    def stars(*xs):
        return xs[0]

    for wrong in (np.sin, stars, 3.0):
        with pytest.raises(s2sad.ArgumentError, match="S092"):
            s2sad.operation(wrong)
    with pytest.raises(s2sad.ArgumentError, match="S092"):
        composed.adjoint("r")


def test_entities():
    Pair = namedtuple("Pair", "a b")
    assert s2sad.entity(Pair) is Pair  # of somebody else
    assert s2sad.entity(np.ndarray) is np.ndarray
    assert s2sad.entity(complex) is complex
    for wrong in (float, dict, np.dtype([("a", float)])):
        with pytest.raises(s2sad.ArgumentError, match="S092"):
            s2sad.entity(wrong)


def test_members_in_python():
    """The marks mean nothing when the program is run."""
    q, v = Unit(*unit()), RNG.standard_normal(3)
    np.testing.assert_allclose(q.turned(v), as_rotation(q).apply(v), rtol=1e-13)
    p = Quaternion(*q)
    assert s2sad.value_and_grad(spun, jit=False)(p, v, v, 3)[0] == spun(p, v, v, 3)


# ----- classes that override, and operators of two classes ------------------------------------------------------


class Metres(NamedTuple):
    value: float

    def __mul__(self, other):
        return Metres(self.value * other.value)

    def __rsub__(self, a):
        return Metres(a - self.value)


class Feet(Metres):
    def __rmul__(self, other):
        return Feet(10.0 * self.value * other.value)


class Named(NamedTuple):
    value: float

    def __sub__(self, other):
        return Named(self.value - other)

    def __add__(self, other):
        return NotImplemented


def units(a, b, c):
    return (a * b).value + (b * a).value + (2.0 - a).value + (a * c).value


def test_which_operator_is_asked():
    """As in Python: a subclass with a way of its own first."""
    args = Metres(2.0), Feet(3.0), Metres(5.0)
    value, g = s2sad.value_and_grad(units, (0, 1, 2), jit=False)(*args)
    assert value == units(*args)
    assert g == (Metres(30.0 + 3.0 - 1.0 + 5.0), Feet(20.0 + 2.0), Metres(2.0))


@dataclass
class Line:
    slope: float
    start: float

    def at(self, x):
        return self.slope * x + self.start

    @property
    def twice(self):
        return 2.0 * self.slope

    def __matmul__(self, x):
        return self.at(x)


class Plane(NamedTuple):
    a: float
    b: float

    def __call__(self, x, y=1.0):
        return self.a * x + self.b * y

    def __abs__(self):
        return np.sqrt(self.a * self.a + self.b * self.b)


def on_a_line(line, x):
    return line.at(x) * line.twice + line @ x


def over_a_plane(p, x):
    return p(x) * abs(p) + abs(x) * p(x, y=2.0)


def test_members_of_dataclasses_and_calls_of_values():
    value, (line_b, x_b) = s2sad.value_and_grad(on_a_line, (0, 1), jit=False)(Line(2.0, 3.0), 5.0)
    assert (value, line_b, x_b) == (65.0, Line(51.0, 5.0), 10.0)
    value, (p_b, x_b) = s2sad.value_and_grad(over_a_plane, (0, 1), jit=False)(Plane(3.0, 4.0), -2.0)
    assert value == over_a_plane(Plane(3.0, 4.0), -2.0)
    np.testing.assert_allclose(p_b, (-10.0 - 2.0 * 0.6 - 4.0, 5.0 - 2.0 * 0.8 + 4.0), rtol=1e-14)
    assert x_b == 3.0 * 5.0 - 2.0 + 6.0


def test_rules_of_what_numba_compiled():
    """The mark is on the function in Python as well."""

    @s2sad.operation
    @njit
    def cube(x):
        return x * x * x

    @cube.adjoint("x")
    def _(r_b, x):
        return 100.0 * r_b

    def f(x):
        return cube(x) + x

    assert s2sad.grad(cube, jit=False)(2.0) == 100.0
    assert s2sad.grad(f, jit=False)(2.0) == 101.0


def test_what_gives_no_answer_is_refused():
    with pytest.raises(s2sad.S2sadError):
        s2sad.grad(lambda p: (p + 1.0).value, jit=False)(Named(2.0))
    with pytest.raises(s2sad.S2sadError, match="S064"):
        s2sad.grad(lambda p: (p * 2)[0], jit=False)(Named(2.0))


# ----- structures come back as they were ------------------------------------------------------------------------


class State(NamedTuple):
    q: Quaternion
    u: np.ndarray


def flow(s, h):
    return State(composed(s.q, Quaternion(h, s.u[0], s.u[1], s.u[2])), s.u * (1.0 + h))


def energy(s, h):
    return s.q.w * s.q.x * h + np.sum(s.u**2) * s.q.z


def sizes(value):
    """The structure of a value, with the shapes of its leaves."""
    if isinstance(value, tuple):
        return (type(value).__name__, *map(sizes, value))
    return np.shape(value)


@BOTH
def test_jacobians_of_structures(jit):
    s, h = State(unit(), RNG.standard_normal(3)), 0.1
    J = s2sad.jacfwd(flow, jit=jit)(s, h)
    other = s2sad.jacrev(flow, jit=jit)(s, h)
    recorded = s2sad.record(flow, jit=jit)(s, h).jacobian()
    column = ("Quaternion", (), (), (), ())
    assert sizes(J.q.w) == ("State", column, (3,))
    assert sizes(J.u) == ("State", ("Quaternion", (3,), (3,), (3,), (3,)), (3, 3))
    assert sizes(J) == sizes(other) == sizes(s2sad.jacobian(flow, jit=jit)(s, h))
    np.testing.assert_allclose(J.u.u, 1.1 * np.eye(3), rtol=1e-14)
    np.testing.assert_allclose(J.q.w.q, (h, *(-s.u)), rtol=1e-14)
    np.testing.assert_allclose(other.q.x.u, J.q.x.u, rtol=1e-14)
    np.testing.assert_allclose(recorded.u[0].u, J.u.u, rtol=1e-14)
    H = s2sad.hessian(energy, jit=jit)(s, h)
    assert sizes(H.q.w) == ("State", column, (3,))
    assert H.q.w.q == Quaternion(0.0, h)
    np.testing.assert_allclose(H.q.z.u, 2.0 * s.u, rtol=1e-14)
    np.testing.assert_allclose(H.u.u, 2.0 * s.q.z * np.eye(3), rtol=1e-14)


@BOTH
def test_batches_of_structures(jit):
    many = State(Quaternion(*RNG.standard_normal((4, 5))), RNG.standard_normal((5, 3)))
    values, (s_b, h_b) = s2sad.batch.value_and_grad(energy, (0, 1), in_axes=(0, None), jit=jit)(many, 0.3)
    one = [State(Quaternion(*map(float, q)), u) for q, u in zip(np.transpose(many.q), many.u, strict=True)]
    np.testing.assert_allclose(values, [energy(s, 0.3) for s in one], rtol=1e-13)
    assert sizes(s_b) == ("State", ("Quaternion", (5,), (5,), (5,), (5,)), (5, 3))
    np.testing.assert_allclose(s_b.u, 2.0 * many.u * many.q.z[:, None], rtol=1e-13)
    np.testing.assert_allclose(h_b, many.q.w * many.q.x, rtol=1e-13)


def test_tapes_of_structures_in_files(tmp_path):
    s = State(unit(), RNG.standard_normal(3))
    tape = s2sad.record(flow, jit=False)(s, 0.1)
    tape.save(tmp_path / "t.npz")
    again = s2sad.Tape.load(tmp_path / "t.npz")
    assert sizes(again.value) == sizes(tape.value)
    assert type(again.value) is State  # its module is loaded
    assert sizes(again.reverse(tape.value)) == sizes(tape.reverse(tape.value))
    local = namedtuple("Local", "a b")
    s2sad.record(lambda p: p.a * p.b, jit=False)(local(2.0, 3.0)).save(tmp_path / "u.npz")
    (found,) = s2sad.Tape.load(tmp_path / "u.npz").reverse(1.0)
    assert found._asdict() == {"a": 3.0, "b": 2.0}


def test_a_matrix_in_a_loop_keeps_no_elimination():
    """What the way back needs is the solution of each step."""
    text = s2sad.differentiate(typed).emit("adjoint")
    forward = text[text.index("def solved_fwd") : text.index("def solved_rev")]
    assert "hold" not in forward
    assert "keep" not in forward


def typed(A: Tridiagonal, u: "float64[:]", n: "int64"):  # noqa: F821
    return diffused(A, u, n)


# ----- tapes of entities ----------------------------------------------------------------------------------------


def one_step(q, p, v):
    return rotated(composed(q, p), v)


@BOTH
@pytest.mark.parametrize("index", ["linear", "reuse", "multiuse"])
def test_an_operation_is_one_statement(index, jit):
    """Two operations: two values in and one out, a value and an array in and an array out."""
    q, p, v, w = unit(), unit(), RNG.standard_normal(3), RNG.standard_normal(3)
    tape = s2sad.record(one_step, entities=True, index=index, check=True, jit=jit)(q, p, v)
    stats = tape.stats()
    assert (stats.statements, stats.arguments) == (2, 3 + 3)
    turn = as_rotation(q) * as_rotation(p)
    np.testing.assert_allclose(tape.value, turn.apply(v), rtol=1e-13)
    q_b, p_b, v_b = tape.reverse(w)
    want = s2sad.vjp(one_step, q, p, v, jit=False)[1](w)
    assert (type(q_b), type(p_b)) == (Quaternion, Quaternion)
    np.testing.assert_allclose(v_b, turn.inv().apply(w), rtol=1e-12)
    np.testing.assert_allclose((*q_b, *p_b), (*want[0], *want[1]), rtol=1e-12)
    np.testing.assert_allclose(tape.forward(None, None, v), turn.apply(v), rtol=1e-12)


def test_solutions_on_a_tape_of_entities():
    """A statement per step, whatever the size; the matrix is there once."""
    n = 50
    A = Tridiagonal(np.full(n - 1, -1.0), np.full(n, 3.0), np.full(n - 1, -1.0))
    tape = s2sad.record(lambda A, b: solved(A, solved(A, b)), entities=True, jit=False)(A, np.ones(n))
    assert tape.stats().statements == 2
    assert tape.stats().primal_bytes <= 8 * (6 * n + 1)
    A_b, b_b = tape.reverse(np.ones(n))
    np.testing.assert_allclose(
        b_b, np.linalg.solve(dense(A).T, np.linalg.solve(dense(A).T, np.ones(n))), rtol=1e-12
    )
    assert isinstance(A_b, Tridiagonal)


def test_operations_called_in_one_way_share_their_sweeps():
    def f(a, x):
        return partly(a, x) + partly(x, a)

    from s2sad import pipeline
    from s2sad.ir.nodes import REAL

    built, _ = pipeline.recorder(pipeline.Request(f), (REAL, REAL), "entities")
    assert built.text.count("def site_0_partly_rev(") == 1
    assert "site_1_partly" not in built.text
