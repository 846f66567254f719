@jit(inner=True)
def payoff_both(x, z, p, r, x_b, z_b, p_b, y_b, arena):
    """Run `payoff`, and take each trip of a loop backwards at once."""
    # line 32: n, m = z.shape
    n = z.shape[0]
    m = z.shape[1]
    # line 33: total = 0.0
    total = 0.0
    # line 34: for i in range(n):
    s_s = real_slots(arena, (m,))
    t_s = real_slots(arena, (m,))
    # line 41: return np.exp(-r * m) * total / n
    t2 = np.exp(-r * m)
    gain_b = 0.0
    total_b = np.true_divide(y_b * t2, n)
    t2_b = 0.0
    r_b = 0.0
    for i in range(n):
        # line 35: s = x[i]
        s = x[i]
        for k in range(m):
            # line 36: for k in range(m):
            s_s[k] = s
            # line 37: s = s * np.exp(p[k] * z[i, k] - r)
            t = np.exp(p[k] * z[i, k] - r)
            t_s[k] = t
            s *= t
        # line 38: gain = s - 0.5
        gain = s - 0.5
        # line 39: if gain > 0.0:
        c = gain > 0.0
        if c:
            # line 40: total += gain
            total += gain
        if c:
            gain_b = total_b
        # line 38: gain = s - 0.5
        s_b = gain_b
        gain_b = 0.0
        for k in range(m - 1, -1, -1):
            # line 36: for k in range(m):
            s2 = s_s[k]
            # line 37: s = s * np.exp(p[k] * z[i, k] - r)
            t3 = t_s[k]
            t_b = s_b * s2
            s_b *= t3
            p_b[k] += t_b * t3 * z[i, k]
            z_b[i, k] = t_b * t3 * p[k]
            r_b -= t_b * t3
        # line 35: s = x[i]
        x_b[i] += s_b
    # line 41: return np.exp(-r * m) * total / n
    y = t2 * total / n
    t2_b += np.true_divide(y_b * total, n)
    r_b -= t2_b * t2 * m
    return y, r_b


@jit
def payoff_grad(x, z, p, r):
    """The value and the gradient of `payoff`."""
    arena = new_arena()
    x_b = zeros_of(x)
    z_b = room_of(z)
    p_b = zeros_of(p)
    y, r_b = guarded(payoff_both, (arena,), x, z, p, r, x_b, z_b, p_b, 1.0, arena)
    return y, (x_b, z_b, p_b, r_b)
