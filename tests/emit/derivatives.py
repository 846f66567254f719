"""A generator by hand for the tests of dispatchers: derivatives of `scale * x * x * sin(x)`."""

import functools
import math

import numpy as np

from s2sad.emit.dispatcher import make, make_differentiated
from s2sad.errors import UnsupportedSyntaxError

SCALAR = """\
import numpy as np
from s2sad_runtime import guarded, jit, keep, new_arena, require, restore

require(1)


@jit(inner=True)
def wave_fwd(x, scale, arena):
    keep(arena, np.full(3, x))
    if x > 1e6:
        raise ValueError("x is too big")
    return {factor} * scale * x * x * np.sin(x)


@jit(inner=True, error_model="numpy", fastmath={{"reassoc", "contract", "nsz"}})
def wave_rev(x, scale, arena):
    back = np.zeros(3)
    restore(arena, back)
    x = back[0]
    return {factor} * scale * (2.0 * x * np.sin(x) + x * x * np.cos(x))


@jit()
def wave_grad(x, scale):
    arena = new_arena()
    y = guarded(wave_fwd, (arena,), x, scale, arena)
    x_b = guarded(wave_rev, (arena,), x, scale, arena)
    return x_b
"""
ARRAY = """\
import numpy as np
from s2sad_runtime import jit, zeros_of


@jit()
def wave_grad(x, scale):
    x_b = zeros_of(x)
    for i in range(len(x)):
        x_b[i] = {factor} * scale * (2.0 * x[i] * np.sin(x[i]) + x[i] * x[i] * np.cos(x[i]))
    return x_b
"""
VALUE = """\
from s2sad_runtime import jit
from math import sin


@jit()
def wave_value(x, scale):
    return scale * x * x * sin(x), scale
"""


def wave(x, scale=1.0):
    """The function that is differentiated."""
    return scale * x * x * math.sin(x)


def slope(x, scale=1.0):
    """Its derivative, by hand."""
    return scale * (2 * x * np.sin(x) + x * x * np.cos(x))


calls = []


def generate(factor, kinds):
    calls.append(kinds)
    if kinds[0].base != "real":
        raise UnsupportedSyntaxError("x must be real", code="S010")
    return (ARRAY if kinds[0].ndim else SCALAR).format(factor=factor), "wave_grad"


def derivative(factor=1.0):
    """`factor` stands for whatever the text depends on."""
    spec = functools.partial(derivative, factor)
    return make(wave, spec, {}, functools.partial(generate, factor), key=lambda: f"wave {factor}")


def value():
    return make(wave, value, {}, lambda kinds: (VALUE, "wave_value"), key=lambda: "value")


def differentiated(factor=1.0):
    attributes = {"grad": functools.partial(derivative, factor), "value": value}
    spec = functools.partial(differentiated, factor)
    return make_differentiated(wave, spec, {}, None, attributes, key=lambda: f"differentiated {factor}")
