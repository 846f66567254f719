"""A derivative for many directions at once: an axis, last in memory, on everything that is linear in them.

Tangents depend linearly on tangents, adjoints on adjoints, so nothing new has to be derived: each statement that gives
one a value does so for all directions, in a loop over them that runs along memory. Values of the program are formed once.

Before: `y = np.sin(x)` · `y_d = np.cos(x) * x_d`
After:  `y = np.sin(x)` · `slope = np.cos(x)` · `for q in range(directions): y_d[q] = slope * x_d[q]`

>>> from s2sad.ir.nodes import Node
>>> from s2sad.ir.text import show_function
>>> slope = Apply("mul", (Apply("cos", (Var("x"),)), Var("x_d")))
>>> body = (Assign("t", slope), Assign("y_d", Apply("mul", (Var("t"), Var("x")))))
>>> kinds = {n: Kind("real") for n in ("x", "x_d", "t", "y_d")}
>>> fn = Function("f_d", ("x", "x_d"), body, (Var("y_d"),), kinds, (), Node(()))
>>> print(show_function(in_directions(fn, {"x_d"})))
def f_d(x: real, x_d: real[:]):
    directions = shape(x_d, 0)
    new y_d = zeros(directions)
    slope = cos(x)
    for q in range(0, directions, 1):
        t = slope * x_d[q]
        y_d[q] = t * x
    return y_d
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from s2sad.ir.names import Namer
from s2sad.ir.nodes import (
    INT,
    Accumulate,
    Apply,
    Assign,
    Back,
    Call,
    Const,
    Expr,
    For,
    Function,
    Keep,
    Kind,
    Load,
    New,
    Pop,
    Push,
    Rebind,
    Release,
    Slice,
    Stmt,
    Store,
    Turn,
    Update,
    Var,
    View,
)
from s2sad.ir.walk import (
    Body,
    blocks,
    expressions,
    is_section,
    reads,
    rebuild,
    statements,
    variables,
    with_blocks,
    writes,
)
from s2sad.ops import OPS
from s2sad.ops.build import ZERO
from s2sad.ops.kinds import kind_of
from s2sad.shapes.linear import halves_apart, linear_in, target_of, with_named_results
from s2sad.shapes.liveness import exposed
from s2sad.shapes.sweep import sweep_of


class Alone(Exception):
    """A function can do for one direction at a time only what the message says."""


def in_directions(fn: Function, names: Iterable[str]) -> Function:
    """`fn` with directions on `names` and all that is linear in them. Errors: Alone."""
    names = frozenset(names)
    fn = with_named_results(fn, linear_in(fn, names))
    fn = halves_apart(fn, linear_in(fn, names))
    mine = linear_in(fn, names)
    if any(fn.kinds[n].base not in ("real", "single") for n in mine):
        raise Alone("complex numbers")
    return _Directions(fn, mine).run()


# ----- the function --------------------------------------------------------------------------------------------


class _Directions:
    def __init__(self, fn: Function, mine: frozenset[str]) -> None:
        self.fn, self.mine = fn, mine
        self.kinds = dict(fn.kinds)
        self.namer = namer = Namer([*fn.kinds, *fn.constants, *fn.callees, *fn.pairs, *fn.helpers])
        self.q, self.count = namer.fresh("q"), namer.fresh("directions")
        self.kinds[self.q] = self.kinds[self.count] = INT
        self.memory = sweep_of(fn, Namer()).memory
        ends = [v for e in fn.results for v in variables(e)]
        self.uses = Counter([*ends, *(n for s in statements(fn.body) for n in named(s))])
        self.names: list[str] = []
        self.slopes: dict[Expr, str] = {}  # of a run: what is the same for all directions
        self.inside: set[str] = set()  # scalars that one run alone names: they need no axis

    def run(self) -> Function:
        fn = self.fn
        turn = next((s for s in fn.body if isinstance(s, Turn)), None)
        k = len(fn.body) if turn is None else next(k for k, s in enumerate(fn.body) if s is turn)
        parts = [self.block(fn.body[:k]), self.block(fn.body[k + 1 :])]
        seeds = () if turn is None else turn.seeds
        for n in self.mine - self.inside:
            kind = fn.kinds[n]
            self.kinds[n] = Kind(kind.base, kind.ndim + 1)
        for e in (*(() if turn is None else turn.results), *fn.results):
            match e:
                case Var() | Apply(op="copy", args=(Var(),)):
                    pass
                case _ if self.touches(e):
                    raise Alone("a result that is no name")
        ahead, back = self.opened(parts[0], fn.params), self.opened(parts[1], (*fn.params, *seeds))
        helpers = {name: self.helper(name, helper) for name, helper in fn.helpers.items()}
        body = ahead if turn is None else (*ahead, turn, *back)
        return replace(fn, body=body, kinds=self.kinds, helpers=helpers)

    def helper(self, name: str, helper: Function) -> Function:
        """A helper with directions on what it is given with them."""
        call = next(s for s in statements(self.fn.body) if isinstance(s, Call) and s.function == name)
        given = (p for p, a in zip(helper.params, call.args, strict=True) if self.touches(a))
        return in_directions(helper, given)

    def opened(self, body: Body, params: Iterable[str]) -> Body:
        """A half that knows how many directions there are, and has its numbers with directions made."""
        known = next((p for p in params if p in self.mine), None)
        if known is None or not any(self.mine & set(named(s)) for s in statements(body)):
            return body
        axis = Const(self.kinds[known].ndim - 1)
        numbers = [n for s in statements(body) for n in writes(s)
                   if n in self.mine and n not in {*params, *self.inside} and not self.fn.kinds[n].is_array]  # fmt: skip
        made = tuple(New(n, Apply("zeros", (Var(self.count),))) for n in dict.fromkeys(numbers))
        return (
            Assign(self.count, Apply("shape", (Var(known), axis))),
            *made,
            *self.begun(body, set(numbers)),
        )

    def begun(self, body: Body, numbers: set[str]) -> Body:
        """A half without the loops that set numbers to 0 which have been made so, and not been named since."""
        out: list[Stmt] = []
        for s in body:
            zeros = [z for z in s.body if isinstance(z, Store) and z.value == ZERO and z.array in numbers] \
                if isinstance(s, For) and s.var == self.q else []  # fmt: skip
            if not (isinstance(s, For) and zeros and len(zeros) == len(s.body)):
                numbers = numbers - {n for inner in statements((s,)) for n in named(inner)}
                out.append(s)
        return tuple(out)

    # ----- blocks

    def block(self, body: Iterable[Stmt]) -> Body:
        """Statements; those with directions in loops over them, as few as the values they read allow."""
        out: list[Stmt] = []
        run: list[Stmt] = []
        for s in body:
            if isinstance(s, Assign | Store | Accumulate) and self.simple(s):
                run.append(s)
            elif run and not self.passes(s, run):
                out += self.loop(run)
                run = []
                out.append(self.other(s))
            else:
                out.append(self.other(s))
        return (*out, *self.loop(run))

    def simple(self, s: Assign | Store | Accumulate) -> bool:
        """Does a statement give one number with directions a value?"""
        name = target_of(s) if isinstance(s, Accumulate) else s.target if isinstance(s, Assign) else s.array
        whole = isinstance(s, Accumulate) and isinstance(s.target, Var) and self.fn.kinds[name].is_array
        return name in self.mine and not whole

    def passes(self, s: Stmt, run: Iterable[Stmt]) -> bool:
        """May a statement of the program run before a run that precedes it: does that read nothing that it writes?"""
        if not isinstance(s, Assign | Store | Accumulate) or self.mine & set(named(s)):
            return False
        read = {self.memory[n] for other in run for n in reads(other)}
        return not read & {self.memory[n] for n in writes(s)}

    def loop(self, run: list[Stmt]) -> Body:
        """The loop over directions for a run of statements."""
        if not run:
            return ()
        here = Counter(n for s in run for n in named(s))
        fresh = {s.target for s in run if isinstance(s, Assign)} - exposed(run)
        inside = {n for n in fresh if here[n] == self.uses[n] and n not in self.fn.params}
        self.inside |= inside
        self.slopes = {}
        body = tuple(self.each(s) for s in run)
        slopes = tuple(Assign(name, e) for e, name in self.slopes.items())
        return (*slopes, For(self.q, Const(0), Var(self.count), Const(1), body))

    def each(self, s: Stmt) -> Stmt:
        """A statement for one direction."""
        match s:
            case Assign(target=name, at=at):
                value = self.value(s.value)
                return (
                    replace(s, value=value) if name in self.inside else Store(name, (Var(self.q),), value, at)
                )
            case Store(index=index):
                return replace(s, index=self.placed(index), value=self.value(s.value))
            case Accumulate(target=target):
                return replace(s, target=self.value(target), value=self.value(s.value))  # type: ignore[arg-type]
        raise Alone(type(s).__name__)

    def placed(self, index: tuple[Expr, ...]) -> tuple[Expr, ...]:
        """A subscript, with that of the direction."""
        if is_section(index):
            raise Alone("a section of an array")
        return (*index, Var(self.q))

    def value(self, expr: Expr) -> Expr:
        """An expression for one direction; what is the same for all of them is formed before the loop."""
        if isinstance(expr, Apply | Load) and not self.touches(expr) and variables(expr):
            if expr not in self.slopes:
                kind = kind_of(expr, self.fn.kinds)
                if kind.is_array:
                    raise Alone("an array as a whole")
                self.slopes[expr] = self.slope(kind)
            return Var(self.slopes[expr])
        match expr:
            case Var(name=name) if name in self.mine:
                if self.fn.kinds[name].is_array:
                    raise Alone("an array as a whole")
                return expr if name in self.inside else Load(name, (Var(self.q),))
            case Load(array=array, index=index) if array in self.mine:
                return Load(array, self.placed(index))
        return rebuild(expr, self.value)

    def slope(self, kind: Kind) -> str:
        """A name for the next value before a loop; the loops of a function share such names."""
        mine = [n for n in self.names if self.kinds[n] == kind and n not in self.slopes.values()]
        if not mine:
            mine = [self.namer.fresh("slope")]
            self.kinds[mine[0]] = kind
            self.names += mine
        return mine[0]

    # ----- statements that are no number's

    def other(self, s: Stmt) -> Stmt:
        """Any other statement, with the axis where it is about what has one."""
        if blocks(s):
            return with_blocks(s, [self.block(b) for b in blocks(s)])
        if not self.mine & set(named(s)):
            return s
        match s:
            case New(value=value):
                return replace(s, value=self.born(value, self.fn.kinds[s.target].ndim))
            case Update(array=name, value=value) | Accumulate(target=Var(name=name), value=value):
                self.uniform(value, self.fn.kinds[name].ndim)
                return s
            case View(index=index, form="section"):
                return replace(s, index=(*index, Slice()))
            case View(index=index, form="reshape" | "rows" | "fit" | "room"):
                return replace(s, index=(*index, Var(self.count)))
            case Keep(how="copy" | "hold", index=index) | Back(how="copy" | "bind", index=index):
                return replace(s, index=(*index, Slice())) if index else s
            case Release(index=""):
                return s
            case Rebind():
                return s
            case Call(function=function) if function in self.fn.helpers:
                return s
            case Call(function=function):
                raise Alone(f"a call of `{function}`")
            case Push() | Pop():
                raise Alone("a stack")
        raise Alone(f"a {type(s).__name__}")

    def born(self, value: Expr, ndim: int) -> Expr:
        """The value of a new array with directions."""
        match value:
            case Apply(op="zeros" | "empty" | "slots", args=shape):
                return replace(value, args=(*shape, Var(self.count)))
            case Apply(op="zeros_like" | "empty_like" as op, args=(Var(name=like),)):
                if like in self.mine:
                    return value
                shape = tuple(Apply("shape", (Var(like), Const(k))) for k in range(self.fn.kinds[like].ndim))
                return Apply(op.removesuffix("_like"), (*shape, Var(self.count)))
            case Apply(op="own", args=(inner,)) if isinstance(inner, Apply):
                return replace(value, args=(self.born(inner, ndim),))
            case Apply(op="copy" | "own" | "grown", args=(Var(),)):
                return value
        self.uniform(value, ndim)
        return value

    def uniform(self, value: Expr, ndim: int) -> None:
        """Alone where a value isn't made elementwise of arrays with directions, of as many axes, and of numbers."""
        match value:
            case Var(name=name) if name in self.mine:
                fine = self.fn.kinds[name].ndim == ndim
            case Var(name=name):
                fine = not self.fn.kinds[name].is_array
            case Load():
                fine = value.array not in self.mine and not is_section(value.index)
            case Apply(op=op, args=args):
                for arg in args:
                    self.uniform(arg, ndim)
                fine = OPS[op].structural == ""
            case _:
                fine = isinstance(value, Const)
        if not fine:
            raise Alone("an array statement")

    def touches(self, expr: Expr) -> bool:
        """Does an expression read anything with directions?"""
        return bool(self.mine & set(variables(expr)))


def named(s: Stmt) -> tuple[str, ...]:
    """The names of a statement itself, those of records included."""
    more = (s.name,) if isinstance(s, Keep | Back | Release | Pop) else ()
    results = tuple(v for e in expressions(s) for v in variables(e)) if isinstance(s, Turn) else ()
    return tuple(dict.fromkeys((*reads(s), *writes(s), *more, *results)))
