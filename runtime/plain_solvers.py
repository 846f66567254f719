"""Initial value problems, by SciPy's `odeint`: plain only, since compiled code can't call it."""

__all__ = ["odeint", "odeint_or_raise"]

FOUND = "Integration successful."


def odeint(rate, y0, t, rtol, atol, hmax, mxstep, *more):
    """The solution of y' = rate(y, t, *more) at the times t, a row each, as SciPy finds it."""
    from scipy import integrate

    return integrate.odeint(rate, y0, t, more, rtol=rtol, atol=atol, hmax=hmax, mxstep=mxstep)


def odeint_or_raise(rate, y0, t, rtol, atol, hmax, mxstep, *more):
    """The same; ArithmeticError where SciPy warns that it did not get to the end."""
    from scipy import integrate

    options = {"rtol": rtol, "atol": atol, "hmax": hmax, "mxstep": mxstep}
    path, told = integrate.odeint(rate, y0, t, more, full_output=True, **options)
    if told["message"] != FOUND and len(y0):  # (SciPy warns where there is nothing to solve)
        raise ArithmeticError(f"`odeint` found no derivative of a solution: {told['message']}")
    return path
