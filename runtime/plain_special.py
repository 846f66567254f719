"""The plain twins of `special`: SciPy's own functions, which take numbers and arrays by themselves."""

import math

import numpy as np
from scipy import special


def polygamma(n, x):
    """The n-th derivative of psi; a number for numbers."""
    return special.polygamma(n, x)[()]


def spherical_j1(z):
    """sin(z) / z**2 - cos(z) / z."""
    return special.spherical_jn(1, z)


def remainder(a, b):
    """`math.remainder`, of arrays as well."""
    made = np.vectorize(math.remainder, otypes=[float])(a, b)
    return made[()]


def __getattr__(name):
    return getattr(special, name)
