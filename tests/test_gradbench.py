"""The adapter for GradBench: its protocol, and each module against values from elsewhere, as plain Python."""

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import s2sad
from s2sad import pipeline
from s2sad.frontend.kinds import kind_of_value
from s2sad.pipeline import Request

FOLDER = Path(__file__).parents[1] / "examples" / "gradbench"
RNG = np.random.default_rng(8)


@pytest.fixture
def answer(monkeypatch):
    """The tool's answer to the evaluation of a function: its output."""
    if "S2SAD_FULL" not in os.environ:
        for name in ("differentiate", "grad"):
            monkeypatch.setattr(s2sad, name, partial(getattr(s2sad, name), jit=False))
    yield from asking(monkeypatch)


@pytest.fixture
def compiled_answer(monkeypatch):
    """The same, compiled."""
    yield from asking(monkeypatch)


def asking(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    for name in [n for n in sys.modules if n.partition(".")[0] in ("evals", "tool")]:
        monkeypatch.delitem(sys.modules, name)
    import tool

    def ask(module, function, given):
        assert tool.answer({"id": 1, "kind": "define", "module": module}) == {"id": 1, "success": True}
        message = {"id": 2, "kind": "evaluate", "module": module, "function": function}
        message["input"] = given | {"min_runs": 2, "min_seconds": 0} if isinstance(given, dict) else given
        found = json.loads(json.dumps(tool.answer(json.loads(json.dumps(message)))))
        assert found["success"], found
        named = [timing["name"] for timing in found["timings"]]
        assert named == ["compile"] + ["evaluate"] * (2 if isinstance(given, dict) else 1)
        return found["output"]

    yield ask
    for name in [n for n in sys.modules if n.partition(".")[0] in ("evals", "tool")]:
        del sys.modules[name]


def slopes(f, x, h=1e-6):
    """Central differences of the results of f for each element of x, along a last axis."""
    columns = []
    for k in range(x.size):
        up, down = x.copy().reshape(-1), x.copy().reshape(-1)
        up[k] += h
        down[k] -= h
        columns.append((f(up.reshape(x.shape)) - f(down.reshape(x.shape))) / (2 * h))
    return np.stack(columns, axis=-1)


def test_protocol():
    lines = [
        {"id": 0, "kind": "start", "eval": "hello"},
        {"id": 1, "kind": "define", "module": "nothing"},
        {"id": 2, "kind": "define", "module": "task"},
        {"id": 3, "kind": "evaluate", "module": "hello", "function": "nothing", "input": 1.0},
        {"id": 4, "kind": "analysis", "of": 3, "valid": False},
    ]
    ran = subprocess.run(
        [sys.executable, str(FOLDER / "tool.py")],
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True,
        text=True,
        check=True,
    )
    start, nothing, task, failed, analysis = map(json.loads, ran.stdout.splitlines())
    assert start == {"id": 0, "tool": "s2sad"}
    assert nothing == {"id": 1, "success": False}
    assert task == {"id": 2, "success": False}
    assert not failed["success"]
    assert "KeyError" in failed["error"]
    assert analysis == {"id": 4}


def test_hello(answer):
    assert answer("hello", "square", 3.0) == 9.0
    assert answer("hello", "double", 3.0) == 6.0


def test_lse(answer):
    x = np.array([100.0, 101.0, -50.0])
    weights = np.exp(x - 101.0)
    assert answer("lse", "primal", {"x": x.tolist()}) == pytest.approx(101.0 + np.log(weights.sum()))
    assert answer("lse", "gradient", {"x": x.tolist()}) == pytest.approx(weights / weights.sum())


@pytest.mark.parametrize("size", [1, 4, 7])
def test_det(answer, size):
    a = RNG.standard_normal((size, size))
    given = {"A": a.ravel().tolist(), "ell": size}
    assert answer("det", "primal", given) == pytest.approx(np.linalg.det(a))
    assert answer("det", "gradient", given) == pytest.approx((np.linalg.det(a) * np.linalg.inv(a).T).ravel())


def test_llsq(answer):
    x, t = np.array([0.3, -0.2, 0.5]), np.linspace(-1.0, 1.0, 7)
    powers = np.stack([t**j for j in range(3)], axis=1)
    miss = powers @ x - np.sign(t)
    assert answer("llsq", "primal", {"x": x.tolist(), "n": 7}) == pytest.approx(0.5 * miss @ miss)
    assert answer("llsq", "gradient", {"x": x.tolist(), "n": 7}) == pytest.approx(powers.T @ miss)


def test_ode(
    answer,
):  # for three parts, the method is exact: 2 x0, (2 t)**2 / 2 ..., powers of the time over factorials
    x = np.array([0.5, 0.7, 0.9])
    state = [2.0 * x[0], 2.0 * x[0] * x[1], 8.0 / 6.0 * x.prod()]
    assert answer("ode", "primal", {"x": x.tolist(), "s": 4}) == pytest.approx(state)
    assert answer("ode", "gradient", {"x": x.tolist(), "s": 4}) == pytest.approx(state[2] / x)


def test_kmeans(answer):
    points = RNG.standard_normal((9, 2))
    centres = points[:3]
    given = {"points": points.tolist(), "centroids": centres.tolist()}
    distances = ((points[:, None] - centres) ** 2).sum(axis=2)
    nearest = distances.argmin(axis=1)
    means = np.array([points[nearest == j].mean(axis=0) for j in range(3)])
    assert answer("kmeans", "cost", given) == pytest.approx(distances.min(axis=1).sum())
    assert np.array(answer("kmeans", "dir", given)) == pytest.approx(centres - means)


def test_gmm(answer):
    multivariate_normal = pytest.importorskip("scipy.stats").multivariate_normal
    wishart = pytest.importorskip("scipy.stats").wishart
    n, d, k, m, gamma = 4, 2, 3, 1, 0.8
    x, mu, q, l = (RNG.standard_normal(shape) for shape in ((n, d), (k, d), (k, d), (k, 1)))  # noqa: E741
    alpha = RNG.standard_normal(k)

    def posterior(alpha, mu, q, l):  # noqa: E741
        density, prior = 0.0, 0.0
        for c in range(k):
            lower = np.array([[np.exp(q[c, 0]), 0.0], [l[c, 0], np.exp(q[c, 1])]])
            precision = lower.T @ lower
            share = np.exp(alpha[c]) / np.exp(alpha).sum()
            density = density + share * multivariate_normal(mu[c], np.linalg.inv(precision)).pdf(x)
            prior += wishart(d + m + 1, np.eye(d) / gamma**2).logpdf(precision)
        return np.log(density).sum() + prior

    given = {"n": n, "d": d, "k": k, "m": m, "gamma": gamma, "x": x.tolist()}
    parts = {"alpha": alpha, "mu": mu, "q": q, "l": l}
    given |= {name: part.tolist() for name, part in parts.items()}
    assert answer("gmm", "objective", given) == pytest.approx(posterior(**parts))
    gradient = answer("gmm", "jacobian", given)
    for name, part in parts.items():
        expected = slopes(lambda v, name=name: posterior(**(parts | {name: v})), part)
        assert np.array(gradient[name]).ravel() == pytest.approx(expected, abs=1e-6)


def observed(p, feature):
    """The errors of one observation, by the matrix exponential of the turn."""
    from scipy.linalg import expm

    cross = np.array([[0.0, -p[2], p[1]], [p[2], 0.0, -p[0]], [-p[1], p[0], 0.0]])
    place = expm(cross) @ (p[11:14] - p[3:6])
    flat = place[:2] / place[2]
    square = flat @ flat
    return p[14] * (flat * (1.0 + p[9] * square + p[10] * square**2) * p[6] + p[7:9] - feature)


@pytest.mark.parametrize("turned", [1.0, 0.0])
def test_ba(answer, turned):
    p = np.array([0.3, -0.2, 0.5, 0.1, 0.2, -3.0, 1.5, 0.05, 0.02, 0.01, -0.02, 0.4, 0.6, 1.0, 0.9])
    p[:3] *= turned
    feature = np.array([0.2, 0.3])
    given = {"n": 2, "m": 3, "p": 5, "cam": p[:11].tolist(), "x": p[11:14].tolist(), "w": p[14]}
    given["feat"] = feature.tolist()
    found = answer("ba", "objective", given)
    assert found["reproj_error"] == {"elements": pytest.approx(observed(p, feature)), "repeated": 5}
    assert found["w_err"] == {"element": pytest.approx(1.0 - p[14] ** 2), "repeated": 5}
    found = answer("ba", "jacobian", given)
    expected = slopes(lambda v: observed(v, feature), p).ravel()
    assert found["vals"] == pytest.approx([*expected, -2.0 * p[14]], abs=1e-7)
    assert found["cols"] == [*[*range(11), 22, 23, 24, 31] * 2, 35]
    assert found["rows"] == [0, 15, 30, 45, 60, 75, 90, 105, 120, 135, *range(150, 156), 155]


def hand():
    """A hand of 22 bones in a chain, with a few vertices."""
    bones, corners = 22, 5
    frames = np.zeros((bones, 4, 4)) + np.eye(4)
    frames[:, :3, 3] = 0.1 * RNG.standard_normal((bones, 3))
    weights = RNG.uniform(size=(corners, bones))
    return {
        "bone_names": [f"b{i}" for i in range(bones)],
        "parents": [-1, *range(bones - 1)],
        "base_relatives": frames.tolist(),
        "inverse_base_absolutes": frames[::-1].tolist(),
        "base_positions": np.c_[RNG.standard_normal((corners, 3)), np.ones(corners)].tolist(),
        "weights": (weights / weights.sum(axis=1, keepdims=True)).tolist(),
        "triangles": [[0, 1, 2], [1, 2, 3], [2, 3, 4]],
        "is_mirrored": True,
    }


def posed(theta, us, model, which, points):
    """Errors of a hand, by matrix exponentials and products of all bones at once."""
    from scipy.linalg import expm

    def turned(axis):
        return expm(np.array([[0.0, -axis[2], axis[1]], [axis[2], 0.0, -axis[0]], [-axis[1], axis[0], 0.0]]))

    angles = np.zeros((len(model["parents"]), 3))
    for finger in range(5):
        first, second, third, fourth = theta[6 + 4 * finger : 10 + 4 * finger]
        angles[2 + 4 * finger] = first, 0.0, second
        angles[3 + 4 * finger, 0], angles[4 + 4 * finger, 0] = third, fourth
    base = np.array(model["base_positions"])
    surface, absolute = np.zeros((len(base), 3)), []
    for bone, parent in enumerate(model["parents"]):
        frame = np.eye(4)
        x, y, z = (turned(angles[bone, k] * np.eye(3)[k]) for k in range(3))
        frame[:3, :3] = z @ y @ x
        relative = np.array(model["base_relatives"])[bone] @ frame
        absolute.append(relative if parent < 0 else absolute[parent] @ relative)
        moved = base @ (absolute[bone] @ np.array(model["inverse_base_absolutes"])[bone]).T
        surface += np.array(model["weights"])[:, bone, None] * moved[:, :3]
    surface = (surface * [-1.0, 1.0, 1.0]) @ turned(theta[:3]).T + theta[3:6]
    if len(us):
        corners = surface[np.array(model["triangles"])[which]]
        shares = np.c_[us, 1.0 - us.sum(axis=1)]
        return (points - (shares[:, :, None] * corners).sum(axis=1)).ravel()
    return (points - surface[which]).ravel()


@pytest.mark.parametrize("triangles", [True, False])
def test_ht(answer, triangles):
    model, points = hand(), RNG.standard_normal((3, 3))
    theta, us = 0.3 * RNG.standard_normal(26), RNG.uniform(size=(3, 2)) if triangles else np.empty((0, 2))
    which = [2, 0, 1]
    data = {"model": model, "correspondences": which, "points": points.tolist()}
    given = {"theta": theta.tolist(), "us": us.tolist(), "data": data}
    assert answer("ht", "objective", given) == pytest.approx(posed(theta, us, model, which, points))
    expected = slopes(lambda v: posed(v, us, model, which, points), theta)
    if triangles:
        of_us = slopes(lambda v: posed(theta, v, model, which, points), us)
        expected = np.c_[of_us[:, ::2].sum(axis=1), of_us[:, 1::2].sum(axis=1), expected]
    assert np.array(answer("ht", "jacobian", given)) == pytest.approx(expected, abs=1e-7)


def test_ht_in_all_directions_at_once(answer):
    from evals import ht

    data = {"model": hand(), "correspondences": [2, 0, 1], "points": np.zeros((3, 3)).tolist()}
    args = ht.read({"theta": [0.0] * 26, "us": [[0.2, 0.3]] * 3, "data": data})
    request = Request(getattr(ht.errors, "__wrapped__", ht.errors))
    built = pipeline.tangent(request, tuple(map(kind_of_value, args)), ("theta",), at_once=True)
    assert "for q in range(directions):" in built.text


def test_lstm(answer):
    layers, bits, characters = 2, 3, 4
    main, extra = RNG.standard_normal((2 * layers, 4 * bits)), RNG.standard_normal((3, bits))
    start, text = (
        RNG.standard_normal((2 * layers, bits)),
        RNG.integers(0, 2, (characters, bits)).astype(float),
    )

    def loss(main, extra):
        state, total = start.copy(), 0.0
        for t in range(characters - 1):
            value = text[t] * extra[0]
            for layer in range(layers):
                hidden, cell = state[2 * layer], state[2 * layer + 1]
                inputs = np.concatenate((value, hidden, value, hidden))
                gates = inputs * main[2 * layer] + main[2 * layer + 1]
                forget, ingate, outgate = (1.0 / (1.0 + np.exp(-g)) for g in np.split(gates, 4)[:3])
                cell = cell * forget + ingate * np.tanh(np.split(gates, 4)[3])
                value = outgate * np.tanh(cell)
                state[2 * layer], state[2 * layer + 1] = value, cell
            out = value * extra[1] + extra[2]
            total += text[t + 1] @ (out - np.log(np.exp(out).sum() + 2.0))
        return -total / (bits * (characters - 1))

    given = {"main_params": main, "extra_params": extra, "state": start, "sequence": text}
    given = {name: part.tolist() for name, part in given.items()}
    assert answer("lstm", "objective", given) == pytest.approx(loss(main, extra))
    gradient = [*slopes(lambda v: loss(v, extra), main), *slopes(lambda v: loss(main, v), extra)]
    assert answer("lstm", "jacobian", given) == pytest.approx(gradient, abs=1e-7)


def some(*functions):
    """All of them with S2SAD_FULL, else one."""
    return functions if "S2SAD_FULL" in os.environ else functions[:1]


@pytest.mark.parametrize("function", some("rf", "ff", "fr", "rr"))
def test_saddle(compiled_answer, function):
    """From (1, 1) to the saddle point at 0, as far as the steps go: the suite's own figure."""
    found = compiled_answer("saddle", function, {"start": [1.0, 1.0]})
    assert found == pytest.approx([8.246324826140356e-06] * 4, rel=1e-9)


@pytest.mark.parametrize("function", some("fr", "ff", "rf", "rr"))
def test_particle(compiled_answer, function):
    """The suite's own figure, and the particle does pass through the origin."""
    found = compiled_answer("particle", function, {"w": 0.0})
    assert found == pytest.approx(0.2071918746486116, rel=1e-9)
    place, speed = np.array([0.0, 8.0]), np.array([0.75, 0.0])
    charges = np.array([[10.0, 10.0 - found], [10.0, 0.0]])
    while (place + 0.1 * speed)[1] > 0.0:
        away = place - charges
        force = (away / np.linalg.norm(away, axis=1, keepdims=True) ** 3).sum(axis=0)
        place, speed = place + 0.1 * speed, speed + 0.1 * force
    assert abs(place[0] - place[1] / speed[1] * speed[0]) < 1e-3
