"""A derivative as one HTML page: the program at the left, its sweeps at the right, kept values as shades.

Pointing at a line lights what comes from it, or what it comes from; a click holds the light, Escape lets it go. The
page is one file that needs no network. Jinja2 and Pygments load when a page is made (extra `html`).
"""

from __future__ import annotations

import ast
import html
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from s2sad.contents import kept_line
from s2sad.errors import ArgumentError
from s2sad.measure import Measured, in_bytes, in_steps, size
from s2sad.pipeline import Built
from s2sad.prediction import Prediction
from s2sad.source import Source, Span

POINT = "Point at a line to see what belongs to it; click to hold it, Escape to let go."


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its number, its text as HTML, where it comes from, its shade (percent), a remark and a longer one."""

    number: int
    html: str
    at: str = ""
    kept: int = 0
    mark: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of text under a title."""

    title: str
    lines: Sequence[Line]
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Shades:
    """What the shades of the lines mean, for each line how much and in words, and what is kept in all."""

    meaning: str
    lines: Mapping[int, tuple[float, str]]
    facts: Sequence[tuple[str, str]]


PLAIN = Shades("", {}, ())  # of another file: lines of the report are numbers in that of the function


def page(built: Built, found: Measured | None = None, told: Prediction | None = None) -> str:
    """The page of a gradient or a tangent; with what a run `found`, or with what is `told` of it, bytes, not formulas.

    Errors: ArgumentError S114 where Jinja2 is not installed (without Pygments the page has no colours).
    """
    try:
        from jinja2 import Environment
    except ImportError:
        raise _missing("jinja2") from None
    adjoint = built.derived.adjoint
    kind = "Adjoint" if adjoint is not None else "Tangent" if built.derived.tangents else "Program"
    template = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
    sources = _sources((built.fn.at, *built.places))
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    decisions = [kept_line(d, {}) for d in adjoint.report] if adjoint else []
    table = [
        {
            "line": d.line or "",
            "name": d.name,
            "how": d.how,
            "size": k.size if d.shape or d.how in ("snapshot", "copy") else "",
            "why": d.why,
        }
        for d, k in zip(adjoint.report if adjoint else (), decisions, strict=True)
    ]
    shades = (
        _measured(found) if found is not None else _predicted(told) if told is not None else _formulas(table)
    )
    text: str = environment.from_string(template).render(
        title=f"{kind} of {built.fn.name}",
        subtitle=f"{POINT} Shades: {shades.meaning}.",
        colours=_colours(),
        sources=[
            _source(k, s, table, shades) if s.file == sources[0].file else _source(k, s, (), PLAIN)
            for k, s in enumerate(sources)
        ],
        emitted=_emitted(built, sources),
        decisions=table,
        facts=shades.facts,
    )
    return text


def _measured(found: Measured) -> Shades:
    facts = [("kept between the sweeps", size(found.kept)), ("at the most", size(found.peak))]
    if found.loops:
        facts.append(("steps run again", f"{found.steps} (planned: {found.predicted_steps})"))
    return Shades(
        "measured bytes", {line: (count, size(count)) for line, count in found.lines.items()}, facts
    )


def _predicted(told: Prediction) -> Shades:
    facts = [("kept between the sweeps", in_bytes(told.kept)), ("at the most", in_bytes(told.peak))]
    if told.loops:
        facts.append(("steps run again", in_steps(told.steps)))
    lines = {line: (max(amount.low, 1), in_bytes(amount)) for line, amount in told.lines.items()}
    return Shades("bytes kept for these arguments, as they are predicted", lines, facts)


def _formulas(table: Sequence[Mapping[str, Any]]) -> Shades:
    """Without arguments: what is kept, each line alike."""
    lines: dict[int, tuple[float, str]] = {}
    for row in table:
        if row["size"]:
            _, so_far = lines.get(row["line"], (0, ""))
            lines[row["line"]] = (1, f"{so_far} + {row['size']}" if so_far else row["size"])
    return Shades("what is kept", lines, ())


def _missing(name: str) -> ArgumentError:
    return ArgumentError(
        f"a page needs {name}, which is not installed", code="S114", hint="pip install 's2sad[html]'"
    )


def _sources(places: Iterable[Span]) -> list[Source]:
    """The texts that lines come from, each once."""
    found: dict[tuple[str, int], Source] = {}
    for at in places:
        if at.source is not None:
            found.setdefault((at.source.file, at.source.first_line), at.source)
    return list(found.values())


