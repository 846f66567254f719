"""What is emitted, as files: the same every time, on their own, in good shape, right, and input for s2sad again."""

import ast
import importlib
import io
import os
import subprocess
import sys
import tokenize
from pathlib import Path

import numpy as np
import pytest
from benchmarks.workloads import WORKLOADS
from pyflakes.api import check
from pyflakes.reporter import Reporter
from reference import assert_close, assert_same
from typer.testing import CliRunner

import s2sad
from s2sad import cli, pipeline
from s2sad.emit.load import load
from s2sad.frontend.kinds import kind_of_value
from s2sad.testing import differences, inner, random_like

MODES = ("adjoint", "tangent", "primal")
MODULES = {"math", "numba", "numpy", "s2sad_runtime"}
SHARED = Path(__file__).resolve().parents[2] / "shared"


def emitted(f, arguments, argnums, mode="adjoint"):
    return pipeline.emit_text(f, tuple(map(kind_of_value, arguments)), mode, argnums)


def name(value):
    return value if isinstance(value, str) else value.name


@pytest.fixture(scope="module")
def texts():
    return {(w.name, mode): emitted(w.f, w.arguments, w.argnums, mode) for w in WORKLOADS for mode in MODES}


def python(code, *arguments, **environment):
    """Run code in a process of its own."""
    paths = [str(Path(__file__).parent), *sys.path]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **environment}
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


EVERYTHING = """\
from benchmarks.workloads import WORKLOADS
from test_emitted import MODES, emitted
for w in WORKLOADS:
    for mode in MODES:
        print(emitted(w.f, w.arguments, w.argnums, mode))
"""


def test_the_same_text_in_every_process(texts):
    here = "".join(f"{text}\n" for text in texts.values())
    for seed in ("0", "4711"):
        assert python(EVERYTHING, PYTHONHASHSEED=seed) == here


def test_good_shape(texts):
    for text in texts.values():
        assert max(map(len, text.splitlines())) <= 100
        assert text.endswith("\n")
        assert not text.endswith("\n\n")
        said = io.StringIO()
        assert check(text, "emitted.py", Reporter(said, said)) == 0, said.getvalue()
        assert ast.get_docstring(ast.parse(text))


def test_imports(texts):
    for text in texts.values():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                assert {alias.name for alias in node.names} <= MODULES
            if isinstance(node, ast.ImportFrom):
                assert node.module in MODULES


ALONE = """\
import importlib, sys
import numpy as np
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("s2sad", "gast", "astunparse", "typer", "rich"):
            raise ImportError(f"{name} is blocked")
sys.meta_path.insert(0, Blocked())
sys.path.insert(0, sys.argv[1])
value, (gradient,) = importlib.import_module("alone").cholesky_grad(np.array([[2.0, 0.5], [0.5, 1.0]]))
assert "s2sad" not in sys.modules
print(value, *gradient.ravel().tolist())
"""


def test_runs_without_s2sad(texts, tmp_path):
    (tmp_path / "alone.py").write_text(texts["cholesky", "adjoint"], encoding="utf-8")
    value, *gradient = map(float, python(ALONE, str(tmp_path)).split())
    matrix = np.array([[2.0, 0.5], [0.5, 1.0]])
    assert value == pytest.approx(np.log(np.linalg.det(matrix)))
    # the lower triangle alone is read
    assert gradient == pytest.approx([4 / 7, 0.0, -4 / 7, 8 / 7])


def test_takes_what_it_emits(tmp_path, texts, monkeypatch):
    """A function of an emitted file is a function like another: the same text again, but for what it was read from."""
    monkeypatch.syspath_prepend(tmp_path)
    for w in WORKLOADS:
        path = tmp_path / f"again_{w.name}.py"
        path.write_text(texts[w.name, "adjoint"], encoding="utf-8")
        module = importlib.import_module(path.stem)
        again = emitted(getattr(module, w.name), w.arguments, w.argnums)
        assert code_of(again) == code_of(texts[w.name, "adjoint"])


def code_of(text):
    """A text without comments and docstring."""
    tree = ast.parse(text)
    tree.body = tree.body[1:]
    return ast.unparse(tree)


