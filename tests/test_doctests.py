"""The examples in the docstrings of both packages run."""

import doctest
import importlib
import pkgutil

import pytest

PACKAGES = ("s2sad", "s2sad_runtime")


def modules():
    """The names of all modules of both packages."""
    for package in PACKAGES:
        yield package
        root = importlib.import_module(package)
        for module in pkgutil.walk_packages(root.__path__, prefix=f"{package}."):
            if not module.name.endswith("__main__"):
                yield module.name


@pytest.mark.parametrize("name", list(modules()))
def test_examples_in_docstrings(name):
    failed, _ = doctest.testmod(
        importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    )
    assert failed == 0
