@jit(inner=True, error_model="numpy")
def pairs_rev(x, y, x_b, y_b, s_b):
    """Take `pairs` backwards: from the adjoints of its results to those of its arguments."""
    for i in range(x.shape[0] - 1, -1, -1):
        # line 70: for j in range(len(y)):
        x_sum = 0.0
        x_sum2 = 0.0
        for j in range(y.shape[0] - 1, -1, -1):
            # line 71: d = x[i] - y[j]
            d = x[i] - y[j]
            # line 72: s += d * d * x[0]
            d_b = 2.0 * s_b * d * x[0]
            x_sum += s_b * d * d
            # line 71: d = x[i] - y[j]
            x_sum2 += d_b
            y_b[j] -= d_b
        if 0 < y.shape[0]:
            # line 72: s += d * d * x[0]
            x_b[0] += x_sum
            # line 71: d = x[i] - y[j]
            x_b[i] += x_sum2
