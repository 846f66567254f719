"""What is asked for, and what is made for it: options, requests, and derived functions, kept per kinds of arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from s2sad.arguments import brief, plain
from s2sad.emit.load import load
from s2sad.errors import ArgumentError
from s2sad.fingerprint import fingerprint
from s2sad.frontend.kinds import kind_of_value
from s2sad.ir.nodes import Kind
from s2sad.options import Options
from s2sad.pipeline import Built, Request
from s2sad.shapes.passes import chosen

COMPILER = ("parallel", "fastmath", "boundscheck", "error_model", "nogil")
_kept: dict[Any, Any] = {}


def options_of(f: Any, given: dict[str, Any]) -> Options:
    """The options, those of a dispatcher taken over; ArgumentError for a name that is none."""
    taken = {k: v for k, v in getattr(f, "targetoptions", {}).items() if k in COMPILER}
    known = {*COMPILER, "jit", "cache", "strict", "check", "check_inputs", "deterministic", "passes"}
    for name in given:
        if name not in known:
            raise ArgumentError(
                f"there is no option `{name}`", code="S094", hint=f"options are {', '.join(sorted(known))}"
            )
    user = {k: v for k, v in {**taken, **given}.items() if k in COMPILER}
    passes = None if given.get("passes") is None else chosen(given["passes"])
    own = {name: given[name] for name in ("jit", "strict", "cache", "deterministic") if name in given}
    return Options(user=user, passes=passes, **own)


def request_of(f: Any, given: dict[str, Any]) -> Request:
    """What `f` stands for: a function, or a gradient that `grad` made."""
    if not callable(f):
        raise ArgumentError(f"a function is needed, not {brief(f)}")
    known: Request | None = getattr(f, "request", None)
    if known is not None:
        return replace(known, options=options_of(known.f, {**given_of(known.options), **given}))
    return Request(f, options=options_of(f, given))


def given_of(options: Options) -> dict[str, Any]:
    """The options as they are given to a transform."""
    own = {name: getattr(options, name) for name in ("jit", "strict", "cache", "passes", "deterministic")}
    return {**own, **options.user}


def key_of(request: Request) -> str:
    """What tells a request from others, whatever the kinds of arguments; the function as it is now."""
    return f"{fingerprint(request.f)} {replace(request, f=len)!r}"


def made_once(
    request: Request,
    what: str,
    args: Sequence[Any],
    make: Callable[[tuple[Kind, ...]], Any],
    *extra: Any,
    mark: str = "",
) -> Any:
    """What `make` makes for the kinds of the arguments, once; `mark` is the function's fingerprint, where it is known."""
    kinds = tuple(map(kind_of_value, args))
    key = (mark or fingerprint(request.f), replace(request, f=len), what, kinds, *extra)
    if key not in _kept:
        _kept[key] = make(kinds)
    return _kept[key]


def entry_of(built: Built, name: str, jit: bool) -> Callable[..., Any]:
    """A function of a module that was made."""
    entry: Callable[..., Any] = getattr(load(built.text, name, built.arrays, built.classes, jit=jit), name)
    return entry if jit else lambda *args: plain(entry(*args))
