"""Both sweeps as one: what is taken back trip by trip gives what two sweeps give, and the value to the last bit."""

import math
import re
import warnings
from pathlib import Path

import numba
import numpy as np
import pytest
from judge import loaded
from reference import assert_close
from shapes.trips import trips

import s2sad
from s2sad import derive, pipeline
from s2sad.analyses.entities import Classes
from s2sad.frontend.kinds import kind_of_value
from s2sad.ir.names import Namer
from s2sad.ir.nodes import INT, Apply, Assign, Kind, Load, Store, Var
from s2sad.shapes.beside import beside
from s2sad.shapes.passes import PASSES, TOGETHER
from s2sad.shapes.sweep import Sweep

FOLDER = Path(__file__).parent.parent / "golden" / "together"
ACTIVE = (0, 1, 2, 3)
X, Z, P = np.array([0.7, -0.4, 1.1]), np.linspace(-1.0, 1.0, 6).reshape(3, 2), np.array([0.9, 0.3])


def payoff(x, z, p, r):
    """A sum over paths, each of which keeps what it needs for its own way back."""
    n, m = z.shape
    total = 0.0
    for i in range(n):
        s = x[i]
        for k in range(m):
            s = s * np.exp(p[k] * z[i, k] - r)
        gain = s - 0.5
        if gain > 0.0:
            total += gain
    return np.exp(-r * m) * total / n


def mixture(x, z, p, r):
    """An array is filled anew in each trip."""
    w = np.empty(p.shape[0])
    s = 0.0
    for i in range(x.shape[0]):
        for k in range(p.shape[0]):
            w[k] = np.exp(-r * (x[i] - z[i, k]) ** 2) * p[k]
        e = 0.0
        for k in range(p.shape[0]):
            e += w[k]
        s += np.log(1.0 + e * e)
    return s


def written_before(x, z, p, r):
    """What the loop reads is written by other trips."""
    s = 0.0
    for i in range(x.shape[0]):
        x[i] = x[i] * x[i - 1]
        s += np.sin(x[i])
    return s


def carried(x, z, p, r):
    """A number goes from trip to trip."""
    s, c = 0.0, r
    for i in range(x.shape[0]):
        c = np.sin(c) * x[i]
        s += c
    return s


def row_read_behind(x, z, p, r):
    """What the last trip leaves in the array is read behind the loop: its adjoint is not zero before that trip."""
    w = np.empty(p.shape[0])
    s = 0.0
    for i in range(x.shape[0]):
        for k in range(p.shape[0]):
            w[k] = np.sin(x[i] * z[i, k]) * p[k]
        e = 0.0
        for k in range(p.shape[0]):
            e += w[k] * r
        s += e * e
    return s + w[0]


def times_its_sum(x, z, p, r):
    """The adjoint of the sum is known only when the loop is done."""
    s = 0.0
    for i in range(x.shape[0]):
        s += np.sin(x[i] * x[i])
    return s * s


def partial_sums(x, z, p, r):
    """A sum is read in the loop."""
    s = q = 0.0
    for i in range(x.shape[0]):
        s += np.sin(x[i])
        q += s * s
    return q


def beside_a_stencil(x, z, p, r):
    """The stencil before the loop is gathered in both forms that the file has, each with a frame of its own."""
    n = x.shape[0]
    u = np.zeros(n)
    for i in range(1, n - 1):
        u[i] = r * (x[i - 1] - 2.0 * x[i] + x[i + 1])
    s = 0.0
    for i in range(z.shape[0]):
        a = u[0] + x[i]
        for k in range(z.shape[1]):
            a = np.sin(a * z[i, k] * p[k] + u[k])
        s += a
    return s


def whole(x, z, p, r):
    """Each element of the gradient is met once: it is assigned."""
    s = 0.0
    for i in range(x.shape[0]):
        s += np.exp(np.sin(x[i]))
    return s


def roots(x, z, p, r):
    """As many turns as each trip needs: what they keep is in one room, which grows, for all trips."""
    s = 0.0
    for i in range(x.shape[0]):
        e, d = x[i], 1.0
        while abs(d) > 1e-9:
            d = (e - r * np.sin(e) - x[i]) / (1.0 - r * np.cos(e))
            e -= d
        s += e * e
    return s


def not_all_read(x, z, p, r):
    """Adjoints of what is never read are results, too."""
    s = 0.0
    for i in range(x.shape[0]):
        s += np.exp(np.sin(x[i]))
    return 0.7 * s


def angles(x, z, p, r):
    """A cosine is formed beside the sine of the same element, not behind the stores into adjoints of others."""
    s = 0.0
    for i in range(x.shape[0]):
        s += math.sin(x[i]) * z[i, 0] + np.cos(z[i, 1]) * r * x[i]
    return s


def in_one(f, *args):
    """The one sweep of a function, if it has one."""
    fn = pipeline.lowered(f, tuple(map(kind_of_value, args)))
    wrt = [p for p, a in zip(fn.params, args, strict=True) if isinstance(a, float | np.ndarray)]
    return derive.derive(fn, wrt, of=(0,), seeded=True).one


def both(f, args, jit):
    """Value and gradient with one sweep, and with two."""
    options = {"argnums": ACTIVE, "jit": jit, "cache": False}
    for passes in ((*PASSES, TOGETHER), tuple(PASSES)):
        yield s2sad.value_and_grad(f, passes=passes, **options)(
            *(np.copy(a) if np.ndim(a) else a for a in args)
        )


