"""Imports run one way, and `import s2sad` stays light."""

import subprocess
import sys
from pathlib import Path

import pytest
from importlinter import cli

ROOT = Path(__file__).parent.parent


def test_import_contracts(capsys):
    status = cli.lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True)
    assert status == cli.EXIT_STATUS_SUCCESS, capsys.readouterr().out


def loaded_by(statement: str) -> set[str]:
    """The top-level modules that a statement loads in a fresh interpreter."""
    script = f"import sys\n{statement}\nprint(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in run.stdout.split()}


@pytest.mark.parametrize(
    "statement", ["import s2sad", "import s2sad; s2sad.grad(abs, jit=False) if 0 else None"]
)
def test_import_is_light(statement):
    heavy = {"numba", "llvmlite", "scipy", "typer", "click", "rich", "networkx", "matplotlib", "jax", "torch"}
    assert not loaded_by(statement) & heavy


def test_errors_load_nothing_but_the_standard_library():
    assert not loaded_by("import s2sad_runtime.plain") & {"numba", "s2sad", "scipy"}


def test_the_public_names_exist():
    import s2sad

    for name in s2sad.__all__:
        assert getattr(s2sad, name) is not None
