# @example("reciprocal", X, Y, before=("merge", "upwards"))
# def quotients(x, y):
#     s = 0.0
#     for i in range(len(x)):
#         s += x[i] / (1.0 + y[i] * y[i])
#     return s

@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def quotients_rev(x, y, x_b, y_b, s_b):
    """Take `quotients` backwards: from the adjoints of its results to those of its arguments."""
    for i in range(x.shape[0]):
        # line 116: s += x[i] / (1.0 + y[i] * y[i])
        x_b[i] += s_b / (1.0 + y[i] * y[i])
        y_b[i] -= 2.0 * s_b * x[i] * y[i] / (1.0 + y[i] * y[i]) / (1.0 + y[i] * y[i])
