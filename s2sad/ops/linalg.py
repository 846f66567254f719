"""Rows: products and factorisations of matrices. BLAS and LAPACK do the work, in the derivatives too.

A slope per element means nothing here. Instead a row says, for each operand, what reversing adds to its adjoint
(`pull`, with the seed w and the result y), and what a tangent d of it gives (`push`). Both are formulas over these
rows, so they can be differentiated again. Sources: Giles 2008, "Collected matrix derivative results"; for cholesky
Murray 2016, "Differentiation of the Cholesky decomposition"; for pinv Golub and Pereyra 1973; for powers and
exponentials Mathias 1996, "A chain rule for matrix functions".
"""

from __future__ import annotations

from s2sad.ops.row import ARRAY, Op, Result


def row(
    key: str,
    params: str,
    y: str,
    ndim: int,
    pull: tuple[str, ...],
    push: tuple[str, ...],
    why: str = "",
    opaque: str = "",
    result: Result = "real",
) -> Op:
    """An operation that gives one matrix, vector or number."""
    return Op(
        key, params, y=y, domain=ARRAY, cost="dear", structural="matrix", ndim=ndim, pull=pull, push=push, why=why,
        opaque=opaque, result=result,
    )  # fmt: skip


def pinv_pull(p: str, w: str) -> str:
    """What flows back to a from its pseudoinverse p with the adjoint w."""
    return (
        f"v = {w}; x = dot22(dot22(T(v), {p}), T({p})); z = dot22(T({p}), dot22({p}, T(v))); "
        f"x - dot22(a, dot22({p}, x)) + z - dot22(dot22(z, {p}), a) - dot22(dot22(T({p}), v), T({p}))"
    )


def pinv_push(p: str) -> str:
    """The tangent of the pseudoinverse p of a."""
    return (
        f"x = dot22(dot22({p}, T({p})), T(d)); z = dot22(T(d), dot22(T({p}), {p})); "
        f"x - dot22(dot22(x, a), {p}) + z - dot22({p}, dot22(a, z)) - dot22(dot22({p}, d), {p})"
    )


ROWS = (
    row("dot11", "a b", "{a} @ {b}", 0, ("w * b", "w * a"), ("dot11(d, b)", "dot11(a, d)")),
    row("dot21", "a b", "{a} @ {b}", 1, ("outer(w, b)", "dot12(w, a)"), ("dot21(d, b)", "dot21(a, d)")),
    row("dot12", "a b", "{a} @ {b}", 1, ("dot21(b, w)", "outer(a, w)"), ("dot12(d, b)", "dot12(a, d)")),
    row("dot22", "a b", "{a} @ {b}", 2, ("dot22(w, T(b))", "dot22(T(a), w)"), ("dot22(d, b)", "dot22(a, d)")),
    row("outer", "a b", "np.outer({a}, {b})", 2, ("dot21(w, b)", "dot12(a, w)"), ("outer(d, b)", "outer(a, d)")),
    row(
        "solve21", "a b", "np.linalg.solve({a}, {b})", 1,
        ("-outer(solve21(T(a), w), y)", "solve21(T(a), w)"), ("-solve21(a, dot21(d, y))", "solve21(a, d)"),
    ),
    row(
        "solve22", "a b", "np.linalg.solve({a}, {b})", 2,
        ("-dot22(solve22(T(a), w), T(y))", "solve22(T(a), w)"), ("-solve22(a, dot22(d, y))", "solve22(a, d)"),
    ),
    row("inv", "a", "np.linalg.inv({a})", 2, ("-dot22(dot22(T(y), w), T(y))",), ("-dot22(dot22(y, d), y)",)),
    row(
        "det", "a", "np.linalg.det({a})", 0, ("w * cofactors(a)",), ("sum(cofactors(a) * d)",), "for singular a too",
        result="double",
    ),
    row(
        "pinv", "a", "np.linalg.pinv({a})", 2,
        (pinv_pull("y", "w"),), (pinv_push("y"),),
        "where the rank stays what it is",
    ),
    row(
        "matrix_power", "a n", "matrix_power({a}, {n})", 2,
        ("power_along(T(a), n, w)", ""), ("power_along(a, n, d)", ""),
        "the corner of the power of [[a, d], [0, a]]",
    ),
    row(
        "expm", "a", "expm({a})", 2, ("expm_along(T(a), w)",), ("expm_along(a, d)",),
        "the corner of the exponential of [[a, d], [0, a]]",
    ),
    *(
        row(
            f"solve_triangular2{n}", "a b lower turned unit", "solve_triangular({a}, {b}, {lower}, {turned}, {unit})", n,
            (
                f"v = solve_triangular2{n}(a, w, lower, not turned, unit); "
                f"-one_triangle(turned_over({outer}, turned), lower, unit)",
                f"solve_triangular2{n}(a, w, lower, not turned, unit)", "", "", "",
            ),
            (
                f"x = dot2{n}(turned_over(one_triangle(d, lower, unit), turned), y); "
                f"-solve_triangular2{n}(a, x, lower, turned, unit)",
                f"solve_triangular2{n}(a, d, lower, turned, unit)", "", "", "",
            ),
            "one triangle alone is read",
        )
        for n, outer in ((1, "outer(v, y)"), (2, "dot22(v, T(y))"))
    ),
    row(
        "solve_banded", "l u ab b", "solve_banded({l}, {u}, {ab}, {b})", 2,
        (
            "", "", "-bands_of(solve_banded(u, l, turned_bands(ab, l, u), w), y, l, u)",
            "solve_banded(u, l, turned_bands(ab, l, u), w)",
        ),
        ("", "", "-solve_banded(l, u, ab, banded_product(d, y, l, u))", "solve_banded(l, u, ab, d)"),
        "the diagonals of the matrix are the rows of ab",
    ),
    row(
        "solve_sylvester", "a b q", "solve_sylvester({a}, {b}, {q})", 2,
        (
            "-dot22(solve_sylvester(T(a), T(b), w), T(y))", "-dot22(T(y), solve_sylvester(T(a), T(b), w))",
            "solve_sylvester(T(a), T(b), w)",
        ),
        ("-solve_sylvester(a, b, dot22(d, y))", "-solve_sylvester(a, b, dot22(y, d))", "solve_sylvester(a, b, d)"),
        "a x + x b = q",
    ),
    row(
        "sqrtm", "a", "sqrtm({a})", 2, ("solve_sylvester(T(y), T(y), w)",), ("solve_sylvester(y, y, d)",),
        "where the principal root is real",
    ),
    row("tril", "a k", "np.tril({a}, {k})", 2, ("tril(w, k)", ""), ("tril(d, k)", "")),
    row("triu", "a k", "np.triu({a}, {k})", 2, ("triu(w, k)", ""), ("triu(d, k)", "")),
    row(
        "cholesky", "a", "np.linalg.cholesky({a})", 2,
        ("cholesky_back(y, w)",),
        (
            "k = T(solve_triangular22(y, mirror_lower(d), True, False, False)); "
            "dot22(y, half_tril(solve_triangular22(y, k, True, False, False)))",
        ),
        "the lower triangle alone is read",
    ),
)  # fmt: skip
