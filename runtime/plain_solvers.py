"""Initial value problems, by SciPy's `odeint`: plain only, since compiled code can't call it."""

__all__ = ["odeint"]


def odeint(rate, y0, t, rtol, atol, hmax, mxstep, *more):
    """The solution of y' = rate(y, t, *more) at the times t, a row each, as SciPy finds it."""
    from scipy import integrate

    return integrate.odeint(rate, y0, t, more, rtol=rtol, atol=atol, hmax=hmax, mxstep=mxstep)
