"""What the demos print alike: progress, derivatives beside their references, times."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np
from rich.console import Console
from rich.panel import Panel
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

UNITS = {"µs": 1e6, "ms": 1e3}


def narrow(console: Console | None) -> Console:
    """The console, or one like it of at most 100 columns."""
    console = console or Console()
    if console.width > 100:
        return Console(file=console.file, width=100, record=console.record)
    return console


def progress_of(console: Console) -> Progress:
    """A bar for tasks with a field `loss`, which is text."""
    text, number = TextColumn("{task.description}"), TextColumn("{task.fields[loss]}")
    return Progress(SpinnerColumn(), text, BarColumn(), number, TimeElapsedColumn(), console=console)


def checked(title: str, rows: Sequence[tuple[str, float, float, str]]) -> Panel:
    """Slopes beside independent ones: along what, the slope, the other, where that comes from."""
    table = Table(box=None, pad_edge=False)
    for heading in ("slope along", "s2sad", "independent", "", "off by"):
        table.add_column(heading, justify="left" if heading in ("slope along", "") else "right")
    for name, got, want, source in rows:
        off = abs(got / want - 1.0)
        mark = "[green]✓[/]" if off < 1e-10 else "[red]✗[/]"
        table.add_row(name, f"{got:.9f}", f"{want:.9f}", source, f"{off:.0e} {mark}")
    return Panel(table, title=title)


def timed(rows: Sequence[tuple[str, float]], unit: str, note: str = "") -> Panel:
    """Seconds of one call, by name, and how many times those of the first."""
    table = Table(box=None, pad_edge=False)
    for heading in ("", unit, "ratio"):
        table.add_column(heading, justify="left" if not heading else "right")
    for name, seconds in rows:
        table.add_row(name, f"{seconds * UNITS[unit]:.1f}", f"{seconds / rows[0][1]:.2f}")
    return Panel(table, title="time of one call", subtitle=note or None)


def best_time(call: Callable[[], object], runs: int = 30, repeat: int = 10) -> float:
    """Seconds of one call: the best average of `runs` calls in a row."""
    best = np.inf
    for _ in range(repeat):
        start = time.perf_counter()
        for _ in range(runs):
            call()
        best = min(best, (time.perf_counter() - start) / runs)
    return float(best)
