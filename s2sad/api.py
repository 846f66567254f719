"""The public transforms. Names and conventions follow JAX; what they return is plain NumPy.

Everything here binds, checks and packs; what is derived, and how, is `pipeline`'s. Derived functions are made per
kinds of arguments and kept.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from s2sad import pipeline
from s2sad.arguments import bind, brief, flatten, leaf_values, pack, plain, real, unbound
from s2sad.derive import Derived
from s2sad.drivers import Options, leaves
from s2sad.emit.load import load
from s2sad.errors import ArgumentError, KindError, StaleInputError
from s2sad.fingerprint import fingerprint
from s2sad.forms import built, filled, items_of, like
from s2sad.forms import leaves as parts
from s2sad.frontend.kinds import kind_of_value
from s2sad.ir.nodes import Back, Function, Kind, Leaf, Tree, Turn
from s2sad.ir.walk import names_in, statements, writes_in
from s2sad.jacobians import KEEPING, WIDTH, gathered
from s2sad.pickled import reduced
from s2sad.pipeline import Argnums, Built, Request
from s2sad.shapes.directions import Alone
from s2sad.shapes.passes import chosen

COMPILER = ("parallel", "fastmath", "boundscheck", "error_model", "nogil")
_built: dict[Any, Any] = {}


def options_of(f: Any, given: dict[str, Any]) -> Options:
    """The options, those of a dispatcher taken over; ArgumentError for a name that is none."""
    taken = {k: v for k, v in getattr(f, "targetoptions", {}).items() if k in COMPILER}
    known = {*COMPILER, "jit", "cache", "strict", "check", "check_inputs", "deterministic", "passes"}
    for name in given:
        if name not in known:
            raise ArgumentError(
                f"there is no option `{name}`", code="S094", hint=f"options are {', '.join(sorted(known))}"
            )
    user = {k: v for k, v in {**taken, **given}.items() if k in COMPILER}
    passes = None if given.get("passes") is None else chosen(given["passes"])
    own = {name: given[name] for name in ("jit", "strict", "cache", "deterministic") if name in given}
    return Options(user=user, passes=passes, **own)


def request_of(f: Any, given: dict[str, Any]) -> Request:
    """What `f` stands for: a function, or a gradient that `grad` made."""
    if not callable(f):
        raise ArgumentError(f"a function is needed, not {brief(f)}")
    known: Request | None = getattr(f, "request", None)
    if known is not None:
        return replace(known, options=options_of(known.f, {**_given(known.options), **given}))
    return Request(f, options=options_of(f, given))


def _given(options: Options) -> dict[str, Any]:
    own = {name: getattr(options, name) for name in ("jit", "strict", "cache", "passes", "deterministic")}
    return {**own, **options.user}


def _key(request: Request) -> str:
    return f"{fingerprint(request.f)} {replace(request, f=len)!r}"


def _made(
    request: Request,
    what: str,
    args: Sequence[Any],
    make: Callable[[tuple[Kind, ...]], Any],
    *extra: Any,
    mark: str = "",
) -> Any:
    """What `make` makes for the kinds of the arguments, once; `mark` is the function's fingerprint, where it is known."""
    kinds = tuple(map(kind_of_value, args))
    key = (mark or fingerprint(request.f), replace(request, f=len), what, kinds, *extra)
    found = _built.get(key)
    if found is None:
        found = _built[key] = make(kinds)
    return found


def _entry(built: Built, name: str, jit: bool) -> Callable[..., Any]:
    entry: Callable[..., Any] = getattr(load(built.text, name, built.arrays, built.classes, jit=jit), name)
    return entry if jit else lambda *args: plain(entry(*args))


# ----- gradients -------------------------------------------------------------------------------------------------


def grad(f: Callable[..., Any], argnums: Argnums = 0, *, has_aux: bool = False, **options: Any) -> Any:
    """The gradient of a function that returns one real number.

    Shapes:  the gradient has shape, dtype and structure of the argument; a tuple of argnums gives a tuple
    Errors:  KindError for an integer argument or a result that isn't one real number; ArgumentError for argnums
    The result is a function with the signature of `f`; under jit it can be called in `@njit` code as well.

    >>> grad(lambda x: x * x, jit=False)(3.0)
    6.0
    """
    return _gradient(f, argnums, False, has_aux, options)


