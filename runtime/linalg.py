"""What `plain_linalg` does in NumPy, compiled: LAPACK and BLAS do the work, through Numba."""

from s2sad_runtime import plain_linalg
from s2sad_runtime.compiled import jit

inner = jit(inner=True)

half_tril = inner(plain_linalg.half_tril)
cofactors = inner(plain_linalg.cofactors)
middle_shares = inner(plain_linalg.middle_shares)
mirrored = inner(plain_linalg.mirrored)
folded = inner(plain_linalg.folded)
spread = inner(plain_linalg.spread)
over_gaps = inner(plain_linalg.over_gaps)
over_square_gaps = inner(plain_linalg.over_square_gaps)
over_columns = inner(plain_linalg.over_columns)
padded = inner(plain_linalg.padded)
fitted = inner(plain_linalg.fitted)
