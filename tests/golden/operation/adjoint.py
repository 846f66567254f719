"""Adjoint of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Gradient of the result with respect to start_0, start_1, step.

kept           where  bytes  why
t_c (line 24)  slot   8 * n  carried by the loop
t_s (line 24)  slot   8 * n  carried by the loop
"""

from s2sad_runtime import guarded, hold, jit, new_arena, real_slots, require, take_real

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
def Turn_after_body_pull(self_c, self_s, other_c, other_s, y_seed, y2_seed):
    """`Turn_after_body` and its pullback."""
    arena = new_arena()
    y, y2 = guarded(Turn_after_body_fwd, (arena,), self_c, self_s, other_c, other_s, arena)
    self_c_b, self_s_b = guarded(
        Turn_after_body_rev, (arena,), self_c, self_s, other_c, other_s, y_seed, y2_seed, arena
    )
    return y, y2, self_c_b, self_s_b


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
def Turn_after_body_fwd(self_c, self_s, other_c, other_s, arena):
    y = self_c * other_c - self_s * other_s
    y2 = self_c * other_s + self_s * other_c
    return y, y2


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def Turn_after_body_rev(self_c, self_s, other_c, other_s, y_b, y2_b, arena):
    # line 15: return Turn(self.c * other.c - self.s * other.s, self.c * other.s + ...
    self_c_b = y2_b * other_s
    self_s_b = y2_b * other_c
    self_c_b += y_b * other_c
    self_s_b -= y_b * other_s
    return self_c_b, self_s_b


@jit(inner=True)
def Turn_after_fwd(self_c, self_s, other_c, other_s, arena):
    y, y2 = Turn_after(self_c, self_s, other_c, other_s)
    return y, y2


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def Turn_after_rev(self_c, self_s, other_c, other_s, y_seed, y2_seed, arena):
    other_c_b, other_s_b = adjoint_other_of_Turn_after(
        y_seed, y2_seed, self_c, self_s, other_c, other_s
    )
    y_0_again, y_1_again, self_c_b, self_s_b = Turn_after_body_pull(
        self_c, self_s, other_c, other_s, y_seed, y2_seed
    )
    return self_c_b, other_c_b, other_s_b


@jit(inner=True)
def f_fwd(start_0, start_1, step, n, arena):
    """Run `f` forward; what the reverse sweep needs is kept in the arena."""
    kept = real_slots(arena, (2,))
    t_c = start_0
    t_s = start_1
    t_c_s = real_slots(arena, (n,))
    t_s_s = real_slots(arena, (n,))
    for it in range(n):
        t_c_s[it] = t_c
        t_s_s[it] = t_s
        t, t_2 = Turn_after_fwd(step, 0.1, t_c, t_s, arena)
        t_c = t
        t_s = t_2
    hold(arena, t_c_s, t_s_s)
    kept[0] = t_c
    kept[1] = t_s
    y = t_c * t_s
    hold(arena, kept)
    return y


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def f_rev(start_0, start_1, step, n, y_b, arena):
    """Take `f` backwards: from the adjoints of its results to those of its arguments."""
    kept = take_real(arena, 1)
    # line 24: for _ in range(n):
    t_c_2 = kept[0]
    t_s_2 = kept[1]
    step_b = 0.0
    # line 26: return t.c * t.s
    t_c_b = y_b * t_s_2
    t_s_b = y_b * t_c_2
    t_s_s = take_real(arena, 1)
    t_c_s = take_real(arena, 1)
    for it in range(n - 1, -1, -1):
        # line 24: for _ in range(n):
        t_c = t_c_s[it]
        t_s = t_s_s[it]
        # line 25: t = Turn(step, 0.1).after(t)
        g, g2, g3 = Turn_after_rev(step, 0.1, t_c, t_s, t_c_b, t_s_b, arena)
        step_b += g
        t_c_b = g2
        t_s_b = g3
    # line 23: t = Turn(start[0], start[1])
    start_1_b = t_s_b
    start_0_b = t_c_b
    return start_0_b, start_1_b, step_b


@jit
def f_grad(start, step, n):
    """The value and the gradient of `f`."""
    start_0, start_1 = start
    arena = new_arena()
    y = guarded(f_fwd, (arena,), start_0, start_1, step, n, arena)
    start_0_b, start_1_b, step_b = guarded(f_rev, (arena,), start_0, start_1, step, n, 1.0, arena)
    return y, ((start_0_b, start_1_b), step_b)
