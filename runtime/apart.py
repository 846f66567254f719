"""Big inner functions stand apart: their machine code is made once, and callers call it instead of taking them in.

Numba links what a function calls into it, optimises the whole again and makes machine code of it again: what three
functions call in turn is compiled four times. A function that is too big to be inlined gains nothing by that. Here it
is declared in its callers and no more; the process finds it by its name.

So machine code of a caller that comes from a cache needs the very functions that it was made with, and they have to be
there first. They lie among the constants that Numba stores with the caller's code, and with that of whatever calls
the caller: reading those loads them. Where the process has another function of that name, that fails like a missing
file does, and Numba compiles the caller anew.
"""

import hashlib

import llvmlite.binding as llvm
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import cpu_target

from s2sad_runtime.known import inferring

BIG = 400  # instructions; LLVM inlines up to about 225
UNRESOLVED = ".numba.unresolved$"
_standing = {}  # symbol -> Standing


class Apart(JITCodeLibrary):
    """Code of an inner function: nothing of it is linked into callers if it is big, and can be loaded by itself."""

    def _get_module_for_linking(self):
        self._ensure_finalized()
        alone = not (self.has_dynamic_globals or self._reload_init or unresolved(self))
        if self._shared_module is None and alone and is_big(self._final_module):
            self._shared_module = llvm.parse_assembly(str(self._codegen._create_empty_module(self.name)))
        return super()._get_module_for_linking()


class Inner(Compiler):
    """Numba's compiler with such a library, and quicker type inference."""

    def _compile_core(self):
        state = self.state
        if state.library is None:
            state.library = Apart(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
        return super()._compile_core()

    def define_pipelines(self):
        return [inferring(made) for made in super().define_pipelines()]


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


class Standing:
    """A function that stands apart; lies among the constants of machine code that calls it.

    code          its machine code, as Numba stores it
    environments  its constants, and those of functions that it has taken in
    """

    def __init__(self, symbol, code, environments):
        self.symbol, self.code, self.environments = symbol, code, environments

    def __reduce__(self):
        return _loaded, (self.symbol, self.code, self.environments)

    @property
    def digest(self):
        """What tells it from another of the same name."""
        return hashlib.sha256(self.code[2][0]).digest()


def compiled(result):
    """Remember a function that was compiled if it stands apart, and what its machine code calls."""
    library = result.library
    for function in library._final_module.functions:
        if function.is_declaration and function.name in _standing:
            result.environment.consts.append(_standing[function.name])
    if is_apart(library):
        code = library.serialize_using_object_code()
        environments = (result.environment, *result._find_referenced_environments())
        _enter(result.fndesc.mangled_name, code, environments)


def read(result, stored):
    """Remember a function that was read from its cache, where it was stored like that, if it stands apart."""
    if is_apart(result.library):
        _enter(result.fndesc.mangled_name, stored[0], (result.environment, *stored[-1]))


def is_apart(library):
    """Is there nothing to be linked into callers?"""
    return not any(True for _ in library._get_module_for_linking().functions)


def _enter(symbol, code, environments):
    _standing[symbol] = Standing(symbol, code, environments)


def _loaded(symbol, code, environments):
    """Load a function, if it isn't there."""
    made, there = Standing(symbol, code, environments), _standing.get(symbol)
    if there is not None:
        if there.digest != made.digest:
            raise OSError(f"{symbol} is another function in this process")
        return there
    codegen = cpu_target.target_context.codegen()
    made.library = codegen.unserialize_library(code)
    for environment in environments:
        codegen.set_env(environment.env_name, environment)
    _standing[symbol] = made
    return made
