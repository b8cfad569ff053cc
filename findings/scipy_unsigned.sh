#!/usr/bin/env bash
# scipy 1.17.1: mmwrite of unsigned integers writes the field `unsigned-integer`, which the description of Matrix Market does not have
# (it has real, complex, integer, pattern). NetworKit 11.3 refuses the file: "Invalid header field". Signed integers give `integer`.
. "$(dirname "$0")/tools.sh"
from_pypi scipy==1.17.1 numpy==2.4.6 networkit==11.3
python - <<'P' >said
import networkit as nk, numpy as np, scipy.io, scipy.sparse as sp
for kind in [np.uint32, np.int32]:
    file = f"{np.dtype(kind)}.mtx"
    scipy.io.mmwrite(file, sp.coo_array((np.array([5, 7], kind), ([0, 1], [1, 2])), shape=(3, 3)))
    try:
        print(file, nk.graphio.MTXGraphReader().read(file).numberOfEdges(), "edges")
    except RuntimeError as error:
        print(file, "refused:", error)
P
has uint32.mtx '^%%MatrixMarket matrix coordinate unsigned-integer general$'
has int32.mtx '^%%MatrixMarket matrix coordinate integer general$'
has said '^uint32.mtx refused: Invalid header field'
has said '^int32.mtx 2 edges$'
