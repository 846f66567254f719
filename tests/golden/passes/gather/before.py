# @example("gather", X, Y, before=("merge", "upwards"))
# def smoothed(x, y):
#     u = x.copy()
#     for i in range(1, len(x) - 1):
#         u[i] = x[i] + y[i] * (x[i - 1] - 2.0 * x[i] + x[i + 1])
#     s = 0.0
#     for i in range(len(x)):
#         s += u[i] ** 2
#     return s

@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def smoothed_rev(x, y, x_b, y_b, s_b, arena):
    """Take `smoothed` backwards: from the adjoints of its results to those of its arguments."""
    u = take_real(arena, 1)
    u_b = pooled_zeros(u)
    for i in range(x.shape[0]):
        # line 62: s += u[i] ** 2
        u_b[i] += 2.0 * s_b * u[i]
    for i in range(1, x.shape[0] - 1):
        # line 59: u[i] = x[i] + y[i] * (x[i - 1] - 2.0 * x[i] + x[i + 1])
        w = u_b[i]
        u_b[i] = 0.0
        x_b[i] += w * (1.0 - 2.0 * y[i])
        y_b[i] += w * (x[i - 1] - 2.0 * x[i] + x[i + 1])
        x_b[i - 1] += w * y[i]
        x_b[i + 1] += w * y[i]
    # line 57: u = x.copy()
    accumulate(x_b, u_b)
