"""The plain twins of `kept`: lists in place of chunks."""

# ruff: noqa: D103 (what these do stands where they are compiled)

import numpy as np

from s2sad_runtime.plain_tape import LINEAR, REUSE

__all__ = [
    "keep_values", "note", "note_all", "note_check", "note_copies", "note_copy", "note_dot", "note_sum", "noted_copy",
    "seal_kept", "set_value", "set_values",
]  # fmt: skip

COPY, SUM, DOT = 0, 1, 2


def keep_values(tape):
    tape.sites, tape.before, tape.constants, tape.primal = [], [], [], [0.0]


def seal_kept(tape):
    """Lists know how long they are."""


def set_value(tape, index, value):
    tape.primal.extend([0.0] * (index + 1 - len(tape.primal)))
    tape.primal[index] = float(value)


def set_values(tape, indices, values):
    for where in np.ndindex(indices.shape):
        set_value(tape, indices[where], values[where])


def _put(tape, pairs, constants):
    """Put down operands and constants, unless nothing is active."""
    pairs = list(pairs)
    if all(i == 0 for i, _ in pairs):
        return False
    for index, _ in pairs:
        tape.arguments.append(int(index) and tape.held(int(index)))
    tape.constants += [float(v) for i, v in pairs if i == 0] + [float(c) for c in constants]
    return True


def _end(tape, site, old, value):
    index = tape.assign(old)
    tape.sites.append(site)
    if tape.manager != LINEAR:
        tape.left.append(index)
        tape.before.append(tape.primal[index] if index < len(tape.primal) else 0.0)
    set_value(tape, index, value)
    return index


def note(tape, site, old, value, pairs, constants):
    if not _put(tape, zip(pairs[::2], pairs[1::2], strict=True), constants):
        tape.release(old)
        return 0
    return _end(tape, site, old, value)


def note_all(tape, site, target, value, pairs, constants):
    spread = [[np.broadcast_to(p, target.shape) for p in part] for part in ((value,), pairs, constants)]
    for where in np.ndindex(target.shape):
        (y,), given, more = ([p[where] for p in part] for part in spread)
        target[where] = note(tape, site, target[where], y, given, more)


def note_check(tape, site, outcome, pairs, constants):
    if _put(tape, zip(pairs[::2], pairs[1::2], strict=True), (*constants, outcome)):
        tape.sites.append(site)
        if tape.manager != LINEAR:
            tape.left.append(0)
            tape.before.append(0.0)


def note_sum(tape, old, value, indices, values):
    if not _put(tape, zip(indices.flat, values.flat, strict=True), (indices.size,)):
        tape.release(old)
        return 0
    return _end(tape, SUM, old, value)


def note_dot(tape, old, value, a, a_i, b, b_i):
    pairs = [pair for k in range(a_i.size) for pair in ((a_i[k], a[k]), (b_i[k], b[k]))]
    if not _put(tape, pairs, (2 * a_i.size,)):
        tape.release(old)
        return 0
    return _end(tape, DOT, old, value)


def note_copy(tape, old, source):
    if source == 0:
        tape.release(old)
        return 0
    if tape.manager != REUSE:
        return tape.share(old, source)
    if old == source:
        return old
    tape.arguments.append(tape.held(int(source)))
    return _end(tape, COPY, old, tape.primal[source])


def note_copies(tape, target, source):
    source = np.broadcast_to(source, target.shape)
    for where in np.ndindex(target.shape):
        target[where] = note_copy(tape, target[where], source[where])


def noted_copy(tape, source):
    target = np.zeros(source.shape, np.int32)
    note_copies(tape, target, source)
    return target
