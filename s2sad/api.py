"""The public transforms. Names and conventions follow JAX; what they return is plain NumPy.

Everything here binds, checks and packs; what is derived, and how, is `pipeline`'s. Derived functions are made per
kinds of arguments and kept (`requests`). Jacobians and Hessians are in `dense`.
"""

from __future__ import annotations

import functools
import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from s2sad import pipeline
from s2sad.arguments import bind, brief, flatten, leaf_values, pack, real, unbound
from s2sad.derive import Derived
from s2sad.drivers import leaves
from s2sad.errors import ArgumentError, KindError, StaleInputError
from s2sad.fingerprint import fingerprint
from s2sad.ir.nodes import Back, Function, Kind, Turn
from s2sad.ir.walk import names_in, statements, writes_in
from s2sad.pipeline import Argnums, Request
from s2sad.requests import entry_of, key_of, made_once, request_of

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

    key = functools.partial(key_of, request)
    made = make(unbound(request.f), Remake(request), dict(request.options.user), generate, key=key)
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
            return entry_of(built, built.entry, False)

        return made_once(self.request, "gradient", args, make)(*args)

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


def in_full(f: Any, primals: Any, what: str = "primals") -> tuple[Any, ...]:
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
    args = in_full(request.f, primals)
    return slopes_along(
        request, args, (*tangents, *[None] * (len(args) - len(tangents))), fingerprint(request.f)
    )


def slopes_along(request: Request, args: tuple[Any, ...], given: Sequence[Any], mark: str) -> tuple[Any, Any]:
    """The value and its derivative in one direction, of a function or of its gradient."""
    if request.argnums is not None:
        return _jvp_of_gradient(request, args, given, mark)
    lowered = made_once(request, "ir", args, lambda kinds: pipeline.lowered(request.f, kinds), mark=mark)
    directions = _tangents(lowered, args, given)
    active = tuple(p for p in lowered.params if p in directions)

    def make(kinds: tuple[Kind, ...]) -> Any:
        built = pipeline.tangent(request, kinds, active)
        return built, entry_of(built, built.entry, request.options.jit)

    built, entry = made_once(request, "tangent", args, make, active, mark=mark)
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
    lowered = made_once(request, "ir", args, lambda kinds: pipeline.lowered(request.f, kinds), mark=mark)
    request = pipeline.normal(request, lowered)
    directions = _tangents(lowered, args, tangents)
    wrt = pipeline.differentiable(lowered, request.positions)
    along = tuple(pipeline.differentiable(lowered, (k,), scalar=True) for k in request.along)
    active = tuple(p for p in lowered.params if p in directions)

    def make(kinds: tuple[Kind, ...]) -> Any:
        built = pipeline.nested(request, kinds, wrt, (*along, active))
        return built, entry_of(built, built.entry, request.options.jit)

    built, entry = made_once(request, "nested", args, make, active, mark=mark)
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
    args = in_full(request.f, primals)

    def make(kinds: tuple[Kind, ...]) -> Any:
        fn = pipeline.lowered(request.f, kinds)
        active = tuple(n for p in fn.signature for n in pipeline.real_leaves(fn, p))
        built, pull = pipeline.pullback(request, kinds, active)
        return (
            built,
            entry_of(built, built.entry, request.options.jit),
            entry_of(built, pull, request.options.jit),
        )

    built, opened, pulled = made_once(request, "pullback", args, make)
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
    args = in_full(request.f, primals)
    value = f(*args)
    lowered = made_once(request, "ir", args, lambda kinds: pipeline.lowered(request.f, kinds))
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
    args = in_full(request.f, primals)
    given = (*tangents, *[None] * (len(args) - len(tangents)))
    positions = tuple(k for k, t in enumerate(given) if t is not None)
    _, out = _jvp_of_gradient(replace(request, argnums=positions), args, given)
    found = dict(zip(positions, out, strict=True))
    return found.get(0) if len(primals) == 1 else tuple(found.get(k) for k in range(len(primals)))
