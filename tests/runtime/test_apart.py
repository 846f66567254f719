"""Big inner functions of emitted modules stand apart: called by callers, in other processes too, never taken in."""

import subprocess
import sys

import numpy as np
import pytest
from numba import njit

from s2sad.emit.load import load
from s2sad_runtime import apart

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


def library(function):
    (made,) = function.overloads.values()
    return made.library


def names(function, *, defined):
    return [f.name for f in library(function)._final_module.functions if f.is_declaration is not defined]


@pytest.fixture
def everything_is_big(monkeypatch):
    monkeypatch.setattr(apart, "BIG", 0)


def test_a_small_function_is_taken_in():
    module = load(TEXT.format(name="small", recursive=False), "small", jit=True)
    assert module.small(4.0, 3) == 4.5
    assert not any("twice" in name for name in names(module.small, defined=False))


@pytest.mark.usefixtures("everything_is_big")
def test_a_big_one_is_called():
    module = load(TEXT.format(name="big", recursive=False), "big", jit=True)
    assert module.big(4.0, 3) == 4.5
    assert any("twice" in name for name in names(module.big, defined=False))
    assert not any("half" in name for name in names(module.big, defined=True))
    with pytest.raises(ValueError, match="half of") as caught:
        module.big(-4.0, 3)
    assert caught.value.args == ("half of", -4.0, 3)


@pytest.mark.usefixtures("everything_is_big")
def test_recursion():
    module = load(TEXT.format(name="recursive", recursive=True), "recursive", jit=True)
    assert module.recursive(4.0, 2) == 5.5
    with pytest.raises(ValueError, match="half of"):
        module.recursive(-4.0, 2)


MIXED = """\
import math
from s2sad_runtime import jit

def plain(x, n):
    s = n * n + n // 2 + (n > 2)
    t = x * n + x * x - x / n + max(x, n) + min(n, 2) + abs(-n) + math.sqrt(x) + x ** 2 + n ** 2
    return s, t, t > x, n * 1.0, n % 3, -x, not n

inner = jit(inner=True)(plain)

@jit
def mixed(x, n):
    return inner(x, n)
"""


def test_types_are_those_that_numba_infers():
    module = load(MIXED, "mixed", jit=True)
    usual = njit(module.plain)
    for args in ((2.0, 3), (np.float32(2.0), 3), (2, 3), (True, np.int8(3))):
        assert module.mixed(*args) == usual(*args)
    assert [s.return_type for s in module.inner.nopython_signatures] == [
        s.return_type for s in usual.nopython_signatures
    ]


USER = """\
import sys
from numba import njit
from s2sad.emit.load import load
from s2sad_runtime import apart
apart.BIG = 0
module = load({text!r}, "cached", jit=True)
cached, twice = module.cached, module.twice

@njit(cache=True)
def user(x):
    return cached(x, 2)

@njit
def other(x):
    return twice(x, 2)

print(user(3.0), sum(user.stats.cache_hits.values()), len(module.twice.overloads), other(3.0))
"""


def test_callers_from_caches(tmp_path, monkeypatch):
    """Their machine code brings along what it calls, the caches of that may be gone."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "numba"))
    monkeypatch.setenv("S2SAD_CACHE_DIR", str(tmp_path / "s2sad"))
    file = tmp_path / "user.py"
    file.write_text(USER.format(text=TEXT.format(name="cached", recursive=False)))

    def run():
        done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    assert run() == ["3.5", "0", "1", "3.5"]
    assert run() == ["3.5", "1", "0", "3.5"]
    for entry in (tmp_path / "numba").rglob("cached*.half-*"):
        entry.unlink()
    assert run() == ["3.5", "1", "0", "3.5"]


@pytest.mark.usefixtures("everything_is_big")
def test_another_function_of_the_same_name():
    module = load(TEXT.format(name="named", recursive=False), "named", jit=True)
    module.named(4.0, 3)
    there = apart._standing[module.twice.overloads[module.twice.signatures[0]].fndesc.mangled_name]
    make, (symbol, (name, kind, (code, bitcode)), environments) = there.__reduce__()
    assert make(symbol, there.code, environments) is there
    with pytest.raises(OSError, match="another function"):
        make(symbol, (name, kind, (code + b"\0", bitcode)), environments)
