#!/usr/bin/env bash
# clang 14.0.6 for CUDA marks each argument of a function as set (`noundef`). Where one lane sets a variable and a shuffle hands it to
# the others, that is wrong: clang concludes that each lane is that lane and drops the `if`. With -disable-noundef-analysis the
# branch stays.
. "$(dirname "$0")/tools.sh"
from_debian clang-14=1:14.0.6-12 libclang-cpp14=1:14.0.6-12 libllvm14=1:14.0.6-12 libclang-common-14-dev=1:14.0.6-12
cat >add.cu <<'C'
static __attribute__((device)) int from_lane(int value, int lane) { return __nvvm_shfl_sync_idx_i32(~0u, value, lane, 31); }
extern "C" __attribute__((global)) void add(int *counter, int *out) {
  int lane = __nvvm_read_ptx_sreg_tid_x() % 32, v;
  if (lane == 0)
    v = __nvvm_atom_add_gen_i(counter, 32);
  out[lane] = from_lane(v, 0);
}
C
compile() {
    clang-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -Xclang -target-feature -Xclang +ptx64 -nocudainc -nocudalib -O2 -S add.cu "$@" 2>/dev/null
}
compile -o plain.ptx
has_not plain.ptx 'setp'
has plain.ptx 'atom\.global\.add'
compile -Xclang -disable-noundef-analysis -o kept.ptx
has kept.ptx 'setp'
has kept.ptx 'bra'
