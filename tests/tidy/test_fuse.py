"""Loops for array statements: the text that comes out, and random programs against derivatives that know no loops."""

import inspect
import warnings
from pathlib import Path

import numpy as np
import pytest
from checks import Run
from judge import loaded, moderate
from tidy.arrays import program

import s2sad
from s2sad import options, pipeline
from s2sad.frontend.kinds import kind_of_value
from s2sad.shapes.passes import NAMES
from s2sad.testing import leaves

GOLDEN = Path(__file__).parent.parent / "golden" / "passes" / "fuse"


def chain(x, y):
    a = x * y + np.sin(x)
    b = np.exp(-a) + y * y
    return np.sum(b / (1.0 + a * a))


def stencil(u0, k, steps):
    u = u0.copy()
    for _ in range(steps):
        u[1:-1] = u[1:-1] + k * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u * u)


def swapped(u0, k, steps):
    u = u0.copy()
    un = u0.copy()
    for _ in range(steps):
        un[1:-1] = u[1:-1] + k * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        u, un = un, u
    return np.sum(u * u)


def marched(u, k, steps):
    for _ in range(steps):
        u = u + k * np.sin(u)
    return np.sum(u)


def layer(A, x, b):
    return np.sum(np.tanh(A @ x + b) ** 2)


CASES = {
    "chain": (chain, (np.linspace(0.1, 0.9, 5), np.linspace(0.3, 0.7, 5))),
    "stencil": (stencil, (np.linspace(0.1, 0.9, 6) ** 2, 0.2, 3)),
    "swapped": (swapped, (np.linspace(0.1, 0.9, 6) ** 2, 0.2, 3)),
    "marched": (marched, (np.linspace(0.1, 0.9, 5), 0.2, 3)),
    "layer": (layer, (np.linspace(0.1, 0.9, 6).reshape(2, 3), np.linspace(0.1, 0.9, 3), np.ones(2))),
}


@pytest.mark.parametrize("name", CASES)
def test_text(name, golden):
    f, arguments = CASES[name]
    text = pipeline.emit_text(f, tuple(map(kind_of_value, arguments)), "adjoint", 0)
    halves = [
        part
        for part in text.split("@jit")
        if f"def {f.__name__}_fwd" in part or f"def {f.__name__}_rev" in part
    ]
    source = "# " + inspect.getsource(f).rstrip().replace("\n", "\n# ").replace("# \n", "#\n")
    golden(
        GOLDEN / f"{name}.py", f"{source}\n\n" + "\n\n".join(f"@jit{part}".rstrip() for part in halves) + "\n"
    )


@pytest.mark.parametrize("name", CASES)
def test_gradient(name):
    f, arguments = CASES[name]
    run = Run.of(f, arguments, jit=True, cache=False)
    run.gradient()
    run.tangent()


def by_an_element(u, n):
    a = u.copy()
    for k in range(n):
        u = np.tanh(0.5 * a * u[k - 2])
    return np.sum(u) + 0.6 * np.sum(a)


def rows_backwards(A, n):
    for row in A[::-1]:
        row[:] = 0.5 * np.sin(row[::-1])
    return np.sum(A * A) * n


def ends_backwards(u, n):
    u[::-1][1:] = np.sin(u[:0:-1])
    for _ in range(n):
        u = np.tanh(np.exp(-u * u) ** 2)
    return np.sum(u)


@pytest.mark.parametrize(
    ("f", "jit"),
    [(by_an_element, False), (rows_backwards, False), (ends_backwards, False), (by_an_element, True)],
)
def test_arrays_end_when_they_are_read_no_more(f, jit):
    """What a loop reads, be it an element or a length, is there until the loop is done."""
    x = np.linspace(0.1, 0.9, 6)
    Run.of(
        f, (x.reshape(3, 2) if f is rows_backwards else x, 2), jit=jit, cache=False, passes=NAMES
    ).gradient()


def mixed(x, y, A):
    a = x * y
    return np.sum(a + np.exp(-x)) + np.sum(A * x), a / y


@pytest.mark.parametrize("jit", [False, True], ids=["plain", "compiled"])
@pytest.mark.parametrize(
    "shapes", [(4, 4, (2, 4)), (1, 4, (2, 4)), (4, 1, (2, 4)), (1, 1, (3, 1)), (4, 4, (2, 1)), (0, 0, (2, 0))]
)
def test_broadcasting(shapes, jit):
    """The same code, whatever the shapes turn out to be."""
    arguments = tuple(np.random.default_rng(5).uniform(0.2, 0.9, shape) for shape in shapes)
    run = Run.of(mixed, arguments, exact=False, rounded=True, jit=jit, passes=NAMES)
    run.pullback()
    run.tangent()


@pytest.mark.parametrize("jit", [False, True], ids=["plain", "compiled"])
def test_shapes_that_do_not_go_together(jit):
    with pytest.raises(ValueError, match="could not be broadcast"):
        s2sad.vjp(mixed, np.ones(3), np.ones(4), np.ones((2, 3)), jit=jit, passes=NAMES)


