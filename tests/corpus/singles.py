"""float32, alone and beside float64: arguments, arrays made inside, casts, what is kept and formed again."""

import math

import numpy as np

from corpus.case import case, matrix, vector


def one(n: int, start: float = 0.3) -> np.ndarray:
    """A vector in float32."""
    return vector(n, start).astype(np.float32)


def two(n: int, m: int, start: float = 0.8) -> np.ndarray:
    """A matrix in float32."""
    return matrix(n, m, start).astype(np.float32)


X, W = np.float32(0.7), np.float32(1.3)


def numbers(x, w):
    y = np.sin(x) * w + x / (np.float32(1.5) + w * w)
    return math.exp(y) * x - w


def numbers_with_literals(x, w):
    y = 2.0 * x + w**2 - 3 * x
    return y * x + x**2.5


def number_and_double(x, d):
    y = x * d
    return np.cos(y) + x


def powers(x, n):
    return x**2 + x**-1 + x**n * x


def whole_array(x, w):
    y = np.sin(x) * w + x * x
    return np.sum(y * np.exp(x))


def array_and_literals(x):
    y = 2.0 * x + 1
    z = x * 3 - 0.5 * y
    return np.sum(z * y) + np.mean(x * z)


def array_and_double(x, d):
    y = x * d
    return np.sum(np.tanh(y) * y)


def array_and_doubles(x, u):
    y = x * u
    return np.sum(y * x) + np.sum(u)


def made_inside(x):
    z = np.zeros(len(x), dtype=np.float32)
    o = np.ones(len(x), np.float32)
    f = np.full(len(x), 0.5, dtype=np.float32)
    for i in range(len(x)):
        z[i] = x[i] * x[i] + o[i]
    return np.sum(z * f * x)


def made_like(x):
    z = np.zeros_like(x)
    e = np.empty_like(x)
    f = np.full_like(x, 0.25)
    for i in range(len(x)):
        z[i] = np.sin(x[i])
        e[i] = z[i] * x[i]
    return np.sum(e * z + f * x)


def filled_with(x, n):
    f = np.full(n, x)
    return np.sum(f * f)


def listed(x, y):
    a = np.array([x, y, x * y])
    b = np.array([x, 1.0, 2.0 * y])
    return np.sum(a * b)


def listed_as_single(x, d):
    a = np.array([x, d, 1.0], dtype=np.float32)
    return np.sum(a * a) * d


def cast_down(u, d):
    x = u.astype(np.float32)
    w = np.float32(d)
    return np.sum(x * x * w) + d


def cast_up(x, w):
    u = x.astype(np.float64)
    d = np.float64(w)
    return np.sum(np.sin(u) * d * u)


def cast_by_name(x):
    u = x.astype("float64")
    return np.sum(u.astype("float32") * x)


def cast_of_a_sum(x):
    return float(np.sum(x * x)) * 0.5


def running_sum(x):
    s = np.float32(0.0)
    for i in range(len(x)):
        s = s + x[i] * x[i] * s * np.float32(0.5) + np.exp(x[i])
    return s


def running_double(x):
    s = 0.0
    for v in x:
        s += v * v * s + np.sin(v)
    return s


def becomes_double(x, d):
    s = np.float32(0.5)
    t = s * x[0]
    for i in range(len(x)):
        s = s * d + x[i]
    return s * t


def decided(x, w):
    s = w
    for i in range(len(x)):
        if s * x[i] > np.float32(0.1):
            s = s * np.cos(x[i])
        else:
            s = s + x[i] * w
    return s * s


def rounded_to_steps(x, w):
    s = np.float32(0.0)
    for i in range(len(x)):
        k = np.floor(x[i] * w * np.float32(10.0))
        s = s + k * x[i] * w
    return s


def index_from_reals(x, w):
    s = np.float32(0.0)
    for i in range(len(x)):
        k = int(abs(x[i]) * w * np.float32(2.0)) % len(x)
        s = s + x[k] * x[i]
    return s


def stored_in_doubles(x):
    z = np.zeros(len(x))
    for i in range(len(x)):
        z[i] = x[i] * 0.5
        z[i] *= x[i]
    return np.sum(z * z)


def stored_in_singles(x, u):
    z = np.zeros(len(u), dtype=np.float32)
    for i in range(len(u)):
        z[i] = u[i] * x[i]
        z[i] += np.sin(u[i]) * z[i]
    return np.sum(z * u)


def overwritten(x, n):
    y = x.copy()
    for k in range(n):
        for i in range(1, len(y) - 1):
            y[i] = y[i] + np.float32(0.1) * (y[i - 1] * y[i] - y[i + 1])
    return np.sum(y * y)


def diffused(x, n):
    u = x.copy()
    un = np.empty_like(u)
    for k in range(n):
        un[0] = u[0]
        un[-1] = u[-1]
        for i in range(1, len(u) - 1):
            un[i] = u[i] + np.float32(0.2) * u[i] * (u[i - 1] - u[i + 1])
        u, un = un, u
    return np.sum(u * u)


