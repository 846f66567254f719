"""Special functions in compiled code: SciPy's own, for numbers and arrays, and a few that need no SciPy.

SciPy exports its compiled functions by address (`scipy.special.cython_special`). Each gets a name that the linker
knows, so that machine code in a cache finds it again in a later process: the emitted file that it stems from imports
this module, and is itself imported before the code is linked.
"""

import math

import llvmlite.binding as llvm
import numpy as np
from numba import types, vectorize
from numba.extending import get_cython_function_address

HOME = "scipy.special.cython_special"
REAL = "__pyx_fuse_1"  # where there is one for complex numbers, too
FIRST = "__pyx_fuse_0"  # where there is one for float32, or for whole numbers, too

#: Name -> prefix of its name in SciPy, number of arguments.
FUNCTIONS = {
    **dict.fromkeys(("erf", "erfc", "erfcx", "erfi", "dawsn", "ndtr", "log_ndtr", "gamma", "loggamma", "rgamma",
                     "psi", "expm1", "log1p", "exp1", "expi", "spence"), (REAL, 1)),
    **dict.fromkeys(("xlogy", "xlog1py", "jv", "yv", "iv", "ive", "kv", "kve"), (REAL, 2)),
    **dict.fromkeys(("erfinv", "expit", "log_expit", "logit"), (FIRST, 1)),
    "yn": (FIRST, 2), "stdtr": (FIRST, 2), "betainc": (FIRST, 3),
    **dict.fromkeys(("erfcinv", "ndtri", "gammaln", "gammasgn", "entr", "exp10", "exp2", "cbrt", "j0", "j1", "y0", "y1",
                     "i0", "i1", "i0e", "i1e", "k0", "k1"), ("", 1)),
    **dict.fromkeys(("beta", "betaln", "binom", "poch", "gammainc", "gammaincc", "rel_entr", "kl_div", "huber"),
                    ("", 2)),
}  # fmt: skip


def symbol(name):
    """The name of a function for the linker."""
    return f"s2sad_special_{name}"


def register():
    """Tell the linker where SciPy's functions are."""
    for name, (prefix, _) in FUNCTIONS.items():
        llvm.add_symbol(symbol(name), get_cython_function_address(HOME, prefix + name))


def _made(name, count):
    """SciPy's function as one that goes over arrays."""
    plain = types.ExternalFunction(symbol(name), types.float64(*[types.float64] * count, types.intc))
    match count:
        case 1:

            def function(x):
                return plain(float(x), 0)
        case 2:

            def function(a, x):
                return plain(float(a), float(x), 0)
        case _:

            def function(a, b, x):
                return plain(float(a), float(b), float(x), 0)

    function.__name__ = name
    return vectorize(function)


register()
globals().update({name: _made(name, count) for name, (_, count) in FUNCTIONS.items()})

#: Bernoulli numbers B_2k over (2 k)!.
BERNOULLI = (
    8.333333333333333e-02, -1.388888888888889e-03, 3.306878306878307e-05, -8.267195767195767e-07, 2.087675698786810e-08,
    -5.284190138687493e-10, 1.338253653068468e-11, -3.389680296322583e-13, 8.586062056277845e-15, -2.174868698558062e-16,
    5.509002828360230e-18, -1.395446468581252e-19,
)  # fmt: skip


@vectorize
def polygamma(n, x):
    """The n-th derivative of psi: a Hurwitz zeta function, by Euler's and Maclaurin's sum (DLMF 5.15, 25.11)."""
    if n == 0:
        return psi(x)  # noqa: F821
    if x <= 0.0 and x == math.floor(x):
        return math.inf
    s, a, total = n + 1.0, float(x), 0.0
    while a < 10.0 + 0.5 * s:
        total += a**-s
        a += 1.0
    total += a ** (1.0 - s) / (s - 1.0) + 0.5 * a**-s
    term = s * a ** (-s - 1.0)
    for k in range(len(BERNOULLI)):
        total += BERNOULLI[k] * term
        term *= (s + 2 * k + 1.0) * (s + 2 * k + 2.0) / (a * a)
    sign = 1.0 if n % 2 == 1 else -1.0
    return sign * math.gamma(s) * total


@vectorize
def spherical_j1(z):
    """sin(z) / z**2 - cos(z) / z, also where both are large."""
    z = float(z)
    if abs(z) > 0.5:
        return (math.sin(z) / z - math.cos(z)) / z
    total, term = 0.0, z / 3.0
    for k in range(1, 9):
        total += term
        term *= -z * z / (2.0 * k * (2.0 * k + 3.0))
    return total


@vectorize
def remainder(a, b):
    """`math.remainder`: what is left of the nearest multiple, of two as near the even one."""
    a, b = float(a), float(b)
    if math.isinf(b) and not math.isinf(a) and not math.isnan(a):
        return a
    size, step = abs(a), abs(b)
    rest = np.fmod(size, step)
    other = step - rest
    even = np.fmod(0.5 * (size - rest), step) == 0.0
    if rest > other or (rest == other and not even):
        rest = -other
    return math.copysign(1.0, a) * rest
