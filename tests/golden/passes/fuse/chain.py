# def chain(x, y):
#     a = x * y + np.sin(x)
#     b = np.exp(-a) + y * y
#     return np.sum(b / (1.0 + a * a))

@jit(inner=True)
def chain_fwd(x, y, arena):
    """Run `chain` forward; what the reverse sweep needs is kept in the arena."""
    kept_n = int_slots(arena, (1,))
    n = common(x.shape[0], y.shape[0])
    kept_n[0] = n
    x_fit = fitted(x, (n,))
    y_fit = fitted(y, (n,))
    r = 0.0
    a_s = real_slots(arena, (n,))
    t3_s = real_slots(arena, (n,))
    for i in range(n):
        t2 = np.sin(x_fit[i])
        a = x_fit[i] * y_fit[i] + t2
        a_s[i] = a
        t3 = np.exp(-a)
        t3_s[i] = t3
        b = t3 + y_fit[i] * y_fit[i]
        t = np.true_divide(b, 1.0 + a * a)
        r += t
    hold(arena, a_s, t3_s, kept_n)
    return r

@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def chain_rev(x, y, x_b, r_b, arena):
    """Take `chain` backwards: from the adjoints of its results to those of its arguments."""
    kept_n = take_int(arena, 1)
    # line 23: a = x * y + np.sin(x)
    n = kept_n[0]
    x_fit = fitted(x, (n,))
    x_fit_b = room_for(x_b, (n,))
    y_fit = fitted(y, (n,))
    t3_s = take_real(arena, 1)
    a_s = take_real(arena, 1)
    for i in range(n):
        a = a_s[i]
        # line 24: b = np.exp(-a) + y * y
        t3 = t3_s[i]
        b = t3 + y_fit[i] * y_fit[i]
        # line 25: return np.sum(b / (1.0 + a * a))
        t = np.true_divide(b, 1.0 + a * a)
        r2 = 1.0 / (1.0 + a * a)
        b_b = r_b * r2
        a_b = -2.0 * r_b * t * a * r2
        # line 24: b = np.exp(-a) + y * y
        a_b -= b_b * t3
        # line 23: a = x * y + np.sin(x)
        x_fit_b[i] += a_b * y_fit[i] + a_b * np.cos(x_fit[i])
    if x_b.shape[0] != x_fit_b.shape[0]:
        accumulate(x_b, x_fit_b)
