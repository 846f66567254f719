"""Whose memory is whose: arguments, cotangents, arenas, threads; and derivatives where Numba can hold them."""

import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import numba
import numpy as np
import pytest

import s2sad
import s2sad_runtime
from s2sad import grad, hvp, jvp, value_and_grad, vjp

BOTH = pytest.mark.parametrize("jit", [False, True], ids=["plain", "compiled"])


def sweep(x, w, steps):
    """Writes into x; keeps an undo log."""
    for _ in range(steps):
        for i in range(1, len(x)):
            x[i] = x[i] * w + x[i - 1] * x[i]
    if x[1] > 100.0:
        raise ValueError("too large", 100)
    s = 0.0
    for i in range(len(x)):
        s += x[i] * x[i]
    return s


def powers(x, n):
    """A result that is an array."""
    y = x.copy()
    for _ in range(n):
        for i in range(len(y)):
            y[i] = y[i] * np.sin(y[i]) * x[i]
    return y


X = np.array([0.4, 0.7, 0.2, 0.9])
W, STEPS = 0.8, 3


@pytest.fixture(scope="module")
def after():
    x = X.copy()
    value = sweep(x, W, STEPS)
    return value, x


@BOTH
def test_arguments_end_as_the_function_leaves_them(jit, after):
    value, left = after
    close = pytest.approx(left, rel=1e-14)
    for call in (
        lambda x: value_and_grad(sweep, (0, 1), jit=jit)(x, W, STEPS)[0],
        lambda x: jvp(sweep, (x, W, STEPS), (np.ones(4), 1.0, None), jit=jit)[0],
        lambda x: vjp(sweep, x, W, STEPS, jit=jit)[0],
    ):
        x = X.copy()
        assert call(x) == pytest.approx(value, rel=1e-14)
        assert x == close


@BOTH
def test_a_pullback_leaves_arguments_and_cotangents_alone(jit):
    x, bar = X.copy(), np.array([1.0, -2.0, 0.5, 0.1])
    y, pullback = vjp(powers, x, 2, jit=jit)
    kept = y.copy()
    first = pullback(bar)[0]
    assert np.array_equal(bar, [1.0, -2.0, 0.5, 0.1])
    assert np.array_equal(x, X)
    assert np.array_equal(y, kept)
    first[:] = 0.0  # its result belongs to the caller
    y[:] = 0.0
    assert pullback(bar)[0].any()


@BOTH
def test_pullbacks_again_and_interleaved(jit):
    _, one = vjp(powers, X, 2, jit=jit)
    alone = [one(np.eye(4)[k])[0] for k in range(4)]
    _, other = vjp(powers, 2.0 * X, 3, jit=jit)
    theirs = [other(np.eye(4)[k])[0] for k in range(4)]
    for k in (2, 0, 3, 1, 2):
        assert np.array_equal(one(np.eye(4)[k])[0], alone[k])
        assert np.array_equal(other(np.eye(4)[k])[0], theirs[k])


@BOTH
def test_a_pullback_in_threads(jit):
    _, pullback = vjp(powers, X, 2, jit=jit)
    expected = [pullback(np.eye(4)[k])[0] for k in range(4)]
    barrier = Barrier(4)

    def run(k):
        barrier.wait()
        return all(np.array_equal(pullback(np.eye(4)[k])[0], expected[k]) for _ in range(50))

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(run, range(4)))


def test_gradients_in_threads_without_the_gil():
    derivative = grad(powers_sum, nogil=True)
    expected = [derivative(X * k, 2) for k in range(1, 5)]
    with ThreadPoolExecutor(4) as threads:
        for _ in range(20):
            got = list(threads.map(lambda k: derivative(X * k, 2), range(1, 5)))
            assert all(map(np.array_equal, got, expected))


def powers_sum(x, n):
    return np.sum(powers(x, n))


def lent():
    return s2sad_runtime.memory().lent


@BOTH
def test_exceptions_of_the_function_come_through_and_lose_no_memory(jit):
    before = lent()
    derivative = value_and_grad(sweep, jit=jit)
    for call in (
        lambda x: derivative(x, 8.0, 4),
        lambda x: jvp(sweep, (x, 8.0, 4), (np.ones(4), None, None), jit=jit),
        lambda x: vjp(sweep, x, 8.0, 4, jit=jit),
        lambda x: hvp(sweep, (x, 8.0, 4), (np.ones(4), None, None), jit=jit),
    ):
        with pytest.raises(ValueError, match="too large") as mine:
            call(X.copy())
        assert type(mine.value) is ValueError
        assert mine.value.args == ("too large", 100)
        mine.value.__traceback__ = None
    assert lent() == before
    assert np.isfinite(derivative(X.copy(), W, STEPS)[0])


def unread_branch(x, a):
    n = 0.0
    if 1.0 / a > 0.0:
        n = n + 1.0
    return x * x


def unread_loop(x, a):
    n = 0
    for _ in range(0, 5, a):
        n += 1
    return x * x


def empty_branch(x, a):
    if 1 // a > 0:
        pass
    return x * x


