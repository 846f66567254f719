@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def packed_rev(x, y, x_b, y_b, s_b):
    """Take `packed` backwards: from the adjoints of its results to those of its arguments."""
    # line 78: s, p = 0.0, 0
    p = 0
    # line 79: for i in range(len(x)):
    p_2 = p
    for i in range(x.shape[0]):
        for j in range(i + 1, x.shape[0]):
            # line 81: s += y[p] * x[i] * x[j]
            y_b[p_2] += s_b * x[i] * x[j]
            x_b[i] += s_b * y[p_2] * x[j]
            x_b[j] += s_b * y[p_2] * x[i]
            # line 80: for j in range(i + 1, len(x)):
            p_2 += 1
