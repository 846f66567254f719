"""An operation of an entity: one adjoint is given, the other is made of the body."""

from typing import NamedTuple

import s2sad


@s2sad.entity
class Turn(NamedTuple):
    c: float
    s: float

    @s2sad.operation
    def after(self, other):
        return Turn(self.c * other.c - self.s * other.s, self.c * other.s + self.s * other.c)

    @after.adjoint("other")
    def _(r_b, self, other):
        return Turn(self.c, -self.s).after(r_b)


def f(start, step, n):
    t = Turn(start[0], start[1])
    for _ in range(n):
        t = Turn(step, 0.1).after(t)
    return t.c * t.s


ARGUMENTS = ((0.8, 0.6), 0.9, 3)
ARGNUMS = (0, 1)
