@jit(inner=True)
def mixture_both(x, z, p, r, x_b, z_b, p_b, s_b, arena):
    """Run `mixture`, and take each trip of a loop backwards at once."""
    # line 46: w = np.empty(p.shape[0])
    w = real_slots(arena, (p.shape[0],))
    # line 47: s = 0.0
    s = 0.0
    # line 48: for i in range(x.shape[0]):
    t_s = real_slots(arena, (p.shape[0],))
    w_b = pooled_zeros(w)
    r_b = 0.0
    for i in range(x.shape[0]):
        for k in range(p.shape[0]):
            # line 50: w[k] = np.exp(-r * (x[i] - z[i, k]) ** 2) * p[k]
            t = np.exp(-r * (x[i] - z[i, k]) ** 2)
            t_s[k] = t
            w[k] = t * p[k]
        # line 51: e = 0.0
        e = 0.0
        for k in range(p.shape[0]):
            # line 53: e += w[k]
            e += w[k]
        # line 54: s += np.log(1.0 + e * e)
        t2 = np.log(1.0 + e * e)
        s += t2
        e_b = np.true_divide(2.0 * s_b * e, 1.0 + e * e)
        for k in range(p.shape[0]):
            # line 53: e += w[k]
            w_b[k] += e_b
        # line 49: for k in range(p.shape[0]):
        x_sum = 0.0
        for k in range(p.shape[0]):
            # line 50: w[k] = np.exp(-r * (x[i] - z[i, k]) ** 2) * p[k]
            t3 = t_s[k]
            w2 = w_b[k]
            w_b[k] = 0.0
            t_b = w2 * p[k]
            p_b[k] += w2 * t3
            r_b -= t_b * t3 * (x[i] - z[i, k]) ** 2
            x_sum -= 2.0 * t_b * t3 * r * (x[i] - z[i, k])
            z_b[i, k] += 2.0 * t_b * t3 * r * (x[i] - z[i, k])
        if 0 < p.shape[0]:
            x_b[i] += x_sum
    return s, r_b


@jit
def mixture_grad(x, z, p, r):
    """The value and the gradient of `mixture`."""
    arena = new_arena()
    x_b = zeros_of(x)
    z_b = zeros_of(z)
    p_b = zeros_of(p)
    s, r_b = guarded(mixture_both, (arena,), x, z, p, r, x_b, z_b, p_b, 1.0, arena)
    return s, (x_b, z_b, p_b, r_b)
