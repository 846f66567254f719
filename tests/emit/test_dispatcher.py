"""Derivatives as dispatchers: everywhere Numba takes a function, with caches that are never stale."""

import ctypes
import gc
import os
import pickle
import subprocess
import sys
import textwrap
import threading
import weakref
from collections import namedtuple

import numba
import numpy as np
import pytest
from emit import derivatives
from emit.derivatives import derivative, differentiated, slope, wave
from numba import njit, prange, types

from s2sad.emit.dispatcher import Derivative, kind_of_type
from s2sad.errors import KindError, S2sadError, UnsupportedSyntaxError
from s2sad.ir.nodes import BOOL, INT, NONE, REAL, Kind

D = derivative()
X = 1.3


@njit
def calls_global(x):
    return D(x, 2.0)


# --- kinds ---


Pair = namedtuple("Pair", "a b")


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (1.0, REAL),
        (1, INT),
        (np.int32(1), INT),
        (True, BOOL),
        (None, NONE),
        ("s", Kind("text")),
        (np.ones(2), Kind("real", 1)),
        (np.ones((2, 3))[:, ::2], Kind("real", 2)),
        (np.ones(2, np.int32), Kind("int", 1)),
        (np.ones((1, 1, 1), bool), Kind("bool", 3)),
        (np.ones(2, np.float32), Kind("single", 1)),
        ((1.0, 2.0), Kind("tuple", items=(REAL, REAL))),
        ((1.0, (2, np.ones(1))), Kind("tuple", items=(REAL, Kind("tuple", items=(INT, Kind("real", 1)))))),
        (Pair(1.0, 2), Kind("tuple", items=(REAL, INT), make=Pair)),
    ],
)
def test_kinds(value, kind):
    assert kind_of_type(numba.typeof(value)) == kind


def test_kinds_of_defaults_and_literals():
    assert kind_of_type(types.Omitted(2.5)) == REAL
    assert kind_of_type(types.literal(3)) == INT


@pytest.mark.parametrize(
    "ty", [types.float16, types.complex128, types.complex128[:], types.List(types.float64)]
)
def test_other_types_are_refused(ty):
    with pytest.raises(KindError, match=r"not supported|not compiled"):
        kind_of_type(ty)


# --- calls ---


def test_from_python():
    assert D(X) == pytest.approx(slope(X))
    assert D(X, scale=3.0) == pytest.approx(slope(X, 3.0))
    assert D(scale=3.0, x=X) == pytest.approx(slope(X, 3.0))
    assert D.__name__ == "wave"
    assert D.__doc__ == wave.__doc__


def test_arrays_of_any_layout():
    x = np.linspace(0, 1, 8)
    np.testing.assert_allclose(D(x, 2.0), slope(x, 2.0))
    np.testing.assert_allclose(D(x[::2], 2.0), slope(x[::2], 2.0))
    frozen = x.copy()
    frozen.flags.writeable = False
    np.testing.assert_allclose(D(frozen, 2.0), slope(x, 2.0))


def test_one_generation_per_kinds():
    d = derivative(11.0)
    derivatives.calls.clear()
    x = np.linspace(0, 1, 8)
    for args in ((x,), (x[::2],), (x, 2.0), (X, 2.0), (X, 3.0)):
        d(*args)
    assert derivatives.calls == [(Kind("real", 1), REAL), (REAL, REAL)]


def test_as_global():
    assert calls_global(X) == pytest.approx(slope(X, 2.0))


def test_as_closure_variable_with_defaults_and_keywords():
    d = derivative()

    @njit
    def caller(x):
        return d(x) + d(x=x, scale=2.0)

    assert caller(X) == pytest.approx(3 * slope(X))


def test_as_argument():
    @njit
    def apply(f, x):
        return f(x, 2.0)

    assert apply(D, X) == pytest.approx(slope(X, 2.0))
    assert apply(derivative(2.0), X) == pytest.approx(slope(X, 4.0))


