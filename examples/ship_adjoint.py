"""Ship a gradient without s2sad: the emitted file and the small runtime beside it, run where s2sad can't be imported."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import s2sad_runtime
from s2sad import differentiate


@differentiate
def loss(x, rate, steps):
    """What is left of x after some steps of decay, squared and summed."""
    u = x.copy()
    for _ in range(steps):
        for i in range(len(u)):
            u[i] -= 0.1 * rate * u[i] * u[i]
    return np.sum(u * u)


PROGRAM = """
import sys
sys.modules["s2sad"] = None                      # from here on, `import s2sad` fails
import numpy as np
from loss_adjoint import loss_grad
value, gradient = loss_grad(np.array([1.0, 2.0, 3.0]), 0.5, 4)
print(repr(float(value)), gradient.tolist())
"""


def main() -> float:
    """Write the file, run it in another process; returns the largest difference from the gradient here."""
    with tempfile.TemporaryDirectory() as folder:
        x = np.array([1.0, 2.0, 3.0])
        text = loss.emit("adjoint", x, 0.5, 4)
        Path(folder, "loss_adjoint.py").write_text(text, encoding="utf-8")
        shutil.copytree(Path(s2sad_runtime.__file__).parent, Path(folder, "s2sad_runtime"))
        Path(folder, "program.py").write_text(PROGRAM, encoding="utf-8")
        ran = subprocess.run(
            [sys.executable, "program.py"], cwd=folder, capture_output=True, text=True, check=True
        )
    print(f"{len(text.splitlines())} lines shipped; there they gave {ran.stdout.strip()}")
    value, gradient = loss.value_and_grad(x, 0.5, 4)
    first, rest = ran.stdout.split(maxsplit=1)
    there = np.array([float(v) for v in rest.strip(" []\n").split(",")])
    return float(max(abs(float(first) - value), np.max(np.abs(there - gradient))))


if __name__ == "__main__":
    main()
