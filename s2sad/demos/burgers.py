"""Where did it start? The initial velocity of a flow, found from one noisy picture of its end.

The flow obeys Burgers' equations in two dimensions, u_t + u u_x + v u_y = ν (u_xx + u_yy), and the same for v:
velocities carry each other along and diffuse. Explicit steps, central differences, zero on the boundary. Every
value of both initial fields is unknown; they are found by L-BFGS with the gradient that s2sad makes of `misfit`.
"""

from __future__ import annotations

import importlib.util
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from rich.columns import Columns
from rich.console import Console
from rich.panel import Panel
from rich.table import Table

from s2sad import differentiate
from s2sad.complexstep import complex_step
from s2sad.demos.picture import picture
from s2sad.demos.tables import best_time, checked, narrow, progress_of, timed

Field: TypeAlias = NDArray[np.float64]
Flow: TypeAlias = tuple[Field, Field]

N = 48  # points along each side
STEPS = 100
DT = 0.0025
NU = 0.004
NOISE = 0.02
SMOOTHING = 0.03
LIMIT = 80  # of the iterations of L-BFGS

# ---------------------------------------------------------------- the model


def step(u: Field, v: Field, u_next: Field, v_next: Field) -> None:
    """One step of the flow at the inner points, from u and v to u_next and v_next."""
    n = u.shape[0]
    h = 1.0 / (n - 1)
    a = 0.5 * DT / h
    d = NU * DT / (h * h)
    for i in range(1, n - 1):
        for j in range(1, n - 1):
            p, q = a * u[i, j], a * v[i, j]
            u_next[i, j] = (
                u[i, j]
                - p * (u[i + 1, j] - u[i - 1, j])
                - q * (u[i, j + 1] - u[i, j - 1])
                + d * (u[i + 1, j] + u[i - 1, j] + u[i, j + 1] + u[i, j - 1] - 4.0 * u[i, j])
            )
            v_next[i, j] = (
                v[i, j]
                - p * (v[i + 1, j] - v[i - 1, j])
                - q * (v[i, j + 1] - v[i, j - 1])
                + d * (v[i + 1, j] + v[i - 1, j] + v[i, j + 1] + v[i, j - 1] - 4.0 * v[i, j])
            )


def flow(u0: Field, v0: Field, steps: int) -> Flow:
    """The velocities after `steps` steps; the arrays of two steps swap their names."""
    u, v = u0.copy(), v0.copy()
    u_next, v_next = np.zeros_like(u), np.zeros_like(v)
    for _ in range(steps):
        step(u, v, u_next, v_next)
        u, u_next = u_next, u
        v, v_next = v_next, v
    return u, v


@differentiate(argnums=(0, 1))
def misfit(u0: Field, v0: Field, u_seen: Field, v_seen: Field, steps: int) -> float:
    """How far the end of the flow is from what was seen, and how rough its start is."""
    u, v = flow(u0, v0, steps)
    n = u.shape[0]
    miss, rough = 0.0, 0.0
    for i in range(1, n):
        for j in range(1, n):
            miss += (u[i, j] - u_seen[i, j]) ** 2 + (v[i, j] - v_seen[i, j]) ** 2
            rough += (u0[i, j] - u0[i - 1, j]) ** 2 + (u0[i, j] - u0[i, j - 1]) ** 2
            rough += (v0[i, j] - v0[i - 1, j]) ** 2 + (v0[i, j] - v0[i, j - 1]) ** 2
    return (miss + SMOOTHING * rough) / (NOISE * NOISE)


# ---------------------------------------------------------------- the run


def hidden() -> Flow:
    """The start that is to be found: three whirls."""
    x = np.linspace(0.0, 1.0, N)[:, None]
    y = np.linspace(0.0, 1.0, N)[None, :]
    u, v = np.zeros((N, N)), np.zeros((N, N))
    for x0, y0, size, turn in ((0.3, 0.35, 0.12, 1.4), (0.62, 0.7, 0.13, -1.5), (0.72, 0.28, 0.09, 1.0)):
        bump = turn * np.exp(-((x - x0) ** 2 + (y - y0) ** 2) / size**2) / size
        u -= (y - y0) * bump
        v += (x - x0) * bump
    edge = (16.0 * x * (1.0 - x) * y * (1.0 - y)) ** 0.5
    return u * edge, v * edge


def seen(start: Flow) -> Flow:
    """The end of the flow, with noise at the inner points."""
    u, v = flow(*start, STEPS)
    for field, noise in zip((u, v), np.random.default_rng(1).normal(0.0, NOISE, (2, N, N)), strict=True):
        field[1:-1, 1:-1] += noise[1:-1, 1:-1]
    return u, v


def run(console: Console | None = None, png: str | None = "burgers.png") -> Flow:
    """Find the start of the flow, show it, check and time the gradient; returns the start found.

    png  file to draw into, where matplotlib is installed (extra `demo`); None: none
    """
    console = narrow(console)
    console.rule("[bold]The start of a flow, from a noisy picture of its end")
    with console.status("the flow that is to be found"):
        truth = hidden()
        end = seen(truth)
    found = fit(end, console)
    fields = {"hidden start": truth, "end, as seen": end, "start found": found}
    console.print(_pictures(fields, console))
    with console.status("checking and timing the gradient"):
        panels = [_check_panel(end), Columns([_errors_panel(fields), _time_panel(end)])]
    console.print(*panels)
    if png and importlib.util.find_spec("matplotlib"):
        draw(fields, png)
        console.print(f"[dim]the fields are drawn in[/] {png}")
    return found


