"""Pages: what lights what, without network; what `--run` measures against what is counted by hand; Jupyter."""

import re
import shutil
import subprocess

import numpy as np
import pytest
from typer.testing import CliRunner

import s2sad
from s2sad.cli import app
from s2sad.demos.schedule import drawn
from s2sad.measure import measured, size
from s2sad.schedules import online, revolve

pytest.importorskip("jinja2")
PROGRAM = """import numpy as np
import s2sad

def square(v):
    w = np.sin(v)
    return w * v

def heat(u0, steps):
    u = u0.copy()
    for _ in range(steps):
        for i in range(1, len(u)):
            u[i] = np.sin(u[i]) * u[i - 1]
    return square(u[0]) + np.sum(u)

def decay(u0, n):
    u = u0.copy()
    for _ in s2sad.checkpoint_range(n, snapshots=3):
        for i in range(len(u)):
            u[i] -= 0.1 * u[i] * u[i]
    return np.sum(u)
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    return path


def written(program, *options):
    out = program.with_suffix(".html")
    ran = CliRunner().invoke(app, [*options, "--html", str(out)])
    assert ran.exit_code == 0, ran.output
    return out.read_text(encoding="utf-8")


def lines(text):
    """Key -> texts of the lines that light together."""
    found = {}
    for row in re.findall(r'<div class="row" data-at="([^"]*)"[^>]*>(.*?)</div>', text, re.DOTALL):
        found.setdefault(row[0], []).append(re.sub(r"<[^>]*>", "", row[1]))
    return found


def test_lines_light_their_counterparts(program):
    text = written(program, "explain", f"{program}:heat")
    together = lines(text)["0-12"]
    assert "np.sin(u[i])" in together[0].replace("12", "", 1)
    assert any("u_s" in line or "keep" in line or "u[i] =" in line for line in together)
    assert any("u_b[i]" in line and "np.cos" in line for line in together)
    assert not any("np.sum" in line for line in together)


def test_callees_have_a_text_of_their_own(program):
    text = written(program, "emit", f"{program}:heat")
    found = lines(text)
    (callee,) = (texts for key, texts in found.items() if key.endswith("-5"))
    assert "w = np.sin(v)" in callee[0]
    assert any("v_b" in text for text in callee[1:])


def test_pages_need_no_network(program):
    text = written(program, "explain", f"{program}:heat", "--args", "np.ones(4), 3", "--run")
    assert "http" not in text
    assert "src=" not in text
    assert "kept between the sweeps" in text


def test_predicted_bytes(program):
    """With arguments: bytes, also at lines of callees; the function itself stands first."""
    text = written(program, "explain", f"{program}:heat", "--args", "np.ones(7), 5")
    assert "def heat" in lines(text)["0-8"][0]
    assert "as they are predicted" in text
    assert size(2 * 8 * 5 * 7 + 8 * 7 + 8) in text
    assert "u.size" not in "".join(re.findall(r'class="mark">([^<]*)<', text))


def test_tangents_have_pages(program):
    found = lines(written(program, "emit", f"{program}:heat", "--mode", "tangent"))
    assert any("u_d" in line for line in found["0-12"])


@pytest.mark.parametrize(
    ("options", "line"),
    [("--mode tape", "record"), ("--mode primal", "u[i] = "), ("--over tangent", "u_d")],
)
def test_whatever_is_emitted_has_a_page(program, options, line):
    found = lines(written(program, "emit", f"{program}:heat", *options.split()))
    assert any(line in text for text in found["0-12"][1:])


def test_text_is_escaped(tmp_path):
    path = tmp_path / "less.py"
    path.write_text("def less(x):\n    if x < 1.0:  # <b>&\n        return x * x\n    return x\n")
    text = written(path, "explain", f"{path}:less")
    assert "<b>" not in text
    assert "&lt;b&gt;&amp;" in text


def test_measured_bytes(program):
    space = {}
    exec(compile(PROGRAM, str(program), "exec"), space)
    space["heat"].__module__ = "__main__"
    n, steps = 7, 5
    found = measured(space["heat"], (np.linspace(0.1, 1.0, n), steps))
    assert found.kept == found.peak == 2 * 8 * steps * n + 8 * n + 8  # each u[i] and its sine; u; w
    assert sum(found.lines.values()) == found.kept
    assert found.steps == found.predicted_steps == 0


@pytest.mark.parametrize("n", [0, 1, 2, 9, 20])
def test_measured_steps(program, n):
    space = {}
    exec(compile(PROGRAM, str(program), "exec"), space)
    found = measured(space["decay"], (np.ones(4), n))
    assert found.steps == found.predicted_steps == revolve(n, 3).forward_steps


def test_run_needs_arguments(program):
    ran = CliRunner().invoke(app, ["explain", f"{program}:heat", "--run"])
    assert ran.exit_code == 2
    assert "S112" in ran.output


def test_plot(program):
    ran = CliRunner().invoke(app, ["explain", f"{program}:decay", "--args", "np.ones(4), 9", "--plot"])
    assert ran.exit_code == 0, ran.output
    assert drawn(revolve(9, 3)) in ran.output
    assert "steps run again" in ran.output


def test_pictures_of_schedules():
    picture = drawn(revolve(1000, 5), 80).splitlines()
    assert len(picture) <= 63
    assert max(map(len, picture)) <= 80
    assert drawn(online(3, 2)).count("◂") == 3
    assert drawn(revolve(0, 2)).splitlines() == ["revolve: 0 steps, at most 0 states held, 0 steps run again"]


def test_sizes():
    assert [size(n) for n in (0, 999, 1500, 2_000_000)] == ["0 B", "999 B", "1.5 kB", "2 MB"]


def test_jupyter_shows_the_page(program):
    space = {}
    text = PROGRAM.replace("def heat", "@s2sad.differentiate\ndef heat")
    program.write_text(text, encoding="utf-8")
    exec(compile(text, str(program), "exec"), space)
    shown = space["heat"]._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert "Reverse sweep" in shown


def test_cell_magic():
    shell = (
        pytest.importorskip("IPython.testing.globalipapp").get_ipython()
        or pytest.importorskip("IPython").InteractiveShell.instance()
    )
    shell.run_line_magic("load_ext", "s2sad")
    shell.run_cell_magic("differentiate", "--argnums 0,1", "def area(a, b):\n    return a * a * b\n")
    assert shell.user_ns["area"].grad(2.0, 3.0) == (12.0, 4.0)
    with pytest.raises(s2sad.ArgumentError):
        shell.run_cell_magic("differentiate", "other", "def area(a, b):\n    return a * a * b\n")


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no browser")
@pytest.mark.parametrize("width", [1280, 800])
def test_in_a_browser(program, width):
    text = written(program, "explain", f"{program}:heat")
    tail = """<script>
    const row = document.querySelector('.source .row[data-at="0-12"]');
    row.dispatchEvent(new Event("pointerenter"));
    document.title = "lit " + document.querySelectorAll(".row.lit").length + " wide " +
        (document.documentElement.scrollWidth <= innerWidth);
    </script></body>"""
    page = program.with_name("lit.html")
    page.write_text(text.replace("</body>", tail), encoding="utf-8")
    ran = subprocess.run(
        [
            "chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--window-size={width},900",
            f"--user-data-dir={program.parent / 'profile'}", "--enable-logging=stderr", "--dump-dom", page.as_uri(),
        ],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    title = re.search(r"<title>lit (\d+) wide (\w+)</title>", ran.stdout)
    assert int(title[1]) == len(lines(text)["0-12"])
    assert title[2] == "true"
    assert "CONSOLE" not in ran.stderr
