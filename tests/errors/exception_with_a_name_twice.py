class y(Exception):
    pass


def check(x):
    if x < 0.0:
        raise y("negative")
    return x


def f(x: float):
    y = check(x)
    y += x
    return x * y