def value_and_grad(
    f: Callable[..., Any], argnums: Argnums = 0, *, has_aux: bool = False, **options: Any
) -> Any:
    """The value and the gradient of a function that returns one real number: (value, gradient).

    With `has_aux` the function returns a pair (value, aux), and the result is ((value, aux), gradient).

    >>> value_and_grad(lambda x: x * x, jit=False)(3.0)
    (9.0, 6.0)
    """
    return _gradient(f, argnums, True, has_aux, options)


def _gradient(f: Any, argnums: Argnums, value: bool, aux: bool, options: dict[str, Any]) -> Any:
    if not isinstance(argnums, int) or isinstance(argnums, bool):
        if not isinstance(argnums, tuple) or not all(
            isinstance(k, int) and not isinstance(k, bool) for k in argnums
        ):
            raise ArgumentError(
                f"`argnums` has to be an int or a tuple of ints, not {argnums!r}", code="S093"
            )
    base = request_of(f, options)
    along = base.along
    if base.argnums is not None:
        if base.value or base.aux or not isinstance(base.argnums, int):
            raise KindError("a gradient needs one real number: this function returns a tuple", code="S061")
        along = (*along, base.argnums)
    request = Request(base.f, argnums, along, value, aux, base.options)
    return remake(request)


def remake(request: Request) -> Any:
    """The derivative object of a request; unpickled ones come this way too."""
    if not request.options.jit:
        return Plain(request)
    from s2sad.emit.dispatcher import Generated, make

    def generate(kinds: tuple[Kind, ...]) -> Generated:
        built = pipeline.gradient(request, kinds)
        return Generated(built.text, built.entry, built.arrays, built.classes)

    made = make(unbound(request.f), Remake(request), dict(request.options.user), generate, key=_key(request))
    made.request = request
    return made


class Remake:
    """Makes a derivative again, in another process too."""

    def __init__(self, request: Request) -> None:
        self.request = request

    def __call__(self) -> Any:
        return remake(self.request)


