@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def frame_of_x_b(x, x_b, u_b, y):
    """The frame of `x_b`: cells that get nothing from some of their neighbours."""
    left = min(2, x.shape[0])
    right = max(left, x.shape[0] - 2)
    for side in range(2):
        lo = 0
        hi = left
        if side == 1:
            lo = right
            hi = x.shape[0]
        for i in range(lo, hi):
            if 1 <= i and i < x.shape[0] - 1:
                x_b[i] += u_b[i] * (1.0 - 2.0 * y[i])
            if i < x.shape[0] - 2:
                x_b[i] += u_b[i + 1] * y[i + 1]
            if 2 <= i:
                x_b[i] += u_b[i - 1] * y[i - 1]

@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def smoothed_rev(x, y, x_b, y_b, s_b, arena):
    """Take `smoothed` backwards: from the adjoints of its results to those of its arguments."""
    u = take_real(arena, 1)
    u_b = pooled_zeros(u)
    for i in range(x.shape[0]):
        # line 62: s += u[i] ** 2
        u_b[i] += 2.0 * s_b * u[i]
    # x_b gathers what its cells get from their neighbours
    for i in range(2, x.shape[0] - 2):
        # line 59: u[i] = x[i] + y[i] * (x[i - 1] - 2.0 * x[i] + x[i + 1])
        x_b[i] += u_b[i] * (1.0 - 2.0 * y[i]) + u_b[i + 1] * y[i + 1] + u_b[i - 1] * y[i - 1]
    frame_of_x_b(x, x_b, u_b, y)
    for i in range(1, x.shape[0] - 1):
        w = u_b[i]
        u_b[i] = 0.0
        y_b[i] += w * (x[i - 1] - 2.0 * x[i] + x[i + 1])
    # line 57: u = x.copy()
    accumulate(x_b, u_b)
