#!/usr/bin/env bash
# numba-cuda 0.30.4, debug=True, opt=False: variables that change their type share a slot for each name. At the end of the block that stands
# last in the source the slots of all of them are set to zero, whether the kernel still needs them or not. If that block is the body of a
# loop, a variable from before the loop is 0 from the second round on. Without debug=True the kernel is right.
#
#   x = i + 3; x = x * 0.5; then a loop whose body does the same with y   ->   x is 0.0 after the loop, and 1.5 without debug=True
. "$(dirname "$0")/tools.sh"
from_pypi numba-cuda==0.30.4 numba==0.68.1 numpy==2.4.6 cuda-bindings==13.5.0 cuda-core==1.2.2 \
    nvidia-nvvm==13.5.37 nvidia-cuda-runtime==13.5.37 nvidia-cuda-nvrtc==13.5.37
cat >kernel.py <<'P'
import re
from numba import cuda, types

def kernel(out):
    x = cuda.grid(1) + 3
    x = x * 0.5
    n = 0
    while True:
        if n >= 3:
            out[0] = x
            return
        n += 1
        y = n + 1
        y = y * 0.5
        out[1] = y

def ptx(**options):
    return cuda.compile_ptx(kernel, (types.float64[::1],), cc=(7, 5), **options)[0]

debug = ptx(debug=True, opt=False)
# The slot that line 6, `x = x * 0.5`, writes its product to, and what happens to it from line 12, `n += 1`, to the jump back.
slot = re.search(r"\.loc\s+1 6 1.*?mul\.f64.*?st\.b64\s+(\[%SP\+\d+\]), %rd\d+;", debug, re.S)[1]
body = re.search(r"\.loc\s+1 12 1.*?bra", debug, re.S)[0]
read = re.search(r"\.loc\s+1 10 1.*?\.loc\s+1 11 1", debug, re.S)[0]
print("read after the loop:", re.search(rf"ld\.b64\s+%rd\d+, {re.escape(slot)};", read) is not None)
print("cleared in the loop:", re.search(rf"st\.b64\s+{re.escape(slot)}, 0;", body) is not None)
print("written in the loop:", re.search(rf"st\.b64\s+{re.escape(slot)}, %", body) is not None)
print("slots without debug:", "%SP" in ptx())
P
python kernel.py >said 2>log || differs "the PTX has another form" log
has said '^read after the loop: True$'
has said '^cleared in the loop: True$'
has said '^written in the loop: False$'
has said '^slots without debug: False$'
