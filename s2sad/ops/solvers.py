"""Rows: solvers that call functions of the program.

Nothing is read off these rows but what derivatives flow through: the functions around them tell how they are
differentiated (`handlers.paths`).
"""

from __future__ import annotations

from s2sad.ops.row import ARRAY, Op

PARAMS = "rate y0 t rtol atol hmax mxstep *more"
RULED = "!by the variational and the adjoint equation, of the function around it"
FLOWS = ("", RULED, RULED, "", "", "", "", RULED)

# fmt: off
ROWS = tuple(
    Op(key, PARAMS, y=key + "({rate}, {y0}, {t}, {rtol}, {atol}, {hmax}, {mxstep}, {more})", domain=ARRAY, cost="dear",
       structural="matrix", result="double", ndim=2, pull=FLOWS, push=FLOWS, why=why)
    for key, why in (
        ("odeint", "the variational equation and the adjoint one"),
        ("odeint_or_raise", "the same, where no value that might be wrong goes on: it raises where SciPy warns"),
    )
)
# fmt: on
