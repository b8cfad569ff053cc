#!/usr/bin/env bash
# NVRTC 13.5.37 has two compilers behind one function. Up to compute_90 it is "Based on NVVM 7.0.1", from compute_100 on "NVVM 23.0.0".
# They write two dialects of PTX 9.5 of the same source. The old one has registers of type .f32 and `ld.param.u64`; the new one has floats in
# .b32 registers, `ld.param.b64`, `ld.global.b32`, and parameters with `.ptr .align 1`. A reader that infers types from registers
# or matches `ld.param.u64` works on one of them.
. "$(dirname "$0")/tools.sh"
from_pypi nvidia-cuda-nvrtc==13.5.37 cuda-bindings==13.5.0
python - <<'P'
from cuda.bindings import nvrtc
source = b'extern "C" __global__ void twice(float *a) { a[threadIdx.x] *= 2.5f; }'
for architecture in [75, 90, 100, 120]:
    _, program = nvrtc.nvrtcCreateProgram(source, b"twice.cu", 0, [], [])
    error, = nvrtc.nvrtcCompileProgram(program, 1, [b"--gpu-architecture=compute_%d" % architecture])
    assert error == nvrtc.nvrtcResult.NVRTC_SUCCESS, error
    _, size = nvrtc.nvrtcGetPTXSize(program)
    text = b" " * size
    nvrtc.nvrtcGetPTX(program, text)
    open(f"{architecture}.ptx", "wb").write(text.rstrip(b"\0"))
P
for architecture in 75 90; do
    has $architecture.ptx '^// Based on NVVM 7\.0\.1$'
    has $architecture.ptx '\.reg \.f32'
    has $architecture.ptx 'ld\.param\.u64'
done
for architecture in 100 120; do
    has $architecture.ptx '^// Based on NVVM 23\.0\.0$'
    has $architecture.ptx '\.version 9\.5'
    has_not $architecture.ptx '\.reg \.f32'
    has $architecture.ptx '\.param \.u64 \.ptr \.align 1'
    has $architecture.ptx 'ld\.param\.b64'
    has $architecture.ptx 'mul\.(rn\.)?f32[[:space:]]+%r[0-9]+, %r[0-9]+'
done
