"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of x with respect to times, e.
`given.anomaly_6849` is golden_registered.anomaly (8569aca7).

kept         where  bytes               why
t (line 27)  slot   8 * times.shape[0]  dear to form again
"""

import numpy as np
from s2sad_runtime import given, hold, jit, real_slots, require, room_of, take_real

require(1)


@jit
def f(times, e):
    x = 0.0
    for k in range(times.shape[0]):
        x += np.cos(given.anomaly_6849(times[k], e)) - e
    return x


@jit(inner=True)
def f_fwd(times, e, arena):
    """Run `f` forward; what the reverse sweep needs is kept in the arena."""
    x = 0.0
    t_s = real_slots(arena, (times.shape[0],))
    for k in range(times.shape[0]):
        t = given.anomaly_6849(times[k], e)
        t_s[k] = t
        t2 = np.cos(t)
        x += t2 - e
    hold(arena, t_s)
    return x


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def f_rev(times, e, times_b, x_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    e_b = 0.0
    t_s = take_real(arena, 1)
    for k in range(times.shape[0]):
        # line 27: x += np.cos(anomaly(times[k], e)) - e
        t = t_s[k]
        e_b -= x_b
        t_b = -x_b * np.sin(t)
        r = 1.0 / (1.0 - e * np.cos(t))
        times_b[k] += t_b * r
        e_b += t_b * np.sin(t) * r
    return e_b


@jit(inner=True)
def f_both(times, e, times_b, x_b):
    """Run `f`, and take each trip of a loop backwards at once."""
    # line 25: x = 0.0
    x = 0.0
    e_b = 0.0
    for k in range(times.shape[0]):
        # line 27: x += np.cos(anomaly(times[k], e)) - e
        t = given.anomaly_6849(times[k], e)
        t2 = np.cos(t)
        x += t2 - e
        e_b -= x_b
        t_b = -x_b * np.sin(t)
        r = np.true_divide(1.0, 1.0 - e * np.cos(t))
        times_b[k] = t_b * r
        e_b += t_b * np.sin(t) * r
    return x, e_b


@jit
def f_grad(times, e):
    """The value and the gradient of `f`."""
    times_b = room_of(times)
    x, e_b = f_both(times, e, times_b, 1.0)
    return x, (times_b, e_b)
