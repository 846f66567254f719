"""Rows: parts of complex numbers. They are linear over the reals alone, so their pullbacks are the handlers' own.

The adjoint of a complex number z is dL/d(Re z) + i dL/d(Im z), as in JAX and PyTorch up to conjugation: a smooth
operation of the table multiplies the seed by the conjugate of its slope, and a real operand takes the real part.
"""

from __future__ import annotations

from s2sad.ops.row import REAL, Op

ROWS = (
    Op("real", "z", y="{z}.real", d=("1.0",), domain=REAL, structural="part", names=("np.real",),
       why="the seed itself flows back"),
    Op("imag", "z", y="{z}.imag", d=("1.0",), domain=REAL, structural="part", names=("np.imag",),
       why="i times the seed flows back"),
    Op(
        "conj", "z", y="np.conj({z})", d=("1.0",), domain=REAL, result="same", structural="part",
        names=("np.conj", "np.conjugate"),
        why="the conjugate of the seed flows back",
    ),
)  # fmt: skip

#: Operations that are linear over the reals only.
PARTS = ("real", "imag", "conj")
