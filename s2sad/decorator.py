"""`@differentiate`: a function, compiled, with its derivatives as attributes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, overload

from s2sad import api, dense, pipeline, tapes
from s2sad.arguments import unbound
from s2sad.errors import S2sadError
from s2sad.explanation import explanation
from s2sad.frontend.kinds import guess_kinds, guessing, kind_of_value
from s2sad.ir.nodes import Kind
from s2sad.pickled import reduced
from s2sad.pipeline import Argnums
from s2sad.requests import request_of


@overload
def differentiate(f: Callable[..., Any], **settings: Any) -> Any: ...
@overload
def differentiate(f: None = None, **settings: Any) -> Callable[[Callable[..., Any]], Any]: ...
def differentiate(f: Callable[..., Any] | None = None, **settings: Any) -> Any:
    """Make a function differentiable in place: `loss(x)`, `loss.grad(x)`, `loss.value_and_grad(x)`, ...

    As `@differentiate`, or with `argnums` (default 0, for `grad`, `value_and_grad`, `jacobian`, `hessian`, `emit`)
    and the options of `grad`. The function itself is compiled; under jit it and its gradients can be called in
    `@njit` code. `jvp`, `vjp` and `hvp` take every real argument as active.

    >>> @differentiate(jit=False)
    ... def square(x):
    ...     return x * x
    >>> square(3.0), square.grad(3.0), square.hessian(3.0)
    (9.0, 6.0, 2.0)
    """
    if f is None:
        return lambda g: differentiate(g, **settings)
    options = dict(settings)
    argnums: Argnums = options.pop("argnums", 0)
    checked = options.pop("check", False)
    attributes = derivatives(f, argnums, checked, options)
    request = request_of(f, options)
    if not request.options.jit:
        return Differentiated(f, attributes, settings)
    from s2sad.emit.dispatcher import Generated, make_differentiated
    from s2sad.fingerprint import fingerprint

    def key() -> str:
        return f"{fingerprint(f)} differentiate {argnums} {sorted(options.items())!r}"

    user = dict(request.options.user)

    def generate(kinds: tuple[Kind, ...]) -> Generated:
        built = pipeline.value(request, kinds)
        return Generated(built.text, built.entry, built.arrays, built.classes)

    return make_differentiated(unbound(f), Again(f, settings), user, generate, attributes, key=key)


class Again:
    """Makes a decorated function again, in another process too."""

    def __init__(self, f: Any, settings: dict[str, Any]) -> None:
        self.f, self.settings = f, settings

    def __call__(self) -> Any:
        return _made(self.f, self.settings)

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(Again, self.f, self.settings)


def _made(f: Any, settings: dict[str, Any]) -> Any:
    return differentiate(f, **settings)


class Differentiated:
    """A function with its derivatives as attributes, without Numba."""

    def __init__(
        self, f: Callable[..., Any], attributes: dict[str, Callable[[], Any]], settings: dict[str, Any]
    ) -> None:
        self.__wrapped__, self._settings = f, settings
        self.__name__, self.__doc__ = f.__name__, f.__doc__
        self._attributes = attributes

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.__wrapped__(*args, **kwargs)

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(_made, self.__wrapped__, self._settings)

    def __getattr__(self, name: str) -> Any:
        attributes = self.__dict__.get("_attributes", {})
        if name not in attributes:
            known = f": it has {', '.join(k for k in attributes if k[0] != '_')}" if attributes else ""
            raise AttributeError(f"`{self.__dict__.get('__name__', 'f')}` has no attribute `{name}`{known}")
        made = attributes[name]()
        setattr(self, name, made)
        return made


def derivatives(
    f: Any, argnums: Argnums, checked: bool, options: dict[str, Any]
) -> dict[str, Callable[[], Any]]:
    """Name of an attribute -> what makes it."""
    threads = bool(options.get("parallel"))

    def guarded(made: Any) -> Any:
        return Checked(f, made) if checked else made

    return {
        "grad": lambda: guarded(api.grad(f, argnums, **options)),
        "value_and_grad": lambda: guarded(api.value_and_grad(f, argnums, **options)),
        "jvp": lambda: Of(api.jvp, f, options),
        "vjp": lambda: Of(api.vjp, f, options),
        "hvp": lambda: Of(api.hvp, f, options),
        "record": lambda: tapes.record(f, **options),
        "jacobian": lambda: dense.jacobian(f, argnums, **options),
        "hessian": lambda: dense.hessian(f, argnums, **options),
        "explain": lambda: lambda *args: explain(f, argnums, args, threads),
        "_repr_html_": lambda: lambda: shown(f, argnums),
        "emit": lambda: lambda mode="adjoint", *args: emit(f, mode, argnums, args, threads),
    }


def explain(f: Any, argnums: Argnums, args: tuple[Any, ...], threads: bool = False) -> str:
    """The storage report as text, and the bytes predicted for `args`; without, for kinds guessed from the function."""
    if not args:
        with guessing(f, "give arguments, `.explain(*args)`") as kinds:
            return explanation(pipeline.emitted(f, kinds, "adjoint", argnums, None, threads).derived)
    from s2sad.arguments import bind
    from s2sad.measure import figures
    from s2sad.prediction import predicted

    derived = pipeline.emitted(f, tuple(map(kind_of_value, args)), "adjoint", argnums, None, threads).derived
    return f"{explanation(derived)}\n{figures(predicted(derived, bind(f, args, {})))}"


def emit(f: Any, mode: str, argnums: Argnums, args: tuple[Any, ...], threads: bool = False) -> str:
    """The generated source as text, for the kinds of `args`, or for kinds guessed from the function."""
    if args:
        return pipeline.emit_text(f, tuple(map(kind_of_value, args)), mode, argnums, None, threads)
    with guessing(f, f'give arguments, `.emit("{mode}", *args)`') as kinds:
        return pipeline.emit_text(f, kinds, mode, argnums, None, threads)


def shown(f: Any, argnums: Argnums) -> str | None:
    """What Jupyter shows of a differentiated function: its page, in a frame of its own; None where it can't be made.

    (Kinds are read off the function; a page needs Jinja2 and Pygments.)
    """
    import html

    from s2sad.page import page

    try:
        text = page(pipeline.emitted(f, guess_kinds(f), "adjoint", argnums))
    except S2sadError:
        return None
    return f'<iframe srcdoc="{html.escape(text)}" style="width: 100%; height: 36em; border: 0"></iframe>'


class Of:
    """A transform of a function, to be called with what is left: `Of(jvp, f, {})(primals, tangents)`."""

    def __init__(self, transform: Callable[..., Any], f: Any, options: dict[str, Any]) -> None:
        self.transform, self.f, self.options = transform, f, options

    def __call__(self, *args: Any) -> Any:
        return self.transform(self.f, *args, **self.options)

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(Of, self.transform, self.f, self.options)


class Checked:
    """A gradient that is tested by dot products on the first call of each signature."""

    def __init__(self, f: Any, made: Any) -> None:
        self.f, self.made, self.seen = f, made, set[Any]()

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(Checked, self.f, self.made)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        from s2sad.arguments import bind

        full = bind(self.f, args, kwargs)
        kinds = tuple(map(kind_of_value, full))
        if kinds not in self.seen:
            from s2sad.testing import check_grads

            check_grads(self.f, full, order=1)
            self.seen.add(kinds)
        return self.made(*args, **kwargs)
