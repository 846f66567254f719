"""Programs behind the page on the language: each construct once, by theme, with what is expected of it."""

from language import arrays, calls, flow, values

THEMES = {
    "Control flow": flow.ROWS,
    "Arrays": arrays.ROWS,
    "Calls": calls.ROWS,
    "Values and collections": values.ROWS,
}
