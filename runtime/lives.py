"""What sweeps over tapes of entities call. Plain Python, compiled where tapes are.

Arrays of so many axes lie in one heap; row i of `places` is where the array with index i begins, and its shape now.
"""


def revive(at, here, indices, data, heap, places):
    """An array's life as it ended: its shape and values, which were put down then."""
    index, axes, size = indices[at], places.shape[1] - 1, 1
    for k in range(axes):
        places[index, 1 + k] = int(data[here + k])
        size *= places[index, 1 + k]
    start = places[index, 0]
    for k in range(size):
        heap[start + k] = data[here + axes + k]


def settle(index, a, heap, places):
    """An array is born: its shape and values."""
    start = places[index, 0]
    for k in range(a.ndim):
        places[index, 1 + k] = a.shape[k]
    for k, x in enumerate(a.flat):
        heap[start + k] = x


def field_of(fields, data, index, k, at):
    """A field of a value: in the row of its index, or, where it is passive, among the data."""
    return fields[index, k] if index != 0 else data[at]
