import numpy as np


def f(u: "float64[:]", n: int):
    history = []
    for i in range(n):
        u[1:] += 0.1 * u[:-1]
        history.append(u)
    return np.sum(history[0] * history[-1])
