"""Stores that don't meet what was read before: told from the text, and seen in runs of random nests."""

import operator
import random

import pytest

from s2sad.analyses.versions import distinct, versions
from s2sad.ir.nodes import INT, REAL, Apply, Assign, Const, For, If, Kind, Load, Store, Var, While
from s2sad.ir.walk import statements
from s2sad.plan.later import Later

LENGTH = 9  # of both axes: a subscript below 0 counts from the end


class Nests:
    """Random nests of loops that read and write elements of `a`."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = 0

    def number(self, variables):
        """A subscript or a bound: a variable or `n`, and perhaps a constant."""
        name = self.random.choice([*variables, *variables, "n", None])
        more = self.random.choice([0, 0, 1, 1, 2])
        if name is None:
            return Const(more)
        return Var(name) if not more else Apply(self.random.choice(["add", "sub"]), (Var(name), Const(more)))

    def body(self, variables, depth):
        return tuple(s for _ in range(self.random.randint(1, 3)) for s in self.statement(variables, depth))

    def statement(self, variables, depth):
        kind = self.random.choice(["read", "store", "store", "loop", "loop", "loop", "if", "name", "change"])
        index = (self.number(variables), self.number(variables))
        if kind == "loop" and depth < 3:
            self.names += 1
            var = f"i{self.names}"
            start, stop = self.number(variables), self.number(variables)
            up = self.random.random() < 0.7
            step = Const(self.random.choice([1, 1, 2]) * (1 if up else -1))
            if self.random.random() < 0.5:
                start, stop = (Const(0), stop) if up else (start, Const(-1))
            yield For(var, start, stop, step, self.body([*variables, var], depth + 1))
        elif kind == "if" and depth < 3:
            test = Apply(self.random.choice(["lt", "le", "gt", "ge", "eq", "ne"]), index)
            yield If(test, self.body(variables, depth + 1), self.body(variables, depth + 1))
        elif kind == "name":
            self.names += 1
            yield Assign(f"m{self.names}", self.number(variables))
            yield Store("a", (Var(f"m{self.names}"), index[0]), Const(0.0))
        elif kind == "change":
            yield Assign(self.random.choice(["m", "m", variables[-1]]), self.number([*variables, "m"]))
        elif kind == "read":
            yield Assign("s", Load("a", index))
        else:
            yield Store("a", index, Const(0.0))


def value(expr, env):
    match expr:
        case Const(value=number):
            return number
        case Var(name=name):
            return env[name]
        case Apply(op=op, args=(a, b)):
            a, b = value(a, env), value(b, env)
            return getattr(operator, op)(a, b)


def run(body, env, events):
    """What happens: (statement, element), in order."""
    for stmt in body:
        match stmt:
            case For(var=var, start=start, stop=stop, step=step, body=inner):
                for env[var] in range(*(value(e, env) for e in (start, stop, step))):
                    run(inner, env, events)
            case If(test=test, then=then, orelse=orelse):
                run(then if value(test, env) else orelse, env, events)
            case Assign(value=Load(index=index)) | Store(index=index):
                events.append(
                    (id(stmt), tuple(i if (i := value(e, env)) >= 0 else LENGTH + i for e in index))
                )
            case Assign(target=name, value=expr):
                env[name] = value(expr, env)


def whole(nests):
    loop = For("i", Const(0), Var("n"), Const(1), nests.body(["m", "i"], 1))
    return distinct((Assign("m", Const(1)), loop, *nests.body(["m"], 1)))


def kinds_of(body):
    names = {s.target for s in statements(body) if isinstance(s, Assign)}
    names |= {s.var for s in statements(body) if isinstance(s, For)}
    return {"a": Kind("real", 2), "n": INT, **dict.fromkeys(names, INT), "s": REAL}


def later(body):
    return Later(body, versions(body, ("a", "n"), kinds_of(body)), kinds_of(body))


@pytest.mark.parametrize("seed", range(150))
def test_what_is_told_is_so_in_runs(seed):
    nests = Nests(seed)
    body = whole(nests)
    order = later(body)
    reads = [s for s in statements(body) if isinstance(s, Assign) and isinstance(s.value, Load)]
    stores = [s for s in statements(body) if isinstance(s, Store)]
    apart = {
        (id(r), id(s))
        for r in (*reads, *stores)
        for s in stores
        if not order.meets(r, r.value.index if isinstance(r, Assign) else r.index, s)
    }
    for n in (1, 2, 3, 5):
        events = []
        run(body, {"n": n}, events)
        for k, (early, element) in enumerate(events):
            for late, other in events[k:]:
                assert (early, late) not in apart or element != other


def told(body, read, store):
    order = later(body)
    return not order.meets(read, read.value.index, store)


def test_what_can_be_told():
    """Of a tenth of the pairs something is told: the test above is about something."""
    found = total = 0
    for seed in range(100):
        nests = Nests(seed)
        body = whole(nests)
        order = later(body)
        every = [s for s in statements(body) if isinstance(s, Store)]
        for one in every:
            for other in every:
                total += 1
                found += not order.meets(one, one.index, other)
    assert found > total // 10


def test_another_trip_of_a_loop_without_a_counter():
    read = Assign("s", Load("a", (Apply("add", (Var("i"), Const(1))), Const(0))))
    store = Store("a", (Var("i"), Const(0)), Const(0.0))
    inner = For("i", Var("n"), Const(0), Const(-1), (read, store))
    assert told((inner,), read, store)
    around = While(Apply("lt", (Var("s"), Const(1.0))), (inner,))
    assert not told((around,), read, store)
    assert not told((For("t", Const(0), Const(2), Const(1), (inner,)),), read, store)
