"""What all tests share: the `--update-golden` option, the hypothesis profiles, a cache of their own.

`dev` (the default) draws few, new examples on each run; `ci` draws more, the same on every run.
Generated files and machine code lie in a folder that goes with the run, shared by all its processes, or in
`$S2SAD_TEST_CACHE`, which stays: the next run compiles less. Numba optimises little (`NUMBA_OPT=1`), which takes
half the time, unless the environment says otherwise, as `.ci/run` does for what is emitted.
What tests leave behind (compiled code, for the most part) is set aside for the garbage collector now and then: it
would go through all of it again and again.
"""

import gc
import os
import shutil
import tempfile
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

_finished = count()
_slow = [HealthCheck.too_slow, HealthCheck.filter_too_much]
settings.register_profile("dev", max_examples=50, deadline=None, suppress_health_check=_slow)
settings.register_profile(
    "ci", max_examples=100, deadline=None, derandomize=True, database=None, suppress_health_check=_slow
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite the golden files with what comes out now"
    )


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        return  # the first process has done it
    folder = os.environ.get("S2SAD_TEST_CACHE")
    if not folder:
        folder = tempfile.mkdtemp(prefix="s2sad-tests-")
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    os.environ.setdefault("NUMBA_OPT", "1")
    os.environ["S2SAD_CACHE_DIR"] = os.path.join(folder, "generated")
    os.environ["NUMBA_CACHE_DIR"] = os.path.join(folder, "numba")


def pytest_runtest_logfinish(nodeid: str, location: tuple[str, int | None, str]) -> None:
    """Every so often, let the garbage collector forget what is there."""
    if next(_finished) % 25 == 24:
        gc.collect()
        gc.freeze()


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Compare a text with the file that holds what it should be; `--update-golden` rewrites that file."""

    def compare(path: Path, text: str) -> None:
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.exists(), f"{path.name} is missing: run pytest --update-golden and read it"
        assert text == path.read_text(encoding="utf-8")

    return compare
