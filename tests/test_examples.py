"""The examples run, and find what they look for; so does the demo."""

import importlib.util
import io
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

EXAMPLES = Path(__file__).parents[1] / "examples"


def load(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_rosenbrock():
    assert np.allclose(load("rosenbrock").main(), 1.0, atol=1e-3)


def test_heat_source():
    assert load("heat_source").main() < 0.1


def test_read_the_adjoint():
    text = load("read_the_adjoint").main()
    assert "def pendulum_rev(" in text
    assert "_b" in text


def test_demo(tmp_path):
    seir = pytest.importorskip("s2sad.demos.seir")
    console = Console(file=io.StringIO(), width=100)
    theta = seir.run(console, png=str(tmp_path / "seir.png"))
    printed = console.file.getvalue()
    assert np.exp(theta[0] - theta[2]) == pytest.approx(8.089, abs=0.05)
    assert "✗" not in printed
    assert max(map(len, printed.splitlines())) <= 100
    if importlib.util.find_spec("matplotlib"):
        assert (tmp_path / "seir.png").stat().st_size > 10_000
