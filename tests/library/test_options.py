"""Options of functions, and operands of all kinds: values are NumPy's, tangents differences, pullbacks agree."""

import breadth
import numpy as np
import pytest

import s2sad

RNG = np.random.default_rng(7)
ARGS = (
    RNG.standard_normal(5),
    RNG.standard_normal((3, 4)),
    RNG.standard_normal((2, 3, 4)),
    0.7,
    np.array([1, 0, 2, 0, 1]),
)
MASK = "[True, False, True, False, True]"

EXPRESSIONS = [
    # lists of bools are masks
    f"x[{MASK}] * s",
    "A[[True, False, True]] * s",
    "A[:, [True, False, True, False]]",
    "x[[x[0] > 0, x[1] > 0, True, False, True]]",
    "A[[[True, False, True, True], [False, False, True, False], [True, True, False, False]]]",
    "A[[0, 2]]",
    "A[[2, 0], [1, 1]]",
    # what isn't zero is true
    "np.compress([True, False, True], A, axis=0)",
    "np.compress([1, 0, 1], A, axis=0)",
    "np.compress([0, 1], A, axis=1)",
    "np.compress(i, x)",
    "np.compress([0, 1], A)",
    "np.extract(i, x)",
    "np.extract(x > 0, x)",
    "np.where(i, x, s)",
    # lists where arrays are taken
    "x * [1, 2, 3, 4, s]",
    "(1, 2, 3, 4, s) - x",
    "A @ [1, 2, 3, s]",
    "np.dot([1, 2, 3, 4, 5], x)",
    "np.add([1, s, 3, 4, 5], x)",
    "np.exp([s, 1])",
    "np.interp(x, [-1.0, 0.0, 1.0], [2.0, s, 5.0])",
    "np.quantile(x, [0.2, 0.5])",
    "np.percentile(x, (20, 50))",
    "np.average(x, weights=[1, 2, 3, 4, s])",
    "np.concatenate(([s], x, [1.0, 2.0]))",
    "np.hstack((x, [s, 1.0]))",
    "np.vstack(([1.0, s], [2.0, 3.0]))",
    "np.linalg.solve([[2.0, s], [0.0, 1.0]], [1.0, s])",
    "np.where([True, False, True, False, True], x, [1.0, s, 2.0, 3.0, 4.0])",
    "np.mean([x, x * s], axis=0)",
    "np.clip(x, [0, 0, 0, 0, 0], a_max=[1, 1, 1, 1, s])",
    "np.insert(x, 1, [s, 2.0])",
    "np.take(A, [[0, 1], [1, 2]], axis=0)",
    "np.repeat(A, [1, 2, 0], axis=0)",
    "np.bincount([0, 1, 1, 2, 0], weights=x)",
    "np.digitize(x, [-1.0, 0.0, 1.0]) * s",
    # a histogram of what is all the same
    "np.histogram(x * 0.0 + 1.0, bins=3, weights=x)[0]",
    "np.histogram(x, bins=4, range=(1, 1), weights=x)[0]",
    "np.histogram(x, range=(-1, s), weights=x)[0]",
    # diagonals of many axes, of matrices that are not square
    "np.diagonal(c)",
    "np.diagonal(c, 0, 1, 2)",
    "np.diagonal(c, 1)",
    "np.diagonal(c, offset=-1, axis1=-2, axis2=-1)",
    "np.diagonal(c, 5)",
    "np.diagonal(c, i[0], 2, 0)",
    "np.trace(c, 1, 1, 2)",
    "np.trace(c, axis1=0, axis2=2)",
    "np.trace(c, -i[0], 2, 1)",
    # complex numbers
    "np.angle(np.fft.fft(x))",
    "np.angle(np.fft.fft(x), deg=True)",
    "np.angle(x + 1j * s)",
    "np.angle(x)",
    "np.isreal(x) * s",
    "np.iscomplex(A) + A",
    "np.isreal(np.fft.fft(x)) * s",
    "np.iscomplexobj(np.fft.fft(x)) * s",
    "np.iscomplexobj(x) * s",
    "np.iscomplexobj(s + 1j) * s",
    "np.vdot(s + 1j * x[0], x[1] + 2j).real",
]


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expression(text):
    (f,) = breadth.functions([text], "xAcsi")
    agrees(f)


def written_by_a_mask(x, A, c, s, i):
    y = x.copy()
    y[[True, False, True, False, True]] = s
    y[[False, True, True, False, True]] *= s + y[0]
    return y


def filled_with_lists(x, A, c, s, i):
    y = A.copy()
    y[0] = [s, 2.0, 1.0, x[0]]
    y[1:, 1:3] = ((s, 2.0), (x[1], 1.0))
    y[[0, 1], 0] = [s, x[2]]
    y[2] *= [s, 2.0, 1.0, 3.0]
    y[1, :2] = s, 2.0
    y += [s, 2.0, 1.0, 3.0]
    return y


def of_lists_that_grow(x, A, c, s, i):
    seen = []
    for v in x:
        seen.append(v * s)
    return np.cumsum(seen) * np.mean(seen) + np.interp(s, [0.0, 1.0], seen[:2])


@pytest.mark.parametrize("f", [written_by_a_mask, filled_with_lists, of_lists_that_grow])
def test_function(f):
    agrees(f)


def agrees(f):
    rng = np.random.default_rng(8)
    directions = (*(rng.standard_normal(a.shape) for a in ARGS[:3]), float(rng.standard_normal()), None)
    value, slope = s2sad.jvp(f, ARGS, directions, jit=False)
    assert np.shape(value) == np.shape(f(*ARGS))
    assert np.allclose(value, f(*ARGS), rtol=1e-14, atol=1e-14)
    h = 1e-6
    ahead, behind = (
        f(*(a if d is None else a + step * d for a, d in zip(ARGS, directions, strict=True)))
        for step in (h, -h)
    )
    assert np.allclose(slope, (ahead - behind) / (2 * h), rtol=1e-6, atol=1e-7)
    value, pull = s2sad.vjp(f, *ARGS, jit=False)
    w = rng.standard_normal(np.shape(value))[()]
    pairs = [(g, d) for g, d in zip(pull(w), directions, strict=True) if g is not None]
    assert sum(np.sum(g * d) for g, d in pairs) == pytest.approx(np.sum(w * slope), rel=1e-10, abs=1e-12)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("np.sinc(x + 1j).real", "S042"),
        ("np.sign(np.fft.fft(x)).real", "S042"),
        ("np.where(np.fft.fft(x) < 1.0, x, s)", "S042"),
    ],
)
def test_of_real_numbers_alone(text, code):
    """Slopes of complex numbers that nobody has."""
    (f,) = breadth.functions([text], "xAcsi")
    with pytest.raises(s2sad.UnsupportedSyntaxError, match=code):
        s2sad.vjp(f, *ARGS, jit=False)


def test_a_covariance_of_one_variable():
    """NumPy gives a number, by the length of an axis."""
    (f,) = breadth.functions(["np.cov(A[:1])"], "xAcsi")
    with pytest.raises(ValueError, match="one variable"):
        s2sad.vjp(f, *ARGS, jit=False)
