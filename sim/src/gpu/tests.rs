//! Kernels from end to end.

use super::*;
use crate::attach::hwwl::WorklistStats;
use crate::attach::{models, Uses};
use crate::config::{GlobalAccesses, LocalStores};
use crate::ptx::Module;
use crate::workload::Params;

const HEADER: &str = ".version 3.2\n.target sm_35\n.address_size 64\n";

/// c[i] = a[i * stride] + 1 for i < n.
const COPY: &str = ".visible .entry k(.param .u64 a, .param .u64 c, .param .u32 n, .param .u32 stride) {
    .reg .pred %p<2>; .reg .b32 %r<10>; .reg .b64 %rd<10>;
    ld.param.u64 %rd1, [a];
    ld.param.u64 %rd2, [c];
    ld.param.u32 %r1, [n];
    ld.param.u32 %r2, [stride];
    mov.u32 %r3, %ctaid.x;
    mov.u32 %r4, %ntid.x;
    mov.u32 %r5, %tid.x;
    mad.lo.s32 %r6, %r3, %r4, %r5;
    setp.ge.u32 %p1, %r6, %r1;
    @%p1 bra END;
    mul.lo.s32 %r7, %r6, %r2;
    mul.wide.u32 %rd3, %r7, 4;
    add.s64 %rd4, %rd1, %rd3;
    ld.global.u32 %r8, [%rd4];
    add.s32 %r8, %r8, 1;
    mul.wide.u32 %rd5, %r6, 4;
    add.s64 %rd6, %rd2, %rd5;
    st.global.u32 [%rd6], %r8;
END:
    ret;
}";

/// Thread t writes t + i to word 4 * i of its local array, for i = 0 to 15, and then sums them up into c[t].
const LOCAL: &str = ".visible .entry k(.param .u64 c) {
    .local .align 4 .b8 l[256];
    .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [c];
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
    mad.lo.s32 %r4, %r1, %r2, %r3;
    mov.u64 %rd2, l;
    mov.u64 %rd3, %rd2;
    mov.u32 %r5, 0;
WRITE:
    add.s32 %r6, %r4, %r5;
    st.local.u32 [%rd3], %r6;
    add.s64 %rd3, %rd3, 16;
    add.s32 %r5, %r5, 1;
    setp.ne.s32 %p1, %r5, 16;
    @%p1 bra WRITE;
    mov.u32 %r5, 0;
    mov.u32 %r7, 0;
READ:
    ld.local.u32 %r6, [%rd2];
    add.s32 %r7, %r7, %r6;
    add.s64 %rd2, %rd2, 16;
    add.s32 %r5, %r5, 1;
    setp.ne.s32 %p1, %r5, 16;
    @%p1 bra READ;
    mul.wide.u32 %rd4, %r4, 4;
    add.s64 %rd1, %rd1, %rd4;
    st.global.u32 [%rd1], %r7;
    ret;
}";

/// One thread follows `steps` pointers from `a`.
const CHASE: &str = ".visible .entry k(.param .u64 a, .param .u32 steps) {
    .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [a];
    ld.param.u32 %r1, [steps];
LOOP:
    ld.global.u64 %rd1, [%rd1];
    add.s32 %r1, %r1, -1;
    setp.ne.s32 %p1, %r1, 0;
    @%p1 bra LOOP;
    ret;
}";

/// Adds 1 to *a in every thread; thread t first goes round a loop t mod 32 times.
const DIVERGENT_ATOMIC: &str = ".visible .entry k(.param .u64 a) {
    .reg .pred %p<3>; .reg .b32 %r<6>; .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [a];
    mov.u32 %r1, %tid.x;
    and.b32 %r2, %r1, 31;
    mov.u32 %r3, 1;
LOOP:
    setp.eq.s32 %p1, %r2, 0;
    @%p1 bra DONE;
    add.s32 %r2, %r2, -1;
    bra.uni LOOP;
DONE:
    atom.global.add.u32 %r4, [%rd1], %r3;
    ret;
}";

/// Thread t of a CTA writes t to shared memory, all meet, and it reads what thread (t + 37) mod 64 wrote.
const BARRIER: &str = ".visible .entry k(.param .u64 c) {
    .reg .b32 %r<8>; .reg .b64 %rd<6>;
    .shared .align 4 .b8 s[256];
    ld.param.u64 %rd1, [c];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    mov.u64 %rd3, s;
    add.s64 %rd4, %rd3, %rd2;
    st.shared.u32 [%rd4], %r1;
    bar.sync 0;
    add.s32 %r2, %r1, 37;
    and.b32 %r2, %r2, 63;
    mul.wide.u32 %rd5, %r2, 4;
    add.s64 %rd4, %rd3, %rd5;
    ld.shared.u32 %r3, [%rd4];
    add.s64 %rd2, %rd1, %rd2;
    st.global.u32 [%rd2], %r3;
    ret;
}";

/// Warp 0 of each CTA waits at barrier 1, warp 1 at barrier 2.
const STUCK: &str = ".visible .entry k() {
    .reg .pred %p<2>; .reg .b32 %r<2>;
    mov.u32 %r1, %tid.x;
    setp.lt.u32 %p1, %r1, 32;
    @%p1 bra ONE;
    bar.sync 2;
    ret;
ONE:
    bar.sync 1;
    ret;
}";

/// Every thread pushes its number, pulls until it gets something, and stores that or DONE.
/// Lanes that wait meet those that had work before all pull again.
const WORKLIST: &str = ".visible .entry k(.param .u64 c, .param .u32 pushes) {
    .reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [c];
    ld.param.u32 %r5, [pushes];
    mov.u32 %r1, %tid.x;
PUSH:
    wlpush.u32 %r1;
    add.s32 %r5, %r5, -1;
    setp.ne.s32 %p1, %r5, 0;
    @%p1 bra PUSH;
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

