"""Our own benchmarks, run and shown: one process for each program, ratios only.

The programs, their adjoints by hand and their JAX and PyTorch versions lie in `tests/benchmarks/suite`, in the source
tree: they aren't part of what is installed.
"""

from __future__ import annotations

import difflib
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from rich.table import Table

from s2sad.errors import ArgumentError, GradientCheckError

Row = dict[str, Any]

COLUMNS = {  # what the gradient is compared with, by the names in rows
    "primal": "gradient / program",
    "hand": "gradient / by hand",
    "jax": "gradient / JAX",
    "torch": "gradient / PyTorch",
}
FOLDER = Path(__file__).parent.parent / "tests" / "benchmarks" / "suite"
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
# Freed memory stays with the process, in large pages, for all that take turns: else who allocates with each call
# (adjoints by hand do) pays for pages that the kernel clears, and one would measure that.
KEPT = "glibc.malloc.hugetlb=1:glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=9999999999"


def folder() -> Path:
    """Where the programs are.

    Errors: ArgumentError S110 where s2sad runs outside of its source tree.
    """
    if not (FOLDER / "__main__.py").is_file():
        raise ArgumentError(
            "the programs of the suite are in the source tree, not in what is installed",
            code="S110",
            hint="get the sources of s2sad, and in their folder `pip install -e .`",
        )
    return FOLDER


def programs(only: str = "") -> list[str]:
    """The names of the programs, in the order of the table; of those in `only`, a list with commas, if it isn't empty.

    Errors: those of `folder`; ArgumentError S113 for a name that isn't there.
    """
    script = "from benchmarks.suite import SUITE; print(*SUITE)"
    known = _python("-c", script, check=True).stdout.split()
    wanted = [name.strip() for name in only.split(",") if name.strip()]
    for name in wanted:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(known)}"
            raise ArgumentError(f"no program of the suite is called `{name}`", code="S113", hint=hint)
    return [name for name in known if name in wanted or not wanted]


def measured(names: Sequence[str], size: Literal["small", "full"], seconds: float) -> Iterator[Row]:
    """A row for each program: its name, and quotients under the names of `COLUMNS`, where there is such a thing.

    Each is a median over rounds in which all take turns, after their gradients have been compared.

    Errors: GradientCheckError where two gradients disagree.
    """
    for name in names:
        done = _python("-m", "benchmarks.suite", name, "--size", size, "--seconds", str(seconds))
        if done.returncode:
            raise GradientCheckError((done.stderr.strip().splitlines() or [f"{name} failed"])[-1])
        row: Row = json.loads(done.stdout.splitlines()[-1])
        yield row


def _python(*arguments: str, check: bool = False) -> subprocess.CompletedProcess[str]:
    """A Python process beside the programs, on one thread."""
    env = os.environ | dict.fromkeys(ONE_THREAD, "1")
    env["GLIBC_TUNABLES"] = KEPT
    env["JAX_PLATFORMS"] = "cpu"
    env["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    tests = folder().parent.parent
    return subprocess.run(
        [sys.executable, *arguments], cwd=tests, env=env, capture_output=True, text=True, check=check
    )


def mean(rows: Sequence[Row], column: str) -> float | None:
    """The geometric mean of a column, of the rows that have it.

    >>> mean([{"hand": 0.5}, {"hand": 2.0}, {}], "hand")
    1.0
    """
    found = [row[column] for row in rows if column in row]
    return statistics.geometric_mean(found) if found else None


def table(rows: Sequence[Row]) -> Table:
    """Rows as a table, with their geometric means; columns that nobody has are left out."""
    columns = [name for name in COLUMNS if any(name in row for row in rows)]
    made = Table("program", box=None, pad_edge=False)
    for name in columns:
        made.add_column(COLUMNS[name], justify="right")
    for row in rows:
        made.add_row(row["program"], *(shown(row.get(name)) for name in columns))
    made.add_row("geometric mean", *(shown(mean(rows, name)) for name in columns), style="bold")
    return made


def shown(ratio: float | None) -> str:
    """A ratio with as many digits as mean something."""
    if ratio is None:
        return ""
    return f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.2g}"


def draw(rows: Sequence[Row], file: Path) -> None:
    """Draw the rows to a file, in the format that its name ends with: a line per program, a mark per column.

    Errors: ArgumentError S114 without Matplotlib, S110 where the file can't be written.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ArgumentError(
            "`--plot` needs Matplotlib", code="S114", hint="`pip install matplotlib`"
        ) from None
    columns = [name for name in COLUMNS if any(name in row for row in rows)]
    figure = Figure(figsize=(7.0, 1.4 + 0.26 * len(rows)), layout="constrained")
    axes = figure.subplots()
    for name, mark in zip(columns, "osD^", strict=False):
        here = [(row[name], k) for k, row in enumerate(rows) if name in row]
        axes.plot(*zip(*here, strict=True), mark, label=COLUMNS[name], markersize=5)
    axes.axvline(1.0, color="gray", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_yticks(range(len(rows)), [row["program"] for row in rows])
    axes.invert_yaxis()
    axes.grid(axis="y", linewidth=0.3)
    axes.set_xlabel("time of the gradient over the other: further left is faster")
    figure.legend(loc="outside upper center", ncols=len(columns), frameon=False, fontsize="small")
    try:
        figure.savefig(file, metadata={"Date": None} if file.suffix == ".svg" else None)
    except (OSError, ValueError) as error:
        raise ArgumentError(
            f"`{file}` can't be written: {error}", code="S110", hint="name another file"
        ) from None
