"""The page on the language is true: what it says is supported runs and is right, what it says is refused is.

`pytest --update-golden tests/test_language.py` writes its tables anew.
"""

from pathlib import Path

import pytest
from checks import Run
from language import THEMES

import s2sad
from s2sad import errors

PAGE = Path(__file__).parent.parent / "docs" / "language.md"
ROWS = [row for rows in THEMES.values() for row in rows]
HEAD = "| construct | supported | what to write instead |\n|---|---|---|"


@pytest.mark.parametrize("row", [r for r in ROWS if not r.code], ids=lambda row: row.name)
def test_supported(row):
    Run.of(row.f, row.arguments, jit=False).gradient()
    if row.jit:
        with pytest.raises(s2sad.S2sadError) as caught:
            s2sad.vjp(row.f, *row.arguments)
        assert caught.value.code == row.jit


@pytest.mark.parametrize("row", [r for r in ROWS if r.code], ids=lambda row: row.name)
@pytest.mark.parametrize("jit", [False, True], ids=["plain", "jit"])
def test_refused(row, jit):
    with pytest.raises(s2sad.S2sadError) as caught:
        s2sad.vjp(row.f, *row.arguments, jit=jit)
    assert caught.value.code == row.code


def test_the_page_shows_every_row(golden):
    text, _, _ = PAGE.read_text(encoding="utf-8").partition("## Control flow\n")
    tables = [
        f"## {theme}\n\n{HEAD}\n" + "\n".join(row.line() for row in rows) for theme, rows in THEMES.items()
    ]
    golden(PAGE, text + "\n\n".join(tables) + "\n")


def test_every_code_is_explained():
    for code, row in errors.CODES.items():
        assert errors.explain(code).startswith(f"{code}  {row.title}")
