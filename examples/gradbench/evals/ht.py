"""A hand whose bones are turned until it fits measured points: errors, and their Jacobian for the pose.

Each of the points lies on a triangle of the hand's surface, at coordinates `us` that are found as well; or, without
these, at a vertex.
"""

import numpy as np

import s2sad
from evals.task import Task, array


def turn(x, z, y, out):
    """The rotation by three angles, about the axes x, y, z in this order, into the upper left of `out`."""
    cx, sx, cy, sy, cz, sz = np.cos(x), np.sin(x), np.cos(y), np.sin(y), np.cos(z), np.sin(z)
    out[0, 0], out[0, 1], out[0, 2] = cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx
    out[1, 0], out[1, 1], out[1, 2] = sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx
    out[2, 0], out[2, 1], out[2, 2] = -sy, cy * sx, cy * cx


def about(axis, out):
    """The rotation about an axis by its length; none where that is very short."""
    angle = np.sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2])
    if angle < 0.0001:
        for i in range(3):
            for j in range(3):
                out[i, j] = 1.0 if i == j else 0.0
    else:
        x, y, z = axis[0] / angle, axis[1] / angle, axis[2] / angle
        s, c = np.sin(angle), np.cos(angle)
        out[0, 0], out[0, 1], out[0, 2] = (
            x * x + (1 - x * x) * c,
            x * y * (1 - c) - z * s,
            x * z * (1 - c) + y * s,
        )
        out[1, 0], out[1, 1], out[1, 2] = (
            x * y * (1 - c) + z * s,
            y * y + (1 - y * y) * c,
            y * z * (1 - c) - x * s,
        )
        out[2, 0], out[2, 1], out[2, 2] = (
            x * z * (1 - c) - y * s,
            y * z * (1 - c) + x * s,
            z * z + (1 - z * z) * c,
        )


def times(a, b, out):
    """The product of two matrices of 4 rows and columns."""
    for i in range(4):
        for j in range(4):
            out[i, j] = a[i, 0] * b[0, j] + a[i, 1] * b[1, j] + a[i, 2] * b[2, j] + a[i, 3] * b[3, j]


def vertices(theta, parents, relatives, inverses, base, weights, mirrored):
    """The places of the hand's vertices, one per row.

    theta  the hand's turn (3) and place (3), then per finger four angles: two of its first joint, one of two others
    """
    bones = len(parents)
    turned, relative, transform = np.zeros((4, 4)), np.empty((4, 4)), np.empty((4, 4))
    turned[3, 3] = 1.0
    absolute = np.empty((bones, 4, 4))
    out = np.zeros((len(base), 3))
    for bone in range(bones):
        joint, finger = (bone - 1) % 4, (bone - 1) // 4
        x, z = 0.0, 0.0
        if 0 < bone <= 20 and joint > 0:
            first = 6 + 4 * finger
            if joint == 1:
                x, z = theta[first], theta[first + 1]
            else:
                x = theta[first + joint]
        turn(x, z, 0.0, turned)
        times(relatives[bone], turned, relative)
        if parents[bone] == -1:
            for i in range(4):
                for j in range(4):
                    absolute[bone, i, j] = relative[i, j]
        else:
            times(absolute[parents[bone]], relative, absolute[bone])
        times(absolute[bone], inverses[bone], transform)
        for v in range(len(base)):
            w = weights[v, bone]
            if w != 0.0:
                x, y, z, one = base[v]
                for i in range(3):
                    place = (
                        transform[i, 0] * x
                        + transform[i, 1] * y
                        + transform[i, 2] * z
                        + transform[i, 3] * one
                    )
                    out[v, i] += w * place
    whole = np.empty((3, 3))
    about(theta[:3], whole)
    side = -1.0 if mirrored else 1.0
    for v in range(len(base)):
        x, y, z = side * out[v, 0], out[v, 1], out[v, 2]
        for i in range(3):
            out[v, i] = whole[i, 0] * x + whole[i, 1] * y + whole[i, 2] * z + theta[3 + i]
    return out


@s2sad.differentiate
def errors(theta, us, hand, triangles, which, points):
    """How far the hand is from the points, 3 numbers each; `which` triangle (or vertex) each belongs to."""
    surface = vertices(theta, *hand)
    out = np.empty(3 * len(points))
    for i in range(len(points)):
        for j in range(3):
            if len(us) == 0:
                place = surface[which[i], j]
            else:
                a, b, c = triangles[which[i], 0], triangles[which[i], 1], triangles[which[i], 2]
                u, v = us[i, 0], us[i, 1]
                place = u * surface[a, j] + v * surface[b, j] + (1.0 - u - v) * surface[c, j]
            out[3 * i + j] = points[i, j] - place
    return out


def jacobian(theta, us, *rest):
    """One column per number of the pose; before them, if there are `us`, two: an error depends on its own two alone."""
    columns = []
    for k in range(2 if len(us) else 0):
        along = np.zeros_like(us)
        along[:, k] = 1.0
        columns.append(errors.jvp((theta, us, *rest), (None, along, *[None] * len(rest)))[1])
    return np.c_[(*columns, errors.jacobian(theta, us, *rest))]


def read(given):
    """Pose, coordinates on triangles, the hand, and what is measured."""
    data = given["data"]
    model = data["model"]
    hand = (
        np.array(model["parents"]),
        array(model["base_relatives"]),
        array(model["inverse_base_absolutes"]),
        array(model["base_positions"]),
        array(model["weights"]),
        bool(model["is_mirrored"]),
    )
    us = array(given["us"]).reshape(-1, 2)
    return (
        array(given["theta"]),
        us,
        hand,
        np.array(model["triangles"]),
        np.array(data["correspondences"]),
        array(data["points"]),
    )


TASKS = {"objective": Task(errors, read), "jacobian": Task(jacobian, read)}
