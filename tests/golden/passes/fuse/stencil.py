# def stencil(u0, k, steps):
#     u = u0.copy()
#     for _ in range(steps):
#         u[1:-1] = u[1:-1] + k * (u[2:] - 2.0 * u[1:-1] + u[:-2])
#     return np.sum(u * u)

@jit(inner=True)
def stencil_fwd(u0, k, steps, arena):
    """Run `stencil` forward; what the reverse sweep needs is kept in the arena."""
    u = own(arena, u0)
    for _ in range(steps):
        t = own(arena, u[2:])
        t_2 = own(arena, u[:-2])
        for i in range(u.shape[0] - 2):
            u[i + 1] += k * (t[i] - 2.0 * u[i + 1] + t_2[i])
        hold(arena, t_2, t)
    r = 0.0
    for i2 in range(u.shape[0]):
        t_3 = u[i2] * u[i2]
        r += t_3
    hold(arena, u)
    return r

@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def stencil_rev(u0, k, steps, u0_b, r_b, arena):
    """Take `stencil` backwards: from the adjoints of its results to those of its arguments."""
    u = take_real(arena, 1)
    u_b = pooled_zeros(u)
    for i2 in range(u.shape[0]):
        # line 32: return np.sum(u * u)
        u_b[i2] += 2.0 * r_b * u[i2]
    for _ in range(steps - 1, -1, -1):
        t = take_real(arena, 1)
        t_b = pooled_zeros(t)
        t_2 = take_real(arena, 1)
        t_2_b = pooled_zeros(t_2)
        for i in range(u.shape[0] - 2):
            # line 31: u[1:-1] = u[1:-1] + k * (u[2:] - 2.0 * u[1:-1] + u[:-2])
            w = u_b[i + 1]
            u_b[i + 1] = w * (1.0 - 2.0 * k)
            t_b[i] += w * k
            t_2_b[i] += w * k
        accumulate(u_b[:-2], t_2_b)
        accumulate(u_b[2:], t_b)
    # line 29: u = u0.copy()
    accumulate(u0_b, u_b)
