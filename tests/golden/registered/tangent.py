"""Tangent of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Derivative of x along directions of times, e.
`given.anomaly_6849` is golden_registered.anomaly (8569aca7).
"""

import numpy as np
from s2sad_runtime import given, jit, require

require(1)


@jit
def f(times, e):
    x = 0.0
    for k in range(times.shape[0]):
        x += np.cos(given.anomaly_6849(times[k], e)) - e
    return x


@jit
def f_d(times, e, times_d, e_d):
    """`f` and its tangent: the results, then their tangents."""
    x = 0.0
    x_d = 0.0
    for k in range(times.shape[0]):
        x_d = (
            x_d
            - np.true_divide(
                np.sin(given.anomaly_6849(times[k], e)) * times_d[k],
                1.0 - e * np.cos(given.anomaly_6849(times[k], e))
            )
            + (
                np.true_divide(
                    -np.sin(given.anomaly_6849(times[k], e))
                        * np.sin(given.anomaly_6849(times[k], e)),
                    1.0 - e * np.cos(given.anomaly_6849(times[k], e))
                )
                - 1.0
            )
            * e_d
        )
        x += np.cos(given.anomaly_6849(times[k], e)) - e
    return x, x_d
