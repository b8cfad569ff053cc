//! Options of a core: warps of 8, 16 or 32, schedulers, dual issue, register banks, double-precision pipelines.
//! Function never depends on them, skipping idle cycles stays exact, and each option does to time what it says.

use proptest::prelude::*;
use sim::config::Config;
use sim::gpu::{Gpu, Launch};
use sim::ptx::program::Program;
use sim::ptx::Module;
use sim::stats::Stats;
use sim::workload::Params;

const HEADER: &str = ".version 3.2\n.target sm_35\n.address_size 64\n";

/// Thread t of a CTA: x = a[t], then x mod 8 times x = x * 3 + 1 and d = d * 0.5 + x; d goes through shared memory to the thread that
/// sits 37 further on; c[t] = what came, as an integer, plus x / (t + 1). Each thread adds x mod 16 to a[n + t mod 4].
const MIXED: &str = ".visible .entry k(.param .u64 a, .param .u64 c, .param .u32 n) {
    .reg .pred %p<4>; .reg .b32 %r<24>; .reg .b64 %rd<16>; .reg .f64 %fd<6>;
    .shared .align 8 .b8 s[12288];
    ld.param.u64 %rd1, [a];
    ld.param.u64 %rd2, [c];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    mul.wide.u32 %rd3, %r5, 4;
    add.s64 %rd4, %rd1, %rd3;
    ld.global.u32 %r6, [%rd4];
    and.b32 %r7, %r6, 7;
    mov.f64 %fd1, 0d0000000000000000;
LOOP:
    setp.eq.s32 %p1, %r7, 0;
    @%p1 bra DONE;
    mad.lo.s32 %r6, %r6, 3, 1;
    cvt.rn.f64.u32 %fd2, %r6;
    fma.rn.f64 %fd1, %fd1, 0d3FE0000000000000, %fd2;
    add.s32 %r7, %r7, -1;
    bra.uni LOOP;
DONE:
    mul.wide.u32 %rd5, %r4, 8;
    mov.u64 %rd6, s;
    add.s64 %rd7, %rd6, %rd5;
    st.shared.f64 [%rd7], %fd1;
    bar.sync 0;
    add.s32 %r8, %r4, 37;
    rem.u32 %r9, %r8, %r3;
    mul.wide.u32 %rd8, %r9, 8;
    add.s64 %rd9, %rd6, %rd8;
    ld.shared.f64 %fd3, [%rd9];
    cvt.rzi.s32.f64 %r10, %fd3;
    add.s32 %r11, %r5, 1;
    div.u32 %r12, %r6, %r11;
    add.s32 %r13, %r10, %r12;
    add.s64 %rd10, %rd2, %rd3;
    st.global.u32 [%rd10], %r13;
    and.b32 %r14, %r6, 15;
    and.b32 %r15, %r5, 3;
    add.s32 %r16, %r15, %r1;
    mul.wide.u32 %rd11, %r16, 4;
    add.s64 %rd12, %rd1, %rd11;
    red.global.add.u32 [%rd12], %r14;
    ret;
}";

/// c[8 t ...] of thread t: %laneid, WARP_SZ, %warpid, ballot of all, lanes below, what lane 5 and the next lane hold, %nwarpid.
const WHO: &str = ".visible .entry k(.param .u64 c) {
    .reg .pred %p<3>; .reg .b32 %r<12>; .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [c];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 32;
    add.s64 %rd3, %rd1, %rd2;
    mov.u32 %r2, %laneid;
    mov.u32 %r3, WARP_SZ;
    mov.u32 %r4, %warpid;
    setp.ge.u32 %p1, %r1, 0;
    vote.ballot.b32 %r5, %p1;
    mov.u32 %r6, %lanemask_lt;
    shfl.idx.b32 %r7, %r1, 5, 31;
    shfl.down.b32 %r8, %r1, 1, 31;
    mov.u32 %r9, %nwarpid;
    st.global.v4.u32 [%rd3], {%r2, %r3, %r4, %r5};
    st.global.v4.u32 [%rd3+16], {%r6, %r7, %r8, %r9};
    ret;
}";

