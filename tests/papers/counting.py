"""What the index managers do per action, counted in their own text: it is run as Python on memory that counts.

A branch is an `if` on an index or a count; which manager it is (`MANAGER`, `CHECK`) is another question, which C++
settles when a program is compiled. A look-up reads or writes the table of use counts and free indices, at an index.
"""

import ast
import inspect
from dataclasses import dataclass

from s2sad_runtime import managers
from s2sad_runtime import tape_words as words

TAPE, TABLE = 0, 1 << 20
ACTIONS = {
    "a new name": "assigned for the first time, the next number",
    "a new name again": "the same with an index that became free",
    "a statement": "a name that has an index is assigned",
    "a copy": "`c = a`, `c` has no index yet",
    "an end": "of a name that shares its index with nobody",
}


@dataclass
class Memory:
    """Words at addresses, and what was done."""

    def __post_init__(self):
        self.at, self.branches, self.look_ups = {}, 0, 0

    def peek(self, address):
        return self.at.get(address, 0)

    def poke(self, address, value):
        self.at[address] = value

    def peek4(self, address):
        self.look_ups += 1
        return self.at.get(address, 0)

    def poke4(self, address, value):
        self.look_ups += 1
        self.at[address] = value

    def branch(self, truth):
        self.branches += 1
        return truth


class Branches(ast.NodeTransformer):
    """Every test of an index or a count is counted."""

    def visit_FunctionDef(self, node):
        node.decorator_list = []
        return self.generic_visit(node)

    def counted(self, test):
        if isinstance(test, ast.BoolOp):
            test.values = [self.counted(t) for t in test.values]
            return test
        read = {n.id for n in ast.walk(test) if isinstance(n, ast.Name)}
        if read & {"MANAGER", "CHECK", "manager"}:
            return test
        return ast.Call(ast.Name("branch", ast.Load()), [test], [])

    def visit_If(self, node):
        node.test = self.counted(node.test)
        return self.generic_visit(node)

    def visit_IfExp(self, node):
        node.test = self.counted(node.test)
        return self.generic_visit(node)


def compiled_for(memory):
    """The functions of the managers, over a memory."""
    tree = ast.parse(inspect.getsource(managers))
    tree.body = [n for n in tree.body if not isinstance(n, ast.ImportFrom)]
    names = {k: getattr(words, k) for k in dir(words) if k.isupper()}
    names |= {"peek": memory.peek, "poke": memory.poke, "peek4": memory.peek4, "poke4": memory.poke4}
    names |= {"branch": memory.branch}
    exec(compile(ast.fix_missing_locations(Branches().visit(tree)), "managers", "exec"), names)
    return names


def counts(manager):
    """Action -> (branches, look-ups) of a manager; None for a copy where it is a statement."""
    memory = Memory()
    names = compiled_for(memory)
    memory.at = {
        TAPE + words.MANAGER: getattr(words, manager),
        TAPE + words.TABLE: TABLE,
        TAPE + words.ROOM: 1 << 10,
    }
    found = {}

    def act(action, function, *args):
        before = memory.branches, memory.look_ups
        index = names[function](TAPE, *args)
        found[action] = memory.branches - before[0], memory.look_ups - before[1]
        return index

    held = [names["input_index"](TAPE) for _ in range(3)]
    a = act("a new name", "assign_index", 0)
    a = act("a statement", "assign_index", a)
    if manager == "REUSE":
        found["a copy"] = None
    else:
        c = act("a copy", "share_index", 0, a)
        names["free_index"](TAPE, c)
    act("an end", "free_index", held[0])
    act("a new name again", "assign_index", 0)
    return found
