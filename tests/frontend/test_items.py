"""Arrays in lists: views where a row is looked at, copies where its list changes meanwhile."""

import numpy as np
import pytest

from s2sad.errors import AliasingError
from s2sad.frontend.lower import lower
from s2sad.ir.nodes import INT, REAL, Kind, New, Store, View
from s2sad.ir.walk import statements

VECTOR = Kind("real", 1)


def bound_to(f, name, *kinds):
    """The statements by which a name is bound."""
    body = lower(f, kinds).body
    return [type(s) for s in statements(body) if isinstance(s, New | View) and s.target == name]


def looked_at(u):
    hist = [u * 2.0, u * 3.0]
    hist.append(u * 4.0)
    row = hist[1]
    row[0] = 1.0
    return np.sum(hist[1] * row)


def held_meanwhile(u):
    hist = [u * 2.0, u * 3.0]
    row = hist[1]
    hist.append(u * 4.0)
    return np.sum(hist[1] * row)


def item_replaced(u):
    hist = [u * 2.0, u * 3.0]
    row = hist[1]
    hist[0] = u
    return np.sum(hist[1] * row)


def not_used_again(u):
    hist = [u * 2.0, u * 3.0]
    row = hist[1]
    s = row[0]
    hist.append(u * s)
    return np.sum(hist[1])


@pytest.mark.parametrize(
    ("f", "how"), [(looked_at, View), (held_meanwhile, New), (item_replaced, New), (not_used_again, View)]
)
def test_rows(f, how):
    assert bound_to(f, "row", VECTOR) == [how]


def stored(u, n):
    hist = []
    for _ in range(n):
        u = np.sin(u)
        hist.append(u.copy())
    return np.sum(hist[0])


def test_a_copy_that_is_stored_is_made_once():
    """`hist.append(u.copy())` writes `u` into its row, without a copy beside."""
    fn = lower(stored, (VECTOR, INT))
    assert [s.value.name for s in statements(fn.body) if isinstance(s, Store) and s.array == "hist"] == [
        "u_2"
    ]
    assert fn.kinds["hist"] == Kind("real", 2)
    assert fn.kinds["hist_n"] == INT


def numbers_and_arrays(x, n):
    vals, rows = [], []
    for k in range(n):
        if rows:
            vals.append(rows[-1][0])
        rows.append(np.full(2, x * k))
    return np.sum(np.array(vals))


def test_what_lists_hold_is_found_out():
    """`rows` is read before something is put in: the function is read again."""
    fn = lower(numbers_and_arrays, (REAL, INT))
    assert (fn.kinds["vals"].ndim, fn.kinds["rows"].ndim) == (1, 2)


def written_on_some_paths(u, c):
    v = u * 2.0
    hist = []
    hist.append(v)
    if c > 0:
        v = u * 3.0
    v[0] = 1.0
    return np.sum(hist[0] * v)


def test_paths_meet():
    with pytest.raises(AliasingError, match="`v` is written here"):
        lower(written_on_some_paths, (VECTOR, INT))
