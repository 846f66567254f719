"""A pool that checks: no index released twice or used after its end, none left over, every place clean in the end.

For tests, in place of `plain.Pool`: `plain.Pool = CheckedPool`. What it finds is an AssertionError.
"""

from typing import ClassVar

import numpy as np

from s2sad_runtime import plain


class CheckedPool(plain.Pool):
    """Use counts that may not go wrong. `made` lists the places of all pools, for a look at them afterwards."""

    made: ClassVar[list] = []

    def new(self):
        index = super().new()
        if index == 0 or self.uses[index] != 1:
            raise AssertionError(f"index {index} is born with {self.uses[index]} uses")
        return index

    def share(self, index):
        if index == 0 or self.uses[index] < 1:
            raise AssertionError(f"index {index} is shared after its end")
        return super().share(index)

    def release(self, index):
        if index == 0 or self.uses[index] < 1:
            raise AssertionError(f"index {index} is released twice")
        super().release(index)

    def places(self):
        made = CheckedPlaces()
        made.left = {k for k, uses in enumerate(self.uses) if uses > 0}
        CheckedPool.made.append(made)
        return made


class CheckedPlaces(plain.Places):
    """Knows which indices the forward sweep left in use: those of parameters alone may be."""

    lent = frozenset()

    def at(self, index, like, layer):
        self._begin()
        return super().at(index, like, layer)

    def dirty(self):
        """Indices whose place is not clean after the reverse sweep, those of parameters apart."""
        self._begin()
        return sorted(k for (_, k), array in self.items() if k not in self.lent and np.any(array))

    def _begin(self):
        """What there is at first are the places of parameters."""
        if not self.lent:
            self.lent = frozenset(k for (_, k) in self) or frozenset({0})
            if not self.left <= self.lent:
                raise AssertionError(f"indices {sorted(self.left - self.lent)} are never released")
