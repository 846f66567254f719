@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def stepped_rev(x, y, x_b, y_b, s_b, arena):
    """Take `stepped` backwards: from the adjoints of its results to those of its arguments."""
    u = take_real(arena, 1)
    u_b = pooled_zeros(u)
    new = take_real(arena, 1)
    new_b = pooled_zeros(new)
    for i in range(x.shape[0]):
        # line 95: s += u[i] * u[i]
        u_b[i] += 2.0 * s_b * u[i]
    t_s = take_real(arena, 2)
    for it in range(2, -1, -1):
        # line 92: u, new = new, u
        new, u = u, new
        new_b, u_b = u_b, new_b
        for i in range(1, x.shape[0] - 1):
            # line 91: new[i] = u[i] + 0.1 * y[i] * np.sin(u[i - 1])
            t = t_s[it, i]
            w = new_b[i]
            new_b[i] = 0.0
            u_b[i] += w
            y_b[i] += 0.1 * w * t
            t_b = 0.1 * w * y[i]
            u_b[i - 1] += t_b * np.cos(u[i - 1])
        new = take_real(arena, 1)
    # line 88: u, new = x.copy(), x.copy()
    accumulate(x_b, new_b)
    accumulate(x_b, u_b)