def _key(at: Span, sources: Sequence[Source]) -> str:
    """What is alike for lines that belong together."""
    for k, source in enumerate(sources):
        if at.source is not None and (at.source.file, at.source.first_line) == (
            source.file,
            source.first_line,
        ):
            return f"{k}-{at.line}"
    return ""


def _source(k: int, source: Source, table: Sequence[Mapping[str, Any]], shades: Shades) -> Part:
    """A text of the user's, its lines shaded by what is kept for them."""
    lines = []
    most = max((count for count, _ in shades.lines.values()), default=0)
    for number, text in enumerate(_highlighted(source.text), source.first_line):
        count, mark = shades.lines.get(number, (0, ""))
        shade = round(8 + 32 * math.log1p(count) / math.log1p(most)) if count else 0
        told = [f"{mark} kept"] if count else []
        told += [f"{row['name']}: {row['how']}, {row['why']}" for row in table if row["line"] == number]
        lines.append(Line(number, text, f"{k}-{number}", shade, mark if count else "", "\n".join(told)))
    return Part(Path(source.file).name, lines)


def _emitted(built: Built, sources: Sequence[Source]) -> list[Part]:
    """The functions of the emitted file, in the order in which one reads: forward, reverse, then the rest, folded."""
    tree = ast.parse(built.text)
    html_lines = _highlighted(built.text)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    calls = {
        f.name: {n.func.id for n in ast.walk(f) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
        for f in functions
    }
    name = built.fn.name
    if built.derived.adjoint is None:
        wanted = (
            (built.entry, f"{name} and its tangent")
            if built.derived.tangents
            else (f"{name}_tape", "What the program records")
            if f"{name}_tape" in calls
            else (name, "The program as it was read")
        )
        groups = [(wanted[1], {wanted[0]})]
    else:
        ahead = {f.name for f in functions if f.name.rpartition("_fwd")[1]}
        back = {f.name for f in functions if f.name.rpartition("_rev")[1]}
        back |= set().union(*(calls[f] for f in back)) - ahead - set().union(*(calls[f] for f in ahead))
        groups = [
            ("Forward sweep: the program, and what is kept", ahead),
            ("Reverse sweep: adjoints, last line first", back),
        ]
    parts = []
    for title, names in groups:
        chosen = [f for f in functions if f.name in names]
        chosen.sort(key=lambda f: not f.name.startswith((f"{name}_fwd", f"{name}_rev")))  # the main one first
        parts.append(Part(title, _lines(chosen, html_lines, built.places, sources)))
    rest = [f for f in functions if not any(f.name in names for _, names in groups)]
    parts.append(
        Part("The program as it was read, and what calls the sweeps" if len(groups) > 1 else "The rest",
             _lines(rest, html_lines, built.places, sources), folded=True)
    )  # fmt: skip
    return [part for part in parts if part.lines]


def _lines(
    functions: Sequence[ast.FunctionDef],
    texts: Sequence[str],
    places: Sequence[Span],
    sources: Sequence[Source],
) -> list[Line]:
    lines: list[Line] = []
    for f in functions:
        first = min([f.lineno, *(d.lineno for d in f.decorator_list)])
        if lines:
            lines.append(Line(0, ""))
        for number in range(first, (f.end_lineno or f.lineno) + 1):
            lines.append(Line(number, texts[number - 1], _key(places[number - 1], sources)))
    return lines


def _highlighted(text: str) -> list[str]:
    """Each line as HTML."""
    try:
        from pygments import highlight
        from pygments.formatters import HtmlFormatter
        from pygments.lexers import PythonLexer
    except ImportError:
        return [html.escape(line) for line in text.splitlines()]
    lexer = PythonLexer(stripnl=False, ensurenl=False)
    made: str = highlight(text, lexer, HtmlFormatter(nowrap=True))
    return made.rstrip("\n").split("\n")


def _colours() -> str:
    """The style sheet of the highlighting, for light and for dark screens."""
    try:
        from pygments.formatters import HtmlFormatter
    except ImportError:
        return ""
    light, dark = (
        HtmlFormatter(style=s, nobackground=True).get_style_defs(".row") for s in ("friendly", "github-dark")
    )
    return f"{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}"
