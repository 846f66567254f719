"""Calls, functions as values, what surrounds a function."""

import math
import os
from functools import partial

import numpy as np

import s2sad
from language.row import no, yes

SCALE = 2.5
TABLE = np.array([0.5, 1.5])


def weighted(u, *more, power=2, scale=1.0):
    s = scale * u**power
    for v in more:
        s += v
    return s


def both(x, y):
    return x * y, x + y


def fill(out, x):
    for i in range(len(out)):
        out[i] = x * i
    return out


OPTIONS = {"scale": 2.0}
KNOWN = {1, 2}


def arguments(x, y):
    """positional, keyword, default and keyword-only arguments, `*args`"""
    pair = (x, y)
    return weighted(x) + weighted(*pair, y, scale=x)


def results(x, y):
    """several results; a callee that writes into its arguments, or returns one of them"""
    p, s = both(x, y)
    v = fill(np.zeros(3), p)
    return s * v[2]


def function_arguments(x, n):
    """functions as arguments and in tuples"""

    def apply(g, v):
        return g(v) * v

    s = apply(np.sin, x)
    for g in (np.exp, np.cos):
        s += g(x)
    return s * n


def partial_inside(x):
    """`functools.partial` inside a function

    write a lambda; a partial may be given to `grad` and its kin
    """
    return partial(weighted, power=3)(x)


def nested(x):
    """nested functions and lambdas that read names around them, and write them: `nonlocal`"""
    count = 0.0

    def add(v):
        nonlocal count
        count += v * x
        return v

    twice = lambda v: 2.0 * v + x  # noqa: E731
    return add(x) * twice(x) + add(2.0) + count


def module_names(x):
    """numbers, arrays and functions of the module

    arrays are constants: read at the first call
    """
    return SCALE * x + np.sum(TABLE * x)


def recursive(x, n):
    """recursion, of one function or of several

    of functions at the top of a file that return numbers, or tuples of numbers
    """
    if n == 0:
        return 1.0
    return x * recursive(x, n - 1)


@s2sad.checkpoint
def logistic(u, r):
    for i in range(len(u)):
        u[i] = r * u[i] * (1.0 - u[i])
    return u[0]


def checkpoints(x, n):
    """`@s2sad.checkpoint`, `with s2sad.checkpoint():`, `s2sad.checkpoint_range`

    see [Checkpointing](checkpointing.md)
    """
    u = np.full(2, x)
    for _ in range(n):
        logistic(u, 2.5)
    with s2sad.checkpoint():
        u *= u
    return np.sum(u)


def energy(u, k):
    return np.sum((u[1:] - u[:-1]) ** 2) * k


def derivatives(x):
    """`s2sad.grad`, `value_and_grad`, `jvp`, `vjp`, `hvp` of functions

    see [Rules, and derivatives inside](rules.md)
    """
    u = np.array([x, x * x, 1.0])
    force = s2sad.grad(energy, jit=False)(u, 0.5)
    return np.sum(force * force) + s2sad.grad(lambda y: y**3 * x, jit=False)(x)


def jacobian_inside(u):
    """`s2sad.jacobian`, `hessian`, `record`

    use `jvp`, `vjp` and `hvp`
    """
    return np.sum(s2sad.jacobian(weighted, jit=False)(u))


@s2sad.custom_vjp
def clipped(x):
    return x


clipped.defvjp(lambda x: (x, None), lambda kept, y_b: (min(1.0, 2.0) * y_b,))


def rules(x):
    """`@s2sad.custom_jvp`, `@s2sad.custom_vjp`

    see [Rules, and derivatives inside](rules.md)
    """
    return clipped(x * x) * x


@s2sad.operation
def turned(p, x):
    return p * math.sin(x)


@turned.adjoint("p")
def turned_p(r_b, p, x):
    return r_b * math.sin(x)


def operations(p, x):
    """`@s2sad.operation`, `@s2sad.entity`

    see [Types of your own](types.md)
    """
    return turned(p, x) * turned(x, p)


kepler = s2sad.fixed_point(lambda E, M, e: M + e * np.sin(E))


def outside(x):
    return {2: x * x}[2]


s2sad.register(outside, partials="2.0 * x")


def given(x):
    """`s2sad.root`, `fixed_point`; functions given to `s2sad.register`

    see [Rules, and derivatives inside](rules.md)
    """
    return kepler(x, x, 0.3) * outside(x)


def recursive_inside(x, n):
    """recursion of functions defined inside, or of arrays as results"""

    def g(k):
        return 1.0 if k == 0 else x * g(k - 1)

    return g(n)


def global_write(x):
    """`global`"""
    global SCALE
    SCALE = 2.0
    return x * SCALE


def attribute_write(x):
    """attributes written"""
    weighted.scale = x
    return weighted.scale


def keywords(x, y):
    """`f(**d)` of a dict; dicts from outside"""
    return weighted(x, **OPTIONS) * y * OPTIONS["scale"]


def outer_set(x):
    """outer values other than numbers, arrays, functions, tuples and dicts"""
    return x * len(KNOWN)


def evaluated(x):
    """`eval`, `getattr`, `isinstance`"""
    return eval("x * x") + getattr(x, "real") * isinstance(x, float)


def unreadable(x):
    """functions without Python source"""
    return x * os.getpid()


def wrong_call(x):
    """a call that doesn't fit its function"""
    return both(x)[0]


def class_inside(x):
    """classes defined inside"""

    class Box:
        value = 1.0

    return x * Box.value


ROWS = [
    yes(arguments, 0.7, 0.4),
    yes(results, 0.7, 0.4),
    yes(function_arguments, 0.7, 3),
    yes(nested, 0.7),
    yes(module_names, 0.7),
    yes(recursive, 0.7, 3),
    yes(checkpoints, 0.7, 3),
    yes(derivatives, 0.7),
    yes(rules, 0.7),
    yes(operations, 0.7, 0.4),
    yes(given, 0.7),
    no(jacobian_inside, "S071", np.ones(2)),
    no(recursive_inside, "S072", 0.7, 3),
    no(partial_inside, "S071", 0.7),
    no(global_write, "S020", 0.7),
    no(attribute_write, "S021", 0.7),
    yes(keywords, 0.7, 0.4),
    no(outer_set, "S053", 0.7),
    no(evaluated, "S040", 0.7),
    no(unreadable, "S070", 0.7),
    no(wrong_call, "S074", 0.7),
    no(class_inside, "S022", 0.7),
]
