"""A list of arrays: states that are stored as time goes on are rows of one array, which grows."""

import numpy as np

ARGNUMS = (0,)
ARGUMENTS = (np.array([0.1, 0.5, 0.2, 0.4]), np.array([0.3, 0.1, 0.8, 0.2]), 3)


def f(u, goal, n):
    path = [u]
    for _ in range(n):
        u = u + 0.1 * np.sin(u)
        path.append(u)
    s = 0.0
    for row in path[1:]:
        s += (row[0] - goal[0]) ** 2
    return s + np.sum(np.array(path)[-1] * goal)
