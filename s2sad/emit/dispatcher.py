"""Derivatives as Numba dispatchers: generated when Numba asks for a specialisation, usable like any other.

Numba asks a dispatcher to `compile` a signature whenever it lacks one: called from Python, while it types
an `@njit` caller, when it converts to a first-class function. There the derivative forms the kinds of the
arguments, has its text generated, loads it, and adopts the machine code of the generated dispatcher as
its own. What is generated runs under Numba's compiler lock: it must import nothing and call no code of
the user.

Every private name of Numba that s2sad relies on stands in this file; each has a test.

Caches of callers. The key of a derivative stands for everything it was made from. It is in the pickle, so
a caller that holds a derivative in its closure or gets it as an argument looks up its machine code under
it. For callers that hold one as a global (and callers of those) a `Guard` lies among the constants that
Numba stores with the code of whatever calls generated code: where no living derivative has the key,
loading it fails like a missing file does, and Numba compiles anew.
"""

from __future__ import annotations

import functools
import gc
import hashlib
import inspect
import pickle
import re
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple, TypeAlias

import numba
from numba.core import config, serialize, sigutils
from numba.core import types as numba_types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.datamodel import models, register_default
from numba.core.imputils import lower_getattr_generic
from numba.core.registry import CPUDispatcher
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import NativeValue, unbox

import s2sad_runtime
from s2sad.emit.load import load
from s2sad.errors import KindError
from s2sad.ir.nodes import BOOL, INT, NONE, REAL, SINGLE, Kind
from s2sad.source import NOWHERE, Span
from s2sad.texts import source_of_code
from s2sad_runtime.compiled import stamped

types: Any = numba_types  # (without type information)
DEFINES = re.compile(r"\s*(async\s+)?def\s")
Spec: TypeAlias = Callable[[], Any]
Attributes: TypeAlias = Mapping[str, Callable[[], Any]]
Key: TypeAlias = Callable[[], str]


@contextmanager
def uncollected() -> Iterator[None]:
    """Without garbage collection: what is made meanwhile is mostly kept; to look for cycles takes a tenth of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


class Generated(NamedTuple):
    """What a derivative is made of for some kinds: a module's text, what to call in it, arrays beside it, classes."""

    text: str
    entry: str
    arrays: Mapping[str, Any] = {}
    classes: Mapping[type, str] = {}

    def load(self) -> Any:
        """The function to call."""
        return getattr(load(self.text, self.entry, self.arrays, self.classes, jit=True), self.entry)


Generate: TypeAlias = Callable[[tuple[Kind, ...]], Generated]

for (
    _name
) in s2sad_runtime.__all__:  # generated modules are loaded under the compiler lock: nothing is to import then
    getattr(s2sad_runtime, _name)


def kind_of_type(ty: Any) -> Kind:
    """The kind of a Numba type; KindError for the others (complex, lists, records, ...)."""
    ty = types.unliteral(ty)
    match ty:
        case types.Omitted():
            return kind_of_type(numba.typeof(ty.value))
        case types.Array() if ty.dtype in (types.float32, types.float64) or isinstance(
            ty.dtype, types.Integer | types.Boolean
        ):
            return Kind(kind_of_type(ty.dtype).base, ty.ndim)
        case types.BaseTuple():
            return Kind("tuple", items=tuple(map(kind_of_type, ty)), make=getattr(ty, "instance_class", None))
        case types.Float() if ty == types.float64:
            return REAL
        case types.Float() if ty == types.float32:
            return SINGLE
        case types.Boolean():
            return BOOL
        case types.Integer():
            return INT
        case types.NoneType():
            return NONE
        case types.UnicodeType():
            return Kind("text")
    if isinstance(ty, types.PyObject | types.List | types.ListType):
        raise KindError("lists, dicts and objects as arguments are not compiled", code="S062",
                        hint="pass arrays, tuples and NamedTuples, or use `jit=False`")  # fmt: skip
    raise KindError(f"arguments of type `{ty}` are not supported", code="S062")


def place(function: Callable[..., Any]) -> Span:
    """The line on which a function begins."""
    try:
        source = source_of_code(function.__code__)
    except OSError:
        return NOWHERE
    lines = source.text.splitlines()
    first = source.first_line + next((k for k, line in enumerate(lines) if DEFINES.match(line)), 0)
    return Span(source, first, 0, first, len(source.line(first).rstrip().encode()))


def make(
    py_func: Callable[..., Any], spec: Spec, options: Mapping[str, Any], generate: Generate, *, key: Key
) -> Any:
    """The derivative of that key, made if there is none alive.

    py_func   gives name, signature, defaults and doc
    spec      called without arguments makes this derivative again, in another process too: pickles hold it
    options   of `njit`, for those who look; generated text carries its own
    generate  kinds of the arguments -> (module text, name of the function in it, arrays that the text reads)
    key       gives what stands for all that the text depends on besides the kinds, as it is now

    With NUMBA_DISABLE_JIT it is a plain function.
    """
    if config.DISABLE_JIT:
        return _uncompiled(py_func, generate)
    return _of_key(key, lambda now: Derivative(py_func, spec, options, generate, now))


