# @example("hoist", X, Y)
# def pairs(x, y):
#     s = 0.0
#     for i in range(len(x)):
#         for j in range(len(y)):
#             d = x[i] - y[j]
#             s += d * d * x[0]
#     return s

@jit(inner=True, error_model="numpy")
def pairs_rev(x, y, x_b, y_b, s_b):
    """Take `pairs` backwards: from the adjoints of its results to those of its arguments."""
    for i in range(x.shape[0] - 1, -1, -1):
        for j in range(y.shape[0] - 1, -1, -1):
            # line 71: d = x[i] - y[j]
            d = x[i] - y[j]
            # line 72: s += d * d * x[0]
            d_b = 2.0 * s_b * d * x[0]
            x_b[0] += s_b * d * d
            # line 71: d = x[i] - y[j]
            x_b[i] += d_b
            y_b[j] -= d_b
