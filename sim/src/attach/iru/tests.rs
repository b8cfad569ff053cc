//! `load_iru` from end to end: what threads get, and what goes wrong with a wrong configuration.

use super::*;
use crate::attach::{models, Uses};
use crate::gpu::{Gpu, Launch, RunError};
use crate::graph;
use crate::ptx::program::Program;
use crate::ptx::Module;
use crate::workload::{self, Input, Params, Variant};

/// Thread t < n stores (served, index, secondary, position) of its element to out[t].
fn kernel(form: &str) -> Program {
    let text = format!(
        ".version 3.2\n.target sm_35\n.address_size 64
.visible .entry k(.param .u64 out, .param .u32 n) {{
    .reg .pred %p<2>; .reg .b32 %r<12>; .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p1, %r5, %r1;
    @%p1 bra END;
    {form}
    mul.wide.u32 %rd2, %r5, 16;
    add.s64 %rd3, %rd1, %rd2;
    st.global.v4.u32 [%rd3], {{%r6, %r7, %r8, %r9}};
END:
    ret;
}}"
    );
    Module::parse("k.ptx", &text).unwrap().kernel("k").unwrap()
}

const TRIPLE: &str = "load_iru.u32 %r6, %r7, %r8, %r9;";

struct Bench {
    gpu: Gpu,
    reorder: Reorder,
    out: u64,
}

/// A GPU with these arrays on it.
fn bench(overrides: &[&str], indices: &[u32], secondary: &[u32], filter: Filter) -> Bench {
    let mut config = Config::preset("iru-gtx980").unwrap();
    overrides.iter().for_each(|text| config.set(text).unwrap());
    let mut gpu = Gpu::new(&config, models(&config, Uses::all()).unwrap());
    let memory = gpu.memory_mut();
    let mut array = |words: &[u32]| {
        let address = memory.alloc_aligned(4 * words.len() as u64, 1024);
        memory.write_u32s(address, words).unwrap();
        address
    };
    let count = indices.len() as u64;
    let [indices, secondary] = [indices, secondary].map(&mut array);
    let out = memory.alloc(16 * count);
    let reorder = Reorder { target: out, element_bytes: 4, indices, secondary: Some(secondary), count, filter };
    Bench { gpu, reorder, out }
}

impl Bench {
    fn launch(&mut self, program: &Program, threads: u32) -> Result<crate::stats::LaunchStats, RunError> {
        let params = Params::default().u64(self.out).u32(threads).bytes();
        let launch = Launch { grid: [threads.div_ceil(128), 1, 1], block: [128, 1, 1], dynamic_shared: 0, params };
        self.gpu.launch(program, &launch)
    }

    /// Values that the threads got: (served, index, secondary, position).
    fn run(&mut self, program: &Program) -> Vec<[u32; 4]> {
        self.gpu.configure_iru(self.reorder).unwrap();
        let threads = self.reorder.count as u32;
        self.launch(program, threads).unwrap();
        let words = self.gpu.memory().read_u32s(self.out, 4 * threads as usize).unwrap();
        words.chunks_exact(4).map(|w| w.try_into().unwrap()).collect()
    }
}

/// Numbers below `below` that look random.
fn numbers(count: u32, below: u32) -> Vec<u32> {
    (0..count).map(|i| (i.wrapping_mul(0x9E37_79B1) >> 8) % below).collect()
}

#[test]
fn every_thread_gets_an_element_and_every_element_a_thread() {
    for (count, link) in [(1, 0), (31, 8), (32, 1), (33, 2), (700, 3), (5_000, 8), (5_000, 0)] {
        let (indices, secondary) = (numbers(count, 900), numbers(count, u32::MAX));
        let mut bench = bench(&[&format!("iru.link={link}")], &indices, &secondary, Filter::None);
        let mut got = bench.run(&kernel(TRIPLE));
        got.sort_unstable_by_key(|g| g[3]);
        let expected: Vec<[u32; 4]> = (0..count).map(|p| [1, indices[p as usize], secondary[p as usize], p]).collect();
        assert_eq!(got, expected, "{count} elements");
        let stats = bench.gpu.stats().of::<ReorderStats>();
        assert_eq!((stats.delivered, stats.merged, stats.disabled), (u64::from(count), 0, 0));
    }
}

