"""From a function and the kinds of its arguments to the text of a module: the passes in order.

    read, lower (frontend)  ->  adjoint, tangents (handlers, tidy)  ->  sweeps, drivers (emit)

A *gradient* here is `grad` of a function, or of a gradient of it: `along` lists the scalar arguments that it was
differentiated for before.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from s2sad.analyses.speech import once
from s2sad.analyses.widths import mixed
from s2sad.derive import Derived, derive, expanded, record
from s2sad.drivers import File, is_real_scalar, leaves
from s2sad.emit.banner import stored
from s2sad.errors import ArgumentError, KindError
from s2sad.fingerprint import fingerprint
from s2sad.frontend.kinds import guess_kinds
from s2sad.frontend.lower import lower as read
from s2sad.ir.nodes import Function, Kind, Leaf, Node, Param, Tree
from s2sad.options import Options
from s2sad.pickled import reduced
from s2sad.recorders import Recorder
from s2sad.shapes.directions import Alone, in_directions
from s2sad.source import Span

Argnums: TypeAlias = int | tuple[int, ...]
Form: TypeAlias = Literal["primal", "gradient", "tangent", "pullback", "product"]


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be derived: a function, or its gradient (`argnums`), after differentiation `along` scalar arguments."""

    f: Callable[..., Any]
    argnums: Argnums | None = None
    along: tuple[int, ...] = ()
    value: bool = False
    aux: bool = False
    options: Options = field(default_factory=Options)

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(Request, self.f, self.argnums, self.along, self.value, self.aux, self.options)

    @property
    def positions(self) -> tuple[int, ...]:
        """The argnums as a tuple."""
        return (
            () if self.argnums is None else (self.argnums,) if isinstance(self.argnums, int) else self.argnums
        )


@dataclass(frozen=True, slots=True)
class Built:
    """A module's text and the entry point in it, with what a caller has to know."""

    text: str
    entry: str
    derived: Derived
    classes: Mapping[type, str] = field(default_factory=dict)
    places: tuple[Span, ...] = ()  # where each line comes from

    @property
    def fn(self) -> Function:
        return self.derived.primal

    @property
    def arrays(self) -> dict[str, Any]:
        """Constants that are too large for the text: it reads them from a .npz file beside it."""
        return stored(self.fn.constants)


def lower(f: Callable[..., Any], kinds: Sequence[Kind]) -> Function:
    """The IR of a function for arguments of these kinds, the derivatives that it takes inside included."""
    return expanded(read(f, kinds))


class _This:
    """A function as itself: equal to nothing else, whatever `==` says; what is kept for it doesn't keep it."""

    def __init__(self, f: Callable[..., Any]) -> None:
        self.number = id(f)
        try:
            self.f: Callable[[], Callable[..., Any] | None] = weakref.ref(f)
        except TypeError:  # of C
            self.f = lambda: f

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _This) and other.f() is self.f() is not None

    def __hash__(self) -> int:
        return self.number


def lowered(f: Callable[..., Any], kinds: Sequence[Kind]) -> Function:
    """The IR of a function as it is now; its derivatives of one kind and another share it."""
    return _lowered(_This(f), fingerprint(f), tuple(kinds))


@lru_cache(maxsize=8)
def _lowered(this: _This, mark: str, kinds: tuple[Kind, ...]) -> Function:
    f = this.f()
    assert f is not None
    return lower(f, kinds)


def gradient(request: Request, kinds: Sequence[Kind]) -> Built:
    """The module with `f_grad` (value and gradient) and, for the gradient alone, `f_gradient`."""
    fn = lowered(request.f, kinds)
    request = normal(request, fn)
    wrt = differentiable(fn, request.positions)
    check_scalar(fn, request.aux)
    along = [differentiable(fn, (k,), scalar=True) for k in request.along]
    derived = derive(fn, wrt, along, of=(0,), passes=request.options.shaping, seeded=True)
    file = File(derived, request.options)
    tree = structure(fn, request.argnums)
    mask = (1 << len(along)) - 1
    name = f"{fn.name}_grad"
    entry = file.gradient_driver(name, tree, value=True, aux=request.aux, mask=mask)
    if not request.value:
        entry = file.gradient_driver(f"{fn.name}_gradient", tree, value=False, aux=request.aux, mask=mask)
        file.functions.pop(-2)
    return _built(file, entry, derived)


def _built(file: File, entry: str, derived: Derived) -> Built:
    text, places = file.printed()
    return Built(text, entry, derived, file.made, places)


