@jit(inner=True)
def angles_both(x, z, p, r, x_b, z_b, p_b, s_b):
    """Run `angles`, and take each trip of a loop backwards at once."""
    # line 152: s = 0.0
    s = 0.0
    r_b = 0.0
    for i in range(x.shape[0]):
        # line 154: s += math.sin(x[i]) * z[i, 0] + np.cos(z[i, 1]) * r * x[i]
        t = math.sin(x[i])
        c = np.cos(x[i])
        t2 = np.cos(z[i, 1])
        s2 = np.sin(z[i, 1])
        s += t * z[i, 0] + t2 * r * x[i]
        t_b = s_b * z[i, 0]
        z_b[i, 0] += s_b * t
        t2_b = s_b * r * x[i]
        r_b += s_b * t2 * x[i]
        z_b[i, 1] -= t2_b * s2
        x_b[i] = s_b * t2 * r + t_b * c
    return s, r_b


@jit
def angles_grad(x, z, p, r):
    """The value and the gradient of `angles`."""
    x_b = room_of(x)
    z_b = zeros_of(z)
    p_b = zeros_of(p)
    s, r_b = angles_both(x, z, p, r, x_b, z_b, p_b, 1.0)
    return s, (x_b, z_b, p_b, r_b)
