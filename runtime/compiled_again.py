"""What code made for a program calls to go through kept statements, compiled: `again` with its helper compiled too."""

from types import FunctionType

from s2sad_runtime import again
from s2sad_runtime.compiled import jit

operand = jit(inner=True)(again.operand)
_names = {"operand": operand, "int": int, "range": range}


def _compiled(function):
    made = FunctionType(function.__code__, {**vars(again), **_names}, function.__name__)
    return jit(inner=True)(made)


back_sum, back_dot = _compiled(again.back_sum), _compiled(again.back_dot)
on_sum, on_dot = _compiled(again.on_sum), _compiled(again.on_dot)
