class Refused(Exception):
    pass


def f(x: float):
    if x < 0.0:
        raise Refused("negative")
    return x * x