def quotient(x, y):
    return np.sum(np.where(y > 0.0, x / y, x))


def test_elements_are_divided_without_an_error():
    x, y = np.array([1.0, 2.0, 3.0]), np.array([2.0, 0.0, 4.0])
    value, (slope,) = s2sad.value_and_grad(quotient, argnums=(0,))(x, y)
    assert value == 0.5 + 2.0 + 0.75
    np.testing.assert_array_equal(slope, [0.5, 1.0, 0.25])


def roots_in_a_loop(x):
    s = 0.0
    for i in range(x.shape[0]):
        s += np.sqrt(x[i]) / (1.0 + x[i])
    return s


def roots(x):
    return np.sum(np.sqrt(x) / (1.0 + x))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("jit", [False, True], ids=["plain", "compiled"])
@pytest.mark.parametrize("f", [roots, roots_in_a_loop])
def test_an_infinite_slope_is_no_error(f, jit):
    x = np.array([0.0, 1.0])
    assert s2sad.jvp(f, (x,), (np.ones(2),), jit=jit) == (0.5, np.inf)
    np.testing.assert_array_equal(s2sad.grad(f, jit=jit)(x), [np.inf, 0.0])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("jit", [False, True], ids=["plain", "compiled"])
def test_an_infinite_slope_of_a_result_is_no_error(jit):
    assert s2sad.jvp(lambda x: np.sqrt(x), (0.0,), (1.0,), jit=jit) == (0.0, np.inf)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("jit", [False, True], ids=["plain", "compiled"])
def test_a_remainder_by_zero_is_no_error(jit):
    x, y = np.array([1.0, 2.0]), np.array([0.0, 0.75])
    value, slope = s2sad.jvp(lambda x, y: np.mod(x, y) * x, (x, y), (np.ones(2), np.zeros(2)), jit=jit)
    np.testing.assert_array_equal(value, [np.nan, 1.0])
    assert np.isnan(slope[0])
    assert slope[1] == 2.5  # 2 % 0.75 = 0.5, and 2 * 1


def entropy(x, y):
    return np.sum(x * y + np.exp(x))


@pytest.mark.parametrize("lengths", [(4, 4), (4, 1), (1, 4)])
@pytest.mark.parametrize(
    "lay", [lambda a: np.repeat(a, 2, -1)[..., ::2], np.asfortranarray], ids=["gaps", "columns"]
)
def test_arrays_of_any_layout(lay, lengths):
    """What is broadcast keeps the type of what it is of."""
    rng = np.random.default_rng(2)
    x, y = (lay(rng.uniform(0.2, 0.9, (3, n))) for n in lengths)
    run = Run.of(entropy, (x, y), exact=False, rounded=True, jit=True)
    run.gradient()
    run.tangent()


def test_what_numba_shares_out_stays_as_it_is():
    own = options.Options(user={"parallel": True})
    assert "fuse" not in (own.shaping or ["fuse"])
    assert options.Options().shaping is None
    assert "fuse" not in (options.Options(jit=False).shaping or ["fuse"])


def same_twice(x, y):
    y[1:] = 0.5 * x[:-1]
    return np.sum(y * y)


@pytest.mark.parametrize("jit", [False, True], ids=["plain", "compiled"])
def test_one_array_for_two_parameters(jit):
    x = np.ones(4)
    with pytest.raises(ValueError, match="share memory"):
        s2sad.grad(same_twice, jit=jit)(x, x)
    assert x.tolist() == [1.0] * 4


def examine(seed, checks=("gradient",), jit=False):
    """Run the checks on a random program that NumPy can run, and whose values are moderate."""
    made = program(seed)
    with loaded(made.source) as module, warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        try:
            options = {"jit": jit, "cache": False, "passes": NAMES}  # loops in code that isn't compiled, too
            run = Run.of(module.f, made.arguments, exact=False, rounded=True, **options)
        except ValueError:  # shapes that don't go together
            return "unusable"
        if not all(moderate(x) for x in leaves(run.value)):
            return "unusable"
        for check in checks:
            try:
                getattr(run, check)()
            except s2sad.S2sadError as e:
                return e.code
            except AssertionError as e:
                raise AssertionError(f"{made.source}\n# f{made.arguments}") from e
        return "right"


@pytest.mark.parametrize("block", range(6))
def test_random(block):
    """Some in a hundred can't be run; hardly any is refused."""
    verdicts = [examine(f"plain:{block}:{k}", ("gradient", "tangent", "pullback_again")) for k in range(15)]
    assert verdicts.count("right") >= 9, verdicts


@pytest.mark.parametrize("number", range(4))
def test_second_order(number):
    examine(f"second:{number}", ("second_order",))


@pytest.mark.parametrize("number", range(4))
def test_compiled(number):
    examine(f"compiled:{number}", jit=True)
