"""What a row of the page on the language is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from s2sad.errors import CODES


@dataclass(frozen=True)
class Row:
    """A program that shows a construct. Its docstring: the construct, and in a second paragraph a remark.

    code  of the refusal, where it is refused; the remark then says what to write instead (else the code does)
    jit   False where only `jit=False` takes it: the code of the refusal under jit
    """

    f: Callable[..., Any]
    arguments: tuple[Any, ...]
    code: str = ""
    jit: str = ""

    @property
    def name(self) -> str:
        return self.f.__name__

    def line(self) -> str:
        """The row of the table."""
        construct, _, remark = (" ".join(p.split()) for p in (self.f.__doc__ or "").partition("\n\n"))
        if self.code:
            return f"| {construct} | no: {self.code} | {remark or CODES[self.code].hint} |"
        where = f" with `jit=False`; {self.jit} under jit" if self.jit else ""
        return f"| {construct} | yes{where or (', ' + remark if remark else '')} | |"


def yes(f: Callable[..., Any], *arguments: Any, jit: str = "") -> Row:
    return Row(f, arguments, "", jit)


def no(f: Callable[..., Any], code: str, *arguments: Any) -> Row:
    return Row(f, arguments, code)
