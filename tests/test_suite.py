"""The suite of benchmarks: adjoints by hand agree with ours, and what is measured is shown."""

import json
import os

import numpy as np
import pytest
from benchmarks.suite import SUITE
from typer.testing import CliRunner

import s2sad
from s2sad import cli, suite
from s2sad.errors import ArgumentError, GradientCheckError

FULL = "S2SAD_FULL" in os.environ
ROWS = [
    {"program": "heat1d", "size": "small", "rounds": 5, "primal": 4.0, "hand": 1.0, "jax": 0.25},
    {"program": "heston", "size": "small", "rounds": 5, "primal": 1.0},
]


def run(*arguments: str):
    return CliRunner().invoke(cli.app, ["bench", "--suite", *arguments])


@pytest.fixture
def told(monkeypatch):
    """Nothing is measured: each program has its row."""
    rows = {row["program"]: row for row in ROWS}
    monkeypatch.setattr(suite, "programs", lambda only: [n for n in rows if not only or n in only])
    monkeypatch.setattr(suite, "measured", lambda names, size, seconds: (rows[name] for name in names))


@pytest.mark.parametrize("name", [n for n, p in SUITE.items() if p.by_hand and (FULL or n in ("dtw", "hmm"))])
def test_adjoints_by_hand_agree(name):
    program = SUITE[name]
    args = program.arguments("small")
    value, gradients = s2sad.value_and_grad(program.f, program.argnums, jit=False)(*args)
    own_value, own_gradients = program.by_hand(*args)
    assert value == pytest.approx(own_value, rel=1e-12)
    for gradient, own in zip(gradients, own_gradients, strict=True):
        assert np.max(np.abs(gradient - own)) <= 1e-12 * np.max(np.abs(own))


def test_arguments_are_the_same_each_time():
    for program in SUITE.values():
        for one, other in zip(program.arguments("small"), program.arguments("small"), strict=True):
            assert np.array_equal(one, other)


def test_a_table_of_ratios(told):
    result = run()
    assert result.exit_code == 0
    _, *lines = [line.split() for line in result.stdout.splitlines()]
    assert ["heat1d", "4.00", "1.00", "0.25"] in lines
    assert ["heston", "1.00"] in lines
    assert ["geometric", "mean", "2.00", "1.00", "0.25"] in lines
    assert "PyTorch" not in result.stdout  # (nobody has one)


def test_json(told):
    assert json.loads(run("--json", "--only", "heston").stdout) == ROWS[1:]


@pytest.mark.skipif(not FULL, reason="Matplotlib is slow to start: S2SAD_FULL=1")
def test_plot(told, tmp_path):
    pytest.importorskip("matplotlib")
    file = tmp_path / "ratios.svg"
    assert run("--plot", str(file)).exit_code == 0
    assert "<svg" in file.read_text(encoding="utf-8")
    result = run("--plot", str(tmp_path / "none" / "ratios.svg"))
    assert (result.exit_code, "S110" in result.stderr) == (2, True)


def test_outside_of_the_source_tree(monkeypatch, tmp_path):
    monkeypatch.setattr(suite, "FOLDER", tmp_path)
    result = run()
    assert result.exit_code == 2
    assert "source tree" in result.stderr


def test_unknown_programs():
    with pytest.raises(ArgumentError, match="heat2d") as caught:
        suite.programs("heat2d")
    assert "heat1d" in str(caught.value)


def test_a_function_or_the_suite():
    assert "S112" in CliRunner().invoke(cli.app, ["bench"]).stderr


def test_what_goes_wrong_is_told(monkeypatch):
    monkeypatch.setattr(
        suite, "_python", lambda *given, **options: type("Done", (), {"returncode": 1, "stderr": "a\nb\n"})
    )
    with pytest.raises(GradientCheckError, match="b"):
        next(suite.measured(["heat1d"], "small", 0.0))


@pytest.mark.skipif(not FULL, reason="compiles two programs four times each: S2SAD_FULL=1")
def test_two_programs():
    (one, two) = suite.measured(["thomas", "dtw"], "small", 0.01)
    assert (one["program"], two["program"]) == ("thomas", "dtw")
    assert one["hand"] > 0.0
    assert two["primal"] > 0.0