/// Every thread pushes its number, pulls until it gets an ID, and then counts down from `spins`.
const HOLD: &str = ".visible .entry k(.param .u32 spins) {
    .reg .pred %p<3>; .reg .b32 %r<4>;
    ld.param.u32 %r3, [spins];
    mov.u32 %r1, %tid.x;
    wlpush.u32 %r1;
PULL:
    wlpull.u32 %r2;
    setp.ge.u32 %p1, %r2, -2;
    @%p1 bra PULL;
SPIN:
    add.s32 %r3, %r3, -1;
    setp.ne.s32 %p2, %r3, 0;
    @%p2 bra SPIN;
    ret;
}";

fn kernel(text: &str) -> Program {
    Module::parse("test.ptx", &format!("{HEADER}{text}")).unwrap().kernel("k").unwrap()
}

fn config(changes: &[&str]) -> Config {
    let mut config = Config::preset("hwwl-micro14").unwrap();
    changes.iter().for_each(|change| config.set(change).unwrap());
    config
}

fn gpu(changes: &[&str]) -> Gpu {
    Gpu::new(&config(changes), Vec::new())
}

fn gpu_with_worklists(changes: &[&str]) -> Gpu {
    let config = config(changes);
    Gpu::new(&config, models(&config, Uses::all()).unwrap())
}

fn in_a_row(grid: u32, block: u32, params: Params) -> Launch {
    Launch { grid: [grid, 1, 1], block: [block, 1, 1], dynamic_shared: 0, params: params.bytes() }
}

/// Launches the kernel of this text.
fn launch(gpu: &mut Gpu, text: &str, grid: u32, block: u32, params: Params) -> Result<LaunchStats, RunError> {
    gpu.launch(&kernel(text), &in_a_row(grid, block, params))
}

fn params() -> Params {
    Params::default()
}

fn upload(gpu: &mut Gpu, words: &[u32]) -> u64 {
    let address = gpu.memory_mut().alloc(4 * words.len() as u64);
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    gpu.copy_to_device(address, &bytes).unwrap();
    address
}

/// Copies n words with a stride on a GPU with these changes; checks the result.
fn copy(gpu: &mut Gpu, n: u32, stride: u32) -> LaunchStats {
    let words: Vec<u32> = (0..n * stride).map(|i| i.wrapping_mul(2_654_435_761)).collect();
    let a = upload(gpu, &words);
    let c = gpu.memory_mut().alloc(4 * n as u64);
    let stats = launch(gpu, COPY, n.div_ceil(256), 256, params().u64(a).u64(c).u32(n).u32(stride)).unwrap();
    let expected: Vec<u32> = (0..n as usize).map(|i| words[i * stride as usize].wrapping_add(1)).collect();
    assert_eq!(gpu.memory().read_u32s(c, n as usize).unwrap(), expected);
    stats
}

#[test]
fn unit_stride_is_one_request_an_access_and_a_line_stride_32() {
    let stats = copy(&mut gpu(&[]), 8192, 1);
    assert_eq!((stats.core.memory_accesses, stats.core.memory_requests), (512, 512));
    let stats = copy(&mut gpu(&[]), 8192, 32);
    assert_eq!((stats.core.memory_accesses, stats.core.memory_requests), (512, 256 * 32 + 256));
}

/// Kinds of L1, and clock domains of all sorts.
const MEMORIES: [&[&str]; 6] = [
    &[],
    &["l1d.sector_bytes=32", "l1d.global_stores=update", "l1d.local_stores=allocate"],
    &["l1d.local_stores=allocate"],
    &["l1d.global_accesses=bypass"],
    &["network.clock_mhz=1400", "l2.clock_mhz=350", "dram.clock_mhz=97", "l1d.sector_bytes=32"],
    &["core.clock_mhz=1127", "network.clock_mhz=590", "l2.clock_mhz=1770", "dram.clock_mhz=1753", "l2.set_index=xor"],
];

fn local_arrays(gpu: &mut Gpu) -> LaunchStats {
    let c = gpu.memory_mut().alloc(4 * 4096);
    let stats = launch(gpu, LOCAL, 32, 128, params().u64(c)).unwrap();
    let expected: Vec<u32> = (0..4096).map(|t| 16 * t + 120).collect();
    assert_eq!(gpu.memory().read_u32s(c, 4096).unwrap(), expected);
    stats
}

/// All threads add to one word.
fn atomics(gpu: &mut Gpu, grid: u32, block: u32) -> LaunchStats {
    let a = upload(gpu, &[7]);
    let stats = launch(gpu, DIVERGENT_ATOMIC, grid, block, params().u64(a)).unwrap();
    assert_eq!(gpu.memory().read_u32s(a, 1).unwrap(), [7 + grid * block]);
    stats
}

#[test]
fn what_the_l2_sees_is_what_the_l1s_let_through() {
    for changes in MEMORIES {
        let config = config(changes);
        let (bypass, sectors) = (config.l1d.global_accesses == GlobalAccesses::Bypass, config.l1d.sector_bytes / 32);
        let read_misses = |s: &LaunchStats| {
            sectors * (s.l1d.misses - s.l1d.write_misses) + 4 * s.l1i.misses + config.l1c.line_bytes / 32 * s.l1c.misses
        };
        // Loads with a stride of three, stores without gaps: each 32 bytes are written once.
        let mut gpu = gpu(changes);
        let s = copy(&mut gpu, 8192, 3);
        let uncached = if bypass { 3 * 8192 / 8 } else { 0 };
        assert_eq!(s.l2.reads, read_misses(&s) + uncached, "{changes:?}");
        assert_eq!((s.l2.writes, s.l2.l1_write_backs, s.l2.atomics), (8192 / 8, 0, 0), "{changes:?}");
        assert_eq!(s.replies.packets, s.l2.cache.accesses, "{changes:?}");
        // Local arrays do not fit the L1: what has been written there is written back.
        let s = local_arrays(&mut gpu);
        assert_eq!(s.l2.reads, read_misses(&s), "{changes:?}");
        let stores = 4096 / 8 * 17;
        match config.l1d.local_stores {
            LocalStores::NoAllocate => assert!(s.l2.writes > 4096 / 8 && s.l2.writes <= stores, "{changes:?}"),
            LocalStores::Allocate => assert_eq!(s.l2.writes, 4096 / 8, "{changes:?}"),
        }
        assert!(s.l2.l1_write_backs <= 4 * s.l1d.write_backs, "{changes:?}");
        assert_eq!(s.l1d.write_backs > 0, s.l2.l1_write_backs > 0, "{changes:?}");
        let s = atomics(&mut gpu, 5, 96);
        assert_eq!((s.l2.atomics, s.l2.atomic_lanes), (15, 480), "{changes:?}");
        let l2 = &gpu.stats().l2;
        assert_eq!(l2.cache.accesses, l2.reads + l2.writes + l2.atomics + l2.l1_write_backs, "{changes:?}");
        assert!(gpu.stats().dram_bandwidth(&config) <= config.dram.peak_bandwidth(), "{changes:?}");
    }
}

