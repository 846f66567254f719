"""Lists of arrays: states that are stored as a loop goes on, lists made of arrays, what stands in several places."""

import numpy as np

from corpus.case import case, matrix, vector


def stored(u, dt, n):
    hist = []
    v = u.copy()
    for k in range(n):
        v[1:-1] = v[1:-1] + dt * (v[2:] - 2.0 * v[1:-1] + v[:-2]) * v[1:-1]
        hist.append(v.copy())
    s = 0.0
    for k in range(len(hist)):
        s += np.sum(hist[k] * hist[k]) * (k + 1)
    return s + hist[-1][2] * hist[0][1]


def stacked(u, n):
    hist = [u.copy()]
    for _ in range(n):
        u = np.sin(u) * 1.2
        hist.append(u)
    path = np.array(hist)
    return np.sum(path[1:] * path[:-1]) + path[-1, 0]


def joined(u, A):
    rows, blocks = [], []
    for k in range(3):
        rows.append(u * (k + 1.0))
        blocks.append(A * u[k])
    s = np.stack(rows, axis=1)[0, 2] + np.concatenate(rows)[4] * np.vstack(rows)[2, 1]
    s += np.hstack(blocks)[0, 3] * np.concatenate(blocks, axis=0)[2, 0] + np.stack(blocks)[1, 0, 1]
    return s + np.sum(np.column_stack(rows)[0] ** 2) + np.sum(np.mean(rows, axis=0) ** 3) + np.sum(rows)


def looped(u, w):
    hist = []
    for k in range(4):
        u = u * w
        hist.append(u)
    s = 0.0
    for k, row in enumerate(hist):
        s += row[k % 3] * row[0]
    for one, other in zip(hist[:-1], hist[1:]):  # noqa: RUF007
        s += one @ other
    for row in reversed(hist):
        s = s * 0.5 + row[1]
    return s


def before_the_first(u, dt, n):
    slopes = []
    for _ in range(n):
        f = np.sin(u)
        if len(slopes) > 0:
            u = u + dt * (1.5 * f - 0.5 * slopes[-1])
        else:
            u = u + dt * f
        slopes.append(f)
    return np.sum(u * slopes[0])


def items_written(u, n):
    us = [np.zeros(3) for _ in range(n)]
    for k in range(n):
        us[k][0] = u[0] * k
        us[k][1:] = u[1:] + k
    us[1] = us[0] * us[2]
    us[-1][2] *= u[1]
    us[0] += us[1]
    return np.sum(us[0] ** 2) + us[1][1] * us[-1][2]


def exchanged(u, n):
    us = [u * 1.0, u * 2.0, u * 3.0]
    for k in range(n):
        us[0], us[1], us[2] = us[1], us[2], np.sin(us[0])
    first = us[0]
    us[0] = us[1]
    return first @ us[0] + us[2][1] * us[0][2]


def taken_off(u):
    stack = [u, u * u]
    s = 0.0
    while stack:
        v = stack.pop()
        s += v[0] * v[-1]
        if len(stack) == 1 and s < 3.0:
            stack.append(v * 1.5)
            s += v[1]
    return s


def extended(u):
    hist = [u]
    hist.extend([u * 2.0, np.cos(u)])
    more = [u * 0.5]
    more += [hist[1], hist[-1]]
    hist.extend(more)
    more.clear()
    more.append(u[::-1])
    return np.sum(np.array(hist)[:, 1] ** 2) + more[0][2] * len(hist)