fn kernel(text: &str) -> Program {
    Module::parse("test.ptx", &format!("{HEADER}{text}")).unwrap().kernel("k").unwrap()
}

fn config(preset: &str, changes: &[&str]) -> Config {
    let mut config = Config::preset(preset).unwrap();
    changes.iter().for_each(|change| config.set(change).unwrap());
    config
}

/// A GPU without units, and what came of a launch on it: `words` of memory from `result` on, and the counters.
struct Run {
    words: Vec<u32>,
    stats: Stats,
}

fn launch(gpu: &mut Gpu, program: &Program, grid: u32, block: u32, params: Params) -> Stats {
    let params = params.bytes();
    gpu.launch(program, &Launch { grid: [grid, 1, 1], block: [block, 1, 1], dynamic_shared: 0, params }).unwrap()
}

fn input(i: u32) -> u32 {
    i.wrapping_mul(2_654_435_761) >> 7
}

fn mixed(config: &Config, grid: u32, block: u32, skip: bool) -> Run {
    let n = grid * block;
    let words: Vec<u32> = (0..n).map(input).chain([0; 4]).collect();
    let mut gpu = Gpu::new(config, Vec::new());
    gpu.set_skip_idle(skip);
    let a = gpu.memory_mut().alloc(4 * words.len() as u64);
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    gpu.copy_to_device(a, &bytes).unwrap();
    let c = gpu.memory_mut().alloc(4 * n as u64);
    let stats = launch(&mut gpu, &kernel(MIXED), grid, block, Params::default().u64(a).u64(c).u32(n));
    let mut words = gpu.memory().read_u32s(c, n as usize).unwrap();
    words.extend(gpu.memory().read_u32s(a + 4 * n as u64, 4).unwrap());
    Run { words, stats }
}

/// Results of `MIXED`, in Rust.
fn expected(grid: u32, block: u32) -> Vec<u32> {
    let threads = |t: u32| {
        let (mut x, mut d) = (input(t), 0f64);
        for _ in 0..x & 7 {
            x = x.wrapping_mul(3).wrapping_add(1);
            d = d.mul_add(0.5, x as f64);
        }
        (x, d)
    };
    let mut sums = [0u32; 4];
    let mut words = Vec::new();
    for t in 0..grid * block {
        let (cta, thread) = (t / block, t % block);
        let (x, _) = threads(t);
        let (_, d) = threads(cta * block + (thread + 37) % block);
        words.push((d as i32 as u32).wrapping_add(x / (t + 1)));
        sums[t as usize & 3] += x & 15;
    }
    words.extend(sums);
    words
}

/// The 32-wide preset with narrower warps, the same number of threads.
fn narrow(lanes: usize) -> Config {
    let (hwwl_lanes, warps) = (lanes.min(16), 1536 / lanes);
    let changes = format!("core.schedulers=4 hwwl.lanes={hwwl_lanes} core.max_warps={warps} core.warp_size={lanes}");
    config("hwwl-micro14", &changes.split(' ').collect::<Vec<_>>())
}

fn consistent(stats: &Stats, schedulers: u64) {
    let c = &stats.core;
    assert_eq!(c.issue.total(), schedulers * c.active_cycles);
    assert_eq!(c.warp_instructions, c.issue.issued + c.dual_issues);
    assert_eq!(c.issued_by_active_lanes.iter().sum::<u64>(), c.warp_instructions);
    assert_eq!(c.lane_utilisation.bins().iter().sum::<u64>(), c.warp_instructions);
    let lanes: u64 = c.lane_utilisation.bins().iter().enumerate().map(|(n, count)| n as u64 * count).sum();
    assert_eq!(lanes, c.thread_instructions);
    assert!(stats.occupancy() > 0.0 && stats.occupancy() <= 1.0);
}

