"""Programs inside the language: sections of arrays, and names for them."""

import numpy as np
from frontend.programs import A, X, program

C = np.sin(np.arange(1.0, 25.0)).reshape(2, 3, 4)

# ----- sections read -----------------------------------------------------------------------------------------


@program(X)
def inner_and_reversed(x):
    y = x[1:-1] * 2.0 - x[2:] + x[:-2]
    back = x[::-1] + x[::1] * x[-1::-1]
    return np.sum(y) + np.sum(back * x) + np.sum(x[-1:0:-2] * x[: x.shape[0] // 2]) + np.sum(x[1:])


@program(A, 1)
def rows_and_columns(a, k):
    s = np.sum(a[k]) + np.sum(a[:, 1] * a[:, -1]) + np.sum(a[0, 1:])
    s += np.sum(a[k][:2] * a[0][1:]) + a[1:][0, 0] + a[:, ::-1][0][0]
    return s + np.max(a[-1]) + a[k, :].sum() + len(a[1:]) + a[:, 1:].shape[1]


@program(C, 1)
def ellipsis_and_new_axes(c, k):
    s = np.sum(c[..., 0] * c[:, :, k]) + np.sum(c[k, ...]) + c[..., 1][0, 2]
    outer = c[0, 0, :, None] * c[1, 1, None, :] + c[0, 0, np.newaxis]
    return s + np.sum(outer) + np.sum(c[0][:, k] * c[1, :, k]) + np.sum(c[:, 1:][k, 0])


@program(X, 4)
def bounds_computed(x, n):
    s = 0.0
    for i in range(n):
        s += np.sum(x[i : i + 2]) * np.sum(x[: n - i]) + np.sum(x[i:][::-1][:1])
    lo, hi = 1, None
    return s + np.sum(x[lo:hi])


@program(X, np.array([1, 3]))
def bounds_read(x, ends):
    part = x[ends[0] : ends[1]] * 2.0
    ends[0] = 0
    return part + x[ends[0] : 2], np.sum(x[ends[0] : ends[1]])


@program(X)
def results_are_copies(x):
    y = x * 2.0
    return y[1:], y[::-1], x[:2], y[1]


# ----- sections written ----------------------------------------------------------------------------------------


@program(X, 3)
def overlapping(x, n):
    a = x.copy()
    for k in range(n):
        a[1:] = a[1:] + 0.5 * a[:-1] * a[:-1]
    a[:-1] -= a[1:] * 0.7
    a[1:] += a[:-1]
    a[2:] -= a[:-2]
    a += a[::-1]
    a[:] = a[::-1] * a[0]
    a[1:] *= a[1]
    a[::2] = a[1::2] + a[0::2] if len(a) % 2 == 0 else a[::2]
    return a


@program(A, X[:2], 0.3)
def filled(a, row, s):
    a[0] = s
    a[:, 1] += a[:, 0] * 2.0
    a[1:, :] = row[0]
    b = np.zeros((3, 2))
    b[:] = row
    b[1] = row * s
    b[:, 0] -= 1.0
    b[1:][0] *= 2.0
    b[1:, ::-1] = b[:2, :]
    b[2, 1:] = b[0, 0]
    b[..., 1] += row[0]
    return b, np.sum(a)


@program(A)
def rows_added(a):
    acc = np.zeros((a.shape[0], 3))
    for i in range(a.shape[0]):
        for j in range(a.shape[0]):
            acc[:, :] = acc * 0.5
            acc[i] += a[j, :3] - acc[j] * 0.1
    return acc


@program(np.arange(6), X)
def whole_numbers(k, x):
    k[1:] += k[:-1]
    k[::2] = 7
    return k[1:4], np.sum(k[2:]), x[k[1] % 3 :]


# ----- names for sections ---------------------------------------------------------------------------------------


@program(X)
def written_through(x):
    a = x.copy()
    tail = a[1:]
    tail[0] = tail[0] * a[0]
    a[2] = a[1] * a[1] + a[2]
    tail[1] += 3.0 * tail[0]
    return np.sum(a * a) + tail[0] * tail[2], a, tail


@program(X)
def views_of_views(x):
    a = x * 2.0
    one = a[1:]
    two = one[::-1]
    three = two[:2]
    three[0] += a[0]
    two[1] *= one[0]
    a[1] = 5.0
    one[:] = one + two
    two += a[:-1]
    return a, one, three


@program(A)
def rows_written(a):
    s = 0.0
    for i in range(a.shape[0]):
        row = a[i]
        row[0] = row[0] * 0.5 + row[1]
        row[1:] *= row[0]
        s += np.sum(row * row)
    last = a[-1]
    last += 1.0
    return s


@program(C)
def last_plane_survives(x):
    acc = np.zeros((2, 3))
    plane = x[:, :, 0]
    for k in range(x.shape[2]):
        plane = x[:, :, k]
        acc += plane * (k + 1.0)
    return np.sum(plane * plane * acc) + x[1, 0, -1] * x[0, 1, 0]


def halve(part, k):
    part[k] *= 0.5
    part[:] = part + part[0]
    return part[1:]


@program(X)
def parts_passed(x):
    a = x.copy()
    rest = halve(a[1:], 0)
    other = halve(a, 1)
    return a, rest + 1.0, np.sum(other) + halve(a[::-1], 0)[0]


@program(X, 3)
def view_before_array_is_bound_anew(x, n):
    u = x * 1.0
    s = 0.0
    for k in range(n):
        mid = u[1:-1]
        s += np.sum(mid)
        mid[0] = s * 0.1
        left = u[:-1]
        u = u[::-1] * 0.9
        s += np.sum(u[1:]) + left.shape[0]
    return s, u


@program(X, 3)
def array_made_of_its_view(x, n):
    u = x * 1.0
    for k in range(n):
        mid = u[1:]
        mid[0] = 0.5
        u = mid * 0.5 + u[:-1]
    return u


@program(X, 3)
def views_and_swaps(x, n):
    u = x * 1.0
    v = x * 0.0
    for k in range(n):
        inner = v[1:-1]
        inner[:] = u[2:] - u[:-2]
        v[0] = u[0]
        u, v = v, u
    return u, v


@program(X, 1.0)
@program(X, -1.0)
def chosen_part(x, s):
    part = x[1:] if s > 0.0 else x[:-1]
    if s > 0.0:
        piece = (x * 1.0)[2:]
        piece[0] = s
    return np.sum(part * part) if s < 0.0 else np.sum(x[:2])


@program(A, X)
def rows_looped_over(a, w):
    b = a.copy()
    s = 0.0
    for i, row in enumerate(b):
        row[0] = row[0] * w[i] + row[1]
        s += np.sum(row * row) * (i + 1)
    for v, row in zip(w, b):
        s += v * row[0] * row[1]
    for row in reversed(a[:, 1:]):
        row += s
    return s, b


@program(X)
def shrinking(x):
    y = x
    for k in range(2):
        y = y[1:]
    return y, np.sum(y)


@program(X)
def whole_is_itself(x):
    y = x[:]
    y[0] = 3.0
    z = y[...]
    z[1:] = 2.0
    return x
