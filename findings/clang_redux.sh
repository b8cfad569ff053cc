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
# The header as a whole needs NVIDIA's; so what it says of each function, and what the builtin in it makes of that.
for operation in add:add.s32 umin:min.u32 umax:max.u32 min:min.s32 max:max.s32 and:and.b32 or:or.b32 xor:xor.b32; do
    builtin=__nvvm_redux_sync_${operation%%:*}
    has "$include/__clang_cuda_intrinsics.h" "return $builtin\(__mask, __value\);"
    echo "extern \"C\" __attribute__((global)) void reduce(unsigned *p) { *p = $builtin(0xffffffffu, *p); }" >reduce.cu
    clang-19 -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-feature=+ptx70 -nocudainc -nocudalib -O2 -S reduce.cu -o reduce.ptx
    has reduce.ptx 'ld\.global\.u32[[:space:]]+%r1,'
    has reduce.ptx 'mov\.b32[[:space:]]+%r2, -1;'
    has reduce.ptx "redux\.sync\.${operation##*:}[[:space:]]+%r3, %r2, %r1;"
done
