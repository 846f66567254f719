"""Cached code of the runtime's `jit`: found again by the next process, dropped when the runtime changes."""

import importlib
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numba
import pytest

import s2sad_runtime
from s2sad_runtime.compiled import jit

USER = """
from s2sad_runtime import guarded, jit, keep, new_arena, new_stack_int, pop_int, push_int, restore, take_real
import numpy as np

@jit(inner=True)
def sweep(a, arena):
    keep(arena, a)
    a[:] = 0.0
    if a.size > 5000:
        raise ValueError("long")
    restore(arena, a)
    keep(arena, a)
    return take_real(arena, 1)[0]

@jit(nogil=True)
def driver(a):
    arena = new_arena()
    stack = new_stack_int()
    for k in range(1000):
        push_int(stack, k)
    return guarded(sweep, (arena, stack), a, arena) + pop_int(stack)
"""
CALLS = """
import numpy as np, threading, user
from s2sad_runtime import memory
results = [user.driver(np.ones(4000))]
threads = [threading.Thread(target=lambda: results.append(user.driver(np.ones(4000)))) for _ in range(4)]
for t in threads: t.start()
for t in threads: t.join()
assert results == [1000.0] * 5, results
for _ in range(3):
    try:
        user.driver(np.ones(6000))
    except ValueError as error:
        assert str(error) == "long"
    else:
        assert False
assert memory().lent == 0
print(sum(user.driver.stats.cache_hits.values()))
"""


def run(tmp_path, program, **environment):
    env = {
        "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONPATH": os.pathsep.join([*sys.path, str(tmp_path)]),
        **environment,
    }
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(program)],
        env=os.environ | env, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_the_next_process_finds_the_code(tmp_path):
    (tmp_path / "user.py").write_text(USER)
    assert run(tmp_path, CALLS) == ["0"]
    assert run(tmp_path, CALLS) == ["1"]
    assert run(tmp_path, "import s2sad_runtime.abi as abi\nabi.STAMP = 'other'\n" + CALLS) == ["0"]


def test_nothing_is_left_in_the_folder_of_the_package(tmp_path):
    """What is left of a folder after uninstalling would be imported in place of the next installation."""
    (tmp_path / "user.py").write_text(USER)
    folder = Path(s2sad_runtime.__file__).parent
    there = {*folder.rglob("*.nb?")}
    run(tmp_path, CALLS, NUMBA_CACHE_DIR="", XDG_CACHE_HOME=str(tmp_path / "home"))
    assert {*folder.rglob("*.nb?")} == there
    assert list((tmp_path / "home").rglob("arena.*.nbc"))


def test_without_jit_the_plain_twins_stand_in(tmp_path, monkeypatch):
    (tmp_path / "user.py").write_text(USER)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert run(tmp_path, "import user, numpy as np\nprint(user.driver(np.ones(4)))") == ["1000.0"]


def test_plain_needs_no_numba(tmp_path):
    program = """
        import sys
        import s2sad_runtime.plain, s2sad_runtime
        s2sad_runtime.require(s2sad_runtime.ABI)
        print("numba" in sys.modules)
    """
    assert run(tmp_path, program) == ["False"]


def test_processes_that_save_at_once_keep_their_code_apart(tmp_path, monkeypatch):
    """Each looked at what is there before the others saved."""
    (tmp_path / "shared.py").write_text("def twice(x):\n    return x + x\n", encoding="utf-8")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    numba.config.reload_config()
    monkeypatch.syspath_prepend(tmp_path)
    twice = importlib.import_module("shared").twice
    for argument in ("int64", "float64"):
        made = jit(twice)
        monkeypatch.setattr(made._cache._cache_file, "_load_index", dict)
        made.compile((getattr(numba.types, argument),))
    assert len([*tmp_path.rglob("*.nbc")]) == 2
    again = jit(twice)
    assert (again(1.5), again(2)) == (3.0, 4)
    assert sum(again.stats.cache_hits.values()) == 1  # one was lost, and is compiled again


def test_options_reach_numba():
    def f(x):
        return x + 1

    made = jit(inner=True, fastmath=True, cache=False)(f)
    assert made.targetoptions["fastmath"] is True
    assert made.targetoptions["no_cpython_wrapper"] is made.targetoptions["no_cfunc_wrapper"] is True
    assert jit(f)._cache._cache_file._source_stamp[1] == s2sad_runtime.STAMP
    assert jit(f)._cache.cache_path is not None
    assert jit(cache=False)(f)._cache.cache_path is None


def test_twins_have_the_same_names():
    from s2sad_runtime import plain

    for name in s2sad_runtime.__all__:
        assert hasattr(plain, name), name
    with pytest.raises(AttributeError, match="nothing"):
        s2sad_runtime.nothing


def test_require():
    s2sad_runtime.require(s2sad_runtime.ABI)
    with pytest.raises(ImportError, match="emit it again"):
        s2sad_runtime.require(s2sad_runtime.ABI + 1)


def test_the_folder_has_one_name(tmp_path):
    program = f"""
        import sys
        sys.path.insert(0, {os.path.dirname(os.path.dirname(os.path.realpath(s2sad_runtime.__file__)))!r})
        try:
            import runtime
        except ImportError as error:
            print("refused")
    """
    assert run(tmp_path, program) == ["refused"]
