"""A checkpoint schedule as a picture in text: time runs down, steps run to the right.

·  steps run plain    ▪  states held    ◂  the step that is reversed
"""

from __future__ import annotations

from s2sad.schedules import Advance, Drop, Given, Restore, Reverse, Schedule, Snapshot

TALL = 60


def drawn(schedule: Schedule | Given, width: int = 80) -> str:
    """One line per reversed step: the states held then, the way run to it. At most about 60 lines are shown.

    >>> from s2sad.schedules import revolve
    >>> print(drawn(revolve(4, 2), 40), end="")
    revolve: 4 steps, at most 2 states held, 4 steps run again
    ▪·▪◂
    ▪ ◂
    ▪◂
    ◂
    """
    n = schedule.n
    columns = max(1, min(n, width))
    head = (
        f"{schedule.how}: {n} steps, at most {schedule.peak_snapshots} states held,"
        f" {schedule.forward_steps} steps run again"
    )
    rows: list[str] = []
    held: set[int] = set()
    ran: list[tuple[int, int]] = []
    for action in schedule:
        match action:
            case Snapshot(step):
                held.add(step)
            case Drop(step):
                held.discard(step)
            case Advance(start, stop):
                ran.append((start, stop))
            case Restore():
                pass
            case Reverse(step):
                rows.append(_row(n, columns, held, ran, step))
                ran = []
    if len(rows) > TALL:
        every = -(-len(rows) // TALL)
        rows = [*rows[::every], rows[-1]] if (len(rows) - 1) % every else rows[::every]
    return "\n".join([head, *rows]) + "\n"


def _row(n: int, columns: int, held: set[int], ran: list[tuple[int, int]], step: int) -> str:
    cells = [" "] * columns

    def column(k: int) -> int:
        return k * columns // n

    for start, stop in ran:
        for k in range(column(start), column(stop - 1) + 1):
            cells[k] = "·"
    for k in held:
        cells[column(k)] = "▪"
    cells[column(step)] = "◂"
    return "".join(cells).rstrip()
