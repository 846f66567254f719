"""The marks mean nothing in plain Python and in `@njit` code, however the two packages come to be loaded."""

import subprocess
import sys

import pytest

from s2sad import markers

PROGRAM = """
from numba import njit

@njit
def f(n, x):
    s = 0.0
    for i in s2sad.checkpoint_range(n, snapshots=3, schedule="uniform"):
        s += s2sad.stop_gradient(x) * i
    for i in s2sad.checkpoint_range(n):
        s += i
    return s

@njit
@s2sad.checkpoint
def g(x):
    return s2sad.stop_gradient(x) * x

print(f(4, 2.0), g(3.0))
"""


@pytest.mark.parametrize(
    "first",
    [
        "import s2sad",
        "import numba; import s2sad",
        "import numba; numba.njit(lambda x: x)(1); import s2sad",
    ],
)
def test_in_compiled_code(first, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(f"{first}\n{PROGRAM}", encoding="utf-8")
    run = subprocess.run([sys.executable, "-W", "error", str(path)], capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, "18.0 9.0\n", "")


def test_a_program_without_s2sad_does_not_load_it():
    script = "import numba, sys; numba.njit(lambda x: x)(1); print('s2sad' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"


def test_in_plain_python():
    assert markers.checkpoint_range(5, 2) == range(5)
    assert markers.stop_gradient("x") == "x"

    def step(u):
        return 2 * u

    assert markers.checkpoint(step) is step
    with markers.checkpoint():
        assert step(2) == 4
