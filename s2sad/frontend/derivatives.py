"""Derivatives taken inside of a function: `grad(h)(x)`, `jvp`, `vjp`, `hvp`, of functions of the file or defined inside.

What is derived is a function that is called (`Piece`), and its derivatives are functions that are called, made when
the kinds are known: *tangents* of it for some parameters, *pullbacks* of some results. One may be taken of the other.
"""

from __future__ import annotations

import functools
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

import gast

from s2sad.errors import ArgumentError, KindError
from s2sad.forms import Make
from s2sad.frontend import subset
from s2sad.frontend.expressions import Held
from s2sad.frontend.functions import Found, Kinds, Passed, Program, Reading, leaves_of
from s2sad.frontend.reader import described, is_atomic
from s2sad.frontend.rules import RULE, Rules
from s2sad.frontend.values import Array, Closure, Frame, Fresh, Growing, Known, Lost, Scalar, Tuple, Value
from s2sad.ir.nodes import REAL, Apply, Call, Const, Expr, Function, Kind, Leaf, Node, Rule, Var
from s2sad.source import Span

How: TypeAlias = Literal["pullback", "tangent"]
#: What a result is made of: positions among the results of a call, in tuples; or what it is.
Form: TypeAlias = "int | tuple[Make, tuple[Form, ...]] | Known"
TRANSFORMS = ("grad", "value_and_grad", "jvp", "vjp", "hvp")
ELSEWHERE = ("jacobian", "jacfwd", "jacrev", "hessian", "record")


@dataclass(frozen=True, slots=True)
class Asked:
    """A gradient made inside: of a function, or of such a gradient."""

    f: Any
    argnums: int | tuple[int, ...]
    value: bool
    aux: bool
    along: tuple[int, ...] = ()

    @property
    def request(self) -> Asked:
        """Itself: derivatives made outside carry theirs."""
        return self

    @property
    def positions(self) -> tuple[int, ...]:
        """The argnums as a tuple."""
        return (self.argnums,) if isinstance(self.argnums, int) else self.argnums


@dataclass(frozen=True, slots=True)
class Piece:
    """A function to be called: for which arguments, and what of its results is wanted.

    params  per parameter of what is derived: its value, and where its leaves are among the arguments
    form    the result
    """

    reading: Reading
    args: tuple[Expr, ...]
    params: tuple[tuple[Value, tuple[int, ...]], ...]
    form: Form


@dataclass(frozen=True, slots=True, eq=False)
class Pullback:
    """What `vjp` gives inside a function, to be called with a cotangent."""

    piece: Piece


@dataclass(slots=True)
class Derived:
    """The reader of a derivative: of the function `base`, for parameters at positions `inputs`.

    `loose`: parameters that are not real are passed over.
    """

    program: Program
    base: Reading
    how: How
    inputs: tuple[int, ...]
    of: tuple[int, ...]
    loose: bool
    at: Span
    plan: Any = field(default=None)

    def _given(self, kinds: Kinds) -> int:
        return len(kinds) - (len(self.inputs) if self.how == "tangent" else len(self.of))

    def kinds_of_results(self, kinds: Kinds) -> Found:
        """Those of the function, and real numbers or arrays."""
        inner = self.program.found.setdefault(
            (self.base.key, kinds[: self._given(kinds)]), (None,) * self.base.count
        )
        if self.how == "tangent":
            return (*inner, *inner)
        return (*inner, *(Kind("real", kinds[k].ndim) for k in self.inputs))

    def made_for(self, kinds: Kinds) -> Function:
        """A function without a body: its rule says what it is."""
        count = self._given(kinds)
        params = tuple(f"x_{k}" for k in range(len(kinds)))
        known = dict(zip(params, kinds, strict=True))
        for k in self.inputs:
            if kinds[k].base != "real" and not self.loose:
                raise KindError(
                    f"`{self.base.name}` can't be differentiated for {kinds[k]}", code="S060", at=self.at
                )
        found = self.kinds_of_results(kinds)
        results = tuple(f"y_{k}" for k in range(len(found)))
        known |= {name: REAL if kind is None else kind for name, kind in zip(results, found, strict=True)}
        n = self.base.count
        call = Call(results[:n], self.base.key, tuple(map(Var, params[:count])), at=self.at)
        inputs = tuple(params[k] for k in self.inputs)
        rule = Rule(self.how, (call,), inputs, params[count:], results[:n], results[n:], known, self.of)
        return Function(
            self.base.name, params, (), tuple(map(Var, results)), known, (), Node(tuple(map(Leaf, results))),
            rule=rule, at=self.at,
        )  # fmt: skip