def test_in_prange():
    @njit(parallel=True)
    def caller(x):
        out = np.empty_like(x)
        for i in prange(len(x)):
            out[i] = D(x[i], 2.0)
        return out

    x = np.linspace(0, 2, 50)
    np.testing.assert_allclose(caller(x), slope(x, 2.0))


def test_as_first_class_function():
    @njit("float64(FunctionType(float64(float64, float64)), float64)")
    def caller(f, x):
        return f(x, 2.0)

    assert caller(D, X) == pytest.approx(slope(X, 2.0))


@pytest.mark.filterwarnings("ignore:.*First-class function type")  # of Numba, for any two functions
def test_in_a_tuple():
    d, e = derivative(1.0), derivative(2.0)

    @njit
    def caller(x):
        both = (d, e)
        return both[0](x, 1.0) + both[1](x, 1.0)

    assert caller(X) == pytest.approx(3 * slope(X))


def test_as_c_callback():
    address = D.cfunc("float64(float64, float64)").address
    function = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_double)(address)
    assert function(X, 2.0) == pytest.approx(slope(X, 2.0))


def test_signatures_are_compiled_on_request():
    d = derivative(12.0)
    d.compile("(float64, float64)")
    assert d.signatures == [(types.float64, types.float64)]
    d.disable_compile()
    assert d(X, 1.0) == pytest.approx(slope(X, 12.0))
    with pytest.raises(RuntimeError, match="compilation disabled"):
        d.compile("(int64, float64)")


def test_recompile():
    d = derivative(13.0)
    d(X, 1.0)
    d.recompile()
    assert d(X, 1.0) == pytest.approx(slope(X, 13.0))


# --- errors ---


def test_our_errors_come_through_and_again():
    assert not issubclass(S2sadError, numba.core.errors.NumbaError)

    @njit
    def caller(x):
        return D(x, 2.0)

    @njit(parallel=True)
    def parallel(n):
        s = 0.0
        for i in prange(n):
            s += D(i, 2.0)
        return s

    for call in (lambda: D(3, 2.0), lambda: caller(3), lambda: parallel(3)):
        for _ in range(2):
            with pytest.raises(UnsupportedSyntaxError, match="x must be real"):
                call()
    assert caller(X) == pytest.approx(slope(X, 2.0))
    with pytest.raises(KindError, match="complex128"):
        D(1j)


def test_exceptions_of_the_function_come_through():
    with pytest.raises(ValueError, match="x is too big"):
        D(1e7, 2.0)
    with pytest.raises(ValueError, match="x is too big"):
        calls_global(1e7)


def test_wrong_number_of_arguments():
    with pytest.raises(TypeError):
        D()
    with pytest.raises(TypeError):
        D(1.0, 2.0, 3.0)


# --- identity, pickling, threads ---


def test_one_object_per_key_while_it_lives():
    d = derivative(14.0)
    assert derivative(14.0) is d
    assert derivative(15.0) is not d
    gone = weakref.ref(d)
    del d
    gc.collect()
    assert gone() is None


def test_goes_by_the_state_that_it_was_generated_in():
    state, factor = ["one"], {"one": 21.0, "two": 22.0}

    def made():
        def generate(kinds):
            return derivatives.generate(factor[state[0]], kinds)

        return derivatives.make(wave, derivative, {}, generate, key=lambda: f"state {state[0]}")

    D = made()
    first, state[0] = D.key, "two"
    assert D(0.5, 1.0) == pytest.approx(22.0 * slope(0.5))
    assert made() is D
    assert first not in D.guards
    state[0] = "one"
    other = made()
    assert other is not D
    assert other(0.5, 1.0) == pytest.approx(21.0 * slope(0.5))
    assert D(np.full(2, 0.5), 1.0) == pytest.approx(
        21.0 * slope(0.5)
    )  # of two states now: it stands for neither
    assert made() is other
    state[0] = "two"
    assert made() is not D


def test_no_reference_cycles():
    gc.collect()
    gc.disable()
    try:
        d = derivative(16.0)
        d(X, 1.0)
        gone = weakref.ref(d)
        del d
        assert gone() is None
    finally:
        gc.enable()


