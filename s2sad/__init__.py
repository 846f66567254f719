"""s2sad: derivatives of numeric Python, as Python."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from s2sad import batch, interop, schedules, testing
    from s2sad.api import grad, hvp, jvp, value_and_grad, vjp
    from s2sad.blocks import memory, release_memory
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
    from s2sad.operations import entity, operation
    from s2sad.registration import register
    from s2sad.rules import custom_jvp, custom_vjp
    from s2sad.tapes import Tape, record, sparsity
    from s2sad.testing import check_grads

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
    "testing",
    "value_and_grad",
    "vjp",
]
HOMES = (
    "api", "blocks", "decorator", "dense", "errors", "implicit", "markers", "operations", "registration", "rules",
    "tapes", "testing",
)  # fmt: skip
MODULES = ("batch", "interop", "schedules", "testing")


def __getattr__(name: str) -> object:
    """What is public is imported when something of it is first asked for, and all of it then.

    So `import s2sad` takes no time, and nothing is left to be imported when derivatives are generated, which happens
    under Numba's lock.
    """
    if name in MODULES:
        return import_module(f"s2sad.{name}")
    if name not in __all__:
        raise AttributeError(f"module 's2sad' has no attribute '{name}'")
    for home in (*MODULES, *HOMES):
        for each, found in vars(import_module(f"s2sad.{home}")).items():
            if each in __all__ and each not in MODULES and found.__module__.startswith(f"s2sad.{home}"):
                globals()[each] = found
    return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def load_ipython_extension(shell: object) -> None:
    """`%load_ext s2sad` in Jupyter: gives `%%differentiate`."""
    from s2sad.jupyter import load

    load(shell)
