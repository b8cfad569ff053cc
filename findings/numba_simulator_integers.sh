#!/usr/bin/env bash
# numba-cuda 0.30.4: in its simulator (NUMBA_ENABLE_CUDASIM=1) the numbers of threads and what is computed from them are Python's integers,
# which never wrap. The compiled kernel has 64-bit integers, which do. A hash or a linear congruence gives other values on a GPU than in
# the simulator, without a word. numba's own compiler for CPUs wraps as the GPU does.
#
#   (i + 1) * 0x5851F42D4C957F2D % 1000, threads 0 to 3  ->  simulator 5 10 15 20, compiled 5 394 399 404
. "$(dirname "$0")/tools.sh"
from_pypi numba-cuda==0.30.4 numba==0.68.1 numpy==2.4.6 cuda-bindings==13.5.0 cuda-core==1.2.2 \
    nvidia-nvvm==13.5.37 nvidia-cuda-runtime==13.5.37 nvidia-cuda-nvrtc==13.5.37
cat >hash.py <<'P'
from numba import cuda, njit, types
import numpy as np

def kernel(out):
    i = cuda.grid(1)
    out[i] = (i + 1) * 0x5851F42D4C957F2D % 1000
P
cat >simulated.py <<'P'
from hash import cuda, kernel, np
out = np.zeros(4, np.int64)
cuda.jit(kernel)[1, 4](out)
print(*out)
P
cat >compiled.py <<'P'
from hash import cuda, kernel, njit, types
open("hash.ptx", "w").write(cuda.compile_ptx(kernel, (types.int64[::1],), cc=(7, 5))[0])
formula = njit(lambda i: (i + 1) * 0x5851F42D4C957F2D % 1000)
print(*(formula(i) for i in range(4)))
P
is "$(NUMBA_ENABLE_CUDASIM=1 python simulated.py 2>/dev/null)" "5 10 15 20"
is "$(python compiled.py 2>/dev/null)" "5 394 399 404"
has hash.ptx 'mul\.lo\.s64[[:space:]].*, 6364136223846793005;'
