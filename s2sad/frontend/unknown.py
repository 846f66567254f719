"""Functions that nothing is known of: the refusal of a call says what to write instead, or the line that gives a rule."""

from __future__ import annotations

from typing import Any, NoReturn

import gast
import numpy as np

from s2sad.errors import MissingRuleError, SourceUnavailableError
from s2sad.frontend.reader import Reader

#: What to write instead of functions that call functions.
STEPS = "`scipy.integrate.odeint` is solved and differentiated with `jit=False`; or write the steps of a method as a loop"
ROOT = "`s2sad.root(residual)` solves equations, and is differentiated at the solution"
SUM = "a sum over the points and weights of a rule: `np.polynomial.legendre.leggauss(n)`"
INSTEAD = {
    **dict.fromkeys(("solve_ivp", "ode", "RK45"), STEPS),
    **dict.fromkeys(("brentq", "brenth", "bisect", "newton", "fsolve", "root", "root_scalar"), ROOT),
    "fixed_point": "`s2sad.fixed_point(step)`, which is differentiated at the solution",
    **dict.fromkeys(("quad", "dblquad", "quad_vec", "fixed_quad"), SUM),
}


def no_rule(reader: Reader, node: gast.AST, target: Any, error: SourceUnavailableError | None) -> NoReturn:
    """Refuse a call of a function that has neither a row in the table nor source that is read."""
    module = (getattr(target, "__module__", None) or "").partition(".")[0]
    called = gast.unparse(node.func).strip() if isinstance(node, gast.Call) else target.__name__
    if module in ("numpy", "scipy", "math") or isinstance(target, np.ufunc):
        arrays = module in ("numpy", "scipy") and not isinstance(target, np.ufunc)
        hint = INSTEAD.get(called.rpartition(".")[2], f"write it out in Python, or {with_rule(called)}")
        hint = hint if arrays else cure(called, node)
        reader.refuse(node, f"no derivative is known for `{called}`", "S070", hint, MissingRuleError)
    if error is not None and error.code == "S002":
        reader.refuse(node, f"`{called}` is not a function that can be read", "S071")
    message = f"no derivative is known for `{called}`, and it has no Python source"
    hint = f"{cure(called, node)}; for arrays, `jvp=rule`"
    reader.refuse(node, message, "S070", hint, MissingRuleError)


def with_rule(called: str) -> str:
    """The line that gives a rule to a function of arrays."""
    return f'give it a rule: `s2sad.register({called}, vjp=(forward, backward), returns="float64[:]")`'


def cure(called: str, node: gast.AST) -> str:
    """The line that says how a function is differentiated."""
    count = len(node.args) if isinstance(node, gast.Call) else 1
    formulas = ", ".join(['"..."'] * count)
    partials = formulas if count == 1 else f"({formulas})"
    return f"give it a rule: `s2sad.register({called}, partials={partials})`, a formula per argument"
