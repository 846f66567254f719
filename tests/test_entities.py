"""Tapes of entities: one index per array, one statement per Python statement. (The corpus is recorded in checks.py.)"""

import numpy as np
import pytest

import s2sad

MANAGERS = ("linear", "reuse", "multiuse")
RNG = np.random.default_rng(5)


@pytest.fixture(params=[False, True], ids=["plain", "compiled"])
def jit(request):
    return request.param


def product(A, x):
    return A @ x


def product_of_matrices(A, B):
    return A @ B


def solution(M, b):
    return np.linalg.solve(M, b)


def shifted(M, v1, v2):
    return np.linalg.solve(M, v2 - v1) + v1


def stepped(u, c, n):
    """Elements and sections that are overwritten, a name that is bound anew, a number."""
    w = u * 0.5
    s = 0.0
    for k in range(n):
        w[k % 3] = w[(k + 1) % 3] * u[0] - c
        w[1:] = w[:-1] * c + w[1:]
        w *= 1.0 + 0.1 * u
        v = w.copy()
        w = np.sin(v) + u
        s = s * c + v[k % 3]
    return w, s


def matrix(k):
    return RNG.normal(size=(k, k)) + k * np.eye(k)


def arguments(f, k):
    more = {product: (k,), product_of_matrices: (k, k), solution: (k,)}
    if f is shifted:
        return matrix(k), RNG.normal(size=k), RNG.normal(size=k)
    return matrix(k), RNG.normal(size=more[f])


PAPER = (product, product_of_matrices, solution, shifted)


def agree(tape, f, args, cotangent):
    _, pull = s2sad.vjp(f, *args, jit=False)
    for _ in range(2):
        for got, want in zip(tape.reverse(cotangent), pull(cotangent), strict=True):
            if want is not None:
                np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-13)
    directions = [RNG.normal(size=np.shape(a)) if isinstance(a, np.ndarray | float) else None for a in args]
    _, want = s2sad.jvp(f, args, directions, jit=False)
    got = tape.forward(*directions)
    for a, b in zip(*map(parts, (got, want)), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-13)
    together(tape, cotangent, directions)


def parts(x):
    return x if isinstance(x, tuple) else (x,)


