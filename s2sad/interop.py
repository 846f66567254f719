"""Functions of s2sad inside JAX and PyTorch: their arrays come in, their differentiation asks for our pullback.

    loss = s2sad.interop.torch(f)            loss(x, w).backward()
    loss = s2sad.interop.jax(f)              jax.grad(loss)(x, w), under jax.jit too

Values pass through NumPy on the CPU, in double precision. Neither framework is needed by s2sad itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sad import api
from s2sad.errors import ArgumentError


def _needed(name: str) -> Any:
    """A framework, imported; ArgumentError S114 where it is not installed."""
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError:
        raise ArgumentError(
            f"this needs {name}, which is not installed", code="S114", hint=f"pip install {name}"
        ) from None


def torch(f: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """`f`, of one real result, for PyTorch: tensors in, a tensor out that can be run backwards.

    Arguments that are tensors of floats are differentiated; others (numbers, integer tensors, arrays) go in as they
    are. Second derivatives by PyTorch are refused: a RuntimeError where they are asked for.
    Errors: ArgumentError S114 without PyTorch; those of `vjp`.
    """
    torch_ = _needed("torch")

    base: Any = torch_.autograd.Function

    class Called(base):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, *args: Any) -> Any:
            ctx.likes = args
            value, ctx.pullback = api.vjp(f, *map(numpy, args), **options)
            dtype = next((a.dtype for a in args if floating(a)), torch_.float64)
            device = next((a.device for a in args if floating(a)), "cpu")
            return torch_.as_tensor(np.asarray(value), dtype=dtype, device=device)

        @staticmethod
        def backward(ctx: Any, bar: Any) -> Any:
            return Pulled.apply(ctx.pullback, bar, *ctx.likes)

    class Pulled(base):  # type: ignore[misc]
        """The pullback as an operation of its own: PyTorch knows that it depends on the arguments."""

        @staticmethod
        def forward(_: Any, pullback: Any, bar: Any, *likes: Any) -> Any:
            given = bar.detach().cpu().numpy().astype(np.float64)
            found = pullback(given if given.ndim else float(given))
            return tuple(
                torch_.as_tensor(np.asarray(g), dtype=a.dtype, device=a.device) if floating(a) else None
                for g, a in zip(found, likes, strict=False)
            )

        @staticmethod
        def backward(_: Any, *bars: Any) -> Any:
            raise RuntimeError("second derivatives don't go through here: use s2sad.grad(f) inside")

    def floating(value: Any) -> bool:
        return isinstance(value, torch_.Tensor) and value.is_floating_point()

    def numpy(value: Any) -> Any:
        if not isinstance(value, torch_.Tensor):
            return value
        array = value.detach().cpu().numpy()
        array = array.astype(np.float64) if floating(value) else array.copy()  # (f may write into it)
        return array if array.ndim else array.item()

    def called(*args: Any) -> Any:
        return Called.apply(*args)

    called.__name__, called.__doc__ = getattr(f, "__name__", "f"), f.__doc__
    return called


def jax(f: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """`f`, of one real number, for JAX: under `jit`, `grad`, `value_and_grad`; the calls leave for NumPy and come back.

    Arguments of floats are differentiated. `jax_enable_x64` decides in which precision results arrive.
    Errors: ArgumentError S114 without JAX; those of `value_and_grad`, when it runs.
    """
    jax_ = _needed("jax")
    jnp = _needed("jax.numpy")

    def floating(value: Any) -> bool:
        return bool(jnp.issubdtype(jnp.result_type(value), jnp.floating))

    def numpy(value: Any) -> Any:
        array = np.array(value)
        array = array.astype(np.float64) if array.dtype.kind == "f" else array
        return array if array.ndim else array.item()

    def of(active: tuple[int, ...], *args: Any) -> tuple[Any, ...]:
        found, gradient = api.value_and_grad(f, active, **options)(*map(numpy, args))
        kinds = [jnp.result_type(args[k]) for k in active]
        whole = jnp.result_type(*kinds)
        return (np.asarray(found, whole), *(np.asarray(g, k) for g, k in zip(gradient, kinds, strict=True)))

    def both(*args: Any) -> tuple[Any, ...]:
        active = tuple(k for k, a in enumerate(args) if floating(a))
        shapes = [jax_.ShapeDtypeStruct(jnp.shape(args[k]), jnp.result_type(args[k])) for k in active]
        result = jax_.ShapeDtypeStruct((), jnp.result_type(*(args[k] for k in active)))
        made: tuple[Any, ...] = jax_.pure_callback(
            lambda *given: of(active, *given), (result, *shapes), *args, vmap_method="sequential"
        )
        return made

    @jax_.custom_vjp  # type: ignore[untyped-decorator]
    def called(*args: Any) -> Any:
        return both(*args)[0]

    def forward(*args: Any) -> Any:
        value, *gradient = both(*args)
        return value, (gradient, args)

    def backward(kept: Any, bar: Any) -> tuple[Any, ...]:
        gradient, args = kept
        slopes = iter(gradient)
        none = jax_.dtypes.float0
        return tuple(bar * next(slopes) if floating(a) else np.zeros(jnp.shape(a), none) for a in args)

    called.defvjp(forward, backward)
    return called  # type: ignore[no-any-return]
