"""Tangent of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Derivative of the result along directions of start_0, start_1, step.
"""

from s2sad_runtime import guarded, jit, new_arena, require

require(1)


@jit(inner=True)
def Turn_after(self_c, self_s, other_c, other_s):
    return self_c * other_c - self_s * other_s, self_c * other_s + self_s * other_c


@jit(inner=True)
def adjoint_other_of_Turn_after(r_b_c, r_b_s, self_c, self_s, other_c, other_s):
    t = -self_s
    t_2, t_3 = Turn_after(self_c, t, r_b_c, r_b_s)
    return t_2, t_3


@jit(inner=True)
def adjoint_other_of_Turn_after_pull(
    r_b_c, r_b_s, self_c, self_s, other_c, other_s, y_seed, y2_seed
):
    """`adjoint_other_of_Turn_after` and its pullback."""
    arena = new_arena()
    y, y2 = guarded(
        adjoint_other_of_Turn_after_fwd, (arena,), r_b_c, r_b_s, self_c, self_s, other_c, other_s,
        arena
    )
    r_b_c_b, r_b_s_b = guarded(
        adjoint_other_of_Turn_after_rev, (arena,), r_b_c, r_b_s, self_c, self_s, other_c, other_s,
        y_seed, y2_seed, arena
    )
    return y, y2, r_b_c_b, r_b_s_b


@jit(inner=True)
def Turn_after_d(self_c, self_s, other_c, other_s, self_c_t, other_c_t, other_s_t):
    """`Turn_after` and its tangent: the pullback of its rule, transposed."""
    y, y2 = Turn_after(self_c, self_s, other_c, other_s)
    other_c_b_again, other_s_b_again, y_t, y2_t = adjoint_other_of_Turn_after_pull(
        0.0, 0.0, self_c, self_s, other_c, other_s, other_c_t, other_s_t
    )
    y_again, y2_again, y_t2, y2_t2 = Turn_after_body_d(self_c, self_s, other_c, other_s, self_c_t)
    return y, y2, y_t + y_t2, y2_t + y2_t2


@jit(inner=True)
def Turn_after_body_d(self_c, self_s, other_c, other_s, self_c_d):
    return (
        self_c * other_c - self_s * other_s, self_c * other_s + self_s * other_c,
        other_c * self_c_d, other_s * self_c_d
    )


@jit
def f(start_0, start_1, step, n):
    t_c = start_0
    t_s = start_1
    for _ in range(n):
        t, t_2 = Turn_after(step, 0.1, t_c, t_s)
        t_c = t
        t_s = t_2
    return t_c * t_s


@jit(inner=True)
def adjoint_other_of_Turn_after_fwd(r_b_c, r_b_s, self_c, self_s, other_c, other_s, arena):
    t = -self_s
    t_2, t_3 = Turn_after_fwd(self_c, t, r_b_c, r_b_s, arena)
    return t_2, t_3


@jit(inner=True, error_model="numpy")
def adjoint_other_of_Turn_after_rev(
    r_b_c, r_b_s, self_c, self_s, other_c, other_s, t_2_b, t_3_b, arena
):
    # line 19: return Turn(self.c, -self.s).after(r_b)
    t = -self_s
    r_b_c_b = 0.0
    r_b_s_b = 0.0
    g, g2 = Turn_after_rev(self_c, t, r_b_c, r_b_s, t_2_b, t_3_b, arena)
    t_2_b = 0.0
    t_3_b = 0.0
    r_b_c_b += g
    r_b_s_b += g2
    return r_b_c_b, r_b_s_b


@jit(inner=True)
def Turn_after_fwd(self_c, self_s, other_c, other_s, arena):
    y, y2 = Turn_after(self_c, self_s, other_c, other_s)
    return y, y2


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def Turn_after_rev(self_c, self_s, other_c, other_s, y_seed, y2_seed, arena):
    other_c_b, other_s_b = adjoint_other_of_Turn_after(
        y_seed, y2_seed, self_c, self_s, other_c, other_s
    )
    return other_c_b, other_s_b


@jit
def f_d(start_0, start_1, step, n, start_0_d, start_1_d, step_d):
    """`f` and its tangent: the results, then their tangents."""
    t_c = start_0
    t_c_d = start_0_d
    t_s = start_1
    t_s_d = start_1_d
    for _ in range(n):
        t, t_2, t_d, t_2_d = Turn_after_d(step, 0.1, t_c, t_s, step_d, t_c_d, t_s_d)
        t_c = t
        t_c_d = t_d
        t_s = t_2
        t_s_d = t_2_d
    return t_c * t_s, t_s * t_c_d + t_c * t_s_d
