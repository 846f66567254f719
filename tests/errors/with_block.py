import numpy as np


def f(x: float):
    with np.errstate(all="ignore"):
        y = 1 / x
    return y
