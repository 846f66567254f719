# @example("columns", np.linspace(0.3, 0.9, 6).reshape(3, 2), Y[:3], before=("merge", "upwards", "hoist"))
# def sums_by_columns(p, y):
#     u = p.copy()
#     s = 0.0
#     for i in range(len(y)):
#         for j in range(len(y)):
#             s += y[i] * u[j, 0] * (u[j, 1] - u[i, 1])
#     return s

@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def sums_by_columns_rev(p, y, p_b, y_b, s_b, arena):
    """Take `sums_by_columns` backwards: from the adjoints of its results to those of its
    arguments.
    """
    u = take_real(arena, 2)
    u_b = pooled_zeros(u)
    for i in range(y.shape[0]):
        # line 125: for j in range(len(y)):
        y_sum = 0.0
        u_sum = 0.0
        for j in range(y.shape[0]):
            # line 126: s += y[i] * u[j, 0] * (u[j, 1] - u[i, 1])
            y_sum += s_b * u[j, 0] * (u[j, 1] - u[i, 1])
            u_b[j, 0] += s_b * y[i] * (u[j, 1] - u[i, 1])
            u_b[j, 1] += s_b * y[i] * u[j, 0]
            u_sum -= s_b * y[i] * u[j, 0]
        y_b[i] += y_sum
        u_b[i, 1] += u_sum
    # line 122: u = p.copy()
    accumulate(p_b, u_b)
