#!/usr/bin/env bash
# clang 19.1.7 (Debian 12): __reduce_add_sync(mask, value), and min, max, and, or, xor, reach `redux.sync` with mask and value exchanged.
# `redux.sync.add.s32 d, a, b` reduces `a` over the lanes of `b`. clang's header passes (mask, value) to a builtin that wants (value, mask).
# With the mask 0xffffffff each lane adds up -1 over the lanes that its data names.
#
#   __reduce_add_sync(0xffffffff, p[i])  ->  mov.b32 %r2, -1;  redux.sync.add.s32 %r3, %r2, %r1;    %r1: the data
. "$(dirname "$0")/tools.sh"
from_debian clang-19=1:19.1.7-3~deb12u1 libclang-cpp19=1:19.1.7-3~deb12u1 libllvm19=1:19.1.7-3~deb12u1 \
    libclang-common-19-dev=1:19.1.7-3~deb12u1
include=$(echo root/usr/lib/llvm-19/lib/clang/*/include)
# What the header says, and what the builtin makes of it: the header as a whole needs NVIDIA's.
grep -A 3 'inline unsigned __reduce_add_sync' "$include/__clang_cuda_intrinsics.h" >header
has header '__nvvm_redux_sync_add\(__mask, __value\)'
cat >sum.cu <<'C'
__attribute__((device)) inline unsigned __reduce_add_sync(unsigned __mask, unsigned __value) {
  return __nvvm_redux_sync_add(__mask, __value);
}
extern "C" __attribute__((global)) void sum(unsigned *p) { *p = __reduce_add_sync(0xffffffff, *p); }
C
clang-19 -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx70 -nocudainc -nocudalib -O2 -S sum.cu -o sum.ptx
has sum.ptx 'ld\.global\.u32[[:space:]]+%r1,'
has sum.ptx 'mov\.b32[[:space:]]+%r2, -1;'
has sum.ptx 'redux\.sync\.add\.s32 %r3, %r2, %r1;'
