"""Type inference that looks up once in a function what an operator, or a function, gives for numbers.

For each of them Numba tries all rules that there are, those for arrays first, and writes down why they don't apply.
In a sweep, which is long and mostly arithmetic, that is two thirds of type inference.
"""

from numba.core import types
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NopythonTypeInference

NUMBERS = types.Integer, types.Float, types.Boolean


def inferring(passes):
    """Numba's passes with type inference of that kind."""
    own = [(Inferring, why) if each is NopythonTypeInference else (each, why) for each, why in passes.passes]
    passes.passes = own
    passes.finalize()
    return passes


class Known:
    """Numba's typing context; what an operator gives for numbers is looked up once in a function.

    (Numba tries all rules that there are, those for arrays first, and writes down why they don't apply.)
    """

    def __init__(self, context):
        self._context, self._known = context, {}

    def __getattr__(self, name):
        return getattr(self._context, name)

    def resolve_function_type(self, function, args, kws):
        if kws or not (isinstance(function, types.Function) and all(isinstance(a, NUMBERS) for a in args)):
            return self._context.resolve_function_type(function, args, kws)
        key = function, tuple(args)
        if key not in self._known:
            self._known[key] = self._context.resolve_function_type(function, args, kws)
        return self._known[key]


@register_pass(mutates_CFG=True, analysis_only=False)
class Inferring(NopythonTypeInference):
    """Numba's type inference in such a context."""

    _name = "nopython_type_inference_of_inner_functions"

    def run_pass(self, state):
        context = state.typingctx
        state.typingctx = Known(context)
        try:
            return super().run_pass(state)
        finally:
            state.typingctx = context
