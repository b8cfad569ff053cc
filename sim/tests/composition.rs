//! HWWL, the IRU and Graph-Waving on one GPU: pairs of narrow warps pull, push and take elements, and nothing of it depends on who
//! issues together.

use sim::attach::hwwl::WorklistStats;
use sim::attach::iru::Reorder;
use sim::attach::iru::ReorderStats;
use sim::attach::{models, Uses};
use sim::config::Config;
use sim::gpu::{Gpu, Launch};
use sim::graph;
use sim::ptx::program::Program;
use sim::ptx::Module;
use sim::stats::{LaunchStats, Stats};
use sim::units::iru::Filter;
use sim::workload::{find, Input, Params};

/// Every thread pushes its number, then pulls until it is told DONE, and counts at c[ID] what it pulls.
const WORKLIST: &str = ".visible .entry k(.param .u64 c) {
    .reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [c];
    mov.u32 %r1, %tid.x;
    wlpush.u32 %r1;
PULL:
    wlpull.u32 %r2;
    setp.ge.u32 %p2, %r2, -2;
    @%p2 bra NEXT;
    mul.wide.u32 %rd2, %r2, 4;
    add.s64 %rd3, %rd1, %rd2;
    red.global.add.u32 [%rd3], 1;
NEXT:
    setp.ne.s32 %p3, %r2, -1;
    @%p3 bra PULL;
    ret;
}";

/// Thread t < n stores (served, index, secondary value, position) of its element at out[t].
const ELEMENTS: &str = ".visible .entry k(.param .u64 out, .param .u32 n) {
    .reg .pred %p<2>; .reg .b32 %r<12>; .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p1, %r5, %r1;
    @%p1 bra END;
    load_iru.u32 %r6, %r7, %r8, %r9;
    mul.wide.u32 %rd2, %r5, 16;
    add.s64 %rd3, %rd1, %rd2;
    st.global.v4.u32 [%rd3], {%r6, %r7, %r8, %r9};
END:
    ret;
}";

fn kernel(text: &str) -> Program {
    let module = format!(".version 3.2\n.target sm_35\n.address_size 64\n{text}");
    Module::parse("k.ptx", &module).unwrap().kernel("k").unwrap()
}

/// All three extensions, on a few cores.
fn config(changes: &[&str]) -> Config {
    let mut config = Config::preset("unruly-gw8").unwrap();
    config.set_all(&[&["core.count=2"], changes].concat()).unwrap();
    config
}

fn gpu(changes: &[&str]) -> Gpu {
    let config = config(changes);
    Gpu::new(&config, models(&config, Uses::all()).unwrap())
}

fn launch(gpu: &mut Gpu, text: &str, ctas: u32, threads: u32, params: Params) -> LaunchStats {
    let launch = Launch { grid: [ctas, 1, 1], block: [threads, 1, 1], dynamic_shared: 0, params: params.bytes() };
    gpu.launch(&kernel(text), &launch).unwrap()
}

/// Numbers below `below` that look random.
fn numbers(count: u32, below: u32) -> Vec<u32> {
    (0..count).map(|i| (i.wrapping_mul(0x9E37_79B1) >> 8) % below).collect()
}

/// In single-buffer mode every thread gets an ID or DONE, and no ID is lost or comes twice: for pairs that fill all banks, for halves
/// that always issue alone, for banks that the halves share, and for a last pair with one half.
#[test]
fn pairs_pull_what_was_pushed() {
    for changes in [&[][..], &["gw.pairs=false"], &["gw.waves=false"], &["hwwl.lanes=4"], &["hwwl.lanes=8"]] {
        for threads in [128, 120] {
            let mut gpu = gpu(&[&["hwwl.entries=256"], changes].concat());
            let c = gpu.memory_mut().alloc(4 * 128);
            let stats = launch(&mut gpu, WORKLIST, 8, threads, Params::default().u64(c));
            let counts = gpu.memory().read_u32s(c, threads as usize).unwrap();
            assert_eq!(counts, vec![8; threads as usize], "{changes:?}");
            let (work, ids) = (stats.of::<WorklistStats>(), u64::from(8 * threads));
            assert_eq!((work.ids_pushed, work.ids_pulled, work.dones), (ids, ids, ids), "{changes:?}");
            assert_eq!(stats.core.pairs_issued == 0, changes.contains(&"gw.pairs=false"));
        }
    }
}

