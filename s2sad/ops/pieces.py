"""Rows that derivatives of matrix operations are written in; nobody calls them, so they have tangents alone."""

from __future__ import annotations

from s2sad.ops.linalg import row
from s2sad.ops.row import Op


def _linear(key: str, params: str, ndim: int, why: str, y: str = "") -> Op:
    """An operation that is linear in its first operand and flat in the others."""
    first, *others = params.split()
    inside = ", ".join(f"{{{p}}}" for p in (first, *others))
    flat = ("",) * len(others)
    return row(
        key,
        params,
        y or f"{key}({inside})",
        ndim,
        ("", *flat),
        (f"{key}({', '.join(('d', *others))})", *flat),
        why,
    )


ROWS = (
    _linear("T", "a", 2, "", "{a}.T"),
    _linear("diagonal", "a", 1, "", "np.diag({a}).copy()"),
    _linear("one_triangle", "a lower unit", 2, "the lower or upper triangle, without a diagonal of ones"),
    _linear("turned_over", "a turned", 2, "the transpose, or the matrix as it stands"),
    _linear("half_tril", "a", 2, "lower triangle, half the diagonal"),
    _linear("mirror_lower", "a", 2, "the lower triangle on both sides"),
    _linear("fold_lower", "a", 2, "both triangles added up in the lower one"),
    _linear("gaps_of", "s", 2, "s[j] - s[i]"),
    _linear("corner_block", "a", 2, "the upper right quarter"),
    _linear("head_columns", "a q", 2, "as many columns as q has"),
    _linear("tail_columns", "a q", 2, "the columns behind those"),
    _linear("pad_values", "s u", 1, "with zeros, to as many as u has columns"),
    _linear("fit_columns", "a b", 2, "as many columns as b has rows: cut off, or with zeros"),
    row(
        "side_by_side", "a b", "side_by_side({a}, {b})", 2, ("", ""),
        ("side_by_side(d, 0.0 * b)", "side_by_side(0.0 * a, d)"),
    ),
    row(
        "block_pair", "a x", "block_pair({a}, {x})", 2, ("", ""),
        ("block_pair(d, 0.0 * d)", "block_pair(0.0 * d, d)"), "[[a, x], [0, a]]",
    ),
    row(
        "cholesky_back", "l w", "cholesky_back({l}, {w})", 2, ("", ""),
        (
            "k = half_tril(dot22(T(l), w)); x = T(solve_triangular22(l, 0.5 * (k + T(k)), True, True, False)); "
            "x = T(solve_triangular22(l, x, True, True, False)); "
            "z = half_tril(dot22(T(d), w)); u = dot22(dot22(T(d), x), l); "
            "v = T(solve_triangular22(l, 0.5 * (z + T(z)) - u - T(u), True, True, False)); "
            "fold_lower(T(solve_triangular22(l, v, True, True, False)))",
            "cholesky_back(l, d)",
        ),
        "what flows back from the factor l of cholesky",
    ),
    row(
        "eigh_vectors", "a", "eigh_vectors({a})", 2, ("",),
        ("dot22(y, over_gaps(dot22(dot22(T(y), mirror_lower(d)), y), eigvalsh(a)))",),
    ),
    row(
        "eigh_with", "a x", "eigh_with({a}, {x})", 2, ("", ""),
        (
            "v = eigh_vectors(a); k = over_gaps(dot22(dot22(T(v), mirror_lower(d)), v), eigvalsh(a)); "
            "z = dot22(dot22(v, k) * x, T(v)); z + T(z)",
            "eigh_with(a, d)",
        ),
        "v * x @ v.T: the eigenvectors with other values",
    ),
    _linear("turned_bands", "ab l u", 2, "the transpose of a banded matrix"),
    row(
        "bands_of", "v x l u", "bands_of({v}, {x}, {l}, {u})", 2, ("", "", "", ""),
        ("bands_of(d, x, l, u)", "bands_of(v, d, l, u)", "", ""), "the diagonals of v x^T",
    ),
    row(
        "banded_product", "ab x l u", "banded_product({ab}, {x}, {l}, {u})", 2, ("", "", "", ""),
        ("banded_product(d, x, l, u)", "banded_product(ab, d, l, u)", "", ""), "a banded matrix times x",
    ),
    row("inverse_or_nan", "a", "inverse_or_nan({a})", 2, ("",), ("-dot22(dot22(y, d), y)",), "nan for a singular matrix"),
    row("cofactors", "a", "cofactors({a})", 2, ("",), ("cofactors_along(a, d)",), "the slope of the determinant"),
    row(
        "cofactors_along", "a x", "cofactors_along({a}, {x})", 2, ("", ""), ("", ""), "the slope of the cofactors",
        opaque="no third derivative is known for `np.linalg.det`",
    ),
    row(
        "power_along", "a n x", "power_along({a}, {n}, {x})", 2, ("", "", ""),
        ("corner_block(power_along(block_pair(a, x), n, block_pair(d, 0.0 * d)))", "", "power_along(a, n, d)"),
        "the derivative of the power in direction x",
    ),
    row(
        "expm_along", "a x", "expm_along({a}, {x})", 2, ("", ""),
        ("corner_block(expm_along(block_pair(a, x), block_pair(d, 0.0 * d)))", "expm_along(a, d)"),
        "the derivative of the exponential in direction x",
    ),
    row(
        "over_gaps", "a s", "over_gaps({a}, {s})", 2, ("", ""),
        ("over_gaps(d, s)", "-over_gaps(y * gaps_of(d), s)"),
        "a[i, j] / (s[j] - s[i]), zero on the diagonal; where s[i] and s[j] are equal, nan unless a[i, j] is zero",
    ),
    row(
        "over_square_gaps", "a s", "over_square_gaps({a}, {s})", 2, ("", ""),
        ("over_square_gaps(d, s)", "-over_square_gaps(2.0 * y * gaps_of(s * d), s)"),
        "a[i, j] / (s[j]**2 - s[i]**2), else as over_gaps",
    ),
    row(
        "over_columns", "a u s", "over_columns({a}, {u}, {s})", 2, ("", "", ""),
        ("over_columns(d, u, s)", "", "-over_columns(y * pad_values(d, u), u, s)"),
        "a[:, j] / s[j]; zero where a is, and everywhere if u is square",
    ),
)  # fmt: skip
