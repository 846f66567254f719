"""The storage report, whole."""

import importlib.util

import numpy as np
import pytest
from fuzz import program
from typer.testing import CliRunner

import s2sad
from s2sad import pipeline
from s2sad.amounts import NONE
from s2sad.cli import app
from s2sad.frontend.kinds import kind_of_value
from s2sad.measure import figures, measured
from s2sad.prediction import predicted
from s2sad.schedules import online, revolve, rows, uniform
from s2sad_runtime import plain


@s2sad.differentiate(argnums=(0, 1), jit=False)
def heat(u0, k, steps):
    u = u0.copy()
    un = u0.copy()
    for _ in range(steps):
        for i in range(1, u.shape[0] - 1):
            un[i] = u[i] + k[i] * (u[i + 1] - 2.0 * u[i] + u[i - 1])
        u, un = un, u
    return np.sum(u * u)


@s2sad.differentiate(jit=False)
def relaxed(x, steps):
    u = x.copy()
    v = x.copy()
    for _ in range(steps):
        for i in range(3):
            v[i] = u[i + 1] * v[i]
        u = v
    return np.sum(u * v)


def test_buffers_that_are_swapped():
    assert heat.explain(np.ones(5), np.ones(5), 3) == HEAT


@pytest.mark.parametrize("steps", [1, 2, 7])
def test_names_that_share(steps, monkeypatch):
    """There are as many adjoint arrays as the report says, whatever the number of steps."""
    made = []

    class Counted(plain.Places):
        def at(self, index, like, layer):
            made.append(index)
            return super().at(index, like, layer)

    assert "u, v: 2 at most, by pool index" in relaxed.explain(np.ones(4), steps)
    monkeypatch.setattr(plain.Pool, "places", lambda self: Counted())
    relaxed.grad(np.linspace(0.5, 1.0, 4), steps)
    assert len({*made}) <= 2
    assert made


HEAT = """\
line  value  how       places             why
27    un     snapshot  un.size each time  the nest overwrites it as a whole

adjoint arrays, whatever the number of steps:
  u0: 1
  k: 1
  u, un: 2, exchanged with their names

kept for these arguments:
  line         predicted
  23           40 B
  24           40 B
  26           120 B
  in all       200 B
  at the most  200 B
"""


# ----- what is predicted, and what a run keeps ---------------------------------------------------------------------


def told(f, args, argnums=0):
    return predicted(pipeline.emitted(f, tuple(map(kind_of_value, args)), "adjoint", argnums).derived, args)


def within(prediction, found):
    """Whether what a run kept is what was predicted, line by line."""
    lines = {*prediction.lines, *found.lines}
    return (
        all(found.lines.get(k, 0) in prediction.lines.get(k, NONE) for k in lines)
        and found.kept in prediction.kept
        and found.peak in prediction.peak
        and found.steps in prediction.steps
    )


def waves(u0, n, m=3):
    u = u0.copy()
    for i in s2sad.checkpoint_range(n, 2):
        for _ in s2sad.checkpoint_range(m + i, 2, "uniform"):
            u *= np.cos(u)
    return np.sum(u)


PLAN = rows(uniform(6, 3))


def own_plan(u, n):
    for _ in s2sad.checkpoint_range(n, schedule=PLAN):
        u = u * np.sin(u)
    return np.sum(u)


def triangle(A, starts):
    s = 0.0
    for i in range(len(A)):
        for j in range(i):
            s = np.sin(s * A[i, j])
    for k in range(len(starts) - 1):
        for i in range(starts[k], starts[k + 1]):
            w = A[i] * s
            s += np.sum(w * w)
    return s


def regions(x, n):
    s = 0.0
    for _ in range(n):
        with s2sad.checkpoint():
            w = np.exp(-x * s)
            v = w * w
            s += np.sum(v * w)
    return s


def product(A, x, n):
    for k in range(n):
        x = A @ x if k % 2 == 0 else np.tanh(x)
    return np.sum(x * x)


def falling(x, n):
    return x if n == 0 else np.sin(falling(x, n - 1) * x)


inner = s2sad.grad(lambda y: np.sum(y * y * y))


def derivative_inside(x, n):
    """Its arena is one of its own."""
    for _ in range(n):
        x = np.sin(inner(x) * 0.3)
    return np.sum(x)


