"""Derivatives in pickles: what reaches a process that has neither the file of a function nor its name."""

import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import s2sad
from s2sad.errors import SourceUnavailableError

SCRIPT = """import numpy as np
from typing import NamedTuple
import s2sad

class Line(NamedTuple):
    slope: float
    shift: float

    @property
    def twice(self):
        return 2.0 * self.slope

def wave(u):
    return np.sin(u) * u

def loss(w, x):
    return np.sum(wave(w[0] * x + w[1]))

def each(w, x):
    return wave(w[0] * x) * w[1]

def scaled(c):
    return lambda w, x: c * loss(w, x)

def lined(slope, x):
    return np.sum(Line(slope, 1.0).twice * x)

@s2sad.differentiate(jit=False)
def decorated(w, x):
    return loss(w, x)
"""
CHILD = """import pickle, sys
made, args = pickle.load(sys.stdin.buffer)
sys.stdout.buffer.write(pickle.dumps({name: f(*args.get(name, args[""])) for name, f in made.items()}))
"""


def test_whatever_is_made_of_a_function(tmp_path):
    """All of it in one other process, when the script is gone."""
    path = tmp_path / "script.py"
    path.write_text(SCRIPT, encoding="utf-8")
    script = {"__name__": "__main__"}
    exec(compile(SCRIPT, str(path), "exec"), script)
    loss, each, decorated = (script[name] for name in ("loss", "each", "decorated"))
    w, x = np.array([1.3, 0.4]), np.linspace(0.0, 1.0, 4)
    plain = {"jit": False}
    made = {
        "grad": s2sad.grad(loss, **plain),
        "of a lambda": s2sad.grad(script["scaled"](3.0), **plain),
        "hessian": s2sad.hessian(loss, **plain),
        "jacobian": s2sad.jacobian(each, **plain),
        "batch": s2sad.batch.value_and_grad(loss, in_axes=(None, 0), **plain),
        "decorated": decorated,
        "decorated.grad": decorated.grad,
        "line": s2sad.grad(script["lined"], **plain),
    }
    args = {"": (w, x), "batch": (w, np.stack([x, 2.0 * x])), "line": (2.0, x)}
    if "S2SAD_FULL" in os.environ:
        made |= {
            "compiled": s2sad.value_and_grad(loss, (0, 1)),
            "of a gradient": s2sad.jacobian(s2sad.grad(loss, **plain)),
            "jacfwd": s2sad.jacfwd(each, **plain),
            "jacrev": s2sad.jacrev(each, **plain),
            "sparse": s2sad.jacobian(each, sparsity="detect", **plain),
            "jvp": decorated.jvp,
            "hvp": decorated.hvp,
            "checked": s2sad.differentiate(loss, check=True, **plain).grad,
        }
        args |= dict.fromkeys(("jvp", "hvp"), ((w, x), (w, x)))
    here = {name: f(*args.get(name, args[""])) for name, f in made.items()}
    data = pickle.dumps((made, args))
    path.unlink()
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", CHILD], input=data, capture_output=True, env=env)
    assert done.returncode == 0, done.stderr.decode()
    found = pickle.loads(done.stdout)
    u = w[0] * x + w[1]
    slope = np.cos(u) * u + np.sin(u)
    exact = np.array([slope @ x, slope.sum()])
    assert found["grad"] == pytest.approx(exact)
    assert found["decorated.grad"] == pytest.approx(exact)
    assert found["of a lambda"] == pytest.approx(3.0 * exact)
    assert found["line"] == pytest.approx(4.0)
    for name, value in here.items():
        for one, other in zip(flat(value), flat(found[name]), strict=True):
            assert np.array_equal(one, other), name


def flat(value):
    if isinstance(value, tuple):
        return [part for v in value for part in flat(v)]
    return [value.toarray() if hasattr(value, "toarray") else value]


def test_functions_of_modules_go_by_name():
    data = pickle.dumps(s2sad.grad(np.polyval, jit=False))
    assert b"polyval" in data
    assert len(data) < 1000


def test_a_function_that_was_sent_by_itself_is_refused_with_a_way_out():
    """Its text did not come along."""
    space = {"__name__": "__main__"}
    exec("def lonely(x):\n    return 7.0 * x * x\n", space)
    with pytest.raises(SourceUnavailableError, match=r"(?s)S001.*send the derivative"):
        s2sad.grad(space["lonely"], jit=False)(2.0)
