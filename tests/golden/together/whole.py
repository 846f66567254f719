@jit(inner=True)
def whole_both(x, z, p, r, x_b, z_b, p_b, s_b):
    """Run `whole`, and take each trip of a loop backwards at once."""
    # line 124: s = 0.0
    s = 0.0
    r_b = 0.0
    for i in range(x.shape[0]):
        # line 126: s += np.exp(np.sin(x[i]))
        t = np.sin(x[i])
        t2 = np.exp(t)
        s += t2
        t_b = s_b * t2
        x_b[i] = t_b * np.cos(x[i])
    return s, r_b


@jit
def whole_grad(x, z, p, r):
    """The value and the gradient of `whole`."""
    x_b = room_of(x)
    z_b = zeros_of(z)
    p_b = zeros_of(p)
    s, r_b = whole_both(x, z, p, r, x_b, z_b, p_b, 1.0)
    return s, (x_b, z_b, p_b, r_b)
