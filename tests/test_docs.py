"""The programs shown in the README and in docs/ run: each fence that imports s2sad, as a file of its own."""

import re
import runpy
from pathlib import Path

import pytest

from s2sad import pipeline
from s2sad.demos.schedule import drawn
from s2sad.frontend.kinds import kind_of_value
from s2sad.ir.nodes import INT, REAL
from s2sad.measure import figures
from s2sad.prediction import predicted
from s2sad.schedules import revolve

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def programs():
    for page in PAGES:
        for k, text in enumerate(
            re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
        ):
            if "import s2sad" in text:
                yield pytest.param(text, id=f"{page.stem}-{k}")


@pytest.mark.parametrize("text", list(programs()))
def test_program_runs(text, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(text, encoding="utf-8")
    runpy.run_path(str(path))


def test_the_page_on_emitted_code_shows_what_is_emitted(tmp_path, golden):
    page = ROOT / "docs" / "emitted.md"
    parts = page.read_text(encoding="utf-8").split("```")
    path = tmp_path / "model.py"
    path.write_text(parts[1].removeprefix("python\n"), encoding="utf-8")
    decay = runpy.run_path(str(path))["decay"]
    parts[3] = "python\n" + pipeline.emit_text(decay, (REAL, REAL, INT), "adjoint", (0, 1))
    golden(page, "```".join(parts))


def test_the_page_on_checkpointing_shows_what_comes_out(tmp_path, golden):
    """The picture of a schedule, and the prediction for the program on the page."""
    page = ROOT / "docs" / "checkpointing.md"
    text = page.read_text(encoding="utf-8")
    (program,) = (p for p in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "def burgers" in p)
    path = tmp_path / "model.py"
    path.write_text(program, encoding="utf-8")
    names = runpy.run_path(str(path))
    args = (names["u0"], 0.05, 300)
    built = pipeline.emitted(names["burgers"], tuple(map(kind_of_value, args)), "adjoint", 0)
    shown = {"burgers": figures(predicted(built.derived, args)), "revolve(20, 3)": drawn(revolve(20, 3))}
    for name, made in shown.items():
        start, fence, rest = text.partition(f"```text {name}\n")
        assert fence
        text = start + fence + made + rest[rest.index("```") :]
    golden(page, text)


def test_the_example_of_the_readme_is_right(tmp_path):
    text = re.search(r"```python\n(.*?)```", PAGES[0].read_text(encoding="utf-8"), re.DOTALL)[1]
    path = tmp_path / "program.py"
    path.write_text(text, encoding="utf-8")
    names = runpy.run_path(str(path))
    energy, x, gradient, hessian = (names[name] for name in ("energy", "x", "gradient", "hessian"))
    assert names["value"] == energy(x, 2.0)
    h = 1e-6
    for i in range(len(x)):
        up, down = x.copy(), x.copy()
        up[i] += h
        down[i] -= h
        assert gradient[i] == pytest.approx((energy(up, 2.0) - energy(down, 2.0)) / (2 * h), abs=1e-8)
    assert hessian == pytest.approx(hessian.T)
