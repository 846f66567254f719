from typing import NamedTuple


class Reversed(NamedTuple):
    x: float
    y: float

    def __getitem__(self, k):
        return self.y if k == 0 else self.x


def f(p: Reversed):
    return p[0] * p.x
