"""The sweeps over a tape, compiled. A tape's sums may be taken in any order, so relaxed flags are harmless here."""

from s2sad_runtime import patterns, sweeps
from s2sad_runtime.compiled import jit

RELAXED = {"contract", "nsz", "reassoc"}

reverse = jit(nogil=True)(sweeps.reverse)
forward = jit(nogil=True)(sweeps.forward)
reverse_several = jit(nogil=True, fastmath=RELAXED)(sweeps.reverse_several)
forward_several = jit(nogil=True, fastmath=RELAXED)(sweeps.forward_several)
spread_chunk = jit(nogil=True)(patterns.spread_chunk)
