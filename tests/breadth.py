"""How much of NumPy, SciPy and `math` is covered: one example per function, and the page of the docs that says so.

`python -m tests.breadth` writes `docs/operations.md` from the table of operations, the library and the two files beside
this one: `breadth.txt`, a line "name | example | how" per function, and `autograd_names.txt`, the names of what
HIPS/autograd differentiates. With `--measure` it first tries the examples that were not compiled before (with `--all`,
all of them), and writes down how each went: compiled ("jit"), in plain Python only ("plain"), or the code of the
refusal; "?" is an example that was not compiled yet.

The examples read x and p (4 numbers; p is positive), A and P (3 by 3; P is positive definite), c (2 by 3 by 4) and
s (0.4).
"""

from __future__ import annotations

import importlib.util
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import s2sad

HERE = Path(__file__).parent
LIST, NAMES = HERE / "breadth.txt", HERE / "autograd_names.txt"
PAGE = HERE.parent / "docs" / "operations.md"

HEADER = """import math

import numpy as np
import scipy.integrate
import scipy.linalg
import scipy.signal
import scipy.special
import scipy.stats


def put(x, s):
    y = x.copy()
    np.put(y, np.array([0, 2]), s)
    return y


def put_along_axis(A, s):
    B = A.copy()
    np.put_along_axis(B, np.argsort(A[:, :1], axis=1), s, 1)
    return B


def fill_diagonal(A, s):
    B = A.copy()
    np.fill_diagonal(B, s)
    return B


def copyto(x, p):
    y = x.copy()
    np.copyto(y, p, where=x > 0)
    return y


def putmask(x, s):
    y = x.copy()
    np.putmask(y, x > 0, s)
    return y


def add_at(x, p):
    y = x.copy()
    np.add.at(y, np.array([0, 0, 1, 2]), p)
    return y


def subtract_at(x, p):
    y = x.copy()
    np.subtract.at(y, np.array([0, 0, 1, 2]), p)
    return y


def multiply_at(x, p):
    y = x.copy()
    np.multiply.at(y, np.array([0, 0, 1, 2]), p)
    return y
"""


class Example(NamedTuple):
    """A line of the list."""

    name: str
    text: str
    how: str


def examples() -> list[Example]:
    """The list."""
    parts = [line.partition(" | ")[::2] for line in LIST.read_text(encoding="utf-8").splitlines()]
    return [Example(name, *rest.rsplit(" | ", 1)) for name, rest in parts]


def autograd_names() -> list[str]:
    """What HIPS/autograd differentiates, or knows to be constant."""
    return NAMES.read_text(encoding="utf-8").split()


def arguments() -> tuple[Any, ...]:
    """x, p, A, P, c, s."""
    x, c = np.array([0.7, -0.3, 0.45, 0.1]), np.sin(1.7 * np.arange(24.0)).reshape(2, 3, 4)
    A = np.array([[0.3, -0.8, 0.5], [0.9, 0.2, -0.4], [-0.1, 0.6, 0.7]])
    return x, np.array([0.2, 0.35, 0.6, 0.8]), A, A @ A.T + np.eye(3), c, 0.4


def functions(texts: Sequence[str], params: Sequence[str] = ("x", "p", "A", "P", "c", "s")) -> list[Any]:
    """A function for each example, with a text of its own."""
    given = ", ".join(params)
    body = "".join(f"\n\ndef f{k}({given}):\n    return {text}\n" for k, text in enumerate(texts))
    with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as file:
        file.write(HEADER + body)
    spec = importlib.util.spec_from_file_location(Path(file.name).stem, file.name)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [getattr(module, f"f{k}") for k in range(len(texts))]


def differentiated(f: Any, jit: bool) -> str:
    """The tangent of an example: "" where it is had, else the code of the refusal."""
    args = arguments()
    try:
        s2sad.jvp(
            f, args, tuple(np.ones_like(a) if isinstance(a, np.ndarray) else 1.0 for a in args), jit=jit
        )
    except s2sad.S2sadError as error:
        return error.code
    return ""


