"""Random statements with buffers: local arrays of undefined elements that are filled, read, changed and filled again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from strategies import Part, Scope


class Buffers:
    """A part of the builder of programs."""

    buffers: list[str]  # of length n, read nowhere else

    def refill(self: Any, s: Scope) -> list[Part]:
        """Fill a buffer, as a rule wholly, and use it element by element."""
        from strategies import Index, Part

        c, i, j = self.choices, self.fresh("i"), self.fresh("j")
        if not self.buffers or not s.reals:
            return self.assign(s)
        r, total = c.one_of(self.buffers), c.one_of(s.reals)
        filling = s.inner(indices=[*s.indices, Index(i, "n")], loops=s.loops + 1, open=s.open + 1)
        value = self.real(filling)
        stores = [Part(f"{r}[{i}] = {value}")]
        if c.chance(30):
            t = self.fresh("t")
            stores = [Part(f"{t} = np.exp(-{_f(value)} ** 2)"), Part(f"{r}[{i}] = {t}")]
            stores += [Part(f"{total} += 0.1 * {t} * {t}")]
        if c.chance(20):
            stores.append(Part(f"{total} = np.sin({total} + {r}[{i}] * {r}[{i}])"))
        using = s.inner(indices=[*s.indices, Index(j, "n")], loops=s.loops + 1, open=s.open + 1)
        one, two = (f"{r}[{self.subscript(using, 'n')}]" for _ in range(2))
        uses = [
            Part(f"{total} += 0.3 * {one} * {two}"),
            Part(f"{r}[{self.subscript(using, 'n')}] += 0.2 * {one} * {self.leaf(using)}"),
            Part(f"{r}[{j}] = np.sin({two}) * {self.leaf(using)}"),
        ]
        chosen = [c.one_of(uses[:1] * 2 + uses) for _ in range(c.integer(1, 2))]
        order = [
            Part(f"for {i} in range(n):", stores),
            Part(f"for {j} in range(n):", chosen),
            *([Part(f"{total} += {r}[-1] * {r}[0]")] * c.chance(30)),
        ]
        return order if c.chance(90) else [order[0]]


def _f(e: str) -> str:
    return f"({e})"