def fit(end: Flow, console: Console) -> Flow:
    """The start that fits best, by L-BFGS with the compiled gradient, beginning with the end itself."""
    from scipy.optimize import minimize

    guess = np.stack(end)

    def objective(x: Field) -> tuple[float, Field]:
        u0, v0 = x.reshape(guess.shape)
        value, gradient = misfit.value_and_grad(u0, v0, *end, STEPS)
        return value, np.stack(gradient).ravel()

    with progress_of(console) as progress:
        job = progress.add_task("compiling the gradient", total=None, loss="")
        value, _ = objective(guess.ravel())
        job_text = f"finding {guess.size} numbers"
        progress.update(job, description=job_text, total=LIMIT, loss=f"misfit {value:9.1f}")

        def one_more(intermediate_result: Any) -> None:
            progress.update(job, advance=1, loss=f"misfit {intermediate_result.fun:9.1f}")

        found = minimize(
            objective,
            guess.ravel(),
            jac=True,
            method="L-BFGS-B",
            callback=one_more,
            options={"maxiter": LIMIT, "maxcor": 20},
        )
        progress.update(
            job, total=found.nit, completed=found.nit, description=f"found in {found.nit} iterations"
        )
    u0, v0 = found.x.reshape(guess.shape)
    return u0, v0


def distance(fields: Flow, truth: Flow) -> float:
    """How far fields are from the truth, relative to its size."""
    return float(np.linalg.norm(np.stack(fields) - np.stack(truth)) / np.linalg.norm(np.stack(truth)))


def draw(fields: dict[str, Flow], png: str) -> None:
    """The fields as a picture: colours for u, arrows for both."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11.0, 4.2), layout="constrained")
    top = max(float(np.max(np.abs(u))) for u, _ in fields.values())
    every = slice(2, None, 4)
    places = np.linspace(0.0, 1.0, N)
    all_axes = figure.subplots(1, len(fields))
    for axes, (name, (u, v)) in zip(all_axes, fields.items(), strict=True):
        shown = axes.imshow(u.T, origin="lower", extent=(0, 1, 0, 1), cmap="RdBu_r", vmin=-top, vmax=top)
        axes.quiver(
            places[every], places[every], u[every, every].T, v[every, every].T, scale=9.0, width=0.006
        )
        axes.set(title=name, xticks=[], yticks=[])
    figure.colorbar(shown, ax=all_axes, label="u", shrink=0.8)
    figure.savefig(png, dpi=150)


def _pictures(fields: dict[str, Flow], console: Console) -> Table:
    top = max(float(np.max(np.abs(f))) for both in fields.values() for f in both)
    width = (console.width - 8) // len(fields) // 2 * 2
    table = Table(box=None, pad_edge=False, padding=(0, 2, 1, 0))
    for heading in ("", *fields):
        table.add_column(heading, vertical="middle", no_wrap=True)
    for k, letter in enumerate("uv"):
        pictures = (
            picture(both[k], top, width - 2, console.color_system is not None) for both in fields.values()
        )
        table.add_row(letter, *pictures)
    return table


def _errors_panel(fields: dict[str, Flow]) -> Panel:
    truth, end, _ = fields.values()
    table = Table(box=None, pad_edge=False)
    for heading in ("", "off by", "misfit"):
        table.add_column(heading, justify="right" if heading else "left")
    for name, both in fields.items():
        table.add_row(name, f"{distance(both, truth):.1%}", f"{misfit(*both, *end, STEPS):.0f}")
    return Panel(table, title=f"{2 * N * N} unknowns", subtitle="the end is the first guess")


def _check_panel(end: Flow) -> Panel:
    """The gradient at the first guess along two directions, against complex steps and forward mode."""
    arguments = (*end, *end, STEPS)
    gradient = misfit.grad(*arguments)
    u, v = np.random.default_rng(2).standard_normal((2, N, N))
    rows = []
    for name, du, dv in (("v, of u₀ alone", u, 0.0 * v), ("v, of u₀ and v₀", u, v)):
        slope = float(np.sum(gradient[0] * du) + np.sum(gradient[1] * dv))
        tangents = (du, dv, None, None, None)
        rows.append((name, slope, misfit.jvp(arguments, tangents)[1], "forward mode"))
    few = (*end, *end, 10)
    slope = float(sum(np.sum(g * d) for g, d in zip(misfit.grad(*few), (u, v), strict=True)))
    rows.append(("the same, 10 steps", slope, complex_step(misfit, few, tangents), "complex step"))
    return checked("the gradient at the first guess", rows)


def _time_panel(end: Flow) -> Panel:
    arguments = (*end, *end, STEPS)
    value = best_time(lambda: misfit(*arguments), runs=3)
    gradient = best_time(lambda: misfit.value_and_grad(*arguments), runs=3)
    rows = [
        ("misfit", value),
        ("misfit and gradient", gradient),
        ("finite differences, as many", (2 * N * N + 1) * value),
    ]
    return timed(rows, "ms")