def test_takes_its_tangents_as_programs(tmp_path, monkeypatch):
    """Second derivatives by the adjoint of an emitted tangent."""
    rk4 = next(w for w in WORKLOADS if w.name == "rk4")
    path = tmp_path / "tangent_of_rk4.py"
    path.write_text(emitted(rk4.f, rk4.arguments, 0, "tangent"), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module(path.stem)
    direction = np.array([1.0, -0.5, 0.3])
    _, pullback = s2sad.vjp(module.rk4_d, *rk4.arguments, direction, jit=False)
    expected = s2sad.hvp(rk4.f, rk4.arguments, (direction, None, None, None), jit=False)
    assert_close(pullback((0.0, 1.0))[0], expected[0], 1e-12, "second derivative")


def lines(text, *names):
    """The number of lines of functions, without comments, docstrings and blank lines."""
    count = 0
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name in names:
            doc = node.body[0] if ast.get_docstring(node) else None
            inside = set(range(node.lineno, node.end_lineno + 1))
            inside -= set(range(doc.lineno, doc.end_lineno + 1)) if doc else set()
            count += len(inside & written(text))
    return count


def written(text):
    """Numbers of the lines with code on them."""
    silent = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    return {
        line
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type not in silent
        for line in range(token.start[0], token.end[0] + 1)
    }


@pytest.mark.parametrize("workload", WORKLOADS, ids=name)
def test_length(workload, texts):
    """Both sweeps together are a few times the program."""
    text = texts[workload.name, "adjoint"]
    assert lines(text, f"{workload.name}_fwd", f"{workload.name}_rev") <= 5 * lines(text, workload.name)


@pytest.mark.parametrize("workload", WORKLOADS, ids=name)
def test_right(workload, texts):
    """Compiled: value, gradient against differences, tangent, and both against each other."""
    args, argnums = workload.arguments, workload.argnums
    call = getattr(load(texts[workload.name, "adjoint"], workload.name, jit=True), f"{workload.name}_grad")
    value, gradients = call(*args)
    assert value == pytest.approx(workload.f(*args), rel=1e-13)
    assert_same([*args], [*workload.arguments], "arguments afterwards")
    rng = np.random.default_rng(3)
    directions = tuple(random_like(a, rng) if k in argnums else None for k, a in enumerate(args))
    slope = sum(inner(g, directions[k]) for k, g in zip(argnums, gradients, strict=True))
    assert_close(slope, differences(workload.f, args, directions)[0], 1e-6, "gradient")
    _, tangent = s2sad.jvp(workload.f, args, directions, jit=False)
    assert_close(slope, tangent, 1e-10, "gradient and tangent")


def test_decisions_are_taken_again_without_relaxed_flags():
    """Fused, a product and a sum may have another sign than on the way forward: then the gradient would be wrong."""

    def above(x, y, z):
        s = 0.0
        for i in range(len(x)):
            if x[i] * y[i] + z[i] > 0.0:
                s += np.sin(x[i])
        return s

    rng = np.random.default_rng(0)
    x, y = rng.random(64), rng.random(64)
    text = emitted(above, (x, y, x), 0)
    assert "fastmath" not in text
    value, gradient = load(text, "above", jit=True).above_grad(x, y, -(x * y))
    assert value == 0.0
    assert not gradient.any()


# ----- large constants ---------------------------------------------------------------------------------------

LARGE = """\
import numpy as np

TABLE = np.linspace(0.0, {}, 100)


def f(x: float):
    s = 0.0
    for i in range(len(TABLE)):
        s += np.sin(x * TABLE[i])
    return s
"""


@pytest.mark.parametrize("jit", [False, True])
def test_large_constants_lie_beside_the_module(jit, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    for top in (1.0, 2.0):
        path = tmp_path / f"large_{jit}_{top:.0f}.py"
        path.write_text(LARGE.format(top), encoding="utf-8")
        f = importlib.import_module(path.stem).f
        table = np.linspace(0.0, top, 100)
        value, gradient = s2sad.value_and_grad(f, jit=jit)(0.4)
        assert value == pytest.approx(np.sin(0.4 * table).sum())
        assert gradient == pytest.approx((table * np.cos(0.4 * table)).sum())


def test_large_constants_of_written_files(tmp_path, monkeypatch):
    source, target = tmp_path / "large_source.py", tmp_path / "large_target.py"
    source.write_text(LARGE.format(1.0), encoding="utf-8")
    result = CliRunner().invoke(cli.app, ["emit", f"{source}:f", "-o", str(target)])
    assert result.exit_code == 0
    assert target.with_suffix(".npz").exists()
    monkeypatch.syspath_prepend(tmp_path)
    table = np.linspace(0.0, 1.0, 100)
    _, gradient = importlib.import_module("large_target").f_grad(0.4)
    assert gradient == pytest.approx((table * np.cos(0.4 * table)).sum())


# ----- adjoints written by hand, where there are some to compare with ---------------------------------------------

HAND = ("heat1d", "wave2d", "burgers2d", "rk4_lorenz", "nbody", "asian_mc", "cholesky_loops", "gmm")


@pytest.fixture(scope="module")
def by_hand():
    if not (SHARED / "bench" / "peers" / "hand.py").exists():
        pytest.skip("no adjoints by hand here")
    sys.path.insert(0, str(SHARED))
    yield importlib.import_module("bench.peers.hand"), importlib.import_module("bench.workloads")
    sys.path.remove(str(SHARED))


@pytest.mark.parametrize("case", HAND)
def test_against_adjoints_by_hand(case, by_hand):
    hand, workloads = by_hand
    w = workloads.load(case)
    args = w.make_args("test")
    value, *gradients = getattr(hand, case).py_func(*w.make_args("test"))
    got, found = s2sad.value_and_grad(w.f, w.ARGNUMS, jit=False)(*args)
    for one, two in zip(found, gradients, strict=True):
        assert_close(one, two, 1e-10, "gradient")
    assert got == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize("case", HAND)
def test_not_much_longer_than_by_hand(case, by_hand):
    hand, workloads = by_hand
    w = workloads.load(case)
    text = Path(hand.__file__).read_text(encoding="utf-8")
    mine = emitted(w.f, w.make_args("test"), w.ARGNUMS)
    assert lines(mine, "f_fwd", "f_rev") <= 2.2 * lines(text, *helpers(text, case))


def helpers(text, case):
    """The function and those of its file that it calls."""
    functions = {n.name: n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef)}
    found, todo = set(), [case]
    while todo:
        here = todo.pop()
        if here in functions and here not in found:
            found.add(here)
            todo += [n.id for n in ast.walk(functions[here]) if isinstance(n, ast.Name)]
    return found
