"""The command line: what it prints, where, and its exit codes."""

import json
import re
import subprocess
import sys
from types import ModuleType

import pytest
from typer.testing import CliRunner

import s2sad
from s2sad import cli
from s2sad.errors import GradientCheckError

MODEL = """\
import numpy as np


def loss(x: "float64[:]", k: float, n: int = 2):
    s = 0.0
    for i in range(len(x)):
        s += k * np.sin(x[i]) * x[i] ** n
    return s


def outside(x: float):
    with open("log") as log:
        x = x / 2
    return x


class Holder:
    @staticmethod
    def square(x: float):
        return x * x


def _hidden(x):
    return x
"""


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model_of_the_cli.py"
    path.write_text(MODEL, encoding="utf-8")
    yield str(path)
    for name in [name for name in sys.modules if name.startswith(path.stem)]:
        del sys.modules[name]


def run(*arguments: str):
    return CliRunner().invoke(cli.app, list(arguments))


def test_version():
    result = run("--version")
    assert (result.exit_code, result.stdout) == (0, f"s2sad {s2sad.__version__}\n")


def test_help_names_every_command():
    result = run("--help")
    assert result.exit_code == 0
    for name in ("emit", "check", "ops", "demo", "explain"):
        assert re.search(rf"\b{name}\b", result.stdout)


@pytest.mark.parametrize(
    ("mode", "function"),
    [("adjoint", "loss_fwd"), ("tangent", "loss_d"), ("tape", "loss_tape"), ("primal", "loss")],
)
def test_emit_is_plain_python_when_piped(model, mode, function):
    result = run("emit", f"{model}:loss", "--mode", mode)
    assert result.exit_code == 0, result.stderr
    assert "\x1b" not in result.stdout
    assert f"def {function}(" in result.stdout
    compile(result.stdout, "emitted", "exec")


def test_emit_takes_types_from_the_option_from_values_and_from_the_function(model):
    outputs = {
        run("emit", f"{model}:loss", "--argnums", "0,1", *more).stdout
        for more in ([], ["--types", "float64[:], float64, int64"], ["--args", "np.ones(3), 2.0, 2"])
    }
    assert all("def loss_rev(" in text for text in outputs)
    bodies = {text[text.index("def loss_rev(") :] for text in outputs}
    assert len(bodies) == 1


def test_guessed_types_are_told(tmp_path):
    """Beside the text where they serve, in the report where they may be the reason."""
    path = tmp_path / "guessed.py"
    path.write_text(
        "import numpy as np\n\ndef first(v):\n    return v[0] + v[1]\n\ndef f(x, n):\n    y = x\n"
        "    return first(y) * n\n\ndef g(x):\n    (a,) = x,\n    return a[0]\n"
    )
    result = run("emit", f"{path}:f", "--mode", "primal")
    assert result.exit_code == 0
    assert "float64[:], float64" in result.stderr
    result = run("emit", f"{path}:g")
    assert "the types were guessed as `float64`" in " ".join(result.stderr.split())
    assert run("emit", f"{path}:g", "--types", "float64[:]").exit_code == 0


def test_emit_writes_a_file(model, tmp_path):
    out = tmp_path / "out.py"
    result = run("emit", f"{model}:loss", "-o", str(out))
    assert (result.exit_code, result.stdout) == (0, "")
    assert out.read_text(encoding="utf-8") == run("emit", f"{model}:loss").stdout
    assert f"{len(out.read_text(encoding='utf-8').splitlines())} lines" in result.stderr


def test_emit_is_highlighted_in_a_terminal(model, monkeypatch):
    plain = run("emit", f"{model}:loss").stdout
    monkeypatch.setattr(cli, "out", cli.Console(force_terminal=True, color_system="standard", width=40))
    coloured = run("emit", f"{model}:loss").stdout
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_dotted_names(model):
    assert "def square_fwd(" in run("emit", f"{model}:Holder.square").stdout


def test_a_refusal_is_a_report_without_a_traceback(model):
    result = run("emit", f"{model}:outside")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error[S017]: ")
    assert "model_of_the_cli.py:12:5\n" in result.stderr
    assert """12 |     with open("log") as log:\n""" in result.stderr
    assert "= hint: " in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("jit", ["--jit", "--no-jit"])
