# def stepped(u0, c):
#     u, new = u0.copy(), u0.copy()
#     for _ in range(3):
#         for i in range(1, u.shape[0] - 1):
#             for j in range(2, u.shape[1]):
#                 new[i, j] = u[i, j] + c * np.sin(u[i - 1, j] * u[i, j - 2])
#         u, new = new, u
#     return np.sum(u * u)

def stepped_fwd(u0, c, arena):
    """Run `stepped` forward; what the reverse sweep needs is kept in the arena."""
    u = own(arena, u0)
    new = own(arena, u0)
    for _ in range(3):
        t2_s = real_slots(arena, (u.shape[0] - 1, u.shape[1]))
        new = renewed(arena, new, (1, u.shape[0] - 1, 2, u.shape[1]))
        for i in range(1, u.shape[0] - 1):
            for j in range(2, u.shape[1]):
                t2 = np.sin(u[i - 1, j] * u[i, j - 2])
                t2_s[i, j] = t2
                new[i, j] = u[i, j] + c * t2
        hold(arena, t2_s)
        u, new = new, u
    r = 0.0
    for i2 in range(u.shape[0]):
        for j2 in range(u.shape[1]):
            t = u[i2, j2] * u[i2, j2]
            r += t
    hold(arena, new, u)
    return r


