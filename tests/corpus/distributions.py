"""Special functions and distributions of SciPy, and what else it has."""

import numpy as np
from scipy import signal, special, stats
from scipy.stats import norm

from corpus.case import case, matrix, vector

CUBE = vector(24, 0.1).reshape(2, 3, 4) + 0.01 * np.arange(24.0).reshape(2, 3, 4)


def sums_of_exponentials(x, A, c):
    return (
        special.logsumexp(x) ** 2
        + np.sum(special.logsumexp(A, axis=1) ** 2)
        + np.sum(special.softmax(x) ** 3)
        + np.sum(special.log_softmax(A, axis=0) ** 2)
        + special.logsumexp(x, b=x * x)
        + np.sum(special.logsumexp(c, axis=(0, 2), keepdims=True) * c)
    )


def normal(x, m, s):
    return (
        np.sum(norm.pdf(x, m, s))
        + np.sum(norm.logpdf(x, m, s) ** 2)
        + np.sum(stats.norm.cdf(x, loc=m, scale=s) ** 2)
        + norm.sf(x[0])
        + norm.logcdf(x[1], m)
        + norm.logsf(x[0])
        + norm.ppf(0.3, m, s)
    )


def beta(x, a, b):
    return (
        np.sum(stats.beta.pdf(x, a, b))
        + np.sum(stats.beta.logpdf(x, a, b) ** 2)
        + stats.beta.logpdf(x[0], a, b, 0.0, 2.0)
    )


def beta_function(x):
    return np.sum(stats.beta.cdf(x, 2.0, 1.3) ** 2)


def gamma(x, a, s):
    return (
        np.sum(stats.gamma.pdf(x, a, scale=s))
        + np.sum(stats.gamma.logpdf(x, a) ** 2)
        + np.sum(stats.gamma.cdf(x, 2.0) ** 2)
        + np.sum(stats.chi2.logpdf(x, a))
        + np.sum(stats.chi2.pdf(x, a))
    )


def student(x, df):
    return (
        np.sum(stats.t.pdf(x, df))
        + np.sum(stats.t.logpdf(x, df, 0.1, 1.2) ** 2)
        + np.sum(stats.t.cdf(x, 3.0) ** 2)
        + np.sum(stats.t.logcdf(x, 2.5))
        + np.sum(stats.expon.pdf(x, -2.0))
        + np.sum(stats.expon.cdf(x, -2.0, 2.0) ** 2)
    )


def poisson(k, mu):
    return (
        np.sum(stats.poisson.pmf(k, mu))
        + np.sum(stats.poisson.logpmf(k, mu) ** 2)
        + np.sum(stats.poisson.cdf(k, mu) ** 2)
    )


def dirichlet(x, a):
    return stats.dirichlet.logpdf(x / np.sum(x), a) ** 2 + stats.dirichlet.pdf(x / np.sum(x), a)


def several_normal(x, m, A):
    C = A @ A.T + np.eye(3)
    return (
        stats.multivariate_normal.logpdf(x, m, C)
        + stats.multivariate_normal.pdf(x, m, C)
        + stats.multivariate_normal.entropy(m, C)
    )


def rows_normal(X, m, A):
    return np.sum(stats.multivariate_normal.logpdf(X, m, A @ A.T + np.eye(3)) ** 2)


def convolved_matrices(A, B):
    return (
        np.sum(signal.convolve(A, B) ** 2)
        + np.sum(signal.convolve(A, B, mode="same") ** 3)
        + np.sum(signal.convolve(A, B, mode="valid") ** 2)
    )


def special_functions(a):
    return (
        special.multigammaln(a, 3)
        + special.polygamma(2, a)
        + special.jn(2, a)
        + special.gammaln(a) * special.expit(a)
    )


CASES = [
    case(sums_of_exponentials, vector(4), matrix(2, 3), CUBE, rounded=True),
    case(normal, vector(4), 0.3, 1.4),
    case(beta, np.array([0.2, 0.5, 0.7]), 1.7, 2.2, rounded=True),
    case(beta_function, np.array([0.2, 0.5, 0.7])),
    case(gamma, np.array([0.2, 0.5, 2.7]), 1.7, 1.3),
    case(student, vector(4), 2.3),
    case(poisson, np.array([0, 2, 5]), 1.7),
    case(dirichlet, np.array([0.2, 0.5, 0.7]), np.array([1.2, 2.5, 0.7])),
    case(several_normal, vector(3), vector(3, 1.0), matrix(3, 3), rounded=True),
    case(rows_normal, matrix(4, 3), vector(3), matrix(3, 3, 0.1), rounded=True),
    case(convolved_matrices, matrix(3, 4), matrix(2, 2, 0.1)),
    case(special_functions, 2.7),
]
