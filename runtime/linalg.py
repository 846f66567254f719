"""What `plain_linalg` does in NumPy, compiled: LAPACK and BLAS do the work, through Numba."""

from s2sad_runtime import plain_linalg
from s2sad_runtime.compiled import jit

half_tril = jit(inner=True)(plain_linalg.half_tril)
cofactors = jit(inner=True)(plain_linalg.cofactors)
middle_shares = jit(inner=True)(plain_linalg.middle_shares)
