"""Load generated text as a module: a real file under a name made from its content.

Files lie in `$S2SAD_CACHE_DIR`, else in an `s2sad` folder in `$NUMBA_CACHE_DIR` or the user's cache;
where that can't be written, in a folder that goes with the process. Equal text is one file and one
module, in every process, and two processes may write it at once. Tracebacks and debuggers find the file,
Numba keeps machine code beside it. Arrays that are too large for the text lie beside it as well, in a .npz file.

Machine code in the cache of a caller names the module that it came from, `s2sad_generated.NAME`. A finder
makes that name importable; when the text has been deleted meanwhile, an empty module is enough for
machine code.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import importlib
import importlib.abc
import importlib.util
import io
import os
import re
import shutil
import sys
import tempfile
import zipfile  # noqa: F401 (numpy.load needs it: generated modules import nothing new when they are loaded)
from collections.abc import Mapping, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from s2sad.forms import built, full_name, is_named

PACKAGE = "s2sad_generated"


def load(
    text: str,
    name: str,
    arrays: Mapping[str, Any] | None = None,
    classes: Mapping[type, str] | None = None,
    *,
    jit: bool,
) -> ModuleType:
    r"""The module with that text. `name` is what it defines: part of the file's name, for people.

    arrays       what the text reads from the .npz file beside it
    classes      what stands for classes that the text defines, by the names that it gives them
    jit = False  the text is for plain Python (its file says so)

    >>> load("def twice(x):\n    return 2 * x\n", "twice", jit=False).twice(3)
    6
    """
    beside = packed(arrays) if arrays else b""
    digest = _digest(text.encode() + beside + _names(classes))
    stem = f"{re.sub(r'[^0-9A-Za-z_]', '_', name)}{'' if jit else '_plain'}_{digest}"
    if beside:
        _write(directory() / f"{stem}.npz", beside)
    _write(directory() / f"{stem}.py", text.encode())
    module = importlib.import_module(f"{PACKAGE}.{stem}")
    if module.__spec__ is None or module.__spec__.origin is None:  # loaded when the text was missing
        module = importlib.reload(module)
    for make, own in (classes or {}).items():
        itself = is_named(make) or issubclass(make, Exception)
        setattr(module, own, make if itself else functools.partial(_filled, make))
    return module


def _names(classes: Mapping[type, str] | None) -> bytes:
    """Names of classes, no two of them alike in this process: one module for each."""
    return "".join(f"{full_name(make)}\n" for make in classes or {}).encode()


def _filled(make: type, *items: Any) -> Any:
    return built(make, items)


def packed(arrays: Mapping[str, Any]) -> bytes:
    """The content of a .npz file: equal arrays, equal bytes."""
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def directory() -> Path:
    """Where generated files lie."""
    return _writable(_wanted())


def _wanted() -> Path:
    if own := os.environ.get("S2SAD_CACHE_DIR"):
        return Path(own)
    for variable in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        if parent := os.environ.get(variable):
            return Path(parent) / "s2sad"
    return Path.home() / ".cache" / "s2sad"


@functools.cache
def _writable(wanted: Path) -> Path:
    """The folder, made if need be, or one in its place that this process can write to."""
    try:
        wanted.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=wanted):
            return wanted.resolve()
    except OSError:
        instead = tempfile.mkdtemp(prefix="s2sad-")
        atexit.register(shutil.rmtree, instead, ignore_errors=True)
        return Path(instead)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _write(file: Path, content: bytes) -> None:
    """Put the content there, whole or not at all; a file that says otherwise is replaced."""
    try:
        if file.read_bytes() == content:
            return
    except OSError:
        file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("wb", dir=file.parent, suffix=".part", delete=False) as part:
        part.write(content)
    os.replace(part.name, file)


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds `s2sad_generated` and what is in it; as a loader it makes empty modules."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, stem = fullname.partition(".")
        if package != PACKAGE:
            return None
        file = directory() / f"{stem}.py"
        if stem and file.exists():
            return importlib.util.spec_from_file_location(fullname, file)
        return ModuleSpec(fullname, self, is_package=not stem)

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        return None


if not any(
    type(finder).__name__ == "Finder" and type(finder).__module__ == __name__ for finder in sys.meta_path
):
    sys.meta_path.append(Finder())
