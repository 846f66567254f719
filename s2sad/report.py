"""One renderer for every message about a piece of source: the line, carets under it, a label, a hint.

A report is a pure function of its arguments, so an error that travelled to another process, or whose file
has changed since, still shows the text that was read. Where the text is missing, the place alone is shown.
"""

from __future__ import annotations

from s2sad.source import Span

_TAB = 4
_LONGEST = 4  # lines of a multi-line span that are shown in full


def render(message: str, code: str = "", at: Span | None = None, label: str = "", hint: str = "") -> str:
    """The report as text, without a final newline.

    >>> from s2sad.source import Source
    >>> place = Span(Source("f.py", "    break", first_line=2), 2, 4, 2, 9)
    >>> print(render("no `break` yet", "S012", place, "leaves the loop", "use a test"))
    error[S012]: no `break` yet
      --> f.py:2:5
       |
     2 |     break
       |     ^^^^^ leaves the loop
       = hint: use a test
    """
    lines = [f"error[{code}]: {message}" if code else f"error: {message}"]
    width = 2
    if at is not None and at.source is not None:
        width = max(width, len(str(max(at.line, at.end_line))))
        column = _characters(at.source.line(at.line), at.column)
        lines.append(f"{' ' * width}--> {at.source.file}:{at.line}:{column + 1}")
        lines += _excerpt(at, label, width)
    elif label:
        lines.append(f"{' ' * width} = note: {label}")
    if hint:
        lines.append(_tail(f"{' ' * width} = hint: ", hint))
    return "\n".join(lines)


def _tail(head: str, text: str) -> str:
    """Text after a heading; its further lines are set under its first."""
    return head + text.replace("\n", "\n" + " " * len(head))


def _excerpt(at: Span, label: str, width: int) -> list[str]:
    """The lines of the span (the head of a compound statement) with carets; nothing where the text is not known."""
    assert at.source is not None
    head = at.source.line(at.line).partition("#")[0].rstrip()
    last = at.line if head.endswith(":") else max(at.line, at.end_line)
    numbers = [n for n in range(at.line, last + 1) if at.source.line(n).strip()]
    if not numbers:
        return [f"{' ' * width} = note: {label}"] if label else []
    gutter = " " * width + " |"
    lines = [gutter]
    shown = numbers if len(numbers) <= _LONGEST else [*numbers[: _LONGEST - 2], 0, numbers[-1]]
    for n in shown:
        if n == 0:
            lines.append("." * width + " |")
            continue
        text = at.source.line(n)
        start = _characters(text, at.column) if n == at.line else len(text) - len(text.lstrip())
        stop = _characters(text, at.end_column) if n == at.end_line else 0
        stop = stop if stop > start else len(head if head.endswith(":") else text.rstrip())
        lines.append(f"{n:>{width}} | {text.rstrip().expandtabs(_TAB)}")
        before = len(text[:start].expandtabs(_TAB))
        carets = max(1, len(text[:stop].expandtabs(_TAB)) - before)
        mark = f"{gutter} {' ' * before}{'^' * carets}"
        lines.append(_tail(f"{mark} ", label) if label and n == shown[-1] else mark)
    return lines


def _characters(line: str, column: int) -> int:
    """A column counted in bytes of UTF-8, in characters; beyond the end of the line as it is."""
    return column if line.isascii() else len(line.encode()[:column].decode(errors="ignore"))
