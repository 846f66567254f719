"""Random programs: sections of arrays, and names that look into arrays (see `strategies`)."""

from __future__ import annotations

from typing import Any

SHORTER = ("[1:]", "[:-1]", "[:0:-1]", "[-2::-1]", "[1:][::-1]", "[:-1][...]", "[::-1][1:]")


class Cuts:
    """Statements about sections with one element less than the array, about rows and columns."""

    choices: Any
    sizes: dict[str, int]

    def section(self, s: Any) -> str:
        """A section of length n - 1."""
        c = self.choices
        forms = [f"{c.one_of(s.vectors)}{c.one_of(SHORTER)}"] * 4
        if s.matrices:
            a = c.one_of(s.matrices)
            forms += [f"{a}[1:, {self.subscript(s, 'm')}]", f"{a}[:, {self.subscript(s, 'm')}][:-1]"]
            forms += [f"{a}[1:][:, {self.subscript(s, 'm')}]"]
        return c.one_of(forms + s.cuts * 2)

    def cut(self, s: Any, depth: int = 1) -> str:
        """An expression of length n - 1."""
        c = self.choices
        a = self.section(s)
        if depth == 0 or c.chance(20):
            return a
        e, b = self.cut(s, depth - 1), c.one_of([self.leaf(s), self.section(s), self.section(s)])
        return c.one_of(
            [
                f"({e} + {b})",
                f"({e} - {b})",
                f"0.5 * ({e}) * {b}",
                f"np.sin({e})",
                f"({e}) / (2.0 + {b} ** 2)",
            ]
        )

    def turned(self, s: Any, names: list[str]) -> str:
        """A section as large as the array."""
        c = self.choices
        a = c.one_of(names)
        if names is s.matrices:
            forms = [f"{a}[::-1]", f"{a}[:, ::-1]", f"{a}[...]"] + [f"{v}[:, None]" for v in s.vectors[:2]]
            return c.one_of(forms)
        forms = [f"{a}[::-1]", f"{a}[:]"] + [f"{a}[order]"] * (2 if s.table else 0)
        if s.matrices:
            forms.append(f"{c.one_of(s.matrices)}[:, {self.subscript(s, 'm')}]")
            if self.sizes["n"] == self.sizes["m"]:
                forms.append(f"{c.one_of(s.matrices)}[{self.subscript(s, 'n')}]")
        return c.one_of(forms)

    def sectional(self, s: Any) -> list[Any]:
        """A statement about sections."""
        c = self.choices
        if not s.vectors:
            return self.assign(s)
        forms = [self.cut_store] * 4 + [self.cut_name] * 2 + [self.cut_sum, self.marked]
        forms += [self.scatter] * (2 if s.table else 0)
        return c.one_of(forms + ([self.line_store] * 3 + [self.rows] if s.matrices else []))(s)

    def marked(self, s: Any) -> list[Any]:
        """What a mask selects is written or read."""
        c = self.choices
        a, limit = c.one_of(s.vectors), c.one_of(("0.0137", "0.2671", "-0.3119", "0.5377"))
        what = f"{a}[{a} {c.one_of('<>')} {limit}]"
        if c.chance(40):
            name = self.fresh("s")
            s.reals.append(name)
            return [self.part(f"{name} = 0.3 * np.sum({what} ** 2)")]
        return [self.part(self._filled(what, c.one_of([self.leaf(s), what])))]

    def scatter(self, s: Any) -> list[Any]:
        """Elements that `order` tells are written, some perhaps more than once."""
        c = self.choices
        value = c.one_of([self.leaf(s), c.one_of(s.vectors), f"{c.one_of(s.vectors)}[order]"])
        return [self.part(self._filled(f"{c.one_of(s.vectors)}[order]", value))]

    def cut_store(self, s: Any) -> list[Any]:
        target = self.section(s)
        if target in s.cuts:
            target += "[:]"
        return [self.part(self._filled(target, self.cut(s)))]

    def cut_name(self, s: Any) -> list[Any]:
        c = self.choices
        name = c.one_of(s.cuts) if s.cuts and c.chance(25) else self.fresh("t")
        value = self.section(s) if c.chance(70) else self.cut(s)
        if name not in s.cuts:
            s.cuts.append(name)
        more = (
            [self.part(f"{name} {c.one_of(['+=', '-='])} 0.3 * np.sin({self.cut(s)})")]
            if c.chance(50)
            else []
        )
        return [self.part(f"{name} = {value}"), *more]

    def cut_sum(self, s: Any) -> list[Any]:
        name = self.fresh("s")
        s.reals.append(name)
        return [self.part(f"{name} = 0.3 * np.sum({self.cut(s)})")]

    def line_store(self, s: Any) -> list[Any]:
        """A row or a column is written."""
        c = self.choices
        a = c.one_of(s.matrices)
        column = f"{a}[:, {self.subscript(s, 'm')}]"
        row = f"{a}[{self.subscript(s, 'n')}{c.one_of(['', ', :', ', ...'])}]"
        target, value = c.one_of(
            [(column, self.array(s, s.vectors, 1)), (row, self.leaf(s)), (column, self.leaf(s))]
        )
        if target is row and c.chance(60):
            value = f"{c.one_of(s.matrices)}[{self.subscript(s, 'n')}]"
        return [self.part(self._filled(target, value))]

    def rows(self, s: Any) -> list[Any]:
        """A loop over rows, which are read and written."""
        c, row, total = self.choices, self.fresh("row"), self.fresh("s")
        a = c.one_of(s.matrices)
        s.reals.append(total)
        i, inner = self.fresh("i"), s.inner(loops=s.loops + 1, open=s.open + 1)
        lines = [
            f"{row} *= np.cos({self.real(inner, 1)})",
            f"{row}[0] += 0.3 * {row}[-1] * {row}[-1]", f"{row}[:] = 0.5 * {row}[::-1]",
            f"{row} -= 0.2 * {c.one_of(s.matrices)}[{self.subscript(s, 'n')}]", f"{total} += 0.3 * np.sum({row} * {row})",
            f"{total} = np.sin({total}) * {row}[0]", f"{row}[1:] += 0.5 * {row}[:-1]",
        ]  # fmt: skip
        body = [self.part(c.one_of(lines)) for _ in range(c.integer(1, 3))]
        head = c.one_of(
            [f"for {row} in {a}:", f"for {row} in {a}[::-1]:", f"for {i}, {row} in enumerate({a}):"]
        )
        return [self.part(f"{total} = 0.0"), self.part(head, body)]

    def _filled(self, target: str, value: str) -> str:
        op = self.choices.one_of(["=", "=", "+=", "-=", "*="])
        return f"{target} *= np.cos({value})" if op == "*=" else f"{target} {op} np.sin({value})"
