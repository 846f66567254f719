import numpy as np

import s2sad


def f(u0: "float64[:]", x: float, n: int):
    u = u0.copy()
    b = u
    for _ in range(n):
        with s2sad.checkpoint():
            if u[0] > 0.0:
                b = u * x
        b[0] = b[0] * u[1]
    return np.sum(u) * b[1]
