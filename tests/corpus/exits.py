"""Loops without a known number of trips, and loops that are left in the middle."""

import numpy as np

from corpus.case import case, matrix, vector


def while_counts(x, n):
    k = 0
    s = x
    while k < n:
        s = s * np.sin(s) + x
        k += 1
    return s * k


def while_active_step(lower, upper, step):
    s = 0.0
    t = lower
    while t < upper:
        s += t * t * step * np.exp(-lower * t)
        t = t + step
    return s


def square(x):
    return x * x


def while_calls_in_its_test(x, n):
    k = 0
    while square(x) > 0.04 and k < n:
        x = x * 0.5
        k += 1
        if k == 2:
            continue
        x = x + 0.01 * x * x
    return x * x + k


def newton(a, b):
    y = b
    while True:
        step = (y**3 + a * y - b) / (3.0 * y * y + a)
        y = y - step
        if abs(step) < 1e-13:
            break
    return y * y + step


def while_on_an_array(u, limit):
    w = u.copy()
    k = 0
    while np.sum(w * w) > limit:
        w = w * 0.5
        w[k % 3] += 0.01 * u[0]
        k += 1
    return np.sum(w * u) * k


def swapped_while(u, n):
    v = np.zeros_like(u)
    w = u.copy()
    k = 0
    while k < n:
        for i in range(len(u)):
            v[i] = w[i] * w[i - 1]
        v, w = w, v
        k += 1
    return np.sum(w * v) + w[0]


def breaks(u, limit):
    s = 0.0
    for i in range(len(u)):
        s += u[i] * u[i]
        if s > limit:
            break
        s *= 1.0 + u[i]
    return s


def breaks_first(u, limit):
    s = limit * 0.5
    for v in u:
        if v > limit:
            break
        s = s * v + 1.0
    return s * s


def variable_after_break(u, limit):
    i = 0
    s = 1.0
    for i in range(len(u)):
        if u[i] > limit:
            break
        s = s * (1.0 + u[i])
    return s * u[i] + i


def variable_rebound_and_broken(u):
    s = 0.0
    i = 1
    for i in range(5):
        a = u[i] * u[i]
        i = (i * 2) % 5
        s += a * u[i]
        while i > 2:
            s = s * u[i]
            i -= 1
        if i == 1:
            break
    return s + u[i]


def returns_inside(u, limit):
    s = 0.0
    for i in range(u.shape[0]):
        s = s + np.exp(-u[i]) * u[i]
        if s > limit:
            return s * s + u[i] * limit
    return -s


def returns_arrays(u, limit):
    w = u * limit
    for i in range(len(u)):
        w[i] *= u[i]
        if w[i] > limit:
            return w * u[i], u[i]
        if w[i] < -limit:
            return u * w[i], limit * w[i]
    return w, limit


def deep(u, limit):
    s = 0.0
    for i in range(len(u)):
        for j in range(i):
            if u[j] > 0.95:
                break
            if s > limit:
                return s * u[i]
            if u[j] < 0.0:
                continue
            s += u[j] * u[i] * limit
        else:
            s += 0.5 * u[i]
            if s < 0.0:
                continue
        s *= 1.1
    else:
        s = s * 2.0
    return s


def found(u, x):
    for i in range(len(u)):
        if u[i] > x:
            return i
    return -1


def found_twice(u, x):
    s = 0.0
    for k in range(3):
        i = found(u, x * k)
        if i < 0:
            break
        s += u[i] * x
    return s * x


def writes_until(u, limit):
    for i in range(len(u)):
        if u[i] < limit:
            return u[i]
        u[i] = u[i] * u[i - 1]
    return 0.5


def leaves_what_it_wrote(u, x):
    a = writes_until(u, x)
    b = writes_until(u, x * 0.5)
    return a * b + np.sum(u)


def swaps_until(u, limit):
    v = np.zeros_like(u)
    w = u * 1.5
    for k in range(6):
        for i in range(len(u)):
            v[i] = 0.9 * w[i] + 0.1 * w[i - 1] * w[i]
        if np.sum(v) < limit:
            break
        v, w = w, v
    return np.sum(w * v)


