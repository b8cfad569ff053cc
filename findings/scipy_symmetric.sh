#!/usr/bin/env bash
# scipy 1.17.1: mmwrite(symmetry="symmetric") writes the lower triangle and drops the upper one, whatever is in it.
# A matrix that holds each edge once, in the upper triangle, becomes a file without an entry. It is read back without an error.
# The upper values are lost if a matrix has different values on both sides. Without `symmetry` all entries are written.
#
#   edges 1-2: 4, 1-3: 1     ->  `3 3 0`
#   1-2: 8 one way, 4 back   ->  `2 1 4`
. "$(dirname "$0")/tools.sh"
from_pypi scipy==1.17.1 numpy==2.4.6
python - <<'P'
import scipy.io, scipy.sparse as sp
upper = sp.coo_array(([4.0, 1.0], ([0, 0], [1, 2])), shape=(3, 3))
scipy.io.mmwrite("upper.mtx", upper, symmetry="symmetric")
scipy.io.mmwrite("both.mtx", sp.coo_array(2 * upper + upper.T), symmetry="symmetric")
scipy.io.mmwrite("plain.mtx", upper)
assert scipy.io.mmread("upper.mtx").nnz == 0
P
has upper.mtx '^%%MatrixMarket matrix coordinate real symmetric$'
has upper.mtx '^3 3 0$'
has both.mtx '^2 1 4$'
has_not both.mtx ' 8$'
has plain.mtx '^3 3 2$'
