"""The examples run, and find what they look for; so does the demo.

Those in which compilation is not the point run as plain Python here, and compiled where `S2SAD_FULL` is set.
"""

import importlib.util
import io
import os
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

import s2sad

EXAMPLES = Path(__file__).parents[1] / "examples"


def load(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def plain(monkeypatch):
    """An example whose transforms have jit=False as their default."""
    if "S2SAD_FULL" not in os.environ:
        for name in ("differentiate", "grad", "value_and_grad", "jacobian", "sparsity"):
            monkeypatch.setattr(s2sad, name, partial(getattr(s2sad, name), jit=False))
    return load


def test_each_says_what_it_shows():
    for path in EXAMPLES.glob("*.py"):
        first = path.read_text(encoding="utf-8").splitlines()[0]
        assert first.startswith('"""'), path.name
        assert f"def test_{path.stem}(" in Path(__file__).read_text(encoding="utf-8"), path.name


def test_seir_fit(plain):
    assert np.all(np.abs(plain("seir_fit").main()) < 3.0)


def test_burgers_assimilation(plain):
    assert plain("burgers_assimilation").main(cells=16, steps=20, snapshots=3, trials=25) < 0.3


def test_asian_option(plain):
    assert plain("asian_option").main(paths=500) < 0.15


def test_heston_calibration(plain):
    assert np.allclose(plain("heston_calibration").main(), 0.0, atol=1e-6)


def test_gmm_fit(plain):
    assert plain("gmm_fit").main(points=30) < 0.3


def test_bundle_adjustment(plain):
    pytest.importorskip("networkx")
    assert plain("bundle_adjustment").main(cameras=3, points=8) < 1e-6


def test_nbody_shooting(plain):
    assert np.allclose(plain("nbody_shooting").main(steps=100), [0.3471, 0.5327, 6.3259], atol=2e-2)


def test_kalman_likelihood(plain):
    assert np.all(np.abs(plain("kalman_likelihood").main(times=60)) < 3.0)


def test_hmc():
    assert load("hmc").main(count=4000) < 0.15


def test_attitude(plain):
    off, drift = plain("attitude").main(sightings=12)
    assert off < 3e-4
    assert drift < 5e-5


def test_option_grid(plain):
    assert plain("option_grid").main(points=301, steps=30) < 5e-3


def test_heat_rod_implicit(plain):
    assert plain("heat_rod_implicit").main(cells=12, steps=10) < 0.1


def test_digits_net(plain):
    assert plain("digits_net").main(epochs=6) > 0.9


def test_pair_counts(plain):
    assert np.allclose(plain("pair_counts").main(galaxies=120), 0.0, atol=1e-5)


def test_ship_adjoint():
    assert load("ship_adjoint").main() < 1e-14


def test_dask_shards(plain):
    pytest.importorskip("distributed")
    assert plain("dask_shards").main(shards=4, count=30) < 1e-12


def test_mpi_shards():
    """Two processes; what Open MPI wants to be told, where it is run in a container, stands in the environment."""
    pytest.importorskip("mpi4py")
    mpirun = shutil.which(
        "mpirun", path=os.pathsep.join((os.path.dirname(sys.executable), os.environ["PATH"]))
    )
    if mpirun is None:
        pytest.skip("no mpirun")
    env = os.environ | {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
    }
    if "S2SAD_FULL" not in os.environ:
        env["NUMBA_DISABLE_JIT"] = "1"
    program = "import mpi_shards, sys; sys.exit(mpi_shards.main(count=20) > 1e-12)"
    env["PYTHONPATH"] = os.pathsep.join((str(EXAMPLES), *sys.path))
    done = subprocess.run(
        [mpirun, "-n", "2", sys.executable, "-c", program],
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "by 2 processes" in done.stdout


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
