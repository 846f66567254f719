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
from s2sad.ops.linalg import pinv_pull, pinv_push, row
from s2sad.ops.row import ARRAY, Op

INT, NUMBER, VECTOR, MATRIX = Kind("int"), Kind("real"), Kind("real", 1), Kind("real", 2)
_RESIDUALS = "!no derivative is known for the residuals of `np.linalg.lstsq`: form them as `b - A @ x`"


def _rows(
    name: str,
    params: str,
    results: Mapping[str, Kind],
    pull: tuple[str, ...],
    push: tuple[str, ...],
    why: str = "",
    y: str = "",
) -> Op:
    """A factorisation with several results."""
    inside = ", ".join(f"{{{p}}}" for p in params.split())
    return Op(
        name, params, y=y or f"{name}({inside})", domain=ARRAY, cost="dear", structural="matrix", results=results,
        pull=pull, push=push, why=why,
    )  # fmt: skip


def _solutions(n: int) -> tuple[Op, ...]:
    """Systems with n-dimensional right sides, solved with factors that are kept: first, again, and transposed."""
    by, over = f"by2{n}", f"over2{n}"

    def product(v: str, x: str) -> str:
        return f"-outer({v}, {x})" if n == 1 else f"-dot22({v}, T({x}))"

    ahead, back = f"{by}(lu, pivots, w)", f"{over}(lu, pivots, w)"
    pull = (product(back, "y"), "", back)
    push = (f"-{by}(lu, pivots, dot2{n}(d, y))", "", f"{by}(lu, pivots, d)")
    why = "the factors stand for the matrix"
    return (
        row(
            f"solve_by2{n}", "a lu pivots b", "solve_by({a}, {lu}, {pivots}, {b})", n, ("", *pull), ("", *push), why
        ),
        row(by, "lu pivots b", "with_factors({lu}, {pivots}, {b})", n, pull, push, why),
        row(
            over, "lu pivots b", "with_factors({lu}, {pivots}, {b}, True)", n,
            (product("y", ahead), "", ahead),
            (f"-{over}(lu, pivots, dot2{n}(T(d), y))", "", f"{over}(lu, pivots, d)"), why,
        ),
    )  # fmt: skip


def _beyond(u: str, w: str) -> str:
    """The part of w outside the space of the columns of u, each column divided by its singular value."""
    return f"over_columns({w} - dot22({u}, dot22(T({u}), {w})), {u}, s)"


def _side_pull(u: str, vt: str, w: str) -> str:
    """What flows back from the singular vectors u (columns, with the adjoint w), for any number of them."""
    return (
        f"k = over_square_gaps(dot22(T({u}), {w}), pad_values(s, {u})); "
        f"x = dot22({u}, (k + T(k)) * pad_values(s, {u})) + {_beyond(u, w)}; "
        f"dot22(fit_columns(x, {vt}), {vt})"
    )


def _side_push(u: str, vt: str, d: str) -> str:
    """The tangent of the singular vectors u."""
    return (
        f"x = fit_columns(dot22({d}, T({vt})), T({u})); "
        f"p = dot22(T({u}), x) * pad_values(s, {u}); "
        f"k = over_square_gaps(p + T(p), pad_values(s, {u})); "
        f"dot22({u}, k) + {_beyond(u, 'x')}"
    )


def _turned(rule: str) -> str:
    """The same formulas, and their value transposed."""
    *lines, value = rule.split("; ")
    return "; ".join((*lines, f"T({value})"))


def _named(name: str, rule: str) -> str:
    """The lines of a rule, its value as one more part."""
    *lines, value = rule.split("; ")
    return "; ".join((*lines, f"{name} = {value}; "))


def _qr_pull(w: str, m: str, rest: str) -> str:
    """What flows back through qr with the adjoint w of q; the columns behind a square come by themselves."""
    return (
        f"m = {m}; x = {w} + dot22(q, tril(m, 0) + T(tril(m, -1))); "
        f"side_by_side(T(solve22(head_columns(r, q), T(x))), {rest})"
    )


#: The tangent of q, as x.
_QR_PUSH = (
    "e = T(solve22(T(head_columns(r, q)), T(head_columns(d, q)))); c = dot22(T(q), e); k = tril(c, -1) - T(tril(c, -1)); "
    "x = e - dot22(q, c) + dot22(q, k); "
)

