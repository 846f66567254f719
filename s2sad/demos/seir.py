"""Influenza in a boarding school, 1978: an epidemic model fitted to the number of boys in bed each day.

763 boys; the counts are those of "Influenza in a boarding school", British Medical Journal, 4 March 1978.
The model is the SEIR model: boys are susceptible, then exposed, then infectious (and in bed), then recovered.
Its parameters are fitted by L-BFGS with the gradient that s2sad makes of the function `loss` below.
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
from s2sad.demos.plot import plot
from s2sad.demos.tables import best_time, checked, narrow, progress_of, timed

Vector: TypeAlias = NDArray[np.float64]

BOYS = 763.0
COUNTS = np.array([3.0, 8.0, 26.0, 76.0, 225.0, 298.0, 258.0, 233.0, 189.0, 128.0, 68.0, 29.0, 14.0, 4.0])
STEPS = 24  # Runge-Kutta steps a day
START = np.log([2.0, 1.0, 0.5, 1.0])
NAMES = ("β", "σ", "γ", "E₀")  # of the parameters

# ---------------------------------------------------------------- the model


def rates(
    s: float, e: float, i: float, beta: float, sigma: float, gamma: float
) -> tuple[float, float, float]:
    """How many boys a day move on: susceptible -> exposed -> infectious -> recovered."""
    caught = beta * s * i / BOYS
    return -caught, caught - sigma * e, sigma * e - gamma * i


def simulate(theta: Vector, first: float, days: int, steps: int) -> Vector:
    """Boys in bed, at `steps` times a day, by the classical Runge-Kutta method."""
    beta, sigma, gamma = np.exp(theta[0]), np.exp(theta[1]), np.exp(theta[2])
    e = np.exp(theta[3])
    i = first
    s = BOYS - e - i
    h = 1.0 / steps
    in_bed = np.empty(days * steps + 1)
    in_bed[0] = i
    for k in range(days * steps):
        s1, e1, i1 = rates(s, e, i, beta, sigma, gamma)
        s2, e2, i2 = rates(s + 0.5 * h * s1, e + 0.5 * h * e1, i + 0.5 * h * i1, beta, sigma, gamma)
        s3, e3, i3 = rates(s + 0.5 * h * s2, e + 0.5 * h * e2, i + 0.5 * h * i2, beta, sigma, gamma)
        s4, e4, i4 = rates(s + h * s3, e + h * e3, i + h * i3, beta, sigma, gamma)
        s += h / 6.0 * (s1 + 2.0 * s2 + 2.0 * s3 + s4)
        e += h / 6.0 * (e1 + 2.0 * e2 + 2.0 * e3 + e4)
        i += h / 6.0 * (i1 + 2.0 * i2 + 2.0 * i3 + i4)
        in_bed[k + 1] = i
    return in_bed


@differentiate
def loss(theta: Vector, counts: Vector, steps: int) -> float:
    """How far the model is from the counts: squares of the differences of square roots.

    The square root makes the spread of a count the same for small and large ones.
    theta  logarithms of β, σ, γ (per day) and of the number of boys exposed at the start
    """
    model = simulate(theta, counts[0], len(counts) - 1, steps)
    total = 0.0
    for day in range(len(counts)):
        miss = np.sqrt(model[day * steps]) - np.sqrt(counts[day])
        total += miss * miss
    return total


# ---------------------------------------------------------------- the run


def run(console: Console | None = None, png: str | None = "seir.png") -> Vector:
    """Fit the model, check and time its gradient, draw the fit; returns the fitted parameters.

    png  file to draw into, where matplotlib is installed (extra `demo`); None: none
    """
    console = narrow(console)
    console.rule("[bold]Influenza in an English boarding school, 1978")
    theta = fit(console)
    console.print(_fit_panel(theta, console.width))
    console.print(_counts_table(theta))
    with console.status("checking and timing the gradient"):
        panels = [_check_panel(), Columns([_parameters_panel(theta), _time_panel(theta)])]
    console.print(*panels)
    if png and importlib.util.find_spec("matplotlib"):
        draw(theta, png)
        console.print(f"[dim]the fit is drawn in[/] {png}")
    return theta


def fit(console: Console) -> Vector:
    """The parameters that fit best, by L-BFGS with the compiled gradient."""
    from scipy.optimize import minimize

    limit = 60
    with progress_of(console) as progress:
        job = progress.add_task("compiling the gradient", total=None, loss="")
        value, _ = loss.value_and_grad(START, COUNTS, STEPS)
        progress.update(
            job, description=f"fitting {START.size} parameters", total=limit, loss=f"loss {value:8.3f}"
        )

        def step(intermediate_result: Any) -> None:
            progress.update(job, advance=1, loss=f"loss {intermediate_result.fun:8.3f}")

        found = minimize(
            loss.value_and_grad,
            START,
            args=(COUNTS, STEPS),
            jac=True,
            method="L-BFGS-B",
            bounds=[(-3.0, 3.0)] * START.size,
            callback=step,
            options={"maxiter": limit},
        )
        progress.update(
            job, total=found.nit, completed=found.nit, description=f"fitted in {found.nit} iterations"
        )
    theta: Vector = found.x
    return theta


def differences(theta: Vector, h: float = 1e-6) -> Vector:
    """The gradient of `loss` by central differences: two calls per parameter."""
    gradient = np.empty_like(theta)
    for k in range(theta.size):
        up, down = theta.copy(), theta.copy()
        up[k] += h
        down[k] -= h
        gradient[k] = (loss(up, COUNTS, STEPS) - loss(down, COUNTS, STEPS)) / (2.0 * h)
    return gradient


def draw(theta: Vector, png: str) -> None:
    """The fit as a picture."""
    from matplotlib.figure import Figure

    days = len(COUNTS) - 1
    axes = (figure := Figure(figsize=(8.0, 4.5), layout="constrained")).add_subplot()
    axes.plot(
        np.arange(days * STEPS + 1) / STEPS, simulate(theta, COUNTS[0], days, STEPS), label="SEIR model"
    )
    axes.plot(range(days + 1), COUNTS, "o", label="boys in bed")
    axes.set(xlabel="day", ylabel="boys in bed", title="Influenza in an English boarding school, 1978")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    figure.savefig(png, dpi=150)


def _fit_panel(theta: Vector, width: int) -> Panel:
    days = len(COUNTS) - 1
    curve = simulate(theta, COUNTS[0], days, STEPS)
    picture = plot(
        ([k / STEPS for k in range(curve.size)], curve.tolist()),
        (list(range(days + 1)), COUNTS.tolist()),
        top=300,
        width=width - 12,
        x_label="day",
    )
    return Panel(picture, title="boys in bed: [yellow]● counted[/]  [cyan]── model[/]", expand=False)


def _counts_table(theta: Vector) -> Table:
    model = simulate(theta, COUNTS[0], len(COUNTS) - 1, STEPS)[::STEPS]
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 1))
    table.add_column("day", style="bold")
    for day in range(len(COUNTS)):
        table.add_column(str(day), justify="right")
    table.add_row("counted", *(f"[yellow]{c:.0f}[/]" for c in COUNTS))
    table.add_row("model", *(f"[cyan]{m:.0f}[/]" for m in model))
    return table


def _parameters_panel(theta: Vector) -> Panel:
    beta, sigma, gamma, exposed = np.exp(theta)
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_row("β", f"{beta:.3f}", "infections a day by one boy, at first")
    table.add_row("1/σ", f"{1.0 / sigma:.3f}", "days exposed")
    table.add_row("1/γ", f"{1.0 / gamma:.3f}", "days in bed")
    table.add_row("E₀", f"{exposed:.3f}", "boys exposed at the start")
    table.add_row("R₀", f"[bold]{beta / gamma:.3f}[/]", "infections by one boy in all")
    return Panel(table, title="parameters")


def _check_panel() -> Panel:
    """The gradient at the start of the fit against complex steps, and reverse against forward mode."""
    gradient = loss.grad(START, COUNTS, STEPS)
    exact = np.array(
        [complex_step(loss, (START, COUNTS, STEPS), (e, None, None)) for e in np.eye(START.size)]
    )
    direction = np.array([0.6, -0.4, 0.5, 0.3])
    _, along = loss.jvp((START, COUNTS, STEPS), (direction, None, None))
    rows = [(f"log {name}", g, x, "complex step") for name, g, x in zip(NAMES, gradient, exact, strict=True)]
    rows.append(("a direction v", gradient @ direction, along, "forward mode"))
    return checked("the gradient where the fit starts", rows)


def _time_panel(theta: Vector) -> Panel:
    rows = [
        ("loss", best_time(lambda: loss(theta, COUNTS, STEPS))),
        ("loss and gradient", best_time(lambda: loss.value_and_grad(theta, COUNTS, STEPS))),
        ("finite differences", best_time(lambda: differences(theta))),
    ]
    error = np.max(np.abs(differences(START) / loss.grad(START, COUNTS, STEPS) - 1.0))
    return timed(rows, "µs", f"differences are off by {error:.0e}")
