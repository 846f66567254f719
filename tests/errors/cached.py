import functools


@functools.cache
def f(x: float):
    return x * x
