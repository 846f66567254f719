"""Random programs full of names that share arrays, callees that write, and exits: right to the last bit, or refused.

Each program is read, checked, and run as IR beside the original for several trip counts.
"""

import linecache
import random

import numpy as np
import pytest
from frontend.test_lower import flat, same

from s2sad.errors import AliasingError
from s2sad.frontend.kinds import kind_of_value
from s2sad.frontend.lower import lower
from s2sad.ir import spec
from s2sad.ir.interpret import run

HELPERS = """import numpy as np
G = 1.25
TABLE = np.array([0.5, -0.25, 0.75])

def writes(a, s):
    a[0] = a[0] + s
    return a[1] * s

def leaves_early(p, q=0.5):
    if p > q:
        return p - q
    return q * p

def writes_and_hands_back(a, b):
    a[1] = b[0] * 0.5
    b[2] = a[2] + 0.25
    return b

def makes(a):
    c = a * 0.5
    c[0] = 1.0
    return c

def rebinds(a, k):
    if k > 1:
        a = a + 1.0
        a[0] = 0.5
        return np.sum(a)
    a[2] = 0.125
    return a[2] * k

def pair(x, y):
    return y, x * y
"""


#: Templates: # a number, @ an array name, & an array, $ a subscript, % a counter, ? a condition.
NUMBERS = ["0.5", "-0.75", "G", "x", "z", "%", "@[$]"]
LARGER = [
    "(# + #)", "(# - #)", "(# * #)", "np.sin(#)", "(# if ? else #)", "max(#, #)", "leaves_early(#, q=#)",
    "writes(@, #)", "np.sum(&)", "makes(@)[1]", "rebinds(@, %)", "writes_and_hands_back(@, @)[$]",
]  # fmt: skip
ARRAYS = ["@ * #", "@ + @", "np.ones(3)", "@.copy()", "makes(@)", "TABLE * #"]
CONDITIONS = ["# < #", "not # >= #", "(# < # <= #)", "(# > # and ?)", "(# > # or ?)"]


#: Statements: X a number's name, Y an array's.
SIMPLE = [
    "X = #", "X = #", "X = #", "Y = &", "Y = &", "Y = @", "@[$] = #", "@[$] += #", "@[$] *= #", "@ -= #", "@ += &",
    "X, z = z, #", "X, z = pair(#, #)", "writes_and_hands_back(@, @)", "Y, u = u, @", "u, v = v, u",
    "Y = v; v = u; u = Y",
    "t = (#, (@, z)); X, (Y, z) = t", "Y, X = &, #",
]  # fmt: skip


class Writer:
    """Writes one random program; `names` tells what each name is: a number, an array, a counter."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.depth = self.loops = 0

    def line(self, text):
        self.lines.append("    " * (self.depth + 1) + text)

    def pick(self, names, what):
        return self.random.choice([n for n in names if names[n] == what] or ["u" if what == "array" else "n"])

    def fill(self, template, names, deep=0):
        """A template with its holes filled at random."""
        choose = self.random.choice
        parts = []
        for sign in template:
            match sign:
                case "#":
                    small = NUMBERS if deep > 2 else NUMBERS + LARGER
                    parts.append(self.fill(choose(small), names, deep + 1))
                case "&":
                    parts.append(self.fill(choose(ARRAYS), names, deep + 2))
                case "?":
                    parts.append(self.fill(choose(CONDITIONS[: 3 if deep > 2 else 5]), names, deep + 1))
                case "@":
                    parts.append(self.pick(names, "array"))
                case "%":
                    parts.append(self.pick(names, "counter"))
                case "$":
                    parts.append(choose(["0", "1", "2", "-1", f"{self.pick(names, 'counter')} % 3"]))
                case _:
                    parts.append(sign)
        return "".join(parts)

    def statement(self, names):
        """One statement; True if it leaves."""
        r, x, a = self.random, self.random.choice("xypqs"), self.random.choice("abcd")
        inner = ["if", "for", "each", "leave"] if self.depth < 3 else []
        kind = r.choice([*SIMPLE, *inner])
        if kind == "leave" and self.depth > (self.loops > 0):
            self.line("continue" if self.loops else self.fill("return (#, &)", names))
            return True
        if kind == "if":
            self.line(self.fill("if ?:", names))
            one, two = self.block(dict(names)), dict(names)
            if r.random() < 0.6:
                self.line("else:")
                two = self.block(two)
            self.meet(names, one, two)
        elif kind in ("for", "each"):
            i = r.choice("ij") if kind == "for" else x
            over = (
                r.choice(["range(n)", "range(3)", "range(1, n)", "range(2, -1, -1)"])
                if kind == "for"
                else "@"
            )
            self.line(self.fill(f"for {i} in {over}:", names))
            self.loops += 1
            after = self.block({**names, i: "counter" if kind == "for" else "number"})
            self.loops -= 1
            self.meet(names, dict(names), after)
        elif kind == "leave":
            self.line("pass")
        else:
            self.line(self.fill(kind.replace("X", x).replace("Y", a), names))
            names.update({x: "number"} if "X" in kind else {}, **({a: "array"} if "Y" in kind else {}))
        return False

    @staticmethod
    def meet(names, one, other):
        kept = {n: one[n] for n in one if other.get(n) == one[n]}
        names.clear()
        names.update(kept)

    def block(self, names):
        self.depth += 1
        for _ in range(self.random.randint(1, 3)):
            if self.statement(names):
                break
        self.depth -= 1
        return names

    def program(self):
        names = {"u": "array", "v": "array", "x": "number", "z": "number", "n": "counter"}
        for _ in range(self.random.randint(4, 9)):
            self.statement(names)
        self.line(self.fill("return (#, &)", names))
        return "\n".join([HELPERS, "def f(u, v, x, z, n):", *self.lines, ""])


def arguments(n):
    return np.array([0.3, -0.8, 0.5]), np.array([1.1, 0.25, -0.4]), 0.7, -0.3, n


def outcome(seed):
    text = Writer(seed).program()
    name = f"<random {seed}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = {}
    exec(compile(text, name, "exec"), space)
    try:
        fn = lower(space["f"], [kind_of_value(a) for a in arguments(1)])
    except AliasingError:
        return "refused"
    assert spec.check(fn) == [], text
    for n in range(4):
        plain, other = arguments(n), arguments(n)
        want, got = space["f"](*plain), run(fn, other)
        assert all(same(a, b) for a, b in zip(flat(want), got, strict=True)), text
        assert all(same(a, b) for a, b in zip(plain, other, strict=True)), text
    return "right"


@pytest.mark.parametrize("part", range(4))
def test_right_or_refused(part):
    outcomes = [outcome(100 * part + k) for k in range(25)]
    assert outcomes.count("right") > 12
