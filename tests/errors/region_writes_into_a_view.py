"""The section begins where its array does: an address doesn't tell them apart."""

import numpy as np

import s2sad


def f(u: "float64[:]", v: "float64[:]", n: int):
    head = v[:2]
    for _ in s2sad.checkpoint_range(3, 2):
        head[:] = np.sin(v[2]) + head[1]
    for _ in range(n):
        u, v = v, u
    return np.sum(head) + np.sum(v * u)
