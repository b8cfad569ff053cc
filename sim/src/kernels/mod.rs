//! The CUDA kernels as PTX. Sources lie beside it; `scripts/compile_kernels.sh` compiles them, which needs clang 14,
//! and both are committed, so that nothing else does.

/// A file of PTX that clang made of the kernels of a variant.
#[derive(Clone, Copy, Debug)]
pub struct Ptx {
    /// Name of the file, for messages.
    pub name: &'static str,
    pub text: &'static str,
}

macro_rules! headers {
    ($($name:literal)*) => {
        [$(($name, include_str!($name))),*]
    };
}

/// Names and texts of all headers, for kernels of the user's own. `unruly_cuda.h` lets clang compile CUDA C++ without a toolkit.
pub const HEADERS: [(&str, &str); 21] = headers!(
    "bfs_visit.h" "bh.h" "cta_scan.h" "dmr.h" "dmr_commit.h" "dmr_geometry.h" "frontier.h" "frontier_begin.h" "frontier_worklist.h" "lsg.h" "mapping.h" "mst.h" "relax.h" "sp.h" "sssp_reach.h" "unruly_cuda.h"
    "warp.h" "worklist.h" "worklist_donating.h" "worklist_hardware.h" "worklist_software.h"
);

/// A constant for each file, and all of them.
macro_rules! kernels {
    ($($(#[$doc:meta])* $kernel:ident = $file:literal,)+) => {
        $($(#[$doc])* pub const $kernel: Ptx = Ptx { name: $file, text: include_str!($file) };)+

        pub const ALL: [Ptx; 112] = [$($kernel),+];
    };
}

kernels! {
    /// BFS: topology-driven, a vertex mapped to a thread or to a warp, and as in LonestarGPU; data-driven with the software worklist
    /// (plain, with work chunking, with atomic-reduced updates, with work donating, with an edge to a thread) and with the hardware
    /// worklist (double-buffered, single-buffered); with frontiers, read by the threads themselves or through the reorder units, each
    /// for warps of 32, for narrower ones, and with nodes in the hardware worklist; Merrill's, the same two, and with the units' filter.
    BFS_TOPO = "bfs_topo.ptx",
    BFS_WARP = "bfs_warp.ptx",
    BFS_TOPO_LSG = "bfs_topo_lsg.ptx",
    BFS_SWWL = "bfs_swwl.ptx",
    BFS_SWWL_WCH = "bfs_swwl_wch.ptx",
    BFS_SWWL_ARU = "bfs_swwl_aru.ptx",
    BFS_SWWL_WDO = "bfs_swwl_wdo.ptx",
    BFS_SWWL_EDGE = "bfs_swwl_edge.ptx",
    BFS_HWWL = "bfs_hwwl.ptx",
    BFS_HWWL_SINGLE = "bfs_hwwl_single.ptx",
    BFS_HWWL_EDGES = "bfs_hwwl_edges.ptx",
    BFS_HWWL_EDGES_SINGLE = "bfs_hwwl_edges_single.ptx",
    BFS_FRONTIER = "bfs_frontier.ptx",
    BFS_IRU = "bfs_iru.ptx",
    BFS_FRONTIER_NARROW = "bfs_frontier_narrow.ptx",
    BFS_IRU_NARROW = "bfs_iru_narrow.ptx",
    BFS_HWWL_FRONTIER = "bfs_hwwl_frontier.ptx",
    BFS_HWWL_IRU = "bfs_hwwl_iru.ptx",
    BFS_MERRILL = "bfs_merrill.ptx",
    BFS_MERRILL_IRU = "bfs_merrill_iru.ptx",
    BFS_MERRILL_IRU_FILTER = "bfs_merrill_iru_filter.ptx",
    /// Rodinia's, two launches a level: a vertex mapped to a thread, a warp, or a part of one.
    BFS_RODINIA = "bfs_rodinia.ptx",
    BFS_RODINIA_WARP = "bfs_rodinia_warp.ptx",
    BFS_RODINIA_LANES = "bfs_rodinia_lanes.ptx",
    /// Shortest paths: the same, and near ones first.
    SSSP_TOPO = "sssp_topo.ptx",
    SSSP_WARP = "sssp_warp.ptx",
    SSSP_TOPO_LSG = "sssp_topo_lsg.ptx",
    SSSP_SWWL = "sssp_swwl.ptx",
    SSSP_SWWL_WCH = "sssp_swwl_wch.ptx",
    SSSP_SWWL_ARU = "sssp_swwl_aru.ptx",
    SSSP_SWWL_WDO = "sssp_swwl_wdo.ptx",
    SSSP_HWWL = "sssp_hwwl.ptx",
    SSSP_HWWL_SINGLE = "sssp_hwwl_single.ptx",
    SSSP_HWWL_EDGES = "sssp_hwwl_edges.ptx",
    SSSP_HWWL_EDGES_SINGLE = "sssp_hwwl_edges_single.ptx",
    SSSP_FRONTIER = "sssp_frontier.ptx",
    SSSP_IRU = "sssp_iru.ptx",
    SSSP_FRONTIER_NARROW = "sssp_frontier_narrow.ptx",
    SSSP_IRU_NARROW = "sssp_iru_narrow.ptx",
    SSSP_HWWL_FRONTIER = "sssp_hwwl_frontier.ptx",
    SSSP_HWWL_IRU = "sssp_hwwl_iru.ptx",
    SSSP_NEAR_FAR = "sssp_near_far.ptx",
    SSSP_NEAR_FAR_IRU = "sssp_near_far_iru.ptx",
    SSSP_NEAR_FAR_IRU_SPLIT = "sssp_near_far_iru_split.ptx",
    /// Minimum spanning forest: a vertex mapped to a thread, and the double-buffered worklists.
    MST_TOPO = "mst_topo.ptx",
    MST_SWWL = "mst_swwl.ptx",
    MST_SWWL_WCH = "mst_swwl_wch.ptx",
    MST_SWWL_ARU = "mst_swwl_aru.ptx",
    MST_SWWL_WDO = "mst_swwl_wdo.ptx",
    MST_HWWL = "mst_hwwl.ptx",
    /// Survey propagation: all edges, and the double-buffered worklists.
    SP_TOPO = "sp_topo.ptx",
    SP_SWWL = "sp_swwl.ptx",
    SP_SWWL_WCH = "sp_swwl_wch.ptx",
    SP_SWWL_ARU = "sp_swwl_aru.ptx",
    SP_SWWL_WDO = "sp_swwl_wdo.ptx",
    SP_HWWL = "sp_hwwl.ptx",
    /// Barnes-Hut: warps that walk the tree together, and the double-buffered worklists.
    BH_TOPO = "bh_topo.ptx",
    BH_SWWL = "bh_swwl.ptx",
    BH_SWWL_WCH = "bh_swwl_wch.ptx",
    BH_SWWL_ARU = "bh_swwl_aru.ptx",
    BH_SWWL_WDO = "bh_swwl_wdo.ptx",
    BH_HWWL = "bh_hwwl.ptx",
    /// Mesh refinement: all elements, and the double-buffered worklists.
    DMR_TOPO = "dmr_topo.ptx",
    DMR_SWWL = "dmr_swwl.ptx",
    DMR_SWWL_WCH = "dmr_swwl_wch.ptx",
    DMR_SWWL_ARU = "dmr_swwl_aru.ptx",
    DMR_SWWL_WDO = "dmr_swwl_wdo.ptx",
    DMR_HWWL = "dmr_hwwl.ptx",
    /// Graph colouring and betweenness centrality, a vertex mapped to a thread, a warp, or a part of one.
    COLOUR_TOPO = "colour_topo.ptx",
    COLOUR_WARP = "colour_warp.ptx",
    COLOUR_LANES = "colour_lanes.ptx",
    BC_TOPO = "bc_topo.ptx",
    BC_WARP = "bc_warp.ptx",
    BC_LANES = "bc_lanes.ptx",
    /// PageRank by pulling, a vertex mapped to a thread or to a warp.
    PAGERANK_THREAD = "pagerank_thread.ptx",
    PAGERANK_WARP = "pagerank_warp.ptx",
    PAGERANK_FRONTIER = "pagerank_frontier.ptx",
    PAGERANK_IRU = "pagerank_iru.ptx",
    PAGERANK_FRONTIER_NARROW = "pagerank_frontier_narrow.ptx",
    PAGERANK_IRU_NARROW = "pagerank_iru_narrow.ptx",
    /// PageRank by pushing along the edges of a vertex, mapped to a thread, a warp, or a part of one.
    PAGERANK_PUSH = "pagerank_push.ptx",
    PAGERANK_PUSH_WARP = "pagerank_push_warp.ptx",
    PAGERANK_PUSH_LANES = "pagerank_push_lanes.ptx",
    /// Regular kernels.
    VECADD = "vecadd.ptx",
    MATMUL = "matmul.ptx",
    REDUCTION = "reduction.ptx",
    HOTSPOT = "hotspot.ptx",
    PATHFINDER = "pathfinder.ptx",
    BACKPROP = "backprop.ptx",
    LAPLACE = "laplace.ptx",
    NW = "nw.ptx",
    NQUEENS = "nqueens.ptx",
    CP = "cp.ptx",
    NN = "nn.ptx",
    DWT = "dwt.ptx",
    LIBOR = "libor.ptx",
    AES = "aes.ptx",
    FFT = "fft.ptx",
    MUM = "mum.ptx",
    /// Irregular kernels over arrays, whose threads take elements themselves or from the reorder units.
    HISTOGRAM = "histogram.ptx",
    HISTOGRAM_IRU = "histogram_iru.ptx",
    SPMV = "spmv.ptx",
    SPMV_IRU = "spmv_iru.ptx",
    CC = "cc.ptx",
    CC_IRU = "cc_iru.ptx",
    KCORE = "kcore.ptx",
    KCORE_IRU = "kcore_iru.ptx",
    TRIANGLES = "triangles.ptx",
    TRIANGLES_IRU = "triangles_iru.ptx",
    JOIN = "join.ptx",
    JOIN_IRU = "join_iru.ptx",
    /// Microbenchmarks of the memories.
    MICROBENCH = "microbench.ptx",
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Crc;
    use std::path::Path;
    use std::process::Command;

    fn crc(bytes: &[u8]) -> String {
        let mut crc = Crc::new();
        crc.update(bytes);
        format!("{:08x}", crc.sum())
    }

    fn folder() -> &'static Path {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src/kernels"))
    }

    /// The source and all headers in the order of their names, as the script feeds them to the sum.
    fn sources(source: &str) -> Vec<u8> {
        let entries = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = entries.filter(|path| path.extension().is_some_and(|e| e == "h")).collect();
        files.sort();
        files.insert(0, folder().join(source));
        files.iter().flat_map(|path| std::fs::read(path).unwrap()).collect()
    }

    #[test]
    fn every_header_comes_with_the_command() {
        let mut names: Vec<_> = std::fs::read_dir(folder())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".h"))
            .collect();
        names.sort();
        assert_eq!(names, HEADERS.map(|(name, _)| name));
    }

    /// Whatever is installed: a source or a header that changed without the PTX, and a PTX changed by hand, are found.
    #[test]
    fn committed_ptx_belongs_to_its_sources() {
        for ptx in ALL {
            let mut rest = ptx.text;
            let mut line = || {
                let (line, after) = rest.split_once('\n').expect("three lines of header");
                rest = after;
                line
            };
            let source = line().strip_prefix("// ").unwrap().split(',').next().unwrap();
            let stored: Vec<_> = [line(), line()].map(|line| line.rsplit(' ').next().unwrap()).into();
            let (name, remedy) = (ptx.name, "run scripts/compile_kernels.sh and commit the result");
            assert_eq!(stored[0], crc(&sources(source)), "{name} is stale: {source} or a header has changed; {remedy}");
            assert_eq!(stored[1], crc(rest.as_bytes()), "{name} was changed by hand; {remedy}");
        }
    }

    /// Instructions that clang leaves between the two pragmas name no thread and no lane (it may move those that do,
    /// which touch no memory). Each region is closed before the next and before the kernel's end.
    #[test]
    fn scalar_regions_are_closed_and_name_no_lane() {
        let mut regions = Vec::new();
        for ptx in ALL {
            let mut is_open = false;
            for line in ptx.text.lines().map(str::trim) {
                match line {
                    ".pragma \"scalar\";" => {
                        assert!(!std::mem::replace(&mut is_open, true), "{}", ptx.name);
                        regions.push(ptx.name);
                    }
                    ".pragma \"scalar end\";" => assert!(std::mem::replace(&mut is_open, false), "{}", ptx.name),
                    "}" => assert!(!is_open, "{}", ptx.name),
                    _ => assert!(!is_open || !["%tid", "%laneid"].iter().any(|name| line.contains(name)), "{line}"),
                }
            }
        }
        let expected = [
            "bfs_warp.ptx",
            "bfs_rodinia_warp.ptx",
            "colour_warp.ptx",
            "bc_warp.ptx",
            "bc_warp.ptx",
            "pagerank_warp.ptx",
            "pagerank_push_warp.ptx",
        ];
        assert_eq!(regions, expected);
    }

    /// Clang 14 makes exactly the committed PTX.
    #[test]
    fn clang_makes_the_committed_ptx() {
        let out = tempfile::tempdir().unwrap();
        let script = folder().join("../../../scripts/compile_kernels.sh");
        let run = Command::new(script).arg(out.path()).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        let mut made: Vec<_> = std::fs::read_dir(out.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        made.sort();
        let mut committed = ALL.map(|ptx| ptx.name);
        committed.sort();
        assert_eq!(made, committed, "the script and `ALL` name the same files");
        for ptx in ALL {
            assert_eq!(std::fs::read_to_string(out.path().join(ptx.name)).unwrap(), ptx.text, "{}", ptx.name);
        }
    }
}
