"""Where text comes from: a source file and spans in it, carried by every statement as provenance."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Source:
    """The text of one function or module, indented as in its file, and the place of its first line there."""

    file: str
    text: str
    first_line: int = 1

    def line(self, number: int) -> str:
        """The text of line `number`, counted as in the file; empty where there is none."""
        lines = self.text.splitlines()
        k = number - self.first_line
        return lines[k] if 0 <= k < len(lines) else ""


@dataclass(frozen=True, slots=True)
class Span:
    """Lines and columns of a piece of source, as Python's own trees count them.

    Lines from 1 as in the file; columns from 0 in bytes of UTF-8 (`col_offset`); ends exclusive.
    """

    source: Source | None = None
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0

    def __bool__(self) -> bool:
        return self.source is not None


NOWHERE = Span()
