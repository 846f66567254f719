# @example("counted", np.linspace(0.3, 0.9, 4), np.linspace(-0.5, 0.7, 6), before=("merge", "upwards"))
# def packed(x, y):
#     s, p = 0.0, 0
#     for i in range(len(x)):
#         for j in range(i + 1, len(x)):
#             s += y[p] * x[i] * x[j]
#             p += 1
#     return s

@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def packed_rev(x, y, x_b, y_b, s_b):
    """Take `packed` backwards: from the adjoints of its results to those of its arguments."""
    # line 78: s, p = 0.0, 0
    p = 0
    for i in range(x.shape[0]):
        # line 79: for i in range(len(x)):
        p_2 = p + i * (2 * x.shape[0] - i - 1) // 2
        for j in range(i + 1, x.shape[0]):
            # line 80: for j in range(i + 1, len(x)):
            p_3 = p_2 + j - i - 1
            # line 81: s += y[p] * x[i] * x[j]
            y_b[p_3] += s_b * x[i] * x[j]
            x_b[i] += s_b * y[p_3] * x[j]
            x_b[j] += s_b * y[p_3] * x[i]
