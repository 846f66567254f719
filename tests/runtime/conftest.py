"""The runtime in both halves, and a check that no test leaves memory behind."""

import gc

import pytest
from numba.core.runtime import _nrt_python, rtsys

import s2sad_runtime
from s2sad_runtime import plain


@pytest.fixture(params=["compiled", "plain"])
def rt(request):
    """The runtime: its jitted names, then their plain twins."""
    return s2sad_runtime if request.param == "compiled" else plain


@pytest.fixture(autouse=True)
def _nothing_is_left():
    lent = s2sad_runtime.memory().lent
    yield
    gc.collect()
    assert s2sad_runtime.memory().lent == lent


@pytest.fixture
def alive():
    """Counts Numba's allocations that are alive."""
    if not _nrt_python.memsys_stats_enabled():
        _nrt_python.memsys_enable_stats()

    def count():
        stats = rtsys.get_allocation_stats()
        return stats.mi_alloc - stats.mi_free

    return count
