"""Rows: factorisations of matrices, with several results, and what their derivatives need.

NumPy reads the lower triangle alone of a symmetric matrix (`eigh`, `cholesky`), so the gradient is in that triangle.
Where eigenvalues (singular values) are equal but for rounding, their vectors have no derivative: what flows back
through them is nan there, and zero where the vectors aren't used. Sources: Giles 2008, "Collected matrix derivative
results"; Townsend 2016, "Differentiating the singular value decomposition"; Walter and Lehmann 2010, "Algorithmic
differentiation of linear algebra functions", for qr; for eigenvectors of length one Magnus 1985, "On differentiating
eigenvalues and eigenvectors".
"""

from __future__ import annotations

from collections.abc import Mapping

from s2sad.ir.nodes import Kind
from s2sad.ops.linalg import row
from s2sad.ops.row import ARRAY, Op

NUMBER, VECTOR, MATRIX = Kind("real"), Kind("real", 1), Kind("real", 2)


def _rows(
    name: str,
    params: str,
    results: Mapping[str, Kind],
    pull: tuple[str, ...],
    push: tuple[str, ...],
    why: str = "",
) -> Op:
    """A factorisation with several results."""
    inside = ", ".join(f"{{{p}}}" for p in params.split())
    return Op(
        name, params, y=f"{name}({inside})", domain=ARRAY, cost="dear", structural="matrix", results=results,
        pull=pull, push=push, why=why,
    )  # fmt: skip


def _beyond(u: str, w: str) -> str:
    """The part of w outside the space of the columns of u, each column divided by its singular value."""
    return f"over_columns({w} - dot22({u}, dot22(T({u}), {w})), {u}, s)"


def _side_pull(u: str, vt: str, w: str) -> str:
    """What flows back from the singular vectors u (columns, with the adjoint w), for any number of them."""
    return (
        f"k = over_square_gaps(dot22(T({u}), {w}), padded(s, {u})); "
        f"x = dot22({u}, (k + T(k)) * padded(s, {u})) + {_beyond(u, w)}; "
        f"dot22(fitted(x, {vt}), {vt})"
    )


def _side_push(u: str, vt: str, d: str) -> str:
    """The tangent of the singular vectors u."""
    return (
        f"x = fitted(dot22({d}, T({vt})), T({u})); "
        f"p = dot22(T({u}), x) * padded(s, {u}); "
        f"k = over_square_gaps(p + T(p), padded(s, {u})); "
        f"dot22({u}, k) + {_beyond(u, 'x')}"
    )


def _turned(rule: str) -> str:
    """The same formulas, and their value transposed."""
    *lines, value = rule.split("; ")
    return "; ".join((*lines, f"T({value})"))


ROWS = (
    _rows(
        "np.linalg.eigh", "a", {"values": VECTOR, "vectors": MATRIX},
        (
            "folded(dot22(vectors * w, T(vectors)))",
            "folded(dot22(dot22(vectors, over_gaps(dot22(T(vectors), w), values)), T(vectors)))",
        ),
        (
            "diagonal(dot22(dot22(T(vectors), mirrored(d)), vectors))",
            "dot22(vectors, over_gaps(dot22(dot22(T(vectors), mirrored(d)), vectors), values))",
        ),
        "the lower triangle alone is read; equal eigenvalues: nan where their vectors are used",
    ),
    _rows(
        "np.linalg.svd", "a full", {"u": MATRIX, "s": VECTOR, "vt": MATRIX},
        (
            _side_pull("u", "vt", "w"),
            "dot22(fitted(u * padded(w, u), vt), vt)",
            _turned(_side_pull("T(vt)", "T(u)", "T(w)")),
            "", "", "",
        ),
        (
            _side_push("u", "vt", "d"),
            "diagonal(dot22(dot22(T(u), d), T(vt)))",
            _turned(_side_push("T(vt)", "T(u)", "T(d)")),
            "", "", "",
        ),
        "equal singular values: nan where their vectors are used; vectors of a null space as far as the space matters",
    ),
    row("diagonal", "a", "np.diag({a}).copy()", 1, ("diagonals(w)",), ("diagonal(d)",)),
    row("diagonals", "a", "np.diag({a})", 2, ("diagonal(w)",), ("diagonals(d)",)),
    row("mirrored", "a", "mirrored({a})", 2, ("folded(w)",), ("mirrored(d)",), "the lower triangle on both sides"),
    row("folded", "a", "folded({a})", 2, ("mirrored(w)",), ("folded(d)",), "both triangles added up in the lower one"),
    row(
        "over_gaps", "a s", "over_gaps({a}, {s})", 2, ("", ""),
        ("over_gaps(d, s)", "-over_gaps(y * spread(d), s)"),
        "a[i, j] / (s[j] - s[i]), zero on the diagonal; where s[i] and s[j] are equal, nan unless a[i, j] is zero",
    ),
    row(
        "over_square_gaps", "a s", "over_square_gaps({a}, {s})", 2, ("", ""),
        ("over_square_gaps(d, s)", "-over_square_gaps(2.0 * y * spread(s * d), s)"),
        "a[i, j] / (s[j]**2 - s[i]**2), else as over_gaps",
    ),
    row(
        "over_columns", "a u s", "over_columns({a}, {u}, {s})", 2, ("", "", ""),
        ("over_columns(d, u, s)", "", "-over_columns(y * padded(d, u), u, s)"),
        "a[:, j] / s[j]; zero where a is, and everywhere if u is square",
    ),
    row("padded", "s u", "padded({s}, {u})", 1, ("", ""), ("padded(d, u)", ""), "with zeros, as long as rows of u"),
    row(
        "fitted", "a b", "fitted({a}, {b})", 2, ("", ""), ("fitted(d, b)", ""),
        "as many columns as b has rows: cut off, or with zeros",
    ),
    row("spread", "s", "spread({s})", 2, ("",), ("spread(d)",), "s[j] - s[i]"),
)  # fmt: skip
