"""The IR of a program computes what the program computes, to the last bit, and leaves arguments as it does."""

import copy
import functools
import inspect

import frontend.axis_programs
import frontend.section_programs  # noqa: F401
import numpy as np
import pytest
from frontend.array_programs import named, scaled, tuples
from frontend.programs import PROGRAMS, Point, X, optional

from s2sad.errors import S2sadError
from s2sad.forms import items_of
from s2sad.frontend.kinds import kind_of_value
from s2sad.frontend.lower import lower
from s2sad.ir import spec
from s2sad.ir.interpret import run
from s2sad.ir.nodes import REAL, Const, Kind, Leaf, Node
from s2sad.ir.text import show_function


def flat(value):
    items = items_of(value)
    return [value] if items is None else [leaf for item in items for leaf in flat(item)]


def same(a, b):
    if a is None or b is None:
        return a is b
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    return a.shape == b.shape and a.tobytes() == b.tobytes()


def outcome(f, args):
    try:
        return flat(f(*args))
    except S2sadError:
        raise
    except Exception as error:
        return [type(error), str(error).partition(",")[0].rstrip(")")]


def agrees(f, args):
    """The IR of f, after comparing what it does with what f does."""
    fn = lower(f, [kind_of_value(a) for a in args])
    assert spec.check(fn) == [], spec.check(fn)
    plain, other = copy.deepcopy(args), copy.deepcopy(args)
    want = outcome(f, plain)
    got = outcome(lambda *leaves: tuple(run(fn, leaves)), flat(other))
    if isinstance(want[0], type):
        assert want == got
    else:
        assert all(same(a, b) for a, b in zip(want, got, strict=True)), (want, got)
    assert all(same(a, b) for a, b in zip(flat(plain), flat(other), strict=True))
    return fn


@pytest.mark.parametrize(("f", "args"), PROGRAMS, ids=lambda value: getattr(value, "__name__", ""))
def test_program(f, args):
    fn = agrees(f, args)
    assert lower(f, [kind_of_value(a) for a in args]) == fn
    assert fn.doc == (inspect.getdoc(f) or "")
    assert fn.at


def text(f, *kinds):
    return show_function(lower(f, kinds)).splitlines()[1:]


VECTOR = Kind("real", 1)


def early(x):
    if x < 0.0:
        return -x
    y = x * x
    return y + 1.0


def test_early_return():
    assert text(early, REAL) == [
        "    if x < 0.0:",
        "        r = -x",
        "    else:",
        "        y = x * x",
        "        r = y + 1.0",
        "    return r",
    ]


def buffers(u0, n):
    u = u0.copy()
    v = np.empty_like(u)
    for _ in range(n):
        v[0] = u[0]
        u, v = v, u
    for i in range(n):
        u = u * 2.0
    w = u
    return np.sum(w)


def test_bindings():
    assert text(buffers, VECTOR, Kind("int")) == [
        "    new u = copy(u0)",
        "    new v = np.empty_like(u)",
        "    for _ in range(0, n, 1):",
        "        v[0] = u[0]",
        "        rebind u, v = v, u",
        "    for i in range(0, n, 1):",
        "        new u_2 = u * 2.0",
        "        release u",
        "        rebind u = u_2",
        "    r = np.sum(u)",
        "    release v",
        "    release u",
        "    return r",
    ]


def helper(a, s):
    t = a[0] * s
    return t + s


def calls(a, t):
    s = helper(a, t * 2.0)
    return s + helper(a, 1.0) + t


def test_names_of_functions_written_out():
    assert text(calls, VECTOR, REAL) == [
        "    s_2 = t * 2.0",
        "    t_2 = a[0] * s_2",
        "    s = t_2 + s_2",
        "    t_3 = a[0] * 1.0",
        "    return s + (t_3 + 1.0) + t",
    ]


def test_structure_of_parameters_and_results():
    fn = lower(tuples, [kind_of_value((0.5, (2.0, X))), REAL])
    assert fn.params == ("p_0", "p_1_0", "p_1_1", "s")
    assert fn.signature[0].tree == Node((Leaf("p_0"), Node((Leaf("p_1_0"), Leaf("p_1_1")))))
    assert fn.returns == Node((Node((Leaf("r_0"), Node((Leaf("r_1"), Leaf("r_2"))))), Leaf("r_3")))
    assert str(fn.kinds["p_1_1"]) == "real[:]"


def test_named_tuples():
    def f(p):
        return p.x * p.y

    assert lower(f, [kind_of_value(Point(1.0, 2.0))], static={0: Point}).signature[0].tree.make is Point
    assert lower(named, [REAL, REAL]).returns.items[1].make is Point


def test_defaults_are_parameters():
    fn = lower(scaled, [REAL])
    assert [(p.name, p.default) for p in fn.signature] == [("x", None), ("rate", "0.5"), ("power", "2")]
    assert str(fn.kinds["power"]) == "int"


def test_static_values():
    def f(x, mode, flag):
        if mode == "square":
            return x * x
        return x if flag else -x

    kinds = [REAL, Kind("text"), Kind("bool")]
    assert text(functools.partial(f, mode="square", flag=True), REAL) == ["    return x * x"]
    fn = lower(f, kinds, static={1: "other", 2: True})
    assert fn.params == ("x", "mode", "flag")
    assert fn.body == ()
    assert str(lower(optional, [REAL]).kinds["w"]) == "none"


def test_partial():
    fn = lower(functools.partial(scaled, 2.0, power=3), [REAL])
    assert fn.params == ("rate",)
    assert Const(2.0) in fn.results[0].args


def test_constants_from_outside():
    fn = lower({f.__name__: f for f, _ in PROGRAMS}["pairs"], [REAL, REAL])
    assert set(fn.constants) == {"SHIFT", "TABLE", "POWERS_0", "POWERS_1"}


def test_numba_dispatchers_are_read_through():
    class Dispatcher:
        def __init__(self, f):
            self.py_func = f

        def __call__(self, *args):
            return self.py_func(*args)

    fast = Dispatcher(helper)

    def f(x):
        return fast(x, 2.0)

    assert lower(f, [VECTOR]).name == "f"
    assert lower(Dispatcher(early), [REAL]).name == "early"


def behind(u, n):
    s = 0.0
    for i in range(n):
        s += u[i]
    return s * i


def test_no_trip_of_a_loop_whose_variable_is_read():
    for n in range(3):
        agrees(behind, (X, n))
    assert "        raise UnboundLocalError" in "\n".join(text(behind, VECTOR, Kind("int")))


def picks(x, places):
    return x[places]


def puts(x, places):
    x[places] = x[:3]
    return x


def rows_of_one_length(x, places):
    return np.stack((x, x[places]))


@pytest.mark.parametrize("f", [picks, puts, rows_of_one_length])
@pytest.mark.parametrize(
    "places", [np.array([True, False]), np.array([0, 9]), np.array([True] * 4), np.array([1, 2])]
)
def test_wrong_places_raise_as_in_python(f, places):
    want, got = (
        outcome(run_it, (X.copy(), places))
        for run_it in (f, lambda *a: tuple(run(lower(f, [kind_of_value(v) for v in a]), a)))
    )
    assert want[0] == got[0] if isinstance(want[0], type) else all(map(same, want, got))
