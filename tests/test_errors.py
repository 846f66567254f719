"""Each refusal has a file of its own in errors/: NAME.py is refused, NAME.err is the report.

`f` of NAME.py is emitted as an adjoint, or `run()` is called where there is one. `pytest --update-golden`
writes the reports anew; read them before they are committed.
"""

import ast
import importlib.util
import pickle
from pathlib import Path

import pytest

import s2sad
from s2sad import errors, pipeline, report
from s2sad.errors import CODES, S2sadError
from s2sad.frontend import kinds
from s2sad.source import Source, Span

FOLDER = Path(__file__).parent / "errors"
CASES = sorted(FOLDER.glob("*.py"))


def refused(path: Path) -> None:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if hasattr(module, "run"):
        module.run()
    else:
        pipeline.emit_text(module.f, tuple(kinds.guess_kinds(module.f)), "adjoint", (0,))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_refusal(path, golden):
    with pytest.raises(S2sadError) as caught:
        refused(path)
    error = caught.value
    assert type(error).__name__ == CODES[error.code].error
    golden(path.with_suffix(".err"), str(error).replace(f"{FOLDER}/", "") + "\n")


def test_every_report_has_its_program():
    assert {path.stem for path in FOLDER.glob("*.err")} == {path.stem for path in CASES}


def classes(base=S2sadError):
    return [base, *(c for sub in base.__subclasses__() for c in classes(sub))]


def test_the_tree():
    assert all(c.__name__ in errors.__doc__ for c in classes())
    assert all(c.__name__ in errors.__all__ for c in classes())
    assert issubclass(errors.ArgumentError, ValueError)
    assert issubclass(errors.KindError, TypeError)
    assert not any(issubclass(c, (KeyError, IndexError, AttributeError, SyntaxError)) for c in classes())


def test_the_catalogue():
    assert list(CODES) == sorted(CODES)
    names = {c.__name__: c for c in classes()}
    for code, row in CODES.items():
        assert row.code == code
        assert row.error in names
        assert row.hint[0].islower() or row.hint[0] == "`"
        assert not row.hint.endswith(".")
        assert row.why.endswith(".")
        assert row.hint in errors.explain(code)
    assert all(c.default in CODES for c in classes())


def test_the_page_of_errors_lists_every_code(golden):
    page = Path(__file__).parent.parent / "docs" / "errors.md"
    text, heading, _ = page.read_text(encoding="utf-8").partition("## Every code\n")
    rows = [f"| {row.code} | {row.title} | {row.hint} |" for row in CODES.values()]
    golden(
        page,
        "\n".join([text + heading, "| code | about | what to write instead |", "|---|---|---|", *rows, ""]),
    )


def raised():
    """Every `SomeError(..., code="S000")` in the sources."""
    names = {c.__name__ for c in classes()}
    for path in sorted(Path(s2sad.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
                for keyword in node.keywords:
                    if keyword.arg == "code" and isinstance(keyword.value, ast.Constant):
                        yield f"{path.name}:{node.lineno}", node.func.id, keyword.value.value


def test_errors_in_the_sources_carry_codes_of_their_class():
    wrong = [f"{where}: {code} is not a code of {name}" for where, name, code in raised()
             if code not in CODES or CODES[code].error != name]  # fmt: skip
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("kind", classes(), ids=lambda c: c.__name__)
def test_pickled_with_its_text(kind):
    text = "def f(x):\n    return x @ x\n"
    error = kind(
        "no `@`", code="S039", at=Span(Source("f.py", text, 7), 8, 11, 8, 16), label="here", hint="a loop"
    )
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert str(again) == str(error)
    assert again.at == error.at


def shown(text, *place, label=""):
    return report.render("m", "S010", Span(Source("f.py", text), *place), label).splitlines()[1:]


def test_report_of_one_line():
    assert shown("a = b\nc = d + e", 2, 4, 2, 9, label="a sum") == [
        "  --> f.py:2:5",
        "   |",
        " 2 | c = d + e",
        "   |     ^^^^^ a sum",
    ]


def test_report_expands_tabs():
    assert shown("\tx =\ty", 1, 5, 1, 6)[2:] == [" 1 |     x = y", "   |         ^"]


def test_report_counts_characters_where_columns_count_bytes():
    line = "β = α + γ"
    column = len("β = ".encode())
    assert shown(line, 1, column, 1, len(line.encode()))[0] == "  --> f.py:1:5"
    assert shown(line, 1, column, 1, len(line.encode()))[3] == "   |     ^^^^^"


def test_report_of_several_lines():
    text = "g(a,\n    b = (1 +\n         2)\n\n    c = 3\n    d = 4\n    e = 5\n"
    assert shown(text, 2, 8, 3, 11, label="a sum")[2:] == [
        " 2 |     b = (1 +",
        "   |         ^^^^",
        " 3 |          2)",
        "   |          ^^ a sum",
    ]
    assert shown(text, 1, 0, 7, 9)[2:] == [
        " 1 | g(a,",
        "   | ^^^^",
        " 2 |     b = (1 +",
        "   |     ^^^^^^^^",
        ".. |",
        " 7 |     e = 5",
        "   |     ^^^^^",
    ]


def test_report_of_a_compound_statement_shows_its_head():
    text = "if a:  # why\n    b = 1\n"
    assert shown(text, 1, 0, 2, 9, label="here")[2:] == [" 1 | if a:  # why", "   | ^^^^^ here"]


def test_report_without_text():
    assert shown("", 3, 4, 3, 9, label="a sum") == ["  --> f.py:3:5", "   = note: a sum"]
    assert report.render("m", label="a sum", hint="x\ny").splitlines() == [
        "error: m",
        "   = note: a sum",
        "   = hint: x",
        "           y",
    ]


def test_report_aligns_large_line_numbers():
    lines = report.render(
        "m", "", Span(Source("f.py", "a\nb\n", 99_999), 100_000, 0, 100_000, 1)
    ).splitlines()
    assert lines[1:] == ["      --> f.py:100000:1", "       |", "100000 | b", "       | ^"]


def test_what_ipython_shows():
    """Where the user's lines called, and the report; nothing from within."""
    try:
        s2sad.grad(lambda x: x.nothing, jit=False)(1.0)
    except S2sadError as error:
        lines = error._render_traceback_()
    assert "test_errors.py" in lines[0]
    assert lines[-1].startswith("UnsupportedSyntaxError: error[S041]")
    assert not any("pipeline.py" in line for line in lines)
