"""s2sad: derivatives of numeric Python, as Python."""

from s2sad import batch, interop, schedules
from s2sad.api import grad, hvp, jvp, value_and_grad, vjp
from s2sad.decorator import differentiate
from s2sad.dense import hessian, jacfwd, jacobian, jacrev
from s2sad.errors import (
    AliasingError,
    ArgumentError,
    GradientCheckError,
    KindError,
    MissingRuleError,
    S2sadError,
    SourceUnavailableError,
    StaleInputError,
    UnsupportedSyntaxError,
)
from s2sad.implicit import fixed_point, root
from s2sad.markers import checkpoint, checkpoint_range, stop_gradient
from s2sad.memory import memory, release_memory
from s2sad.operations import entity, operation
from s2sad.registration import register
from s2sad.rules import custom_jvp, custom_vjp
from s2sad.tapes import Tape, record, sparsity
from s2sad.testing import check_grads


def load_ipython_extension(shell: object) -> None:
    """`%load_ext s2sad` in Jupyter: gives `%%differentiate`."""
    from s2sad.jupyter import load

    load(shell)


__version__ = "0.1.0"

__all__ = [
    "AliasingError",
    "ArgumentError",
    "GradientCheckError",
    "KindError",
    "MissingRuleError",
    "S2sadError",
    "SourceUnavailableError",
    "StaleInputError",
    "Tape",
    "UnsupportedSyntaxError",
    "batch",
    "check_grads",
    "checkpoint",
    "checkpoint_range",
    "custom_jvp",
    "custom_vjp",
    "differentiate",
    "entity",
    "fixed_point",
    "grad",
    "hessian",
    "hvp",
    "interop",
    "jacfwd",
    "jacobian",
    "jacrev",
    "jvp",
    "memory",
    "operation",
    "record",
    "register",
    "release_memory",
    "root",
    "schedules",
    "sparsity",
    "stop_gradient",
    "value_and_grad",
    "vjp",
]