def ranges_that_change(u, n):
    s = 1.0
    for i in range(n, 0, -n + 1):
        n = n - 1
        s = s * (u[i] + n)
        if s > 20.0:
            break
    return s


def step_from_outside(u, start, stop, step):
    s = 0.5
    for i in range(start, stop, step):
        s = s * u[i] + u[i]
        if s > 0.7:
            return s * s
    return s


def enumerated(u, w):
    s = 0.0
    for i, v in enumerate(u):
        s += i * v * w[i]
    for k, (a, b) in enumerate(zip(u, w), 1):
        s = s * 0.5 + a * b * b * k
    for v in reversed(u):
        s = s * v + 1.0
    for i in reversed(range(1, len(u), 2)):
        s += u[i] * s
    return s


def unrolled(x, y):
    s = 0.0
    for v in (x, y, x * y):
        if v > 1.0:
            break
        s += v * v
    else:
        s = s * 3.0
    for k, f in enumerate((np.sin, np.cos)):
        s += f(x * (k + 1))
    for a, b in zip((x, y), (y, s)):
        if a > b:
            continue
        s = s + a * b
    return s


def one_result_per_path(u, x):
    for v in u:
        if v < 0.0:
            if x > v:
                return v, x * v
            x = x * v
        while x > 2.0:
            x = x * 0.5
            if x < 1.2:
                return x * x, v
    return x, x


def rows_until(A, limit):
    s = 0.0
    for i in range(A.shape[0]):
        r = 0.0
        for j in range(A.shape[1]):
            if A[i, j] < -limit:
                break
            r = r * 0.5 + A[i, j] * A[i, j]
        else:
            r += limit * A[i, 0]
        if r > limit:
            return s * r
        s += r
    return s + limit


def read_behind(u, n):
    for i in range(n):
        a = u[i] * u[i]
        i = (i * 2) % n
    for v in u:
        b = v * a
        if b > 0.5:
            break
    return a * b * u[i]


def one_variable_for_two_loops(x, n, m, limit):
    """Python's loops count for themselves, whatever becomes of their variables."""
    s = 0.0
    for _ in range(n):
        for _ in range(m):
            if s > limit:
                return s * s
            s += x
    return s


def one_variable_that_is_read(u, limit):
    s = 0.0
    for i in range(len(u)):
        s += u[i]
        for i in range(1, len(u) - 1):
            if u[i] * s > limit:
                break
            s += np.sin(u[i])
        s += u[i] * u[i]
        if s > 3.0 * limit:
            break
    return s * u[i]


def counted_inside(u, limit):
    s = 0.0
    for i in range(len(u)):
        s += u[i] * i
        for i in range(2):
            if s > limit:
                break
            s += np.sin(s)
    return s


def trips_by_a_view(x, y):
    """On the way back the view is there before its length is read."""
    s, k = 0.1, 0
    while k < 2:
        k += 1
        z = y[k:]
        for i in range(min(len(x), len(z))):
            s += np.sin(np.sin(z[i] * s)) * x[i]
    return s


def zipped_with_a_view(x, y):
    s = 0.1
    for _ in range(2):
        k = 0
        while k < 2:
            k += 1
            for a, v in zip(x, y[k:]):
                s += np.sin(np.sin(v * s + a))
    return s


def tested_by_an_element(x, g):
    """The array that the test reads is made in the trip, and let go before the trips are counted."""
    s = 0.0
    while True:
        f = np.abs(x) - g
        if f[0] <= 0.01:
            break
        g = g + 0.5 * f[0]
        s += f[0] ** 2 * f[1]
    return s * g


def joined_in_a_loop(x, y):
    """Lengths of parts that are let go at once."""
    u = np.zeros(4)
    for k in range(1, 3):
        d = np.concatenate([x[:k] - u[:k] * u[0], y * u[k:]])
        u += 0.5 * np.cos(d) * d
    return np.sum(u * u)


