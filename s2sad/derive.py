"""Handlers applied to handlers: any tower of derivatives of one function, in a normal form.

A derivative of any order is one adjoint at most, applied first, and tangents on top of it: since the second
derivative of f is symmetric, the adjoint of an adjoint with cotangent w is the tangent of that adjoint in direction
w. So `grad(grad(f))`, `hvp`, `jvp(grad(f))`, `vjp(grad(f))` are all *tangents of the adjoint*, and nothing ever has
to run a reverse sweep backwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from s2sad.analyses.widths import without_rules
from s2sad.errors import UnsupportedSyntaxError
from s2sad.handlers.drafts import written_params
from s2sad.handlers.entities import Entities
from s2sad.handlers.kept import Keep
from s2sad.handlers.programs import Adjoints, Taken, Tangents, adjoint, tangent
from s2sad.handlers.result import Adjoint
from s2sad.handlers.tangent import Tangent
from s2sad.handlers.tape import Record, Recording, recording
from s2sad.ir.names import Namer
from s2sad.ir.nodes import Accumulate, Apply, Assign, Call, Const, Function, Load, Slice, Stmt, Turn, Var
from s2sad.ir.walk import map_body, nodes, statements, unique, variables, writes
from s2sad.shapes.passes import fuses, one_sweep, shaped
from s2sad.tidy.copies import copies
from s2sad.tidy.dead import dead
from s2sad.tidy.ends import ended
from s2sad.tidy.factored import factored
from s2sad.tidy.fuse import fused
from s2sad.tidy.last import last
from s2sad.tidy.shared import shared
from s2sad.tidy.unseen import unseen
from s2sad.tidy.zeros import zeros


@dataclass(frozen=True, slots=True)
class Derived:
    """A function derived from `primal`: an adjoint for `wrt` (None: none), then one tangent per level; or a recording.

    A *mask* names one of its outputs: bit k is set where it is a tangent of level k; 0 is the undifferentiated one.
    """

    primal: Function
    function: Function
    adjoint: Adjoint | None
    tangents: tuple[Tangent, ...]
    recording: Recording | None = None
    one: Function | None = None  # both sweeps as one, where the adjoints of the results are known beforehand
    whole: frozenset[str] = frozenset()  # the adjoint arrays that it assigns as a whole

    @property
    def turn(self) -> Turn | None:
        """The Turn of a function with a reverse sweep."""
        return next((s for s in self.function.body if isinstance(s, Turn)), None)

    def value(self, result: int, mask: int) -> int:
        """Position of a result (its tangent, ...) among the results of the forward sweep."""
        return mask * len(self.primal.results) + result

    def direction(self, param: str, level: int) -> str | None:
        """Name of the tangent parameter for `param` at a level; None where it has none there."""
        return self.tangents[level].tangents.get(param)

    def gradient(self, param: str, mask: int) -> str | int | None:
        """Where the adjoint of `param` is: the name of an array, or the position of a scalar result; None: it is zero."""
        assert self.adjoint is not None
        if not self.primal.kinds[param].is_array:
            scalars = [p for p in self.adjoint.gradients if not self.primal.kinds[p].is_array]
            return mask * len(scalars) + scalars.index(param)
        name: str | None = self.adjoint.shadows.get(param)
        for level, made in enumerate(self.tangents):
            if mask >> level & 1 and name is not None:
                name = made.partners.get(name)
        return name


def expanded(fn: Function) -> Function:
    """`fn` with the derivatives that it takes inside made: functions that are called, as others are."""
    if not any(map(asked, fn.callees.values())):
        return fn
    taken = Taken(Namer([*fn.callees, fn.name]))
    callees, pairs = dict(fn.callees), dict(fn.pairs)
    new: dict[str, Call] = {}  # of a derivative without a body: how the function that stands for it is called
    for name in ordered(fn):
        callees[name] = f = settled(callees[name], new)
        if f.rule is None or not asked(f):
            continue
        (call,) = f.rule.calls
        source = callees[call.function]
        if written := written_params(source):
            raise UnsupportedSyntaxError(
                f"`{source.name}` is differentiated here, and writes into its argument `{written[0]}`",
                code="S076", at=f.at,
            )  # fmt: skip
        place = {a.name: p for a, p in zip(call.args, source.params, strict=True) if isinstance(a, Var)}
        real = tuple(n for n in f.rule.inputs if f.kinds[n].is_real)
        inputs = tuple(place[n] for n in real)
        if f.rule.how == "tangent":
            outer = Tangents(callees, pairs, "", taken)
            made = outer.callee(call.function, inputs)
            outer.finish()
            found = outer.functions | outer.callees
            callees |= {n: without_loose_ends(g) for n, g in found.items() if n not in callees}
            pairs |= {**outer.sweeps, **outer.pairs}
        else:
            inner = Adjoints(callees, pairs, taken)
            made = inner.pullback(call.function, inputs, f.rule.of)
            pairs |= inner.finish()
            callees |= {n: without_loose_ends(g) for n, g in inner.callees.items() if n not in callees}
        gone = tuple(
            m
            for n, m in zip(f.rule.inputs, f.rule.made, strict=False)
            if f.rule.how == "pullback" and n not in real
        )
        results = tuple(e.name for e in f.results if isinstance(e, Var))
        passed = [Const(k) for k, p in enumerate(f.params) if p not in f.rule.given or f.rule.how == "pullback"
                  or f.rule.inputs[f.rule.given.index(p)] in real]  # fmt: skip
        new[name] = Call(tuple("" if r in gone else r for r in results), made, tuple(passed))
    callees = {name: settled(f, new) for name, f in callees.items() if name not in new}
    pairs = {name: settled(f, new) for name, f in pairs.items()}
    return replace(settled(fn, new), callees=callees, pairs=pairs)


def without_loose_ends(fn: Function) -> Function:
    """A function that may be differentiated again: its arrays end."""
    if fn.rule is not None:
        return fn
    return replace(fn, body=ended(fn.body, {n for n, kind in fn.kinds.items() if kind.is_array}))


def asked(fn: Function) -> bool:
    """Whether a function is a derivative that is still to be made."""
    return fn.rule is not None and fn.rule.how in ("pullback", "tangent") and not fn.body


def settled(fn: Function, new: Mapping[str, Call]) -> Function:
    """`fn` with calls of what stands for derivatives; adjoints of what is not real are zero, tangents of it left out.

    new  name -> the results that there are (others ""), the function, and the places of the arguments that it takes
    """

    def settle(stmt: Stmt) -> Iterator[Stmt]:
        if isinstance(stmt, Call) and not stmt.half and stmt.function in new:
            kept = new[stmt.function].targets
            targets = tuple(t for t, k in zip(stmt.targets, kept, strict=True) if k)
            passed = tuple(stmt.args[k.value] for k in new[stmt.function].args if isinstance(k, Const))
            yield replace(stmt, function=new[stmt.function].function, targets=targets, args=passed)
            yield from (
                Assign(t, Const(0.0), stmt.at) for t, k in zip(stmt.targets, kept, strict=True) if not k
            )
        else:
            yield stmt

    rule = fn.rule
    if rule is not None:
        calls = tuple(found for c in rule.calls for found in settle(c) if isinstance(found, Call))
        given = {t for call in calls for t in call.targets}
        gone = set(rule.made) - given if rule.how == "vjp" else ()
        rule = replace(rule, calls=calls, made=tuple("" if m in gone else m for m in rule.made))
    return replace(fn, body=map_body(settle, fn.body), rule=rule)


def ordered(fn: Function) -> tuple[str, ...]:
    """The functions that are called, each behind those that it needs itself; refuses a derivative that needs itself."""
    done: dict[str, None] = {}
    under_way: list[str] = []

    def visit(name: str) -> None:
        if name in done:
            return
        if name in under_way:
            around = under_way[under_way.index(name) :]
            for f in (fn.callees[n] for n in around):
                if f.rule is not None and asked(f):
                    raise UnsupportedSyntaxError(
                        f"`{f.rule.calls[0].function}` is derived here, and calls its derivative",
                        code="S072", at=f.at, hint="write the derivative out",
                    )  # fmt: skip
            return
        under_way.append(name)
        f = fn.callees[name]
        for needed in called(f):
            visit(needed)
        under_way.pop()
        done[name] = None

    for name in fn.callees:
        visit(name)
    return tuple(done)


def called(fn: Function) -> tuple[str, ...]:
    """The functions that a function and its rule call."""
    calls = [s for s in statements(fn.body) if isinstance(s, Call)]
    calls += fn.rule.calls if fn.rule is not None else ()
    return unique(call.function for call in calls if call.function in fn.callees or not call.half)


def derive(
    fn: Function,
    wrt: Iterable[str] | None,
    levels: Iterable[Iterable[str]] = (),
    of: Iterable[int] | None = None,
    again: bool = False,
    passes: Iterable[str] | None = None,
    seeded: bool = False,
) -> Derived:
    """The adjoint of results `of` for parameters `wrt` (None: the function itself), and its tangents, one per level.

    The reverse sweep gets its shape last, by the `passes` named (None: all). Where the adjoints of the results are known
    before anything runs (`seeded`), both sweeps may be one.
    """
    without_rules(fn)
    levels = tuple(levels)
    start = fn if wrt is None and not levels else factored(fused(fn) if fuses(passes) else fn)
    made = None if wrt is None else adjoint(start, wrt, of, again)
    function = start if made is None else tidied(made.function)
    tangents = []
    for level in levels:
        tangents.append(tangent(function, level))
        function = tidied(tangents[-1].function)
    itself = {name: f for name, f in fn.callees.items() if function.callees.get(name) is start.callees[name]}
    function = replace(function, callees={**function.callees, **itself})
    derived = Derived(fn, shaped(function, passes), made, tuple(tangents))
    if made is None or levels or not seeded:
        return derived
    one = one_sweep(function, made.shadows, derived.function, passes)
    return derived if one is None else replace(derived, one=one[0], whole=frozenset(one[1]))


def record(fn: Function, wrt: Iterable[str], form: str = "jacobian") -> Derived:
    """The recording form of `fn` for parameters `wrt`, for a tape of "jacobian", "primal" or "entities" form."""
    made = recording(fn, wrt, {"jacobian": Record, "primal": Keep, "entities": Entities}[form])
    return Derived(fn, made.function, None, (), made)


def tidied(fn: Function) -> Function:
    """`fn` with its sweeps cleared of what nobody reads, the reverse one of zeros, copies and repetitions too."""
    k = next((i for i, s in enumerate(fn.body) if isinstance(s, Turn)), None)
    if k is None:
        return fn
    reverse = zeros(fn.body[k + 1 :])
    live = {name for e in fn.results for name in variables(e)}
    mine = frozenset(n for n in scalars(reverse) if not fn.kinds[n].is_array)
    reverse = dead(copies(dead(reverse, live, mine), mine), live, mine)
    reverse, more = shared(reverse, fn.kinds, Namer([*fn.kinds, *fn.constants, *fn.callees, *fn.pairs]))
    reverse = unseen(last(reverse, live), live)
    forward = dead(fn.body[: k + 1], (), harmless(fn.body[:k]), strict=True)
    pairs = {name: tidied(pair) for name, pair in fn.pairs.items()}
    return replace(fn, body=(*forward, *reverse), kinds={**fn.kinds, **more}, pairs=pairs)


def scalars(body: Iterable[Stmt]) -> frozenset[str]:
    """Names that a reverse sweep assigns or adds to: all of them are s2sad's own."""
    found = {s.target for s in statements(body) if isinstance(s, Assign)}
    found |= {
        s.target.name for s in statements(body) if isinstance(s, Accumulate) and isinstance(s.target, Var)
    }
    return frozenset(found)


def harmless(body: Iterable[Stmt]) -> frozenset[str]:
    """Scalars that are only ever given sums and products of others: nothing can go wrong there."""
    risky: set[str] = set()
    found: set[str] = set()
    for stmt in statements(body):
        names = writes(stmt)
        if isinstance(stmt, Assign) and all(
            not isinstance(n, Load | Slice)
            and (not isinstance(n, Apply) or n.op in ("add", "sub", "mul", "neg"))
            for n in nodes(stmt.value)
        ):
            found.update(names)
        else:
            risky.update(names)
    return frozenset(found - risky)
