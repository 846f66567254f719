"""The functions of a file that callers see: they own the arena, make the adjoint arrays, and call the sweeps.

They are written as text over the leaves of the user's parameters; `emit.module` parses and prints them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from s2sad.analyses.entities import classes, dynamic
from s2sad.contents import Contents
from s2sad.emit import module as out
from s2sad.ir.nodes import (
    SINGLE,
    Call,
    Expr,
    Function,
    Leaf,
    Node,
    Store,
    Tree,
    Update,
    Var,
)
from s2sad.ir.walk import statements
from s2sad.ops.kinds import kind_of


def leaves(tree: Tree) -> tuple[str, ...]:
    """The leaf names of a tree, left to right."""
    return (tree.name,) if isinstance(tree, Leaf) else tuple(n for item in tree.items for n in leaves(item))


class File(Contents):
    """One emitted file, with its drivers."""

    # ----- pieces of drivers

    @property
    def arena(self) -> str:
        """The name of the arena in drivers; empty where nothing is kept."""
        assert self.pair is not None
        return "arena" if self.pair.arena else ""

    def distinct(self) -> list[str]:
        """Checks that an array which is written shares no memory with another argument, and its memory has no gaps."""
        same, reps = classes(self.fn.body), dynamic(self.fn.body)
        stmts = list(statements(self.fn.body))
        written = {same[s.array] for s in stmts if isinstance(s, Store | Update)}
        written |= {same[a] for s in stmts if isinstance(s, Call) for a in s.writes}
        arrays = [p for p in self.fn.params if self.fn.kinds[p].is_array]
        pairs = [
            (a, b) for i, a in enumerate(arrays) for b in arrays[i + 1 :] if {same[a], same[b]} & written
        ]
        bound = [p for p in arrays if same[p] in reps]  # their memory is seen through other names as well
        return [*(f"contiguous({p})" for p in bound), *(f"distinct({a}, {b})" for a, b in pairs)]

    def forward(self, args: Sequence[str]) -> tuple[list[str], list[str]]:
        """Lines that run the forward sweep; the names of its results."""
        assert self.pair is not None
        names = self.received(self.pair.forward.results, "y")
        call = out.call(self.pair.forward, args, self.arena)
        lines = ["arena = new_arena()"] if self.arena else []
        return [*lines, f"{', '.join(names)} = {call}" if names else call], names

    def reverse(
        self, args: Sequence[str], cotangents: Mapping[str, str], arena: str = ""
    ) -> tuple[list[str], list[str]]:
        """Lines that make the adjoint arrays and run the reverse sweep; the names of its scalar results."""
        assert self.pair is not None
        assert self.derived.turn is not None
        owners = self.owners()
        lines = [
            f"{seed} = {self.zeros(seed, owners[seed], cotangents)}"
            for seed in self.derived.turn.seeds
            if seed in owners
        ]
        seeds = [seed if seed in owners else cotangents[seed] for seed in self.derived.turn.seeds]
        names = self.received(self.derived.function.results, "g")
        call = out.call(self.pair.reverse, [*args, *seeds], arena or self.arena)
        return [*lines, f"{', '.join(names)} = {call}" if names else call], names

    def zeros(self, seed: str, owner: str, cotangents: Mapping[str, str]) -> str:
        """The text of an adjoint array that begins: like its parameter, with an axis of directions where it has one."""
        kinds = self.derived.function.kinds
        if kinds[seed].ndim == self.fn.kinds[owner].ndim:
            return f"zeros_of({owner})"
        last = self.derived.tangents[-1].tangents.values() if self.derived.tangents else cotangents
        known = next(iter(last))
        return f"np.zeros({owner}.shape + ({known}.shape[{kinds[known].ndim - 1}],), {owner}.dtype)"

    def both_ways(self, one: out.Sweep, args: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
        """Lines that make the adjoint arrays and run both sweeps as one; the names of results, and of scalar adjoints."""
        assert self.derived.turn is not None
        owners, count = self.owners(), len(self.derived.turn.results)
        lines = ["arena = new_arena()"] if one.uses_arena else []
        lines += [
            f"{seed} = {'room_of' if seed in self.derived.whole else 'zeros_of'}({owners[seed]})"
            for seed in self.derived.turn.seeds if seed in owners
        ]  # fmt: skip
        seeds = [seed if seed in owners else "1.0" for seed in self.derived.turn.seeds]
        values = self.received(one.results[:count], "y")
        scalars = self.received(one.results[count:], "g", values)
        call, names = out.call(one, [*args, *seeds], "arena" if one.uses_arena else ""), [*values, *scalars]
        return [*lines, f"{', '.join(names)} = {call}" if names else call], values, scalars

    def received(self, results: Iterable[Expr], stem: str, taken: Iterable[str] = ()) -> list[str]:
        """The names under which a driver gets results: their own, unless they are those of arguments, or `taken`."""
        names: list[str] = []
        for expr in results:
            own = isinstance(expr, Var) and expr.name not in (*self.derived.function.params, *taken, *names)
            names.append(expr.name if own and isinstance(expr, Var) else self.names.fresh(stem))
        return names

    def owners(self) -> dict[str, str]:
        """Adjoint arrays, and their tangents -> the parameter that each belongs to."""
        assert self.derived.adjoint is not None
        owner = {shadow: param for param, shadow in self.derived.adjoint.shadows.items()}
        for made in self.derived.tangents:
            owner |= {made.partners[s]: p for s, p in tuple(owner.items()) if s in made.partners}
        return owner

    def gradient(self, param: str, mask: int, scalars: Sequence[str]) -> str:
        """The text of an adjoint (of its tangent) after the reverse sweep."""
        where = self.derived.gradient(param, mask)
        if where is None:
            return f"zeros_of({param})"
        text = where if isinstance(where, str) else scalars[where]
        return f"np.float32({text})" if self.fn.kinds[param] == SINGLE else text

    def value(self, tree: Tree, mask: int, names: Sequence[str]) -> str:
        """The text of a result tree (of its tangent) after the forward sweep."""
        every = leaves(self.fn.returns)
        table = {leaf: names[self.derived.value(every.index(leaf), mask)] for leaf in leaves(tree)}
        return out.pattern(tree, table, self.classes)

    # ----- drivers

    def primal_driver(self, name: str) -> str:
        """`name(args) -> value`: the function itself; without a driver where it takes and gives no tuples."""
        fn = self.fn
        names = [self.names.fresh("y") for _ in fn.results]
        given = dict(zip(leaves(fn.returns), names, strict=True))
        if fn.params == tuple(p.name for p in self.signature) and isinstance(fn.returns, Leaf):
            return self.primal
        call = f"{', '.join(names)}{' = ' if names else ''}{self.primal}({', '.join(fn.params)})"
        lines = [*out.unpack(self.signature), call]
        result = out.pattern(fn.returns, given, self.classes)
        return self.add(name, out.signature(self.signature), lines, result, fn.doc)

    def gradient_driver(self, name: str, wrt: Tree, *, value: bool, aux: bool, mask: int = 0) -> str:
        """`name(args) -> (value, gradient)`, or the gradient alone; with `aux` beside the value.

        With tangents in the tower they all go in direction 1 (of one scalar each), and `mask` selects the derivative.
        """
        fn, derived = self.fn, self.derived
        args = [*fn.params, *("1.0" for made in derived.tangents for _ in made.tangents)]
        if self.one is None:
            ahead, results = self.forward(args)
            back, scalars = self.reverse(args, dict.fromkeys(self.seeds(), "1.0"))
            lines = [*out.unpack(self.signature), *self.distinct(), *ahead, *back]
        else:
            both, results, scalars = self.both_ways(self.one, args)
            lines = [*out.unpack(self.signature), *self.distinct(), *both]
        result = self.outcome(wrt, mask, results, scalars, value, aux)
        doc = f"{'The value and the gradient' if value else 'The gradient'} of `{fn.name}`."
        return self.add(name, out.signature(self.signature), lines, result, doc)

    def seeds(self) -> list[str]:
        """The cotangent parameters of the reverse sweep."""
        assert self.derived.adjoint is not None
        return [s for s in self.derived.adjoint.seeds if s is not None]

    def open_driver(self, name: str) -> str:
        """`name(leaves) -> (results, arena)`: the forward sweep of a pullback."""
        fn = self.fn
        lines, results = self.forward(fn.params)
        if not self.arena:
            lines.insert(0, "arena = new_arena()")
        doc = f"The results of `{fn.name}`, and the arena for its pullback."
        return self.add(
            name, ", ".join(fn.params), [*self.distinct(), *lines], ", ".join((*results, "arena")), doc
        )

    def pull_driver(self, name: str) -> str:
        """`name(leaves, cotangents, arena) -> adjoints of the active leaves`, any number of times."""
        fn, adj = self.fn, self.derived.adjoint
        assert adj is not None
        seeds = self.seeds()
        own = self.names.fresh("own_arena") if self.arena else ""
        lines, scalars = self.reverse(fn.params, {s: s for s in seeds}, own)
        if own:
            lines.insert(0, f"{own} = fork(arena)")
        result = "".join(f"{self.gradient(p, 0, scalars)}, " for p in adj.gradients)
        params = ", ".join((*fn.params, *seeds, "arena"))
        return self.add(name, params, lines, f"({result})", f"The adjoints of `{fn.name}`'s arguments.")

    def nested_driver(self, name: str, wrt: Tree, *, value: bool, aux: bool) -> str:
        """`name(leaves, tangents per level) -> (gradient, its tangent)`: what `gradient_driver` gives, and its tangent.

        All levels but the last belong to the gradient itself (of one scalar each).
        """
        derived = self.derived
        args = derived.function.params
        ahead, results = self.forward(args)
        back, scalars = self.reverse(args, dict.fromkeys(self.seeds(), "1.0"))
        full = (1 << len(derived.tangents)) - 1
        both = ", ".join(self.outcome(wrt, m, results, scalars, value, aux) for m in (full >> 1, full))
        doc = f"The {'value and gradient' if value else 'gradient'} of `{self.fn.name}`, and the tangent."
        return self.add(name, ", ".join(args), [*self.distinct(), *ahead, *back], both, doc)

    def outcome(
        self, wrt: Tree, mask: int, results: Sequence[str], scalars: Sequence[str], value: bool, aux: bool
    ) -> str:
        """What a gradient driver returns, as the text of a tuple or a name."""
        table = {n: self.gradient(n, mask, scalars) for n in leaves(wrt)}
        gradient = out.pattern(wrt, table, self.classes)
        if not aux:
            return f"({self.value(self.fn.returns, mask, results)}, {gradient})" if value else gradient
        assert isinstance(self.fn.returns, Node)
        main, rest = (self.value(item, mask, results) for item in self.fn.returns.items)
        return f"(({main}, {rest}), {gradient})" if value else f"({gradient}, {rest})"


def is_real_scalar(fn: Function, k: int) -> bool:
    """Is a result one real number?"""
    kind = kind_of(fn.results[k], fn.kinds)
    return kind.is_real and not kind.is_array
