"""The tables of docs/papers.md: what comes out here. `pytest --update-golden` writes them anew."""

from dataclasses import dataclass

import numpy as np
from benchmarks.workloads import burgers2d

import s2sad
from papers.counting import ACTIONS, counts
from papers.programs import OPERATIONS, euler2d, gas, operands
from s2sad_runtime import plain_tape

MANAGERS = ("linear", "reuse", "multiuse")
DIRECTIONS = (1, 4, 16)
SIZES = (2, 5, 10, 20, 50, 100)


def carried(n, steps):
    """Arguments of `burgers2d` on n x n points."""
    u, v = 1.0 + 0.1 * np.random.default_rng(7).random((2, n, n))
    return u, v, 5e-3, 1.0 / (n - 1), 0.1 / (n - 1), steps


PROGRAMS = {
    "Burgers": (burgers2d, carried(31, 16)),
    "Euler": (euler2d, (gas(10), 0.05, 6)),
}


def table(head, rows):
    """A table in Markdown, figures to the right."""
    lines = [" | ".join(head), "|".join(["---", *["---:"] * (len(head) - 1)])]
    lines += [" | ".join(f"{x:,}" if isinstance(x, int) else str(x) for x in row) for row in rows]
    return "\n".join(f"| {line} |" if "---" not in line else f"|{line}|" for line in lines)


# ----- index managers -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Memory:
    """What the indices of a run take in bytes, for so many directions: adjoints, left-hand indices, use counts."""

    adjoints: int
    left: int
    counts: int

    def __call__(self, directions):
        return directions * self.adjoints + self.left + self.counts


def memory(stats):
    """Measured."""
    return Memory(stats.adjoint_bytes, stats.index_bytes, stats.use_count_bytes)


def recorded(name, index):
    """The statistics of a program of the table."""
    f, args = PROGRAMS[name]
    return s2sad.record(f, index=index, jit=False)(*args).stats()


def managers():
    """Statements, copies, indices and bytes of the programs under the managers."""
    rows = []
    for name in PROGRAMS:
        for index in MANAGERS:
            s = recorded(name, index)
            sizes = (memory(s)(d) for d in DIRECTIONS)
            rows.append((f"{name}, {index}", s.statements, s.copies_elided, s.index_max, *sizes))
    heads = (f"bytes, d = {d}" for d in DIRECTIONS)
    return table(("", "statements", "copies elided", "i_max", *heads), rows)


def actions():
    """Branches and look-ups of the managers per action."""
    found = {m: counts(m) for m in ("LINEAR", "REUSE", "MULTI")}
    rows = []
    for action, meaning in ACTIONS.items():
        cells = (f[action] for f in found.values())
        rows.append(
            (f"{action}: {meaning}", *("a statement" if c is None else f"{c[0]} + {c[1]}" for c in cells))
        )
    return table(("branches + look-ups", *MANAGERS), rows)


class Holders(plain_tape.PlainTape):
    """A tape that knows how many names hold an index, at most at once."""

    holders = most = 0

    def counted(self, more):
        self.holders += more
        self.most = max(self.most, self.holders)

    def fresh(self):
        self.counted(1)
        return super().fresh()

    def assign(self, old):
        if old != 0 and self.uses[old] > 1:
            self.counted(-1)
        return super().assign(old)

    def share(self, old, source):
        if old != source:
            self.counted(1)
        return super().share(old, source)

    def release(self, index):
        if index != 0:
            self.counted(-1)
        super().release(index)


def held(f, args):
    """How many names hold an index of a multi-use tape at once, and how many indices there are, at most."""
    before, plain_tape.PlainTape = plain_tape.PlainTape, Holders
    try:
        tape = s2sad.record(f, jit=False)(*args)
    finally:
        plain_tape.PlainTape = before
    return tape._owner.most, tape.stats().index_max


def bookkeeping(names, indices):
    """Bytes that tell who has which index: without counting, by counted references, by a vector of use counts.

    A reference is two pointers (16 bytes), and what it points to at least a counter and a pointer to what frees it (12).
    """
    return 4 * names, 16 * names + 12 * indices, 4 * names + 4 * indices


def references():
    """Bytes of bookkeeping of the programs."""
    rows = []
    for name, (f, args) in PROGRAMS.items():
        names, indices = held(f, args)
        rows.append((name, names, indices, *bookkeeping(names, indices)))
    return table(("", "names", "indices", "not counted", "counted references", "use counts"), rows)


# ----- entities -------------------------------------------------------------------------------------------------


def operations():
    """Bytes of tape of the operations: entities, elements (with the relations of `@` and `solve`), loops."""
    rows = []
    for name, (whole, loops, _) in OPERATIONS.items():
        recorders = [s2sad.record(whole, entities=True, jit=False), s2sad.record(whole, jit=False)]
        recorders += [s2sad.record(loops), s2sad.record(loops, values="primal")]
        for k in SIZES:
            args = operands(name, k)
            rows.append((f"{name}, k = {k}", *(r(*args).stats().tape_bytes for r in recorders)))
    return table(("bytes of tape", "entities", "elements", "loops", "loops, values"), rows)


def burgers():
    """Burgers' equations, a program of elements, on the tapes that there are."""
    rows = []
    f, args = PROGRAMS["Burgers"]
    for what, options in FORMS.items():
        s = s2sad.record(f, jit=False, **options)(*args).stats()
        rows.append((what, s.statements, s.arguments, s.tape_bytes, s.adjoint_bytes + s.primal_bytes))
    return table(("", "statements", "arguments", "bytes of tape", "adjoints and values"), rows)


FORMS = {"elements, slopes": {}, "elements, values": {"values": "primal"}, "entities": {"entities": True}}
TABLES = {f.__name__: f for f in (managers, actions, references, operations, burgers)}
