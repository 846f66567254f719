"""The checking pool finds what it is for; the corpus and random programs run with it in tests of their own."""

import pytest

from s2sad_runtime import checked


def test_it_finds_faults():
    pool = checked.CheckedPool()
    index = pool.new()
    pool.release(index)
    with pytest.raises(AssertionError, match="twice"):
        pool.release(index)
    with pytest.raises(AssertionError, match="after its end"):
        pool.share(index)
