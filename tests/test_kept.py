"""Tapes of values: slopes formed in each sweep, and the program evaluated again at another point."""

import numpy as np
import pytest

import s2sad

MANAGERS = ("linear", "reuse", "multiuse")


def model(x, w, n):
    y = x.copy()
    s = 0.0
    for k in range(n):
        t = y[k % 3] * w
        if t > 0.0:
            s += np.exp(-t) * y[0]
        else:
            s = s - t * t / (1.0 + k)
        y[k % 3] = np.sin(s) + y[(k + 1) % 3]
        z = y[1]
        y[1] = z * 0.5
    y *= w
    return y, np.sum(y) * s + np.dot(y, y)


X, W = np.array([0.3, -0.7, 1.1]), 0.8
BAR = (np.array([1.0, 2.0, 3.0]), 0.5)


@pytest.fixture(params=[False, True], ids=["plain", "compiled"])
def jit(request):
    return request.param


@pytest.mark.parametrize(("index", "jit"), [*((i, False) for i in MANAGERS), ("multiuse", True)])
def test_sweeps_at_the_point_and_at_others(index, jit):
    tape = s2sad.record(model, index=index, values="primal", jit=jit, check=True)(X, W, 5)
    for shift in (0.0, 0.02, -0.01, 0.0):
        x, w = X + shift, W - shift
        want, pull = s2sad.vjp(model, x, w, 5, jit=False)
        got = tape.primal(x, w, None)
        np.testing.assert_allclose(got[0], want[0], rtol=1e-14)
        assert got[1] == pytest.approx(want[1], rel=1e-14)
        x_b, w_b, none = pull(BAR)
        for _ in range(2):
            one = tape.reverse(BAR)
            np.testing.assert_allclose(one[0], x_b, rtol=1e-12)
            assert one[1] == pytest.approx(w_b, rel=1e-12)
            assert one[2] is none is None
        _, d = s2sad.jvp(model, (x, w, 5), (X, 1.0, None), jit=False)
        y_d, s_d = tape.forward(X, 1.0, None)
        np.testing.assert_allclose(y_d, d[0], rtol=1e-12)
        assert s_d == pytest.approx(d[1], rel=1e-12)
    many = tape.reverse((np.eye(3), np.zeros(3)))
    np.testing.assert_allclose(many[0][1], tape.reverse((np.eye(3)[1], 0.0))[0], rtol=1e-13)


def branching(x):
    y = x
    while y < 10.0:
        y = y * 2.0
    k = int(x)
    if x > 1.5 and y > 11.0:
        y = y + k
    return y


def test_another_way_is_refused_and_changes_nothing(jit):
    tape = s2sad.record(branching, values="primal", jit=jit)(1.6)
    assert tape.value == branching(1.6)
    for other in (2.6, 4.0, 1.45, 1.3):
        with pytest.raises(s2sad.ArgumentError) as e:
            tape.primal(other)
        assert e.value.code == "S098"
        assert "branching" in str(e.value)
    assert tape.reverse(1.0) == (8.0,)
    assert tape.primal(1.55) == branching(1.55)


def looked_up(x, table):
    return table[int(x)] * x


def test_a_subscript_is_a_decision():
    tape = s2sad.record(looked_up, values="primal", jit=False)(1.5, np.array([1.0, 2.0, 3.0]))
    assert tape.primal(1.75, np.array([1.0, 4.0, 3.0])) == 7.0
    with pytest.raises(s2sad.ArgumentError):
        tape.primal(2.5, np.array([1.0, 4.0, 3.0]))


@pytest.mark.parametrize("index", MANAGERS)
def test_bytes(index):
    s = s2sad.record(stepped, index=index, values="primal", jit=False)(0.5, 10).stats()
    copies = int(index == "reuse")  # the others elide the copy that y begins as
    assert (s.statements, s.arguments) == (10 + copies, 20 + copies)  # two operands each, and a constant
    logged = 0 if index == "linear" else 12
    assert s.tape_bytes == (10 + copies) * (4 + logged) + (20 + copies) * 4 + 10 * 8
    assert s.primal_bytes == 8 * (s.index_max + 1)


def stepped(x, n):
    y = x
    for k in range(n):
        y = y * x + k
    return y


@pytest.mark.parametrize(
    "call",
    [
        lambda: s2sad.record(lambda x: np.max(x) * 2.0, values="primal", jit=False)(X),
        lambda: s2sad.record(inverse, values="primal", jit=False)(np.eye(2)),
        lambda: s2sad.record(masked, values="primal", jit=False)(X),
    ],
)
def test_refused(call):
    with pytest.raises(s2sad.UnsupportedSyntaxError) as e:
        call()
    assert e.value.code == "S075"
    assert 'values="jacobian"' in str(e.value)


def inverse(a):
    return np.sum(np.linalg.inv(a))


def masked(x):
    return np.sum(x[x > 0.0])


def test_a_tape_of_slopes_is_at_one_point():
    tape = s2sad.record(stepped, jit=False)(0.5, 3)
    with pytest.raises(s2sad.ArgumentError) as e:
        tape.primal(0.6, 3)
    assert e.value.code == "S097"


def written(u, x):
    for i in range(len(u)):
        u[i] = np.sin(u[i]) * x
        x = x + u[i] * u[i]
    return x


def test_forward_starts_where_the_run_did(jit):
    """The function writes into its argument: what it ends with is not what it began with."""
    step, direction = 1e-20, np.array([1.0, 2.0, 3.0])
    u = np.array([0.3, 0.5, 0.7])
    want = written(u + 1j * step * direction, 1.2 + 0.5j * step).imag / step
    tape = s2sad.record(written, values="primal", jit=jit)(u.copy(), 1.2)
    for _ in range(2):
        assert tape.forward(direction, 0.5) == pytest.approx(want, rel=1e-12)
        tape.reverse(1.0)
