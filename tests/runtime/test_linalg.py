"""Array work of the runtime, compiled and plain."""

import numpy as np

from s2sad_runtime import jit, plain


def test_shares_of_a_median(rt):
    run = jit(lambda x: rt.middle_shares(x)) if rt is not plain else rt.middle_shares
    assert run(np.array([4.0, -1.0, 2.5, 7.0])).tolist() == [0.5, 0.0, 0.5, 0.0]
    assert run(np.array([3.0, 1.0, 2.0])).tolist() == [0.0, 0.0, 1.0]
    assert run(np.array([2.0, 1.0, 2.0, 5.0])).tolist() == [0.5, 0.0, 0.5, 0.0]
    assert run(np.array([1.0, 2.0, 2.0, 3.0, 1.0])).tolist() == [0.0, 0.5, 0.5, 0.0, 0.0]
    assert run(np.empty(0)).size == 0
    assert np.isnan(run(np.array([1.0, np.nan]))).all()
