# @example("from_zero", X, Y, before=("upwards",))
# def inner_cells(x, y):
#     s = 0.0
#     for i in range(2, len(x) - 2):
#         s += x[i] * y[i - 1]
#     return s

@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def inner_cells_rev(x, y, x_b, y_b, s_b):
    """Take `inner_cells` backwards: from the adjoints of its results to those of its arguments."""
    for i in range(2, x.shape[0] - 2):
        # line 134: s += x[i] * y[i - 1]
        x_b[i] += s_b * y[i - 1]
        y_b[i - 1] += s_b * x[i]