def test_code_outlives_another_derivative_of_the_same_text():
    one = derivatives.make(
        wave, derivative, {}, lambda kinds: derivatives.generate(17.0, kinds), key=lambda: "one"
    )
    two = derivatives.make(
        wave, derivative, {}, lambda kinds: derivatives.generate(17.0, kinds), key=lambda: "two"
    )
    assert one(X, 1.0) == two(X, 1.0)
    del one
    gc.collect()

    @njit
    def caller(x):
        return two(x, 1.0)

    assert caller(X) == pytest.approx(slope(X, 17.0))


def test_pickle():
    assert pickle.loads(pickle.dumps(D)) is D
    d = derivative(18.0)
    data = pickle.dumps(d)
    del d
    gc.collect()
    again = pickle.loads(data)
    assert isinstance(again, Derivative)
    assert again(X, 1.0) == pytest.approx(slope(X, 18.0))


def test_pickle_of_source_that_has_changed():
    """Another object than the living one, since Numba compares by identity; of the source as it is now."""
    data = pickle.dumps(
        derivatives.make(wave, derivative, {}, lambda kinds: ("", ""), key=lambda: "as it was")
    )
    gc.collect()
    D.note = "kept"
    again = pickle.loads(data)
    assert again is not D
    assert (again.key, again.note) == (D.key, "kept")
    assert again(X, 1.0) == pytest.approx(slope(X))


def test_pickle_of_something_gone_is_refused_when_used():
    data = pickle.dumps(derivatives.make(wave, missing, {}, lambda kinds: ("", ""), key=lambda: "gone"))
    del globals()["missing"]
    gc.collect()
    with pytest.raises(AttributeError, match="missing"):
        pickle.loads(data)(X)


def missing():
    return None


