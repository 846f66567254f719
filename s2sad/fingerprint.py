"""What a derivative depends on, as one hash: the source of every function reached, the constants baked in.

Names are followed through globals and closures, as the front end will follow them. A name that isn't bound yet
(a function further down the file) is stood for by the whole file.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from s2sad.forms import ENTITY, full_name, is_named
from s2sad.rules import python_of, registered
from s2sad.texts import extent_of, source_of_code

#: What every class has, and what NamedTuple makes.
MADE = frozenset((
    "__annotate__", "__annotate_func__", "__annotations__", "__dict__", "__doc__", "__firstlineno__", "__getnewargs__",
    "__match_args__", "__module__", "__new__", "__orig_bases__", "__replace__", "__repr__", "__slots__",
    "__static_attributes__", "__weakref__", "_asdict", "_field_defaults", "_fields", "_make", "_replace",
))  # fmt: skip


def fingerprint(f: Any) -> str:
    """A hash that changes when the derivative of `f` might."""
    digest = hashlib.sha256()
    for piece in pieces(f, {}):
        digest.update(piece.encode() + b"\0")
    return digest.hexdigest()


def reached(value: Any) -> list[types.FunctionType]:
    """The user's functions that a derivative of `value` reads."""
    seen: dict[int, Any] = {}
    for _ in pieces(value, seen):
        pass
    return [found for found in seen.values() if isinstance(found, types.FunctionType)]


def pieces(value: Any, seen: dict[int, Any]) -> Iterator[str]:
    """Texts that together stand for `value`."""
    if isinstance(value, functools.partial):
        yield "partial"
        for part in (value.func, *value.args, *(x for kv in sorted(value.keywords.items()) for x in kv)):
            yield from pieces(part, seen)
        return
    own = registered(value)
    if own is not None:
        yield f"registered {own.params} {own.partials}"
    request = getattr(value, "request", None)
    if request is not None:
        yield f"derivative {request.argnums} {request.along} {request.value} {request.aux}"
        value = request.f
    if hasattr(value, "s2sad_checkpoint"):
        yield "checkpoint"
    rule = getattr(value, "s2sad_rule", None) or getattr(getattr(value, "py_func", None), "s2sad_rule", None)
    value = python_of(value)
    if isinstance(value, types.FunctionType):
        if id(value) in seen:
            yield f"seen {value.__qualname__}"
            return
        seen[id(value)] = value
        ours = (value.__module__ or "").partition(".")[0] == "s2sad"
        if ours and not value.__code__.co_filename.startswith(
            "<"
        ):  # (transforms, called inside; no examples)
            yield value.__qualname__
            for cell in value.__closure__ or ():
                yield from pieces(cell.cell_contents, seen)
            return
        yield from of_function(value, seen)
        if rule is not None:
            yield " ".join(("rule", rule.how, *getattr(rule, "adjoints", ())))
            for part in rule.functions:
                yield from pieces(part, seen)
    elif is_named(value):
        yield from of_class(value, seen)
    elif isinstance(value, np.ndarray):
        yield f"array {value.dtype} {value.shape}"
        yield hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
    elif isinstance(value, tuple | list):
        yield f"{type(value).__name__} {len(value)}"
        if is_named(type(value)):
            yield from of_class(type(value), seen)
        for item in value:
            yield from pieces(item, seen)
    elif isinstance(value, bool | int | float | complex | str | bytes | None | np.generic):
        yield f"{type(value).__name__} {value!r}"
    elif isinstance(value, type) and issubclass(value, Exception):
        yield full_name(value)
    else:
        yield ""
        yield f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', type(value).__qualname__)}"


def of_function(f: types.FunctionType, seen: dict[int, Any]) -> Iterator[str]:
    """The source of a function, its defaults, and what its names stand for."""
    yield f"def {f.__module__}.{f.__qualname__}"
    yield text_of(f.__code__)
    yield from pieces((f.__defaults__ or (), tuple(sorted((f.__kwdefaults__ or {}).items()))), seen)
    cells = dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))
    for name in names_in(f.__code__):
        if name in cells:
            try:
                bound = cells[name].cell_contents
            except ValueError:
                continue
        elif name in f.__globals__:
            bound = f.__globals__[name]
        else:
            if not hasattr(__import__("builtins"), name) and name in f.__code__.co_names:
                yield whole_file(f.__code__)
            continue
        yield name
        yield from of_module(bound, f, seen) if inspect.ismodule(bound) else pieces(bound, seen)
    for name, bound in tuple(f.__globals__.items()):  # the class of an argument need not occur by name
        if is_named(bound) and id(bound) not in seen and looked_into(bound, frozenset(names_in(f.__code__))):
            yield name
            yield from of_class(bound, seen)


def of_class(make: Any, seen: dict[int, Any]) -> Iterator[str]:
    """The fields of a NamedTuple, and what its class and those above it define."""
    yield f"{make.__module__}.{make.__qualname__} {' '.join(make._fields)}"
    if id(make) in seen:
        return
    seen[id(make)] = make
    for one in make.__mro__[: make.__mro__.index(tuple)]:
        for name, member in sorted(vars(one).items()):
            if isinstance(member, property):
                yield name
                yield from pieces(member.fget, seen)
            elif isinstance(member, staticmethod | classmethod) and name not in MADE:
                yield f"{type(member).__name__} {name}"
                yield from pieces(member.__func__, seen)
            elif name not in MADE and not inspect.isdatadescriptor(member):
                yield name
                yield from pieces(member, seen)


def looked_into(make: Any, names: frozenset[str]) -> bool:
    """Whether code of these names may use what a class defines: a member of that name, or any operator."""
    members = {name for one in make.__mro__[: make.__mro__.index(tuple)] for name in vars(one)} - MADE
    fields = {*make._fields, ENTITY}
    return any(name in names or name.startswith("__") for name in members - fields)


def of_module(module: types.ModuleType, f: types.FunctionType, seen: dict[int, Any]) -> Iterator[str]:
    """What `f` may look up in a module: whatever there has one of the names that occur in it."""
    visit = hash((id(module), id(f)))
    if visit in seen:
        return
    seen[visit] = module
    yield module.__name__
    for name in names_in(f.__code__):
        bound = vars(module).get(name)
        if inspect.ismodule(bound) and bound is not module:
            yield from of_module(bound, f, seen)
        elif bound is not None:
            yield name
            yield from pieces(bound, seen)


@functools.lru_cache(maxsize=1024)
def text_of(code: types.CodeType) -> str:
    """The source of a function, or what it was compiled to; of a lambda also where in its source it begins."""
    try:
        source, extent = source_of_code(code), extent_of(code) if code.co_name == "<lambda>" else None
        return source.text + (f" {extent[0][0] - source.first_line} {extent[0][1]}" if extent else "")
    except OSError:
        return code.co_code.hex() + repr(code.co_consts)


@functools.lru_cache(maxsize=1024)
def names_in(code: types.CodeType) -> list[str]:
    """Names that code and the functions inside it look up, sorted."""
    found = {*code.co_names, *code.co_freevars}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found.update(names_in(constant))
    return sorted(found)


@functools.lru_cache(maxsize=1024)
def whole_file(code: types.CodeType) -> str:
    """The hash of the file that a function stands in, as it was when it was first looked at."""
    try:
        text = inspect.getsource(inspect.getmodule(code) or code)
    except (OSError, TypeError):
        text = ""
    return hashlib.sha256(text.encode()).hexdigest()
