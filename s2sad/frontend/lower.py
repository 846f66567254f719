"""From a Python function to IR: reads it once, then settles names, bindings and kinds.

>>> from s2sad.ir.nodes import REAL
>>> import colorsys
>>> fn = lower(colorsys.rgb_to_yiq, (REAL, REAL, REAL))
>>> fn.params, len(fn.body), str(fn.kinds["y"])
(('r', 'g', 'b'), 3, 'real')
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import gast

from s2sad.analyses.entities import classes, dynamic, roots
from s2sad.analyses.speech import heard_once
from s2sad.analyses.versions import distinct
from s2sad.errors import AliasingError, ArgumentError, KindError
from s2sad.forms import Given, is_keyed, labels
from s2sad.frontend import flow, infer, regions, subset
from s2sad.frontend.bindings import Bindings
from s2sad.frontend.bound import bind_all
from s2sad.frontend.desugar import desugar
from s2sad.frontend.kinds import kind_of_value
from s2sad.frontend.linking import linked
from s2sad.frontend.lists import Told, until_told
from s2sad.frontend.read import plain_function, source_of, span_of
from s2sad.frontend.reader import described
from s2sad.frontend.rules import RULE
from s2sad.frontend.statements import Statements
from s2sad.frontend.values import (
    Array,
    Frame,
    Fresh,
    Known,
    Scalar,
    Struct,
    Tuple,
    Value,
    leaves_of,
    section_of,
)
from s2sad.frontend.views import written
from s2sad.frontend.webs import choose, pretty, separate, tree_renamed
from s2sad.ir.nodes import (
    Apply,
    Assign,
    Const,
    Expr,
    Function,
    If,
    Kind,
    Leaf,
    Load,
    Node,
    Param,
    Raise,
    Stmt,
    Store,
    Tree,
    Update,
    Var,
)
from s2sad.ir.walk import Body, blocks, names_in, nodes, rename, statements, with_blocks
from s2sad.ops import OPS
from s2sad.rules import registered

#: Nothing is known of an argument but its kind.
OPEN = object()


def lower(f: Any, kinds: Sequence[Kind], *, static: Mapping[int, object] = MappingProxyType({})) -> Function:
    """The IR of `f` for arguments of these kinds, one per parameter of its signature.

    Parameters past the end of `kinds` have the kind of their default. `static` values are fixed: None, text,
    functions and bools by position. What a `functools.partial` binds is fixed too.

    Errors: UnsupportedSyntaxError, MissingRuleError, AliasingError, KindError, SourceUnavailableError, all with
    the place in the user's text; ArgumentError for a wrong number of kinds.
    """
    own = registered(f)
    function = plain_function(f if own is None or own.stub is None else own.stub)

    def read(told: Told, guessed: set[int]) -> Function:
        source, tree = source_of(function)
        subset.check(tree, source)
        desugar(tree, source)
        reader = Lowering(Frame(source, function, tree, subset.bound_names(tree), 0))
        reader.calls = [tree.body, function.__code__]
        reader.told, reader.guessed = told, guessed
        return reader.function(f, tuple(kinds), static)

    return until_told(read)


class Lowering(Statements):
    """Reads the outermost function."""

    def result(self) -> str:
        """Results of the outermost function meet in `r`, or r_0, r_1, ..."""
        return self.temporary("r")

    param_kinds: dict[str, Kind]
    settled: tuple[Body, tuple[Expr, ...]]
    returns: Tree
    taken_apart: tuple[Param, ...]

    def function(self, f: Any, kinds: tuple[Kind, ...], static: Mapping[int, object]) -> Function:
        """All stages, one after the other."""
        tree = self.frame.node
        signature, self.param_kinds = self._parameters(f, kinds, static)
        self.kinds.update(self.param_kinds)
        params = tuple(self.param_kinds)
        ruled = hasattr(self.frame.function, RULE) or registered(self.frame.function) is not None
        value = self._of_itself(tree) if ruled else self.run(tree)
        returns, results = self._results(value, tree, lists=True)
        self._settle(params, results)
        self.program.settle(lambda: self.kinds_of_results(tuple(self.param_kinds.values())))
        made = linked(self._finish(signature, returns), self.program)
        heard_once(made)
        return made

    def _of_itself(self, tree: gast.FunctionDef) -> Value:
        """A function with a rule is called, as others would call it."""
        self.at = span_of(tree, self.frame.source)
        names = [p.id for p in (*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs)]
        given = [(n, self.frame.env[n]) for n in names]
        own = registered(self.frame.function)
        if own is not None:
            value = self.of_registered(tree, own, [v for _, v in given])
        else:
            frame = replace(self.frame, number=self.number(), env={}, returned=[])
            value = self.ruled(tree, self.frame.function, frame, given, False)
        self.frame.returned.append((value, tree))
        return value

    # ----- a function that is called -----------------------------------------------------------------------

    def read_apart(self, params: Sequence[tuple[str, Value]], kinds: tuple[Kind, ...]) -> Value:
        frame, leaves = self.frame, list[str]()
        for name, value in params:
            frame.env[name] = _formal(f"{name}#0", value, leaves)
        self.taken_apart = tuple(Param(name, _tree(frame.env[name])) for name, _ in params)
        self.param_kinds = dict(zip(leaves, kinds, strict=True))
        self.kinds.update(self.param_kinds)
        value = self.run(frame.node)
        if self.outcome is not None:
            value = self.outcome(self, value, frame.node)
        none: tuple[Tree, tuple[Expr, ...]] = (Node(()), ())
        self.returns, results = none if value == Known(None) else self._results(value, frame.node)
        self._settle(tuple(leaves), results)
        shape = _shape(value)
        self._fresh([isinstance(leaf, Array) for leaf in leaves_of(shape)] if results else [])
        return shape

    def places_written(self) -> frozenset[int]:
        body, _ = self.settled
        same = classes(body)
        found = {same[name] for stmt in statements(body) for name in written(stmt)}
        return frozenset(k for k, param in enumerate(self.param_kinds) if same[param] in found)

    def _fresh(self, arrays: Sequence[bool]) -> None:
        """Refuse results that are arrays of the caller, or one array twice."""
        body, results = self.settled
        same = classes(body)
        seen = {same[n] for n in (*self.param_kinds, *self.constants)}
        for result in (r for r, array in zip(results, arrays, strict=True) if array and isinstance(r, Var)):
            if same[result.name] in seen:
                raise AliasingError(
                    f"`{self.frame.node.name}` gives back an array that it was given, or one twice", code="S080",
                    at=self.at, hint="return a copy, or leave it out: the caller has it",
                )  # fmt: skip
            seen.add(same[result.name])

    def kinds_of_results(self, kinds: tuple[Kind, ...]) -> tuple[Kind | None, ...]:
        """The kinds of results for parameters of these kinds, as far as they are known."""
        body, results = self.settled
        params = dict(zip(self.param_kinds, kinds, strict=True))
        found = infer.kinds_of(body, params, self.constants, self.program.given)
        return tuple(infer.kind_of(result, found) for result in results)

    def made_for(self, kinds: tuple[Kind, ...]) -> Function:
        """The function for parameters of these kinds; its calls are still to be linked."""
        self.param_kinds = dict(zip(self.param_kinds, kinds, strict=True))
        return self._finish(self.taken_apart, self.returns)

    # ----- parameters --------------------------------------------------------------------------------------

    def _parameters(
        self, f: Any, kinds: tuple[Kind, ...], static: Mapping[int, object]
    ) -> tuple[list[Param], dict[str, Kind]]:
        bound, by_name = _bound(f)
        args = self.frame.node.args
        nodes = [*args.posonlyargs, *args.args, *args.kwonlyargs]
        if args.vararg is not None:
            self.refuse(args.vararg, "`*` parameters are not supported here", "S033")
        function = self.frame.function
        plain = [p.id for p in (*args.posonlyargs, *args.args)]
        given = function.__defaults__ or ()
        defaults: dict[str, Any] = dict(zip(plain[len(plain) - len(given) :], given, strict=True))
        defaults |= function.__kwdefaults__ or {}
        fixed = dict(zip(plain, bound, strict=False)) | by_name
        for node in nodes:
            if node.id in fixed:
                value = self.baked(fixed[node.id], node.id, node, plain=not isinstance(fixed[node.id], tuple))
                self.frame.env[node.id] = (
                    self.bind(self.raw(node.id), value, node) if node.id in self._changed() else value
                )
        free = [node for node in nodes if node.id not in fixed]
        if len(kinds) > len(free):
            raise ArgumentError(
                f"`{self.frame.node.name}` takes {len(free)} arguments, not {len(kinds)}", code="S074",
                at=span_of(self.frame.node, self.frame.source),
            )  # fmt: skip
        signature: list[Param] = []
        params: dict[str, Kind] = {}
        for k, node in enumerate(free):
            missing = k >= len(kinds)
            if missing and node.id not in defaults:
                self.refuse(node, f"the argument `{node.id}` is missing", "S074", error=ArgumentError)
            kind = kind_of_value(defaults[node.id]) if missing else kinds[k]
            fix = static.get(k, _fixed(defaults[node.id]) if missing else OPEN)
            leaf_tree, value = self._parameter(self.raw(node.id), kind, fix, node, params)
            literal = _literal(defaults[node.id]) if node.id in defaults else None
            signature.append(Param(node.id, leaf_tree, literal))
            self.frame.env[node.id] = value
        return signature, params

    def _changed(self) -> set[str]:
        return subset.assigned_names(self.frame.node.body)

    def _parameter(
        self, raw: str, kind: Kind, fix: object, node: gast.Name, params: dict[str, Kind]
    ) -> tuple[Tree, Value]:
        """The leaves of a parameter, entered into `params`, and what its name stands for."""
        if kind.base == "tuple":
            self.class_checked(node, kind.make)
            base, _, tag = raw.partition("#")
            parts = [
                self._parameter(f"{base}.{name}#{tag}", item, OPEN, node, params)
                for name, item in zip(labels(kind.make, len(kind.items)), kind.items, strict=True)
            ]
            value = Tuple(tuple(v for _, v in parts), kind.make)
            kept = Struct(value) if is_keyed(kind.make) else value
            return Node(tuple(tree for tree, _ in parts), kind.make), kept
        params[raw] = kind
        if kind.base == "none":
            return Leaf(raw), Known(None)
        if kind.base not in ("real", "single", "int", "bool"):
            if fix is OPEN:
                message = f"the value of `{node.id}` must be known: it is {kind}"
                partial = f"functools.partial({self.frame.node.name}, {node.id}=...)"
                hint = f"`{partial}` makes it known, as does a function that passes it on"
                self.refuse(node, message, "S062", hint if kind.base == "text" else "", KindError)
            return Leaf(raw), Known(fix)
        if isinstance(fix, bool | int | float) and node.id not in self._changed():
            return Leaf(raw), Scalar(Const(fix))
        return Leaf(raw), Array(raw, kind.ndim) if kind.ndim else Scalar(Var(raw))

    # ----- results -----------------------------------------------------------------------------------------

    def _results(
        self, value: Value, node: gast.FunctionDef, lists: bool = False
    ) -> tuple[Tree, tuple[Expr, ...]]:
        results: list[Expr] = []
        several = isinstance(value, Tuple)

        def leaf(value: Value) -> Tree:
            label = Leaf(f"r_{len(results)}")
            match value:
                case Struct(fields) if lists:
                    return leaf(fields)
                case Tuple(items, make) if lists or make is not list:
                    return Node(tuple(map(leaf, items)), Given(list) if make is list else make)
                case Scalar(expr) if not self._reads_local_array(expr):
                    results.append(expr)
                case Scalar() | Fresh():
                    section = section_of(value)
                    if section is not None:
                        value = Fresh(Apply("copy", (section,)), value.ndim, True)  # type: ignore[union-attr]
                    raw = self.temporary(f"r.{len(results)}" if several else "r")
                    self.bind(raw, value, node)
                    results.append(Var(raw))
                case Array(name):
                    results.append(Var(name))
                case Known(None):
                    self.refuse(
                        node,
                        f"`{node.name}` returns nothing",
                        "S061",
                        "return a number or an array",
                        KindError,
                    )
                case _:
                    self.refuse(
                        node,
                        f"a result must be a number, an array or a tuple, not {described(value)}",
                        "S062",
                        error=KindError,
                    )
            return label

        return leaf(value), tuple(results)

    def _reads_local_array(self, expr: Expr) -> bool:
        """Whether a result looks into an array that ends with the function: it is then taken before."""
        whole = (n.args[0] for n in nodes(expr) if isinstance(n, Apply) and OPS[n.op].structural)
        arrays = [n.array for n in nodes(expr) if isinstance(n, Load)] + [
            a.name for a in whole if isinstance(a, Var)
        ]
        return any(name not in self.param_kinds and name not in self.constants for name in arrays)

    # ----- names, bindings, kinds --------------------------------------------------------------------------

    def _settle(self, params: tuple[str, ...], results: tuple[Expr, ...]) -> None:
        """All that needs no kinds."""
        entry = (*params, *self.constants)
        self.one_name(body := distinct(tuple(self.out)), results)
        body = flow.own_counters(body, flow.wanted(results))
        body, results = separate(body, entry, results)
        late = [n for n in names_in(body) if n.partition("#")[2].partition("~")[0] in self.late]
        body = bind_all(body, entry, late, results, self.at)
        bindings = Bindings(params, self.constants, self.program.born, self._kinds)
        body, results = bindings.settle(body, results)
        self._constants_kept(body)
        regions.check(body, results, params)
        self.settled = body, results

    def _finish(self, signature: Sequence[Param], returns: Tree) -> Function:
        frame, tree = self.frame, self.frame.node
        params = tuple(self.param_kinds)
        body, results = self._own_numbers(*self.settled)
        body = _under_if(body)
        kinds = self._kinds(body)
        infer.check(body, results, kinds, self.at)
        body, results = infer.settled(body, kinds), tuple(infer.plain(r, kinds) for r in results)
        used = {*names_in(body), *flow.wanted(results)}
        names = choose([*(c for c in self.constants if c in used), *names_in(body)], params)
        return Function(
            name=getattr(tree, "shown", tree.name),
            params=tuple(names[p] for p in params),
            body=rename(names, body),
            results=tuple(rename(names, r) for r in results),
            kinds={names[raw]: kind for raw, kind in kinds.items() if raw in names},
            signature=tuple(Param(p.name, tree_renamed(p.tree, names), p.default) for p in signature),
            returns=returns,
            constants={names[c]: v for c, v in self.constants.items() if c in names},
            doc=gast.get_docstring(tree) or "",
            at=self.span(tree),
            end=self.span(frame.returned[-1][1]),
        )

    def _kinds(self, body: Body) -> infer.Kinds:
        return infer.kinds_of(body, self.param_kinds, self.constants, self.program.given)

    def _own_numbers(self, body: Body, results: tuple[Expr, ...]) -> tuple[Body, tuple[Expr, ...]]:
        """A parameter that is assigned values of a wider kind (an int that becomes real) gets a name for them."""
        kinds = self._kinds(body)
        names = {p: f"{p}~p" for p, kind in self.param_kinds.items() if kinds[p] != kind}
        start = tuple(Assign(local, Var(p), body[0].at) for p, local in names.items())
        return (*start, *rename(names, body)), tuple(rename(names, r) for r in results)

    def _constants_kept(self, body: Body) -> None:
        same, root, shared = classes(body), roots(body), dynamic(body)
        for stmt in statements(body):
            if isinstance(stmt, Store | Update):
                name = stmt.array
                for array in self.constants:
                    if root[name] == array or (same[name] == same[array] and same[array] in shared):
                        raise AliasingError(
                            f"`{pretty(array)}` belongs to the module and can't be written", code="S080",
                            at=stmt.at, hint=f"write into `{pretty(array)}.copy()`, or pass it in as an argument",
                        )  # fmt: skip


def _formal(raw: str, value: Value, leaves: list[str]) -> Value:
    """What a parameter stands for that is passed a value of a form; its leaves are entered."""
    match value:
        case Tuple(items, make):
            base, _, tag = raw.partition("#")
            named = zip(labels(make, len(items)), items, strict=True)
            return Tuple(tuple(_formal(f"{base}.{k}#{tag}", v, leaves) for k, v in named), make)
        case Scalar():
            leaves.append(raw)
            return Scalar(Var(raw))
        case Array(ndim=ndim) | Fresh(ndim=ndim):
            leaves.append(raw)
            return Array(raw, ndim)
    return value


def _tree(value: Value) -> Tree:
    """The structure of what a parameter stands for; what is known when the program is read has no leaves."""
    match value:
        case Tuple(items, make):
            return Node(tuple(map(_tree, items)), make)
        case Scalar(Var(name=name)) | Array(name):
            return Leaf(name)
    return Node(())


def _shape(value: Value) -> Value:
    """The form of a result."""
    match value:
        case Tuple(items, make) if make is not list:
            return Tuple(tuple(map(_shape, items)), make)
        case Fresh(ndim=ndim):
            return Array("", ndim)
    return value


def _bound(f: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """What partials bind, by position and by name."""
    args: tuple[Any, ...] = ()
    named: dict[str, Any] = {}
    while isinstance(f, functools.partial):
        args = f.args + args
        named = f.keywords | named
        f = f.func
    return args, named


def _fixed(default: object) -> object:
    """What a default says about the parameter for good: text, a function."""
    return default if isinstance(default, str) or callable(default) else OPEN


def _literal(value: Any) -> str | None:
    return repr(value) if isinstance(value, bool | int | float | str | None) else None


def _under_if(body: Body, inside: bool = False) -> Body:
    """Exceptions stand under an `if`; one that is always raised gets `if True`."""
    out: list[Stmt] = []
    for stmt in body:
        stmt = with_blocks(stmt, [_under_if(block, isinstance(stmt, If)) for block in blocks(stmt)])
        out.append(If(Const(True), (stmt,), (), stmt.at) if isinstance(stmt, Raise) and not inside else stmt)
    return tuple(out)