const OPTIONS: [&[&str]; 8] = [
    &["core.scheduler=lrr"],
    &["core.issue_width=2"],
    &[
        "core.issue_width=2",
        "core.dual_issue_different_units=true",
        "core.schedulers=4",
        "core.sp_units=4",
        "core.sp_width=4",
    ],
    &["core.register_banks=1"],
    &["core.dp_units=1", "core.schedulers=1"],
    &["core.schedulers=3", "core.scheduler=lrr", "core.collector_latency=1"],
    &["core.schedulers=4", "hwwl.lanes=8", "core.max_warps=192", "core.warp_size=8"],
    &["core.warp_size=16", "core.max_warps=96", "core.collector_latency=5", "core.mem_collectors=1"],
];

#[test]
fn skipping_idle_cycles_is_exact_and_counters_agree_whatever_the_core() {
    let expected = expected(10, 192);
    for changes in OPTIONS {
        let config = config("hwwl-micro14", changes);
        let (on, off) = (mixed(&config, 10, 192, true), mixed(&config, 10, 192, false));
        assert_eq!(on.stats, off.stats, "{changes:?}");
        assert_eq!(on.words, expected, "{changes:?}");
        consistent(&on.stats, config.core.schedulers as u64);
    }
}

#[test]
fn a_cta_can_have_192_warps() {
    let run = mixed(&narrow(8), 3, 1536, true);
    assert_eq!(run.words, expected(3, 1536));
    assert_eq!(run.stats.core.issued_by_active_lanes[8..], [0; 24]);
    consistent(&run.stats, 4);
}

#[test]
fn threads_know_the_size_of_their_warp() {
    let program = kernel(WHO);
    for lanes in [8, 16, 32] {
        let mut gpu = Gpu::new(&narrow(lanes), Vec::new());
        let c = gpu.memory_mut().alloc(64 * 32);
        launch(&mut gpu, &program, 1, 64, Params::default().u64(c));
        let words = gpu.memory().read_u32s(c, 64 * 8).unwrap();
        for (t, found) in words.chunks(8).enumerate() {
            let (lane, first) = (t % lanes, t - t % lanes);
            let next = if lane + 1 < lanes { t + 1 } else { t };
            let all = (u32::MAX >> (32 - lanes)) as usize;
            let who = [lane, lanes, t / lanes, all, (1 << lane) - 1, first + 5, next, 1536 / lanes];
            assert_eq!(found, who.map(|n| n as u32), "thread {t} of warps of {lanes}");
        }
    }
}