def together(tape, cotangent, directions):
    """Several directions in one sweep are what they are one by one."""
    scales = np.array([1.0, 0.0, -0.5, 3.0])

    def rows(x):
        return None if x is None else np.stack([RNG.normal(size=np.shape(x)) * s for s in scales])

    bars = tuple(map(rows, parts(cotangent)))
    dots = tuple(map(rows, directions))
    back = tape.reverse(bars if isinstance(cotangent, tuple) else bars[0])
    on = parts(tape.forward(*dots))
    for d in range(len(scales)):
        one = tuple(b[d] for b in bars)
        for all_, alone in zip(
            back, tape.reverse(one if isinstance(cotangent, tuple) else one[0]), strict=True
        ):
            if alone is not None:
                np.testing.assert_allclose(all_[d], alone, rtol=1e-13, atol=1e-15)
        alone = parts(tape.forward(*(t if t is None else t[d] for t in dots)))
        for a, b in zip(on, alone, strict=True):
            np.testing.assert_allclose(a[d], b, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("f", PAPER)
def test_operations_of_the_paper(f, jit):
    args = arguments(f, 10)
    tape = s2sad.record(f, entities=True, jit=jit, check=True)(*args)
    agree(tape, f, args, RNG.normal(size=np.shape(tape.value)))
    stats = tape.stats()
    assert stats.statements == 1
    assert stats.tape_bytes <= (104 if f is shifted else 96)
    assert stats.primal_bytes == sum(a.nbytes for a in (*args, tape.value))


@pytest.mark.parametrize("index", MANAGERS)
def test_elements_sections_and_names(index, jit):
    args = (np.array([0.4, -0.3, 0.8]), 0.7, 5)
    tape = s2sad.record(stepped, index=index, entities=True, jit=jit, check=True)(*args)
    value = stepped(*args)
    np.testing.assert_array_equal(tape.value[0], value[0])
    agree(tape, stepped, args, (np.array([1.0, 2.0, -1.0]), 0.5))


def test_a_store_notes_what_it_overwrites_alone():
    def one(x, v, n):
        for k in range(n):
            v[1] = v[1] * x
        return v

    few, many = (
        s2sad.record(one, entities=True, jit=False)(2.0, np.ones(size), 10).stats().tape_bytes
        for size in (3, 300)
    )
    assert few == many == 10 * (8 + 2 * 4 + 8)  # site, size; v and x; the element


def test_names_that_share_an_array_share_an_index(jit):
    tape = s2sad.record(shared, entities=True, jit=jit, check=True)(np.array([1.0, 2.0]), 3)
    assert tape.stats().copies_elided > 0
    np.testing.assert_allclose(tape.reverse(1.0)[0], [12.0, 48.0])  # of 4 (x0 ** 3 + x1 ** 3)


def shared(x, n):
    a = x * x
    b = x * 1.0
    for k in range(n):
        if k % 2 == 0:
            b = a
        else:
            b = b * 1.0
    a[...] = a * x
    return np.sum(a + a + b + b) if n % 2 else np.sum(a)


def test_jacobians_and_several_directions():
    args = arguments(shifted, 4)
    whole = s2sad.record(shifted, entities=True, jit=False)(*args)
    for got, want in zip(whole.jacobian(), s2sad.record(shifted, jit=False)(*args).jacobian(), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-11, atol=1e-13)
    many = np.tile(np.eye(4), (9, 1))  # (more than go together)
    rows = whole.reverse(many)
    assert rows[0].shape == (36, 4, 4)
    for k in range(36):
        np.testing.assert_array_equal(rows[0][k], whole.reverse(many[k])[0])


@s2sad.operation
def weighed(x, n, m):
    return x * (n % 10) * (m[1] % 10)


def test_whole_numbers_stay_exact(jit):
    """Those that a float64 doesn't hold as well: 2**53 + 1."""
    n = 2**53 + 1
    for sign in (1, -1):
        args = (2.0, sign * n, np.array([5, sign * n, 7]))
        tape = s2sad.record(weighed, entities=True, jit=jit)(*args)
        want = float(n % 10) ** 2 if sign == 1 else float(-n % 10) ** 2
        assert tape.reverse(1.0)[0] == want
        assert tape.forward(1.0, None, None) == want


def test_adjoints_untouched_cost_nothing():
    def apart(x, y):
        return np.exp(x), np.log(y)

    tape = s2sad.record(apart, entities=True, jit=False)(np.ones(3), np.zeros(3))
    x_b, y_b = tape.reverse((np.ones(3), np.zeros(3)))
    np.testing.assert_allclose(x_b, np.e * np.ones(3))
    np.testing.assert_array_equal(y_b, np.zeros(3))


@pytest.mark.parametrize(
    "call",
    [
        lambda t: t.save("t.npz"), lambda t: t.dot(), lambda t: t.sparsity(), lambda t: t.primal(None, None),
        lambda t: t.jacobian(sparsity="detect"),
    ],
)  # fmt: skip
def test_what_needs_elements(call):
    tape = s2sad.record(product, entities=True, jit=False)(*arguments(product, 3))
    with pytest.raises(s2sad.ArgumentError) as e:
        call(tape)
    assert e.value.code == "S097"


def test_complex_numbers_are_refused():
    with pytest.raises(s2sad.UnsupportedSyntaxError) as e:
        s2sad.record(rotated, entities=True, jit=False)(0.5, 2)
    assert e.value.code == "S075"


def rotated(x, n):
    z = 1.0 + 0j
    for _ in range(n):
        z = z * (x + 1j)
    return z.real


# ----- adjoints get their memory at the first touch ---------------------------------------------------------------


def apart(x, u, n):
    """`u` grows over many arrays with an index each; `x` has to do with one of the results alone."""
    a, b = x * x, u
    for _ in range(n):
        c = np.exp(-b) + u
        d = c * b + u
        b = d * 0.5
    return np.sum(a), b


def test_adjoints_that_nothing_touches_take_no_memory(jit):
    """24 bytes per array of three elements that is touched in a direction, however large the others are."""
    x, u = np.array([1.0, 2.0, 3.0]), np.linspace(0.1, 0.9, 500)
    tape = s2sad.record(apart, entities=True, jit=jit, index="linear")(x, u, 40)
    assert tape.stats().index_max > 100
    assert tape.stats().adjoint_bytes > 8 * 500 * 100
    for several, touched in ((0, 2), (4, 4)):
        seeds = np.array([1.0, 0.0, 0.0, 2.0])
        given = {"r_0": seeds if several else np.float64(1.0), "r_1": np.zeros((500, 4) if several else 500)}
        bars = tape._back_along(given, several)[1]
        assert bars.held == 24 * touched  # x and a, in the directions that say anything
    x_b, u_b, _ = tape.reverse((np.array([1.0, 0.0, 0.0, 2.0]), np.zeros((4, 500))))
    np.testing.assert_allclose(x_b, np.outer([1.0, 0.0, 0.0, 2.0], 2.0 * x))
    assert not u_b.any()
    agree(tape, apart, (x, u, 40), (1.0, np.cos(u)))