#[test]
fn counters_agree_with_each_other() {
    let mut gpu = gpu(&["l2.host_copy_fills=false"]);
    let s = copy(&mut gpu, 20_000, 3);
    assert_eq!(s.core.issue.total(), 2 * s.core.active_cycles);
    assert_eq!(s.core.issue.issued, s.core.warp_instructions);
    assert_eq!(s.core.issued_by_active_lanes.iter().sum::<u64>(), s.core.warp_instructions);
    for cache in [&s.l1d, &s.l1i, &s.l1c, &s.l2.cache] {
        assert_eq!(cache.accesses, cache.hits + cache.mshr_merges + cache.misses);
    }
    // L2 accesses, in sectors: the misses of the L1s, the stores and the atomics.
    let constant = config(&[]).l1c.line_bytes / 32;
    let misses = 4 * (s.l1d.misses - s.l1d.write_misses) + 4 * s.l1i.misses + constant * s.l1c.misses;
    assert_eq!(s.l2.reads, misses);
    assert_eq!(s.l2.cache.accesses, s.l2.reads + s.l2.writes + s.l2.atomics + s.l2.l1_write_backs);
    assert_eq!(
        s.requests.packets,
        s.l1d.misses + s.l1i.misses + s.l1c.misses + s.l1d.write_accesses - s.l1d.write_misses
    );
    assert_eq!(s.replies.packets, s.l2.reads + s.l2.writes);
    // Misses that are not stores are read from DRAM.
    assert_eq!(s.dram.reads, s.l2.cache.misses - s.l2.cache.write_misses);
    assert_eq!(s, *gpu.stats());
}

/// IRU, Fig 3. Where every warp loads, their cycles are those in which warps were resident.
#[test]
fn the_life_of_a_warp_is_split_at_its_first_load() {
    let s = copy(&mut gpu(&[]), 5000, 7);
    // 20 CTAs of 8 warps, of which the last three have nothing to do.
    assert_eq!(s.core.loading_warps, 157);
    let s = copy(&mut gpu(&[]), 5120, 7);
    assert_eq!(s.core.loading_warps, 160);
    assert_eq!(s.core.loading_warp_cycles, s.core.resident_warp_cycles);
    assert!(s.core.cycles_to_first_load > 160 * 82 && s.core.cycles_to_first_load < s.core.loading_warp_cycles);
    // Neither parameters nor local memory are what Fig 3 is about, and what an atomic gives back is no load.
    let mut gpu = gpu(&[]);
    local_arrays(&mut gpu);
    atomics(&mut gpu, 5, 96);
    assert_eq!((gpu.stats().core.loading_warps, gpu.stats().core.loading_warp_cycles), (0, 0));
}

/// The first of many loads of a warp.
#[test]
fn the_first_load_takes_the_latency_of_memory() {
    let split = |steps: u32, latency: &str| {
        let mut gpu = gpu(&[latency]);
        let a = upload(&mut gpu, &[0; 64]);
        let bytes: Vec<u8> = (0..32).flat_map(|_| a.to_le_bytes()).collect();
        gpu.copy_to_device(a, &bytes).unwrap();
        let core = launch(&mut gpu, CHASE, 1, 1, params().u64(a).u32(steps)).unwrap().core;
        assert_eq!((core.loading_warps, core.loading_warp_cycles), (1, core.resident_warp_cycles));
        (core.cycles_to_first_load, core.loading_warp_cycles - core.cycles_to_first_load)
    };
    let ((until, after), (slow_until, slow_after)) = (split(9, "l1d.latency=35"), split(9, "l1d.latency=50"));
    // A miss passes the L1's latency once, as a hit does.
    assert_eq!((slow_until - until, slow_after - after), (15, 8 * 15));
    assert_eq!(split(20, "l1d.latency=35").0, until);
}

#[test]
fn same_input_same_everything_and_skipping_changes_nothing() {
    let run = |skip: bool, changes: &[&str]| {
        let mut gpu = gpu(changes);
        gpu.set_skip_idle(skip);
        copy(&mut gpu, 5000, 7);
        local_arrays(&mut gpu);
        atomics(&mut gpu, 5, 96);
        (gpu.stats().clone(), gpu.cycle())
    };
    assert_eq!(run(true, &[]), run(true, &[]));
    for changes in MEMORIES.into_iter().chain([&["memory.perfect=true"][..]]) {
        assert_eq!(run(true, changes), run(false, changes), "{changes:?}");
    }
}

#[test]
fn skipping_changes_nothing_with_worklists() {
    let run = |skip: bool| {
        let mut gpu = gpu_with_worklists(&[]);
        gpu.set_skip_idle(skip);
        let c = upload(&mut gpu, &[0; 128]);
        launch(&mut gpu, WORKLIST, 4, 128, params().u64(c).u32(2)).unwrap();
        (gpu.stats().clone(), gpu.cycle(), gpu.memory().read_u32s(c, 128).unwrap(), gpu.active_threads())
    };
    assert_eq!(run(true), run(false));
}

