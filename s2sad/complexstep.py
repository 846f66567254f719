"""Run a numeric function on complex numbers: derivatives to machine precision, without s2sad.

With a step of 1e-30 the imaginary part carries a tangent, and nothing is subtracted, so that nothing cancels.
NumPy and Python do most of it by themselves. What they don't is swapped in the globals of a copy of the
function (and of the functions that it calls): `np.zeros` makes complex arrays, `abs`, `max`, `floor` look at
the real part, `math.sin` is `np.sin`. Comparisons of NumPy's complex numbers look at the real part first, so
branches go the way they go on real numbers (not where two numbers are equal: at a kink). What is not possible
raises TypeError.
"""

from __future__ import annotations

import builtins
import math
import warnings
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from s2sad.forms import beside, items_of, like

STEP = 1e-30


def complex_step(f: Callable[..., Any], args: tuple[Any, ...], tangents: tuple[Any, ...]) -> Any:
    """The derivative of f at args along tangents, in the structure of f's result.

    Shapes:  one tangent per argument, of its structure; None = none. Arguments are not changed.
    Errors:  TypeError where f can't be run on complex numbers
    >>> complex_step(lambda x, n: x**n, (2.0, 3), (1.0, None))
    12.0
    """
    if not _real(plain(f), set()):
        raise TypeError(f"{getattr(f, '__name__', f)} computes with complex numbers itself")
    inputs = tuple(_perturbed(a, t) for a, t in zip(args, tangents, strict=True))
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("error", np.exceptions.ComplexWarning)
            result = complexified(f)(*inputs)
    except AttributeError as e:  # a method of a function that is swapped: `np.maximum.reduce`
        raise TypeError(f"{getattr(f, '__name__', f)} can't be run on complex numbers: {e}") from None
    except np.exceptions.ComplexWarning as e:
        raise TypeError(f"{getattr(f, '__name__', f)} can't be run on complex numbers: {e}") from None
    return _tangent(result)


def _real(f: Any, seen: set[int]) -> bool:
    """Does no complex number occur in a function, nor in those that it calls by name?"""
    code = getattr(f, "__code__", None)
    if code is None or id(f) in seen:
        return True
    seen.add(id(f))
    if any(isinstance(c, complex) for c in code.co_consts):
        return False
    called = (plain(f.__globals__[n]) for n in code.co_names if callable(f.__globals__.get(n)))
    return all(_real(g, seen) for g in called)


def complexified(f: Callable[..., Any]) -> Callable[..., Any]:
    """A copy of f whose globals are swapped for ones that take complex numbers."""
    copy: Callable[..., Any] = _copied(plain(f), {})
    return copy


def plain(f: Any) -> Any:
    """The Python function inside f: of a dispatcher, or of what `differentiate` returns."""
    while not isinstance(f, FunctionType):
        inner = getattr(f, "py_func", None) or getattr(f, "__wrapped__", None)
        if inner is None:
            return f
        f = inner
    return f


def _derivative(*args: Any, **options: Any) -> Any:
    """What stands for a derivative."""
    raise TypeError("derivatives can't be run on complex numbers")


def _perturbed(a: Any, t: Any) -> Any:
    if (inside := items_of(a)) is not None:
        return like(a, [_perturbed(x, y) for x, y in zip(inside, beside(a, t), strict=True)])
    if isinstance(a, np.ndarray):
        if a.dtype.kind != "f":
            return a.copy()
        return a + 1j * STEP * (np.zeros(a.shape) if t is None else np.asarray(t, dtype=float))
    if isinstance(a, float | np.floating):
        return np.complex128(complex(a, 0.0 if t is None else STEP * t))
    return a


def _tangent(y: Any) -> Any:
    if (inside := items_of(y)) is not None:
        return like(y, list(map(_tangent, inside)))
    t = np.imag(y) / STEP
    return t if isinstance(y, np.ndarray) else float(t)


def _copied(f: Any, seen: dict[int, Any]) -> Any:
    if id(f) in seen or not isinstance(f, FunctionType):
        return seen.get(id(f), f)
    globals_: dict[str, Any] = {"__builtins__": builtins, **{o.__name__: new for o, new in BUILTINS.items()}}
    copy = FunctionType(f.__code__, globals_, f.__name__, f.__defaults__, f.__closure__)
    copy.__kwdefaults__ = f.__kwdefaults__
    seen[id(f)] = copy
    for name in f.__code__.co_names:
        if name in f.__globals__:
            globals_[name] = _swapped(f.__globals__[name], seen)
    return copy


def _swapped(value: Any, seen: dict[int, Any]) -> Any:
    if isinstance(value, ModuleType):
        return _Swapped(value)
    if isinstance(value, np.ndarray):
        return value.astype(complex) if value.dtype.kind == "f" else value
    if hasattr(value, "request") or getattr(value, "__module__", None) in ("s2sad.api", "s2sad.dense"):
        return _derivative
    if callable(value):
        return _operation(value) or _copied(plain(value), seen)
    return value


class _Swapped:
    """A module whose functions are swapped for ones that take complex numbers."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.module, name)
        if isinstance(value, ModuleType):
            return _Swapped(value)
        return (_operation(value) or value) if callable(value) else value


def _operation(f: Any) -> Callable[..., Any] | None:
    """What stands for f on complex numbers; None if f can stay."""
    try:
        return SWAPS.get(f)
    except TypeError:  # not hashable
        return None


# ---------------------------------------------------------------- the swaps


def _dual(f: Callable[..., Any], *slopes: Callable[..., Any]) -> Callable[..., Any]:
    """The function with its slopes, as a function of complex numbers; the function itself on real ones."""

    def g(*args: Any) -> Any:
        if not any(np.iscomplexobj(a) for a in args):
            return f(*args)
        x = [np.real(a) for a in args]
        tangent = sum(s(*x) * np.imag(a) for s, a in zip(slopes, args, strict=True))
        return f(*x) + 1j * tangent

    return g


def _flat(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function of the real part; its slope is zero."""
    return lambda x, *more: f(x if isinstance(x, str) else np.real(x), *more)