def test_check(model, jit):
    result = run("check", f"{model}:loss", "--args", "np.linspace(0.1, 1.0, 4), 2.0, 3", jit)
    assert result.exit_code == 0, result.stderr
    assert "loss: derivatives agree" in result.stdout


def test_check_fails_with_exit_code_1(model, monkeypatch):
    def fails(f, args, **options):
        raise GradientCheckError(f"`{f.__name__}`: 1.0 against 2.0")

    monkeypatch.setattr("s2sad.testing.check_grads", fails)
    result = run("check", f"{model}:loss", "--args", "np.ones(2), 2.0")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("error[S100]: `loss`: 1.0 against 2.0")


def test_bench(model):
    result = run("bench", f"{model}:loss", "--args", "np.ones(4), 2.0, 3", "--seconds", "0.01", "--json")
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)
    assert found["ratio"] == found["gradient"] / found["primal"] > 0
    result = run("bench", f"{model}:loss", "--args", "np.ones(4), 2.0, 3", "--seconds", "0.01")
    assert "ratio" in result.stdout
    assert run("bench", f"{model}:loss", "--args", "1").exit_code == 2


def test_bench_of_a_function_that_calls_others(tmp_path):
    path = tmp_path / "calls.py"
    path.write_text("def twice(v):\n    return 2.0 * v\n\ndef f(x):\n    return twice(x) * x\n")
    result = run("bench", f"{path}:f", "--args", "3.0", "--seconds", "0.01")
    assert result.exit_code == 0, result.output
    assert "ratio" in result.stdout


def test_ops():
    result = run("ops", "sin")
    assert result.exit_code == 0
    names = [line.split("\t")[0] for line in result.stdout.splitlines()]
    assert {"sin", "arcsin", "sinh"} <= set(names)
    assert "cos(x)" in result.stdout
    assert len(run("ops").stdout.splitlines()) > 50
    assert run("ops", "no_such_operation").exit_code == 2


def test_explain():
    result = run("explain", "s011")
    assert result.exit_code == 0
    assert result.stdout.startswith("S011  `while` loop")
    unknown = run("explain", "S999")
    assert unknown.exit_code == 2
    assert unknown.stderr.startswith("error[S113]")


@pytest.mark.parametrize(
    ("target", "code", "words"),
    [
        ("{model}", "S110", "does not name a function"),
        ("{model}:", "S110", "does not name a function"),
        ("nowhere.py:f", "S110", "there is no file `nowhere.py`"),
        ("{model}:los", "S110", "did you mean"),
        ("{model}:Holder.cube", "S110", "has no function `Holder.cube`"),
    ],
)
def test_targets_that_are_not_there(model, target, code, words):
    result = run("emit", target.format(model=model))
    assert result.exit_code == 2
    assert result.stderr.startswith(f"error[{code}]")
    assert words in result.stderr


def test_a_file_that_fails_to_import_is_shown_where_it_fails(tmp_path):
    path = tmp_path / "failing.py"
    path.write_text("import math\n\nscale = math.sqrt(-1.0)\n")
    result = run("emit", f"{path}:f")
    assert result.exit_code == 2
    assert result.stderr.startswith("error[S111]: importing `failing.py` raised ValueError")
    assert "failing.py:3:9\n" in result.stderr
    assert "failing" not in sys.modules
    path.write_text("def f(:\n    pass\n")
    assert "failing.py:1:7\n" in run("emit", f"{path}:f").stderr


def test_bad_values(model):
    assert run("check", f"{model}:loss", "--args", "no_name, 1.0").stderr.startswith("error[S112]")
    assert run("emit", f"{model}:loss", "--argnums", "a").stderr.startswith("error[S093]")
    assert run("emit", f"{model}:loss", "--types", "float65").stderr.startswith("error[S095]")


def test_the_values_of_args_may_use_names_of_the_file():
    module = ModuleType("m")
    module.size = 2
    assert cli.evaluate("(size, 1), math.pi", module)[0] == (2, 1)


def test_run_as_a_module():
    result = subprocess.run(
        [sys.executable, "-m", "s2sad", "--version"], capture_output=True, text=True, check=True
    )
    assert result.stdout == f"s2sad {s2sad.__version__}\n"
