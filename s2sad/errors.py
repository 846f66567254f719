"""Every error that s2sad raises, and the catalogue of their codes.

::

    S2sadError
    ├── UnsupportedSyntaxError      the program is outside the language
    ├── MissingRuleError            a function that nothing is known about
    ├── AliasingError               two names may share memory, and it matters
    ├── ArgumentError               number, shape or structure of arguments, tangents, cotangents; argnums
    │                                 (also a ValueError)
    ├── KindError                   an integer differentiated, a gradient of a non-scalar, a kind not known
    │                                 (also a TypeError)
    ├── SourceUnavailableError      the text of a function can't be had
    ├── GradientCheckError          a derivative disagrees with its reference
    └── StaleInputError             an array that a pullback reads has changed since

Each carries a code, the place in the user's source, a label for that place and a hint; `str` of it is the
rendered report. `explain(code)`, or `s2sad explain CODE`, tells more.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import ClassVar

from s2sad import report
from s2sad.codes import CODES, Code
from s2sad.source import NOWHERE, Span

__all__ = [
    "CODES",
    "AliasingError",
    "ArgumentError",
    "Code",
    "GradientCheckError",
    "KindError",
    "MissingRuleError",
    "S2sadError",
    "SourceUnavailableError",
    "StaleInputError",
    "UnsupportedSyntaxError",
    "explain",
    "located",
]


class S2sadError(Exception):
    """Base of all errors of s2sad.

    message  one matter-of-fact clause, lower case, no full stop, identifiers in backticks
    code     row of the catalogue; each class has a default
    at       the place in the user's source; `label` says what stands there
    hint     what to write instead; the catalogue's hint when empty

    >>> error = UnsupportedSyntaxError("lists are not supported", code="S031")
    >>> print(error)
    error[S031]: lists are not supported
       = hint: use a tuple or a NumPy array: `np.array(values)`
    """

    default: ClassVar[str] = "S010"

    message: str
    code: str
    at: Span
    label: str
    hint: str

    def __init__(
        self, message: str, *, code: str = "", at: Span = NOWHERE, label: str = "", hint: str = ""
    ) -> None:
        self.message = message
        self.code = code or self.default
        self.at = at
        self.label = label
        self.hint = hint or (CODES[self.code].hint if self.code in CODES else "")
        super().__init__(report.render(message, self.code, at, label, self.hint))

    def _render_traceback_(self) -> list[str]:
        """What IPython shows: where the user's own lines called, then the report."""
        own = tuple(f"{os.sep}{name}{os.sep}" for name in ("IPython", "numba"))
        calls = [
            call for call in traceback.extract_tb(self.__traceback__)
            if not call.filename.startswith(os.path.dirname(__file__)) and not any(p in call.filename for p in own)
        ]  # fmt: skip
        return [*"".join(traceback.format_list(calls)).splitlines(), f"{type(self).__name__}: {self}"]

    def __reduce__(self) -> tuple[Callable[..., S2sadError], tuple[()]]:
        again = partial(
            type(self), self.message, code=self.code, at=self.at, label=self.label, hint=self.hint
        )
        return again, ()


@contextmanager
def located(at: Span) -> Iterator[None]:
    """Errors that know no place are raised again at `at`."""
    try:
        yield
    except S2sadError as error:
        if error.at or not at:
            raise
        raise type(error)(error.message, code=error.code, at=at, label=error.label, hint=error.hint) from None


class UnsupportedSyntaxError(S2sadError):
    """The program uses something outside the language."""


class MissingRuleError(S2sadError):
    """A function is called that has no row in the table of operations and whose source can't be read."""

    default = "S070"


class AliasingError(S2sadError):
    """Two names may refer to the same memory and this could not be settled."""

    default = "S080"


class ArgumentError(S2sadError, ValueError):
    """Arguments, tangents, cotangents or `argnums` don't fit the function."""

    default = "S090"


class KindError(S2sadError, TypeError):
    """A value is of a kind that can't be differentiated, or of no known kind."""

    default = "S060"


class SourceUnavailableError(S2sadError):
    """The source text of a function can't be had."""

    default = "S001"


class GradientCheckError(S2sadError):
    """A derivative disagrees with an independent reference; the message gives both numbers."""

    default = "S100"


class StaleInputError(S2sadError):
    """An array that a pullback reads was changed after the forward sweep."""

    default = "S101"


def explain(code: str) -> str:
    """What an error code means and what to write instead.

    Errors: ArgumentError S113 for a code that is not in the catalogue.
    >>> print(explain("S016").splitlines()[0])
    S016  `try`  (UnsupportedSyntaxError)
    """
    row = CODES.get(code.upper())
    if row is None:
        raise ArgumentError(
            f"no error has the code `{code}`",
            code="S113",
            hint=f"codes run from {min(CODES)} to {max(CODES)}",
        )
    return f"{row.code}  {row.title}  ({row.error})\n\n{row.why}\n\nInstead: {row.hint}."
