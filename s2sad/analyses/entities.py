"""Which array names may stand for the same entity: classes of names that exchange entities, and views.

Within one class two names are bound to different entities at any one time (the front end proves it), unless one is a
view of the other (they have the same root); but over time each name of the class may have been bound to each of its
entities.

>>> from s2sad.ir.nodes import Rebind
>>> classes((Rebind(("u", "un"), ("un", "u")),))["un"]
'u'
"""

from __future__ import annotations

from collections.abc import Iterable

from s2sad.ir.nodes import Bind, Rebind, Stmt, View
from s2sad.ir.walk import statements, unique


class Classes(dict[str, str]):
    """Name -> the representative of its class; a name that is never rebound stands for itself."""

    def __missing__(self, name: str) -> str:
        return name


def classes(body: Iterable[Stmt]) -> Classes:
    """The classes of all array names in `body`; a class is named for its first name in program order."""
    found = Classes()
    for stmt in statements(body):
        if isinstance(stmt, Rebind | View | Bind):
            for target, source in shared(stmt):
                one, other = found[target], found[source]
                for name in (target, source, *(n for n, rep in found.items() if rep == other)):
                    found[name] = one
    return found


def shared(stmt: Rebind | View | Bind) -> tuple[tuple[str, str], ...]:
    """(name, name that its entity comes from) for each name that a statement binds to an entity there is."""
    match stmt:
        case Rebind(targets=targets, sources=sources):
            return tuple(zip(targets, sources, strict=True))
        case View(target=target, array=source) | Bind(target=target, source=source):
            return ((target, source),)


def dynamic(body: Iterable[Stmt]) -> frozenset[str]:
    """Representatives of the classes in which two names may share an entity, or not, by the way taken."""
    body = tuple(body)
    found = classes(body)
    return frozenset(found[s.target] for s in statements(body) if isinstance(s, Bind))


def parts(body: Iterable[Stmt]) -> frozenset[str]:
    """Names bound to a view as to an array of their own (`Bind` with a form), and those that they are handed to.

    >>> sorted(parts((Bind("v", "u", (), "T"), Rebind(("w",), ("v",)))))
    ['v', 'w']
    """
    onward: dict[str, list[str]] = {}
    found: list[str] = []
    for stmt in statements(body):
        if isinstance(stmt, Bind) and stmt.form:
            found += [] if stmt.target in found else [stmt.target]
        elif isinstance(stmt, Rebind | Bind):
            for target, source in shared(stmt):
                onward.setdefault(source, []).append(target)
    for known in found:
        found += unique(n for n in onward.get(known, ()) if n not in found)
    return frozenset(found)


def roots(body: Iterable[Stmt]) -> Classes:
    """The array that each view looks into, views of views followed through; other names stand for themselves."""
    found = Classes()
    for stmt in statements(body):
        if isinstance(stmt, View):
            found[stmt.target] = found[stmt.array]
    return found
