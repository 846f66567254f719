"""What is outside the language is refused with the user's line, before anything runs."""

import inspect
import math

import numpy as np
import pytest

from s2sad.errors import AliasingError, ArgumentError, KindError, MissingRuleError, UnsupportedSyntaxError
from s2sad.frontend.kinds import kind_of_value
from s2sad.frontend.lower import lower

TABLE = np.array([0.5, -0.25])
HALF = np.ones(2, dtype=np.float16)
NAMES = {"a", "b"}
X = np.ones(3)
A = np.ones((2, 3))
CASES = []


def refused(error, code, *args):
    """Each function is refused on its line that ends in `# here` (its first line where there is none)."""

    def add(f):
        CASES.append((f, error, code, args))
        return f

    return add


syntax = UnsupportedSyntaxError


@refused(syntax, "S011", 1.0)
def while_loop(x):
    while True:  # here
        x = x / 2
    return x


@refused(syntax, "S038", X)
def slice_by_a_real(x):
    return np.sum(x[1.5:])  # here


@refused(syntax, "S037", A)
def too_many(a):
    return a[0, :, 1]  # here


@refused(AliasingError, "S080", X)
def part_of_a_constant(x):
    part = TABLE[1:]
    part[0] = x[0]  # here
    return np.sum(part)


@refused(AliasingError, "S080", X, 1.0)
def perhaps_a_constant(x, s):
    part = TABLE
    if s > 0.0:
        part = x
    part[0] = s  # here
    return np.sum(part)


@refused(AliasingError, "S081", A)
def view_by_layout(a):
    part = a.T.ravel()  # here
    part[0] = 0.0
    return np.sum(a)


@refused(syntax, "S038", X)
def picked_by_a_real(x):
    return np.sum(x[x * 1.0])  # here


@refused(syntax, "S031", 1.0)
def display(x):
    return {x, x}  # here


@refused(syntax, "S051", 1.0, 2.0)
def named_on_one_way(x, y):
    if y > 1.0 or (m := x * x) > 4.0:
        return m  # here
    return x


@refused(syntax, "S051", 1.0, 2.0)
def flag_for_another(x, y):
    flag = y > 1.0
    if flag and (m := x * x) > 4.0:
        x = x * m
    if flag:
        return m  # here
    return x


@refused(syntax, "S051", 1.0, 2.0)
def flag_of_one_way(x, y):
    flag = y > 1.0
    if y > 0.0:
        if flag:
            m = x
            flag = m > 2.0
    if flag:
        return m  # here
    return x


@refused(syntax, "S039", A, X)
def product(a, x):
    a @= a  # here
    return np.sum(a)


@refused(syntax, "S040", 1.0)
def evaluated(x):
    return eval("x")  # here


@refused(syntax, "S029", 1.0)
def printed(x):
    print(x, file="log")  # here
    return x


@refused(syntax, "S020", 1.0)
def global_written(x):
    global WRITTEN  # here
    WRITTEN = x
    return x


@refused(syntax, "S021", X)
def attribute_written(x):
    x.flags = 1.0  # here
    return x


@refused(syntax, "S023", 1.0)
def outer_written(x):
    y = None

    def inner():
        nonlocal y
        y = 2.0  # here

    inner()
    return x


@refused(syntax, "S050", 1.0)
def unknown(x):
    return x * nothing  # noqa: F821  # here


@refused(syntax, "S051", 1.0)
def one_arm(x):
    if x > 0.0:
        y = x
    return y * x  # here


@refused(syntax, "S051", 1.0, 3)
def no_trips(x, n):
    for i in range(n):
        for j in range(i):
            y = x * j
    y = 2.0 * y  # here
    return y - 1.0


@refused(syntax, "S051", 1.0)
def too_early(x):
    y = y * x  # noqa: F821  # here
    return y * y


@refused(syntax, "S052", 1.0, 3)
def changes_kind(x, n):
    y = x
    for i in range(n):  # here
        y = np.ones(3) * y
    return np.sum(y)


@refused(syntax, "S052", X, 1.0)
def differs_by_arm(x, c):
    if c > 0:
        t = x * c
    else:
        t = c
    return np.sum(t)  # here


@refused(syntax, "S052", X, 1.0)
def results_differ(x, c):
    if c > 0:
        return c
    return x  # here


@refused(syntax, "S053", 1.0)
def outer_set(x):
    return x * len(NAMES)  # here