def within_reach(x, z, p, q):
    s = 0.0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            d = x[j] - x[i] * p[0]
            if d > q:
                break
            w = d * d
            if w < 0.5:
                s += np.exp(-w) * z[i, 0] * p[1]
    return s


@pytest.mark.parametrize("f", [payoff, mixture, whole, angles, roots], ids=lambda f: f.__name__)
def test_text(f, golden):
    kinds = tuple(map(kind_of_value, (X, Z, P, 0.3)))
    text = pipeline.emit_text(f, kinds, "adjoint", ACTIVE)
    golden(FOLDER / f"{f.__name__}.py", text[text.index("@jit(inner=True)\ndef " + f.__name__ + "_both") :])


def test_every_function_of_the_file_has_a_name_of_its_own():
    text = pipeline.emit_text(beside_a_stencil, tuple(map(kind_of_value, (X, Z, P, 0.3))), "adjoint", ACTIVE)
    names = re.findall(r"^def (\w+)", text, re.MULTILINE)
    assert sum(name.startswith("frame_of") for name in names) > 1
    assert len(names) == len(set(names))


@pytest.mark.parametrize("jit", [False, True], ids=["plain", "compiled"])
@pytest.mark.parametrize(
    "f",
    [payoff, mixture, whole, angles, beside_a_stencil, roots, not_all_read, within_reach],
    ids=lambda f: f.__name__,
)
def test_gradient(f, jit):
    assert in_one(f, X, Z, P, 0.3) is not None
    one, two = both(f, (X, Z, P, 0.3), jit)
    assert one[0] == two[0]
    assert_close(one[1], two[1], 1e-13, "adjoints")


def test_sines_keep_their_bits_beside_cosines():
    """The library gives both together what it gives each alone."""
    itself, gradient = numba.njit(angles), s2sad.value_and_grad(angles, ACTIVE)
    rng = np.random.default_rng(5)
    for size in (1e-9, 1e-3, 0.1, 0.8, 1.0, 2.0, 3.0, 30.0, 1e6, 1e15, 1e300):
        for _ in range(40):
            x, z = rng.normal(size=1) * size, np.ones((1, 2))
            assert gradient(x, z, P, 0.0)[0] == itself(x, z, P, 0.0)


def test_a_cosine_of_what_is_written_in_between_stays():
    i = (Var("i"),)
    back = Store("x_b", i, Apply("cos", (Load("x", i),)))
    body = (Assign("t", Apply("sin", (Load("x", i),))), Store("y_b", i, Var("w")), back)
    kinds = dict.fromkeys(("x", "y", "x_b", "y_b"), Kind("real", 1)) | {"i": INT, "j": INT}
    sweep = Sweep(kinds, Namer(kinds), memory=Classes({"y": "x"}))
    assert len(beside(body, sweep)) == 4
    for other in (Store("x", i, Var("w")), Store("y", (Var("j"),), Var("w")), Assign("i", Var("j"))):
        assert beside((*body[:2], other, back), sweep) == (*body[:2], other, back)


@pytest.mark.parametrize(
    "f", [written_before, carried, row_read_behind, times_its_sum, partial_sums], ids=lambda f: f.__name__
)
def test_two_where_one_would_be_wrong(f):
    assert in_one(f, X, Z, P, 0.3) is None


@pytest.mark.parametrize("number", range(40))
def test_random(number):
    program = trips(number)
    with loaded(program.source) as module, warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        one, two = both(module.f, program.arguments, jit=False)
    assert np.array_equal(one[0], two[0], equal_nan=True), program.source
    assert_close(one[1], two[1], 1e-11, program.source)


def test_most_are_taken_back_at_once():
    found = []
    for number in range(30):
        program = trips(number)
        with loaded(program.source) as module:
            found.append(in_one(module.f, *program.arguments) is not None)
    assert sum(found) >= 8


def longer(x, y):
    s = 0.0
    for i in range(len(x)):
        s += np.sin(x[i] * y[i])
    return s


def taller(x, A):
    s = 0.0
    for i in range(len(x)):
        for j in range(A.shape[1]):
            s += np.sin(x[i] * A[i, j])
    return s


def broadcast(x, y):
    return np.sum(np.sin(x * y) + y)


def shorter_by_a_number(x, y):
    s = 0.0
    for i in range(len(x) - 3):
        s += np.sin(x[i] * y[i])
    return s


N, M = 40_000, 20_000  # big enough for memory that was used before


@pytest.mark.parametrize(
    ("f", "shapes"),
    [
        (longer, ((M,), (N,))), (longer, ((0,), (N,))), (longer, ((M,), (M,))), (taller, ((100,), (400, 200))),
        (broadcast, ((1,), (N,))), (broadcast, ((N,), (1,))), (broadcast, ((N,), (N,))), (broadcast, ((1,), (1,))),
        (shorter_by_a_number, ((M,), (N,))), (shorter_by_a_number, ((2,), (N,))),
    ],
)  # fmt: skip
def test_what_a_loop_does_not_reach_is_zero(f, shapes):
    rng = np.random.default_rng(1)
    args = [rng.uniform(0.5, 1.5, shape) for shape in shapes]
    grad = s2sad.grad(f, (0, 1))
    wanted = s2sad.grad(f, (0, 1), jit=False, passes="")(*args)
    for _ in range(3):
        made = grad(*args)
        assert_close(made, wanted, 1e-12, f.__name__)
        for g in made:
            g[...] = 7.0  # what the next call finds in that memory
        del g, made
