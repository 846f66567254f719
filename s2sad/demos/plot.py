"""A plot in the terminal: curves in braille dots, points as marks, axes with round numbers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rich.text import Text

DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # of U+2800: row by row, left and right


def plot(
    curve: tuple[Sequence[float], Sequence[float]],
    points: tuple[Sequence[float], Sequence[float]],
    *,
    top: float,
    width: int = 76,
    height: int = 16,
    x_label: str = "",
) -> Text:
    """A curve and points over x from 0, y from 0 to `top`, as rich text of `height` + 2 lines.

    >>> plot(([0, 3], [0, 3]), ([3], [1]), top=3, width=8, height=4).plain.splitlines()[2]
    '   1 ┤  ⡠⠊   ●'
    """
    right = max(*curve[0], *points[0])
    bits = [[0] * width for _ in range(height)]
    marks: set[tuple[int, int]] = set()

    def place(x: float, y: float, columns: int, rows: int) -> tuple[int, int]:
        return round(x / right * (columns - 1)), round((1.0 - min(max(y / top, 0.0), 1.0)) * (rows - 1))

    for (x0, x1), (y0, y1) in zip(pairwise(curve[0]), pairwise(curve[1]), strict=True):
        (c0, r0), (c1, r1) = (place(x, y, 2 * width, 4 * height) for x, y in ((x0, y0), (x1, y1)))
        n = max(abs(c1 - c0), abs(r1 - r0), 1)
        for k in range(n + 1):
            c, r = round(c0 + (c1 - c0) * k / n), round(r0 + (r1 - r0) * k / n)
            bits[r // 4][c // 2] |= DOTS[r % 4][c % 2]
    for x, y in zip(*points, strict=True):
        marks.add(place(x, y, width, height))

    text = Text()
    for r in range(height):
        value = top * (1.0 - r / (height - 1))
        labelled = r * 3 % (height - 1) == 0
        text.append(f"{value:4.0f} ┤" if labelled else "     │", style="dim")
        for c in range(width):
            if (c, r) in marks:
                text.append("●", style="bold yellow")
            else:
                text.append(chr(0x2800 + bits[r][c]) if bits[r][c] else " ", style="cyan")
        text.append("\n")
    return text + _x_axis(right, width, x_label)


def _x_axis(right: float, width: int, label: str) -> Text:
    line, numbers = ["─"] * width, [" "] * (width + 1)
    for x in range(int(right) + 1):
        c = round(x / right * (width - 1))
        line[c] = "┬"
        numbers[c : c + len(str(x))] = str(x)
    text = "     └" + "".join(line) + "\n      " + "".join(numbers).rstrip()
    return Text(text + (f"\n{label:^{width + 12}}".rstrip() if label else ""), style="dim")
