import numpy as np

import s2sad


def f(u: "float64[:]", v: "float64[:]", a: float):
    w = u[:-1] if a > 0.5 else v * 1.0
    with s2sad.checkpoint():
        w[0] *= u[1] * u[2]
        u[0] += w[0]
    return np.sum(w) * u[0]
