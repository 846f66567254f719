import functools


def f(x: float):
    @functools.cache
    def square(v):
        return v * v

    return square(x)