def value(request: Request, kinds: Sequence[Kind]) -> Built:
    """The module with the function itself, what it calls included."""
    derived = derive(lowered(request.f, kinds), None)
    file = File(derived, request.options)
    entry = file.primal_driver(f"{derived.primal.name}_value")
    return _built(file, entry, derived)


def many(request: Request, derived: Derived) -> tuple[Derived, Options]:
    """A derivative for many directions at once, of its last tangents or of its adjoints, and the options for its file.

    Errors: Alone where there is anything in it that can be done for one at a time only.
    """
    if mixed(derived.primal):
        raise Alone("float32")
    if derived.adjoint is not None and not derived.tangents and not any(derived.adjoint.seeds):
        raise Alone("no adjoint")
    turn = derived.turn
    names = derived.tangents[-1].tangents.values() if derived.tangents else turn.seeds if turn else ()
    options = replace(
        request.options, user={k: v for k, v in request.options.user.items() if k != "parallel"}
    )
    return replace(derived, function=in_directions(derived.function, names), one=None), options


def tangent(request: Request, kinds: Sequence[Kind], active: Sequence[str], at_once: bool = False) -> Built:
    """The module with `f_d`: leaves and tangents of the active ones -> results, then their tangents, flat.

    at_once: tangents have a last axis of directions.
    """
    derived = derive(lowered(request.f, kinds), None, [active], passes=request.options.shaping)
    derived, options = many(request, derived) if at_once else (derived, request.options)
    file = File(derived, options)
    return _built(file, file.tangent, derived)


def pullback(
    request: Request, kinds: Sequence[Kind], active: Sequence[str], at_once: bool = False
) -> tuple[Built, str]:
    """The module with `f_open` and `f_pull` (the name of the latter beside it).

    at_once: cotangents and adjoints have a last axis of directions.
    """
    derived = derive(lowered(request.f, kinds), active, again=True, passes=request.options.shaping)
    if derived.adjoint is not None and derived.adjoint.once:
        once(derived.primal.body, derived.primal.callees)
    derived, options = many(request, derived) if at_once else (derived, request.options)
    file = File(derived, options)
    name = derived.primal.name
    opened, pulled = file.open_driver(f"{name}_open"), file.pull_driver(f"{name}_pull")
    return _built(file, opened, derived), pulled


def recorder(
    request: Request, kinds: Sequence[Kind], form: str = "jacobian"
) -> tuple[Built, tuple[str, ...]]:
    """The module with `f_tape`, and `f_record`, which makes a tape and hands it over with the results.

    For a tape of values ("primal") and one of "entities" also the names of functions that its sweeps call.
    """
    fn = lowered(request.f, kinds)
    if mixed(fn):
        raise KindError(
            f"a tape holds float64, and `{fn.name}` computes in float32", code="S062", at=fn.at,
            hint="pass float64, or use `grad`, `vjp`, `jvp`",
        )  # fmt: skip
    derived = record(fn, [n for p in fn.signature for n in real_leaves(fn, p)], form)
    file = Recorder(derived, request.options)
    more: tuple[str, ...] = ()
    if form == "primal":
        more = file.sweeps_of_values()
    elif form == "entities":
        more = file.sweeps_of_entities()
    entry = file.record_driver(f"{fn.name}_record", form)
    return _built(file, entry, derived), more


def nested(
    request: Request,
    kinds: Sequence[Kind],
    wrt: Sequence[str],
    levels: Sequence[Sequence[str]],
    at_once: bool = False,
) -> Built:
    """The module with `f_nested`: leaves and tangents per level -> what the gradient gives, and its last tangent.

    at_once: tangents of the last level have a last axis of directions.
    """
    fn = lowered(request.f, kinds)
    check_scalar(fn, request.aux)
    derived = derive(fn, wrt, levels, of=(0,), passes=request.options.shaping)
    derived, options = many(request, derived) if at_once else (derived, request.options)
    file = File(derived, options)
    tree = structure(fn, request.argnums)
    entry = file.nested_driver(f"{fn.name}_nested", tree, value=request.value, aux=request.aux)
    return _built(file, entry, derived)


def emit_text(
    f: Callable[..., Any],
    kinds: Sequence[Kind] | None = None,
    mode: str = "adjoint",
    argnums: Argnums = 0,
    passes: Sequence[str] | None = None,
    threads: bool = False,
) -> str:
    """The text of `emitted`; kinds are guessed from annotations and the body where they are not given."""
    return emitted(f, guess_kinds(f) if kinds is None else kinds, mode, argnums, passes, threads).text


