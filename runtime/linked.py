"""Functions that are only ever linked into their callers: no machine code of their own, and not optimised twice.

Numba optimises each function, makes machine code of it, and then does it all again where it has been linked into a
caller. The sweeps of a gradient have a single caller. For them the work ends where their code can be linked; it is
optimised there. Recursive functions call each other by their addresses: they stay as Numba has them.
"""

from types import FunctionType

from llvmlite import binding, ir
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

ENVIRONMENT = "_ZN08NumbaEnv"


class Linked(JITCodeLibrary):
    """The code of such a function. Addresses of it are asked for in vain (0, as where there is no such function)."""

    def finalize(self):
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._final_module.verify()
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._define_environments()
        self._finalized = True

    def _define_environments(self):
        """A place for the address of the function's environment, which Numba sets now; callers share it by its name."""
        module = ir.Module(f"environments of {self.name}")
        for variable in self._final_module.global_variables:
            if variable.name.startswith(ENVIRONMENT) and not self._codegen._engine.is_symbol_defined(
                variable.name
            ):
                place = ir.GlobalVariable(module, ir.IntType(8).as_pointer(), variable.name)
                place.linkage = "common"
                place.initializer = ir.Constant(place.value_type, None)
        made = binding.parse_assembly(str(module))
        made.data_layout, made.triple = self._final_module.data_layout, self._final_module.triple
        self._codegen._add_module(made)
        self._codegen._engine.finalize_object()


class Inner(Compiler):
    """Numba's compiler, with such a library for what isn't recursive."""

    def _compile_core(self):
        state = self.state
        if not circular(state.func_id.func):
            state.library = Linked(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
        return super()._compile_core()


def circular(function):
    """Does it call itself, or something of its module that calls it?

    >>> circular(circular)
    False
    """
    seen, todo = set(), [function]
    while todo:
        names = todo.pop().__code__.co_names
        for name in names:
            called = function.__globals__.get(name)
            called = getattr(called, "py_func", called)
            if called is function:
                return True
            if isinstance(called, FunctionType) and called.__globals__ is function.__globals__:
                if called not in seen:
                    seen.add(called)
                    todo.append(called)
    return False