/// Instructions that ask for lanes which a warp does not have, and those that a warp of any width can execute.
#[test]
fn a_kernel_that_takes_a_warp_for_32_lanes_is_told() {
    let run = |lanes: usize, body: &str| {
        let text = format!(
            ".visible .entry k() {{ .reg .pred %p<4>; .reg .b32 %r<9>; mov.u32 %r1, %laneid; setp.lt.u32 %p1, %r1, 7; mov.u32 %r3, WARP_SZ;
            mov.u32 %r4, 0xfff;\n{body}\nret; }}"
        );
        let launch = Launch { grid: [1, 1, 1], block: [64, 1, 1], ..Launch::default() };
        let gpu = || Gpu::new(&narrow(lanes), Vec::new());
        let timed = gpu().launch(&kernel(&text), &launch).map(|_| ()).map_err(|error| error.to_string());
        let untimed = gpu().run_without_time(&kernel(&text), &launch).map(|_| ()).map_err(|error| error.to_string());
        assert_eq!(timed, untimed, "{body}");
        timed
    };
    let refused = [
        ("shfl.sync.down.b32 %r2, %r1, 16, 31, -1;", "thread (0,0,0): a shuffle over a distance of 16 lanes"),
        ("shfl.sync.up.b32 %r2, %r1, 8, 0, -1;", "a shuffle over a distance of 8 lanes"),
        ("@!%p1 shfl.bfly.b32 %r2, %r1, %r3, 31; shfl.bfly.b32 %r2, %r1, 24, 31;", "a shuffle over a distance of"),
        ("add.u32 %r2, %r1, 2; shfl.idx.b32 %r2, %r1, %r2, 31;", "thread (6,0,0): a shuffle from lane 8"),
        ("shfl.sync.idx.b32 %r2, %r1, 0, 0x101f, -1;", "a shuffle in groups of 16 lanes"),
        ("shfl.sync.bfly.b32 %r2, %r1, 1, 31, 0xffff;", "the member mask 0xffff"),
        ("vote.sync.ballot.b32 %r2, %p1, %r4;", "the member mask 0xfff"),
        ("vote.sync.any.pred %p2, %p1, 0x100;", "the member mask 0x100"),
        ("match.any.sync.b32 %r2, %r1, 0xffff;", "the member mask 0xffff"),
        ("redux.sync.add.u32 %r2, %r1, %r4;", "the member mask 0xfff"),
        ("bar.warp.sync 0xff00;", "the member mask 0xff00"),
        (
            "vote.ballot.b32 %r2, %p1; setp.eq.s32 %p2, %r2, -1;",
            "the instruction compares the lanes of a vote with 0xffffffff",
        ),
        ("activemask.b32 %r2; popc.b32 %r5, %r2; setp.ne.s32 %p2, %r5, 32;", "compares the lanes of a vote with 0x20"),
    ];
    let rule = "; a warp has 8 lanes here (core.warp_size), and clang takes warpSize for 32: read the width from WARP_SZ, or choose a \
                configuration with wider warps";
    for (body, what) in refused {
        let text = run(8, body).expect_err(body);
        assert!(text.starts_with("test.ptx:") && text.contains(what) && text.ends_with(rule), "{body}: {text}");
        assert_eq!(run(32, body), Ok(()), "{body}");
    }
    let of_16 = "shfl.down.b32 %r2, %r1, 8, 31; shfl.idx.b32 %r2, %r1, 9, 31; vote.sync.any.pred %p2, %p1, 0x100;";
    assert_eq!(run(16, of_16), Ok(()));
    for body in [
        "shfl.sync.down.b32 %r2, %r1, 4, 31, -1; shfl.sync.idx.b32 %r2, %r1, 7, 0x181f, -1; shfl.idx.b32 %r2, %r1, -1, 31;",
        "mov.u32 %r4, -1; vote.sync.ballot.b32 %r2, %p1, %r4; vote.sync.all.pred %p2, %p1, 0xff; bar.warp.sync -1;",
        "activemask.b32 %r2; setp.eq.s32 %p2, %r2, 0xff; popc.b32 %r5, %r2; setp.eq.u32 %p2, %r5, 8;",
        // Where nobody executes it.
        "setp.ge.u32 %p2, %r1, 8; @%p2 shfl.down.b32 %r2, %r1, 16, 31;",
    ] {
        assert_eq!(run(8, body), Ok(()), "{body}");
    }
}

/// Cycles by `%clock` between two instructions with `body` between them, in one warp; its code has come before.
fn clocked(changes: &[&str], registers: &str, body: &str) -> (u32, Stats) {
    let text = format!(
        ".visible .entry k(.param .u64 c) {{
            .reg .pred %p<2>; .reg .b32 %r<40>; .reg .b64 %rd<4>; .reg .f64 %fd<9>; .reg .f32 %f<40>; {registers}
            ld.param.u64 %rd1, [c];
            mov.u32 %r3, 2;
        AGAIN:
            mov.u32 %r1, %clock;
            {body}
            mov.u32 %r2, %clock;
            add.s32 %r3, %r3, -1;
            setp.ne.s32 %p1, %r3, 0;
            @%p1 bra AGAIN;
            sub.s32 %r2, %r2, %r1;
            st.global.u32 [%rd1], %r2;
            ret;
        }}"
    );
    let mut gpu = Gpu::new(&config("hwwl-micro14", changes), Vec::new());
    let c = gpu.memory_mut().alloc(4);
    let stats = launch(&mut gpu, &kernel(&text), 1, 1, Params::default().u64(c));
    (gpu.memory().read_u32s(c, 1).unwrap()[0], stats)
}

