"""Values of special functions with 40 digits, by mpmath: what the rows of `ops/special.py` are held against."""

import mpmath
from mpmath import mpf


def _scaled(function, sign):
    return lambda v, x: mpmath.exp(sign * abs(x)) * function(v, x)


def _xlogy(x, v):
    return x * mpmath.log(v)


def _student(df, x):
    tail = mpmath.betainc(df / 2, mpf(1) / 2, 0, df / (df + x * x), regularized=True) / 2
    return tail if x < 0 else 1 - tail


def _huber(delta, r):
    return r * r / 2 if abs(r) <= delta else delta * (abs(r) - delta / 2)


SPECIAL = {
    "erf": mpmath.erf,
    "erfc": mpmath.erfc,
    "erfcx": lambda x: mpmath.exp(x * x) * mpmath.erfc(x),
    "erfi": mpmath.erfi,
    "dawsn": lambda x: mpmath.sqrt(mpmath.pi) / 2 * mpmath.exp(-x * x) * mpmath.erfi(x),
    "erfinv": mpmath.erfinv,
    "erfcinv": lambda x: mpmath.erfinv(1 - x),
    "ndtr": mpmath.ncdf,
    "log_ndtr": lambda x: mpmath.log(mpmath.ncdf(x)),
    "ndtri": lambda p: mpmath.sqrt(2) * mpmath.erfinv(2 * p - 1),
    "gamma": mpmath.gamma,
    "gammaln": mpmath.loggamma,
    "loggamma": mpmath.loggamma,
    "rgamma": mpmath.rgamma,
    "psi": lambda x: mpmath.psi(0, x),
    "polygamma": lambda n, x: mpmath.psi(int(n), x),
    "beta": mpmath.beta,
    "betaln": lambda a, b: mpmath.log(mpmath.beta(a, b)),
    "binom": mpmath.binomial,
    "poch": mpmath.rf,
    "gammainc": lambda a, x: mpmath.gammainc(a, 0, x, regularized=True),
    "gammaincc": lambda a, x: mpmath.gammainc(a, x, mpmath.inf, regularized=True),
    "betainc": lambda a, b, x: mpmath.betainc(a, b, 0, x, regularized=True),
    "stdtr": _student,
    "expit": lambda x: 1 / (1 + mpmath.exp(-x)),
    "log_expit": lambda x: -mpmath.log(1 + mpmath.exp(-x)),
    "logit": lambda p: mpmath.log(p / (1 - p)),
    "xlogy": _xlogy,
    "xlog1py": lambda x, v: _xlogy(x, 1 + v),
    "entr": lambda x: -_xlogy(x, x),
    "rel_entr": lambda x, v: _xlogy(x, x / v),
    "kl_div": lambda x, v: _xlogy(x, x / v) - x + v,
    "huber": _huber,
    "exp10": lambda x: mpf(10) ** x,
    "exp2": lambda x: mpf(2) ** x,
    "expm1": mpmath.expm1,
    "log1p": mpmath.log1p,
    "cbrt": mpmath.cbrt,
    "exp1": mpmath.e1,
    "expi": mpmath.ei,
    "spence": lambda x: mpmath.polylog(2, 1 - x).real,
    "j0": lambda x: mpmath.besselj(0, x),
    "j1": lambda x: mpmath.besselj(1, x),
    "jv": mpmath.besselj,
    "y0": lambda x: mpmath.bessely(0, x),
    "y1": lambda x: mpmath.bessely(1, x),
    "yn": mpmath.bessely,
    "yv": mpmath.bessely,
    "i0": lambda x: mpmath.besseli(0, x),
    "i1": lambda x: mpmath.besseli(1, x),
    "iv": mpmath.besseli,
    "i0e": lambda x: _scaled(mpmath.besseli, -1)(0, x),
    "i1e": lambda x: _scaled(mpmath.besseli, -1)(1, x),
    "ive": _scaled(mpmath.besseli, -1),
    "k0": lambda x: mpmath.besselk(0, x),
    "k1": lambda x: mpmath.besselk(1, x),
    "kv": mpmath.besselk,
    "kve": _scaled(mpmath.besselk, 1),
}
