import numpy as np
from scipy.integrate import odeint


def slowed(y, t):
    seen = {1.0, 2.0}
    return -y


def f(y0: "float64[:]"):
    path = odeint(slowed, y0, [0.0, 1.0])
    return np.sum(path[-1])
