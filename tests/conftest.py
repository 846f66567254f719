"""What all tests share: the `--update-golden` option, and the hypothesis profiles.

`dev` (the default) draws few, new examples on each run; `ci` draws more, the same on every run.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

_slow = [HealthCheck.too_slow, HealthCheck.filter_too_much]
settings.register_profile("dev", max_examples=50, deadline=None, suppress_health_check=_slow)
settings.register_profile(
    "ci", max_examples=200, deadline=None, derandomize=True, database=None, suppress_health_check=_slow
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite the golden files with what comes out now"
    )


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