def squared_again(x, n):
    y = x.copy()
    for k in range(n):
        y = y * y * np.float32(0.5) + x
    return np.sum(y)


def in_place(x, w):
    x *= w
    x[1:] += x[:-1] * x[1:]
    return np.sum(x * x)


def sections(A):
    s = np.float32(0.0)
    for i in range(A.shape[0]):
        row = A[i]
        s = s + np.sum(row[::-1] * row)
        A[i, 1:] = row[:-1] * row[1:]
    return s + np.sum(A[:, 0] * A[:, -1])


def row_by_row(A, w):
    t = np.empty(A.shape[1], dtype=np.float32)
    s = np.float32(0.0)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            t[j] = A[i, j] * w[j]
        for j in range(A.shape[1]):
            s = s + t[j] * t[j] * s + np.sin(t[j])
    return s


def until_small(x):
    n = 0
    s = x
    while s > np.float32(0.05):
        s = s * s * np.float32(0.9)
        n = n + 1
    return s * n + x


def products(A, x):
    y = A @ x
    z = A.T @ np.tanh(y)
    return np.dot(z, x) + np.sum(A @ A) + np.sum(np.outer(x, y) * A)


def product_of_scaled(A, x, w):
    y = A @ (w * w * x)
    return np.sum(np.sin(y))


def reduced(A, x):
    return np.max(x) * np.min(A) + np.sum(np.sum(A, axis=0) * x) + np.linalg.norm(x) + np.prod(x)


def averaged(A, x):
    return np.mean(A) * np.mean(x) + np.var(x) + np.std(A) + np.sum(np.mean(A, axis=1))


def chosen(x, w):
    y = np.where(x > 0, x * w, x * x)
    z = np.maximum(x, np.float32(0.1)) + np.clip(x, np.float32(-0.5), np.float32(0.5))
    return np.sum(y * z) + max(w, np.float32(0.3)) + abs(w)


def reshaped(A):
    b = A.T.reshape(-1)
    c = np.concatenate((b, b * b))
    return np.sum(np.cumsum(c) * c)


def helped(x, w):
    return scaled(x, w) + scaled(x * w, w * w)


def scaled(x, w):
    y = x * w
    y[0] = w
    return np.sum(y * y)


def recursive(x, n):
    if n == 0:
        return x
    return recursive(x * x * np.float32(0.5), n - 1) + x


def results(x, w):
    y = x * w
    return y * 2.0, np.sum(y), y


def doubles_result(x):
    return x * np.float64(2.0)


def two_names(x, n):
    a = x.copy()
    b = a
    for k in range(n):
        if k == 1:
            b = x * a
        b[0] = b[0] * a[1]
    return np.sum(a * b)


def constant_scale(x):
    return np.sum(x * SCALE * TABLE)


SCALE, TABLE = np.float32(0.3), one(4, 1.1)


def in_doubles_between(u, n):
    x = u.astype(np.float32)
    s = 0.0
    for k in range(n):
        x = x * x + np.float32(0.1)
        s += np.sum(x.astype(np.float64) * u)
    return s


CASES = [
    case(numbers, X, W, full=True),
    case(numbers_with_literals, X, W),
    case(number_and_double, X, 1.1),
    case(number_and_double, 1.1, X, note="swapped"),
    case(powers, X, 3),
    case(whole_array, one(4), W, full=True),
    case(array_and_literals, one(4)),
    case(array_and_double, one(4), 0.8),
    case(array_and_doubles, one(4), vector(4, 0.9)),
    case(made_inside, one(4)),
    case(made_like, one(4)),
    case(filled_with, X, 3),
    case(listed, X, W),
    case(listed_as_single, X, 1.1),
    case(cast_down, vector(4), 1.1),
    case(cast_up, one(4), W),
    case(cast_by_name, one(4)),
    case(cast_of_a_sum, one(4)),
    case(running_sum, one(5), full=True),
    case(running_double, one(5)),
    case(becomes_double, one(5), 0.9),
    case(decided, one(6), W, full=True),
    case(rounded_to_steps, one(6), W),
    case(index_from_reals, one(6), W),
    case(stored_in_doubles, one(5)),
    case(stored_in_singles, one(5), vector(5, 0.9)),
    case(overwritten, one(6), 3),
    case(diffused, one(6), 4),
    case(squared_again, one(4), 3),
    case(in_place, one(5), W),
    case(sections, two(3, 4)),
    case(row_by_row, two(3, 4), one(4)),
    case(until_small, X),
    case(products, two(3, 3), one(3)),
    case(product_of_scaled, two(3, 3), one(3), W),
    case(reduced, two(3, 3), one(3), rounded=True),
    case(averaged, two(3, 3), one(3), rounded=True),
    case(chosen, one(5), W),
    case(reshaped, two(2, 3), rounded=True),
    case(helped, one(3), W),
    case(recursive, X, 3),
    case(results, one(3), W),
    case(doubles_result, X),
    case(two_names, one(3), 3),
    case(constant_scale, one(4)),
    case(in_doubles_between, vector(3), 3),
]
