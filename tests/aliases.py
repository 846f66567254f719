"""Random statements that give one array several names: rebinding, swaps in branches, views of views, callees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from strategies import Part, Scope

#: Called with two vectors, a number and their length; some write into them, each returns one of them, or a view.
HELPERS = {
    "either": ["return q if a > 0.0137 else r"],
    "turned": ["q[0] += 0.3 * a", "return q[::-1]"],
    "later": ["q[n - 1], r = np.sin(r[0] + a), q", "r[0], q[0] = q[n - 1], a", "return r"],
    "through": ["t = q[::-1]", "t[n - 1] = a * r[0]", "q, t = t, r", "t[0] *= 0.5", "return q"],
    "filled": ["w = q", "w[:] = 0.5 * r", "r = w.copy()", "r[0] = a", "return either(r, w, a, n)"],
}


class Aliases:
    """A part of the builder of programs."""

    aliasing: bool

    def alias_helpers(self: Any) -> list[Part]:
        """The functions above."""
        from strategies import Part

        return [
            Part(f"def {name}(q, r, a, n):", [Part(line) for line in body]) for name, body in HELPERS.items()
        ]

    def share(self: Any, s: Scope) -> list[Part]:
        """A statement after which two names are one array, or parts of one."""
        c = self.choices
        if not s.vectors:
            return self.assign(s)
        return c.one_of([
            self.renamed, self.renamed, self.exchanged, self.exchanged, self.rotated, self.seen, self.seen,
            self.seen_again, self.passed, self.passed, self.in_turn,
        ])(s)  # fmt: skip

    def renamed(self: Any, s: Scope) -> list[Part]:
        """`w = u`, or a name rebound, in a branch perhaps."""
        from strategies import Part

        c, names = self.choices, self._family(s)
        if c.chance(40):
            names.append(self.fresh("w"))
            return [Part(f"{names[-1]} = {c.one_of(names[:-1])}")]
        binding = Part(f"{c.one_of(names)} = {c.one_of(names)}")
        return [binding] if c.chance(40) else [Part(f"if {self.condition(s)}:", [binding])]

    def exchanged(self: Any, s: Scope) -> list[Part]:
        """A swap in a branch; in the other one something else."""
        from strategies import Part

        c, names = self.choices, self._family(s)
        a, b = c.one_of(names), c.one_of(names)
        orelse = (
            [Part(f"{a} = {b}.copy()")] if c.chance(30) else self.share(s.inner()) if c.chance(30) else None
        )
        return [Part(f"if {self.condition(s)}:", [Part(f"{a}, {b} = {b}, {a}")], orelse)]

    def rotated(self: Any, s: Scope) -> list[Part]:
        """Steps in time: something is written, and the names move on."""
        from strategies import Index, Part

        c, k, names = self.choices, self.fresh("k"), self._family(s)
        a, b, d = (c.one_of(names) for _ in range(3))
        inner = s.inner(indices=[*s.indices, Index(k, "")], loops=s.loops + 1, open=s.open + 1)
        moves = [
            f"{a}, {b} = {b}, {a}",
            f"{a}, {b}, {d} = {b}, {d}, {a}",
            f"{a} = {b}",
            f"{b}, {a} = {a}, {d}",
        ]
        body = [*self.update(inner), *self.store(inner), Part(c.one_of(moves))]
        return [Part(f"for {k} in range({c.integer(0, 4)}):", body)]

    def seen(self: Any, s: Scope) -> list[Part]:
        """A name for a view as large as the array."""
        from strategies import Part

        c, names = self.choices, self._family(s)
        a, square = c.one_of(names), self.sizes["n"] == self.sizes["m"]
        forms = [f"{a}[::-1]", f"{a}[:]", f"{a}.reshape({a}.shape)"]
        if names is s.matrices:
            forms += [f"{a}[:, ::-1]", f"{a}.reshape(m, n).T", f"{a}.T.reshape(n, m)"] + [f"{a}.T"] * (
                3 * square
            )
        elif s.matrices:
            forms += [f"{c.one_of(s.matrices)}[:, {self.subscript(s, 'm')}]"]
            forms += [f"{c.one_of(s.matrices)}[{self.subscript(s, 'n')}]"] * (2 * square)
        w = c.one_of(names) if c.chance(25) else self.fresh("w")
        names += [w] * (w not in names)
        return [Part(f"{w} = {c.one_of(forms)}")]

    def seen_again(self: Any, s: Scope) -> list[Part]:
        """A view of a view, written through."""
        from strategies import Part

        c, w = self.choices, self.fresh("t")
        view = f"{self.section(s)}[::-1]" if not s.cuts or c.chance(50) else f"{c.one_of(s.cuts)}[::-1]"
        s.cuts.append(w)
        return [Part(f"{w} = {view}"), Part(f"{w} {c.one_of(['+=', '*='])} 0.7 * np.cos({self.leaf(s)})")]

    def passed(self: Any, s: Scope) -> list[Part]:
        """A callee that returns its argument, or a view of it; the same array twice, perhaps."""
        from strategies import Part

        c = self.choices
        a, b = c.one_of(s.vectors), c.one_of(s.vectors)
        w = c.one_of(s.vectors) if c.chance(40) else self.fresh("w")
        called = Part(f"{w} = {c.one_of(list(HELPERS))}({a}, {b}, {self.leaf(s)}, n)")
        s.vectors += [w] * (w not in s.vectors)  # (it has no value before)
        return [called]

    def in_turn(self: Any, s: Scope) -> list[Part]:
        """A loop over arrays, which are written."""
        from strategies import Part

        c, w, names = self.choices, self.fresh("w"), self._family(s)
        inner = s.inner(loops=s.loops + 1, open=s.open + 1)
        (inner.matrices if names is s.matrices else inner.vectors).append(w)
        body = [*self.update(inner), Part(f"{w} *= np.cos({self.leaf(inner)})")]
        return [Part(f"for {w} in ({c.one_of(names)}, {c.one_of(names)}):", body)]
