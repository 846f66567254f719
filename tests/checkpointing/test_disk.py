"""Snapshots in a file: nothing stays behind, a full disk is an error, mappings go with the arena."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROGRAM = """
import resource, sys
import numpy as np
import s2sad

def f(u0, n, snapshots):
    u = u0.copy()
    for t in s2sad.checkpoint_range(n, snapshots, "disk"):
        for i in range(1, len(u)):
            u[i] = np.sin(u[i - 1] * u[i])
    return np.sum(u * u)

u = np.linspace(0.1, 0.9, 20_000)
what, jit = sys.argv[1], sys.argv[2] == "jit"
df = s2sad.grad(f, jit=jit)
if what == "run":
    print("running", flush=True)
    df(u, 1000, 10)
elif what == "full":
    df(u[:10], 3, 2)  # compiled, and the compiled code put away
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
    try:
        df(u, 5, 3)
    except OSError as error:
        print(error)
elif what == "mappings":
    from s2sad_runtime import files
    df(u, 3, 2)
    print(files.open_mappings())
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    folder = tmp_path / "snapshots"
    folder.mkdir()
    environment = {**os.environ, "S2SAD_SNAPSHOTS": str(folder), "S2SAD_CACHE_DIR": str(tmp_path / "cache")}

    def start(*args):
        return subprocess.Popen(
            [sys.executable, str(path), *args], env=environment, stdout=subprocess.PIPE, text=True
        )

    return start, folder


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="looks at the maps of another process")
def test_a_run_that_is_killed_leaves_nothing_behind(program):
    start, folder = program
    run = start("run", "plain")
    assert run.stdout.readline() == "running\n"
    maps = Path(f"/proc/{run.pid}/maps")
    deadline = time.monotonic() + 60
    while str(folder) not in maps.read_text() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert f"{folder}/" in maps.read_text()  # the file is there, and in use
    assert list(folder.iterdir()) == []
    run.kill()
    run.communicate()
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("how", ["plain", "jit"])
def test_a_full_disk_is_an_error(program, how):
    start, folder = program
    out, _ = start("full", how).communicate(timeout=500)
    assert "no room for the snapshots' file" in out
    assert list(folder.iterdir()) == []


def test_mappings_go_with_the_call(program):
    start, _ = program
    out, _ = start("mappings", "jit").communicate(timeout=500)
    assert out == "0\n"
