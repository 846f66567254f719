"""The package list of pyproject.toml agrees with the folders, and what is installed can be imported."""

import re
import tomllib
from importlib import metadata
from pathlib import Path

import s2sad

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_package_list_is_complete():
    folders = {"s2sad"} | {
        ".".join(init.parent.relative_to(ROOT).parts) for init in (ROOT / "s2sad").rglob("__init__.py")
    }
    runtime = {
        ".".join(("s2sad_runtime", *init.parent.relative_to(ROOT / "runtime").parts))
        for init in (ROOT / "runtime").rglob("__init__.py")
    }
    listed = PROJECT["tool"]["setuptools"]["packages"]
    assert listed == sorted(listed)
    assert set(listed) == folders | runtime


def test_every_folder_with_modules_is_a_package():
    for top in ("s2sad", "runtime"):
        for module in (ROOT / top).rglob("*.py"):
            assert (module.parent / "__init__.py").exists(), f"{module.parent} has no __init__.py"


def test_version_is_the_one_declared():
    assert s2sad.__version__ == PROJECT["project"]["version"] == metadata.version("s2sad")


def test_changelog_speaks_of_this_version():
    assert f"## {PROJECT['project']['version']}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_entry_points():
    (script,) = metadata.entry_points(group="console_scripts", name="s2sad")
    assert script.value == "s2sad.cli:app"
    assert callable(script.load())
    extensions = metadata.entry_points(group="numba_extensions", name="init")
    assert "s2sad_runtime.numba_extension:init" in {extension.value for extension in extensions}


def test_readme_shows_both_commands():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert 'pip install ".[demo]" && s2sad demo' in readme
    assert 'pip install -e ".[test]" && pytest' in readme


def test_links_of_the_docs_lead_somewhere():
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