def _created(f: Callable[..., Any]) -> Callable[..., Any]:
    """A creation of an array: complex where it would be real."""

    def g(*args: Any, **options: Any) -> Any:
        a = f(*args, **options)
        return a.astype(complex) if a.dtype.kind == "f" else a

    return g


def _pick(first: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """Elementwise maximum or minimum by the real part."""

    def g(a: Any, b: Any) -> Any:
        picked: Any = np.where(first(np.real(a), np.real(b)), a, b)
        return picked[()]

    return g


def _extreme(f: Callable[..., Any]) -> Callable[..., Any]:
    """The built-in max or min by the real part."""
    return lambda *args: f(*args, key=np.real)


def _along(f: Callable[..., Any]) -> Callable[..., Any]:
    """The largest or smallest entry of an array by the real part."""
    return lambda a: a.ravel()[f(np.real(a))]


def _refused(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function that takes complex numbers, but is not an analytic function of them."""

    def g(*args: Any, **options: Any) -> Any:
        raise TypeError(f"{f.__name__} is not analytic")

    return g


def _clip(x: Any, low: Any, high: Any) -> Any:
    return _pick(np.less)(_pick(np.greater)(x, low), high)


_abs = _dual(np.abs, np.sign)
_square_sum = {
    np.hypot: _dual(np.hypot, lambda a, b: a / np.hypot(a, b), lambda a, b: b / np.hypot(a, b)),
    np.arctan2: _dual(np.arctan2, lambda a, b: b / (a * a + b * b), lambda a, b: -a / (a * a + b * b)),
}

_NOT_ANALYTIC = ("cholesky", "eig", "eigh", "eigvalsh", "lstsq", "norm", "pinv", "qr", "slogdet", "svd")

BUILTINS: dict[Any, Callable[..., Any]] = {
    abs: _abs,
    max: _extreme(max),
    min: _extreme(min),
    int: _flat(int),
    float: lambda x: x if np.iscomplexobj(x) else float(x),
}

SWAPS: dict[Any, Callable[..., Any]] = {
    **BUILTINS,
    **_square_sum,
    **{
        f: _created(f)
        for f in (np.zeros, np.ones, np.empty, np.full, np.zeros_like, np.ones_like, np.empty_like)
    },
    **{f: _created(f) for f in (np.full_like, np.array, np.linspace, np.eye)},
    **{
        f: _flat(f)
        for f in (np.floor, np.ceil, np.trunc, np.rint, np.sign, np.heaviside, np.isfinite, np.isnan)
    },
    **{f: _flat(f) for f in (math.floor, math.ceil, math.trunc, math.isfinite, math.isnan)},
    **dict.fromkeys((np.abs, np.fabs, math.fabs), _abs),
    **{f: _pick(np.greater_equal) for f in (np.maximum, np.fmax)},
    **{f: _pick(np.less_equal) for f in (np.minimum, np.fmin)},
    **{
        f: _refused(f)
        for f in (
            np.conj,
            np.vdot,
            np.angle,
            np.real,
            np.imag,
            np.median,
            np.sort,
            np.argsort,
            np.var,
            np.std,
            np.nanvar,
            np.nanstd,
            np.nanmax,
            np.nanmin,
            np.nan_to_num,
            np.cov,
            np.corrcoef,
            np.correlate,
            np.quantile,
            np.percentile,
            np.nanmedian,
            np.nanquantile,
            np.nanpercentile,
            np.partition,
            np.ptp,
            np.unique,
            np.histogram,
            np.digitize,
            np.searchsorted,
            np.argmax,
            np.argmin,
            np.argpartition,
        )
    },
    **{getattr(np.linalg, name): _refused(getattr(np.linalg, name)) for name in _NOT_ANALYTIC},
    np.max: _along(np.argmax),
    np.min: _along(np.argmin),
    np.clip: _clip,
    np.cbrt: _dual(np.cbrt, lambda x: 1 / (3 * np.cbrt(x) ** 2)),
    np.exp2: _dual(np.exp2, lambda x: np.log(2) * np.exp2(x)),
    np.deg2rad: lambda x: x * (np.pi / 180),
    np.rad2deg: lambda x: x * (180 / np.pi),
    np.logaddexp: _dual(
        np.logaddexp, lambda a, b: 1 / (1 + np.exp(b - a)), lambda a, b: 1 / (1 + np.exp(a - b))
    ),
    math.erf: _dual(math.erf, lambda x: 2 / np.sqrt(np.pi) * np.exp(-x * x)),
    math.erfc: _dual(math.erfc, lambda x: -2 / np.sqrt(np.pi) * np.exp(-x * x)),
    math.hypot: _square_sum[np.hypot],
    math.atan2: _square_sum[np.arctan2],
    math.pow: lambda a, b: a**b,
}
_SAME = ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "expm1", "log", "log2", "log10", "log1p", "sqrt")
_TWINS = {name: name for name in _SAME} | {"a" + name: "arc" + name for name in _SAME[:6]}
for _name, _twin in _TWINS.items():
    SWAPS[getattr(math, _name)] = getattr(np, _twin)
for _name, _np in {"cbrt": np.cbrt, "exp2": np.exp2, "radians": np.deg2rad, "degrees": np.rad2deg}.items():
    if hasattr(math, _name):
        SWAPS[getattr(math, _name)] = SWAPS[_np]