def make_differentiated(
    py_func: Callable[..., Any],
    spec: Spec,
    options: Mapping[str, Any],
    generate: Generate | None,
    attributes: Attributes,
    *,
    key: Key,
) -> Any:
    """A function with its derivatives as attributes, in nopython code too: `loss(x)`, `loss.grad(x)`.

    generate    as in `make`; None: the function itself is compiled
    attributes  name -> makes the derivative, called when it is first asked for
    key         gives what stands for all that the function and its attributes depend on, as it is now
    """
    if config.DISABLE_JIT:
        plain = functools.wraps(py_func)(lambda *args, **kwargs: py_func(*args, **kwargs))
        function = plain if generate is None else _uncompiled(py_func, generate)
        for name, attribute in attributes.items():
            setattr(function, name, attribute())
        return function
    return _of_key(key, lambda now: Differentiated(py_func, spec, options, generate, now, attributes))


def _of_key(key: Key, build: Callable[[Key], Derivative]) -> Derivative:
    """The living derivative of a key, else a new one; the runtime is part of the machine code and of it."""

    def now() -> str:
        return _hashed(key(), s2sad_runtime.ABI, s2sad_runtime.STAMP)

    with _making:
        made = _alive.get(now())
        if made is None:
            made = build(now)
            _alive[made.key] = made
        return made


def _hashed(*parts: object) -> str:
    return hashlib.sha256(" ".join(map(str, parts)).encode()).hexdigest()


_alive: weakref.WeakValueDictionary[str, Derivative] = weakref.WeakValueDictionary()
_unpickled: deque[Derivative] = deque(maxlen=128)  # Numba's types refer to dispatchers weakly
_making = threading.RLock()


class Derivative(CPUDispatcher):  # type: ignore[misc]
    """A dispatcher whose specialisations are generated text. Made by `make`."""

    _cache: Any

    def __init__(
        self,
        py_func: Callable[..., Any],
        spec: Spec,
        options: Mapping[str, Any],
        generate: Generate | None,
        now: Key,
    ) -> None:
        super().__init__(py_func, targetoptions={"nopython": True, **options})
        self.spec, self.options, self.generate, self.now = spec, options, generate, now
        self.key = self.state = now()
        self.guards = {self.key}
        self._by_kinds: dict[tuple[Kind, ...], Any] = {}

    def compile(self, sig: Any) -> Any:
        """Called by Numba for a signature; returns its entry point."""
        with global_compiler_lock, self._compiling_counter, uncollected():
            args, _ = sigutils.normalize_signature(sig)
            if args not in self.overloads:
                if not self._can_compile:
                    raise RuntimeError("compilation disabled")
                made = self.specialise(args)
                made.compile(sig)
                self.add_overload(made.overloads[args])  # the same machine code, cached by the generated file
            _guard(self.overloads[args].environment, self.guards)
            return self.overloads[args].entry_point

    def specialise(self, args: tuple[Any, ...]) -> Any:
        """The generated dispatcher for Numba types."""
        assert self.generate is not None
        try:
            kinds = tuple(map(kind_of_type, args))
        except KindError as error:
            raise KindError(error.message, code=error.code, at=place(self.py_func), hint=error.hint) from None
        if kinds not in self._by_kinds:
            self._follow()
            self._by_kinds[kinds] = Generated(*self.generate(kinds)).load()
        return self._by_kinds[kinds]

    def _follow(self) -> None:
        """Before text is generated: go by another key where what it depends on is not as it was.

        Values of names count as they are when text is made. A key that stands for two states belongs to none.
        """
        state = self.now()
        if state == self.state:
            return
        key = _hashed(self.key, state) if self._by_kinds else state
        with _making:
            if _alive.get(self.key) is self:
                del _alive[self.key]
            self.guards = (self.guards - {self.key}) | {key}
            self.key, self.state = key, state
            _alive.setdefault(key, self)

    def cfunc(self, sig: Any, **options: Any) -> Any:
        """A C callback of that signature: `df.cfunc("float64(float64)").address`."""
        with global_compiler_lock:
            made = self.specialise(sigutils.normalize_signature(sig)[0])
        return numba.cfunc(sig, **options)(made.py_func)

    def _make_finalizer(self) -> Callable[[], None]:
        """The generated dispatcher owns the code and may outlive this object: nothing to take away."""
        return lambda: None

    def _reduce_states(self) -> dict[str, Any]:
        return {"key": self.key, "spec": serialize.dumps(self.spec)}

    @classmethod
    def _rebuild(cls, key: str, spec: bytes) -> Any:
        """From a pickle: the living one of that key (`spec` is left alone then), else a new one."""
        made = _alive.get(key)
        if made is None:
            made = _remade(spec)
            if isinstance(made, Derivative):
                if made.key != key:  # the source has changed: another object than the pickle speaks of
                    made, current = made.twin(), made
                    made.__dict__.update({**vars(current), **vars(made)})
                _unpickled.append(made)
        return made

    def twin(self) -> Any:
        """The same again as an object of its own; Numba's types tell them apart."""
        return type(self)(self.py_func, self.spec, self.options, self.generate, self.now)


