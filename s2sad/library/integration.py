"""`scipy.integrate.odeint`: the solution of an initial value problem, at given times.

The right-hand side is made a function of a vector, a time and the other arguments, which `solution` calls as SciPy
does.
"""

from __future__ import annotations

import numpy as np

from s2sad.library.table import early, several, solution, unsupported, written


@written("scipy.integrate.odeint")
def odeint(func, y0, t, args=(), Dfun=None, col_deriv=0, full_output=0, ml=None, mu=None, rtol=None, atol=None,
           tcrit=None, h0=0.0, hmax=0.0, hmin=0.0, ixpr=0, mxstep=0, mxhnil=0, mxordn=12, mxords=5, printmessg=0,
           tfirst=False):  # fmt: skip
    if others((Dfun, None), (col_deriv, 0), (ml, None), (mu, None)):
        unsupported("a Jacobian of one's own is not supported: leave `Dfun=` and what belongs to it out")
    if others((full_output, 0), (printmessg, 0), (ixpr, 0), (mxhnil, 0)):
        unsupported("`odeint` gives the solution alone here, no messages and no `full_output=`")
    if others((tcrit, None), (h0, 0.0), (hmin, 0.0), (mxordn, 12), (mxords, 5)):
        unsupported("of the solver's options `rtol`, `atol`, `hmax` and `mxstep` are supported")
    more = args if several(args) else (args,)
    rate = time_first(func) if tfirst else time_last(func)
    start, times = np.float64(vector(y0)), np.float64(vector(t))
    return solution(rate, func, start, times, more, tolerance(rtol), tolerance(atol), hmax, mxstep)


def tolerance(given):
    return 1.49012e-8 if given is None else given  # (what SciPy takes where it isn't told)


def time_first(func):
    return lambda y, s, p: vector(func(s, y, *p))


def time_last(func):
    return lambda y, s, p: vector(func(y, s, *p))


@early
def others(*given):
    """Whether one of some options is not what it is by itself."""
    return any(value is ... or value != usual for value, usual in given)


def vector(x):
    if several(x):
        return np.array(x, dtype=float)
    if np.ndim(x) == 0:
        return np.array([x], dtype=float)
    return x
