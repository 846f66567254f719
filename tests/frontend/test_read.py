"""Functions are found with their text, and what has none is refused."""

import functools

import numpy as np
import pytest

import s2sad
from s2sad.errors import SourceUnavailableError
from s2sad.frontend.read import plain_function, source_of, span_of


def outer(c):
    def inner(x):
        return x * c

    return inner


def wrapping(f):
    @functools.wraps(f)
    def wrapper(x):
        return 2.0 * f(x)

    return wrapper


@wrapping
def wrapped(x):
    return x


one, other = (lambda x: x), (lambda x: 2 * x)


class Dispatcher:
    def __init__(self, f):
        self.py_func = f

    def __call__(self, x):
        return self.py_func(x)


def test_indented_text_keeps_lines_and_columns():
    source, tree = source_of(outer(2.0))
    assert tree.name == "inner"
    product = tree.body[0].value
    span = span_of(product, source)
    assert source.line(span.line)[span.column : span.end_column] == "x * c"
    assert source.file == __file__


def test_the_wrapper_itself_is_read():
    assert source_of(wrapped)[1].name == "wrapper"


def test_what_stands_behind_a_function():
    inner = outer(1.0)
    assert plain_function(functools.partial(Dispatcher(inner), 1.0)) is inner


def test_lambda():
    f = lambda x, y=2: x * y  # noqa: E731
    assert source_of(f)[1].shown == "f"


#: Of several in a line, over several lines, within others: what `inspect` cuts out isn't always the whole of one.
LAMBDAS = [
    *[one, other],
    lambda x: x
    + x**4,
    lambda x: (
        3.0 * x
    ), "é", lambda x: x - (lambda y: x * y)(x**2),
    (lambda c: lambda x: x * c)(5.0),
    (lambda c: lambda x: c)(5.0),
    lambda x: x if x > 10.0 else x * x,
]  # fmt: skip


@pytest.mark.parametrize("f", [f for f in LAMBDAS if callable(f)])
def test_lambdas_are_told_apart(f):
    assert s2sad.jvp(f, (1.5,), (1.0,), jit=False)[0] == f(1.5)


def test_a_lambda_that_cannot_be_told():
    f = lambda x: x * x  # noqa: E731
    bare = f.__code__.replace(co_linetable=b"")
    with pytest.raises(SourceUnavailableError) as caught:
        source_of(type(f)(bare, f.__globals__))
    assert caught.value.code == "S003"


def made_by_exec():
    space = {}
    exec("def f(x):\n    return x\n", space)
    return space["f"]


@pytest.mark.parametrize(
    ("f", "code"),
    [
        (len, "S001"), (np.sin, "S001"), (made_by_exec(), "S001"), (int, "S002"), (3.0, "S002"),
        (Dispatcher(3), "S002"),
    ],
)  # fmt: skip
def test_refused(f, code):
    with pytest.raises(SourceUnavailableError) as caught:
        source_of(f)
    assert caught.value.code == code


@pytest.mark.parametrize(
    "text", ["def f(x, y):\n    return x * y\n", "def f(x):\n    return x * x\n", "def f(x:\n"]
)
def test_text_that_changed(tmp_path, text):
    import importlib.util
    import linecache

    path = tmp_path / "changing.py"
    path.write_text("def f(x):\n    return x\n")
    spec = importlib.util.spec_from_file_location("changing", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert source_of(module.f)[1].name == "f"
    path.write_text(text)
    linecache.checkcache(str(path))
    with pytest.raises(SourceUnavailableError) as caught:
        source_of(module.f)
    assert caught.value.code in ("S001", "S004")


class Slotted:
    __slots__ = ()

    def __call__(self, x):
        return x * x


@pytest.mark.parametrize("f", [np.sin, np.linalg.norm, Slotted()], ids=["ufunc", "norm", "object"])
def test_what_is_no_function_in_python_is_refused_by_every_transform(f):
    """Of these nobody can hold a weak reference."""
    for derivative in (s2sad.grad(f, jit=False), s2sad.record(f, jit=False)):
        with pytest.raises(s2sad.S2sadError, match="S0"):
            derivative(1.0)