def test_eight_threads_at_once():
    d = derivative(19.0)
    derivatives.calls.clear()
    results = []
    threads = [threading.Thread(target=lambda: results.append(d(X, 1.0))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [pytest.approx(slope(X, 19.0))] * 8
    assert len(derivatives.calls) == 1


# --- a function with attributes ---


loss = differentiated()


def test_attributes_in_python():
    assert loss(X) == pytest.approx(wave(X))
    assert loss.grad(X) == pytest.approx(slope(X))
    assert loss.value(X, 2.0) == (pytest.approx(wave(X, 2.0)), 2.0)
    assert loss.grad is derivative()
    with pytest.raises(AttributeError, match="nothing"):
        loss.nothing


def test_attributes_in_nopython_code():
    @njit
    def caller(x):
        return loss(x) + 10 * loss.grad(x) + 100 * loss.value(x, 2.0)[0]

    assert caller(X) == pytest.approx(wave(X) + 10 * slope(X) + 200 * wave(X))


def test_attributes_of_an_argument():
    @njit
    def caller(f, x):
        return f(x) + f.grad(x, 3.0)

    assert caller(loss, X) == pytest.approx(wave(X) + slope(X, 3.0))


def test_attributes_in_prange():
    @njit(parallel=True)
    def caller(x):
        out = np.empty_like(x)
        for i in prange(len(x)):
            out[i] = loss.grad(x[i], 2.0)
        return out

    x = np.linspace(0, 2, 50)
    np.testing.assert_allclose(caller(x), slope(x, 2.0))


def test_unknown_attribute_in_nopython_code():
    @njit
    def caller(x):
        return loss.nothing(x)

    with pytest.raises(numba.TypingError, match="nothing"):
        caller(X)


def test_pickle_with_attributes():
    assert pickle.loads(pickle.dumps(loss)) is loss
    assert pickle.loads(pickle.dumps(loss.grad)) is loss.grad


# --- other processes ---


def run(tmp_path, program, **env):
    folders = [*sys.path, str(tmp_path)]
    env = {"S2SAD_CACHE_DIR": str(tmp_path / "made"), "PYTHONPATH": os.pathsep.join(folders)} | env
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(program)],
        env=os.environ | env,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


USER = """\
from emit.derivatives import derivative, differentiated, slope
from numba import njit, prange
import numpy as np
from model import d, loss

@njit(cache=True)
def as_global(x):
    return d(x, 1.0)

@njit(cache=True)
def outer(x):
    return as_global(x) + 0.0

@njit(cache=True)
def with_attribute(x):
    return loss.grad(x, 1.0)

@njit(cache=True, parallel=True)
def in_parallel(x):
    out = np.empty(4)
    for i in prange(4):
        out[i] = d(x, 1.0)
    return out[0]

def closure_over(d):
    @njit(cache=True)
    def as_closure(x):
        return d(x, 1.0)
    return as_closure

@njit(cache=True)
def as_argument(f, x):
    return f(x, 1.0)
"""
CALLS = """
    import user
    as_closure = user.closure_over(user.d)
    total = 0
    for f, args in [
        (user.as_global, (1.3,)), (user.outer, (1.3,)), (user.with_attribute, (1.3,)),
        (user.in_parallel, (1.3,)), (as_closure, (1.3,)), (user.as_argument, (user.d, 1.3)),
    ]:
        print(round(f(*args) / user.slope(1.3), 9), sum(f.stats.cache_hits.values()))
"""


FEW = """
    import user
    for f in (user.as_global, user.with_attribute):
        print(round(f(1.3) / user.slope(1.3), 9), sum(f.stats.cache_hits.values()))
"""


def write_model(tmp_path, factor, more=""):
    (tmp_path / "model.py").write_text(
        "from emit.derivatives import derivative, differentiated\n"
        f"d = derivative({factor})\nloss = differentiated({factor})\n{more}"
    )


def test_cached_callers_hit_in_the_next_process_and_are_never_stale(tmp_path):
    (tmp_path / "user.py").write_text(USER)
    write_model(tmp_path, 1.0)
    assert run(tmp_path, CALLS) == ["1.0", "0"] * 6
    assert run(tmp_path, CALLS) == ["1.0", "1"] * 6
    write_model(tmp_path, 2.5)  # another file than the callers'
    assert run(tmp_path, CALLS) == ["2.5", "0"] * 6
    assert run(tmp_path, CALLS) == ["2.5", "1"] * 6
    write_model(tmp_path, 1.0)
    assert run(tmp_path, CALLS)[::2] == ["1.0"] * 6


def test_caller_of_a_cached_caller_compiled_later(tmp_path):
    (tmp_path / "user.py").write_text(USER)
    write_model(tmp_path, 1.0)
    run(tmp_path, "import user; user.as_global(1.3)")
    outer = "import user; print(round(user.outer(1.3) / user.slope(1.3), 9))"
    assert run(tmp_path, outer) == ["1.0"]
    write_model(tmp_path, 2.5)
    assert run(tmp_path, outer) == ["2.5"]


def test_callers_hit_when_the_generated_text_is_gone(tmp_path):
    (tmp_path / "user.py").write_text(USER)
    write_model(tmp_path, 1.0)
    run(tmp_path, FEW)
    for file in (tmp_path / "made").glob("*.py"):
        file.unlink()
    assert run(tmp_path, FEW) == ["1.0", "1"] * 2


def test_the_runtime_is_part_of_the_key(tmp_path):
    (tmp_path / "user.py").write_text(USER)
    write_model(tmp_path, 1.0)
    run(tmp_path, FEW)
    other = "    import s2sad_runtime; s2sad_runtime.STAMP = 'other'"
    assert run(tmp_path, other + FEW) == ["1.0", "0"] * 2


def test_derivatives_of_the_same_text_share_code_and_one_of_them_is_enough(tmp_path):
    (tmp_path / "user.py").write_text(USER)
    more = (
        "from emit.derivatives import generate, make, wave\n"
        "same = make(wave, dict, {}, lambda kinds: generate(1.0, kinds), key=lambda: 'same text')\n"
    )
    write_model(tmp_path, 1.0, more + "same(1.0, 1.0)\n")
    assert run(tmp_path, FEW) == ["1.0", "0"] * 2
    write_model(tmp_path, 1.0)
    assert run(tmp_path, FEW) == ["1.0", "1"] * 2


def test_generated_code_is_cached_itself(tmp_path):
    program = """
        from emit.derivatives import derivative
        d = derivative()
        d(1.3, 1.0)
        made = d._by_kinds[next(iter(d._by_kinds))]
        print(sum(made.stats.cache_hits.values()))
    """
    assert run(tmp_path, program) == ["0"]
    assert run(tmp_path, program) == ["1"]


def test_two_processes_at_once(tmp_path):
    (tmp_path / "user.py").write_text(USER)
    write_model(tmp_path, 1.0)
    results = []
    threads = [threading.Thread(target=lambda: results.append(run(tmp_path, FEW)[::2])) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [["1.0"] * 2] * 2


def test_pickle_to_another_process(tmp_path):
    (tmp_path / "d.pickle").write_bytes(pickle.dumps(derivative(20.0)))
    program = f"import pickle; print(pickle.load(open({str(tmp_path / 'd.pickle')!r}, 'rb'))(1.3, 1.0))"
    assert float(run(tmp_path, program)[0]) == pytest.approx(slope(1.3, 20.0))


def test_without_jit(tmp_path):
    program = """
        from emit.derivatives import derivative, differentiated, slope, wave
        import numpy as np
        d, loss = derivative(), differentiated()
        assert type(d) is type(loss) is type(wave)
        x = np.linspace(0, 1, 5)
        assert np.allclose(d(x, scale=2.0), slope(x, 2.0))
        assert abs(d(1.3) - slope(1.3)) < 1e-12
        assert abs(loss.grad(1.3) - slope(1.3)) < 1e-12 and loss(1.3) == wave(1.3)
    """
    run(tmp_path, program, NUMBA_DISABLE_JIT="1")


def test_recursion_in_later_processes(tmp_path):
    """What a process compiled of recursive functions is not loaded by the next one, which would crash."""
    (tmp_path / "powers.py").write_text(
        "import numpy as np, s2sad\nfrom numba import njit\n\n"
        "def power(x, n):\n    return 1.0 if n == 0 else x * power(x, n - 1)\n\n"
        "def cube(x):\n    return power(x, 3)\n\n"
        "def spread(a, x, i):\n"
        "    if i < len(a):\n        a[i] = a[i] * x + power(x, i)\n        spread(a, x, i + 1)\n\n"
        "def total(a, x):\n    b = a.copy()\n    spread(b, x, 0)\n    return np.sum(b)\n\n"
        "slope = s2sad.grad(total, 1)\n\n"
        "@njit(cache=True)\ndef twice(a, x):\n    return 2.0 * slope(a, x)\n\n"
        "@s2sad.differentiate\n"
        "def ladder(x, n):\n    return x if n <= 0 else x * ladder(x, n - 1) + ladder(x, 0)\n\n"
        "@njit(cache=True)\ndef climb(x):\n    return ladder(x, 2) + ladder.grad(x, 2)\n"
    )
    program = """
        import numpy as np, powers, s2sad
        value, pull = s2sad.vjp(powers.cube, 2.0)
        a = np.arange(4.0)
        print(*pull(1.0), powers.twice(a, 1.5), powers.ladder(1.5, 2), powers.climb(1.5))
    """
    x, h = 1.5, 1e-30
    ladder = x**3 + x**2 + x
    once = ((np.arange(4) * (x + 1j * h) + (x + 1j * h) ** np.arange(4)).sum()).imag / h
    for _ in range(3):
        got = run(tmp_path, program, NUMBA_CACHE_DIR=str(tmp_path / "numba"))
        want = (12.0, 2.0 * once, ladder, ladder + 3 * x**2 + 2 * x + 1)
        np.testing.assert_allclose([float(v) for v in got], want, rtol=1e-14)
