# def marched(u, k, steps):
#     for _ in range(steps):
#         u = u + k * np.sin(u)
#     return np.sum(u)

@jit(inner=True)
def marched_fwd(u, k, steps, arena):
    """Run `marched` forward; what the reverse sweep needs is kept in the arena."""
    u_2 = own(arena, u)
    for _ in range(steps):
        u_3 = real_slots(arena, (u_2.shape[0],))
        for i in range(u_2.shape[0]):
            t = np.sin(u_2[i])
            u_3[i] = u_2[i] + k * t
        hold(arena, u_2)
        u_2 = u_3
    y = np.sum(u_2)
    hold(arena, u_2)
    return y

@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def marched_rev(u, k, steps, u_b, y_b, arena):
    """Take `marched` backwards: from the adjoints of its results to those of its arguments."""
    u_2 = take_real(arena, 1)
    u_2_b = pooled_zeros(u_2)
    # line 47: return np.sum(u)
    accumulate(u_2_b, y_b)
    for _ in range(steps - 1, -1, -1):
        # line 46: u = u + k * np.sin(u)
        u_3 = u_2
        u_3_b = u_2_b
        u_2 = take_real(arena, 1)
        u_2_b = pooled_zeros(u_2)
        for i in range(u_2.shape[0]):
            w = u_3_b[i]
            u_3_b[i] = 0.0
            t_b = w * k
            u_2_b[i] += w + t_b * np.cos(u_2[i])
    accumulate(u_b, u_2_b)