#[test]
fn a_dependent_pair_takes_the_latency_and_six_cycles() {
    let chain = |changes: &[&str], n: usize| clocked(changes, "", &"fma.rn.f32 %f1, %f1, %f2, %f3;\n".repeat(n)).0;
    // A fetch brings two instructions: every second one waits for the next.
    let two_steps = |changes: &[&str]| chain(changes, 14) - chain(changes, 12);
    assert_eq!(two_steps(&[]), 2 * (5 + 6));
    assert_eq!(two_steps(&["operations.f32_fma.latency=9"]), 2 * (9 + 6));
    assert_eq!(two_steps(&["core.collector_latency=4"]), 2 * (5 + 6 + 2));
    // Three operands one after the other.
    assert_eq!(two_steps(&["core.register_banks=1"]), 2 * (5 + 6 + 2));
}

#[test]
fn operands_in_one_bank_are_counted() {
    // %f1, %f2 and %f3 lie side by side.
    let body = "fma.rn.f32 %f1, %f1, %f2, %f3;\n".repeat(10);
    let conflicts = |banks: &str| clocked(&[banks], "", &body).1.core.register_bank_conflicts;
    assert!(conflicts("core.register_banks=1") >= 2 * 10 * 3);
    assert!(conflicts("core.register_banks=16") < 10);
}

/// Independent work for two kinds of pipelines, and for one.
fn pairs(second: &str) -> String {
    (10..26)
        .step_by(2)
        .map(|i| format!("add.s32 %r{i}, %r{i}, 1; {second}\n").replace('#', &(i + 1).to_string()))
        .collect()
}

#[test]
fn two_instructions_of_a_warp_issue_together_if_they_are_independent() {
    const TWO: &str = "core.issue_width=2";
    const DIFFERENT: &str = "core.dual_issue_different_units=true";
    let other_unit = pairs("rcp.approx.f32 %f#, %f#;");
    let same_unit = pairs("add.s32 %r#, %r#, 1;");
    let dependent = "add.s32 %r10, %r10, 1;\n".repeat(16);
    let dual = |changes: &[&str], body: &str| clocked(changes, "", body).1.core.dual_issues;
    let base = |changes: &[&str]| dual(changes, "");
    assert_eq!(dual(&[], &other_unit), 0);
    assert!(dual(&[TWO, DIFFERENT], &other_unit) >= base(&[TWO, DIFFERENT]) + 16);
    assert_eq!(dual(&[TWO, DIFFERENT], &same_unit), base(&[TWO, DIFFERENT]));
    assert!(dual(&[TWO], &same_unit) >= base(&[TWO]) + 16);
    // At most its ends, in each of two rounds.
    assert!(dual(&[TWO], &dependent) <= base(&[TWO]) + 4);
    let cycles = |changes: &[&str]| clocked(changes, "", &same_unit).0;
    assert!(cycles(&[TWO]) < cycles(&[]));
}

#[test]
fn doubles_have_pipelines_of_their_own_or_share_the_special_function_unit() {
    let pair = |i: usize| format!("fma.rn.f64 %fd{i}, %fd{i}, %fd{i}, %fd{i}; rcp.approx.f32 %f{i}, %f{i};\n");
    let body = (1..8).map(pair).collect::<String>().repeat(4);
    let cycles = |changes: &[&str]| clocked(changes, "", &body).0;
    // Each takes its unit for eight cycles; the last few still wait in collector units when the clock is read.
    let (shared, own) = (cycles(&[]), cycles(&["core.dp_units=1"]));
    assert!((45 * 8..=56 * 8).contains(&shared), "{shared}");
    assert!((17 * 8..=28 * 8).contains(&own), "{own}");
}

/// Warp 0 of a CTA waits at one barrier, the others at another: nobody ever leaves.
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

