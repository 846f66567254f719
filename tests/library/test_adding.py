"""The guide to adding an operation, followed to the letter: what it shows works where it says to put it."""

import math
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parent.parent.parent
GUIDE = (ROOT / "docs" / "adding-an-operation.md").read_text(encoding="utf-8")


def shown(name):
    return re.search(rf"```python {name}\n(.*?)```", GUIDE, re.DOTALL)[1]


@pytest.fixture
def tree(tmp_path):
    """A copy of the package, and its runtime."""
    import shutil

    for folder, name in (("s2sad", "s2sad"), ("runtime", "s2sad_runtime")):
        shutil.copytree(ROOT / folder, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def run(tree, program):
    """Run a program with the copy; what it prints."""
    path = tree / "program.py"
    path.write_text(program, encoding="utf-8")
    done = subprocess.run([sys.executable, str(path)], cwd=tree, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_row_is_one_line_in_one_file(tree):
    file = tree / "s2sad" / "ops" / "elementwise.py"
    text = file.read_text(encoding="utf-8")
    (line,) = shown("row").splitlines()
    place = "CIRCLE = (\n"
    assert text.count(place) == 1
    file.write_text(text.replace(place, place + line + "\n"), encoding="utf-8")
    program = """
import s2sad
from s2sad.ir.nodes import Apply, Var
from s2sad.ops import OPS, partials
from s2sad.ops.check import table_faults
from s2sad.ops.evaluate import evaluate
from s2sad.testing import differences

tree = Apply("arctan_degrees", (Var("x"),))
(slope,) = partials(tree, lambda leaf: True).values()
curved = partials(slope, lambda leaf: True)[Var("x")]
for x in (-2.0, 0.3, 1.7):
    first, _ = differences(lambda x: evaluate(tree, {"x": x}), (x,), (1.0,))
    second, _ = differences(lambda x: evaluate(slope, {"x": x}), (x,), (1.0,))
    assert abs(evaluate(slope, {"x": x}) - first) < 1e-7
    assert abs(evaluate(curved, {"x": x}) - second) < 1e-7
print(table_faults(), OPS["arctan_degrees"].cost)
"""
    assert run(tree, program).strip() == "[] dear"


def test_a_function_of_the_library_is_a_function_in_one_file(tree):
    file = tree / "s2sad" / "library" / "moving.py"
    with file.open("a", encoding="utf-8") as end:
        end.write("\n\n" + shown("library"))
    program = """
import numpy as np
import s2sad

def f(x, n):
    return np.sum(np.resize(x * x, n) * np.arange(n))

x = np.array([0.7, -0.3, 0.45])
value, slope = s2sad.value_and_grad(f, jit=False)(x, 5)
assert value == f(x, 5)
weights = np.array([0.0 + 3.0, 1.0 + 4.0, 2.0])
assert np.allclose(slope, 2.0 * x * weights, rtol=1e-14)
print("right")
"""
    assert run(tree, program).strip() == "right"


def test_what_the_guide_shows_is_numpys():
    from s2sad.library import room

    scope = {"np": np, "room": room, "written": lambda name: lambda f: f}
    exec(shown("library"), scope)
    x = np.array([0.7, -0.3, 0.45])
    assert np.array_equal(scope["resize"](x, 5), np.resize(x, 5))


def test_a_function_outside_is_registered_where_it_is_called(tree):
    slope = math.degrees(2.0 * 0.5 / (1.0 + 0.5**4))
    assert float(run(tree, shown("register"))) == pytest.approx(slope, rel=1e-14)