/// HWWL, V-C: a thread is active from the answer of its pull until it ends. Two warps on each of the four cores.
#[test]
fn the_timeline_shows_the_threads_that_hold_an_id() {
    let held = |spins: u32| {
        let mut gpu = gpu_with_worklists(&[]);
        launch(&mut gpu, HOLD, 4, 64, params().u32(spins)).unwrap();
        let seen = gpu.active_threads().unwrap();
        assert_eq!(seen.hardware_threads, 4 * 48 * 32);
        let end = gpu.cycle() as f64 / seen.window_cycles as f64;
        assert_eq!(seen.active_percent.len(), end.ceil() as usize);
        let most = seen.active_percent.iter().copied().fold(0.0, f64::max);
        assert_eq!(most, 100.0 * 4.0 * 64.0 / 6144.0);
        seen.active_percent.iter().filter(|&&percent| percent == most).count() as u64 * seen.window_cycles
    };
    let (short, long) = (held(200), held(2000));
    // Three dependent instructions of four cycles or more.
    assert!(short > 200 * 10 && long - short > 1800 * 10, "{short} {long}");
    assert!(gpu(&[]).active_threads().is_none());
}

/// Whatever the table's size, a step of the chase costs the same; nothing reaches DRAM.
#[test]
fn a_perfect_memory_has_one_latency() {
    let perfect = |bytes, more: &'static str| chase(&["memory.perfect=true", more], bytes);
    let near = perfect(4096, "memory.perfect_latency=35");
    assert_eq!(perfect(1 << 20, "memory.perfect_latency=35"), near);
    assert_eq!(perfect(4096, "memory.perfect_latency=85"), near + 50);
    let mut gpu = gpu(&["memory.perfect=true"]);
    let stats = copy(&mut gpu, 5000, 7);
    assert_eq!((stats.dram.reads, stats.l2.reads, stats.requests.packets, stats.l1d.accesses), (0, 0, 0, 0));
}

/// One core cannot tell how many others use a perfect memory.
#[test]
fn a_perfect_memory_has_bandwidth_for_all() {
    let cycles = |cores: u32| {
        let mut gpu = gpu(&["memory.perfect=true", &format!("core.count={cores}")]);
        copy(&mut gpu, 6 * 256 * cores, 32).cycles
    };
    let (one, sixteen) = (cycles(1), cycles(16));
    // CTAs are started one after the other.
    assert!(sixteen <= one + 32, "{one} {sixteen}");
}

/// Cycles that 200 steps of a pointer chase take, from the difference of two runs.
fn chase_200(changes: &[&str], table_bytes: u64) -> u64 {
    let cycles = |steps: u32| {
        let mut gpu = gpu(changes);
        let a = gpu.memory_mut().alloc(table_bytes);
        // The first word of each line is the address of the next line.
        let line = |address: u64| std::iter::once(address as u32).chain([0; 31]);
        let table = (1..=table_bytes / 128).flat_map(|next| line(a + 128 * next % table_bytes));
        gpu.copy_to_device(a, &table.flat_map(u32::to_le_bytes).collect::<Vec<_>>()).unwrap();
        launch(&mut gpu, CHASE, 1, 1, params().u64(a).u32(steps)).unwrap().cycles
    };
    cycles(300) - cycles(100)
}

/// Cycles of one step.
fn chase(changes: &[&str], table_bytes: u64) -> u64 {
    let cycles = chase_200(changes, table_bytes);
    assert_eq!(cycles % 200, 0, "every step costs the same");
    cycles / 200
}

#[test]
fn a_chase_shows_the_sum_of_the_configured_latencies() {
    let c = config(&[]);
    let l1 = chase(&[], 4096);
    assert_eq!(l1, c.l1d.latency as u64 + 5, "issue, two of the collector, its register and the head of the unit");
    assert_eq!(chase(&["l1d.latency=50"], 4096), l1 + 15);
    let l2 = chase(&[], 65_536);
    let path = c.l2.rop_latency + 2 * c.network.latency;
    // Queues and registers on the way, and three more sectors of the line.
    assert_eq!(l2, l1 + path + 9);
    assert_eq!(chase(&["l2.rop_latency=150"], 65_536), l2 + 30);
    assert_eq!(chase(&["network.latency=16"], 65_536), l2 + 20);
}

