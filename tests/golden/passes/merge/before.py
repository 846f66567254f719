# @example("merge", X, Y)
# def products(x, y):
#     u, v = np.zeros(len(x)), np.zeros(len(x))
#     for i in range(1, len(x)):
#         u[i] = x[i] * y[i - 1]
#         v[i] = x[i] * np.sin(y[i])
#     s = 0.0
#     for i in range(len(x)):
#         s += u[i] * v[i]
#     return s

@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def products_rev(x, y, x_b, y_b, s_b, arena):
    """Take `products` backwards: from the adjoints of its results to those of its arguments."""
    u = take_real(arena, 1)
    u_b = pooled_zeros(u)
    v = take_real(arena, 1)
    v_b = pooled_zeros(v)
    for i in range(x.shape[0] - 1, -1, -1):
        # line 42: s += u[i] * v[i]
        u_b[i] += s_b * v[i]
        v_b[i] += s_b * u[i]
    t_s = take_real(arena, 1)
    for i in range(x.shape[0] - 1, 0, -1):
        # line 39: v[i] = x[i] * np.sin(y[i])
        t = t_s[i]
        w = v_b[i]
        x_b[i] += w * t
        t_b = w * x[i]
        y_b[i] += t_b * np.cos(y[i])
        # line 38: u[i] = x[i] * y[i - 1]
        w = u_b[i]
        x_b[i] += w * y[i - 1]
        y_b[i - 1] += w * x[i]
