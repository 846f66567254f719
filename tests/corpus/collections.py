"""Lists, comprehensions, arrays of lists, `any` and `all`, assignment expressions, `match`, `nonlocal`, `*`."""

import numpy as np

from corpus.case import case, vector


def appended(u):
    vals = []
    for i in range(u.shape[0]):
        vals.append(u[i] * np.sin(u[i]))
    total = 0.0
    for v in vals:
        total += v * v
    return total + vals[-1] * vals[0] + len(vals)


def appended_often(x, n):
    vals = [x]
    for i in range(n):
        vals.append(np.sin(vals[i]) + 0.1 * vals[i // 2])
        if vals[-1] > 0.9:
            vals[i] *= 0.5
    return np.sum(np.array(vals)) + vals[n // 2] * vals[-2]


def lists_in_loops(u, n):
    s = 0.0
    for k in range(n):
        kept = []
        for v in u:
            if v > 0.1 * k:
                kept.append(v * (k + 1))
        while len(kept) > 1:
            a = kept.pop()
            kept[-1] += a * a
        if kept:
            s += kept[0]
    return s * s


def rearranged(u, x):
    vals = [v * v for v in u]
    vals.insert(1, x)
    vals.insert(-1, x * u[0])
    vals.insert(99, 0.5)
    vals.reverse()
    s = vals.pop(1) * vals.pop(-2)
    vals.sort()
    s += vals[0] * vals[-1] * vals[1]
    vals.sort(reverse=True)
    return s + vals[0] * vals[1] * len(vals)


def looked_for(u, x):
    vals = []
    for v in u:
        vals.append(v)
        vals.append(x)
    k = vals.index(x)
    vals.remove(x)
    n = vals.count(x)
    return vals[k] * n + vals.index(u[1]) * x * vals[-1]


def parts_of_lists(u, n):
    vals = [v * v for v in u]
    vals.append(vals[0])
    s = 0.0
    for a, b in zip(vals, vals[1:]):  # noqa: RUF007
        s += a * b
    tail = vals[-n:]
    tail[0] = u[1]
    tail += vals[: n - 1]
    tail.extend(u)
    for v in vals[::-2]:
        s = s * 0.5 + v
    copy = vals.copy()
    copy[0] *= s
    return s * tail[0] * tail[-1] + len(tail) * vals[n : 2 * n][0] + np.sum(tail[1:-1]) * copy[0] * vals[0]


def without_an_end(u):
    vals = [u[0], 0.5, u[1]]
    s = 0.0
    for v in vals[1:]:
        s += v * u[0]
    return s + vals[:2][1] * vals[-1]


def repeated(u, n):
    sums = [0.0] * (n + 1)
    for k in range(n):
        sums[k + 1] = sums[k] + u[k] * u[k]
    flags = [1.0, u[0]] * 2
    both = sums[1:] + flags
    both += list(u) + [sums[n]]
    return both[0] * both[-1] * both[n] * both[n + 1] + both[n + 4] * len(both)


def two_names(x):
    vals = [x, 2.0]
    other = vals
    other.append(x * x)
    return vals[-1]


def two_names_written(x):
    vals = [x, 2.0]
    other = vals
    other[0] = 5.0
    return vals[0] * x


def handed_over(u, n):
    last = [u[0]]
    for k in range(n):
        row = [1.0]
        for a, b in zip(last, last[1:]):  # noqa: RUF007
            row.append(a * u[k] + b)
        row.append(u[k])
        last = row
    return np.sum(np.array(last)) * last[1]


def counted(u):
    order = []
    for i in range(len(u)):
        if u[i] > 0.0:
            order.append(i)
    s = 1.0
    for k in order:
        s = s * (1.0 + u[k])
    return s * u[order[0]]


def comprehensions(x, n):
    powers = [x**k for k in range(n)]
    a = np.array([p * p for p in powers if p < 0.9])
    s = 0.0
    for k, p in enumerate(powers):
        s += p * k
    return np.sum(a) * s


def written_out(x, y):
    a, b, c = [x, x * y, y]
    s = 0.0
    for v in [a, b * c, 2.0]:
        s += v * v
    weights = [0.5, 0.25]
    return s * weights[0] + len(weights) * a * weights[-1]


def arrays_of_lists(x, y):
    u = np.array([x, y, x * y])
    M = np.array([[x, 0.0], [y * y, 1.0]])
    N = np.array([u, u * 2.0])
    k = np.array([2, 0, 1])
    u[0] = 3.0
    s = M[1, 0] * M[0, 0] + N[1, 2] * N[0, 0]
    for i in range(3):
        s += u[i] * N[0, k[i]]
    return s


def whole_numbers(x, n):
    k = 0
    counts = np.array([k, 2 * n])
    table = np.array([[k, 1], [n, 3]])
    for i in range(n):
        k = k + i
        counts[i % 2] = k + table[1, 0]
        y = np.array([x, k])
        x = x * y[0] + counts[1] // 2 + table[0, 1] * y[1]
    return x * counts[0]


def any_and_all(u, x):
    s = x
    if any(v > 0.7 for v in u):
        s = s * u[0]
    if all(u[i] < u[i - 1] + 2.0 for i in range(1, len(u)) if i != 2):
        s += np.sum(u * u)
    if all((x > 5.0, u[0] > 0.0)) or not any([x > 0.0, s > 4.0]):
        s = s * 3.0
    return s


def half(x):
    return x * 0.5


def assigned_inside(x, u):
    k = 0
    s = x
    while (s := half(s)) > 0.1 and k < 5:
        k += 1
    t = s + (s := x * x) + s
    if (y := t * x) > 0.1:
        s += y
    q = u[0] + (u := u * 2.0)[0]
    return s * q * k + np.sum(u) * (y if 0.0 < (z := y + x) < 9.0 else z)


def matched(x, k):
    match k % 5:
        case 0:
            return x
        case 1 | 2:
            y = x * x
        case 3 if x > 0.5:
            y = np.sin(x)
        case n:
            y = x * n
    match "slow":
        case "fast":
            y = 0.0
        case _:
            y = y * y
    return y


def matched_in_loops(u):
    s = 1.0
    for i in range(len(u)):
        match i:
            case 0:
                continue
            case 3:
                break
        s = s * u[i] + 1.0
    return s


def captured(x, n):
    s = x
    count = 0

    def add(v):
        nonlocal s, count
        s = s + v * s
        count += 1
        return v * s

    for i in range(n):
        if i != 1:
            add(x * i)
    return s * add(s) + s * count


def captured_argument(x):
    def change(v, w=x):
        nonlocal x
        x = x * v
        return v + w

    return x * change(x) + x * change(x)


def total(first, *rest, scale=1.0):
    s = first * scale
    for v in rest:
        s += v * s
    return s, len(rest)


def stars(x, y):
    pair = (x, y)
    a, n = total(*pair, x * y, scale=y)
    b, m = total(x)
    first, *others, last = (x, y, x * y, b)
    return a * n + b * m + others[1] * first + last * len(others)


def deleted(x):
    y = x * x
    z = y + 1.0
    del y
    y = z * z
    return y * x


CASES = [
    case(appended, vector(4), full=True),
    case(appended_often, 0.4, 12),
    case(appended_often, 0.4, 3, note="few"),
    case(lists_in_loops, vector(5), 3),
    case(rearranged, vector(4), 0.3),
    case(looked_for, vector(4), 0.3),
    case(parts_of_lists, vector(5), 2),
    case(without_an_end, vector(4)),
    case(repeated, vector(4), 3),
    case(handed_over, vector(4), 4),
    case(two_names, 0.7, refused="S080"),
    case(two_names_written, 0.7, refused="S080"),
    case(counted, vector(5)),
    case(comprehensions, 0.7, 6),
    case(written_out, 0.7, 1.3),
    case(arrays_of_lists, 0.7, 1.3),
    case(whole_numbers, 0.7, 3),
    case(any_and_all, vector(4), 0.4),
    case(any_and_all, -vector(4), 6.4, note="others"),
    case(assigned_inside, 0.7, vector(3)),
    *(case(matched, 0.7, k, note=str(k)) for k in range(5)),
    case(matched_in_loops, vector(5)),
    case(captured, 0.4, 4),
    case(captured_argument, 0.4),
    case(stars, 0.4, 0.7),
    case(deleted, 0.7),
]
