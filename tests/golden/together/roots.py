@jit(inner=True)
def roots_both(x, z, p, r, x_b, z_b, p_b, s_b, arena):
    """Run `roots`, and take each trip of a loop backwards at once."""
    # line 132: s = 0.0
    s = 0.0
    # line 135: while abs(d) > 1e-9:
    t_s = real_slots(arena, (16,))
    t2_s = real_slots(arena, (16,))
    d_s = real_slots(arena, (16,))
    r_b = 0.0
    for i in range(x.shape[0]):
        # line 134: e, d = x[i], 1.0
        e = x[i]
        d = 1.0
        # line 135: while abs(d) > 1e-9:
        n_while = 0
        while abs(d) > 1e-09:
            if n_while == t_s.shape[0]:
                t_s = grown(arena, t_s)
                t2_s = grown(arena, t2_s)
                d_s = grown(arena, d_s)
            # line 136: d = (e - r * np.sin(e) - x[i]) / (1.0 - r * np.cos(e))
            t = np.sin(e)
            t_s[n_while] = t
            t2 = np.cos(e)
            t2_s[n_while] = t2
            d = (e - r * t - x[i]) / (1.0 - r * t2)
            d_s[n_while] = d
            # line 137: e -= d
            e -= d
            # line 135: while abs(d) > 1e-9:
            n_while += 1
        # line 138: s += e * e
        s += e * e
        e_b = 2.0 * s_b * e
        # line 135: while abs(d) > 1e-9:
        x_sum = 0.0
        for n_while2 in range(n_while - 1, -1, -1):
            # line 136: d = (e - r * np.sin(e) - x[i]) / (1.0 - r * np.cos(e))
            t3 = t_s[n_while2]
            t2_2 = t2_s[n_while2]
            d2 = d_s[n_while2]
            # line 137: e -= d
            d_b = -e_b
            # line 136: d = (e - r * np.sin(e) - x[i]) / (1.0 - r * np.cos(e))
            r2 = np.true_divide(1.0, 1.0 - r * t2_2)
            e_b += d_b * r2
            r_b += d_b * (d2 * t2_2 * r2 - t3 * r2)
            t_b = -d_b * r * r2
            x_sum -= d_b * r2
            t2_b = d_b * d2 * r * r2
            e_b -= t2_b * t3
            e_b += t_b * t2_2
        x_b[i] += x_sum
        # line 134: e, d = x[i], 1.0
        x_b[i] += e_b
    return s, r_b


@jit
def roots_grad(x, z, p, r):
    """The value and the gradient of `roots`."""
    arena = new_arena()
    x_b = zeros_of(x)
    z_b = zeros_of(z)
    p_b = zeros_of(p)
    s, r_b = guarded(roots_both, (arena,), x, z, p, r, x_b, z_b, p_b, 1.0, arena)
    return s, (x_b, z_b, p_b, r_b)
