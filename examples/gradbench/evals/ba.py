"""Bundle adjustment: errors of points seen by cameras, and their sparse Jacobian."""

import numpy as np
from numba import njit

import s2sad
from evals.task import Task, array


@njit
def error(p, feature):
    """The error of one observation, in two directions.

    p  turn, place, focal length, principal point, distortion of the camera (11); the point (3); the weight
    """
    x, y, z = p[11] - p[3], p[12] - p[4], p[13] - p[5]
    square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2]
    if square != 0.0:
        angle = np.sqrt(square)
        cos, sin = np.cos(angle), np.sin(angle)
        a, b, c = p[0] / angle, p[1] / angle, p[2] / angle
        along = (a * x + b * y + c * z) * (1.0 - cos)
        u = x * cos + (b * z - c * y) * sin + a * along
        v = y * cos + (c * x - a * z) * sin + b * along
        w = z * cos + (a * y - b * x) * sin + c * along
    else:
        u = x + p[1] * z - p[2] * y
        v = y + p[2] * x - p[0] * z
        w = z + p[0] * y - p[1] * x
    u, v = u / w, v / w
    radius = u * u + v * v
    scale = p[6] * (1.0 + p[9] * radius + p[10] * radius * radius)
    return p[14] * (u * scale + p[7] - feature[0]), p[14] * (v * scale + p[8] - feature[1])


def total(observations, features, across, down):
    """The weighted sum of all errors. Since each depends on its own row, the gradient has all their slopes."""
    out = 0.0
    for i in range(len(observations)):
        u, v = error(observations[i], features[i])
        out += across * u + down * v
    return out


slopes = s2sad.grad(total)
BATCH = 1000  # observations that are looked at together: few enough to stay near the processor


@njit
def gathered(cameras, points, weights, first, last):
    """What the observations from `first` to `last` depend on, one row each: cameras and points take turns."""
    p = np.empty((last - first, 15))
    for i in range(first, last):
        camera, point = i % len(cameras), i % len(points)
        for k in range(11):
            p[i - first, k] = cameras[camera, k]
        for k in range(3):
            p[i - first, 11 + k] = points[point, k]
        p[i - first, 14] = weights[i]
    return p


@njit
def errors(cameras, points, weights, features):
    """The errors of all observations, two each, and those of their weights."""
    observations = gathered(cameras, points, weights, 0, len(weights))
    misses, of_weights = np.empty((len(weights), 2)), np.empty(len(weights))
    for i in range(len(weights)):
        misses[i, 0], misses[i, 1] = error(observations[i], features[i])
        of_weights[i] = 1.0 - weights[i] * weights[i]
    return misses, of_weights


def jacobian(cameras, points, weights, features):
    """Starts of rows, columns, values of the sparse Jacobian: two rows of 15 each, then one of 1 per weight."""
    rows, columns, values = pattern(len(cameras), len(points), weights)
    count = len(weights)
    blocks = values[: 30 * count].reshape(count, 2, 15)
    for first in range(0, count, BATCH):
        last = min(first + BATCH, count)
        observations = gathered(cameras, points, weights, first, last)
        blocks[first:last, 0] = slopes(observations, features[first:last], 1.0, 0.0)
        blocks[first:last, 1] = slopes(observations, features[first:last], 0.0, 1.0)
    return rows, columns, values


@njit
def pattern(cameras, points, weights):
    """Starts of rows, columns, and of the values those of the weights."""
    count = len(weights)
    first_point = 11 * cameras
    first_weight = first_point + 3 * points
    rows = np.empty(3 * count + 1, np.int32)
    columns, values = np.empty(31 * count, np.int32), np.empty(31 * count)
    for i in range(count):
        camera, point = i % cameras, i % points
        for which in range(2):
            at = 30 * i + 15 * which
            rows[2 * i + which] = at
            for k in range(11):
                columns[at + k] = 11 * camera + k
            for k in range(3):
                columns[at + 11 + k] = first_point + 3 * point + k
            columns[at + 14] = first_weight + i
        rows[2 * count + i] = 30 * count + i
        columns[30 * count + i] = first_weight + i
        values[30 * count + i] = -2.0 * weights[i]
    rows[3 * count] = 31 * count
    return rows, columns, values


def read(given):
    """One camera, point, weight and feature, repeated as often as the input says."""
    return (
        np.tile(array(given["cam"]), (given["n"], 1)),
        np.tile(array(given["x"]), (given["m"], 1)),
        np.full(given["p"], float(given["w"])),
        np.tile(array(given["feat"]), (given["p"], 1)),
    )


def write_errors(result):
    """The first of each: all are alike."""
    misses, weights = result
    return {
        "reproj_error": {"elements": misses[0], "repeated": len(misses)},
        "w_err": {"element": weights[0], "repeated": len(weights)},
    }


def write_jacobian(result):
    """The first 30 and the last of each list."""
    names = ("rows", "cols", "vals")
    return {name: np.append(part[:30], part[-1]) for name, part in zip(names, result, strict=True)}


TASKS = {"objective": Task(errors, read, write_errors), "jacobian": Task(jacobian, read, write_jacobian)}
