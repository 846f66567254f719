"""`scipy.stats`: densities and distribution functions, by their formulas.

Outside of a distribution's support the density is zero, and so is its slope; parameters that no distribution has give
what is no number.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from s2sad.library.table import written

HALF_LOG_TWO_PI = 0.9189385332046727


def _standard(x, loc, scale):
    return (x - loc) / np.where(scale > 0.0, scale, np.nan)


@written("scipy.stats.norm.logpdf")
def norm_logpdf(x, loc=0.0, scale=1.0):
    z = _standard(x, loc, scale)
    return -0.5 * z * z - HALF_LOG_TWO_PI - np.log(scale)


@written("scipy.stats.norm.pdf")
def norm_pdf(x, loc=0.0, scale=1.0):
    z = _standard(x, loc, scale)
    return np.exp(-0.5 * z * z) / 2.5066282746310002 / scale


@written("scipy.stats.norm.cdf")
def norm_cdf(x, loc=0.0, scale=1.0):
    return special.ndtr(_standard(x, loc, scale))


@written("scipy.stats.norm.sf")
def norm_sf(x, loc=0.0, scale=1.0):
    return special.ndtr(-_standard(x, loc, scale))


@written("scipy.stats.norm.logcdf")
def norm_logcdf(x, loc=0.0, scale=1.0):
    return special.log_ndtr(_standard(x, loc, scale))


@written("scipy.stats.norm.logsf")
def norm_logsf(x, loc=0.0, scale=1.0):
    return special.log_ndtr(-_standard(x, loc, scale))


@written("scipy.stats.norm.ppf")
def norm_ppf(q, loc=0.0, scale=1.0):
    return special.ndtri(q) * scale + loc


# ----- on the unit interval, and on half the line ----------------------------------------------------------


@written("scipy.stats.beta.logpdf")
def beta_logpdf(x, a, b, loc=0.0, scale=1.0):
    z = _standard(x, loc, scale)
    inside = np.logical_and(z >= 0.0, z <= 1.0)
    u = np.where(inside, z, 0.5)
    value = special.xlog1py(b - 1.0, -u) + special.xlogy(a - 1.0, u) - special.betaln(a, b) - np.log(scale)
    return np.where(inside, value, -np.inf)


@written("scipy.stats.beta.pdf")
def beta_pdf(x, a, b, loc=0.0, scale=1.0):
    return np.exp(beta_logpdf(x, a, b, loc, scale))


@written("scipy.stats.beta.cdf")
def beta_cdf(x, a, b, loc=0.0, scale=1.0):
    z = _standard(x, loc, scale)
    return special.betainc(a, b, np.minimum(np.maximum(z, 0.0), 1.0))


@written("scipy.stats.gamma.logpdf")
def gamma_logpdf(x, a, loc=0.0, scale=1.0):
    z = _standard(x, loc, scale)
    inside = z >= 0.0
    u = np.where(inside, z, 1.0)
    return np.where(inside, special.xlogy(a - 1.0, u) - u - special.gammaln(a) - np.log(scale), -np.inf)


@written("scipy.stats.gamma.pdf")
def gamma_pdf(x, a, loc=0.0, scale=1.0):
    return np.exp(gamma_logpdf(x, a, loc, scale))


@written("scipy.stats.gamma.cdf")
def gamma_cdf(x, a, loc=0.0, scale=1.0):
    return special.gammainc(a, np.maximum(_standard(x, loc, scale), 0.0))


@written("scipy.stats.chi2.logpdf")
def chi2_logpdf(x, df, loc=0.0, scale=1.0):
    return gamma_logpdf(x, 0.5 * df, loc, 2.0 * scale)


@written("scipy.stats.chi2.pdf")
def chi2_pdf(x, df, loc=0.0, scale=1.0):
    return np.exp(gamma_logpdf(x, 0.5 * df, loc, 2.0 * scale))


@written("scipy.stats.chi2.cdf")
def chi2_cdf(x, df, loc=0.0, scale=1.0):
    return gamma_cdf(x, 0.5 * df, loc, 2.0 * scale)


@written("scipy.stats.expon.logpdf")
def expon_logpdf(x, loc=0.0, scale=1.0):
    z = _standard(x, loc, scale)
    return np.where(z >= 0.0, -z - np.log(scale), -np.inf)


@written("scipy.stats.expon.pdf")
def expon_pdf(x, loc=0.0, scale=1.0):
    z = _standard(x, loc, scale)
    return np.where(z >= 0.0, np.exp(-np.maximum(z, 0.0)) / scale, 0.0)


@written("scipy.stats.expon.cdf")
def expon_cdf(x, loc=0.0, scale=1.0):
    return -np.expm1(-np.maximum(_standard(x, loc, scale), 0.0))


@written("scipy.stats.t.logpdf")
def t_logpdf(x, df, loc=0.0, scale=1.0):
    z = _standard(x, loc, scale)
    front = special.gammaln(0.5 * (df + 1.0)) - special.gammaln(0.5 * df) - 0.5 * np.log(np.pi * df)
    return front - 0.5 * (df + 1.0) * np.log1p(z * z / df) - np.log(scale)


@written("scipy.stats.t.pdf")
def t_pdf(x, df, loc=0.0, scale=1.0):
    return np.exp(t_logpdf(x, df, loc, scale))


@written("scipy.stats.t.cdf")
def t_cdf(x, df, loc=0.0, scale=1.0):
    return special.stdtr(df, _standard(x, loc, scale))


@written("scipy.stats.t.logcdf")
def t_logcdf(x, df, loc=0.0, scale=1.0):
    return np.log(special.stdtr(df, _standard(x, loc, scale)))


# ----- whole numbers ---------------------------------------------------------------------------------------


@written("scipy.stats.poisson.logpmf")
def poisson_logpmf(k, mu, loc=0):
    n = k - loc
    there = np.logical_and(n >= 0, np.floor(n) == n)
    m = np.where(there, n, 0)
    return np.where(there, special.xlogy(m, mu) - special.gammaln(m + 1.0) - mu, -np.inf)


@written("scipy.stats.poisson.pmf")
def poisson_pmf(k, mu, loc=0):
    return np.exp(poisson_logpmf(k, mu, loc))


@written("scipy.stats.poisson.cdf")
def poisson_cdf(k, mu, loc=0):
    n = np.floor(k - loc)
    return np.where(n >= 0.0, special.gammaincc(np.maximum(n, 0.0) + 1.0, mu), 0.0)


# ----- several variables -----------------------------------------------------------------------------------


@written("scipy.stats.dirichlet.logpdf")
def dirichlet_logpdf(x, alpha):
    if len(x) != len(alpha):
        raise ValueError("vector 'x' must have the same number of entries as parameter vector 'a'")
    front = special.gammaln(np.sum(alpha)) - np.sum(special.gammaln(alpha))
    return front + np.sum(special.xlogy(alpha - 1.0, x))


@written("scipy.stats.dirichlet.pdf")
def dirichlet_pdf(x, alpha):
    return np.exp(dirichlet_logpdf(x, alpha))


@written("scipy.stats.multivariate_normal.logpdf")
def multivariate_normal_logpdf(x, mean, cov):
    root = np.linalg.cholesky(cov)
    front = len(root) * HALF_LOG_TWO_PI + np.sum(np.log(np.diag(root)))
    if np.ndim(x) == 1:
        z = np.linalg.solve(root, x - mean)
        return -0.5 * np.sum(z * z) - front
    parts = np.linalg.solve(root, np.ascontiguousarray((x - mean).T))
    return -0.5 * np.sum(parts * parts, axis=0) - front


@written("scipy.stats.multivariate_normal.pdf")
def multivariate_normal_pdf(x, mean, cov):
    return np.exp(multivariate_normal_logpdf(x, mean, cov))


@written("scipy.stats.multivariate_normal.entropy")
def multivariate_normal_entropy(mean, cov):
    root = np.linalg.cholesky(cov)
    return len(root) * (HALF_LOG_TWO_PI + 0.5) + np.sum(np.log(np.diag(root)))