#[test]
fn residency_is_limited_by_ctas_threads_registers_and_shared_memory() {
    let stuck = |changes: &[&str], block: u32, dynamic_shared: u32| {
        let mut gpu = Gpu::new(&config("hwwl-micro14", changes), Vec::new());
        let launch = Launch { grid: [100, 1, 1], block: [block, 1, 1], dynamic_shared, params: Vec::new() };
        gpu.launch(&kernel(STUCK), &launch).unwrap_err().to_string()
    };
    // Warps on four cores: 16 by name, the rest by number.
    let resident = |changes: &[&str], block: u32, dynamic_shared: u32| {
        let text = stuck(changes, block, dynamic_shared);
        let more = text.split("\n  and ").nth(1).map_or(0, |rest| rest.split(' ').next().unwrap().parse().unwrap());
        text.matches("waits at barrier").count() + more
    };
    assert_eq!(resident(&[], 64, 0), 4 * 8 * 2, "CTAs");
    assert_eq!(resident(&[], 1024, 0), 4 * 32, "threads");
    assert_eq!(resident(&[], 64, 20_000), 4 * 2 * 2, "shared memory");
    assert_eq!(resident(&["core.registers=1024"], 64, 0), 4 * 4 * 2, "registers, four a thread");
    let never = stuck(&["core.registers=128"], 64, 0);
    assert_eq!(never, "kernel `k`: registers of a CTA = 256: a core has 128 registers (core.registers)");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn function_never_depends_on_timing(
        preset in prop_oneof![Just("hwwl-micro14"), Just("calibration-gtx480")],
        lanes in prop_oneof![Just(8usize), Just(16), Just(32)],
        schedulers in 1usize..=4,
        lrr in any::<bool>(),
        (width, different, dp_units) in (1usize..=2, any::<bool>(), 0usize..=2),
        banks in prop_oneof![Just(1usize), Just(4), Just(16), Just(32)],
        (sp_units, sp_width, collectors, collector_latency) in (1usize..=4, 1usize..=4, 1usize..=8, 1u64..=6),
        (latency, interval, l1, network, rop) in (1u64..=40, 1u64..=16, 1usize..=60, 1u64..=30, 1u64..=200),
        (b32, answer_latency) in (any::<bool>(), 1u64..=16),
        (block, grid) in (1u32..=384, 1u32..=12),
    ) {
        let run = |timing: bool| {
            let mut c = Config::preset(preset).unwrap();
            c.hwwl = None;
            (c.core.warp_size, c.core.max_warps, c.core.schedulers) = (lanes, schedulers * 48, schedulers);
            if timing {
                c.core.scheduler = if lrr { sim::config::SchedulerPolicy::Lrr } else { sim::config::SchedulerPolicy::Gto };
                (c.core.issue_width, c.core.dual_issue_different_units, c.core.dp_units) = (width, different, dp_units);
                (c.core.register_banks, c.core.sp_units, c.core.sp_width) = (banks, sp_units, sp_width);
                (c.core.sp_collectors, c.core.mem_collectors, c.core.collector_latency) = (collectors, collectors, collector_latency);
                let o = &mut c.operations;
                for t in [&mut o.simple, &mut o.int_add, &mut o.int_mad, &mut o.int_div, &mut o.f64_fma] {
                    (t.latency, t.interval) = (latency.max(interval), interval);
                }
                (c.l1d.latency, c.network.latency, c.l2.rop_latency) = (l1, network, rop);
                c.core.answer_latency = answer_latency;
                if b32 && schedulers != 3 {
                    c.core.front_end = sim::config::FrontEndKind::B32;
                    (c.core.scheduler, c.core.issue_width) = (sim::config::SchedulerPolicy::Lrr, 1);
                }
            }
            mixed(&c, grid, block.min(schedulers as u32 * 48 * lanes as u32), true)
        };
        let block = block.min(schedulers as u32 * 48 * lanes as u32);
        let (plain, other) = (run(false), run(true));
        prop_assert_eq!(&plain.words, &expected(grid, block));
        prop_assert_eq!(&other.words, &plain.words);
        let counts = |s: &Stats| (s.core.warp_instructions, s.core.thread_instructions, s.core.lane_utilisation.clone(), s.core.loads);
        prop_assert_eq!(counts(&other.stats), counts(&plain.stats));
        consistent(&other.stats, schedulers as u64);
    }
}
