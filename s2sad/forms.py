"""What structures of values are besides their items: their class, and the names of the items.

A *make* is None for a tuple, the class of a NamedTuple or of a dataclass, and `Given` for a list or a dict.

>>> make, items = taken_apart({"a": 1.0, "b": 2.0})
>>> make, items, built(make, [3.0, 4.0])
(Given(make=<class 'dict'>, keys=('a', 'b')), [1.0, 2.0], {'a': 3.0, 'b': 4.0})
"""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Given:
    """A list, or a dict with these keys, as an argument or a result: it stays as it is."""

    make: type
    keys: tuple[Hashable, ...] = ()


Make: TypeAlias = type | Given | None


def is_named(make: object) -> bool:
    """Is it the class of a NamedTuple?"""
    return isinstance(make, type) and issubclass(make, tuple) and hasattr(make, "_fields")


ENTITY = "s2sad_entity"  # the attribute of classes that are entities


def is_entity(make: object) -> bool:
    """Is it the class of an entity?"""
    return isinstance(make, type) and getattr(make, ENTITY, False) is True


#: What a NamedTuple says of how values are made and found; a class that says so itself is not read as its fields.
OWN = ("__new__", "__init__", "__getattribute__", "__getattr__", "__getitem__", "__iter__", "__len__")


def own_way(make: object) -> str:
    """The first of these methods that the class of a NamedTuple, or one above it, brings of its own; "" for none.

    >>> from typing import NamedTuple
    >>> class Pair(NamedTuple):
    ...     a: float
    >>> class Positive(Pair):
    ...     def __new__(cls, a):
    ...         return super().__new__(cls, abs(a))
    >>> own_way(Pair), own_way(Positive)
    ('', '__new__')
    """
    if not is_named(make):
        return ""
    for one in make.__mro__:  # type: ignore[attr-defined]
        made = "_field_defaults" in vars(one)  # by NamedTuple, which brings `__new__`
        own = (name for name in OWN if name in vars(one) and not (made and name == "__new__"))
        if found := next(own, ""):
            return found
        if made:
            break
    return ""


_alike: dict[str, list[type]] = {}


def full_name(make: type) -> str:
    """The name of a class with its module, and a number where there were classes of that name before in this process."""
    name = f"{make.__module__}.{make.__qualname__}"
    same = _alike.setdefault(name, [])
    if make not in same:
        same.append(make)
    return f"{name} {same.index(make) or ''}"


def is_keyed(make: object) -> bool:
    """Are the items found by name alone: those of a dict, of a dataclass?"""
    if isinstance(make, Given):
        return make.make is dict
    return isinstance(make, type) and make is not list and not is_named(make)


def names_of(make: Make) -> tuple[Any, ...]:
    """The names of the items: fields, keys; none of a tuple or a list."""
    if isinstance(make, Given):
        return make.keys
    if is_named(make):
        return tuple(make._fields)  # type: ignore[union-attr]
    return () if make is None or make is list else tuple(f.name for f in dataclasses.fields(make))


def labels(make: Make, count: int) -> tuple[str, ...]:
    """What names of items are made of: fields and keys where they are names, else places."""
    names = names_of(make)
    if names and all(isinstance(n, str) and n.isidentifier() for n in names):
        return names
    return tuple(map(str, range(count)))


def taken_apart(value: Any) -> tuple[Make, list[Any]] | None:
    """What a structure is, and its items; None for anything else."""
    make: Make
    match value:
        case tuple():
            return type(value) if is_named(type(value)) else None, list(value)
        case list():
            return Given(list), list(value)
        case dict():
            return Given(dict, tuple(value)), list(value.values())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        make = type(value)
        return make, [getattr(value, name) for name in names_of(make)]
    return None


def taken(make: Make, value: Any) -> list[Any] | None:
    """The items of a value of that form, in its order; None where it has another. Tuples and lists may stand in for
    each other and for NamedTuples.
    """
    found = taken_apart(value)
    if found is None:
        return None
    if isinstance(value, tuple | list):
        return found[1] if _is_sequence(make) else None
    if isinstance(value, dict):
        keys = names_of(make)
        return [value[k] for k in keys] if isinstance(make, Given) and set(keys) == set(value) else None
    return found[1] if found[0] is make else None


def _is_sequence(make: Make) -> bool:
    return make is None or is_named(make) or (isinstance(make, Given) and make.make is list)


def items_of(value: Any) -> list[Any] | None:
    """The items of a structure; None for anything else."""
    found = taken_apart(value)
    return None if found is None else found[1]


def beside(value: Any, other: Any) -> list[Any]:
    """The items of `other`, in the order of those of `value`; None for each where it is None."""
    found = taken_apart(value)
    assert found is not None
    items = taken(found[0], other)
    if items is None and other is not None:
        raise ValueError(f"{other!r} has not the structure of {value!r}")
    return [None] * len(found[1]) if items is None else items


def like(value: Any, items: Sequence[Any]) -> Any:
    """Items in the structure of `value`."""
    found = taken_apart(value)
    assert found is not None
    return built(found[0], items)


def leaves(value: Any) -> list[Any]:
    """The leaves of a structure, left to right; of anything else itself.

    >>> leaves((1.0, [2.0, (3.0,)]))
    [1.0, 2.0, 3.0]
    """
    items = items_of(value)
    return [value] if items is None else [leaf for item in items for leaf in leaves(item)]


def filled(value: Any, given: Iterator[Any]) -> Any:
    """Leaves in the structure of `value`."""
    items = items_of(value)
    return next(given) if items is None else like(value, [filled(item, given) for item in items])


def outline(value: Any) -> Any:
    """The structure of a value, to compare with others."""
    found = taken_apart(value)
    return None if found is None else (found[0], *map(outline, found[1]))


def built(make: Make, items: Sequence[Any]) -> Any:
    """A structure of that form. A dataclass is filled field by field: no code of it runs."""
    if make is None:
        return tuple(items)
    if isinstance(make, Given):
        return dict(zip(make.keys, items, strict=True)) if make.make is dict else list(items)
    if is_named(make):
        return make._make(items)  # type: ignore[attr-defined]
    made: Any = object.__new__(make)
    for name, item in zip(names_of(make), items, strict=True):
        object.__setattr__(made, name, item)
    return made
