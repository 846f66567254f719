"""The plain twins of `compiled_lives`."""

# ruff: noqa: D103 (what these do stands where they are compiled)

from s2sad_runtime.lives import revive, settle

__all__ = ["entity", "given_array", "revive", "settle"]


def entity(heap, places, index, axes):
    start, *shape = places[index].tolist()
    return heap[start : start + _product(shape)].reshape(shape)


def given_array(data, here, axes):
    shape = [int(n) for n in data[here : here + axes]]
    start = here + axes
    return data[start : start + _product(shape)].reshape(shape)


def _product(shape):
    size = 1
    for n in shape:
        size *= n
    return size