class Derivatives(Rules):
    """Reads calls of derivatives."""

    @abstractmethod
    def parameters(
        self, node: gast.Call, frame: Frame, defaults: Sequence[Value], kw_defaults: Sequence[Value | None]
    ) -> list[tuple[str, Value]]:
        """The values of the parameters of a function that is called."""

    def is_derivative(self, target: Any) -> bool:
        """Whether a known object is a derivative, or makes one."""
        return (
            hasattr(target, "request")
            or isinstance(target, Pullback)
            or (
                getattr(target, "__module__", "") == "s2sad.api"
                and target.__name__ in (*TRANSFORMS, *ELSEWHERE)
            )
        )

    def derivative(self, node: gast.Call, target: Any) -> Value:
        """The value of a call of a derivative, or of what makes one."""
        if isinstance(target, Pullback):
            return self._pulled(node, target.piece)
        if hasattr(target, "request"):
            piece = self._gradient(node, target.request, node.args, node.keywords)
            return self._value(node, piece)
        name = target.__name__
        if name in ELSEWHERE:
            self.refuse(node, f"`{name}` inside a function is not supported", "S071",
                        "`grad`, `value_and_grad`, `jvp`, `vjp` and `hvp` are")  # fmt: skip
        keywords = {k.arg: k.value for k in node.keywords}
        if not node.args:
            self.refuse(node, f"`{name}` needs a function", "S071")
        if name in ("grad", "value_and_grad"):
            return self._asked(node, name, keywords)
        f = self._function(node.args[0])
        if name == "vjp":
            return self._opened(node, f)
        return self._forward(node, f, name, keywords)

    # ----- what is asked for -------------------------------------------------------------------------------

    def _function(self, node: gast.AST) -> Any:
        """A function to be derived: an object, or a closure."""
        value = self.expr(node)
        if isinstance(value, Closure):
            return value
        if not isinstance(value, Known) or value.value is None or isinstance(value.value, str):
            self.refuse(node, f"a function is needed, not {described(value)}", "S071")
        return value.value

    def _asked(self, node: gast.Call, name: str, keywords: dict[str, gast.AST]) -> Value:
        given = node.args[1] if len(node.args) > 1 else keywords.get("argnums")
        argnums: int | tuple[int, ...] = 0
        if given is not None:
            value = self.expr(given)
            items = value.items if isinstance(value, Tuple) else (value,)
            numbers = [v.expr.value for v in items if isinstance(v, Scalar) and isinstance(v.expr, Const)]
            if len(numbers) < len(items) or not all(type(n) is int for n in numbers):
                self.refuse(given, "`argnums` has to be a number, or a tuple of numbers, in the text", "S071")
            argnums = tuple(numbers) if isinstance(value, Tuple) else numbers[0]
        aux = self.expr(keywords["has_aux"]) if "has_aux" in keywords else Scalar(Const(False))
        if aux not in (Scalar(Const(True)), Scalar(Const(False))):
            self.refuse(node, "`has_aux` has to be True or False, in the text", "S071")
        f = self._function(node.args[0])
        return Known(Asked(f, argnums, name == "value_and_grad", aux == Scalar(Const(True))))

    def _opened(self, node: gast.Call, f: Any) -> Value:
        """`vjp`: the value now, the arguments as they are now for later."""
        values = [self.taken(v, node) if not isinstance(v, Known | Closure) else v
                  for v in self.operands(node.args[1:])]  # fmt: skip
        values = [self._own(v) for v in values]
        piece = self._derivable(node, f, [_held(v, node) for v in values], [])
        return Tuple((self._value(node, piece), Known(Pullback(piece))))

    def _own(self, value: Value) -> Value:
        """Arrays as copies: what happens to them later doesn't matter."""
        match value:
            case Array(name, ndim):
                return self.array(Fresh(Apply("copy", (Var(name),)), ndim, True))
            case Tuple(items, make):
                return Tuple(tuple(map(self._own, items)), make)
        return value

    def _forward(self, node: gast.Call, f: Any, name: str, keywords: dict[str, gast.AST]) -> Value:
        """`jvp` and `hvp`."""
        parts = [*node.args[1:3]]
        parts += [keywords[k] for k in ("primals", "tangents")[len(parts) :] if k in keywords]
        values = self.operands(parts)
        if len(values) != 2 or not all(isinstance(v, Tuple) for v in values):
            self.refuse(
                node, f"`{name}` takes a function, a tuple of primals, and a tuple of tangents", "S071"
            )
        primals, tangents = (v.items for v in values if isinstance(v, Tuple))
        if len(primals) != len(tangents):
            self.refuse(node, f"{len(primals)} primals need as many tangents, not {len(tangents)}", "S090",
                        error=ArgumentError)  # fmt: skip
        held = [_held(v, node) for v in primals]
        if name == "jvp":
            return self._value(node, self._pushed(node, self._derivable(node, f, held, []), tangents))
        wanted = tuple(k for k, t in enumerate(tangents) if t != Known(None))
        piece = self._gradient(node, Asked(f, wanted, False, False), held, [])
        both = self._value(node, self._pushed(node, piece, tangents))
        assert isinstance(both, Tuple)
        products = both.items[1]
        assert isinstance(products, Tuple)
        if len(primals) == 1:
            return products.items[0]
        found = dict(zip(wanted, products.items, strict=True))
        return Tuple(tuple(found.get(k, Known(None)) for k in range(len(primals))))

    # ----- pieces ------------------------------------------------------------------------------------------

    def _derivable(self, node: gast.Call, f: Any, args: Sequence[gast.AST], keywords: Sequence[Any]) -> Piece:
        """A function with its arguments."""
        if hasattr(f, "request"):
            return self._gradient(node, f.request, args, keywords)
        bound: list[tuple[str, Value]] = []
        target = f
        named: dict[str, Any] = {}
        while isinstance(target, functools.partial):
            args = [*(_held(self.baked(a, "partial", node, plain=True), node) for a in target.args), *args]
            named = {**target.keywords, **named}
            target = target.func
        skipped = sum(len(p.args) for p in _partials(f))
        if isinstance(f, Closure):
            frame, bound = self._lifted(node, f)
            defaults, kw = f.defaults, f.kw_defaults
        else:
            frame = self.frame_of(node, target)
            function = frame.function
            defaults = tuple(self.baked(v, "", node, plain=True) for v in function.__defaults__ or ())
            given = function.__kwdefaults__ or {}
            kw = tuple(
                self.baked(given[p.id], p.id, node, plain=True) if p.id in given else None
                for p in frame.node.args.kwonlyargs
            )
        keywords = [
            *keywords,
            *(gast.keyword(k, _held(self.baked(v, k, node, plain=True), node)) for k, v in named.items()),
        ]
        call = gast.copy_location(gast.Call(node.func, list(args), list(keywords)), node)
        params = [*self.parameters(call, frame, defaults, kw), *bound]
        passed = Passed(self.kinds)
        forms, places = [], []
        for name, value in params:
            start = len(passed.args)
            forms.append(self._form(node, value, passed))
            if name not in named:
                places.append((value, tuple(range(start, len(passed.args)))))
        if hasattr(target, RULE) or hasattr(frame.function, RULE):
            reading = self.ruled_reading(
                node, target, frame, params, tuple(forms), passed, frame.node.args.vararg is not None
            )
        else:
            reading = self.read_for(node, frame, params, tuple(forms), passed)
        if reading.returns is None:
            self.refuse(node, f"`{reading.name}` is derived here, and calls its derivative", "S072",
                        "write the derivative out")  # fmt: skip
        if reading.returns == Known(None):
            self.refuse(node, f"`{reading.name}` returns nothing", "S061", error=KindError)
        form, _ = _numbered(reading.returns, 0)
        own = places[skipped : len(places) - len(bound)]
        return Piece(reading, tuple(passed.args), tuple(own), form)

    def _gradient(
        self, node: gast.Call, request: Any, args: Sequence[gast.AST], keywords: Sequence[Any]
    ) -> Piece:
        """The gradient of a function (with its value)."""
        piece = self._derivable(node, request.f, args, keywords)
        for position in request.along:
            piece = self._slope(node, piece, position)
            assert isinstance(piece.form, tuple)
            piece = replace(piece, form=piece.form[1][1])
        form, aux = piece.form, None
        if request.aux:
            if not isinstance(form, tuple) or len(form[1]) != 2:
                self.refuse(
                    node,
                    "with has_aux=True a function has to return a pair (value, aux)",
                    "S096",
                    error=ArgumentError,
                )
            form, aux = form[1]
        if not isinstance(form, int) or piece.reading.arrays[form]:
            self.refuse(node, f"a gradient needs one real number, and `{piece.reading.name}` doesn't return one",
                        "S061", error=KindError)  # fmt: skip
        places = [self._position(node, piece, k) for k in request.positions]
        if not places:
            self.refuse(node, "this derivative needs the arguments that it differentiates for", "S071")
        if len(places) == 1 and isinstance(piece.params[places[0]][0], Scalar) and aux is None:
            made = self._slope(node, piece, places[0])
            assert isinstance(made.form, tuple)
            value, slope = made.form[1]
            gradient: Form = slope if isinstance(request.argnums, int) else (None, (slope,))
        else:
            made, adjoints = self._adjoints(node, piece, places, (form,), (Const(1.0),), False)
            value = form
            gradient = adjoints[0] if isinstance(request.argnums, int) else (None, adjoints)
        if aux is not None:
            value, gradient = (None, (value, aux)), gradient if request.value else (None, (gradient, aux))
        return replace(made, form=(None, (value, gradient)) if request.value else gradient)

    def _position(self, node: gast.AST, piece: Piece, k: int) -> int:
        count = len(piece.params)
        if not -count <= k < count:
            self.refuse(
                node,
                f"`argnums` names position {k}, and there are {count} arguments",
                "S093",
                error=ArgumentError,
            )
        return k % count

    def _slope(self, node: gast.AST, piece: Piece, position: int) -> Piece:
        value, places = piece.params[self._position(node, piece, position)]
        if not isinstance(value, Scalar):
            self.refuse(
                node, f"a derivative along {described(value)} is not one number", "S061", error=KindError
            )
        return self._tangent(node, piece, dict.fromkeys(places, Const(1.0)))

    def _pushed(self, node: gast.AST, piece: Piece, tangents: Sequence[Value]) -> Piece:
        """The value and its tangent."""
        directions: dict[int, Expr] = {}
        for (value, places), tangent in zip(piece.params, tangents, strict=False):
            leaves = self._leaves(node, value, tangent, "a tangent")
            directions |= {p: e for p, e in zip(places, leaves, strict=True) if e is not None}
        return self._tangent(node, piece, directions)

    def _tangent(self, node: gast.AST, piece: Piece, directions: dict[int, Expr]) -> Piece:
        inputs = tuple(sorted(directions))
        count = piece.reading.count
        if not inputs:
            self.refuse(node, "a tangent is needed: all are None", "S071")
        reading = self._derived(node, piece.reading, "tangent", inputs, (), False)
        form = (None, (piece.form, _shifted(piece.form, count)))
        return Piece(reading, (*piece.args, *(directions[k] for k in inputs)), piece.params, form)

    def _adjoints(
        self,
        node: gast.AST,
        piece: Piece,
        places: Sequence[int],
        of: Sequence[int],
        cotangents: Sequence[Expr],
        loose: bool,
    ) -> tuple[Piece, tuple[Form, ...]]:
        """The function with its pullback, and the forms of the adjoints of the parameters at `places`."""
        wanted = {p for k in places for p in piece.params[k][1]}
        real = tuple(sorted(p for p in wanted if self._may_be_real(piece.args[p])))
        order = sorted(range(len(of)), key=lambda k: of[k])
        reading = self._derived(node, piece.reading, "pullback", real, tuple(of[k] for k in order), loose)
        args = (*piece.args, *(cotangents[k] for k in order))
        made = {p: piece.reading.count + k for k, p in enumerate(real)}
        forms = tuple(_matching(piece.params[k][0], iter(piece.params[k][1]), made) for k in places)
        return Piece(reading, args, piece.params, piece.form), forms

    def _may_be_real(self, arg: Expr) -> bool:
        kind = self.kinds.get(arg.name) if isinstance(arg, Var) else None
        return kind is None or kind.base == "real" or not kind.is_array

    def _pulled(self, node: gast.Call, piece: Piece) -> Value:
        """A pullback called."""
        if len(node.args) != 1 or node.keywords:
            self.refuse(node, "a pullback takes one cotangent", "S074", error=ArgumentError)
        (given,) = self.operands(node.args)
        assert piece.reading.returns is not None
        value = _template(piece.form, list(leaves_of(piece.reading.returns)))
        cotangents = self._leaves(node, value, given, "a cotangent")
        of = list(_positions(piece.form))
        pairs = [(k, c) for k, c in zip(of, cotangents, strict=True) if c is not None]
        places = range(len(piece.params))
        made, forms = self._adjoints(node, piece, places, [k for k, _ in pairs], [c for _, c in pairs], True)
        return self._value(node, replace(made, form=(None, forms)))

    def _leaves(self, node: gast.AST, value: Value, given: Value, what: str) -> list[Expr | None]:
        """The leaves of a tangent (a cotangent) of a value; None where it has none."""
        match value, given:
            case Tuple(items), Known(None):
                return [leaf for item in items for leaf in self._leaves(node, item, given, what)]
            case Known(), _:
                return []
            case _, Known(None):
                return [None]
            case Tuple(items), Tuple(others) if len(items) == len(others):
                pairs = zip(items, others, strict=True)
                return [leaf for a, b in pairs for leaf in self._leaves(node, a, b, what)]
            case Scalar(), Scalar():
                held = given if is_atomic(given) else self.spill(given)
                return [self.scalar_of(held, node)]
            case Array(ndim=ndim) | Fresh(ndim=ndim), Array() | Fresh() if given.ndim == ndim:
                return [Var(self.array(given).name)]
        self.refuse(
            node, f"{what} is {described(given)}, for {described(value)}", "S091", error=ArgumentError
        )

    def _derived(
        self,
        node: gast.AST,
        base: Reading,
        how: How,
        inputs: tuple[int, ...],
        of: tuple[int, ...],
        loose: bool,
    ) -> Reading:
        key = ("derivative", how, base.key, inputs, of, loose)
        reading = self.program.readings.get(key)
        if reading is not None:
            return reading
        if base.written:
            self.refuse(node, f"`{base.name}` writes into its argument, and is differentiated here", "S076")
        assert base.returns is not None
        leaves = list(leaves_of(base.returns))
        more = leaves if how == "tangent" else [self._beside(base, k) for k in inputs]
        flat = Tuple((*map(_formal, leaves), *map(_formal, more)))
        made = Reading(self._fresh_key(), f"{base.name}_{how}", node, self.span(node), None, returns=flat)
        made.arrays = tuple(isinstance(leaf, Array) for leaf in flat.items)
        made.written = frozenset()
        extra = (
            [self.formal_kind(base, k) for k in inputs]
            if how == "tangent"
            else [Kind("real", _ndim(leaves[k])) for k in of]
        )
        made.formal = (*base.formal, *extra)
        made.reader = Derived(self.program, base, how, inputs, of, loose, self.span(node))
        return self.program.add(key, made)

    def formal_kind(self, base: Reading, k: int) -> Kind:
        """The kind of a tangent of a parameter."""
        return Kind("real", base.formal[k].ndim)

    def _beside(self, base: Reading, k: int) -> Value:
        ndim = base.formal[k].ndim
        return Array("", ndim) if ndim else Scalar(Var(""))

    def _value(self, node: gast.AST, piece: Piece) -> Value:
        """Call, and what is wanted of the results."""
        passed = Passed(self.kinds)
        passed.args = list(piece.args)
        value = self._emitted(piece.reading, passed, False)
        return _template(piece.form, list(leaves_of(value)))

    # ----- functions defined inside ------------------------------------------------------------------------

    def _lifted(self, node: gast.AST, closure: Closure) -> tuple[Frame, list[tuple[str, Value]]]:
        """The frame of a function defined inside, where what it reads from around are parameters."""
        around = closure.frame
        frame = Frame(around.source, around.function, closure.node, frozenset(), self.number())
        captured: list[tuple[str, Value]] = []
        waiting = [(closure.node, around)]
        known: set[str] = set(subset.bound_names(closure.node))
        for tree, home in waiting:
            for inner in gast.walk(tree):
                if isinstance(inner, gast.Nonlocal):
                    self.refuse(node, f"`{closure.node.name}` writes names of the function around it", "S072")
                if not isinstance(inner, gast.Name) or inner.id in known:
                    continue
                value = home.lookup(inner.id)
                if value is None or isinstance(value, Lost | Growing):
                    continue
                known.add(inner.id)
                if isinstance(value, Closure):
                    waiting.append((value.node, value.frame))
                    frame.env[inner.id] = replace(value, frame=frame)
                elif isinstance(value, Known):
                    frame.env[inner.id] = value
                else:
                    captured.append((inner.id, value))
        frame.locals = frozenset(known)
        return frame, captured


