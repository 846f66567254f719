"""Rows: solvers that call functions of the program."""

from __future__ import annotations

from s2sad.ops.row import ARRAY, Op

PARAMS = "rate y0 t rtol atol hmax mxstep *more"
RULED = "!the function around it alone tells how it is differentiated"

# fmt: off
ROWS = (
    Op("odeint", PARAMS, y="odeint({rate}, {y0}, {t}, {rtol}, {atol}, {hmax}, {mxstep}, {more})", domain=ARRAY,
       cost="dear", structural="matrix", result="double", ndim=2, pull=(RULED,) * 8, push=(RULED,) * 8,
       why="the variational equation and the adjoint one (`handlers.paths`)"),
)
# fmt: on
