@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def inner_cells_rev(x, y, x_b, y_b, s_b):
    """Take `inner_cells` backwards: from the adjoints of its results to those of its arguments."""
    for i in range(x.shape[0] - 4):
        # line 134: s += x[i] * y[i - 1]
        x_b[i + 2] += s_b * y[i + 1]
        y_b[i + 1] += s_b * x[i + 2]
