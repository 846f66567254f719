"""Dicts made inside a function: keys are constants, items are names."""

import numpy as np

from corpus.case import case, vector

RATES = {"growth": 0.8, "weights": vector(3, 0.9), "kind": "logistic", 2: 1.5}


def written(x):
    d = {"a": x, "b": 2.0}
    d["b"] *= d["a"]
    d["c"] = d["a"] + d["b"]
    d["a"], d["b"] = d["b"], d["a"]
    return d["c"] * d.get("z", 3.0) * d["a"] - d["b"]


def oscillated(x, n):
    s = dict(u=x, v=1.0)  # noqa: C408
    for _ in range(n):
        s["u"], s["v"] = s["u"] + 0.1 * s["v"], s["v"] - 0.1 * s["u"]
    return s["u"] * s["v"]


def stepped(s, dt):
    return {"x": s["x"] + dt * s["v"], "v": s["v"] - dt * np.sin(s["x"])}


def swung(x, n):
    s = {"x": x, "v": 0.0}
    for _ in range(n):
        s = stepped(s, 0.1)
    return s["x"]


def each_item(x):
    d = {"a": x, "b": x * x}
    for k in d:
        d[k] = d[k] * 2.0
    for k, v in d.items():
        d[k] = v + 1.0
    e = {k: v * v for k, v in d.items() if k != "a"}
    return d["a"] * e["b"] + len(e)


def items_taken_before(x):
    d = {"a": x, "b": 2.0 * x}
    for v in (d["a"], d["b"]):
        d["b"] = v * v
    return d["b"]


def arrays_inside(u, n):
    s = {"u": u.copy(), "total": 0.0}
    for _ in range(n):
        s["u"][1:] += s["u"][:-1]
        s["u"] = s["u"] * 2.0
        s["total"] += np.sum(s["u"] ** 2)
    return s["total"]


def two_items_of_one_array(u):
    d = {"u": u, "v": u * 1.0}
    d["v"] = d["u"]
    d["u"][0] = 3.0
    return np.sum(d["v"] * u)


def captured(x):
    d = {"a": x}

    def scaled(y):
        return d["a"] * y

    d["a"] = 3.0 * x
    return scaled(x)


def weighted(x, growth, weights, scale=1.0):
    return scale * growth * np.sum(weights) * x


def spread(x):
    p = {"growth": x, "weights": RATES["weights"]}
    merged = {**p, "scale": x * RATES[2]}
    return weighted(x, **merged) * RATES["growth"] if RATES["kind"] == "logistic" else x


def on_both_paths(x):
    d = {}
    if x > 0.5:
        d["a"] = x * x
    else:
        d["a"] = np.sin(x)
    while d["a"] < 10.0:
        d["a"] = d["a"] * 2.0 + 1.0
    return d["a"] if "b" not in d else x


CASES = [
    case(written, 0.7),
    case(oscillated, 0.7, 4),
    case(oscillated, 0.7, 0, note="no trips"),
    case(swung, 0.7, 5),
    case(each_item, 0.7),
    case(items_taken_before, 0.7),
    case(arrays_inside, vector(4), 3),
    case(two_items_of_one_array, vector(3)),
    case(captured, 0.7),
    case(spread, 0.7),
    case(on_both_paths, 0.7),
    case(on_both_paths, 0.3, note="other path"),
]
