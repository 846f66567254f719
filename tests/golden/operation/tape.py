"""Recording form of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Statements between start_0, start_1, step and the result are put on a tape.
"""

from s2sad_runtime import (
    copy_index, free, guarded, input_index, jit, new_arena, new_tape, record, require, seal,
    tape_arena
)

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
def adjoint_other_of_Turn_after_pull(r_b_c, r_b_s, self_c, self_s, other_c, other_s, y_seed):
    """`adjoint_other_of_Turn_after` and its pullback."""
    arena = new_arena()
    y, y2 = guarded(
        adjoint_other_of_Turn_after_fwd, (arena,), r_b_c, r_b_s, self_c, self_s, other_c, other_s,
        arena
    )
    r_b_c_b, r_b_s_b = guarded(
        adjoint_other_of_Turn_after_rev, (arena,), r_b_c, r_b_s, self_c, self_s, other_c, other_s,
        y_seed, arena
    )
    return y, y2, r_b_c_b, r_b_s_b


@jit(inner=True)
def adjoint_other_of_Turn_after_pull2(r_b_c, r_b_s, self_c, self_s, other_c, other_s, y2_seed):
    """`adjoint_other_of_Turn_after` and its pullback."""
    arena = new_arena()
    y, y2 = guarded(
        adjoint_other_of_Turn_after_2_fwd, (arena,), r_b_c, r_b_s, self_c, self_s, other_c, other_s,
        arena
    )
    r_b_c_b, r_b_s_b = guarded(
        adjoint_other_of_Turn_after_2_rev, (arena,), r_b_c, r_b_s, self_c, self_s, other_c, other_s,
        y2_seed, arena
    )
    return y, y2, r_b_c_b, r_b_s_b


@jit(inner=True)
def Turn_after_d(self_c, self_s, other_c, other_s, self_c_t):
    """`Turn_after` and its tangent: the pullback of its rule, transposed."""
    y, y2 = Turn_after(self_c, self_s, other_c, other_s)
    y_again, y2_again, y_t, y2_t = Turn_after_body_d(self_c, self_s, other_c, other_s, self_c_t)
    return y, y2, y_t, y2_t


@jit(inner=True)
def Turn_after_d2(self_c, self_s, other_c, other_s, other_c_t):
    """`Turn_after` and its tangent: the pullback of its rule, transposed."""
    y, y2 = Turn_after(self_c, self_s, other_c, other_s)
    other_c_b_again, other_s_b_again, y_t, y2_t = adjoint_other_of_Turn_after_pull(
        0.0, 0.0, self_c, self_s, other_c, other_s, other_c_t
    )
    return y, y2, y_t, y2_t


@jit(inner=True)
def Turn_after_d3(self_c, self_s, other_c, other_s, other_s_t):
    """`Turn_after` and its tangent: the pullback of its rule, transposed."""
    y, y2 = Turn_after(self_c, self_s, other_c, other_s)
    other_c_b_again, other_s_b_again, y_t, y2_t = adjoint_other_of_Turn_after_pull2(
        0.0, 0.0, self_c, self_s, other_c, other_s, other_s_t
    )
    return y, y2, y_t, y2_t


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
def adjoint_other_of_Turn_after_rev(r_b_c, r_b_s, self_c, self_s, other_c, other_s, t_2_b, arena):
    # line 19: return Turn(self.c, -self.s).after(r_b)
    t = -self_s
    r_b_c_b = 0.0
    r_b_s_b = 0.0
    g, g2 = Turn_after_rev(self_c, t, r_b_c, r_b_s, t_2_b, arena)
    t_2_b = 0.0
    r_b_c_b += g
    r_b_s_b += g2
    return r_b_c_b, r_b_s_b


@jit(inner=True)
def Turn_after_fwd(self_c, self_s, other_c, other_s, arena):
    y, y2 = Turn_after(self_c, self_s, other_c, other_s)
    return y, y2


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def Turn_after_rev(self_c, self_s, other_c, other_s, y_seed, arena):
    other_c_b, other_s_b = adjoint_other_of_Turn_after(
        y_seed, 0.0, self_c, self_s, other_c, other_s
    )
    return other_c_b, other_s_b


