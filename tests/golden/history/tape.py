"""Recording form of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Statements between u, goal and r are put on a tape.
"""

import numpy as np
from s2sad_runtime import (
    copied, copy_all, free, free_all, guarded, input_indices, jit, new_tape, no_indices, record,
    record_all, record_sum, require, seal, tape_arena
)

require(1)


@jit
def f(u, goal, n):
    u_2 = u.copy()
    path = np.empty((8, u_2.shape[0]))
    path[0] = u_2
    path_n = 1
    for _ in range(n):
        u_3 = u_2 + 0.1 * np.sin(u_2)
        u_2 = u_3
        if path.shape[1] != u_2.shape[0]:
            raise ValueError("the arrays in a list that changes have one shape")
        if path_n == path.shape[0]:
            more = np.empty((max(8, 2 * path_n), u_2.shape[0]))
            more[:path_n] = path
            path = more
        path[path_n] = u_2
        path_n += 1
    s = 0.0
    t = path[:path_n]
    part = t[1:].copy()
    part_n = part.shape[0]
    for k in range(part_n):
        row = part[k]
        s += (row[0] - goal[0]) ** 2
    if path_n == 0:
        raise ValueError("need at least one array to stack")
    t_2 = path[:path_n].copy()
    t_3 = t_2[-1] * goal
    r = s + np.sum(t_3)
    return r


@jit(inner=True)
def f_tape(u, goal, n, u_i, goal_i, tape):
    """Run `f` and put its statements on the tape: the results, then their indices."""
    u_2 = u.copy()
    u_2_i = copied(tape, u_i)
    path = np.empty((8, u_2.shape[0]))
    path_i = no_indices(path)
    path[0] = u_2
    copy_all(tape, path_i[0], u_2_i)
    path_n = 1
    for _ in range(n):
        u_3 = u_2 + 0.1 * np.sin(u_2)
        u_3_i = no_indices(u_3)
        record_all(tape, u_3_i, u_2_i, 1.0 + 0.1 * np.cos(u_2))
        free_all(tape, u_2_i)
        u_2 = u_3
        u_2_i = u_3_i
        if path.shape[1] != u_2.shape[0]:
            raise ValueError("the arrays in a list that changes have one shape")
        if path_n == path.shape[0]:
            more = np.empty((max(8, 2 * path_n), u_2.shape[0]))
            more_i = no_indices(more)
            more[:path_n] = path
            copy_all(tape, more_i[:path_n], path_i)
            free_all(tape, path_i)
            path = more
            path_i = more_i
        path[path_n] = u_2
        copy_all(tape, path_i[path_n], u_2_i)
        path_n += 1
    s = 0.0
    s_i = 0
    t = path[:path_n]
    t_i = path_i[:path_n]
    part = t[1:].copy()
    part_i = copied(tape, t_i[1:])
    part_n = part.shape[0]
    for k in range(part_n):
        row = part[k]
        row_i = part_i[k]
        s_i = record(
            tape, s_i, s_i, 1.0, row_i[0], 2.0 * (row[0] - goal[0]), goal_i[0],
            -2.0 * (row[0] - goal[0])
        )
        s += (row[0] - goal[0]) ** 2
    if path_n == 0:
        raise ValueError("need at least one array to stack")
    t_2 = path[:path_n].copy()
    t_2_i = copied(tape, path_i[:path_n])
    t_3 = t_2[-1] * goal
    t_3_i = no_indices(t_3)
    record_all(tape, t_3_i, t_2_i[-1], goal, goal_i, t_2[-1])
    t2 = np.sum(t_3)
    t2_i = record_sum(tape, 0, t_3_i, 1.0)
    r = s + t2
    r_i = record(tape, 0, s_i, 1.0, t2_i, 1.0)
    free(tape, s_i, t2_i)
    free_all(tape, t_3_i)
    free_all(tape, t_2_i)
    free_all(tape, part_i)
    free_all(tape, path_i)
    free_all(tape, u_2_i)
    return r, r_i


@jit
def f_record(u, goal, n, manager, check):
    """The results of `f`, their indices, those of array arguments at the end, and the tape's
    memory.
    """
    arena = tape_arena()
    tape = new_tape(arena, manager, check)
    u_i = input_indices(tape, u)
    goal_i = input_indices(tape, goal)
    y, y2 = guarded(f_tape, (arena, u_i, goal_i), u, goal, n, u_i, goal_i, tape)
    seal(tape)
    return y, y2, u_i, goal_i, arena
