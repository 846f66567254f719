"""Jacobians of tapes, dense and sparse; tapes in files, and drawn."""

import numpy as np
import pytest
from corpus.case import matrix, vector

import s2sad


def reaction(u, k):
    """Diffusion and reaction on a square, in place of a residual."""
    n, m = u.shape
    r = np.zeros((n, m))
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            around = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]
            r[i, j] = around - 4.0 * u[i, j] + k * u[i, j] * (1.0 - u[i, j])
    return r


def projected(cameras, points, seen):
    """The form of a bundle adjustment: two residuals per observation, of one camera and one point."""
    r = np.zeros(2 * seen.shape[0])
    for q in range(seen.shape[0]):
        c, p = seen[q, 0], seen[q, 1]
        depth = points[p, 2] + cameras[c, 2]
        r[2 * q] = (points[p, 0] + cameras[c, 0]) / depth
        r[2 * q + 1] = (points[p, 1] + cameras[c, 1]) / depth
    return r


SEEN = np.array([[c, p] for c in range(3) for p in range(8) if (c + p) % 3 != 1])


@pytest.fixture(params=[False, True], ids=["plain", "compiled"])
def jit(request):
    return request.param


@pytest.mark.parametrize("index", ["linear", "reuse", "multiuse"])
def test_sparse_is_dense(index, jit):
    u = matrix(6, 7)
    tape = s2sad.record(reaction, index=index, jit=jit)(u, 0.3)
    dense = s2sad.jacobian(reaction, jit=False)(u, 0.3).reshape(42, 42)
    got = tape.jacobian(sparsity=tape.sparsity(0))
    np.testing.assert_allclose(got.toarray(), dense, rtol=1e-13, atol=1e-14)
    assert got.nnz == 5 * 4 * 5
    u_block, k_block = tape.jacobian()
    np.testing.assert_allclose(u_block.reshape(42, 42), dense, rtol=1e-13, atol=1e-14)
    assert k_block.shape == (6, 7)


def test_the_number_of_directions_does_not_grow():
    found = [s2sad.sparsity(reaction, matrix(n, n), 0.3, jit=True).directions for n in (8, 16, 32)]
    assert max(found) <= 9  # (5 is the least)


def test_a_pattern_is_used_again(jit):
    cameras, points = matrix(3, 3) + 2.0, matrix(8, 3) + 4.0
    known = s2sad.sparsity(projected, cameras, points, SEEN, argnums=1, jit=jit)
    jacobian = s2sad.jacobian(projected, 1, sparsity=known, jit=jit)
    for k in range(3):
        moved = points + 0.1 * k
        dense = s2sad.jacobian(projected, 1, jit=False)(cameras, moved, SEEN).reshape(2 * len(SEEN), 24)
        np.testing.assert_allclose(jacobian(cameras, moved, SEEN).toarray(), dense, rtol=1e-12, atol=1e-14)
    assert known.directions < 24


def test_rows_where_they_are_fewer(jit):
    known = s2sad.sparsity(two_sums, vector(30), jit=jit)
    assert (known.by, known.directions) == ("rows", 1)
    got = s2sad.jacobian(two_sums, sparsity="detect", jit=jit)(vector(30)).toarray()
    np.testing.assert_allclose(got[0, :15], np.cos(vector(30)[:15]), rtol=1e-13)
    np.testing.assert_allclose(got[1, 15:], 2.0 * vector(30)[15:], rtol=1e-13)


def two_sums(x):
    a, b = 0.0, 0.0
    for i in range(15):
        a += np.sin(x[i])
        b += x[i + 15] ** 2
    y = np.zeros(2)
    y[0] = a
    y[1] = b
    return y


@pytest.mark.parametrize(
    ("code", "call"),
    [
        ("S097", lambda: s2sad.record(reaction, jit=False)(matrix(4, 4), 0.3).jacobian(sparsity="all")),
        ("S097", lambda: s2sad.record(reaction, jit=False)(matrix(4, 4), 0.3).jacobian(
            sparsity=s2sad.sparsity(reaction, matrix(5, 5), 0.3, jit=False))),
        ("S093", lambda: s2sad.jacobian(reaction, (0, 1), sparsity="detect")),
    ],
)  # fmt: skip
def test_refused(code, call):
    with pytest.raises(s2sad.S2sadError) as e:
        call()
    assert e.value.code == code


def several(x, w):
    return x * w, np.sum(x) * w[0]


def test_dense_blocks(jit):
    (a, b), (c, d) = s2sad.record(several, jit=jit)(vector(3), vector(3, 1.1)).jacobian()
    w, x = vector(3, 1.1), vector(3)
    np.testing.assert_allclose(a, np.diag(w), atol=1e-15)
    np.testing.assert_allclose(b, np.diag(x), atol=1e-15)
    np.testing.assert_allclose(c, np.full(3, w[0]), rtol=1e-15)
    np.testing.assert_allclose(d, [np.sum(x), 0.0, 0.0], rtol=1e-15)


def test_one_number_by_one_number():
    assert s2sad.record(lambda x: x * x, jit=False)(3.0).jacobian() == 6.0


@pytest.mark.parametrize("index", ["linear", "reuse", "multiuse"])
def test_saved_and_loaded(index, jit, tmp_path):
    tape = s2sad.record(several, index=index, jit=jit)(vector(3), vector(3, 1.1))
    tape.save(tmp_path / "t.npz")
    again = s2sad.Tape.load(tmp_path / "t.npz")
    np.testing.assert_array_equal(again.value[0], tape.value[0])
    assert again.value[1] == tape.value[1]
    bar = (np.ones(3), 2.0)
    for one, other in zip(again.reverse(bar), tape.reverse(bar), strict=True):
        np.testing.assert_array_equal(one, other)
    counts = (
        "inputs",
        "statements",
        "arguments",
        "copies_elided",
        "index_max",
        "tape_bytes",
        "formula_bytes",
    )
    assert [getattr(again.stats(), n) for n in counts] == [getattr(tape.stats(), n) for n in counts]


def test_drawn():
    lines = s2sad.record(lambda x, y: (x * y, x), jit=False)(3.0, 4.0).dot().splitlines()
    assert lines[0] == "digraph tape {"
    assert '  i1 [shape=box, label="x"];' in lines
    assert '  i1 -> s0 [label="4"];' in lines
    assert '  i2 -> s0 [label="3"];' in lines
    assert "  s0 -> o_r_0;" in lines
    assert "  i1 -> o_r_1;" in lines
