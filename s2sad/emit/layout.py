"""Line wrapping: a logical line as a small document, laid out in at most WIDTH columns.

A document is a text, a tuple of documents in sequence, or a `Group`: items that may go to several lines.
A line that fits stays one line. Else groups are opened, as late in the line as possible: the items go to
lines of their own, indented by one step, as many on a line as fit, and the closing bracket stands alone.
A group without brackets (`a + b + c`) gets parentheses when it is opened outside of brackets.

>>> total = Group(("first_summand * factor", "+ second_summand", "- third_summand"))
>>> print(layout(("result = ", total), width=40))
result = (
    first_summand * factor
    + second_summand - third_summand
)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

WIDTH = 100
STEP = 4


@dataclass(frozen=True, slots=True)
class Group:
    """Items with a place to break before each but the first.

    comma   items are followed by commas; otherwise an item brings its operator along in front
    whole   the text on one line, where that isn't the items in a row (a long string and its pieces)
    """

    items: tuple[Doc, ...]
    open: str = ""
    close: str = ""
    comma: bool = False
    whole: str = ""


Doc: TypeAlias = str | tuple["Doc", ...] | Group


def flat(doc: Doc) -> str:
    """The document on one line."""
    if isinstance(doc, str):
        return doc
    if isinstance(doc, tuple):
        return "".join(map(flat, doc))
    return doc.whole or doc.open + (", " if doc.comma else " ").join(map(flat, doc.items)) + doc.close


def enclose(open: str, doc: Doc, close: str) -> Group:
    """`doc` in brackets; a group without brackets of its own takes them over."""
    inner = _bare(doc)
    if isinstance(inner, Group) and not inner.open and not inner.whole:
        return replace(inner, open=open, close=close)
    return Group((doc,), open, close)


def layout(doc: Doc, indent: int = 0, tail: int = 0, width: int = WIDTH) -> str:
    """The text of one logical line that starts in column `indent` and is followed by `tail` characters."""
    return _Layout(width).lay(doc, indent, indent, False, tail)


@dataclass(frozen=True, slots=True)
class _Layout:
    width: int

    def lay(self, doc: Doc, column: int, indent: int, inside: bool, tail: int) -> str:
        """Text of `doc` from `column` on, in a line indented by `indent`, `inside` brackets or not."""
        text = flat(doc)
        if isinstance(doc, str) or column + len(text) + tail <= self.width:
            return text
        if isinstance(doc, tuple):
            return self._sequence(doc, column, indent, inside, tail)
        doc = _hug(doc)
        if inside and not doc.open:
            whole = (
                column + len(flat(doc.items[0])) <= self.width
            )  # else its bracket says what belongs together
            return self._items(doc, column, indent + STEP if whole else indent, tail)
        inner = indent + STEP
        body = self._items(doc, inner, inner, 0)
        return f"{doc.open or '('}\n{' ' * inner}{body}\n{' ' * indent}{doc.close or ')'}"

    def _sequence(self, parts: tuple[Doc, ...], column: int, indent: int, inside: bool, tail: int) -> str:
        done = ""
        for k, part in enumerate(parts):
            ahead, breaks = _head(parts[k + 1 :], inside)
            done += self.lay(part, _column(done, column), indent, inside, ahead if breaks else ahead + tail)
        return done

    def _items(self, group: Group, column: int, indent: int, tail: int) -> str:
        done, last, broken = "", len(group.items) - 1, False
        for k, item in enumerate(group.items):
            mark = "," if group.comma and k < last else ""
            after = len(mark) if k < last else tail
            here = _column(done, column)
            if k and not broken and here + 1 + len(flat(item)) + after <= self.width:
                done += " " + flat(item) + mark
                continue
            if k:
                done += "\n" + " " * indent
            text = self.lay(item, _column(done, column), indent, True, after)
            broken = "\n" in text
            done += text + mark
        return done


def _column(text: str, start: int) -> int:
    """The column behind `text`, whose first line began in column `start`."""
    line = text.rfind("\n")
    return start + len(text) if line < 0 else len(text) - line - 1


def _head(doc: Doc, inside: bool) -> tuple[int, bool]:
    """Width of `doc` up to its first place to break, and whether there is one."""
    if isinstance(doc, str):
        return len(doc), False
    if isinstance(doc, Group):
        if doc.open or not inside:
            return len(doc.open) or 1, True
        return _head(doc.items[0], inside)[0], True
    width = 0
    for part in doc:
        more, breaks = _head(part, inside)
        width += more
        if breaks:
            return width, True
    return width, False


def _bare(doc: Doc) -> Doc:
    while isinstance(doc, tuple) and len(doc) == 1:
        doc = doc[0]
    return doc


def _hug(group: Group) -> Group:
    """`f([...])` opens both brackets at once; `f(a + b)` breaks at the operators."""
    while len(group.items) == 1 and isinstance(only := _bare(group.items[0]), Group):
        group = replace(only, open=group.open + only.open, close=only.close + group.close)
    return group