@refused(syntax, "S031", 1.0)
def key_computed(x):
    return {x: 1.0}[0.5]  # here


@refused(syntax, "S037", 1.0)
def key_missing(x):
    return {"a": x}["b"]  # here


@refused(syntax, "S032", X)
def dict_of_elements(x):
    d = {k: 2.0 * v for k, v in enumerate(x)}  # here
    return d[0]


@refused(syntax, "S033", X)
def array_spread(x):
    return np.sum(**x)  # here


@refused(syntax, "S052", 1.0)
def key_on_one_path(x):
    d = {"a": x}
    if x > 0.0:
        d["b"] = x
    return d["b"]  # here


@refused(syntax, "S043", 1.0)
def dict_in_a_dict_written(x):
    d = {"a": {"b": x}}
    d["a"]["b"] = 2.0 * x  # here
    return d["a"]["b"]


@refused(syntax, "S039", X)
def in_an_array(x):
    return x[0] if 1.0 in x else x[1]  # here


@refused(syntax, "S053", 1.0)
def outer_half_precision(x):
    return x * HALF[0]  # here


@refused(syntax, "S071", X)
def method(x):
    return x.tobytes()  # here


@refused(syntax, "S072", 1.0)
def recursive(x):
    return x * recursive(x - 1.0)  # here


@refused(syntax, "S073", A)
def axis(a):
    return np.sum(a, dtype=float)  # here


@refused(syntax, "S035", 1.0)
def formatted(x):
    if x < 0.0:
        raise ValueError(f"bad {x}")
    return f"{x}"  # here


@refused(syntax, "S026", 1.0)
def raised_with_value(x):
    if x < 0.0:
        raise ValueError([x, 1.0])  # here
    return x


@refused(syntax, "S014", X)
def zipped(x):
    s = 0.0
    for i, v in zip(x, (x, x, x)):  # here
        s += i * v[0]
    return s


@refused(MissingRuleError, "S070", A)
def no_row(a):
    return np.sum(np.unwrap(a))  # here


@refused(ArgumentError, "S074", 1.0)
def wrong_call(x):
    return one_arm(x, 2.0)  # here


@refused(AliasingError, "S080", 1.0)
def table_written(x):
    t = TABLE
    t[0] = x  # here
    return x


@refused(KindError, "S065", np.array([1, 2]), 1.5)
def real_into_integers(k, x):
    k[0] = x  # here
    return x


@refused(KindError, "S064", X, 1.5)
def real_subscript(x, y):
    i = y * 2
    return x[0] + x[i]  # here


@refused(KindError, "S064", 1.0, 2.0)
def or_of_numbers(x, y):
    z = x or y  # here
    return z * 2.0


@refused(KindError, "S064", X)
def array_condition(x):
    if x > 0:  # here
        return 1.0
    return 2.0


@refused(KindError, "S064", X)
def math_of_array(x):
    return np.sum(math.sin(x))  # here


@refused(KindError, "S061", X)
def nothing_returned(x):
    x[0] = 1.0


@pytest.mark.parametrize(("f", "error", "code", "args"), CASES, ids=lambda v: getattr(v, "__name__", ""))
def test_refused(f, error, code, args):
    with pytest.raises(error) as caught:
        lower(f, [kind_of_value(a) for a in args])
    fault = caught.value
    assert fault.code == code
    assert fault.hint
    lines, first = inspect.getsourcelines(f)
    here = [first + k for k, line in enumerate(lines) if line.rstrip().endswith("# here")]
    if here:
        assert fault.at.line == here[0]
    assert fault.at.source.file == __file__


def test_the_first_fault_is_reported():
    def f(x):
        with x:
            x = [x]
        return eval("x")

    with pytest.raises(UnsupportedSyntaxError) as caught:
        lower(f, [kind_of_value(1.0)])
    assert caught.value.code == "S017"


def test_many_exits():
    lines = [
        "def f(x):",
        *(f"    if x > {k}:\n        if x > {k}.5:\n            return x" for k in range(20)),
        "    return x",
    ]
    import linecache

    text = "\n".join(lines) + "\n"
    linecache.cache["<many exits>"] = (len(text), None, text.splitlines(True), "<many exits>")
    space = {}
    exec(compile(text, "<many exits>", "exec"), space)
    with pytest.raises(UnsupportedSyntaxError) as caught:
        lower(space["f"], [kind_of_value(1.0)])
    assert caught.value.code == "S013"
