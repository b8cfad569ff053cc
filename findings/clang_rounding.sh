#!/usr/bin/env bash
# clang for CUDA drops roundings that the program asks for. Conversion with rounding towards zero: __nvvm_i2f_rz, which __int2float_rz
# is made of, becomes `cvt.rn` in clang 14.0.6 and 19.1.7; that of a double (__nvvm_d2f_rz) stays `cvt.rz`.
# clang 14.0.6 also merges __nvvm_mul_rn_f and __nvvm_add_rn_f, behind __fmul_rn and __fadd_rn, into one `fma`, which CUDA's guide
# says never happens; 19.1.7 keeps them apart. Inline PTX is left alone by both.
. "$(dirname "$0")/tools.sh"
from_debian clang-14=1:14.0.6-12 libclang-cpp14=1:14.0.6-12 libllvm14=1:14.0.6-12 libclang-common-14-dev=1:14.0.6-12 \
    clang-19=1:19.1.7-3~deb12u1 libclang-cpp19=1:19.1.7-3~deb12u1 libllvm19=1:19.1.7-3~deb12u1 libclang-common-19-dev=1:19.1.7-3~deb12u1
cat >round.cu <<'C'
extern "C" __attribute__((global)) void round_there(float *p, int n, double d) {
  p[0] = __nvvm_add_rn_f(__nvvm_mul_rn_f(p[0], p[1]), p[2]);
  p[3] = __nvvm_i2f_rz(n);
  p[4] = __nvvm_d2f_rz(d);
}
C
for version in 14 19; do
    clang-$version -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -O2 -S round.cu -o $version.ptx 2>/dev/null
    has $version.ptx 'cvt\.rn\.f32\.s32'
    has_not $version.ptx 'cvt\.rz\.f32\.s32'
    has $version.ptx 'cvt\.rz\.f32\.f64'
done
has 14.ptx 'fma\.rn\.f32'
has_not 14.ptx 'mul\.rn\.f32'
has 19.ptx 'mul\.rn\.f32'
has 19.ptx 'add\.rn\.f32'