def _remade(spec: bytes) -> Any:
    """What the spec makes; a derivative that raises the reason when used, where it makes nothing any more.

    Numba reads whole cache indexes: an entry that speaks of a function long gone must not break the others.
    """
    try:
        return pickle.loads(spec)()
    except Exception as error:
        reason = error

    def lost(*args: Any) -> Any:
        raise reason

    return Derivative(lost, lost, {}, lost, str)


class DifferentiatedType(types.Dispatcher):  # type: ignore[misc]
    """Numba's type of a function with derivatives as attributes."""


class Differentiated(Derivative):
    """A function with its derivatives as attributes. Made by `make_differentiated`."""

    def __init__(
        self,
        py_func: Callable[..., Any],
        spec: Spec,
        options: Mapping[str, Any],
        generate: Generate | None,
        now: Key,
        attributes: Attributes,
    ) -> None:
        super().__init__(py_func, spec, options, generate, now)
        self._attributes = attributes
        if generate is None:
            with suppress(RuntimeError):  # without a file there is no cache
                self.enable_caching()
                self._cache = stamped(self._cache, self.key)

    def __getattr__(self, name: str) -> Any:
        attributes = self.__dict__.get("_attributes", {})
        if name not in attributes:
            known = f": it has {', '.join(k for k in attributes if k[0] != '_')}" if attributes else ""
            raise AttributeError(f"`{self.__name__}` has no attribute `{name}`{known}")
        made = attributes[name]()
        if isinstance(made, Derivative):
            made.guards.add(self.key)
        setattr(self, name, made)
        return made

    @property
    def _type(self) -> Any:
        """What Numba enters as the type of this object; its constructor offers a plain one."""
        return self._own_type

    @_type.setter
    def _type(self, plain: Any) -> None:
        self._own_type = DifferentiatedType(self)

    @property
    def _numba_type_(self) -> Any:
        return self._own_type

    def compile(self, sig: Any) -> Any:
        """Called by Numba for a signature; returns its entry point."""
        if self.generate is not None:
            return super().compile(sig)
        with global_compiler_lock:
            entry_point = CPUDispatcher.compile(self, sig)
            _guard(self.overloads[sigutils.normalize_signature(sig)[0]].environment, self.guards)
        return entry_point

    def twin(self) -> Any:
        """The same again as an object of its own."""
        return Differentiated(
            self.py_func, self.spec, self.options, self.generate, self.now, self._attributes
        )


register_default(DifferentiatedType)(models.OpaqueModel)


@unbox(DifferentiatedType)  # type: ignore[untyped-decorator]
def _unbox(ty: Any, value: Any, c: Any) -> Any:
    return NativeValue(c.context.get_dummy_value())


@infer_getattr
class _AttributesOfDifferentiated(AttributeTemplate):  # type: ignore[misc]
    key = DifferentiatedType

    def generic_resolve(self, ty: Any, name: str) -> Any:
        made = getattr(ty.dispatcher, name) if name in ty.dispatcher._attributes else None
        return numba.typeof(made) if isinstance(made, Derivative) else None


@lower_getattr_generic(DifferentiatedType)  # type: ignore[untyped-decorator]
def _attribute(context: Any, builder: Any, ty: Any, value: Any, name: str) -> Any:
    return context.get_dummy_value()


class Guard:
    """Lies among the constants of generated code: machine code with it loads if one of its keys is alive."""

    def __init__(self, keys: set[str]) -> None:
        self.keys = keys

    def __reduce__(self) -> tuple[Any, ...]:
        return _guard_again, tuple(sorted(self.keys))


class StaleCodeError(OSError):
    """Cached machine code of a derivative that is not there any more; Numba compiles again."""


def _guard_again(*keys: str) -> Guard:
    if not any(key in _alive for key in keys):
        raise StaleCodeError("compiled for a derivative that has changed")
    return Guard(set(keys))


def _guard(environment: Any, keys: set[str]) -> None:
    """Put the keys among the constants of compiled code."""
    for constant in environment.consts:
        if isinstance(constant, Guard):
            constant.keys |= keys
            return
    environment.consts.append(Guard(set(keys)))


def _uncompiled(py_func: Callable[..., Any], generate: Generate) -> Callable[..., Any]:
    """The derivative without a compiler: a plain function that generates by the kinds of its arguments."""
    signature = inspect.signature(py_func)
    by_kinds: dict[tuple[Kind, ...], Any] = {}

    @functools.wraps(py_func)
    def derivative(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        kinds = tuple(kind_of_type(numba.typeof(value)) for value in bound.args)
        if kinds not in by_kinds:
            by_kinds[kinds] = Generated(*generate(kinds)).load()
        return by_kinds[kinds](*bound.args)

    return derivative
