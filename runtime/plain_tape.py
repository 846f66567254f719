"""The plain twins of managers and tape: Python lists in place of chunks, everything tested that can be."""

# ruff: noqa: D103 (what these do stands where they are compiled)

import numpy as np

__all__ = [
    "PlainTape", "as_indices", "copied", "copy_all", "copy_index",
    "drop_all", "drop_index", "free", "free_all", "input_index", "input_indices",
    "new_tape", "no_indices", "record", "record_all", "record_dot11", "record_dot12", "record_dot21", "record_dot22",
    "record_sum", "seal", "tape_arena",
]  # fmt: skip

LINEAR, REUSE, MULTI = 1, 2, 3
LARGEST = 255
NOT_IN_USE = "an index is used that nobody holds"


class PlainTape:
    """What is recorded, and the indices in use."""

    def __init__(self):
        self.manager, self.check = MULTI, False
        self.sizes, self.left, self.arguments, self.partials = [], [], [], []
        self.uses = [0]
        self.free, self.highest, self.live, self.most_live, self.copies = [], 0, 0, 0, 0

    def fresh(self):
        if self.free:
            index = self.free.pop()
        else:
            self.highest = index = self.highest + 1
            self.uses.append(0)
        self.uses[index] = 1
        self.live += 1
        self.most_live = max(self.live, self.most_live)
        return index

    def held(self, index):
        """The index, which somebody has to hold."""
        if self.check and not (0 < index <= self.highest and self.uses[index] > 0):
            raise RuntimeError(NOT_IN_USE)
        return index

    def assign(self, old):
        if self.manager == LINEAR:
            return self.fresh()
        if old != 0:
            if self.manager == REUSE or self.uses[old] == 1:
                return old
            self.uses[old] -= 1
        return self.fresh()

    def share(self, old, source):
        self.held(source)
        self.copies += 1
        if old != source and self.manager != LINEAR:
            self.uses[source] += 1
            self.release(old)
        return source

    def release(self, index):
        if index == 0 or self.manager == LINEAR:
            return
        self.held(index)
        self.uses[index] -= 1
        if self.uses[index] == 0:
            self.free.append(index)
            self.live -= 1

    def statement(self, old, pairs):
        pairs = [(int(i), float(p)) for i, p in pairs if i != 0]
        if not pairs:
            self.release(old)
            return 0
        part = 0
        while len(pairs) > LARGEST:
            whole = self._closed(0, pairs[:LARGEST])
            self.release(part)
            part, pairs = whole, [(whole, 1.0), *pairs[LARGEST:]]
        index = self._closed(old, pairs)
        self.release(part)
        return index

    def _closed(self, old, pairs):
        for index, partial in pairs:
            self.arguments.append(self.held(index))
            self.partials.append(partial)
        index = self.assign(old)
        self.sizes.append(len(pairs))
        self.left.append(index)
        return index


def tape_arena():
    return PlainTape()


def new_tape(arena, manager, check):
    arena.manager, arena.check = manager, check
    return arena


def seal(tape):
    """Lists know how long they are."""


def input_index(tape):
    return tape.fresh()


def record(tape, old, *pairs):
    return tape.statement(old, zip(pairs[::2], pairs[1::2], strict=True))


def copy_index(tape, old, source):
    if source == 0:
        tape.release(old)
        return 0
    if tape.manager == REUSE:
        return old if old == source else tape.statement(old, [(source, 1.0)])
    return tape.share(old, source)


def drop_index(tape, old):
    tape.release(old)
    return 0


def drop_all(tape, target):
    for where in np.ndindex(target.shape):
        target[where] = drop_index(tape, target[where])


def free(tape, *indices):
    for index in indices:
        tape.release(index)


def record_all(tape, target, *pairs):
    spread = [np.broadcast_to(p, target.shape) for p in pairs]
    for where in np.ndindex(target.shape):
        target[where] = record(tape, target[where], *(p[where] for p in spread))


def copy_all(tape, target, source):
    source = np.broadcast_to(source, target.shape)
    for where in np.ndindex(target.shape):
        target[where] = copy_index(tape, target[where], source[where])


def copied(tape, source):
    target = np.zeros(source.shape, np.int32)
    copy_all(tape, target, source)
    return target


def free_all(tape, indices):
    free(tape, *indices.flat)


def no_indices(a):
    return np.zeros(a.shape, np.int32)


def as_indices(a):
    return a.astype(np.int32)


def input_indices(tape, a):
    made = np.zeros(a.shape, np.int32)
    for where in np.ndindex(a.shape):
        made[where] = input_index(tape)
    return made


def record_sum(tape, old, indices, partials):
    return tape.statement(old, zip(indices.flat, np.broadcast_to(partials, indices.shape).flat, strict=True))


def record_dot11(tape, old, a, a_i, b, b_i):
    pairs = zip(a_i, b, b_i, a, strict=True)
    return tape.statement(old, [pair for ai, bv, bi, av in pairs for pair in ((ai, bv), (bi, av))])


def record_dot21(tape, a, a_i, b, b_i):
    rows = [record_dot11(tape, 0, a[i], a_i[i], b, b_i) for i in range(a_i.shape[0])]
    return np.array(rows, np.int32)


def record_dot12(tape, a, a_i, b, b_i):
    return record_dot21(tape, b.T, b_i.T, a, a_i)


def record_dot22(tape, a, a_i, b, b_i):
    rows = [record_dot12(tape, a[i], a_i[i], b, b_i) for i in range(a_i.shape[0])]
    return np.array(rows, np.int32).reshape(a_i.shape[0], b_i.shape[1])
