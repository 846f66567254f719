"""Recording form of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Statements between start, k and s are put on a tape.
"""

from s2sad_runtime import (
    copied, free_all, guarded, input_index, input_indices, jit, new_tape, record, require, seal,
    tape_arena
)

require(1)


@jit
def f(start, k, steps):
    n = start.shape[0]
    u = start.copy()
    u_next = start.copy()
    for _ in range(steps):
        for i in range(1, n - 1):
            u_next[i] = u[i] + k * u[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1])
        u, u_next = u_next, u
    s = 0.0
    for i in range(n):
        s += u[i] * u[i]
    return s


@jit(inner=True)
def f_tape(start, k, steps, start_i, k_i, tape):
    """Run `f` and put its statements on the tape: the results, then their indices."""
    n = start.shape[0]
    u = start.copy()
    u_i = copied(tape, start_i)
    u_next = start.copy()
    u_next_i = copied(tape, start_i)
    for _ in range(steps):
        for i in range(1, n - 1):
            u_next_i[i] = record(
                tape, u_next_i[i], u_i[i],
                1.0 + k * (u[i - 1] - 2.0 * u[i] + u[i + 1]) - 2.0 * k * u[i], k_i,
                u[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1]), u_i[i - 1], k * u[i], u_i[i + 1],
                k * u[i]
            )
            u_next[i] = u[i] + k * u[i] * (u[i - 1] - 2.0 * u[i] + u[i + 1])
        u, u_next = u_next, u
        u_i, u_next_i = u_next_i, u_i
    s = 0.0
    s_i = 0
    for i in range(n):
        s_i = record(tape, s_i, s_i, 1.0, u_i[i], 2.0 * u[i])
        s += u[i] * u[i]
    free_all(tape, u_next_i)
    free_all(tape, u_i)
    return s, s_i


@jit
def f_record(start, k, steps, manager, check):
    """The results of `f`, their indices, those of array arguments at the end, and the tape's
    memory.
    """
    arena = tape_arena()
    tape = new_tape(arena, manager, check)
    start_i = input_indices(tape, start)
    k_i = input_index(tape)
    y, y2 = guarded(f_tape, (arena, start_i), start, k, steps, start_i, k_i, tape)
    seal(tape)
    return y, y2, start_i, arena
