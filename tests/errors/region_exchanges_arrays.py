import numpy as np

import s2sad


def f(u0: "float64[:]", n: int):
    u = u0.copy()
    v = u0 * 2.0
    for _ in range(n):
        with s2sad.checkpoint():
            v[0] = u[0] * u[1]
            u, v = v, u
    return np.sum(u * u)