def emitted(
    f: Callable[..., Any],
    kinds: Sequence[Kind],
    mode: str = "adjoint",
    argnums: Argnums = 0,
    passes: Sequence[str] | None = None,
    threads: bool = False,
    over: str = "",
) -> Built:
    """What `s2sad emit` prints or writes; with `threads` as for `parallel=True`, which a dispatcher has or hasn't.

    over: "tangent" of an adjoint, along all that it is differentiated for: what `hvp` runs.
    """
    shared = threads or bool(getattr(f, "targetoptions", {}).get("parallel"))
    options = Options(
        user={"parallel": True} if shared else {}, passes=None if passes is None else tuple(passes)
    )
    request = Request(f, argnums, value=True, options=options)
    if over:
        if (mode, over) != ("adjoint", "tangent"):
            raise ArgumentError(
                f"there is no {over} of the {mode}", code="S094", hint="the tangent of the adjoint"
            )
        fn = lower(f, kinds)
        wrt = differentiable(fn, normal(request, fn).positions)
        return nested(replace(request, value=False), kinds, wrt, (wrt,))
    if mode == "adjoint":
        return gradient(request, kinds)
    if mode == "tangent":
        fn = lower(f, kinds)
        return tangent(request, kinds, differentiable(fn, normal(request, fn).positions))
    if mode == "tape":
        return recorder(request, kinds)[0]
    if mode == "primal":
        return value(request, kinds)
    raise ArgumentError(f"there is no mode `{mode}`", hint="adjoint, tangent, tape or primal")


# ----- checks ------------------------------------------------------------------------------------------------


def normal(request: Request, fn: Function) -> Request:
    """Negative argnums counted from the end, as in JAX; refuses positions out of range or repeated."""
    count = len(fn.signature)

    def place(k: int) -> int:
        if not -count <= k < count:
            raise ArgumentError(
                f"`argnums` names position {k}, but `{fn.name}` has {count} parameter{'s' * (count != 1)}",
                code="S093", at=fn.at,
            )  # fmt: skip
        return k % count

    argnums: Argnums
    if isinstance(request.argnums, int):
        argnums = place(request.argnums)
    else:
        argnums = tuple(map(place, request.positions))
        if len(set(argnums)) < len(argnums):
            raise ArgumentError(f"`argnums` names a position twice: {argnums}", code="S093", at=fn.at)
    return Request(
        request.f, argnums, tuple(map(place, request.along)), request.value, request.aux, request.options
    )


def differentiable(fn: Function, positions: Sequence[int], scalar: bool = False) -> tuple[str, ...]:
    """The leaves of parameters, all of them real (one real number each where `scalar`); KindError otherwise."""
    names: list[str] = []
    for position in positions:
        param = fn.signature[position]
        for name in leaves(param.tree) or (param.name,):
            kind = fn.kinds.get(name)
            if kind is None or not kind.is_real or (scalar and kind.is_array):
                raise KindError(
                    f"`{param.name}` is {kind if kind is not None else 'a constant'} here: `{fn.name}` can't be"
                    " differentiated for it",
                    code="S060", at=fn.at, hint=f"pass a float: `2.0` for `2`, `{param.name}.astype(float)` for an array",
                )  # fmt: skip
            names.append(name)
    return tuple(names)


def check_scalar(fn: Function, aux: bool) -> None:
    """Refuse a function whose result (the first of a pair with `aux`) is not one real number."""
    tree = fn.returns
    if aux:
        if not isinstance(tree, Node) or len(tree.items) != 2:
            raise ArgumentError(
                f"with has_aux=True `{fn.name}` has to return a pair (value, aux)", code="S096", at=fn.at
            )
        tree = tree.items[0]
    if not isinstance(tree, Leaf) or not is_real_scalar(fn, 0):
        raise KindError(
            f"a gradient needs one real number, and `{fn.name}` doesn't return one", code="S061", at=fn.at,
            hint="return a sum, or use `jacobian`, `vjp`, `jvp`",
        )  # fmt: skip


def structure(fn: Function, argnums: Argnums | None) -> Tree:
    """The structure of a gradient: that of one parameter, or a tuple of such."""
    if isinstance(argnums, int):
        return fn.signature[argnums].tree
    return Node(tuple(fn.signature[k].tree for k in argnums or ()))


def real_leaves(fn: Function, param: Param) -> tuple[str, ...]:
    """The real leaves of a parameter."""
    return tuple(n for n in leaves(param.tree) if n in fn.kinds and fn.kinds[n].is_real)