@pytest.mark.parametrize("f", [unread_branch, unread_loop, empty_branch])
def test_what_nobody_reads_still_raises(f):
    for call in (
        lambda: value_and_grad(f, jit=False)(1.5, 0),
        lambda: jvp(f, (1.5, 0), (1.0, None), jit=False),
        lambda: vjp(f, 1.5, 0, jit=False),
        lambda: hvp(f, (1.5, 0), (1.0, None), jit=False),
    ):
        with pytest.raises((ValueError, ZeroDivisionError)):
            call()


def test_the_arena_is_given_back():
    before = lent()
    derivative = grad(powers_sum)
    for _ in range(3):
        derivative(np.ones(1000), 5)
    assert lent() == before
    _, pullback = vjp(powers, np.ones(1000), 5)
    pullback(np.ones(1000))
    assert lent() > before
    del pullback
    assert lent() == before


# ----- imports -------------------------------------------------------------------------------------------------


def python(code, **environment):
    env = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path]),
        **environment,
    }
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_s2sad_imports_neither_numba_nor_scipy():
    python(
        "import sys, s2sad; assert not {'numba', 'scipy', 'typer', 'rich', 'matplotlib'} & set(sys.modules)"
    )


def test_without_jit_numba_is_never_imported():
    python(
        "import sys\n"
        "import numpy as np, s2sad\n"
        "from benchmarks.workloads import cholesky as f\n"
        "x = np.array([[2.0, 0.5], [0.5, 1.0]])\n"
        "s2sad.value_and_grad(f, jit=False)(x), s2sad.hessian(f, jit=False)(x)\n"
        "s2sad.jvp(f, (x,), (x,), jit=False), s2sad.vjp(f, x, jit=False)[1](1.0)\n"
        "s2sad.differentiate(jit=False)(f).grad(x)\n"
        "s2sad.check_grads(f, (x,), jit=False)\n"
        "assert 'numba' not in sys.modules\n"
    )


# ----- in nopython code -------------------------------------------------------------------------------------------


def bowl(x, k):
    return k * x * x * np.cos(x)


slope = grad(bowl)


@numba.njit
def by_global(x):
    return slope(x, 2.0) + slope(k=3.0, x=x)


@numba.njit
def by_argument(derivative, x):
    return derivative(x, 2.0)


@numba.njit(parallel=True)
def in_prange(xs):
    out = np.empty(len(xs))
    for i in numba.prange(len(xs)):
        out[i] = slope(xs[i], 2.0)
    return out


def exact(x, k):
    return k * (2.0 * x * np.cos(x) - x * x * np.sin(x))


def test_derivatives_in_nopython_code():
    made = grad(bowl)

    @numba.njit
    def by_closure(x):
        return made(x, 2.0)

    assert by_global(0.7) == pytest.approx(exact(0.7, 5.0))
    assert by_closure(0.7) == pytest.approx(exact(0.7, 2.0))
    assert by_argument(slope, 0.7) == pytest.approx(exact(0.7, 2.0))
    assert by_argument(pickle.loads(pickle.dumps(slope)), 0.7) == pytest.approx(exact(0.7, 2.0))


@pytest.mark.filterwarnings("ignore::numba.core.errors.NumbaPerformanceWarning")
def test_derivatives_in_prange():
    xs = np.linspace(0.1, 1.0, 50)
    assert in_prange(xs) == pytest.approx(exact(xs, 2.0))


# ----- callers with a cache ----------------------------------------------------------------------------------------

MODEL = "import params\n\n\ndef f(x):\n    return {} * x * x * params.K\n"
CALLER = """\
import numba, s2sad
from model import f

derivative = s2sad.grad(f)


@numba.njit(cache=True)
def call(x):
    return derivative(x)


print(call(1.0), sum(call.stats.cache_hits.values()))
"""


def test_cached_callers_are_never_stale(tmp_path):
    """The caller's file stays; what it differentiates changes, in its own file or in a constant of a third."""
    (tmp_path / "caller.py").write_text(CALLER, encoding="utf-8")

    def run(factor, constant):
        (tmp_path / "model.py").write_text(MODEL.format(factor), encoding="utf-8")
        (tmp_path / "params.py").write_text(f"K = {constant}\n", encoding="utf-8")
        out = python(
            "import caller",
            PYTHONPATH=os.pathsep.join([str(tmp_path), *sys.path]),
            PYTHONDONTWRITEBYTECODE="1",
        )
        value, hits = out.split()
        return float(value), int(hits)

    assert run(1.0, 1.0) == (2.0, 0)
    assert run(1.0, 1.0) == (2.0, 1)
    assert run(3.0, 1.0) == (6.0, 0)
    assert run(3.0, 5.0) == (30.0, 0)
    assert run(1.0, 1.0)[0] == 2.0


def test_constants_that_change_while_the_program_runs(tmp_path, monkeypatch):
    """Functions that derive when they are called see what the function itself sees."""
    (tmp_path / "changing.py").write_text("K = 2.0\n\n\ndef f(x):\n    return K * x * x\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    changing = __import__("changing")
    for k in (2.0, 3.0, 2.0):
        changing.K = k
        for jit in (False, True):
            assert jvp(changing.f, (1.0,), (1.0,), jit=jit) == (k, 2.0 * k)
            assert vjp(changing.f, 1.0, jit=jit)[1](1.0) == (2.0 * k,)
            assert value_and_grad(changing.f, jit=jit)(1.0) == (k, 2.0 * k)
            assert s2sad.hvp(changing.f, (1.0,), (1.0,), jit=jit) == 2.0 * k
