"""Inner functions of emitted modules are linked into their callers: optimised there, and without machine code before."""

import os
import subprocess
import sys

import pytest

from s2sad.emit.load import load
from s2sad_runtime.linked import Linked

TEXT = """\
from s2sad_runtime import jit


@jit(inner=True)
def half(x, n):
    if x < 0.0:
        raise ValueError("half of", x, n)
    return 0.5 * x


@jit(inner=True)
def down(x, n):
    return x if n == 0 else down(half(x, n), n - 1)


@jit(inner=True)
def twice(x, n):
    return half(x, n) + half(x + 1.0, n)


@jit
def {name}(x, n):
    return twice(x, n) + (down(x, n) if {recursive} else 0.0)
"""


@pytest.fixture
def module():
    return load(TEXT.format(name="linked", recursive=False), "linked", jit=True)


def library(function):
    (made,) = function.overloads.values()
    return made.library


def test_the_caller_has_it_all(module):
    assert module.linked(4.0, 3) == 4.5
    assert isinstance(library(module.half), Linked)
    assert isinstance(library(module.twice), Linked)
    assert not isinstance(library(module.linked), Linked)
    assert library(module.half).get_pointer_to_function(library(module.half).name) == 0


def test_messages_of_exceptions(module):
    with pytest.raises(ValueError, match="half of") as caught:
        module.linked(-4.0, 3)
    assert caught.value.args == ("half of", -4.0, 3)


def test_recursion():
    module = load(TEXT.format(name="recursive", recursive=True), "recursive", jit=True)
    assert module.recursive(4.0, 2) == 5.5
    with pytest.raises(ValueError, match="half of"):
        module.recursive(-4.0, 2)


AGAIN = f"""\
import sys
from s2sad.emit.load import load
module = load({TEXT!r}.format(name="cached", recursive=False), "cached", jit=True)
try:
    module.cached(-1.5, 2)
except ValueError as error:
    print(error.args)
print(len(module.half.overloads), sum(module.cached.stats.cache_hits.values()))
"""


@pytest.mark.skipif("S2SAD_FULL" not in os.environ, reason="two processes compile: S2SAD_FULL=1")
def test_loaded_from_the_cache(tmp_path, monkeypatch):
    for variable in ("S2SAD_CACHE_DIR", "NUMBA_CACHE_DIR"):
        monkeypatch.setenv(variable, str(tmp_path / variable))
    for compiled, hits in ((1, 0), (0, 1)):
        run = subprocess.run([sys.executable, "-c", AGAIN], capture_output=True, text=True)
        assert run.stdout.splitlines() == ["('half of', -1.5, 2)", f"{compiled} {hits}"], run.stderr
