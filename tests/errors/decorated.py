import functools


def twice(function):
    @functools.wraps(function)
    def wrapped(x):
        return 2 * function(x)

    return wrapped


@twice
def f(x: float):
    return x * x