/// Warps get indices of fewer memory blocks than they would have read: that is what the unit is for (Fig 14).
#[test]
fn the_threads_of_a_warp_get_neighbours() {
    let indices = numbers(20_000, 8_000);
    let mut bench = bench(&[], &indices, &indices, Filter::None);
    let got = bench.run(&kernel(TRIPLE));
    let blocks = |of: &dyn Fn(usize) -> u32| -> usize {
        (0..20_000 / 32)
            .map(|w| (0..32).map(|t| of(32 * w + t) / 32).collect::<std::collections::BTreeSet<_>>().len())
            .sum()
    };
    let (before, after) = (blocks(&|t| indices[t]), blocks(&|t| got[t][1]));
    assert!(after * 4 < before, "{after} blocks, {before} without the unit");
}

#[test]
fn minima_and_sums_are_those_of_the_array() {
    let indices = numbers(4_000, 300);
    let values: Vec<u32> = numbers(4_000, 1 << 20);
    let mut minimum = bench(&[], &indices, &values, Filter::Minimum);
    let got = minimum.run(&kernel(TRIPLE));
    assert!(got.iter().all(|g| g[0] == 1 || *g == [0; 4]), "a thread without an element has zeros");
    let stats = minimum.gpu.stats().of::<ReorderStats>();
    let served = got.iter().filter(|g| g[0] == 1).count() as u64;
    let distinct = indices.iter().collect::<std::collections::BTreeSet<_>>().len() as u64;
    assert_eq!(stats.repeated, 4_000 - distinct);
    assert!(stats.merged > 1_000 && stats.merged <= stats.repeated, "{stats:?}");
    assert_eq!((served, served + stats.merged, stats.disabled), (stats.delivered, 4_000, stats.merged));
    for index in 0..300 {
        let expected = (0..4_000).filter(|p| indices[*p] == index).map(|p| values[p]).min();
        assert_eq!(got.iter().filter(|g| g[0] == 1 && g[1] == index).map(|g| g[2]).min(), expected);
    }
    let floats: Vec<u32> = values.iter().map(|v| (*v as f32).to_bits()).collect();
    let got = bench(&[], &indices, &floats, Filter::Addition).run(&kernel(TRIPLE));
    for index in 0..300 {
        // Sums of whole numbers below 2^24 are exact.
        let expected: f64 = (0..4_000).filter(|p| indices[*p] == index).map(|p| f64::from(values[p])).sum();
        let sum: f64 = got.iter().filter(|g| g[0] == 1 && g[1] == index).map(|g| f64::from(f32::from_bits(g[2]))).sum();
        assert!(expected < 16_777_216.0 && sum == expected, "index {index}: {sum}, not {expected}");
    }
}

#[test]
fn a_kernel_names_as_many_values_as_it_wants() {
    let indices = numbers(200, 50);
    for (form, values) in [("load_iru.u32 %r6, %r7;", 1), ("load_iru.u32 %r6, %r7, %r8;", 2), (TRIPLE, 3)] {
        let zeros = "mov.u32 %r8, 0; mov.u32 %r9, 0;";
        let mut bench = bench(&[], &indices, &numbers(200, 1 << 30), Filter::None);
        let got = bench.run(&kernel(&format!("{zeros} {form}")));
        let mut expected = indices.clone();
        let mut found: Vec<u32> = got.iter().map(|g| g[1]).collect();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected);
        assert_eq!(got.iter().any(|g| g[2] != 0), values > 1);
        assert_eq!(got.iter().any(|g| g[3] != 0), values > 2);
        let packets = bench.gpu.stats().of::<ReorderStats>().packets;
        assert!(packets >= if values > 1 { 14 } else { 7 }, "{packets} packets of 7 warps");
    }
}

