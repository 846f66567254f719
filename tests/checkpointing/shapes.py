"""Six shapes of bodies of loops of `checkpoint_range`: each as a function under a schedule, and with a plain loop."""

import importlib.util
import re
from pathlib import Path

import numpy as np

import s2sad


@s2sad.checkpoint
def flux(u, v, i, x):
    v[i] = v[i] * 0.5 + np.sin(u[i - 1] * x)
    return v[i] * u[i]


def indexed(schedule):
    """Reads the index; a number and an array are carried."""

    def f(u0, x, n, snapshots):
        u = u0.copy()
        s = x
        for t in s2sad.checkpoint_range(n, snapshots, schedule):
            for i in range(1, len(u)):
                u[i] = u[i] * np.cos(u[i - 1] * s) + 0.1 * t
            s = s * 0.9 + u[1] * 0.1
        return np.sum(u * u) * s

    return f


def several(schedule):
    """Writes several arrays, an integer and a bool among what is carried."""

    def f(u0, x, n, snapshots):
        u = u0.copy()
        v = u0 * x
        count = 0
        up = True
        for t in s2sad.checkpoint_range(n, snapshots, schedule):
            for i in range(len(u)):
                v[i] = v[i] * 0.7 - x * np.sin(u[i])
            for i in range(len(u)):
                u[i] += 0.1 * v[i] * (count + 1)
            if up:
                count += 2
            up = v[0] > 0.05 or not up
        return np.sum(u * v) + count * x

    return f


def swapped(schedule):
    """Exchanges the names of arrays, in the middle of the body."""

    def f(u0, x, n, snapshots):
        u = u0.copy()
        v = u0 * 2.0
        w = u0 + x
        for t in s2sad.checkpoint_range(n, snapshots, schedule):
            for i in range(1, len(u)):
                w[i] = u[i] * 0.9 + np.sin(v[i - 1]) * x
            u, v, w = v, w, u
            v[0] = w[1] * x + 0.1 * t
        return np.sum(u * v) + w[0]

    return f


def branching(schedule):
    """Goes different ways; exchanges names on one of them."""

    def f(u0, x, n, snapshots):
        u = u0.copy()
        v = u0 * x
        for t in s2sad.checkpoint_range(n, snapshots, schedule):
            if u[0] > v[1]:
                u[0] = u[0] * 0.3 + x * v[2]
            elif t % 3 == 1:
                u, v = v, u
            else:
                v[1] = np.exp(-u[1]) * x
                continue
            u[2] += v[2] * u[1]
        return np.sum(u * u) - v[1]

    return f


def leaving(schedule):
    """Leaves in the middle."""

    def f(u0, x, n, snapshots):
        u = u0.copy()
        s = x
        for t in s2sad.checkpoint_range(4 * n + 3, snapshots, schedule):
            if t == n:
                break
            s = s * 0.8 + u[t % 3] * 0.2
            u[t % 3] = np.sin(s) * u[1] + 0.3
        return np.sum(u * u) * s

    return f


def calling(schedule):
    """Calls a function that is run again itself, and makes its state anew."""

    def f(u0, x, n, snapshots):
        u = u0 * 1.0
        v = u0.copy()
        s = 0.0
        for t in s2sad.checkpoint_range(n, snapshots, schedule):
            with s2sad.checkpoint():
                for i in range(1, len(u)):
                    s += flux(u, v, i, x) * 0.3
            u = np.sin(u + v) * x
            for k in s2sad.checkpoint_range(t % 3, 1):
                s = s * 0.9 + u[k] * x
        return s + np.sum(u * v)

    return f


SHAPES = {f.__name__: f for f in (indexed, several, swapped, branching, leaving, calling)}
SCHEDULES = ("revolve", "uniform", "online", "disk")
START = np.array([0.5, 0.7, 0.9])


def made(shape, schedule):
    """One of the six under a schedule."""
    return SHAPES[shape](schedule)


def plain(folder):
    """The six with plain loops and without regions, by name: a text of their own, since s2sad reads texts."""
    text = Path(__file__).read_text(encoding="utf-8")
    text = re.sub(r"s2sad.checkpoint_range\((.+?), (snapshots, schedule|1)\)", r"range(\1)", text)
    text = text.replace("with s2sad.checkpoint():", "if True:").replace("@s2sad.checkpoint\n", "")
    path = Path(folder) / "plain_shapes.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("plain_shapes", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {name: shape(None) for name, shape in module.SHAPES.items()}
