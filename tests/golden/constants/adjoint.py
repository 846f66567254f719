"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of the result with respect to a, b.
"""

import numpy as np
from s2sad_runtime import guarded, hold, jit, new_arena, real_slots, require, take_real

require(1)

NODES = np.array([-0.7745966692414834, 0.0, 0.7745966692414834])
WEIGHTS = np.array([0.5555555555555556, 0.8888888888888888, 0.5555555555555556])
GRAVITY = 9.81


@jit
def f(a, b):
    """Gauss' rule with three points."""
    s = 0.0
    for k in range(NODES.shape[0]):
        t = 0.5 * (a + b) + 0.5 * (b - a) * NODES[k]
        s += WEIGHTS[k] * np.sqrt(GRAVITY * t)
    return 0.5 * (b - a) * s


@jit(inner=True, error_model="numpy")
def formed_again(a, b, NODES_at):
    """Values of the program, formed as it formed them."""
    t = 0.5 * (a + b) + 0.5 * (b - a) * NODES_at
    return t


@jit(inner=True)
def f_fwd(a, b, arena):
    """Run `f` forward; what the reverse sweep needs is kept in the arena."""
    kept = real_slots(arena, (1,))
    s = 0.0
    for k in range(NODES.shape[0]):
        t = 0.5 * (a + b) + 0.5 * (b - a) * NODES[k]
        s += WEIGHTS[k] * np.sqrt(GRAVITY * t)
    kept[0] = s
    y = 0.5 * (b - a) * s
    hold(arena, kept)
    return y


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def f_rev(a, b, y_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    kept = take_real(arena, 1)
    # line 15: for k in range(len(NODES)):
    s = kept[0]
    # line 18: return 0.5 * (b - a) * s
    b_b = 0.5 * y_b * s
    a_b = -0.5 * y_b * s
    s_b = 0.5 * y_b * (b - a)
    for k in range(NODES.shape[0]):
        # line 16: t = 0.5 * (a + b) + 0.5 * (b - a) * NODES[k]
        t = formed_again(a, b, NODES[k])
        # line 17: s += WEIGHTS[k] * np.sqrt(GRAVITY * t)
        t_b = 0.5 * s_b * WEIGHTS[k] * GRAVITY / np.sqrt(GRAVITY * t)
        # line 16: t = 0.5 * (a + b) + 0.5 * (b - a) * NODES[k]
        a_b += t_b * (0.5 - 0.5 * NODES[k])
        b_b += t_b * (0.5 + 0.5 * NODES[k])
    return a_b, b_b


@jit
def f_grad(a, b):
    """The value and the gradient of `f`."""
    arena = new_arena()
    y = guarded(f_fwd, (arena,), a, b, arena)
    a_b, b_b = guarded(f_rev, (arena,), a, b, 1.0, arena)
    return y, (a_b, b_b)
