"""Values and collections."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from language.row import no, yes


class Pair(NamedTuple):
    a: float
    b: float

    @property
    def product(self):
        return self.a * self.b

    def scaled(self, x):
        return self._replace(a=self.a * x)

    def __sub__(self, other):
        return Pair(self.a - other.a, self.b - other.b)


@dataclass
class Line:
    slope: float
    start: float


def tuples(p, k):
    """tuples, nested, as arguments and results, taken apart; `p[0]`, of numbers also `p[k]`"""
    (x, y), z = p
    q = (x * y, z)
    first, *rest = (q[0], q[1], x)
    return (x, y, z)[k] * first * rest[0] * rest[-1] * len(rest) * k


def named_tuples(p, x):
    """NamedTuples as arguments and results, nested, made inside, `p.a`

    a gradient is one of the same class
    """
    q = Pair(p.a * x, b=2.0)
    return p.a * q.b + q[0] * p.b


def lists(u):
    """lists of numbers or arrays that change: `append`, `pop`, `insert`, `reverse`, `copy`, `x[i] = e`, `+=`

    under one name, inside the function
    """
    kept = [1.0]
    for v in u:
        kept.append(v * kept[-1])
    kept[0] = u[0]
    last = kept.pop()
    return last * kept[0] * kept[1] * len(kept)


def histories(u, n):
    """lists of arrays: `hist.append(u.copy())`, `hist[k][i]`, `np.array(hist)`, `np.stack`, `np.concatenate`, loops

    of arrays of one shape; compiled, too
    """
    hist = [u.copy()]
    for k in range(n):
        u[k % 2] *= np.sin(u[0])
        hist.append(u.copy())
    s = 0.0
    for row in hist:
        s += row[0] * row[1]
    return s + np.sum(np.stack(hist)[1:] ** 2) * hist[-1][0]


def written_later(u, n):
    """an array that stands in a list, and is written later

    append a copy: `hist.append(u.copy())`
    """
    hist = []
    for _ in range(n):
        u *= 0.5
        hist.append(u)
    return np.sum(hist[0])


def list_parts(u):
    """parts of lists: `x[1:]`, `x[::-1]`; `x + y`, `[0.0] * n`, `list(x)`; `sort`, `index`, `count` of numbers"""
    kept = [v * v for v in u] + [0.0] * len(u)
    kept.sort()
    s = 0.0
    for v in kept[1:]:
        s += v * kept[-1] * kept.index(v)
    return s


def two_names(x):
    """two names in use for one list that changes

    use one name, or a copy: `y = x.copy()`
    """
    vals = [x]
    other = vals
    other.append(2.0)
    return vals[-1] * x


def comprehensions(u, n):
    """list comprehensions of numbers and arrays; `any`, `all` of generator expressions"""
    squares = [v * v for v in u if v > 0.0]
    ok = any(v > 1.0 for v in u) and all(v < 9.0 for v in squares)
    return np.sum(np.array(squares)) * n if ok else u[0]


def changing(x, n):
    """an integer that becomes a float, a name that is a number first and an array later"""
    s = 0
    for k in range(n):
        s += x * k
    y = s * x
    y = np.full(3, y)
    return np.sum(y)


def integers(x, n):
    """integers and bools: `//`, `%`, `**`, casts"""
    k = (n // 2) % 3
    flag = n > 2
    return x**k + int(flag) * x + float(n)


def text_known(x):
    """text that is known when the function is read"""
    kind = "square"
    return x * x if kind == "square" else x


def optional(x, y=None):
    """`None`, `is None`"""
    return x * x if y is None else x * y


def two_kinds(x):
    """a name that is a number on one path and an array on another"""
    y = x
    if x > 0.0:
        y = np.zeros(2)
    return np.sum(y)


def computed_subscript(u, k):
    """`p[k]` of a tuple of other things

    use an array with one more dimension
    """
    p = (u, 2.0 * u)
    return p[k][0]


def list_arguments(xs):
    """lists of arrays and of numbers as arguments and results"""
    s = 0.0
    for x in xs:
        s += x[0] * xs[0][1]
    return s


def dict_arguments(d):
    """dicts as arguments: `d["a"]`, `d.keys()`, `d.values()`, `d.items()`"""
    s = 1.0
    for name, v in d.items():
        s *= v if name == "a" else 2.0 * v
    return s * d["a"]


def dataclass_arguments(line, x):
    """dataclasses as arguments: `p.a`"""
    return line.slope * x + line.start


def list_changed(xs):
    """lists that are arguments, changed"""
    xs.append(1.0)
    return xs[0] * len(xs)


def members(p, x):
    """methods, operators, properties, constants of NamedTuples and of their classes; defaults, `p._replace(a=x)`

    `isinstance(p, Pair)` and `type(p)` too; methods of dataclasses
    """
    q = p.scaled(x) - Pair(x, b=2.0)
    return q.product if isinstance(q, Pair) else x


def no_method(p):
    """other methods of NamedTuples: `p._asdict()`, `p.index(x)`"""
    return p._asdict()["a"] * p.b


def mixed_lists(u):
    """lists that change of lists, tuples and functions, or of numbers and arrays"""
    kept = []
    for _ in range(2):
        kept.append((u, 2.0))
    return np.sum(kept[0][0])


def dicts(x, n):
    """dicts made inside, of constant keys: items assigned, `{**d, "b": x}`, `dict(a=x)`, `"a" in d`, `d.get("a")`

    dict comprehensions over dicts and tuples; a dict that is a result needs `jit=False`
    """
    d = {"a": x, "rate": 0.5}
    for _ in range(n):
        d["a"] -= d["rate"] * d["a"] ** 2
    doubled = {k: 2.0 * v for k, v in d.items()}
    return doubled["a"] * len(doubled) if "a" in doubled else 0.0


def dict_of_two_names(x):
    """dicts whose items are assigned, and that another name may stand for: `e = d`, a function that gives it back"""
    d = {"a": x}
    e = d
    e["a"] = 2.0 * x
    return d["a"]


def sets(x):
    """sets"""
    return x * len({1, 2})


def formatted(x):
    """f-strings elsewhere"""
    name = f"{x}"
    return x * len(name)


def bit_operators(x, n):
    """`<<`, `>>`, `in` of other things than dicts"""
    return x * (n << 1)


def masks(x, n):
    """bit operators of bools and integers, but shifts: `(x > 0) & (x < 1)`, `~mask`"""
    inside = (x > 0.5) & (x < 1.0)
    return np.sum(x[inside] ** 2) + np.sum(np.where(~inside | (x < -1.0), x, x**3)) * (n & 6)


def complex_numbers(x):
    """complex numbers and arrays of them, between real arguments and real results

    `z.real` and `z.imag` are views
    """
    z = np.exp(1j * x) * (x + 0.5j)
    return z.real * abs(z)


def complex_arrays(u):
    """complex results, products of complex matrices

    keep real and imaginary parts apart, and return a real number
    """
    return np.sum(np.exp(1j * u))


def singles(u, x):
    """float32, alone and beside float64: arguments, `dtype=np.float32`, `np.float32(x)`, `x.astype(np.float32)`

    with the types that NumPy gives values, compiled those of Numba; gradients of float32 arrays are float32
    """
    total = np.float32(0.0)
    v = np.zeros(len(u), dtype=np.float32)
    for i in range(len(u)):
        v[i] = u[i] * x
        total = total + v[i] * v[i]
    return total + np.sum(u.astype(np.float64) * x)


def factors_in_single(A):
    """factorisations of float32 matrices

    take them of `A.astype(np.float64)`
    """
    return np.sum(np.linalg.cholesky(A))


ROWS = [
    yes(tuples, ((0.7, 0.4), 1.5), 2),
    yes(named_tuples, Pair(0.7, 0.4), 0.5),
    yes(list_arguments, [np.array([0.7, 1.5]), np.array([0.4, 0.9])], jit="S062"),
    yes(dict_arguments, {"a": 0.7, "b": 0.4}, jit="S062"),
    yes(dataclass_arguments, Line(0.7, 0.4), 0.5, jit="S062"),
    yes(lists, np.array([0.7, 1.5])),
    yes(histories, np.array([0.7, 1.5]), 3),
    yes(list_parts, np.array([0.7, 1.5, -0.4])),
    yes(comprehensions, np.array([0.7, 1.5]), 2),
    yes(changing, 0.7, 3),
    yes(integers, 0.7, 5),
    yes(masks, np.array([0.7, 1.5, 0.9, -0.3]), 3),
    yes(complex_numbers, 0.7),
    yes(singles, np.array([0.7, 1.5], dtype=np.float32), 0.4),
    yes(text_known, 0.7),
    yes(optional, 0.7),
    no(two_kinds, "S052", 0.7),
    no(computed_subscript, "S037", np.array([0.7, 1.5]), 1),
    no(list_changed, "S041", [0.7, 0.4]),
    yes(members, Pair(0.7, 0.4), 0.5),
    no(no_method, "S041", Pair(0.7, 0.4)),
    no(written_later, "S080", np.array([0.7, 1.5]), 2),
    no(two_names, "S080", 0.7),
    no(mixed_lists, "S031", np.array([0.7, 1.5])),
    yes(dicts, 0.7, 3),
    no(dict_of_two_names, "S080", 0.7),
    no(sets, "S031", 0.7),
    no(formatted, "S035", 0.7),
    no(bit_operators, "S039", 0.7, 3),
    no(complex_arrays, "S042", np.array([0.7, 1.5])),
    yes(factors_in_single, np.array([[2.0, 0.3], [0.3, 1.0]], dtype=np.float32), jit="S062"),
]
