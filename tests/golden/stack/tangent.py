import numpy as np
from s2sad_runtime.plain import pop_real, push_real


def f_d(x, n, x_d, trail, trail_d):
    """A tangent."""
    for k in range(n):
        push_real(trail, x)
        push_real(trail_d, x_d)
        x_d = (np.cos(x) * x + np.sin(x)) * x_d
        x = np.sin(x) * x
    s = 1.0
    s_d = 0.0
    for k in range(n):
        v_d = pop_real(trail_d)
        v = pop_real(trail)
        s_d = v * s_d + s * v_d + x_d
        s = s * v + x
    return s, s_d
