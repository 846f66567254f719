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


def test_demo_seir(tmp_path):
    seir = pytest.importorskip("s2sad.demos.seir")
    console = Console(file=io.StringIO(), width=100)
    theta = seir.run(console, png=str(tmp_path / "seir.png"))
    printed = console.file.getvalue()
    assert np.exp(theta[0] - theta[2]) == pytest.approx(8.089, abs=0.05)
    assert "✗" not in printed
    assert max(map(len, printed.splitlines())) <= 100
    if importlib.util.find_spec("matplotlib"):
        assert (tmp_path / "seir.png").stat().st_size > 10_000


def test_demo_burgers(tmp_path):
    burgers = pytest.importorskip("s2sad.demos.burgers")
    console = Console(file=io.StringIO(), width=100)
    truth = burgers.hidden()
    found = burgers.run(console, png=str(tmp_path / "burgers.png"))
    printed = console.file.getvalue()
    assert burgers.distance(burgers.seen(truth), truth) > 0.7
    assert burgers.distance(found, truth) < 0.2
    assert printed.count("✓") == 3
    assert "✗" not in printed
    assert max(map(len, printed.splitlines())) <= 100
    if importlib.util.find_spec("matplotlib"):
        assert (tmp_path / "burgers.png").stat().st_size > 10_000


def test_pictures_have_colours_or_shades():
    picture = pytest.importorskip("s2sad.demos.picture").picture
    field = np.array([[1.0, -1.0], [0.0, 0.5]])
    shaded, coloured = (picture(field, 1.0, 6, colours) for colours in (False, True))
    assert shaded.plain.splitlines() == ["███▒▒▒", "   ░░░", "███   "]
    assert {len(line) for line in coloured.plain.splitlines()} == {6}
    top_left = coloured.get_style_at_offset(Console(), 0)
    assert top_left.color.triplet.blue > top_left.color.triplet.red
