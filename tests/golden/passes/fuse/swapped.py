# def swapped(u0, k, steps):
#     u = u0.copy()
#     un = u0.copy()
#     for _ in range(steps):
#         un[1:-1] = u[1:-1] + k * (u[2:] - 2.0 * u[1:-1] + u[:-2])
#         u, un = un, u
#     return np.sum(u * u)

@jit(inner=True)
def swapped_fwd(u0, k, steps, arena):
    """Run `swapped` forward; what the reverse sweep needs is kept in the arena."""
    u = own(arena, u0)
    un = own(arena, u0)
    for _ in range(steps):
        for i in range(un.shape[0] - 2):
            un[i + 1] = u[i + 1] + k * (u[i + 2] - 2.0 * u[i + 1] + u[i])
        u, un = un, u
    r = 0.0
    for i2 in range(u.shape[0]):
        t = u[i2] * u[i2]
        r += t
    hold(arena, un, u)
    return r

@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def swapped_rev(u0, k, steps, u0_b, r_b, arena):
    """Take `swapped` backwards: from the adjoints of its results to those of its arguments."""
    u = take_real(arena, 1)
    u_b = pooled_zeros(u)
    un = take_real(arena, 1)
    un_b = pooled_zeros(un)
    for i2 in range(u.shape[0]):
        # line 41: return np.sum(u * u)
        u_b[i2] += 2.0 * r_b * u[i2]
    for _ in range(steps - 1, -1, -1):
        # line 40: u, un = un, u
        un, u = u, un
        un_b, u_b = u_b, un_b
        # u_b gathers what its cells get from their neighbours
        for i in range(un.shape[0] - 4):
            # line 39: un[1:-1] = u[1:-1] + k * (u[2:] - 2.0 * u[1:-1] + u[:-2])
            u_b[i + 2] += un_b[i + 3] * k + un_b[i + 2] * (1.0 - 2.0 * k) + un_b[i + 1] * k
        frame_of_u_b(un, u_b, un_b, k)
        for i in range(un.shape[0] - 2):
            un_b[i + 1] = 0.0
    # line 37: un = u0.copy()
    accumulate(u0_b, un_b)
    # line 36: u = u0.copy()
    accumulate(u0_b, u_b)
