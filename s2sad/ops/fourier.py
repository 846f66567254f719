"""Rows: discrete Fourier transforms along one axis. They are linear; adjoints are conjugate transposes.

The adjoint of a complex z is dL/d(Re z) + i dL/d(Im z): what flows back through y = F z is F^H w, and its real part
where z is real. The adjoint of the real transforms counts the frequencies that stand for two once, or twice.
"""

from __future__ import annotations

from s2sad.ops.row import ARRAY, Op, Result


def _transform(key: str, params: str, pull: str, result: Result = "complex", why: str = "") -> Op:
    first, *others = params.split()
    inside = ", ".join(f"{{{p}}}" for p in (first, *others))
    flat = ("",) * len(others)
    return Op(
        key, params, y=f"{key}({inside})", domain=ARRAY, cost="dear", result=result, structural="matrix", ndim=-1,
        pull=(pull, *flat), push=(f"{key}({', '.join(('d', *others))})", *flat), why=why,
    )  # fmt: skip


ROWS = (
    _transform("fft_along", "x axis", "shape(x, axis) * ifft_along(w, axis)", why="np.fft.fft"),
    _transform("ifft_along", "x axis", "fft_along(w, axis) / shape(x, axis)", why="np.fft.ifft"),
    _transform(
        "rfft_along", "x axis",
        "n = shape(x, axis); n * irfft_along(halved_pairs(w, n, axis), n, axis)", why="np.fft.rfft",
    ),
    _transform("irfft_along", "z n axis", "doubled_pairs(rfft_along(w, axis), n, axis) / n", "double", "np.fft.irfft"),
    _transform("doubled_pairs", "z n axis", "doubled_pairs(w, n, axis)", why="twice what has a conjugate twin"),
    _transform("halved_pairs", "z n axis", "halved_pairs(w, n, axis)", why="half of what has a conjugate twin"),
)  # fmt: skip