def measured(found: Sequence[Example], again: bool, size: int = 12) -> Iterator[list[Example]]:
    """The list with how examples went that were not compiled before (or `again` all), after each group."""
    how = {e.name: e.how for e in found}
    todo = [e for e in found if again or e.how != "jit"]
    codes = [differentiated(f, jit=False) for f in functions([e.text for e in todo])]
    how |= {e.name: code for e, code in zip(todo, codes, strict=True) if code}
    right = [e for e, code in zip(todo, codes, strict=True) if not code]
    for k in range(0, len(right), size):
        how |= compiled(right[k : k + size])
        yield [e._replace(how=how[e.name]) for e in found]
    yield [e._replace(how=how[e.name]) for e in found]


def compiled(group: Sequence[Example]) -> dict[str, str]:
    """How a group goes under jit: all together, or by halves."""
    texts = [e.text for e in group]
    f = functions([f"({', '.join(texts)},)"])[0] if len(group) > 1 else functions(texts)[0]
    try:
        fine = not differentiated(f, jit=True)
    except Exception as error:  # what Numba can't compile
        print(type(error).__name__, texts, file=sys.stderr)
        fine = False
    if fine or len(group) == 1:
        return dict.fromkeys((e.name for e in group), "jit" if fine else "plain")
    half = len(group) // 2
    return compiled(group[:half]) | compiled(group[half:])


# ----- the page --------------------------------------------------------------------------------------------


def page(found: Sequence[Example]) -> str:
    """The page of the docs."""
    how = {e.name: e for e in found}
    theirs = autograd_names()
    have = [name for name in theirs if how[name].how in THERE]
    jit = [name for name in theirs if how[name].how == "jit"]
    all_jit = [e for e in found if e.how == "jit"]
    plain = [e for e in found if e.how == "plain"]
    untried = [e for e in found if e.how == "?"]
    missing = [e for e in found if e.how not in THERE]
    parts = [
        "# Operations\n",
        f"{len(found) - len(missing)} functions of NumPy, SciPy and `math` can be differentiated, {len(all_jit)} of them "
        f"in compiled code. Of the {len(theirs)} that HIPS/autograd differentiates, or knows to be constant, {len(have)} "
        f"are here, {len(jit)} in compiled code.\n",
        "A function that is not here can be [added](adding-an-operation.md) or written out in Python. "
        "`s2sad ops` shows the slopes, `s2sad ops 'special.*'` those of the special functions.\n",
        "`python -m tests.breadth` writes this page.\n",
    ]
    if missing:
        parts += ["## Not yet\n", ", ".join(f"`{e.name}`" for e in missing) + ".\n"]
    if untried:
        parts += ["## Not tried in compiled code yet\n", ", ".join(f"`{e.name}`" for e in untried) + ".\n"]
    if plain:
        parts += ["## With `jit=False` only\n", ", ".join(f"`{e.name}`" for e in plain) + ".\n"]
    for title, prefix in SECTIONS:
        rows = [e for e in found if re.fullmatch(prefix, e.name) and e.how in THERE]
        parts.append(f"## {title}\n\n| function | example | compiled | in autograd |\n|---|---|---|---|")
        parts += [_row(e, e.name in theirs) for e in rows]
        parts.append("")
    return "\n".join(parts)


#: How an example went that has a derivative -> what the table says.
COMPILED = {"jit": "yes", "plain": "no", "?": "not tried"}
THERE = tuple(COMPILED)

SECTIONS = (
    ("NumPy", r"np\.[a-z_0-9A-Z]+"),
    ("NumPy: linear algebra and Fourier transforms", r"np\.(linalg|fft)\..*"),
    ("NumPy: methods of its elementwise functions", r"np\.\w+\.(at|reduce|accumulate|outer)"),
    ("Python and `math`", r"(math\..*|[a-z]+)"),
    ("`scipy.special`", r"scipy\.special\..*"),
    ("`scipy.stats`", r"scipy\.stats\..*"),
    ("Other parts of SciPy", r"scipy\.(integrate|linalg|signal)\..*"),
)


def _row(e: Example, theirs: bool) -> str:
    text = e.text.replace("|", "\\|")
    return f"| `{e.name}` | `{text}` | {COMPILED[e.how]} | {'yes' if theirs else ''} |"


def main() -> None:
    """Write the page; measure first where asked to."""
    if "--measure" in sys.argv:
        for found in measured(examples(), "--all" in sys.argv):
            LIST.write_text("".join(f"{e.name} | {e.text} | {e.how}\n" for e in found), encoding="utf-8")
    PAGE.write_text(page(examples()), encoding="utf-8")


if __name__ == "__main__":
    main()
