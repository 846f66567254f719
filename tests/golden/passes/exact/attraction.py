# def attraction(p, m, e):
#     n = p.shape[0]
#     s = 0.0
#     for t in range(2):
#         for i in range(n):
#             a = 0.0
#             for j in range(n):
#                 d = p[j, 0] - p[i, 0]
#                 q = d * d + (p[j, 1] - p[i, 1]) ** 2 + e
#                 a += m[j] * d / (q * np.sqrt(q))
#             s += a * a * m[i]
#     return s

def formed_again(p_at, p_at2, p_at3, p_at4, e):
    """Values of the program, formed as it formed them."""
    d = p_at - p_at2
    q = d * d + (p_at3 - p_at4) ** 2 + e
    r = 1.0 / (q * np.sqrt(q))
    return d, q, r


def attraction_rev(p, m, e, p_b, m_b, s_b, arena):
    """Take `attraction` backwards: from the adjoints of its results to those of its arguments."""
    # line 24: n = p.shape[0]
    n = p.shape[0]
    e_b = 0.0
    a_s = take_real(arena, 2)
    for t in range(2):
        for i in range(n):
            # line 29: for j in range(n):
            a = a_s[t, i]
            # line 33: s += a * a * m[i]
            a_b = 2.0 * s_b * a * m[i]
            m_b[i] += s_b * a * a
            # line 29: for j in range(n):
            p_sum = 0.0
            p_sum2 = 0.0
            for j in range(n):
                # line 30: d = p[j, 0] - p[i, 0]
                d, q, r = formed_again(p[j, 0], p[i, 0], p[j, 1], p[i, 1], e)
                # line 32: a += m[j] * d / (q * np.sqrt(q))
                m_b[j] += a_b * d * r
                d_b = a_b * m[j] * r
                r2 = 1.0 / q
                q_b = -1.5 * a_b * m[j] * d * r2 * r2 / np.sqrt(q)
                # line 31: q = d * d + (p[j, 1] - p[i, 1]) ** 2 + e
                d_b += 2.0 * q_b * d
                p_b[j, 1] += 2.0 * q_b * (p[j, 1] - p[i, 1])
                p_sum -= 2.0 * q_b * (p[j, 1] - p[i, 1])
                e_b += q_b
                # line 30: d = p[j, 0] - p[i, 0]
                p_b[j, 0] += d_b
                p_sum2 -= d_b
            # line 31: q = d * d + (p[j, 1] - p[i, 1]) ** 2 + e
            p_b[i, 1] += p_sum
            # line 30: d = p[j, 0] - p[i, 0]
            p_b[i, 0] += p_sum2
    return e_b