@jit(inner=True)
def adjoint_other_of_Turn_after_2_fwd(r_b_c, r_b_s, self_c, self_s, other_c, other_s, arena):
    t = -self_s
    t_2, t_3 = Turn_after_2_fwd(self_c, t, r_b_c, r_b_s, arena)
    return t_2, t_3


@jit(inner=True, error_model="numpy")
def adjoint_other_of_Turn_after_2_rev(r_b_c, r_b_s, self_c, self_s, other_c, other_s, t_3_b, arena):
    # line 19: return Turn(self.c, -self.s).after(r_b)
    t = -self_s
    r_b_c_b = 0.0
    r_b_s_b = 0.0
    g, g2 = Turn_after_2_rev(self_c, t, r_b_c, r_b_s, t_3_b, arena)
    t_3_b = 0.0
    r_b_c_b += g
    r_b_s_b += g2
    return r_b_c_b, r_b_s_b


@jit(inner=True)
def Turn_after_2_fwd(self_c, self_s, other_c, other_s, arena):
    y, y2 = Turn_after(self_c, self_s, other_c, other_s)
    return y, y2


@jit(inner=True, error_model="numpy", fastmath={"contract", "nsz", "reassoc"})
def Turn_after_2_rev(self_c, self_s, other_c, other_s, y2_seed, arena):
    other_c_b, other_s_b = adjoint_other_of_Turn_after(
        0.0, y2_seed, self_c, self_s, other_c, other_s
    )
    return other_c_b, other_s_b


@jit(inner=True)
def f_tape(start_0, start_1, step, n, start_0_i, start_1_i, step_i, tape):
    """Run `f` and put its statements on the tape: the results, then their indices."""
    t_c = start_0
    t_c_i = copy_index(tape, 0, start_0_i)
    t_s = start_1
    t_s_i = copy_index(tape, 0, start_1_i)
    t_i = 0
    t_2_i = 0
    for _ in range(n):
        t, t_2 = Turn_after(step, 0.1, t_c, t_s)
        t_again, t_2_again, t_d, t_2_d = Turn_after_d(step, 0.1, t_c, t_s, 1.0)
        t_again2, t_2_again2, t_d2, t_2_d2 = Turn_after_d2(step, 0.1, t_c, t_s, 1.0)
        t_again3, t_2_again3, t_d3, t_2_d3 = Turn_after_d3(step, 0.1, t_c, t_s, 1.0)
        t_i2 = record(tape, 0, step_i, t_d, t_c_i, t_d2, t_s_i, t_d3)
        t_i3 = record(tape, 0, step_i, t_2_d, t_c_i, t_2_d2, t_s_i, t_2_d3)
        free(tape, t_i)
        t_i = t_i2
        free(tape, t_2_i)
        t_2_i = t_i3
        t_c = t
        t_c_i = copy_index(tape, t_c_i, t_i)
        t_s = t_2
        t_s_i = copy_index(tape, t_s_i, t_2_i)
    free(tape, t_i, t_2_i)
    y = t_c * t_s
    y_i = record(tape, 0, t_c_i, t_s, t_s_i, t_c)
    free(tape, t_c_i, t_s_i)
    return y, y_i


@jit
def f_record(start_0, start_1, step, n, manager, check):
    """The results of `f`, their indices, those of array arguments at the end, and the tape's
    memory.
    """
    arena = tape_arena()
    tape = new_tape(arena, manager, check)
    start_0_i = input_index(tape)
    start_1_i = input_index(tape)
    step_i = input_index(tape)
    y2, y3 = guarded(
        f_tape, (arena,), start_0, start_1, step, n, start_0_i, start_1_i, step_i, tape
    )
    seal(tape)
    return y2, y3, arena
