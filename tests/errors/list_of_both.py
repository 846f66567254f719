import numpy as np


def f(x: float, n: int):
    rows = [x]
    for i in range(n):
        rows.append(np.ones(3) * x)
    return rows[0]
