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
pub const HEADERS: [(&str, &str); 10] = headers!(
    "bfs_visit.h" "frontier.h" "mapping.h" "mst.h" "relax.h" "unruly_cuda.h" "warp.h" "worklist.h" "worklist_hardware.h"
    "worklist_software.h"
);

macro_rules! ptx {
    ($name:literal) => {
        Ptx { name: $name, text: include_str!($name) }
    };
}

/// BFS: topology-driven, a vertex mapped to a thread or to a warp; data-driven with the software worklist (plain, with work
/// chunking, with atomic-reduced updates) and with the hardware worklist (double-buffered, single-buffered); with frontiers, read
/// by the threads themselves or through the reorder units.
pub const BFS_TOPO: Ptx = ptx!("bfs_topo.ptx");
pub const BFS_WARP: Ptx = ptx!("bfs_warp.ptx");
pub const BFS_SWWL: Ptx = ptx!("bfs_swwl.ptx");
pub const BFS_SWWL_WCH: Ptx = ptx!("bfs_swwl_wch.ptx");
pub const BFS_SWWL_ARU: Ptx = ptx!("bfs_swwl_aru.ptx");
pub const BFS_HWWL: Ptx = ptx!("bfs_hwwl.ptx");
pub const BFS_HWWL_SINGLE: Ptx = ptx!("bfs_hwwl_single.ptx");
pub const BFS_FRONTIER: Ptx = ptx!("bfs_frontier.ptx");
pub const BFS_IRU: Ptx = ptx!("bfs_iru.ptx");
/// Shortest paths: the same.
pub const SSSP_TOPO: Ptx = ptx!("sssp_topo.ptx");
pub const SSSP_WARP: Ptx = ptx!("sssp_warp.ptx");
pub const SSSP_SWWL: Ptx = ptx!("sssp_swwl.ptx");
pub const SSSP_SWWL_WCH: Ptx = ptx!("sssp_swwl_wch.ptx");
pub const SSSP_SWWL_ARU: Ptx = ptx!("sssp_swwl_aru.ptx");
pub const SSSP_HWWL: Ptx = ptx!("sssp_hwwl.ptx");
pub const SSSP_HWWL_SINGLE: Ptx = ptx!("sssp_hwwl_single.ptx");
pub const SSSP_FRONTIER: Ptx = ptx!("sssp_frontier.ptx");
pub const SSSP_IRU: Ptx = ptx!("sssp_iru.ptx");
/// Minimum spanning forest: a vertex mapped to a thread, and the double-buffered worklists.
pub const MST_TOPO: Ptx = ptx!("mst_topo.ptx");
pub const MST_SWWL: Ptx = ptx!("mst_swwl.ptx");
pub const MST_SWWL_WCH: Ptx = ptx!("mst_swwl_wch.ptx");
pub const MST_SWWL_ARU: Ptx = ptx!("mst_swwl_aru.ptx");
pub const MST_HWWL: Ptx = ptx!("mst_hwwl.ptx");
/// Graph colouring and betweenness centrality, a vertex mapped to a thread or to a warp.
pub const COLOUR_TOPO: Ptx = ptx!("colour_topo.ptx");
pub const COLOUR_WARP: Ptx = ptx!("colour_warp.ptx");
pub const BC_TOPO: Ptx = ptx!("bc_topo.ptx");
pub const BC_WARP: Ptx = ptx!("bc_warp.ptx");
/// PageRank by pulling, a vertex mapped to a thread or to a warp.
pub const PAGERANK_THREAD: Ptx = ptx!("pagerank_thread.ptx");
pub const PAGERANK_WARP: Ptx = ptx!("pagerank_warp.ptx");
pub const PAGERANK_FRONTIER: Ptx = ptx!("pagerank_frontier.ptx");
pub const PAGERANK_IRU: Ptx = ptx!("pagerank_iru.ptx");
/// Regular kernels.
pub const VECADD: Ptx = ptx!("vecadd.ptx");
pub const MATMUL: Ptx = ptx!("matmul.ptx");
pub const REDUCTION: Ptx = ptx!("reduction.ptx");
pub const HOTSPOT: Ptx = ptx!("hotspot.ptx");
pub const PATHFINDER: Ptx = ptx!("pathfinder.ptx");
pub const BACKPROP: Ptx = ptx!("backprop.ptx");
pub const LAPLACE: Ptx = ptx!("laplace.ptx");
pub const NW: Ptx = ptx!("nw.ptx");
pub const NQUEENS: Ptx = ptx!("nqueens.ptx");

pub const ALL: [Ptx; 40] = [
    BFS_TOPO,
    BFS_WARP,
    BFS_SWWL,
    BFS_SWWL_WCH,
    BFS_SWWL_ARU,
    BFS_HWWL,
    BFS_HWWL_SINGLE,
    BFS_FRONTIER,
    BFS_IRU,
    SSSP_TOPO,
    SSSP_WARP,
    SSSP_SWWL,
    SSSP_SWWL_WCH,
    SSSP_SWWL_ARU,
    SSSP_HWWL,
    SSSP_HWWL_SINGLE,
    SSSP_FRONTIER,
    SSSP_IRU,
    MST_TOPO,
    MST_SWWL,
    MST_SWWL_WCH,
    MST_SWWL_ARU,
    MST_HWWL,
    COLOUR_TOPO,
    COLOUR_WARP,
    BC_TOPO,
    BC_WARP,
    PAGERANK_THREAD,
    PAGERANK_WARP,
    PAGERANK_FRONTIER,
    PAGERANK_IRU,
    VECADD,
    MATMUL,
    REDUCTION,
    HOTSPOT,
    PATHFINDER,
    BACKPROP,
    LAPLACE,
    NW,
    NQUEENS,
];

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

    /// What clang leaves between the two pragmas: nothing that names a thread or a lane (it may move such instructions, which
    /// touch no memory), and each region is closed before the next and before the kernel's end.
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
        assert_eq!(regions, ["bfs_warp.ptx", "colour_warp.ptx", "bc_warp.ptx", "bc_warp.ptx", "pagerank_warp.ptx"]);
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
