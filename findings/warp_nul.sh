#!/usr/bin/env bash
# NVIDIA Warp 1.19.0: each PTX file that it writes ends in a NUL byte, the end of NVRTC's string. A driver gets the file as a string in
# memory and never sees the byte. ptxas 13.5.37 refuses the file: "Unexpected EOF encountered". Without the byte it takes it.
. "$(dirname "$0")/tools.sh"
from_pypi warp-lang==1.19.0 numpy==2.4.6 nvidia-cuda-nvcc==13.5.37
export WARP_CACHE_PATH=$folder/cache
cat >kernel.py <<'P'
import sys
import warp
@warp.kernel
def twice(a: warp.array(dtype=float)):
    i = warp.tid()
    a[i] = a[i] * 2.0
warp.init()
warp.compile_aot_module(sys.modules["__main__"], device=None, arch=75, module_dir="out", use_ptx=True)
P
python kernel.py >log 2>&1 || differs "Warp compiles no module without a GPU" log
file=$(ls out/*.ptx)
is "$(tail -c 1 "$file" | od -An -tx1 | tr -d ' ')" 00
is "$(tr -cd '\000' <"$file" | wc -c)" 1
ptxas=$(find venv -name ptxas -type f)
! "$ptxas" --gpu-name=sm_75 "$file" -o kernel.cubin >said 2>&1 || differs "ptxas takes the file"
has said 'Unexpected EOF encountered'
tr -d '\000' <"$file" >text.ptx
"$ptxas" --gpu-name=sm_75 text.ptx -o kernel.cubin || differs "ptxas refuses the text"
