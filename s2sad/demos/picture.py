"""A field in the terminal: blocks of colour, two values to a character; shades where there are no colours."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from rich.color import Color
from rich.style import Style
from rich.text import Text

SHADES = " ░▒▓█"


def picture(field: NDArray[np.float64], top: float, width: int, colours: bool) -> Text:
    """A square field as rich text, x to the right, y upwards: `width` columns, half as many lines.

    Red is `top`, blue is -`top`, white is zero. Without colours: the darker, the farther from zero.

    >>> print(picture(np.array([[0.0, 1.0], [0.0, -0.5]]), 1.0, 4, colours=False))
    ██▒▒
    """
    n, m = field.shape
    columns = np.arange(width) * n // width
    rows = np.arange(width)[::-1] * m // width
    values = np.clip(field[np.ix_(columns, rows)].T / top, -1.0, 1.0)
    lines = []
    for upper, lower in zip(values[::2], values[1::2], strict=True):
        lines.append(text := Text())
        for a, b in zip(upper, lower, strict=True):
            if colours:
                text.append("▀", Style(color=_colour(a), bgcolor=_colour(b)))
            else:
                text.append(SHADES[round(abs(a + b) / 2.0 * (len(SHADES) - 1))])
    return Text("\n").join(lines)


def _colour(value: float) -> Color:
    """White at 0, towards red at 1, towards blue at -1."""
    fade = 1.0 - abs(value)
    strong, weak = round(255 * (0.7 + 0.3 * fade)), round(255 * fade)
    return Color.from_rgb(strong, weak, weak) if value > 0.0 else Color.from_rgb(weak, weak, strong)