def _partials(f: Any) -> Iterator[Any]:
    while isinstance(f, functools.partial):
        yield f
        f = f.func


def _held(value: Value, node: gast.AST) -> Any:
    """A node that stands for a value."""
    held = gast.copy_location(Held(), node)
    held.item = value
    return held


def _ndim(value: Value) -> int:
    return value.ndim if isinstance(value, Array | Fresh) else 0


def _formal(leaf: Value) -> Value:
    return Array("", leaf.ndim) if isinstance(leaf, Array | Fresh) else Scalar(Var(""))


def _numbered(value: Value, first: int) -> tuple[Form, int]:
    """The form of results: their positions in order; and the next position."""
    match value:
        case Tuple(items, make):
            forms = []
            for item in items:
                form, first = _numbered(item, first)
                forms.append(form)
            return (make, tuple(forms)), first
        case Known():
            return value, first + 1
    return first, first + 1


def _shifted(form: Form, count: int) -> Form:
    """The same results, further on: their tangents."""
    if isinstance(form, int):
        return form + count
    if isinstance(form, tuple):
        return form[0], tuple(_shifted(item, count) for item in form[1])
    return form


def _positions(form: Form) -> Iterator[int]:
    if isinstance(form, int):
        yield form
    elif isinstance(form, tuple):
        for item in form[1]:
            yield from _positions(item)


def _matching(value: Value, places: Iterator[int], made: dict[int, int]) -> Form:
    """The form of the adjoint of an argument."""
    match value:
        case Tuple(items, make):
            return make, tuple(_matching(item, places, made) for item in items)
        case Known():
            return Known(None)
    place = made.get(next(places))
    return Known(None) if place is None else place


def _template(form: Form, results: Sequence[Value]) -> Value:
    """A form with results in it."""
    if isinstance(form, int):
        return results[form]
    if isinstance(form, tuple):
        return Tuple(tuple(_template(item, results) for item in form[1]), form[0])
    return form