#[test]
fn latencies_are_cycles_of_their_domain() {
    let slow_l2 =
        |more: &[&'static str]| chase(&[&["network.clock_mhz=1400", "l2.clock_mhz=350"], more].concat(), 65_536);
    let l2 = slow_l2(&[]);
    assert_eq!(slow_l2(&["l2.rop_latency=150"]), l2 + 2 * 30);
    assert_eq!(slow_l2(&["network.latency=16"]), l2 + 2 * 10 / 2);
    // A whole number of the slowest domain's cycles, so that nothing waits longer or shorter for its next one.
    assert_eq!(slow_l2(&["l1d.latency=51"]), l2 + 16);
    // All domains twice as fast as the core: half of what the L2 adds, up to the cycle in which the core looks.
    let plain = chase(&[], 65_536) - chase(&[], 4096);
    let fast = chase(&["network.clock_mhz=1400", "l2.clock_mhz=1400"], 65_536) - chase(&[], 4096);
    assert!(fast >= plain / 2 && fast <= plain / 2 + 8, "{fast} of {plain}");
}

#[test]
fn a_chase_through_dram_shows_the_sum_of_the_latencies() {
    // The L2 is cold, and the rows are mostly open.
    let cold = ["l2.host_copy_fills=false", "l1d.sector_bytes=32"];
    for clocks in [["l2.clock_mhz=700", "dram.clock_mhz=924"], ["l2.clock_mhz=350", "dram.clock_mhz=1400"]] {
        let run = |more: &str| chase_200(&[&cold[..], &clocks, &[more]].concat(), 65_536);
        let config = config(&clocks);
        let (d, l2_cycle) = (&config.dram, 700 / config.l2.clock_mhz as u64);
        let hit = chase_200(&[&["l1d.sector_bytes=32"][..], &clocks].concat(), 65_536);
        let slow = run("dram.latency=150");
        let plain = run("dram.latency=100");
        // 50 cycles of the L2 are a whole number of those of DRAM.
        assert_eq!(slow - plain, 200 * 50 * l2_cycle);
        let column = (d.timing.cl + d.transfer_cycles()) as f64 * 700.0 / d.clock_mhz as f64;
        let sum = (100 * l2_cycle) as f64 + column;
        let step = (plain - hit) as f64 / 200.0;
        assert!(step >= sum && step <= sum + 12.0, "{step}, not {sum} and a few queues and opened rows");
    }
}

#[test]
fn a_miss_in_the_l2_costs_the_dram_latency_more() {
    let cold = |latency: &str| {
        let mut gpu = gpu(&["l2.host_copy_fills=false", latency]);
        copy(&mut gpu, 1, 1).cycles
    };
    // One load, and instruction and constant misses before it: a whole number of trips.
    let difference = cold("dram.latency=200") - cold("dram.latency=100");
    assert!(difference >= 300 && difference % 100 == 0, "{difference}");
}

#[test]
fn a_stream_comes_close_to_the_peak_of_dram_and_never_above() {
    // Two channels: what four cores can ask for is more than they give. Stores never happen: their guard is false.
    let mut gpu = gpu(&["l2.host_copy_fills=false", "dram.channels=2"]);
    let n = 1 << 18;
    let a = upload(&mut gpu, &vec![1; n]);
    let text = COPY.replace("st.global", "@%p1 st.global");
    let args = params().u64(a).u64(0).u32(n as u32).u32(1);
    let s = launch(&mut gpu, &text, n as u32 / 256, 256, args).unwrap();
    assert!(s.dram.busy_cycles <= s.dram.cycles);
    assert_eq!(s.dram.bytes, 64 * s.dram.reads);
    let busy = s.dram.busy_cycles as f64 / s.dram.cycles as f64;
    assert!(busy > 0.8, "{busy}");
}

#[test]
fn a_copy_on_fifteen_cores_is_bound_by_dram() {
    // The reference simulator needs 12,866 cycles for it: 84 % of what the data buses can do, command for command.
    let config = Config::preset("calibration-gtx480").unwrap();
    let s = copy(&mut Gpu::new(&config, Vec::new()), 1 << 18, 1);
    let used = s.dram_bandwidth(&config) / config.dram.peak_bandwidth();
    assert!(used > 0.8 && used <= 1.0, "{used}");
    assert_eq!(s.dram.bytes, 64 * (s.dram.reads + s.dram.writes));
}

#[test]
fn atomics_add_up_and_each_lane_takes_its_turn() {
    let mut gpu = gpu(&[]);
    let s = atomics(&mut gpu, 10, 256);
    // Lanes of a warp on one word are one request, and take their turns at the slice.
    assert_eq!((s.l2.atomics, s.l2.atomic_lanes, s.core.atomics), (80, 2560, 80));
    assert!(s.cycles > 2560, "one a cycle at most");
    // Lanes leave the loop one after the other, and meet again before the atomic.
    assert!((1..=32).all(|n| s.core.issued_by_active_lanes[n - 1] > 0));
}

#[test]
fn a_barrier_holds_every_warp_of_its_cta() {
    let mut gpu = gpu(&[]);
    let c = upload(&mut gpu, &[0; 64]);
    let s = launch(&mut gpu, BARRIER, 1, 64, params().u64(c)).unwrap();
    let expected: Vec<u32> = (0..64).map(|t| (t + 37) % 64).collect();
    assert_eq!(gpu.memory().read_u32s(c, 64).unwrap(), expected);
    assert!(s.core.shared_accesses == 4);
}

#[test]
fn a_kernel_that_is_stuck_is_diagnosed() {
    let error = launch(&mut gpu(&[]), STUCK, 1, 64, params()).unwrap_err().to_string();
    assert!(error.contains("made no progress"), "{error}");
    assert!(error.contains("core 0 warp 0 (CTA 0,0,0) at test.ptx:12: waits at barrier 1 for 1 more warps"), "{error}");
    assert!(error.contains("core 0 warp 1 (CTA 0,0,0) at test.ptx:9: waits at barrier 2 for 1 more warps"), "{error}");
}

const SPIN: &str = ".visible .entry k() {\nLOOP:\nbra.uni LOOP;\n}";

#[test]
fn a_kernel_that_spins_for_ever_is_diagnosed() {
    let mut gpu = gpu(&[]);
    gpu.set_patience(100_000);
    let error = launch(&mut gpu, SPIN, 1, 32, params()).unwrap_err().to_string();
    assert!(error.contains("made no progress") && error.contains("test.ptx:6"), "{error}");
}

#[test]
fn an_interrupt_ends_a_launch() {
    let mut gpu = gpu(&[]);
    gpu.set_interrupt(Arc::new(AtomicBool::new(true)));
    let error = launch(&mut gpu, SPIN, 1, 32, params()).unwrap_err();
    assert!(matches!(error, RunError::Interrupted { done: 0, ctas: 1, .. }), "{error}");
    assert!(error.to_string().contains("core 0 warp 0 (CTA 0,0,0) at test.ptx:6: "), "{error}");
}

/// End of a kernel of this text: `k(u64 c)` in one CTA, `c` names 64 words.
fn ends(body: &str, threads: u32, set: impl Fn(&mut Gpu)) -> Result<u64, String> {
    let text = format!(
        ".visible .entry k(.param .u64 c) {{\n.reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %c;\nld.param.u64 %c, [c]; mov.u32 %r0, %tid.x;\n\
         .shared .align 4 .u32 s[64];\n{body}\nret;\n}}"
    );
    let mut gpu = gpu_with_worklists(&[]);
    let c = upload(&mut gpu, &[0; 64]);
    set(&mut gpu);
    let stats = launch(&mut gpu, &text, 1, threads, params().u64(c));
    stats.map(|stats| stats.cycles).map_err(|error| error.to_string())
}

/// All registers, memory and barriers are soon as they were before; the default patience is far longer.
#[test]
fn a_kernel_that_can_never_go_on_ends_soon() {
    let cases = [
        // A flag that nobody sets.
        "L: ld.volatile.global.u32 %r1, [%c];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;",
        // Stores of what is there already, in global and shared memory, after a way to the loop.
        "mov.u32 %r2, 20000; W: add.s32 %r2, %r2, -1; setp.ne.s32 %p1, %r2, 0; @%p1 bra W;\nL: st.global.u32 [%c], 7;\n\
         st.shared.u32 [s], 5; bra L;",
        // All meet again and again.
        "L: bar.sync 0; ld.global.u32 %r1, [%c]; setp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;",
        // A lock that is not opened.
        "L: atom.global.cas.b32 %r1, [%c], 1, 2;\nsetp.ne.u32 %p1, %r1, 1;\n@%p1 bra L;",
    ];
    for body in cases {
        let text = ends(body, 96, |gpu| gpu.set_max_cycles(4_000_000)).unwrap_err();
        assert!(
            text.contains("made no progress for") && text.contains(" and never will; its warps:"),
            "{body}: {text}"
        );
        assert_eq!(text.lines().count(), 4, "a line a warp: {text}");
    }
}

/// Before Volta the lane that holds a lock waits for those of its warp that ask for it.
#[test]
fn lanes_of_one_warp_that_wait_for_each_other_are_named() {
    let lock = "L: atom.global.cas.b32 %r1, [%c], 0, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra L;\natom.global.exch.b32 %r1, [%c], 0;";
    let flag = "setp.eq.u32 %p1, %r0, 31; @%p1 bra SET;\nL: ld.volatile.global.u32 %r1, [%c]; setp.eq.u32 %p1, %r1, 0; @%p1 bra L; bra END;\n\
                SET: st.global.u32 [%c], 1; bra END; END:";
    for (body, words) in [
        (
            lock,
            [
                "lanes 1-31 repeat the atomic at test.ptx:8, and lane 0 of the same warp",
                "`__syncwarp()` (docs/programs.md, Locks)",
            ],
        ),
        (flag, ["lanes 0-30 repeat the load at test.ptx:9, and lane 31", "as on GPUs before Volta"]),
    ] {
        let text = ends(body, 32, |gpu| gpu.set_max_cycles(4_000_000)).unwrap_err();
        let last = text.lines().last().unwrap();
        assert!(last.starts_with("  core 0 warp 0: lane") && words.iter().all(|word| last.contains(word)), "{text}");
    }
    let in_the_loop = "L: atom.global.cas.b32 %r1, [%c], 0, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra N; atom.global.exch.b32 %r2, [%c], 0;\n\
                       N: bar.warp.sync -1; @%p1 bra L;";
    assert!(ends(in_the_loop, 64, |_| ()).is_ok());
}

/// Each kernel looks like standing still, and ends: neither patience nor the proof may end it before.
#[test]
fn a_long_way_to_the_end_is_no_standstill() {
    let cases = [
        // Registers alone.
        ("mov.u32 %r1, 60000; L: add.s32 %r1, %r1, -1; setp.ne.s32 %p1, %r1, 0; @%p1 bra L;", 400_000),
        // The clock, seen through a mask: all registers are as before until it comes round.
        ("L: mov.u32 %r1, %clock; shr.u32 %r1, %r1, 19; mov.u32 %r1, %r1; setp.eq.u32 %p1, %r1, 0; @%p1 bra L;", 1 << 19),
        // One warp counts, the others wait for its vote and keep nothing in mind.
        (
            "shr.u32 %r1, %r0, 5; mov.u32 %r2, 0; L: setp.eq.u32 %p1, %r1, 0; @%p1 add.u32 %r2, %r2, 1; setp.eq.u32 %p2, %r2, 9000;
             bar.red.or.pred %p3, 0, %p2; @!%p3 bra L;",
            200_000,
        ),
        // Shared memory in place of the vote.
        (
            "shr.u32 %r1, %r0, 5; st.shared.u32 [s], 0; bar.sync 0; L: setp.ne.u32 %p1, %r1, 0; @%p1 bra S; ld.shared.u32 %r2, [s];
             add.u32 %r2, %r2, 1; st.shared.u32 [s], %r2; mov.u32 %r2, 0; S: bar.sync 0; ld.volatile.shared.u32 %r3, [s];
             setp.lt.u32 %p2, %r3, 5000; mov.u32 %r3, 0; bar.sync 0; @%p2 bra L;",
            200_000,
        ),
    ];
    for (body, least) in cases {
        let cycles = ends(body, 96, |gpu| gpu.set_patience(40_000)).unwrap_or_else(|text| panic!("{body}: {text}"));
        assert!(cycles >= least, "{body}: {cycles}");
    }
}

/// HWWL, III-C: a lane with nothing to do is told WAIT. Here such lanes go straight back to the pull, ahead of those with work.
#[test]
fn lanes_that_pull_ahead_of_those_with_work_are_named() {
    let body = "setp.lt.u32 %p1, %r0, 12; @%p1 bra MEET; wlpush.u32 %r0;
MEET: ld.global.u32 %r2, [%c]; setp.eq.u32 %p1, %r2, 1; @%p1 bra END;
PULL: wlpull.u32 %r1;
setp.eq.u32 %p1, %r1, -2;
@%p1 bra PULL;
setp.eq.u32 %p2, %r1, -1;
@%p2 bra END;
red.global.add.u32 [%c], 1;
bra.uni PULL;
END:";
    let text = ends(body, 32, |gpu| gpu.set_max_cycles(4_000_000)).unwrap_err();
    for words in [
        "and never will",
        "goes round the loop of test.ptx:10-16 with lanes",
        "with work wait behind lanes that pull and are told WAIT",
    ] {
        assert!(text.contains(words), "{text}");
    }
    assert_eq!(text.lines().count(), 2, "{text}");
}

/// The limit is exact, and counts all launches.
#[test]
fn a_limit_of_cycles_ends_what_takes_longer() {
    let run = |limit: u64| {
        let mut gpu = gpu(&[]);
        gpu.set_max_cycles(limit);
        let a = upload(&mut gpu, &[5]);
        let both: Result<Vec<_>, _> =
            (0..2).map(|_| launch(&mut gpu, DIVERGENT_ATOMIC, 9, 96, params().u64(a))).collect();
        (both.map(|stats| stats[0].cycles), gpu.cycle())
    };
    let (first, all) = run(u64::MAX);
    let first = first.unwrap();
    assert_eq!(run(all), (Ok(first), all));
    for limit in [all - 1, first + 1, first, first / 2, 1] {
        let (error, cycle) = run(limit);
        let error = error.unwrap_err();
        assert!(matches!(error, RunError::CycleLimit { limit: told, ctas: 9, .. } if told == limit), "{error}");
        assert_eq!(cycle, limit);
    }
}

/// No criterion can tell that it never ends; the limit names the loop, not the one inside.
#[test]
fn a_kernel_that_writes_for_ever_ends_at_the_limit_and_its_loop_is_named() {
    let body = "mov.u32 %r1, 0;
OUTER: mov.u32 %r2, 0;
INNER: add.u32 %r1, %r1, 1; add.u32 %r2, %r2, 1;
st.global.u32 [%c], %r1;
setp.lt.u32 %p1, %r2, 4;
@%p1 bra INNER;
bra.uni OUTER;";
    let text = ends(body, 32, |gpu| gpu.set_max_cycles(3_000_000)).unwrap_err();
    assert!(text.contains("has not ended within the limit of 3000000 cycles"), "{text}");
    assert!(text.contains("goes round the loop of test.ptx:9-14 with lanes 0-31"), "{text}");
    // A pointer chase waits for data.
    let mut gpu = gpu(&["l1d.latency=500"]);
    let a = upload(&mut gpu, &[0; 64]);
    gpu.copy_to_device(a, &a.to_le_bytes()).unwrap();
    gpu.set_max_cycles(20_000);
    let error = launch(&mut gpu, CHASE, 1, 1, params().u64(a).u32(9000)).unwrap_err().to_string();
    let waits =
        "at test.ptx:9: waits for data from memory (the load at test.ptx:9), goes round the loop of test.ptx:9-12";
    assert!(error.contains(waits), "{error}");
}

#[test]
fn progress_counts_the_ctas_of_each_launch() {
    let mut gpu = gpu(&[]);
    let told = Arc::new(std::sync::Mutex::new(Vec::new()));
    let tell = told.clone();
    gpu.set_observer(Box::new(move |progress| tell.lock().unwrap().push(*progress)));
    copy(&mut gpu, 1 << 18, 8);
    let first = told.lock().unwrap().len();
    copy(&mut gpu, 1 << 18, 8);
    let told = told.lock().unwrap();
    assert!(first >= 3 && told.len() >= 2 * first - 2, "{told:?}");
    assert!(told.iter().all(|p| p.ctas == 1024 && p.ctas_done < 1024));
    assert!(told[..first].iter().all(|p| p.launch == 0) && told[first..].iter().all(|p| p.launch == 1));
    for launch in [&told[..first], &told[first..]] {
        assert!(launch.is_sorted_by(|a, b| a.ctas_done <= b.ctas_done && a.cycle + RARELY <= b.cycle), "{launch:?}");
        assert!(launch[0].ctas_done < launch[launch.len() - 1].ctas_done, "{launch:?}");
    }
}

/// PTX: bar.sync in code that not all lanes of a warp come to is undefined. Lanes that have ended are not waited for.
#[test]
fn a_barrier_in_divergent_code_is_an_error() {
    let some = "setp.lt.u32 %p1, %r0, 8; @!%p1 bra END;\nbar.sync 0;\nEND: vote.any.pred %p1, %p1;";
    let text = ends(some, 64, |_| ()).unwrap_err();
    assert_eq!(
        text,
        "test.ptx:9: kernel `k`, CTA (0,0,0), thread (0,0,0): barrier 0: the warp comes with lanes 0-7 and without lanes 8-31; all its \
         lanes that have not ended must come to a barrier together"
    );
    let guarded = "setp.eq.u32 %p1, %r0, 33;\n@!%p1 bar.sync 3; bar.sync 1;";
    let text = ends(guarded, 64, |_| ()).unwrap_err();
    assert!(text.contains("barrier 3: the warp comes with lanes 0, 2-31 and without lane 1;"), "{text}");
    let ended = "setp.lt.u32 %p1, %r0, 40; @%p1 ret;\nbar.sync 0;";
    assert!(ends(ended, 64, |_| ()).is_ok());
    // Lanes that left a loop earlier are elsewhere, too.
    let loops = "mov.u32 %r1, %r0; L: bar.sync 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra E; add.u32 %r1, %r1, -1; bra L; E: bar.sync 1;";
    assert!(ends(loops, 32, |_| ()).unwrap_err().contains("the warp comes with lanes 1-31 and without lane 0;"));
    // Two barriers on two sides, and lanes that would look at each other behind one.
    let sides = "setp.lt.u32 %p1, %r0, 8; @%p1 bra A;\nbar.sync 0; bra E;\nA: bar.sync 0; E:";
    assert!(ends(sides, 32, |_| ()).unwrap_err().contains("the warp comes with lanes 0-7 and without lanes 8-31;"));
    let late = "setp.lt.u32 %p1, %r0, 8; @%p1 bra A;\nmov.u32 %r1, 1; bar.sync 0; bra E;\nA: bar.sync 0; E:";
    assert!(ends(late, 32, |_| ()).unwrap_err().contains("the warp comes with lanes 8-31 and without lanes 0-7;"));
    let shuffle = "setp.lt.u32 %p1, %r0, 8; @!%p1 bra E;\nbar.sync 0; E: shfl.sync.down.b32 %r1, %r0, 1, 31, -1;";
    assert!(ends(shuffle, 32, |_| ()).unwrap_err().contains("the warp comes with lanes 0-7 and without lanes 8-31;"));
    // The warp is that of the GPU: of warps of eight lanes each comes as a whole or not at all.
    let text =
        format!(".visible .entry k() {{ .reg .pred %p<2>; .reg .b32 %r<2>; mov.u32 %r0, %tid.x;\n{some} ret; }}");
    let run = |config: &Config| launch(&mut Gpu::new(config, Vec::new()), &text, 1, 64, params()).map(|_| ());
    assert!(run(&config(&[])).is_err());
    assert_eq!(run(&config(&["hwwl.lanes=8", "core.warp_size=8"])), Ok(()));
    assert_eq!(run(&Config::preset("gw-fermi-gw8").unwrap()), Ok(()));
}

#[test]
fn what_cannot_be_launched_is_named() {
    let program = kernel(COPY);
    let error = |run: Launch| gpu(&[]).launch(&program, &run).unwrap_err().to_string();
    let run = |grid, block| in_a_row(grid, block, params().u64(0).u64(0).u32(1).u32(1));
    assert_eq!(error(run(1, 2048)), "kernel `k`: block = 2048,1,1: must have 1 to 1536 threads");
    assert!(error(run(0, 32)).contains("grid = 0,1,1"));
    let shared = Launch { dynamic_shared: 50_000, ..run(1, 32) };
    assert!(error(shared).contains("shared memory = 50000: a core has 49152 bytes"));
    let short = Launch { params: vec![0; 3], ..run(1, 32) };
    assert!(error(short).contains("parameter bytes = 3: the kernel takes 24 bytes"));
    let fault = error(run(1, 32));
    assert!(fault.starts_with("test.ptx:") && fault.lines().count() == 1, "{fault}");
    let error = launch(&mut gpu(&[]), WORKLIST, 1, 32, params().u64(0).u32(0)).unwrap_err().to_string();
    assert!(error.starts_with("test.ptx:10: kernel `k` uses the worklist"), "{error}");
}

#[test]
fn the_worklist_gives_back_what_was_pushed() {
    let mut gpu = gpu_with_worklists(&["hwwl.entries=256"]);
    let c = upload(&mut gpu, &[0; 128]);
    let s = launch(&mut gpu, WORKLIST, 8, 128, params().u64(c).u32(3)).unwrap();
    assert_eq!(gpu.memory().read_u32s(c, 128).unwrap(), [8 * 3; 128]);
    let w = s.of::<WorklistStats>();
    assert_eq!((w.ids_pushed, w.ids_pulled, w.push_instructions), (8 * 128 * 3, 8 * 128 * 3, 8 * 4 * 3));
    assert_eq!(w.dones, 8 * 128, "every thread leaves with DONE");
    assert_eq!(gpu.worklist_count(), 0);
    assert_eq!(s.core.issue.total(), 2 * s.core.active_cycles);
}

/// Beside the buffer's alignment: its size, and that each core needs a line of it.
#[test]
fn an_overflow_buffer_that_is_not_made_of_lines_is_refused() {
    let text = ".visible .entry k(.param .u64 base, .param .u64 bytes) {
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [base];
    ld.param.u64 %rd2, [bytes];
    wlinit.u64 %rd1, %rd2;
    ret;
}";
    let error = |offset: u64, bytes: u64| {
        let mut gpu = gpu_with_worklists(&[]);
        let base = upload(&mut gpu, &[0; 256]);
        assert_eq!(base % 128, 0);
        let stats = launch(&mut gpu, text, 1, 32, params().u64(base + offset).u64(bytes));
        stats.err().map(|error| error.to_string().replace(&format!("{:#x}", base + offset), "B"))
    };
    let refused = |bytes: u64, rule: &str| {
        Some(format!("test.ptx:8: kernel `k`: wlinit: base B, {bytes} bytes: {rule}: the buffer is made of lines"))
    };
    for offset in [1, 4, 64] {
        assert_eq!(error(offset, 512), refused(512, "the base must be a multiple of 128"));
    }
    assert_eq!(error(0, 520), refused(520, "the bytes must be a multiple of 128"));
    let text = error(0, 384).unwrap();
    assert!(text.contains("each of the 4 cores takes 1 to 65535 lines of 128 bytes"), "{text}");
    assert_eq!(error(0, 512), None);
}

/// Without an overflow buffer: what it holds, and a buffer with which the same kernel runs.
#[test]
fn an_overflow_names_the_core_what_it_holds_and_what_would_have_done() {
    let mut gpu = gpu_with_worklists(&["hwwl.entries=8"]);
    let c = upload(&mut gpu, &[0; 128]);
    let error = launch(&mut gpu, WORKLIST, 4, 128, params().u64(c).u32(9)).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("worklist of core") && text.contains("wlinit with") && text.lines().count() == 1, "{text}");
    assert!(matches!(error, RunError::System { blame: Blame::Misuse, .. }), "{text}");
    let after = |words: &str| {
        let number = text.split_once(words).unwrap().1.split(' ').next().unwrap();
        number.parse::<u64>().unwrap()
    };
    assert_eq!(after("the overflow buffer has "), 0);
    let (held, needed) = (after("it holds "), after("wlinit with "));
    assert!(held >= 128 - 9 && needed > 4 * held, "{held} {needed}");
}
