"""Random programs: stretches that are run again on the way back (see `strategies`)."""

from __future__ import annotations

from typing import Any

SCHEDULES = ("revolve", "uniform", "online", "disk")


class Regions:
    """Statements under `checkpoint`, and loops over `checkpoint_range`."""

    choices: Any

    def region(self, s: Any) -> list[Any]:
        """A stretch that nothing leaves."""
        return [self.part("with s2sad.checkpoint():", self.block(s.inner(open=0, fenced=True), 4))]

    def long_loop(self, s: Any) -> list[Any]:
        """A loop of which some states are kept."""
        c, k = self.choices, self.fresh("t")
        trips = ["0", "1", "2", "3", "5", "7"]
        if s.vectors or s.matrices:
            trips += ["n", "n + 1", "2 * n"]
        if s.counters:
            trips.append(f"{c.one_of(s.counters)} % 5")
        how = f', "{c.one_of(SCHEDULES)}"' if c.chance(60) else ""
        head = f"for {k} in s2sad.checkpoint_range({c.one_of(trips)}, {c.integer(1, 4)}{how}):"
        inner = s.inner(counters=[*s.counters, k], loops=s.loops + 1, open=s.open + 1)
        return [self.part(head, self.block(inner, 4))]
