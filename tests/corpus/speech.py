"""What programs say: `print`, exceptions with values, `assert` with a message."""

import numpy as np

from corpus.case import case, vector


def prints(x, n):
    print("from", n, x, None, True)
    s = 1.0
    for k in range(n):
        s = s * (1.0 + x[k])
        print(k, s)
    print(f"{n} factors", x * 2.0)
    return s


def step(x):
    if x > 5.0:
        print("large", x)
        return 5.0 * x
    return x * x


def prints_in_a_callee(x):
    return step(step(x) + 3.0)


def raises_with_values(x, n):
    total = np.sum(x * x)
    if total > 100.0:
        raise ValueError("too large", total, n)
    if n < 0:
        raise IndexError(f"{n} is negative")
    assert n > 0, f"n = {n}"
    return total * n


def prints_tuples(x, n):
    u = x * 2.0
    print((n, u), "of", (x[0], (n, "a", None)))
    print((u[0],))
    if n > 3:
        raise ValueError("too many", (n, u), u)
    return np.sum(u * x)


def prints_in_a_row(x, n):
    for k in range(n):
        print(k, x * k, sep="; ", end=" | ")
    print()
    return x * n


CASES = [
    case(prints_tuples, vector(3), 2, full=True),
    case(prints, vector(4), 4, full=True),
    case(prints, vector(4), 0, note="no trips"),
    case(prints_in_a_callee, 1.7),
    case(raises_with_values, vector(4), 2, full=True),
]