def rolled_in_a_loop(x):
    """The view that `roll` gives back is as long as what was let go before it."""
    v, k = np.zeros(4), 0
    while k < 3:
        v[:] = np.tanh(np.roll(np.sin(x + v), -1))
        k += 1
    while np.sum(v) > 0.9:
        v = v - 0.1 * np.roll(v * v * x, 1)
    return np.sum(v * v)


CASES = [
    case(tested_by_an_element, vector(3) + 2.0, 0.3, full=True),
    case(tested_by_an_element, vector(3), 9.0, note="no trips"),
    case(joined_in_a_loop, vector(4), 0.7, full=True),
    case(rolled_in_a_loop, vector(4) + 1.0),
    case(trips_by_a_view, vector(4), vector(5, 2.0), full=True),
    case(zipped_with_a_view, vector(3), vector(5, 2.0)),
    case(one_variable_for_two_loops, 1.5, 4, 1, 100.0, full=True),
    case(one_variable_for_two_loops, 1.5, 4, 3, 100.0, note="to the end"),
    case(one_variable_for_two_loops, 1.5, 4, 3, 7.0, note="in the middle"),
    case(one_variable_for_two_loops, 1.5, 3, 0, 7.0, note="no trips inside"),
    case(one_variable_that_is_read, vector(5), 0.5, full=True),
    case(one_variable_that_is_read, vector(5), 50.0, note="never"),
    case(counted_inside, vector(4), 1.5),
    case(counted_inside, vector(4), 50.0, note="never"),
    case(while_counts, 0.7, 3, full=True),
    case(while_counts, 0.7, 0, note="no trips"),
    case(while_active_step, 0.3, 1.87, 0.25),
    case(while_calls_in_its_test, 1.3, 9, full=True),
    case(while_calls_in_its_test, 1.3, 0, note="no trips"),
    case(newton, 1.7, 2.9, full=True),
    case(while_on_an_array, vector(3), 0.1),
    case(while_on_an_array, vector(3), 9.0, note="no trips"),
    case(swapped_while, vector(4), 3),
    case(breaks, vector(6), 0.9, full=True),
    case(breaks, vector(6), 90.0, note="never"),
    case(breaks, np.zeros(0), 0.1, note="empty"),
    case(breaks_first, vector(6), 0.7),
    case(variable_after_break, vector(6), 0.5),
    case(variable_after_break, vector(6), 5.0, note="never"),
    case(variable_rebound_and_broken, vector(5)),
    case(returns_inside, vector(5) ** 2, 0.6, full=True),
    case(returns_inside, vector(5) ** 2, 60.0, note="at the end"),
    case(returns_arrays, vector(4), 0.3, full=True),
    case(returns_arrays, vector(4), 0.1, note="the other"),
    case(returns_arrays, vector(4), 3.0, note="at the end"),
    case(deep, vector(5) ** 2, 0.7),
    case(deep, vector(5), 9.0, note="never"),
    case(deep, vector(5) + 0.3, 0.1, note="soon"),
    case(found_twice, vector(5), 0.4),
    case(leaves_what_it_wrote, vector(4) ** 2, 0.3),
    case(swaps_until, vector(4) + 1.0, 5.0),
    case(swaps_until, vector(4) + 1.0, -5.0, note="never"),
    case(ranges_that_change, vector(6) + 2.0, 5),
    case(step_from_outside, vector(7), 1, 7, 2),
    case(step_from_outside, vector(7), 6, 0, -3, note="down"),
    case(step_from_outside, vector(7), 3, 3, 1, note="no trips"),
    case(enumerated, vector(4), vector(4, 0.9)),
    case(unrolled, 0.7, 1.3),
    case(unrolled, 0.7, 0.6, note="to the end"),
    case(one_result_per_path, vector(4), 3.3),
    case(one_result_per_path, vector(4), -3.3, note="another"),
    case(rows_until, matrix(3, 4), 0.8),
    case(rows_until, matrix(3, 4), 2.8, note="never"),
    case(read_behind, vector(5), 5),
    case(read_behind, vector(5), 1, note="one"),
]
