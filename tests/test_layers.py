"""Imports run one way, and `import s2sad` stays light."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_import_contracts(tmp_path):
    # In a process of its own, elsewhere: the linter puts the working directory on the import path.
    script = (
        "import sys; from importlinter import cli; sys.exit(cli.lint_imports(sys.argv[1], no_cache=True))"
    )
    command = [sys.executable, "-c", script, str(ROOT / "pyproject.toml")]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def loaded_by(statement: str) -> set[str]:
    """The top-level modules that a statement loads in a fresh interpreter."""
    script = f"import sys\n{statement}\nprint(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in run.stdout.split()}


def test_import_is_light():
    heavy = {"numba", "llvmlite", "scipy", "typer", "click", "rich", "networkx", "matplotlib", "jax", "torch"}
    assert not loaded_by("import s2sad") & heavy


def test_the_plain_runtime_is_light():
    assert not loaded_by("import s2sad_runtime.plain") & {"numba", "s2sad", "scipy"}


def test_the_public_names_are_what_they_are_said_to_be():
    import s2sad

    said = [
        node
        for node in ast.walk(ast.parse(Path(s2sad.__file__).read_text()))
        if isinstance(node, ast.ImportFrom)
    ]
    names = []
    for node in said:
        for name in node.names if (node.module or "").startswith("s2sad") else ():
            if node.module == "s2sad":
                assert getattr(s2sad, name.name) is import_module(f"s2sad.{name.name}")
            elif name.name in s2sad.__all__:
                assert getattr(s2sad, name.name) is getattr(import_module(node.module), name.name)
            names.append(name.name)
    assert {*s2sad.__all__} <= {*names}