ROWS = (
    _rows(
        "np.linalg.eigh", "a", {"values": VECTOR, "vectors": MATRIX},
        (
            "fold_lower(dot22(vectors * w, T(vectors)))",
            "fold_lower(dot22(dot22(vectors, over_gaps(dot22(T(vectors), w), values)), T(vectors)))",
        ),
        (
            "diagonal(dot22(dot22(T(vectors), mirror_lower(d)), vectors))",
            "dot22(vectors, over_gaps(dot22(dot22(T(vectors), mirror_lower(d)), vectors), values))",
        ),
        "the lower triangle alone is read; equal eigenvalues: nan where their vectors are used",
    ),
    _rows(
        "room_for_factors", "a", {"lu": MATRIX, "pivots": Kind("int", 1)}, ("w", ""), ("d", ""),
        "the factors stand for the matrix: their tangent is its tangent, their adjoint its adjoint",
    ),
    *_solutions(1),
    *_solutions(2),
    _rows(
        "np.linalg.svd", "a full", {"u": MATRIX, "s": VECTOR, "vt": MATRIX},
        (
            _side_pull("u", "vt", "w"),
            "dot22(fit_columns(u * pad_values(w, u), vt), vt)",
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
    row(
        "eigvalsh", "a", "np.linalg.eigvalsh({a})", 1, ("fold_lower(eigh_with(a, w))",),
        ("v = eigh_vectors(a); diagonal(dot22(dot22(T(v), mirror_lower(d)), v))",),
        "the lower triangle alone is read; equal ones are treated alike",
    ),
    row(
        "singular_values", "a", "singular_values({a})", 1, ("svd_with(a, w)",),
        ("diagonal(dot22(dot22(T(svd_u(a)), d), T(svd_vt(a))))",),
        "equal ones are treated alike",
    ),
    row(
        "svd_with", "a v", "svd_with({a}, {v})", 2, ("", ""),
        (
            "u = svd_u(a); s = singular_values(a); vt = svd_vt(a); "
            + _named("du", _side_push("u", "vt", "d"))
            + _named("dv", _side_push("T(vt)", "T(u)", "T(d)"))
            + "dot22(du * v, vt) + dot22(u * v, T(dv))",
            "svd_with(a, d)",
        ),
        "u * v @ vt: the singular vectors with other values",
    ),
    row(
        "svd_u", "a", "svd_u({a})", 2, ("",),
        ("u = y; s = singular_values(a); vt = svd_vt(a); " + _side_push("u", "vt", "d"),),
    ),
    row(
        "svd_vt", "a", "svd_vt({a})", 2, ("",),
        ("vt = y; s = singular_values(a); u = svd_u(a); " + _turned(_side_push("T(vt)", "T(u)", "T(d)")),),
    ),
    _rows(
        "np.linalg.slogdet", "a", {"sign": NUMBER, "logdet": NUMBER},
        ("", "w * T(inverse_or_nan(a))"), ("", "sum(T(inverse_or_nan(a)) * d)"), "nan for a singular matrix",
    ),
    _rows(
        "np.linalg.qr", "a", {"q": MATRIX, "r": MATRIX},
        (
            _qr_pull("w", "-dot22(T(w), q)", "0.0 * tail_columns(a, q)"),
            "v = tail_columns(w, q); z = dot22(tail_columns(a, q), T(v)); "
            + _qr_pull("z", "dot22(head_columns(r, q), T(head_columns(w, q))) - dot22(T(z), q)", "dot22(q, v)"),
        ),
        (
            _QR_PUSH + "x",
            _QR_PUSH + "v = dot22(T(q), tail_columns(d, q)) + dot22(T(x), tail_columns(a, q)); "
            "side_by_side(dot22(c - k, head_columns(r, q)), v)",
        ),
        "of full rank",
    ),
    _rows(
        "eig_real", "a", {"values": VECTOR, "vectors": MATRIX},
        (
            "x = T(inv(vectors)); dot22(x * w, T(vectors))",
            "x = T(inv(vectors)); v = w - vectors * diagonal(dot22(T(vectors), w)); "
            "dot22(dot22(x, over_gaps(dot22(T(vectors), v), values)), T(vectors))",
        ),
        (
            "diagonal(solve22(vectors, dot22(d, vectors)))",
            "k = dot22(vectors, over_gaps(solve22(vectors, dot22(d, vectors)), values)); "
            "k - vectors * diagonal(dot22(T(vectors), k))",
        ),
        "where all eigenvalues are real; vectors have length one",
    ),
    *(
        _rows(
            f"lstsq2{n}", "a b", {"solution": Kind("real", n), "residuals": VECTOR, "rank": INT, "s": VECTOR},
            (
                _named("p", "pinv(a)") + pinv_pull("p", f"{product}(w, {b})"), _RESIDUALS, "", "svd_with(a, w)",
                f"dot2{n}(T(pinv(a)), w)", _RESIDUALS, "", "",
            ),
            (
                _named("p", "pinv(a)") + _named("v", pinv_push("p")) + f"dot2{n}(v, b)", _RESIDUALS, "",
                "diagonal(dot22(dot22(T(svd_u(a)), d), T(svd_vt(a))))",
                f"dot2{n}(pinv(a), d)", _RESIDUALS, "", "",
            ),
            "where the rank stays what it is", "np.linalg.lstsq({a}, {b})",
        )
        for n, product, b in ((1, "outer", "b"), (2, "dot22", "T(b)"))
    ),
)  # fmt: skip