def halved(x, n):
    """The halves of an array, each by itself, of unknown lengths."""
    if n <= 1:
        return np.sin(x)
    return halved(x * 0.5, n // 2) * halved(x, n - n // 2)


def two_loops(x, n):
    """The names of their steps differ by numbers."""
    for _ in s2sad.checkpoint_range(n, 2):
        x = np.sin(x)
    for _ in s2sad.checkpoint_range(n + 1, 2):
        x = np.cos(x)
    return x


EXACT = {
    "swapped": (heat.__wrapped__, (np.ones(5), np.ones(5), 7)),
    "own_plan": (own_plan, (np.ones(3), 6)),
    "triangle": (triangle, (0.1 * np.ones((4, 4)), np.array([0, 1, 1, 4]))),
    "regions": (regions, (np.linspace(0.1, 0.5, 9), 6)),
    "product": (product, (np.eye(3) + 0.1, np.ones(3), 5)),
    "recursion": (falling, (0.7, 6)),
    "tree": (halved, (0.7, 5)),
    "two_loops": (two_loops, (0.7, 5)),
    "inside": (derivative_inside, (np.ones(3), 4)),
}


@pytest.mark.parametrize("name", EXACT)
def test_bytes_are_told_before_it_is_run(name):
    f, args = EXACT[name]
    prediction = told(f, args)
    assert prediction.kept.exact
    assert prediction.kept.low > 0
    assert within(prediction, measured(f, args))


def test_steps_of_loops_within_loops():
    """Four inner loops of 3, 4, 5 and 6 steps are reversed once each, the outer one in 4 steps of 2 snapshots."""
    args = (np.ones(10), 4, 3)
    prediction = told(waves, args)
    steps = revolve(4, 2).forward_steps + sum(uniform(k, 2).forward_steps for k in (3, 4, 5, 6))
    assert (prediction.steps.low, prediction.steps.high) == (steps, steps)
    assert within(prediction, measured(waves, args))
    outer = next(loop for loop in prediction.loops if loop.how == "revolve")
    assert outer.bytes == 2 * 10 * 8
    assert "revolve, 4 steps: 2 snapshots in 160 B, 4 run again\n" in figures(prediction)


def settling(x, a):
    for _ in s2sad.checkpoint_range(50, snapshots=4, schedule="online"):
        new = x - 0.1 * (x * x * x - a)
        change = abs(new - x)
        x = new
        if change < 1e-3:
            break
    return x


def test_of_a_loop_that_is_left_the_most_is_told():
    prediction = told(settling, (1.0, 0.5))
    assert (prediction.steps.low, prediction.steps.high) == (0, online(50, 4).forward_steps)
    assert within(prediction, measured(settling, (1.0, 0.5)))
    assert "online, at most 50 steps" in figures(prediction)


def halving(x, n):
    u = x.copy()
    while np.sum(u) > 0.1:
        u *= 0.5
        for _ in s2sad.checkpoint_range(n, 2, "disk"):
            u *= np.cos(u)
    return np.sum(u)


def test_what_depends_on_values_is_not_guessed():
    prediction = told(halving, (np.ones(4), 5))
    assert prediction.kept.low > 0
    assert prediction.kept.high == np.inf
    found = measured(halving, (np.ones(4), 5))
    assert within(prediction, found)
    text = figures(prediction, found)
    assert "or more" in text
    assert "disk, 5 steps: 2 snapshots in 64 B of a file, 6 run again, 0 or more times" in text


@pytest.mark.parametrize("number", range(24))
def test_random_programs(number, tmp_path):
    """Whatever a run keeps lies between the least and the most that were predicted."""
    made = program(0, number, aliasing=number % 2 == 1)
    path = tmp_path / f"random_{number}.py"
    path.write_text(made.source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    try:
        prediction = told(module.f, made.arguments)
    except s2sad.S2sadError:
        pytest.skip("refused")
    with np.errstate(all="ignore"):
        assert within(prediction, measured(module.f, made.arguments))


def test_the_command_puts_both_side_by_side(tmp_path):
    path = tmp_path / "waves.py"
    path.write_text(
        "import numpy as np\nimport s2sad\n\n\n"
        "def decay(u0, n, snapshots=3):\n    u = u0.copy()\n"
        "    for _ in s2sad.checkpoint_range(n, snapshots):\n        u *= np.cos(u)\n    return np.sum(u)\n",
        encoding="utf-8",
    )
    ran = CliRunner().invoke(app, ["explain", f"{path}:decay", "--args", "np.ones(100), 30", "--run"])
    assert ran.exit_code == 0, ran.output
    assert SIDE_BY_SIDE in ran.output


SIDE_BY_SIDE = """\
kept for these arguments:
  line             predicted  measured
  6                800 B      800 B
  7                2.54 kB    2.54 kB
  8                1.6 kB     1.6 kB
  in all           4.94 kB    4.94 kB
  at the most      6.54 kB    6.54 kB
  steps run again  85         85
  line 7: revolve, 30 steps: 3 snapshots in 2.4 kB, 85 run again
"""
