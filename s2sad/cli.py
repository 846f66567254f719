"""The command line: arguments in, calls of the library, reports and exit codes out.

Exit codes: 0 done, 1 a derivative check failed, 2 an error, with its report on the standard error output.
Nothing else of s2sad imports this module, so the terminal libraries load here only.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.syntax import Syntax
from rich.table import Table
from typer.core import TyperGroup

import s2sad
from s2sad import errors, library, ops, pipeline
from s2sad.emit.load import packed
from s2sad.errors import ArgumentError, GradientCheckError, S2sadError
from s2sad.explanation import explanation
from s2sad.frontend import kinds
from s2sad.ir.nodes import Kind
from s2sad.measure import Measured
from s2sad.prediction import Prediction
from s2sad.shapes.passes import chosen
from s2sad.targets import evaluate, load

out = Console(highlight=False)
err = Console(highlight=False, stderr=True)


class _Group(TyperGroup):
    """Commands whose errors are shown as reports, without a traceback."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except S2sadError as error:
            err.print(str(error), markup=False, soft_wrap=True)
            raise typer.Exit(1 if isinstance(error, GradientCheckError) else 2) from None


app = typer.Typer(
    cls=_Group,
    name="s2sad",
    help="Derivatives of numeric Python functions, as readable Python.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


class Mode(StrEnum):
    """What `emit` prints: the adjoint, the tangent, what records a tape, or the program itself as s2sad understood it."""

    adjoint = "adjoint"
    tangent = "tangent"
    tape = "tape"
    primal = "primal"


class Over(StrEnum):
    """What `emit` takes over the adjoint: its tangent, which second derivatives are."""

    tangent = "tangent"


class Problem(StrEnum):
    """The problems that `demo` knows."""

    seir = "seir"
    burgers = "burgers"


Target = Annotated[str, typer.Argument(metavar="FILE.py:FUNC", help="The function, and the file it is in.")]
Args = Annotated[str, typer.Option(help='The arguments, as Python: "np.ones(3), 2.0".')]


def _version(wanted: bool) -> None:
    if wanted:
        out.print(f"s2sad {s2sad.__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Derivatives of numeric Python functions, as readable Python."""


@app.command()
def emit(
    target: Target,
    mode: Annotated[Mode, typer.Option(help="What to print.")] = Mode.adjoint,
    over: Annotated[
        Over | None, typer.Option(help="Of the adjoint, its tangent: second derivatives.")
    ] = None,
    argnums: Annotated[str, typer.Option(help="Positions of the differentiated arguments: 0,2.")] = "0",
    types: Annotated[str, typer.Option(help='Types of the arguments: "float64[:, :], float64, int64".')] = "",
    args: Annotated[str, typer.Option(help='Arguments to read the types off: "np.ones(3), 2.0".')] = "",
    passes: Annotated[
        str, typer.Option(help='Passes that shape the reverse sweep: "merge,gather"; "" for none.')
    ] = "all",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write to this file.")] = None,
    page: Annotated[Path | None, typer.Option("--html", help="Write a page to this file.")] = None,
) -> None:
    """Print the generated code of a function.

    Types come from --types, from --args, or from annotations and the body of the function.
    """
    function, module = load(target)
    wanted = None if passes == "all" else chosen(passes)
    with _kinds(function, module, types, args) as read:
        made = pipeline.emitted(function, read, mode.value, _numbers(argnums), wanted, over=over or "")
    if page is not None:
        _write_page(page, made)
    elif output is not None:
        _write(output, made)
    else:
        _show(made.text)


@app.command()
def check(
    target: Target,
    args: Args,
    order: Annotated[int, typer.Option(min=1, max=2, help="2: second derivatives too.")] = 2,
    jit: Annotated[bool, typer.Option(help="Check the compiled code, or the plain Python.")] = True,
) -> None:
    """Check the derivatives of a function at a point; exit code 1 if they are wrong."""
    from s2sad.testing import check_grads

    function, module = load(target)
    values = evaluate(args, module)
    with _kinds(function, module, "", args) as read:
        pipeline.emitted(function, read, "primal")  # refusals first, before anything runs
    with err.status("checking"):
        check_grads(function, values, order=order, jit=jit)
    out.print(f"{function.__name__}: derivatives agree with an independent reference", markup=False)


@app.command()
def bench(
    target: Annotated[str, typer.Argument(metavar="[FILE.py:FUNC]", help="The function, and its file.")] = "",
    args: Args = "",
    argnums: Annotated[str, typer.Option(help="Positions to differentiate for.")] = "0",
    seconds: Annotated[float, typer.Option(help="How long to measure; each program, of the suite.")] = 2.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    whole: Annotated[bool, typer.Option("--suite", help="Run our own benchmarks (source tree).")] = False,
    only: Annotated[str, typer.Option(help="Of the suite, these programs: heat1d,dtw.")] = "",
    small: Annotated[bool, typer.Option("--small", help="The suite at test size.")] = False,
    plot: Annotated[Path | None, typer.Option(help="Draw the suite's ratios to this file.")] = None,
) -> None:
    """Measure a function and its gradient: times, their ratio, memory, compilation. Or our own suite: ratios."""
    if whole:
        _bench_suite(only, small, seconds, as_json, plot)
        return
    from s2sad.bench import cost
    from s2sad.measure import size

    if not args:
        raise ArgumentError(
            "a function and its arguments, or `--suite`", code="S112", hint='--args "np.ones(3), 2.0"'
        )
    function, module = load(target)
    values = evaluate(args, module)
    with _kinds(function, module, "", args) as read:
        pipeline.emitted(function, read, "adjoint", _numbers(argnums))
    with err.status("measuring"):
        found = cost(function, values, _numbers(argnums), seconds)
    if as_json:
        print(json.dumps(asdict(found)))
        return
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_row("program", _time(found.primal))
    table.add_row("value and gradient", _time(found.gradient))
    table.add_row("ratio", f"{found.ratio:.2f}")
    table.add_row("kept for the reverse sweep", size(found.kept))
    table.add_row("first call of the program", f"{found.first_primal:.2f} s")
    table.add_row("first call of the gradient", f"{found.first_gradient:.2f} s")
    out.print(table)


def _time(seconds: float) -> str:
    return f"{1e6 * seconds:.2f} µs" if seconds < 1e-4 else f"{1e3 * seconds:.3f} ms"


def _bench_suite(only: str, small: bool, seconds: float, as_json: bool, plot: Path | None) -> None:
    """Run the suite and show it."""
    from s2sad import suite

    names = suite.programs(only)
    rows: list[suite.Row] = []
    with err.status("measuring") as status:
        for name in names:
            status.update(f"measuring {name}")
            rows += suite.measured([name], "small" if small else "full", seconds)
    if plot is not None:
        suite.draw(rows, plot)
    if as_json:
        print(json.dumps(rows))
    else:
        out.print(suite.table(rows))


@app.command("ops")
def list_ops(
    pattern: Annotated[str, typer.Argument(help="A part of the name, or a pattern with *.")] = "",
) -> None:
    """List the operations and their derivatives."""
    rows = [
        (row.key, row.value, "; ".join(row.slopes), ", ".join(row.names)) for row in ops.describe(pattern)
    ]
    written = library.names(pattern)
    rows += [(name, "written out in Python", "", name) for name in written]
    if not rows:
        raise ArgumentError(f"no operation is called `{pattern}`", code="S113", hint="see `s2sad ops`")
    table = Table("name", "value", "derivatives", "written as", box=None, pad_edge=False)
    for row in rows:
        if out.is_terminal:
            table.add_row(*map(escape, row))
        else:
            print("\t".join(row))
    if out.is_terminal:
        out.print(table)


@app.command()
def demo(problem: Annotated[Problem, typer.Option(help="Which problem.")] = Problem.seir) -> None:
    """Solve a whole problem with gradients from s2sad, and show it.

    seir: an epidemic model is fitted to real counts; burgers: the start of a flow is found from its end.
    """
    module = importlib.import_module(f"s2sad.demos.{problem.value}")
    module.run(out)


@app.command()
def explain(
    subject: Annotated[str, typer.Argument(help="FILE.py:FUNC, or an error code, S011.")],
    argnums: Annotated[str, typer.Option(help="Positions to differentiate for.")] = "0",
    types: Annotated[str, typer.Option(help='"float64[:, :], int64"')] = "",
    args: Annotated[str, typer.Option(help='"np.ones(3), 2.0"')] = "",
    run: Annotated[
        bool,
        typer.Option(
            "--run", help="Run it once, as plain Python, and put what was kept beside what is predicted."
        ),
    ] = False,
    page: Annotated[Path | None, typer.Option("--html", help="Write a page to this file.")] = None,
    plot: Annotated[
        bool, typer.Option("--plot", help="Draw the schedules of loops over checkpoint_range.")
    ] = False,
) -> None:
    """Tell what the adjoint of a function keeps and why, or what an error code means and what to write instead."""
    if ":" not in subject:
        out.print(errors.explain(subject), markup=False)
        return
    function, module = load(subject)
    with _kinds(function, module, types, args) as read:
        made = pipeline.emitted(function, read, "adjoint", _numbers(argnums))
    found = told = None
    if (run or plot) and not args:
        raise ArgumentError(
            "`--run` and `--plot` need arguments", code="S112", hint='--args "np.ones(3), 2.0"'
        )
    if args:
        from s2sad.arguments import bind
        from s2sad.prediction import predicted

        told = predicted(made.derived, bind(function, evaluate(args, module), {}))
    if run or (plot and told is not None and any(loop.plan is None for loop in told.loops)):
        from s2sad.measure import measured

        found = measured(function, evaluate(args, module), _numbers(argnums))
    if page is not None:
        _write_page(page, made, found, told)
        return
    report = explanation(made.derived)
    if told is not None:
        from s2sad.measure import figures

        report += "\n" + figures(told, found)
    out.print(report, end="", markup=False, highlight=False, soft_wrap=True)
    if plot and told is not None:
        from s2sad.demos.schedule import drawn

        plans = (
            found.loops if found is not None else [loop.plan for loop in told.loops if loop.plan is not None]
        )
        for plan in dict.fromkeys(plans):
            out.print(drawn(plan, min(out.width, 100)), end="", markup=False, highlight=False, soft_wrap=True)


@contextmanager
def _kinds(
    function: Callable[..., Any], module: ModuleType, types: str, args: str
) -> Iterator[tuple[Kind, ...]]:
    """The kinds of the arguments, for what is done with them: from --types, from --args, or read off the function."""
    if types:
        yield kinds.kinds_of_text(types)
    elif args:
        yield tuple(kinds.kind_of_value(value) for value in evaluate(args, module))
    else:
        with kinds.guessing(function, "say them with `--types` or `--args`") as guessed:
            yield guessed
        told = f"types, as far as the text tells: {kinds.text_of_kinds(guessed)}"
        err.print(f"{told} (say others with --types)", markup=False, highlight=False, soft_wrap=True)


def _numbers(text: str) -> int | tuple[int, ...]:
    """The position, or the positions, that `--argnums` names."""
    try:
        numbers = tuple(int(part) for part in text.split(",") if part.strip())
        return numbers if "," in text else numbers[0]
    except (ValueError, IndexError):
        raise ArgumentError(f"`{text}` is not a list of positions", code="S093") from None


def _write_page(
    path: Path, made: pipeline.Built, found: Measured | None = None, told: Prediction | None = None
) -> None:
    """Write a page, and say where it is."""
    from s2sad.page import page

    text = page(made, found, told)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        message = f"`{path}` can't be written: {error.strerror}"
        raise ArgumentError(message, code="S110", hint="name another file") from None
    err.print(f"{path}: open it in a browser", markup=False, soft_wrap=True)


def _write(path: Path, made: pipeline.Built) -> None:
    """Write code to a file, and its large constants to one beside it."""
    try:
        path.write_text(made.text, encoding="utf-8")
        err.print(f"{path}: {len(made.text.splitlines())} lines", markup=False, soft_wrap=True)
        if made.arrays:
            beside = path.with_suffix(".npz")
            beside.write_bytes(packed(made.arrays))
            err.print(f"{beside}: {', '.join(made.arrays)}", markup=False, soft_wrap=True)
    except OSError as error:
        message = f"`{path}` can't be written: {error.strerror}"
        raise ArgumentError(message, code="S110", hint="name another file with `-o`") from None


def _show(text: str) -> None:
    """Print code: highlighted in a terminal, as it is elsewhere."""
    if out.is_terminal:
        out.print(Syntax("", "python", theme="ansi_dark").highlight(text), soft_wrap=True, end="")
    else:
        sys.stdout.write(text)
