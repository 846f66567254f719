"""Every schedule x n = 0...50 x snapshots 1...8 x six shapes of bodies: the gradient of the plain loop to 1e-12.

python tests/checkpointing/product.py            compiled
python tests/checkpointing/product.py --plain    without Numba, slower to run and faster to start
python tests/checkpointing/product.py swapped    some of the shapes
"""

import sys
import tempfile
from pathlib import Path

import numpy as np

import s2sad

sys.path.insert(0, str(Path(__file__).parents[1]))
from checkpointing import shapes

LENGTHS, SNAPSHOTS = range(51), range(1, 9)


def error(got, want):
    """The largest difference of a value and gradients, relative to the largest entry; all finite."""
    (y, (a, b)), (z, (c, d)) = got, want
    found, true = (np.hstack([v, *g]) for v, g in ((y, (a, b)), (z, (c, d))))
    assert np.all(np.isfinite(true))
    assert np.all(np.isfinite(found))
    return np.max(np.abs(found - true)) / np.max(np.abs(true))


def main(jit, names):
    worst = count = 0
    plain = shapes.plain(tempfile.mkdtemp())
    for shape in names or shapes.SHAPES:
        reference = s2sad.value_and_grad(plain[shape], (0, 1), jit=jit)
        want = [reference(shapes.START, 0.7, n, 0) for n in LENGTHS]
        for schedule in shapes.SCHEDULES:
            df = s2sad.value_and_grad(shapes.made(shape, schedule), (0, 1), jit=jit)
            here = 0
            for n in LENGTHS:
                for snapshots in SNAPSHOTS:
                    here = max(here, error(df(shapes.START, 0.7, n, snapshots), want[n]))
                    count += 1
            worst = max(worst, here)
            print(f"{shape:10} {schedule:8} {here:.1e}", flush=True)
    print(f"{count} gradients, largest difference {worst:.1e}")
    return 0 if worst <= 1e-12 else 1


if __name__ == "__main__":
    sys.exit(main("--plain" not in sys.argv, [a for a in sys.argv[1:] if not a.startswith("-")]))
