# def layer(A, x, b):
#     return np.sum(np.tanh(A @ x + b) ** 2)

@jit(inner=True)
def layer_fwd(A, x, b, arena):
    """Run `layer` forward; what the reverse sweep needs is kept in the arena."""
    kept_n = int_slots(arena, (1,))
    t = own(arena, A @ x)
    n = common(t.shape[0], b.shape[0])
    kept_n[0] = n
    t_fit = fitted(t, (n,))
    b_fit = fitted(b, (n,))
    r = 0.0
    t2_s = real_slots(arena, (n,))
    for i in range(n):
        t2 = np.tanh(t_fit[i] + b_fit[i])
        t2_s[i] = t2
        t_2 = t2**2
        r += t_2
    hold(arena, t2_s, t, kept_n)
    return r

@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def layer_rev(A, x, b, A_b, r_b, arena):
    """Take `layer` backwards: from the adjoints of its results to those of its arguments."""
    kept_n = take_int(arena, 1)
    # line 51: return np.sum(np.tanh(A @ x + b) ** 2)
    n = kept_n[0]
    t = take_real(arena, 1)
    t_b = pooled_zeros(t)
    t_fit_b = room_for(t_b, (n,))
    t2_s = take_real(arena, 1)
    for i in range(n):
        t2 = t2_s[i]
        t2_b = 2.0 * r_b * t2
        t_fit_b[i] += t2_b * (1.0 - t2 * t2)
    if t_b.shape[0] != t_fit_b.shape[0]:
        accumulate(t_b, t_fit_b)
    add_outer(A_b, t_b, x)
