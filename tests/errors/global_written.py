TOTAL = 0.0


def f(x: float):
    global TOTAL
    TOTAL = x * x
    return TOTAL
