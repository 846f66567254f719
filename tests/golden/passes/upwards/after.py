@jit(inner=True, error_model="numpy")
def sums_of_squares_rev(x, y, x_b, y_b, s_b):
    """Take `sums_of_squares` backwards: from the adjoints of its results to those of its
    arguments.
    """
    for i in range(x.shape[0]):
        # line 50: r = x[i] - y[i]
        r = x[i] - y[i]
        # line 51: s += r * r
        r_b = 2.0 * s_b * r
        # line 50: r = x[i] - y[i]
        x_b[i] += r_b
        y_b[i] -= r_b
