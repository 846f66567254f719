"""Derivatives taken inside: of functions of the file and of functions defined inside, in all modes, one in another."""

import numpy as np

import s2sad
from corpus.case import case, vector


def energy(u, p):
    s = 0.0
    for i in range(len(u)):
        s += np.sin(u[i] * p) * u[i - 1] ** 2
    return s


def pair(u, p):
    return p * np.sum(u * u), u * p**2


slope = s2sad.grad(energy, jit=False)
value_and_slopes = s2sad.value_and_grad(energy, (0, 1), jit=False)


def gradient(u, p):
    g = slope(u, p)
    return np.sum(g * g) * p


def value_and_gradient(u, p):
    v, (g, q) = value_and_slopes(u, p)
    return v * q + np.sum(np.cos(g))


def tangent(u, p):
    y, y_d = s2sad.jvp(energy, (u, p), (u * p, None), jit=False)
    return y * y_d


def tangent_of_arrays(u, p):
    (s, v), (s_d, v_d) = s2sad.jvp(pair, (u, p), (None, s2sad.grad(energy, 1, jit=False)(u, p)), jit=False)
    return s * s_d + np.sum(v * v_d)


def pullback(u, p):
    y, pull = s2sad.vjp(energy, u, p, jit=False)
    g, q = pull(y)
    g2, _ = pull(q)
    return q + np.sum(g * u) + g2[0]


def pullback_of_arrays(u, p, n):
    s = 0.0
    (y, v), pull = s2sad.vjp(pair, u, p, jit=False)
    for k in range(n):
        g, q = pull((s, v))
        s += q + np.sum(g * g)
        v = v * p
    return s + y


def product(u, p):
    v, _ = s2sad.hvp(energy, (u, p), (u, None), jit=False)
    return np.sum(v * u)


def defined_inside(u, p):
    def inner(x, y):
        return x * y * p + np.sum(u) * x * x

    return s2sad.grad(inner, 1, jit=False)(p * p, 2.0) + s2sad.grad(inner, jit=False)(p, u[0])


def confusing(x):
    """d/dx (x d/dy (x + y)) = 1, times x² ..."""
    return x * x * s2sad.grad(lambda y: x * y + y * y * x * x, jit=False)(x)


def nested(u, p):
    def outer(x):
        return x * s2sad.grad(lambda y: x * y * y + y * u[1], jit=False)(x)

    return s2sad.grad(outer, jit=False)(p) * p


def gradient_of_gradient(x):
    return s2sad.grad(s2sad.grad(lambda y: y**4 * x, jit=False), jit=False)(x)


def gradient_of_tangent(u, p):
    def along(v):
        return s2sad.jvp(energy, (v, p), (u, None), jit=False)[1]

    return np.sum(s2sad.grad(along, jit=False)(u * p) * u)


def descent(u, p, n):
    """Steps of gradient descent, differentiated."""
    v = u.copy()
    for k in range(n):
        v = v - 0.1 * p * s2sad.grad(energy, jit=False)(v, p)
    return energy(v, p)


def recursive_energy(u, p, n):
    if n == 0:
        return np.sum(u) * p
    return recursive_energy(u * p, p, n - 1) * np.sin(u[n])


def of_recursion(u, p, n):
    g = s2sad.grad(recursive_energy, jit=False)(u, p, n)
    return g[0] * g[1] + np.sum(g)


def in_recursion(u, p, n):
    if n == 0:
        return p
    g = s2sad.grad(energy, jit=False)(u, p)
    return in_recursion(u, np.sum(g * u) * 0.3 + p, n - 1) * g[0]


@s2sad.checkpoint
def stretch(u, p):
    u[0] = u[0] * p
    with s2sad.checkpoint():
        p = p * u[1]
    return energy(u, p)


def regional(u, p):
    v = u.copy()
    v[1] = stretch(v, p)
    return stretch(v, p * 0.7)


def of_region(u, p):
    with s2sad.checkpoint():
        q = np.sum(s2sad.grad(regional, jit=False)(u, p) * u)
    return q * s2sad.grad(regional, 1, jit=False)(u, p)


@s2sad.custom_vjp
def norm(x):
    return np.sqrt(np.sum(x * x))


norm.defvjp(lambda x: (norm(x), x), lambda x, n_b: (x * (n_b / norm(x)),))


@s2sad.custom_jvp
def cube(x):
    return x**3


@cube.defjvp
def cube_jvp(primals, tangents):
    (x,), (x_d,) = primals, tangents
    return cube(x), 3.0 * x * x * x_d


def through_rules(u, p):
    def f(v, q):
        return norm(v * q) * cube(q)

    g, q = s2sad.grad(f, (0, 1), jit=False)(u, p)
    return norm(g) * cube(q)


def structured(a, b):
    def f(pair, x):
        return pair[0] * x + np.sin(pair[1] * pair[0])

    (p, q), x = s2sad.grad(f, (0, 1), jit=False)((a, b), a * b)
    return p * q * x


def auxiliary(u, p):
    def f(v, x):
        return np.sum(v * v) * x, v * x

    (y, w), g = s2sad.value_and_grad(f, has_aux=True, jit=False)(u, p)
    return y * np.sum(w * g)


def slope_of(h, x):
    return s2sad.grad(lambda y: h(y) * y, jit=False)(x)


def of_functions_passed(x, p):
    """One lambda, with one function from around it and another."""

    def around(scale):
        def g(y):
            return np.sin(y * scale) * p

        return slope_of(g, x)

    return slope_of(np.exp, x) * slope_of(cube, x) + slope_of(np.sin, x) + around(p) * around(2.0)


def of_the_same_name(x, p):
    """A name that stands for something else in the function that is called from where it is derived."""
    s = x * p

    def cubed(y):
        return s * y**3 * p

    def outer(s):
        def inner(p):
            return cubed(p) * s + np.sin(p)

        return cubed(s) + inner(s * 0.5)

    p = p * 2.0
    return s2sad.grad(outer, jit=False)(x) * s + slope_of(lambda p: cubed(p) * p, x)


CASES = [
    case(gradient, vector(3), 0.8, rounded=True, full=True),
    case(value_and_gradient, vector(3), 0.8, rounded=True),
    case(tangent, vector(3), 0.8, rounded=True),
    case(tangent_of_arrays, vector(3), 0.8, rounded=True),
    case(pullback, vector(3), 0.8, rounded=True),
    case(pullback_of_arrays, vector(3), 0.8, 2, rounded=True),
    case(product, vector(3), 0.8, rounded=True),
    case(defined_inside, vector(3), 0.8, rounded=True),
    case(confusing, 0.8, rounded=True),
    case(nested, vector(3), 0.8, rounded=True),
    case(gradient_of_gradient, 0.8, rounded=True),
    case(gradient_of_tangent, vector(3), 0.8, rounded=True),
    case(descent, vector(3), 0.8, 3, rounded=True),
    case(of_recursion, vector(3), 0.8, 2, rounded=True),
    case(in_recursion, vector(3), 0.8, 2, rounded=True),
    case(of_region, vector(3), 0.8, rounded=True),
    case(through_rules, vector(3), 0.8, rounded=True),
    case(structured, 0.7, 0.4, rounded=True),
    case(of_functions_passed, 0.7, 0.4, rounded=True),
    case(auxiliary, vector(3), 0.8, rounded=True),
    case(of_the_same_name, 0.7, 0.8, rounded=True),
]