/// The odd half of a pair has banks of its own, also alone: it pushes first, the even half pulls first, and each thread gets back what
/// it pushed, as nothing moves between banks.
#[test]
fn a_half_keeps_its_lanes() {
    const BACK: &str = ".visible .entry k(.param .u64 c) {
    .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [c];
    mov.u32 %r1, %tid.x;
    setp.ge.u32 %p1, %r1, 8;
    @%p1 wlpush.u32 %r1;
    bar.sync 0;
    @!%p1 wlpush.u32 %r1;
    bar.sync 0;
    @!%p1 wlpull.u32 %r2;
    bar.sync 0;
    @%p1 wlpull.u32 %r2;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r2;
    ret;
}";
    for changes in [&["hwwl.scheme=none"][..], &["hwwl.scheme=none", "gw.pairs=false"]] {
        let mut gpu = gpu(changes);
        let c = gpu.memory_mut().alloc(64);
        launch(&mut gpu, BACK, 1, 16, Params::default().u64(c));
        assert!(gpu.memory().read_u32s(c, 16).unwrap().into_iter().eq(0..16), "{changes:?}");
    }
}

/// Every element comes out once, to the lanes of both halves; also if a core has room for few requests, and if halves issue alone.
#[test]
fn pairs_take_every_element_once() {
    for changes in [&[][..], &["iru.requests=16"], &["gw.pairs=false"], &["dram.channels=2", "iru.sets=8"]] {
        for count in [1, 8, 9, 17, 1_001] {
            let mut gpu = gpu(changes);
            let (indices, values) = (numbers(count, 900), numbers(count, u32::MAX));
            let [indices_at, values_at] = [&indices, &values].map(|words| {
                let address = gpu.memory_mut().alloc_aligned(4 * words.len() as u64, 1024);
                gpu.memory_mut().write_u32s(address, words).unwrap();
                address
            });
            let out = gpu.memory_mut().alloc(16 * u64::from(count));
            let (secondary, elements) = (Some(values_at), u64::from(count));
            let reorder = Reorder {
                target: out,
                element_bytes: 4,
                indices: indices_at,
                secondary,
                count: elements,
                filter: Filter::None,
            };
            gpu.configure_iru(reorder).unwrap();
            launch(&mut gpu, ELEMENTS, count.div_ceil(128), 128, Params::default().u64(out).u32(count));
            let words = gpu.memory().read_u32s(out, 4 * count as usize).unwrap();
            let mut got: Vec<[u32; 4]> = words.chunks_exact(4).map(|w| w.try_into().unwrap()).collect();
            got.sort_unstable_by_key(|element| element[3]);
            let expected = (0..count).map(|p| [1, indices[p as usize], values[p as usize], p]);
            assert!(got.into_iter().eq(expected), "{count} elements, {changes:?}");
            assert!(gpu.stats().core.pairs_issued > 0 || count <= 8 || changes == ["gw.pairs=false"]);
        }
    }
}

fn search(gpu: &mut Gpu, workload: &str, variant: &str) -> Stats {
    let graph = graph::open("gen:kron:8").unwrap();
    let input = Input::Graph { graph: &graph, source: graph.source };
    find(workload).unwrap().run(gpu, input, variant.parse().unwrap(), &mut |_| {}).unwrap();
    gpu.stats().clone()
}

/// Cycles in which nothing can happen can be left out, with all units at work.
#[test]
fn skipping_changes_nothing_with_all_units() {
    for workload in ["bfs", "sssp"] {
        let run = |skip: bool| {
            let mut gpu = gpu(&[]);
            gpu.set_skip_idle(skip);
            search(&mut gpu, workload, "hwwl-iru")
        };
        let stats = run(true);
        assert_eq!(stats, run(false), "{workload}");
        assert!(
            stats.of::<WorklistStats>().ids_pulled > 0
                && stats.of::<ReorderStats>().delivered > 0
                && stats.core.pairs_issued > 0
        );
    }
}

/// The baselines of docs/composition.md run on the GPU with all units.
#[test]
fn a_unit_that_no_kernel_uses_changes_no_cycle() {
    for preset in ["unruly-b32", "unruly-gw8"] {
        let mut config = Config::preset(preset).unwrap();
        config.set("core.count=2").unwrap();
        let with = |uses| models(&config, uses).unwrap();
        let only = |name| with(Uses::that(|system| system.name == name));
        for (variant, fewer) in [("frontier", Vec::new()), ("hwwl-frontier", only("hwwl")), ("iru", only("iru"))] {
            let [all, fewer] =
                [with(Uses::all()), fewer].map(|units| search(&mut Gpu::new(&config, units), "bfs", variant));
            assert_eq!(all, fewer, "{preset} {variant}");
        }
    }
}
