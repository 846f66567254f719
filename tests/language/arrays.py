"""Arrays: elements, sections, views, operations on whole arrays."""

import numpy as np

from language.row import no, yes


def elements(u):
    """`x[i]`, `A[i, j]`, `x[-1]`, `x[i] += e`"""
    v = u.copy()
    v[0] = u[1] * u[-1]
    v[1] += v[0] * u[0]
    return v[0] * v[1]


def sections(A):
    """slices, steps also negative, `...`, `np.newaxis`: read, stored, augmented

    stores that overlap what they read have NumPy's meaning
    """
    B = A.copy()
    B[1:, 0] = A[:-1, 1] * 2.0
    B[::-1, ...] *= A
    B[0, 1:] += B[0, :-1]
    return np.sum(B[:, np.newaxis, 0] * A)


def views(A):
    """names for sections: `row = A[i]`, `x.T`, `x.reshape(n, m)`, `x.ravel()`

    they share memory as in NumPy
    """
    B = A * 2.0
    row = B[0]
    row[1] = A[0, 0] * A[1, 1]
    return np.sum(B.T) * B[0, 1] + np.sum(B.reshape(4) * A.ravel())


def swapped(u, n):
    """`u, v = v, u`, `b = a`, names of arrays bound anew in loops and branches

    two names for one array stay one array
    """
    v = np.zeros_like(u)
    w = u * 1.5
    for _ in range(n):
        v[0] = w[1] * w[0]
        v[1] = w[0]
        v, w = w, v
    b = w
    b[0] = b[0] * 2.0
    return w[0] * w[1]


def integer_subscripts(u, order):
    """integer arrays and masks as subscripts, read and stored

    `x[i] += e` adds once where an index is repeated, as in NumPy
    """
    v = u[order]
    v[v > 1.0] = 0.5
    v[order] += u
    return np.sum(v * u)


def whole_arrays(u, A):
    """elementwise arithmetic and functions, broadcasting, `+=` and the like"""
    B = A * u + np.sin(A)
    B *= u[0]
    return np.sum(np.where(B > 0.0, B, 0.1 * B))


def created(x, n):
    """`np.zeros`, `ones`, `full`, `empty`, `..._like`, `eye`, `arange`, `array([...])`, `x.copy()`"""
    v = np.full(n, x)
    w = np.array([x, x * x, 1.0])
    v[: len(w)] += w * np.ones(3)
    return np.sum(v * np.arange(n)) + np.sum(np.eye(n))


def reduced(A):
    """`np.sum`, `max`, `min`, `mean`, `median`, `var`, `std`, also with `axis=`; `cumsum`, `cumprod`, `diff`

    as methods as well
    """
    return np.sum(np.max(A, axis=0) * A.mean(axis=1)) + A.sum() + np.std(A)


def joined(u, A):
    """`np.concatenate`, `stack`, `vstack`, `hstack`, `outer`, `diag`, `trace`, `flip`, `transpose`, `reshape`"""
    B = np.vstack((A, u))
    return np.sum(B * np.outer(np.concatenate((u, u[:1])), u)) * np.trace(A)


def products(u, A):
    """`A @ B`, `np.dot`, `x.dot(y)` of vectors, matrices and stacks of matrices"""
    return np.dot(u, A @ u) * u.dot(u) + np.sum(A @ A.T)


def factored(u, A):
    """`np.linalg`, `np.einsum`, `tensordot`, `inner`, `vdot`, `kron`, `cross`, `tril`, `triu`; `scipy.linalg.expm`

    see [linear algebra](linalg.md)
    """
    M = A @ A.T + np.eye(len(A))
    values, _ = np.linalg.eigh(M)
    return np.sum(np.linalg.solve(M, u[: len(A)])) + np.linalg.det(M) + values[0]


def spectra(u, A):
    """`np.fft`: `fft`, `ifft`, `rfft`, `irfft`, `hfft`, `ihfft`, in one, two and all axes, `fftshift`, `fftfreq`"""
    z, w = np.fft.rfft(u), np.fft.fft2(A)
    return np.sum(z.real * z.real + z.imag) + np.sum(w.real * w.real)


def shapes(A):
    """`x.shape`, `len(x)`, `x.ndim`, `x.size`"""
    n, m = A.shape
    return A[n - 1, m - 1] * len(A) * A.size * A.ndim


def view_on_a_path(u):
    """a name for a view on some paths, for a copy or another view on others; `u = u[::-1]` in a loop"""
    v = u * 1.0
    part = v[1:]
    if u[0] > 0.0:
        part = u * 2.0
    part[0] = 3.0
    return np.sum(v) + part[0]


def shaped_by_layout(A):
    """another shape of an array where memory decides between a view and a copy, and it matters"""
    v = A.T.ravel()
    v[0] = 3.0
    return np.sum(A)


def element_by_real(u):
    """subscripts and bounds that are no integers

    use `int(...)` or `//`
    """
    return u[u[0] * 2.0]


def too_many(A):
    """more subscripts than dimensions"""
    return A[0, 0, 0]


def real_into_integers(u):
    """reals stored into arrays of integers"""
    v = np.array([1, 2])
    v[0] = u[0]
    return u[0] * v[0]


def array_condition(u):
    """an array as a condition

    reduce it: `np.sum(x) > 0`, `any(v > 0 for v in x)`
    """
    if u > 0.0:
        return u[0]
    return u[1]


def no_row(A):
    """functions without a row in the table (`s2sad ops`)

    write them out in Python
    """
    return np.sum(np.unwrap(A))


def lists_as_arrays(u, x):
    """lists and tuples where NumPy takes arrays: `np.interp(x, [0, 1], [2.0, s])`, `u * [1, 2]`, `u[:2] = [s, 1.0]`"""
    u = np.concatenate((u * [1, 2], [x]))
    u[:2] *= [x, 1.0]
    return np.sum(u[[True, False, True]]) + np.interp(x, [0.0, 1.0], [2.0, x])


U, A = np.array([0.7, 1.5]), np.array([[0.4, 0.2], [0.3, 0.8]])
ROWS = [
    yes(elements, U),
    yes(sections, A),
    yes(views, A),
    yes(swapped, U, 3),
    yes(integer_subscripts, U, np.array([1, 0])),
    yes(whole_arrays, U, A),
    yes(created, 0.7, 4),
    yes(reduced, A),
    yes(joined, U, A),
    yes(products, U, A),
    yes(factored, U, A),
    yes(spectra, U, A),
    yes(shapes, A),
    yes(lists_as_arrays, U, 0.4),
    yes(view_on_a_path, U),
    no(shaped_by_layout, "S081", A),
    no(element_by_real, "S064", U),
    no(too_many, "S037", A),
    no(real_into_integers, "S065", U),
    no(array_condition, "S064", U),
    no(no_row, "S070", A),
]
