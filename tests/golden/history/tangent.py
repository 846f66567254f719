"""Tangent of f, made by s2sad 0.1 for s2sad_runtime ABI 1.

Derivative of r along directions of u.
"""

import numpy as np
from s2sad_runtime import jit, require

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


@jit
def f_d(u, goal, n, u_d):
    """`f` and its tangent: the results, then their tangents."""
    u_2 = u.copy()
    u_2_d = u_d.copy()
    path = np.empty((8, u_2.shape[0]))
    path_d = np.zeros_like(path)
    path_d[0] = u_2_d
    path[0] = u_2
    path_n = 1
    for _ in range(n):
        u_3 = np.empty(u_2.shape[0])
        u_3_d = np.zeros_like(u_3)
        for i in range(u_2.shape[0]):
            t2 = np.sin(u_2[i])
            t2_d = np.cos(u_2[i]) * u_2_d[i]
            u_3_d[i] = u_2_d[i] + 0.1 * t2_d
            u_3[i] = u_2[i] + 0.1 * t2
        u_2 = u_3
        u_2_d = u_3_d
        if path.shape[1] != u_2.shape[0]:
            raise ValueError("the arrays in a list that changes have one shape")
        if path_n == path.shape[0]:
            more = np.empty((max(8, 2 * path_n), u_2.shape[0]))
            more_d = np.zeros_like(more)
            more_d[:path_n] = path_d
            more[:path_n] = path
            path = more
            path_d = more_d
        path_d[path_n] = u_2_d
        path[path_n] = u_2
        path_n += 1
    s = 0.0
    s_d = 0.0
    t = path[:path_n]
    t_d = path_d[:path_n]
    part = t[1:].copy()
    part_d = t_d[1:].copy()
    part_n = part.shape[0]
    for k in range(part_n):
        row = part[k]
        row_d = part_d[k]
        s_d += 2.0 * (row[0] - goal[0]) * row_d[0]
        s += (row[0] - goal[0]) ** 2
    if path_n == 0:
        raise ValueError("need at least one array to stack")
    t_2 = path[:path_n].copy()
    t_2_d = path_d[:path_n].copy()
    t_3 = t_2[-1] * goal
    t_3_d = goal * t_2_d[-1]
    t3 = np.sum(t_3)
    t3_d = np.sum(t_3_d)
    r = s + t3
    r_d = s_d + t3_d
    return r, r_d
