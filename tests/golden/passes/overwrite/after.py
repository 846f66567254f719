@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def frame_of_u_b(x, u_b, new_b, y):
    """The frame of `u_b`: cells that get nothing from some of their neighbours."""
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
                u_b[i] = new_b[i] * (1.0 - 0.2 * y[i])
            if i < x.shape[0] - 2:
                u_b[i] += 0.1 * new_b[i + 1] * y[i + 1]
            if 2 <= i:
                u_b[i] += 0.1 * new_b[i - 1] * y[i - 1]

@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def diffused_rev(x, y, x_b, y_b, s_b, arena):
    """Take `diffused` backwards: from the adjoints of its results to those of its arguments."""
    u = take_real(arena, 1)
    u_b = pooled_zeros(u)
    new = take_real(arena, 1)
    new_b = pooled_zeros(new)
    for i in range(x.shape[0]):
        # line 108: s += u[i] * u[i]
        u_b[i] += 2.0 * s_b * u[i]
    for _ in range(2, -1, -1):
        # line 105: u, new = new, u
        new, u = u, new
        new_b, u_b = u_b, new_b
        # u_b gathers what its cells get from their neighbours
        for i in range(2, x.shape[0] - 2):
            # line 104: new[i] = u[i] + 0.1 * y[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1])
            u_b[i] = (
                new_b[i] * (1.0 - 0.2 * y[i]) + 0.1 * new_b[i + 1] * y[i + 1]
                + 0.1 * new_b[i - 1] * y[i - 1]
            )
        frame_of_u_b(x, u_b, new_b, y)
        for i in range(1, x.shape[0] - 1):
            w = new_b[i]
            y_b[i] += 0.1 * w * (u[i - 1] - 2.0 * u[i] + u[i + 1])
        # line 103: for i in range(1, len(x) - 1):
        restore(arena, new)
    for i in range(1, x.shape[0] - 1):
        new_b[i] = 0.0
    # line 101: u, new = x.copy(), x.copy()
    accumulate(x_b, new_b)
    accumulate(x_b, u_b)