class Plain:
    """A gradient without Numba: the same program as plain Python and NumPy."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.__name__ = getattr(request.f, "__name__", "f")
        self.__doc__ = getattr(request.f, "__doc__", None)
        self.__wrapped__ = request.f

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        args = bind(self.request.f, args, kwargs)

        def make(kinds: tuple[Kind, ...]) -> Any:
            built = pipeline.gradient(self.request, kinds)
            return _entry(built, built.entry, False)

        return _made(self.request, "gradient", args, make)(*args)

    def __reduce__(self) -> tuple[Any, ...]:
        return Plain, (self.request,)


# ----- products ----------------------------------------------------------------------------------------------------


def _tangents(fn: Function, args: Sequence[Any], tangents: Sequence[Any]) -> dict[str, Any]:
    """Leaf -> tangent for all leaves that have one."""
    found: dict[str, Any] = {}
    for param, arg, t in zip(fn.signature, args, tangents, strict=True):
        if t is None:
            continue
        what = f"the tangent of `{param.name}`"
        names = leaves(param.tree)
        for name, v, tv in zip(
            names, flatten(param.tree, arg, what, "S091"), flatten(param.tree, t, what, "S091"), strict=True
        ):
            if tv is None:
                continue
            kind = fn.kinds.get(name)
            if kind is None or not kind.is_real:
                raise KindError(f"`{param.name}` is not real: its tangent has to be None", code="S060")
            found[name] = real(tv, v, kind, what, "S091")
    return found


def _full(f: Any, primals: Any, what: str = "primals") -> tuple[Any, ...]:
    """Primals with defaults for the ones left out."""
    if not isinstance(primals, tuple | list):
        raise ArgumentError(
            f"`{what}` has to be a tuple, one per argument, not {brief(primals)}", code="S092"
        )
    return bind(f, primals, {})


def _same_length(primals: Sequence[Any], tangents: Any) -> None:
    if not isinstance(tangents, tuple | list) or len(tangents) != len(primals):
        raise ArgumentError(
            f"{len(primals)} primals need as many tangents, not {brief(tangents)}",
            code="S090",
            hint="None stands for zero",
        )


def jvp(
    f: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any], **options: Any
) -> tuple[Any, Any]:
    """The value and its derivative in one direction: (y, ydot).

    tangents  one per primal, of its shape; None for none (an integer argument has none)
    Errors:   ArgumentError where number, shape or structure are off

    >>> jvp(lambda x, n: x**n, (3.0, 2), (1.0, None), jit=False)
    (9.0, 6.0)
    """
    request = request_of(f, options)
    _same_length(primals, tangents)
    args = _full(request.f, primals)
    return _along(request, args, (*tangents, *[None] * (len(args) - len(tangents))), fingerprint(request.f))


def _along(request: Request, args: tuple[Any, ...], given: Sequence[Any], mark: str) -> tuple[Any, Any]:
    """The value and its derivative in one direction, of a function or of its gradient."""
    if request.argnums is not None:
        return _jvp_of_gradient(request, args, given, mark)
    lowered = _made(request, "ir", args, lambda kinds: pipeline.lowered(request.f, kinds), mark=mark)
    directions = _tangents(lowered, args, given)
    active = tuple(p for p in lowered.params if p in directions)

    def make(kinds: tuple[Kind, ...]) -> Any:
        built = pipeline.tangent(request, kinds, active)
        return built, _entry(built, built.entry, request.options.jit)

    built, entry = _made(request, "tangent", args, make, active, mark=mark)
    fn = built.fn
    values = leaf_values(fn, args)
    out = entry(*(values[p] for p in fn.params), *(directions[p] for p in built.derived.tangents[0].tangents))
    flat = out if len(fn.results) + len(fn.results) > 1 else (out,)
    n = len(fn.results)
    names = leaves(fn.returns)
    one, two = (dict(zip(names, part, strict=True)) for part in (flat[:n], flat[n:]))
    return pack(fn.returns, one), pack(fn.returns, two)


def _jvp_of_gradient(
    request: Request, args: tuple[Any, ...], tangents: Sequence[Any], mark: str = ""
) -> tuple[Any, Any]:
    """Forward over reverse: the gradient and its tangent."""
    mark = mark or fingerprint(request.f)
    lowered = _made(request, "ir", args, lambda kinds: pipeline.lowered(request.f, kinds), mark=mark)
    request = pipeline.normal(request, lowered)
    directions = _tangents(lowered, args, tangents)
    wrt = pipeline.differentiable(lowered, request.positions)
    along = tuple(pipeline.differentiable(lowered, (k,), scalar=True) for k in request.along)
    active = tuple(p for p in lowered.params if p in directions)

    def make(kinds: tuple[Kind, ...]) -> Any:
        built = pipeline.nested(request, kinds, wrt, (*along, active))
        return built, _entry(built, built.entry, request.options.jit)

    built, entry = _made(request, "nested", args, make, active, mark=mark)
    values = leaf_values(built.fn, args)
    ones = [1.0 for _ in along]
    return entry(*(values[p] for p in built.fn.params), *ones, *(directions[p] for p in active))  # type: ignore[no-any-return]


def vjp(f: Callable[..., Any], *primals: Any, **options: Any) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]:
    """The value and its pullback: (y, pullback); pullback(ybar) gives one adjoint per argument.

    The pullback can be called any number of times, from any thread; it consumes nothing. Its result has None for
    arguments that are not real. It reads the arguments again: StaleInputError where an array has changed meanwhile
    (`check_inputs=False` doesn't look).

    >>> y, pullback = vjp(lambda x, n: x**n, 3.0, 2, jit=False)
    >>> y, pullback(10.0)
    (9.0, (60.0, None))
    """
    request = request_of(f, options)
    checking = options.get("check_inputs", True)
    if request.argnums is not None:
        return _vjp_of_gradient(f, request, primals)
    args = _full(request.f, primals)

    def make(kinds: tuple[Kind, ...]) -> Any:
        fn = pipeline.lowered(request.f, kinds)
        active = tuple(n for p in fn.signature for n in pipeline.real_leaves(fn, p))
        built, pull = pipeline.pullback(request, kinds, active)
        return (
            built,
            _entry(built, built.entry, request.options.jit),
            _entry(built, pull, request.options.jit),
        )

    built, opened, pulled = _made(request, "pullback", args, make)
    fn, adjoint = built.fn, built.derived.adjoint
    values = leaf_values(fn, args)
    start = (
        {p: np.array(v) if isinstance(v, np.ndarray) else v for p, v in values.items()}
        if adjoint.once
        else {}
    )
    *results, arena = opened(*(values[p] for p in fn.params))
    undone = spoiled(built.derived)
    read = [p for p in pullback_reads(built.derived) if isinstance(values[p], np.ndarray)]
    sums = {p: checksum(values[p]) for p in read} if checking else {}
    names = leaves(fn.returns)

    def pullback(ybar: Any) -> tuple[Any, ...]:
        given = flatten(fn.returns, ybar, "the cotangent")
        cotangents = [
            real(c, r, built.derived.function.kinds[seed], "the cotangent")
            for c, r, seed in zip(given, results, adjoint.seeds, strict=True)
            if seed is not None
        ]
        if adjoint.once:  # run forward again, from how the arguments were
            again = [np.array(start[p]) if isinstance(start[p], np.ndarray) else start[p] for p in fn.params]
            *_, fresh = opened(*again)
            adjoints = dict(zip(adjoint.gradients, pulled(*again, *cotangents, fresh), strict=True))
            return tuple(pack(p.tree, adjoints) for p in fn.signature)
        for p, expected in sums.items():
            if checksum(values[p]) != expected:
                raise StaleInputError(
                    f"`{p}` has changed since `vjp` ran `{fn.name}`, and the pullback reads it",
                    hint=f"pass a copy: `{p}.copy()`",
                )
        own = [values[p].copy() if p in undone else values[p] for p in fn.params]
        adjoints = dict(zip(adjoint.gradients, pulled(*own, *cotangents, arena), strict=True))
        return tuple(pack(p.tree, adjoints) for p in fn.signature)

    results = [np.array(r) if isinstance(r, np.ndarray) else r for r in results]
    return pack(fn.returns, dict(zip(names, results, strict=True))), pullback


def checksum(array: np.ndarray[Any, Any]) -> int:
    """A number that changes when the content of an array does."""
    return zlib.crc32(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)


def pullback_reads(derived: Derived) -> tuple[str, ...]:
    """Parameters that the reverse sweep names."""
    k = next(i for i, s in enumerate(derived.function.body) if isinstance(s, Turn))
    named = names_in(derived.function.body[k + 1 :])
    return tuple(p for p in derived.primal.params if p in named)


def spoiled(derived: Derived) -> frozenset[str]:
    """Array parameters that the reverse sweep writes into."""
    k = next(i for i, s in enumerate(derived.function.body) if isinstance(s, Turn))
    return frozenset(writes_in(derived.function.body[k + 1 :])) | frozenset(
        s.name for s in statements(derived.function.body[k + 1 :]) if isinstance(s, Back)
    )


def _vjp_of_gradient(
    f: Any, request: Request, primals: tuple[Any, ...]
) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]:
    """The transpose of a symmetric second derivative: the tangent of the whole gradient in direction of the cotangent."""
    args = _full(request.f, primals)
    value = f(*args)
    lowered = _made(request, "ir", args, lambda kinds: pipeline.lowered(request.f, kinds))
    request = pipeline.normal(request, lowered)
    wrt_all = tuple(k for k, p in enumerate(lowered.signature) if pipeline.real_leaves(lowered, p))
    whole = replace(request, argnums=wrt_all, value=False)
    args = tuple(np.array(a) if isinstance(a, np.ndarray) else a for a in args)

    def pullback(ybar: Any) -> tuple[Any, ...]:
        bars = (ybar,) if isinstance(request.argnums, int) else ybar
        if not isinstance(bars, tuple | list) or len(bars) != len(request.positions):
            raise ArgumentError(
                f"the cotangent has to have the structure of the gradient, not {brief(ybar)}", code="S092"
            )
        tangents: list[Any] = [None] * len(args)
        for k, bar in zip(request.positions, bars, strict=True):
            tangents[k] = bar
        _, out = _jvp_of_gradient(whole, args, tangents)
        found = dict(zip(wrt_all, out, strict=True))
        return tuple(found.get(k) for k in range(len(args)))

    return value, pullback


def hvp(f: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any], **options: Any) -> Any:
    """The second derivative of a scalar function times a direction.

    Shapes:  bare for one argument, else a tuple, None where the tangent is None

    >>> hvp(lambda x: x**3, (2.0,), (1.0,), jit=False)
    12.0
    """
    request = request_of(f, options)
    _same_length(primals, tangents)
    if request.argnums is not None:
        raise KindError("`hvp` needs a function that returns one real number", code="S061")
    args = _full(request.f, primals)
    given = (*tangents, *[None] * (len(args) - len(tangents)))
    positions = tuple(k for k, t in enumerate(given) if t is not None)
    _, out = _jvp_of_gradient(replace(request, argnums=positions), args, given)
    found = dict(zip(positions, out, strict=True))
    return found.get(0) if len(primals) == 1 else tuple(found.get(k) for k in range(len(primals)))


# ----- dense Jacobians -------------------------------------------------------------------------------------------


def jacfwd(
    f: Callable[..., Any], argnums: Argnums = 0, *, sparsity: Any = None, **options: Any
) -> Callable[..., Any]:
    """The Jacobian by columns, from tangents, many in one sweep where they allow it: for few inputs.

    Shapes:  result shape + argument shape; a tuple over results of a tuple over argnums where there are several
    """
    if sparsity is not None:
        return SPARSE[0](f, argnums, sparsity, options)
    return Jacobian(f, argnums, options, _columns)


def jacrev(
    f: Callable[..., Any], argnums: Argnums = 0, *, sparsity: Any = None, **options: Any
) -> Callable[..., Any]:
    """The Jacobian by rows, from adjoints, many in one sweep where they allow it: for few results.

    Shapes as in `jacfwd`.
    """
    if sparsity is not None:
        return SPARSE[0](f, argnums, sparsity, options)
    return Jacobian(f, argnums, options, _rows)


def jacobian(
    f: Callable[..., Any], argnums: Argnums = 0, *, sparsity: Any = None, **options: Any
) -> Callable[..., Any]:
    """The Jacobian, by rows or by columns, whichever are fewer. Shapes as in `jacfwd`.

    With a `sparsity` ("detect", or what `sparsity(f, *args)` gave) it is a scipy.sparse.csr_array: results (flat) by
    elements of the argument (flat), from few sweeps over a tape.

    >>> jacobian(lambda x: (x * x, 3.0 * x), jit=False)(2.0)
    (4.0, 3.0)
    """
    if sparsity is not None:
        return SPARSE[0](f, argnums, sparsity, options)
    return Jacobian(f, argnums, options, _fewer)


def _fewer(f: Any, args: tuple[Any, ...], argnums: tuple[int, ...], options: dict[str, Any]) -> Any:
    inputs = sum(np.size(x) for k in argnums for x in parts(args[k]))
    return (_rows if _results(f, args, options) < inputs else _columns)(f, args, argnums, options)


def _results(f: Any, args: tuple[Any, ...], options: dict[str, Any]) -> int:
    """How many numbers a function gives at `args`: it is run, compiled; a gradient has as many as its arguments."""
    request = request_of(f, options)
    if request.argnums is not None:
        return sum(np.size(x) for k in request.positions for x in parts(args[k]))
    run = compiled(request, args) if request.options.jit else request.f
    return sum(np.size(r) for r in parts(run(*map(_copied, args))))


def compiled(request: Request, args: Sequence[Any]) -> Callable[..., Any]:
    """A function itself, with all that it calls, compiled for the kinds of `args`."""

    def make(kinds: tuple[Kind, ...]) -> Any:
        built = pipeline.value(request, kinds)
        return _entry(built, built.entry, True)

    run: Callable[..., Any] = _made(request, "value", args, make)
    return run


def hessian(f: Callable[..., Any], argnums: Argnums = 0, **options: Any) -> Callable[..., Any]:
    """The second derivative of a scalar function, forward over reverse, many columns in one sweep where they allow it.

    Shapes:  argument shape twice; with a tuple of argnums a tuple of tuples

    >>> hessian(lambda x: x**3, jit=False)(2.0)
    12.0
    """
    return Jacobian(grad(f, argnums, **options), argnums, {}, _columns)


#: What makes a sparse Jacobian (it needs a tape): f, argnums, pattern, options -> function.
SPARSE: list[Callable[[Any, Argnums, Any, dict[str, Any]], Callable[..., Any]]] = []


class Jacobian:
    """A dense Jacobian; `how` gives, per result, an array per argument."""

    def __init__(self, f: Any, argnums: Argnums, options: dict[str, Any], how: Callable[..., Any]) -> None:
        self.f, self.argnums, self.options, self.how = f, argnums, options, how
        self.base = request_of(f, options)
        self.__name__ = f"{how.__name__.strip('_')}_of_{getattr(self.base.f, '__name__', 'f')}"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        base, argnums = self.base, self.argnums
        args = bind(base.f, args, kwargs)
        lowered = _made(base, "ir", args, lambda kinds: pipeline.lowered(base.f, kinds))
        request = pipeline.normal(replace(base, argnums=argnums), lowered)
        pipeline.differentiable(lowered, request.positions)
        table = self.how(self.f, args, request.positions, self.options)
        rows = iter([row[0] if isinstance(argnums, int) else tuple(row) for row in table])
        tree = lowered.returns if base.argnums is None else pipeline.structure(lowered, base.argnums)
        return _assembled(tree, rows)

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(Jacobian, self.f, self.argnums, self.options, self.how)


def _assembled(tree: Tree, items: Iterator[Any]) -> Any:
    """Items in a structure."""
    return (
        next(items)
        if isinstance(tree, Leaf)
        else built(tree.make, [_assembled(t, items) for t in tree.items])
    )


def _copied(value: Any) -> Any:
    items = items_of(value)
    if items is not None:
        return like(value, list(map(_copied, items)))
    return value.copy() if isinstance(value, np.ndarray) else value


def _basis(value: Any) -> list[Any]:
    """The unit directions of a number, or of an array."""
    return [1.0] if np.ndim(value) == 0 else list(np.eye(np.size(value)).reshape(-1, *np.shape(value)))


def _number(value: Any) -> Any:
    return float(value) if np.ndim(value) == 0 else value


def _columns(
    f: Any, args: tuple[Any, ...], argnums: tuple[int, ...], options: dict[str, Any]
) -> list[list[Any]]:
    request = request_of(f, options)
    mark = fingerprint(request.f)

    def along(tangents: Sequence[Any], k: int) -> tuple[Any, ...]:
        given = tuple(filled(a, iter(tangents)) if j == k else None for j, a in enumerate(args))
        return _along(request, tuple(map(_copied, args)), given, mark)

    table: list[list[Any]] = []
    for k in argnums:
        inputs = parts(args[k])
        found: list[list[Any]] = []  # per leaf of the argument a block per result
        for place, leaf in enumerate(inputs):
            at_once = _columns_at_once(request, args, k, place, mark) if np.size(leaf) > 1 else None
            if at_once is not None:
                found.append([b.reshape(b.shape[:-1] + np.shape(leaf)) for b in at_once])
                continue
            units = _basis(leaf)
            columns = [
                parts(along([u if j == place else None for j in range(len(inputs))], k)[1]) for u in units
            ]
            if columns:
                blocks = [
                    np.stack(c, -1).reshape(np.shape(c[0]) + np.shape(leaf))
                    for c in zip(*columns, strict=True)
                ]
            else:
                y = parts(along([None] * len(inputs), k)[0])
                blocks = [np.zeros(np.shape(r) + np.shape(leaf)) for r in y]
            found.append(list(map(_number, blocks)))
        table.append([filled(args[k], iter(blocks)) for blocks in zip(*found, strict=True)])
    return [list(row) for row in zip(*table, strict=True)]


def _columns_at_once(
    request: Request, args: tuple[Any, ...], k: int, place: int, mark: str
) -> list[Any] | None:
    """Per result, its derivative along all elements of a leaf (last axis); None where they go one by one."""
    if not request.options.jit or request.aux or (request.value and request.argnums is not None):
        return None
    lowered = _made(request, "ir", args, lambda kinds: pipeline.lowered(request.f, kinds), mark=mark)
    request = pipeline.normal(request, lowered) if request.argnums is not None else request
    active = leaves(lowered.signature[k].tree)[place : place + 1]

    def make(kinds: tuple[Kind, ...]) -> Any:
        try:
            if request.argnums is None:
                built = pipeline.tangent(request, kinds, active, at_once=True)
            else:
                wrt = pipeline.differentiable(lowered, request.positions)
                along = [pipeline.differentiable(lowered, (j,), scalar=True) for j in request.along]
                built = pipeline.nested(request, kinds, wrt, (*along, active), at_once=True)
        except Alone:
            return None
        return built, _entry(built, built.entry, True)

    made = _made(request, "columns", args, make, active, mark=mark)
    if made is None:
        return None
    built, entry = made
    ones = [1.0 for _ in request.along]

    def run(directions: np.ndarray[Any, Any]) -> tuple[list[Any], list[Any]]:
        values = leaf_values(built.fn, tuple(map(_copied, args)))
        out = entry(*(values[p] for p in built.fn.params), *ones, directions)
        if request.argnums is not None:
            return parts(out[0]), parts(out[1])
        flat = out if isinstance(out, tuple) else (out,)
        return list(flat[: len(built.fn.results)]), list(flat[len(built.fn.results) :])

    width = WIDTH if request.argnums is None else KEEPING
    return gathered(np.shape(parts(args[k])[place]), run, width)


def _rows_at_once(f: Any, args: tuple[Any, ...], options: dict[str, Any]) -> list[list[list[Any]]] | None:
    """Per result and argument the blocks of its leaves; None where rows go one by one."""
    request = request_of(f, options)
    if not request.options.jit or request.argnums is not None:
        return None
    args = _full(request.f, args)

    def make(kinds: tuple[Kind, ...]) -> Any:
        fn = pipeline.lowered(request.f, kinds)
        active = tuple(n for p in fn.signature for n in pipeline.real_leaves(fn, p))
        try:
            built, pull = pipeline.pullback(request, kinds, active, at_once=True)
        except Alone:
            return None
        return built, _entry(built, built.entry, True), _entry(built, pull, True)

    made = _made(request, "rows", args, make)
    if made is None:
        return None
    built, opened, pulled = made
    fn, adjoint = built.fn, built.derived.adjoint
    names = list(adjoint.gradients)

    def forward() -> tuple[list[Any], list[Any], Any]:
        values = leaf_values(fn, tuple(map(_copied, args)))
        given = [values[p] for p in fn.params]
        *results, arena = opened(*given)
        return given, [np.array(r) if isinstance(r, np.ndarray) else r for r in results], arena

    _, results, _ = forward()
    values = leaf_values(fn, args)
    table: list[list[list[Any]]] = []
    for r, result in enumerate(results):

        def run(directions: np.ndarray[Any, Any], r: int = r) -> tuple[list[Any], list[Any]]:
            given, _, arena = forward()
            more = (directions.shape[-1],)
            bars = [directions if q == r else np.zeros(np.shape(v) + more) for q, v in enumerate(results)]
            used = [bar for bar, seed in zip(bars, adjoint.seeds, strict=True) if seed is not None]
            return [values[n] for n in names], list(pulled(*given, *used, arena))

        shape = np.shape(result)
        if adjoint.seeds[r] is None:
            found = [np.zeros((*np.shape(values[n]), np.size(result))) for n in names]
        else:
            found = gathered(shape, run)
        blocks = {
            n: np.moveaxis(b, -1, 0).reshape(shape + b.shape[:-1]) for n, b in zip(names, found, strict=True)
        }
        table.append([[blocks[n] for n in leaves(p.tree) if n in blocks] for p in fn.signature])
    return table


def _rows(
    f: Any, args: tuple[Any, ...], argnums: tuple[int, ...], options: dict[str, Any]
) -> list[list[Any]]:
    at_once = _rows_at_once(f, args, options)
    if at_once is not None:
        return [
            [filled(args[k], (_number(block) for block in blocks[k])) for k in argnums] for blocks in at_once
        ]
    y, pullback = vjp(f, *map(_copied, args), **options)
    results = parts(y)
    table = []
    for r, result in enumerate(results):
        rows = []
        for unit in _basis(result):
            bars = [unit if q == r else np.zeros(np.shape(v)) for q, v in enumerate(results)]
            adjoints = pullback(filled(y, iter(bars)))
            rows.append([parts(adjoints[k]) for k in argnums])
        blocks = []
        for j, k in enumerate(argnums):
            inputs = enumerate(parts(args[k]))
            found = [
                np.reshape([row[j][n] for row in rows], np.shape(result) + np.shape(leaf))
                for n, leaf in inputs
            ]
            blocks.append(filled(args[k], map(_number, found)))
        table.append(blocks)
    return table
