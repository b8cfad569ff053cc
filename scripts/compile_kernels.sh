#!/usr/bin/env bash
# Compiles the CUDA kernels of sim/src/kernels/ to the PTX that is committed beside them.
# Usage: scripts/compile_kernels.sh [DIR]     DIR: where the .ptx go (default: beside the sources)
# Needs clang 14 (Debian: clang-14), no CUDA toolkit: other versions write other PTX.
set -euo pipefail
export LC_ALL=C
kernels=$(cd "$(dirname "$0")/../sim/src/kernels" && pwd)
out=$(realpath "${1:-$kernels}")
cd "$kernels"

clang=$(command -v clang-14 || command -v clang || true)
if [ -z "$clang" ] || ! "$clang" --version | grep -q 'version 14\.'; then
    echo "compile_kernels: clang 14 is needed; on Debian: apt-get install clang-14" >&2
    exit 3
fi

compile() { # name of the PTX, source, flags ...
    local name=$1 source=$2
    shift 2
    local flags="-x cuda --cuda-device-only --cuda-gpu-arch=sm_35 -nocudainc -nocudalib -O2 -S -Wall -Wextra -Werror $*"
    # shellcheck disable=SC2086
    "$clang" $flags -o "$out/$name.body" "$source"
    {
        echo "// $source, compiled by clang 14 with: $flags"
        echo "// CRC-32 of the source and all headers: $(cat "$source" ./*.h | crc)"
        echo "// CRC-32 of what follows: $(crc <"$out/$name.body")"
        cat "$out/$name.body"
    } >"$out/$name.ptx"
    rm "$out/$name.body"
}
crc() { gzip -c | tail -c 8 | od --endian=little -An -N4 -tx4 | tr -d ' '; }

compile bfs_topo bfs_topo.cu
compile bfs_warp bfs_topo.cu -DWARP_MAPPED
compile sssp_topo sssp_topo.cu
compile sssp_warp sssp_topo.cu -DWARP_MAPPED
compile bfs_topo_lsg search_lsg.cu
compile sssp_topo_lsg search_lsg.cu -DWEIGHTED
compile mst_topo mst_topo.cu
compile sp_topo sp_topo.cu
compile bh_topo bh_topo.cu
compile dmr_topo dmr_topo.cu
for rounds in colour bc; do
    compile "${rounds}_topo" "$rounds.cu"
    compile "${rounds}_warp" "$rounds.cu" -DWARP_MAPPED
    compile "${rounds}_lanes" "$rounds.cu" -DLANES_MAPPED
done
for data in bfs sssp mst sp bh dmr; do
    compile "${data}_swwl" "${data}_data.cu"
    compile "${data}_swwl_wch" "${data}_data.cu" -DWORK_CHUNKING
    compile "${data}_swwl_aru" "${data}_data.cu" -DATOMIC_REDUCED
    compile "${data}_swwl_wdo" "${data}_data.cu" -DWORK_DONATING
    compile "${data}_hwwl" "${data}_data.cu" -DHARDWARE_WORKLIST
done
compile bfs_swwl_edge bfs_edge.cu
for single in bfs sssp; do
    compile "${single}_hwwl_single" "${single}_single.cu" -DHARDWARE_WORKLIST -DSINGLE_BUFFER
    compile "${single}_hwwl_edges" "${single}_edges.cu" -DHARDWARE_WORKLIST -DHAND_OUT_EDGES
    compile "${single}_hwwl_edges_single" "${single}_edges.cu" -DHARDWARE_WORKLIST -DHAND_OUT_EDGES -DSINGLE_BUFFER
done
compile pagerank_thread pagerank.cu
compile pagerank_warp pagerank.cu -DWARP_MAPPED
for graph_waving in bfs_rodinia pagerank_push; do
    compile "$graph_waving" "$graph_waving.cu"
    compile "${graph_waving}_warp" "$graph_waving.cu" -DWARP_MAPPED
    compile "${graph_waving}_lanes" "$graph_waving.cu" -DLANES_MAPPED
done
for frontier in bfs sssp pagerank; do
    compile "${frontier}_frontier" "${frontier}_frontier.cu"
    compile "${frontier}_iru" "${frontier}_frontier.cu" -DUSE_IRU -Wno-unused-parameter
    compile "${frontier}_frontier_narrow" "${frontier}_frontier.cu" -DNARROW_WARPS
    compile "${frontier}_iru_narrow" "${frontier}_frontier.cu" -DNARROW_WARPS -DUSE_IRU -Wno-unused-parameter
done
for frontier in bfs sssp; do
    compile "${frontier}_hwwl_frontier" "${frontier}_frontier.cu" -DNARROW_WARPS -DHARDWARE_WORKLIST -Wno-unused-parameter
    compile "${frontier}_hwwl_iru" "${frontier}_frontier.cu" -DNARROW_WARPS -DHARDWARE_WORKLIST -DUSE_IRU -Wno-unused-parameter
done
compile sssp_near_far sssp_frontier.cu -DNEAR_FAR
compile sssp_near_far_iru sssp_frontier.cu -DNEAR_FAR -DUSE_IRU -Wno-unused-parameter
compile sssp_near_far_iru_split sssp_frontier.cu -DNEAR_FAR -DUSE_IRU -DUSE_IRU_SPLIT -Wno-unused-parameter
compile bfs_merrill bfs_merrill.cu
compile bfs_merrill_iru bfs_merrill.cu -DUSE_IRU -Wno-unused-parameter
compile bfs_merrill_iru_filter bfs_merrill.cu -DUSE_FILTER -Wno-unused-parameter
for regular in vecadd matmul reduction hotspot pathfinder backprop laplace nw nqueens; do
    compile "$regular" "$regular.cu"
done
for waving in cp nn dwt libor aes fft mum; do
    compile "$waving" "$waving.cu"
done
for irregular in histogram cc join; do
    compile "$irregular" "$irregular.cu"
    compile "${irregular}_iru" "$irregular.cu" -DUSE_IRU -Wno-unused-parameter
done
for narrow in kcore triangles; do
    compile "$narrow" "$narrow.cu" -DNARROW_WARPS
    compile "${narrow}_iru" "$narrow.cu" -DNARROW_WARPS -DUSE_IRU -Wno-unused-parameter
done
compile spmv spmv.cu -DWARP_MAPPED
compile spmv_iru spmv.cu -DWARP_MAPPED -DUSE_IRU -Wno-unused-parameter
compile microbench microbench.cu
