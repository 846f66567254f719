"""Array work of the runtime, compiled and plain."""

import numpy as np
import pytest

import s2sad_runtime
from s2sad_runtime import jit, plain


def test_shares_of_a_median(rt):
    run = jit(lambda x: rt.middle_shares(x)) if rt is not plain else rt.middle_shares
    assert run(np.array([4.0, -1.0, 2.5, 7.0])).tolist() == [0.5, 0.0, 0.5, 0.0]
    assert run(np.array([3.0, 1.0, 2.0])).tolist() == [0.0, 0.0, 1.0]
    assert run(np.array([2.0, 1.0, 2.0, 5.0])).tolist() == [0.5, 0.0, 0.5, 0.0]
    assert run(np.array([1.0, 2.0, 2.0, 3.0, 1.0])).tolist() == [0.0, 0.5, 0.5, 0.0, 0.0]
    assert run(np.empty(0)).size == 0
    assert np.isnan(run(np.array([1.0, np.nan]))).all()


def draw(*shape):
    return np.random.default_rng(shape).uniform(-1.0, 1.0, shape)


A, B, W, S = draw(3, 3), draw(3, 3) @ draw(3, 3), draw(3, 5), np.array([2.0, 1.0, 0.5])
CALLS = {
    "mirror_lower": (A,), "fold_lower": (A,), "half_tril": (A,), "gaps_of": (S,), "over_gaps": (A, S),
    "over_square_gaps": (A, S), "over_columns": (draw(4, 3), draw(4, 3), S), "pad_values": (S, W),
    "fit_columns": (A, W.T), "head_columns": (W, A), "tail_columns": (W, A), "side_by_side": (A, W),
    "block_pair": (A, B), "corner_block": (draw(4, 4),), "cofactors": (A,), "cofactors_along": (A, B),
    "inverse_or_nan": (A,), "svd_u": (A,), "svd_vt": (A,), "svd_with": (W, S), "singular_values": (W,),
    "matrix_power": (A, 5), "power_along": (A, -2, B), "expm": (3.0 * A,), "expm_along": (A, B), "eig_real": (A @ A.T,),
    "one_triangle": (A, True, True), "turned_over": (W, True), "sqrtm": (A @ A.T + np.eye(3),),
    "solve_sylvester": (A @ A.T + np.eye(3), B @ B.T, draw(3, 3)),
}  # fmt: skip


def test_compiled_functions_are_their_plain_twins():
    for name, args in CALLS.items():
        got, want = jit(_calling(getattr(s2sad_runtime, name), len(args)))(*args), getattr(plain, name)(*args)
        pairs = zip(got, want, strict=True) if isinstance(want, tuple) else [(got, want)]
        for one, other in pairs:
            assert one.shape == other.shape, name
            assert np.allclose(one, other, rtol=1e-12, atol=1e-13), name
            assert not any(np.shares_memory(one, arg) for arg in args if isinstance(arg, np.ndarray)), name


def _calling(function, count):
    return (lambda a: function(a), lambda a, b: function(a, b), lambda a, b, c: function(a, b, c))[count - 1]


def test_equal_values_and_singular_matrices():
    assert plain.over_gaps(np.array([[1.0, 0.0], [2.0, 1.0]]), np.ones(2)).tolist()[0] == [0.0, 0.0]
    assert np.isnan(plain.over_gaps(np.array([[1.0, 0.0], [2.0, 1.0]]), np.ones(2))[1, 0])
    assert np.isnan(plain.inverse_or_nan(np.ones((2, 2)))).all()
    with pytest.raises(ValueError, match="domain change"):
        plain.eig_real(np.array([[0.0, 1.0], [-1.0, 0.0]]))
