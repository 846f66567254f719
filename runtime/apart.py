"""Big inner functions stand apart: their machine code is made once, and callers call it instead of taking them in.

Numba links what a function calls into it, optimises the whole again and makes machine code of it again: what three
functions call in turn is compiled four times. A function that is too big to be inlined gains nothing by that. Here it
is declared in its callers and no more; the process finds it by its name.

So machine code of a caller that comes from a cache needs the very functions that it was made with, and they have to be
there first. A `Needs` for each of them lies among the constants that Numba stores with the caller's code, and with
that of whatever calls the caller: reading it loads the function. Where it is another one meanwhile, that fails like
a missing file does, and Numba compiles the caller anew.
"""

import sys
from importlib import import_module

import llvmlite.binding as llvm
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

BIG = 400  # instructions; LLVM inlines up to about 225
UNRESOLVED = ".numba.unresolved$"
_standing = {}  # symbol -> what `Needs` is made from


class Apart(JITCodeLibrary):
    """Code of an inner function: nothing of it is linked into callers if it is big."""

    def _get_module_for_linking(self):
        self._ensure_finalized()
        if self._shared_module is None and is_big(self._final_module) and not unresolved(self):
            self._shared_module = llvm.parse_assembly(str(self._codegen._create_empty_module(self.name)))
        return super()._get_module_for_linking()


class Inner(Compiler):
    """Numba's compiler with such a library."""

    def _compile_core(self):
        state = self.state
        if state.library is None:
            state.library = Apart(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
        return super()._compile_core()


def is_big(module):
    """Has it more instructions than LLVM inlines?"""
    count = 0
    for function in module.functions:
        for block in function.blocks:
            for _ in block.instructions:
                count += 1
                if count > BIG:
                    return True
    return False


def unresolved(library):
    """Does the machine code hold calls to functions that were not there when it was compiled?"""
    module = getattr(library, "_final_module", None)
    return module is not None and any(v.name.startswith(UNRESOLVED) for v in module.global_variables)


def enter(dispatcher, result):
    """Remember a compiled function that stands apart, and what the machine code of another needs."""
    library = result.library
    shared = library._get_module_for_linking()
    if not any(True for _ in shared.functions):
        _standing[result.fndesc.mangled_name] = dispatcher, result.signature.args
    for function in library._final_module.functions:
        if function.is_declaration and function.name in _standing:
            called, args = _standing[function.name]
            code = called.py_func.__module__, called.py_func.__qualname__
            result.environment.consts.append(Needs(*code, args, function.name))


class Needs:
    """Lies among the constants of machine code that calls a function standing apart."""

    def __init__(self, module, name, args, symbol):
        self.content = module, name, args, symbol

    def __reduce__(self):
        return _loaded, self.content


def _loaded(module, name, args, symbol):
    """Load that function, from its own cache."""
    try:
        dispatcher = getattr(sys.modules.get(module) or import_module(module), name)
        dispatcher.compile(args)
        found = dispatcher.overloads[args].fndesc.mangled_name
    except Exception as error:
        raise OSError(f"{module}.{name} is not there any more") from error
    if found != symbol:
        raise OSError(f"{module}.{name} has been compiled anew")
    return Needs(module, name, args, symbol)