def fresh_each_trip(u, n):
    rows = []
    for k in range(n):
        row = np.zeros(3)
        for i in range(3):
            row[i] = u[i] ** (k + 1)
        rows.append(row)
    total = np.zeros(3)
    for row in rows:
        total += row
    return np.sum(total * rows[n // 2])


def of_matrices(A, n):
    powers = [A]
    for k in range(n):
        powers.append(powers[k] @ A)
    s = 0.0
    for k in range(0, n + 1, 2):
        s += powers[k][0, 1] * powers[-1][1, 0]
    return s + np.trace(powers[n])


def looked_up(u, w):
    weights = [u, w, u * w]
    s = 0.0
    for k in range(3):
        s += np.sum(weights[k] * weights[(k + 1) % 3])
    return s


def later_rows(u):
    """A row that is looked at while its list grows."""
    hist = [u * 2.0]
    first = hist[0]
    for k in range(9):
        hist.append(first * hist[-1])
    return np.sum(first * hist[-1])


def added(u):
    hist = []
    for k in range(3):
        hist.append(u**k)
    return np.sum(sum(hist) ** 2) + np.sum(sum(hist[1:]))


def together(u):
    hist = [u, u * u]
    more = hist + [u * 3.0]
    hist.append(more[-1] * u)
    rows = list(more)
    a, b, c = hist[1:] + rows[:1]
    return np.sum(a * b * c) + rows[0][0]


def levels(u, n):
    level = [u.copy()]
    for k in range(n):
        finer = []
        for v in level:
            finer.append(v * 0.5)
            finer.append(np.sin(v) + k)
        level = finer
    return np.sum(level[1] * level[-2]) * len(level)


def made_anew(u, n):
    cur = [u]
    for k in range(n):
        cur = [v * k + u for v in cur] + [u * 0.5]
    values = [u[0], u[1]]
    s = 0.0
    for v, w, x in zip(cur, values, (2.0, 3, 4.0)):
        s += v[0] * w * x
    return s * np.sum(cur[-1])


def picked(u):
    places = []
    for k in range(3):
        places.append(np.array([k, (k + 1) % 3]))
    s = 0.0
    for at in places:
        s += np.sum(u[at]) * u[at[0]]
    return s


def helper(history, u, n):
    for k in range(n):
        history.append(np.tanh(u * k))
    return history[-1]


def by_others(u, n):
    hist = []
    last = helper(hist, u, n)
    return last @ hist[1] + trajectory(u, n)[n // 2][0]


def trajectory(u, n):
    states = [u]
    for _ in range(n):
        states.append(states[-1] * np.cos(states[-1]))
    return states


def written_afterwards(u, n):
    hist = []
    for _ in range(n):
        u[0] = u[0] * 0.5
        hist.append(u)
    return np.sum(hist[0] * hist[-1])


def written_through(u):
    v = u * 2.0
    hist = [v, v * v]
    hist.append(u)
    hist[0][1] = 3.0
    return np.sum(hist[0] * v)


def twice_in_one(u):
    v = u * 2.0
    hist = []
    for _ in range(3):
        hist.append(v)
    hist[0][1] = 3.0
    return np.sum(hist[1])


def row_of_two_lists(u):
    one, other = [u * 2.0], []
    other.append(one[0])
    other[0][0] = 1.0
    one.append(u)
    return one[0] @ one[1]


def callers_array_written(u):
    hist = []
    hist.append(u)
    hist[0][1] = 3.0
    return np.sum(hist[0])


def bound_anew_and_written(u):
    hist = []
    for k in range(3):
        u = np.sin(u) + k
        hist.append(u)
        hist[-1][0] = 0.5 * hist[k][1]
    return np.sum(hist[0] * hist[2])


def of_two_types(u):
    hist = [np.array([3, 2, 1])]
    hist.append(u)
    return np.sum(hist[0] // 2 * hist[1])


def two_names(u):
    hist = [u]
    other = hist
    other.append(u * u)
    return np.sum(hist[-1])


def row_kept_and_written(u):
    hist = [u * 2.0]
    first = hist[0]
    for k in range(3):
        hist.append(u * k)
    first[0] = 1.0
    return np.sum(hist[0])


CASES = [
    case(stored, vector(5), 0.1, 11, full=True),
    case(stored, vector(5), 0.1, 1, note="one"),
    case(stacked, vector(3), 9),
    case(joined, vector(3), matrix(2, 2)),
    case(looped, vector(3), vector(3, 0.5)),
    case(before_the_first, vector(3), 0.1, 4),
    case(items_written, vector(3), 4),
    case(exchanged, vector(3), 5),
    case(taken_off, vector(3)),
    case(extended, vector(3)),
    case(fresh_each_trip, vector(3), 4),
    case(of_matrices, matrix(2, 2), 4),
    case(looked_up, vector(3), vector(3, 0.5)),
    case(later_rows, vector(3) * 0.2),
    case(added, vector(3)),
    case(together, vector(3)),
    case(picked, vector(3)),
    case(levels, vector(3), 3),
    case(made_anew, vector(3), 3),
    case(two_names, vector(3), refused="S080"),
    case(by_others, vector(3), 4),
    case(written_afterwards, vector(3), 2, refused="S080"),
    case(written_through, vector(3), refused="S080"),
    case(twice_in_one, vector(3), refused="S080"),
    case(row_of_two_lists, vector(3), refused="S080"),
    case(row_kept_and_written, vector(3), refused="S080"),
    case(callers_array_written, vector(3), refused="S080"),
    case(bound_anew_and_written, vector(3), refused="S080"),
    case(of_two_types, vector(3), refused="S064"),
]
