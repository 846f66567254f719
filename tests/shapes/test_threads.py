"""Loops in threads: the text, its answers on any number of threads, and that no two threads meet in an element."""

import importlib.util
import os
import subprocess
import sys
import textwrap
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from judge import loaded
from reference import assert_close, gradient
from shapes import races
from shapes.threaded import threaded

import s2sad
from s2sad import pipeline
from s2sad.frontend.kinds import kind_of_value
from s2sad.pipeline import Options, Request
from s2sad.pipeline import gradient as built

FOLDER = Path(__file__).parent.parent / "golden" / "threads"


CASES = sorted(path.parent.name for path in FOLDER.glob("*/input.py"))


def read(case):
    """The function of a case, what it is differentiated for, arguments."""
    spec = importlib.util.spec_from_file_location(f"threads_{case}", FOLDER / case / "input.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f, module.ARGNUMS, module.ARGUMENTS


def text(f, argnums, arguments, **options):
    request = Request(f, argnums, value=True, options=Options(user={"parallel": True}, **options))
    return built(request, tuple(map(kind_of_value, arguments)))


@pytest.mark.parametrize("case", CASES)
def test_text(case, golden):
    golden(FOLDER / case / "adjoint.py", text(*read(case)).text)


def test_text_of_a_fixed_number_of_parts(golden):
    golden(FOLDER / "scalar" / "deterministic.py", text(*read("scalar"), deterministic=True).text)


@pytest.mark.parametrize("case", CASES)
def test_gradient(case):
    """The same as the one in order, which knows no threads."""
    f, argnums, arguments = read(case)
    derivative = s2sad.value_and_grad(f, argnums, parallel=True)
    value, gradients = derivative(*arguments)
    assert_close(value, f(*arguments), 1e-14, "value")
    for k, got in zip(argnums, gradients, strict=True):
        assert_close(got, *gradient(f, arguments, k), f"gradient of argument {k}")
    in_order, same = s2sad.value_and_grad(f, argnums, jit=False)(*arguments)
    assert_close(value, in_order, 1e-14, "value")
    for got, want in zip(gradients, same, strict=True):
        assert_close(got, want, 1e-13, "gradient in order")


PROGRAM = """
    import sys
    import numba, numpy as np, s2sad
    from shapes.test_threads import CASES, read

    for name in CASES:
        f, argnums, arguments = read(name)
        derivative = s2sad.value_and_grad(f, argnums, parallel=True, deterministic=sys.argv[1] == "deterministic")
        found = set()
        for threads in map(int, sys.argv[2:]):
            numba.set_num_threads(threads)
            for _ in range(3):
                value, gradients = derivative(*arguments)
                found.add(b"".join(np.asarray(a).tobytes() for a in (value, *gradients)).hex())
        print(name, *sorted(found))
"""


def answers(directory, *arguments, **environment):
    """What a process of its own gives, by program; nothing on its error stream."""
    (directory / "program.py").write_text(textwrap.dedent(PROGRAM), encoding="utf-8")
    paths = os.pathsep.join([str(Path(__file__).parent.parent), *filter(None, sys.path)])
    caches = dict.fromkeys(("S2SAD_CACHE_DIR", "NUMBA_CACHE_DIR"), str(directory))
    run = subprocess.run(
        [sys.executable, "-W", "error", directory / "program.py", *arguments],
        env={**os.environ, "PYTHONPATH": paths, **caches, **environment},
        capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    return {line.split()[0]: line.split()[1:] for line in run.stdout.splitlines()}


def test_any_number_of_threads(tmp_path):
    """Four threads or one, the same bits with `deterministic=True`; without, the same up to the order of sums.

    A second process finds everything compiled.
    """
    fixed = answers(tmp_path, "deterministic", "1", "2", "4", NUMBA_NUM_THREADS="4")
    assert {name: len(found) for name, found in fixed.items()} == dict.fromkeys(CASES, 1)
    files = {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*.nbc")}
    assert len(files) > 4 * len(CASES)
    assert answers(tmp_path, "deterministic", "1", NUMBA_NUM_THREADS="1") == fixed
    assert {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*.nbc")} == files
    loose = answers(tmp_path, "", "1", "2", "4", NUMBA_NUM_THREADS="4")
    for name, found in loose.items():
        (want,) = (np.frombuffer(bytes.fromhex(bits)) for bits in fixed[name])
        for bits in found:
            np.testing.assert_allclose(np.frombuffer(bytes.fromhex(bits)), want, rtol=1e-12, atol=1e-14)


# ----- random programs -------------------------------------------------------------------------------------


def examine(seed, **options):
    """The text for threads, run trip by trip in any order under watch, against the gradient in order."""
    program = threaded(seed)
    with loaded(program.source) as module, warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        value, gradients = s2sad.value_and_grad(module.f, (0, 1, 2, 3), jit=False)(*program.arguments)
        made = text(module.f, (0, 1, 2, 3), program.arguments, **options)
    try:
        (got, slopes), loops = races.run(made.text, made.entry, program.arguments, seed)
        for a, b in zip((got, *slopes), (value, *gradients), strict=True):
            assert_close(a, b, 1e-10, "value or gradient")
    except AssertionError as e:
        raise AssertionError(f"{program.source}\n{made.text}") from e
    return loops


@pytest.mark.parametrize("number", range(12))
def test_random(number):
    examine(f"any:{number}")
    examine(f"fixed:{number}", deterministic=True)


@pytest.mark.parametrize("number", range(6))
def test_random_tangents(number):
    """Of the function, and of its gradient."""
    program = threaded(f"tangent:{number}")
    x, A, *_ = program.arguments
    directions = (np.cos(x), np.sin(A), 0.3, np.ones(4))
    request = Request(None, 0, value=True, options=Options(user={"parallel": True}))
    names = ("x", "A", "c", "k")
    with loaded(program.source) as module, warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        primals, tangents = program.arguments, (*directions, None, None, None)
        value, slope = s2sad.jvp(module.f, primals, tangents, jit=False)
        product = s2sad.hvp(module.f, primals, tangents, jit=False)
        request = replace(request, f=module.f, argnums=(0, 1, 2, 3))
        kinds = tuple(map(kind_of_value, primals))
        first = pipeline.tangent(request, kinds, names)
        second = pipeline.nested(request, kinds, names, [names])
    got, _ = races.run(first.text, first.entry, (*primals, *directions), str(number))
    assert_close(got, (value, slope), 1e-10, "value and tangent")
    (_, (_, along)), _ = races.run(second.text, second.entry, (*primals, *directions), str(number))
    for a, b in zip(along, product[:4], strict=True):
        assert_close(a, b, 1e-9, "second order")


def test_most_loops_run_in_threads():
    assert sum(examine(f"any:{number}") for number in range(10)) > 30


RACY = """
from s2sad_runtime import jit
import numpy as np, numba
@jit
def f(x):
    y = np.zeros(3)
    for i in numba.prange(len(x)):
        {}
    return y
"""


@pytest.mark.parametrize(
    ("line", "meets"),
    [("y[0] += x[i]", True), ("y[i] += x[i]", False), ("y[i] = y[i - 1]", True), ("x[i] = x[i] + y[0]", False),
     ("y[i:] = 1.0", True), ("y[i:i + 1] += x[i]", False)],
)  # fmt: skip
def test_the_watch_sees_races(line, meets):
    if meets:
        with pytest.raises(races.Race):
            races.run(RACY.format(line), "f", (np.ones(3),))
    else:
        races.run(RACY.format(line), "f", (np.ones(3),))