/// Requests wait for a complete set, but not for ever.
#[test]
fn a_longer_timeout_gives_better_company_and_later_answers() {
    let indices = numbers(30_000, 100_000);
    let wait = |timeout: &str| {
        let mut bench = bench(&[timeout], &indices, &indices, Filter::None);
        bench.run(&kernel(TRIPLE));
        let stats = bench.gpu.stats();
        stats.of::<ReorderStats>().wait_cycles / stats.of::<ReorderStats>().requests
    };
    assert!(wait("iru.timeout=16") <= wait("iru.timeout=4096"));
}

/// A warp waits as long as the last element needs for its way round the ring, and the end for its way to all partitions.
#[test]
fn partitions_that_are_farther_apart_take_longer() {
    let indices = numbers(300, 5_000);
    let cycles = |link: &str| {
        let mut bench = bench(&[link], &indices, &indices, Filter::None);
        bench.run(&kernel(TRIPLE));
        bench.gpu.stats().of::<ReorderStats>().busy_cycles
    };
    let cycles = ["iru.link=0", "iru.link=2", "iru.link=8"].map(cycles);
    assert!(cycles.is_sorted() && cycles[0] + 16 < cycles[2], "{cycles:?}");
}

#[test]
fn looking_at_every_cycle_changes_nothing() {
    let indices = numbers(3_000, 4_000);
    let run = |skip| {
        let mut bench = bench(&[], &indices, &indices, Filter::Minimum);
        bench.gpu.set_skip_idle(skip);
        (bench.run(&kernel(TRIPLE)), bench.run(&kernel(TRIPLE)), bench.gpu.stats().clone())
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn the_unit_is_off_for_kernels_that_do_not_use_it() {
    let indices = numbers(100, 100);
    let mut bench = bench(&[], &indices, &indices, Filter::None);
    bench.gpu.configure_iru(bench.reorder).unwrap();
    let plain = kernel("mov.u32 %r6, 1;");
    let stats = bench.launch(&plain, 100).unwrap();
    assert_eq!((stats.of::<ReorderStats>().busy_cycles, stats.l2.prefetches), (0, 0));
    // The configuration is still there for the kernel that uses it.
    let stats = bench.launch(&kernel(TRIPLE), 100).unwrap();
    assert_eq!((stats.of::<ReorderStats>().delivered, stats.l2.prefetches), (100, 2 * 13));
}

#[test]
fn a_wrong_configuration_is_refused_in_words() {
    let indices = numbers(100, 100);
    let bench = bench(&[], &indices, &indices, Filter::None);
    let Bench { mut gpu, reorder, .. } = bench;
    let mut message = |reorder: Reorder| gpu.configure_iru(reorder).unwrap_err().to_string();
    let [low, high] = [4, 256].map(|offset| reorder.indices + offset);
    let count = "must be 1 to 16777216 (2^24)";
    let size = "must be a power of two, at most a line of 128 bytes";
    let array = "must be a multiple of 1024: all memory partitions in turn";
    let secondary = Some(high);
    for (wrong, value, rule) in [
        (Reorder { count: 0, ..reorder }, "number_elements = 0".to_owned(), count),
        (Reorder { count: (1 << 24) + 1, ..reorder }, "number_elements = 16777217".into(), count),
        (Reorder { element_bytes: 3, ..reorder }, "target_array_data_type_size = 3".into(), size),
        (Reorder { element_bytes: 256, ..reorder }, "target_array_data_type_size = 256".into(), size),
        (Reorder { indices: low, ..reorder }, format!("indices_array = {low:#x}"), array),
        (Reorder { secondary, ..reorder }, format!("secondary_array = {high:#x}"), array),
        (
            Reorder { secondary: None, filter: Filter::Addition, ..reorder },
            "filter_op = addition".into(),
            "needs a secondary array",
        ),
    ] {
        assert_eq!(message(wrong), format!("configure_iru: {value}: {rule}"));
    }
    let short = message(Reorder { count: 1 << 20, ..reorder });
    assert!(short.contains("has not 1048576 elements"), "{short}");

    let mut without = Gpu::new(&Config::preset("hwwl-micro14").unwrap(), Vec::new());
    let text = "configure_iru: configuration = hwwl-micro14: has no reorder unit; add an [iru] table";
    assert_eq!(without.configure_iru(reorder).unwrap_err().to_string(), text);
}

#[test]
fn a_kernel_that_does_not_fit_its_configuration_is_an_error() {
    let indices = numbers(256, 100);
    let program = kernel(TRIPLE);
    let error = |threads: u32, configure: bool| {
        let mut bench = bench(&[], &indices, &indices, Filter::None);
        if configure {
            bench.gpu.configure_iru(bench.reorder).unwrap();
        }
        bench.out = bench.gpu.memory_mut().alloc(1 << 16);
        bench.launch(&program, threads).unwrap_err().to_string()
    };
    let at = "k.ptx:14: kernel `k`";
    let unconfigured =
        format!("{at} uses the reorder unit, which nobody has configured; call configure_iru before each launch");
    assert_eq!(error(256, false), unconfigured);
    let many = error(300, true);
    assert!(many.starts_with(&format!("{at}: load_iru by ")), "{many}");
    assert!(many.contains("configure_iru names 256 elements"), "{many}");
    let few = error(200, true);
    assert!(few.starts_with(&format!("{at}: load_iru by 200 threads only: ")), "{few}");
}

/// Also when the unit has already come to rest.
#[test]
fn asking_again_after_the_last_element_is_an_error() {
    let indices = numbers(32, 100);
    let mut bench = bench(&[], &indices, &indices, Filter::None);
    bench.gpu.configure_iru(bench.reorder).unwrap();
    let wait = "membar.gl; add.u32 %r10, %r6, %r7;";
    let error = bench.launch(&kernel(&format!("{TRIPLE} {wait} {TRIPLE}")), 32).unwrap_err().to_string();
    let text = "load_iru by 64 threads, but configure_iru names 32 elements; guard it with the number of elements";
    assert_eq!(error, format!("k.ptx:14: kernel `k`: {text}"));
}

#[test]
fn a_configuration_that_the_unit_cannot_have_is_refused() {
    let message = |text: &str| Config::preset("iru-gtx980").unwrap().set(text).unwrap_err().to_string();
    for (set, expected) in [
        ("iru.sets=100", "iru-gtx980: iru.sets = 100: must be a power of two from 4 to 1024"),
        ("iru.timeout=3", "iru-gtx980: iru.timeout = 3: must be from 16 to 65535"),
        ("iru.link=9", "iru-gtx980: iru.link = 9: must be from 0 to 8"),
        ("core.count=17", "iru-gtx980: core.count = 17: must be at most 16 with reorder units ([iru])"),
        (
            "dram.channels=6",
            "iru-gtx980: dram.channels = 6: must be 2 or 4 with reorder units ([iru]): one a partition",
        ),
    ] {
        assert_eq!(message(set), expected);
    }
}

/// A request that goes on to another partition may get its last part before the first one has come out, rarely: in one of some
/// hundred launches.
#[test]
fn a_reply_is_whole_whichever_part_comes_first() {
    let config = Config::preset("iru-gtx980").unwrap();
    for nodes in [17_000, 27_000, 32_768] {
        let mut gpu = Gpu::new(&config, models(&config, Uses::all()).unwrap());
        let graph = graph::open(&format!("gen:delaunay:{nodes}")).unwrap();
        let input = Input::Graph { graph: &graph, source: 0 };
        workload::find("bfs").unwrap().run(&mut gpu, input, Variant::Iru, &mut |_| ()).unwrap();
    }
}
