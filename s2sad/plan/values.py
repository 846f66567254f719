"""Which names are the fields of one value: a tape of entities gives such a value one index.

Values of entity classes are taken apart when the program is read. What belongs together is known where operations take
and give them, and where they are arguments and results of the program::

    t, t_2, t_3, t_4 = call composed(q_w, q_x, q_y, q_z, p_w, p_x, p_y, p_z)    three values of four fields
    q_w = t; q_x = t_2; q_y = t_3; q_z = t_4                                    a copy of a value

A name is a field only where every statement that assigns it assigns all fields of the value, one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import takewhile

from s2sad.forms import is_entity
from s2sad.ir.nodes import Assign, Call, Expr, Function, Kind, Leaf, Stmt, Tree, Var
from s2sad.ir.walk import Body, blocks, statements, variables, writes

MOST_FIELDS = 16  # of a value with an index of its own

Fields = tuple[str, ...]


@dataclass
class Values:
    """Values of several numbers.

    of      a name -> the fields of its value, in order
    runs    the first of the statements that assign all fields -> these statements
    copies  the same, where another value is copied -> its fields
    """

    of: dict[str, Fields] = field(default_factory=dict)
    runs: dict[int, Body] = field(default_factory=dict)
    copies: dict[int, Fields] = field(default_factory=dict)

    def first(self, name: str) -> str:
        """The first field of the value that a name belongs to; the name itself where it is a number of its own."""
        return self.of[name][0] if name in self.of else name

    def stem(self, name: str) -> str:
        """What the fields of the value that a name belongs to begin with: `q` for q_w, q_x, q_y, q_z."""
        same = takewhile(
            lambda letters: len(set(letters)) == 1, zip(*self.of.get(name, (name,)), strict=False)
        )
        return "".join(first for first, *_ in same).rstrip("_") or name

    def wholes(self, names: Iterable[str]) -> tuple[Fields, ...]:
        """Numbers of their own, and values, among names: each once, in order."""
        return tuple(dict.fromkeys(self.of.get(n, (n,)) for n in names))

    def without(self, fields: Fields) -> None:
        """Take a value apart."""
        for name in fields:
            self.of.pop(name, None)


def values_of(
    fn: Function,
    functions: Mapping[str, Function],
    whole: Callable[[str], bool],
    entry: bool,
    apart: Iterable[str] = (),
) -> Values:
    """The values of several numbers in a function, whose statements are distinct objects.

    whole  tells whether a call of one of `functions` is one statement of the tape
    entry  parameters and results may be values as well
    apart  names that are numbers of their own
    """
    found, barred = Values(), _barred(fn, functions, whole, entry) | set(apart)
    for fields in dict.fromkeys(_candidates(fn, functions, whole, entry)):
        if _fits(fields, fn.kinds) and not any(n in found.of or n in barred for n in fields):
            found.of |= dict.fromkeys(fields, fields)
    while True:
        _copied(fn.body, found, barred)
        found.runs, found.copies = {}, {}
        _runs(fn.body, found)
        covered = {id(s) for run in found.runs.values() for s in run}
        wrong = {
            found.of[n]
            for s in statements(fn.body)
            for n in writes(s)
            if n in found.of and id(s) not in covered and not _given(s, found.of[n], functions, whole)
        }
        if not wrong:
            return found
        barred |= {n for fields in wrong for n in fields}
        for fields in wrong:
            found.without(fields)


def _fits(fields: Fields, kinds: Mapping[str, Kind]) -> bool:
    """May these be one value: two or more, all of them different, real numbers with a name?"""
    several = 2 <= len(fields) == len(set(fields)) <= MOST_FIELDS
    return several and all(n in kinds and kinds[n] == Kind("real") for n in fields)


def _candidates(
    fn: Function, functions: Mapping[str, Function], whole: Callable[[str], bool], entry: bool
) -> Iterator[Fields]:
    if entry:
        for param in fn.signature:
            yield from _fields(param.tree, Var)
    for stmt in statements(fn.body):
        if isinstance(stmt, Call) and stmt.function in functions and whole(stmt.function):
            callee = functions[stmt.function]
            yield from _fields(callee.returns, _one_by_one(map(Var, stmt.targets)))
            passed = dict(zip(callee.params, stmt.args, strict=True))
            for param in callee.signature:
                yield from _fields(param.tree, passed.__getitem__)
    if entry:
        yield from _fields(fn.returns, _one_by_one(fn.results))


def _one_by_one(exprs: Iterable[Expr]) -> Callable[[str], Expr]:
    left = iter(exprs)
    return lambda _: next(left)


def _fields(tree: Tree, leaf: Callable[[str], Expr]) -> tuple[Fields, ...]:
    """The fields of entities in a structure, "" for what has no name: of outer ones before those within."""
    found: list[Fields] = []

    def names(part: Tree) -> Fields:
        if isinstance(part, Leaf):
            value = leaf(part.name)
            return (value.name if isinstance(value, Var) else "",)
        place = len(found)
        inside = tuple(n for item in part.items for n in names(item))
        if is_entity(part.make):
            found.insert(place, inside)
        return inside

    names(tree)
    return tuple(found)


def _barred(
    fn: Function, functions: Mapping[str, Function], whole: Callable[[str], bool], entry: bool
) -> set[str]:
    """Names that are numbers of their own: what goes through calls that are recorded, parameters within these."""
    barred = set() if entry else set(fn.params)
    for stmt in statements(fn.body):
        if isinstance(stmt, Call) and stmt.function in functions and not whole(stmt.function):
            barred |= {*stmt.targets, *(n for e in stmt.args for n in variables(e))}
    return barred | set(fn.constants)


def _given(
    stmt: Stmt, fields: Fields, functions: Mapping[str, Function], whole: Callable[[str], bool]
) -> bool:
    """Does a call that is one statement give all fields, in order?"""
    if not (isinstance(stmt, Call) and stmt.function in functions and whole(stmt.function)):
        return False
    k = stmt.targets.index(fields[0]) if fields[0] in stmt.targets else len(stmt.targets)
    return stmt.targets[k : k + len(fields)] == fields


def _run(body: Body, k: int, fields: Fields) -> Body | None:
    """Statements from place k that assign all these, in order, and read none that is assigned before."""
    run = body[k : k + len(fields)]
    if [getattr(s, "target", "") if isinstance(s, Assign) else "" for s in run] != [*fields]:
        return None
    for j, stmt in enumerate(run):
        assert isinstance(stmt, Assign)
        if any(n in fields[:j] for n in variables(stmt.value)):
            return None
    return run


def _runs(body: Body, found: Values) -> None:
    k = 0
    while k < len(body):
        stmt, run = body[k], None
        if isinstance(stmt, Assign) and stmt.target in found.of:
            fields = found.of[stmt.target]
            run = _run(body, k, fields)
        if run is not None:
            found.runs[id(stmt)] = run
            source = _source(run, found)
            if source is not None:
                found.copies[id(stmt)] = source
            k += len(run)
            continue
        for block in blocks(stmt):
            _runs(block, found)
        k += 1


def _source(run: Body, found: Values) -> Fields | None:
    """The value whose fields are assigned one after the other."""
    names = tuple(s.value.name for s in run if isinstance(s, Assign) and isinstance(s.value, Var))
    return names if len(names) == len(run) and found.of.get(names[0]) == names else None


def _copied(body: Body, found: Values, barred: set[str]) -> None:
    """Names that are assigned the fields of a value, one after the other, are fields as well."""
    for k, stmt in enumerate(body):
        if isinstance(stmt, Assign) and isinstance(stmt.value, Var) and stmt.value.name in found.of:
            fields = found.of[stmt.value.name]
            run = body[k : k + len(fields)]
            targets = tuple(s.target for s in run if isinstance(s, Assign))
            fresh = not any(n in found.of or n in barred for n in targets) and len(set(targets)) == len(
                fields
            )
            if fresh and _source(run, found) == fields:
                found.of |= dict.fromkeys(targets, targets)
        for block in blocks(stmt):
            _copied(block, found, barred)
