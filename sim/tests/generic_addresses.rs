//! Generic addresses of which some lanes lead to global memory and others to shared, local or constant memory: on every preset,
//! and with every combination of Graph-Waving's pairs, reuse and waves, each lane gets what its own address leads to.

use rayon::prelude::*;
use sim::config::Config;
use sim::gpu::{Gpu, Launch};
use sim::ptx::Module;

const HEADER: &str =
    ".version 3.2\n.target sm_35\n.address_size 64\n.const .align 4 .b32 fixed[4] = {91, 92, 93, 94};\n";

/// Memory of a thread, by `kinds`.
const GLOBAL: u32 = 0;
const SHARED: u32 = 1;
const LOCAL: u32 = 2;
const CONST: u32 = 3;
/// It takes no part.
const NONE: u32 = 4;

/// Value of registers that were not written.
const BLANK: u32 = 0xABCD;
const OUTPUTS: usize = 5;

/// Thread t has a word in each memory, of which `kinds[t]` says which one it uses. It stores 3 t + 7 there, loads it, adds t
/// and then 1 by atomics, loads it again, and counts itself in at its CTA's counter or at the GPU's, last word of `words`.
const ALL_FORMS: &str = ".visible .entry k(.param .u64 kinds, .param .u64 words, .param .u64 out, .param .u32 threads) {
    .shared .align 4 .b8 s[192]; .shared .align 4 .b32 count; .local .align 4 .b8 mine[8];
    .reg .pred %p<5>; .reg .b32 %r<20>; .reg .b64 %rd<20>;
    ld.param.u64 %rd1, [kinds]; ld.param.u64 %rd2, [words]; ld.param.u64 %rd3, [out]; ld.param.u32 %r9, [threads];
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.s32 %r4, %r1, %r2, %r3;
    setp.eq.u32 %p1, %r3, 0; @%p1 st.shared.u32 [count], 0; bar.sync 0;
    mul.wide.u32 %rd4, %r4, 4; add.s64 %rd5, %rd1, %rd4; ld.global.u32 %r5, [%rd5];
    add.s64 %rd10, %rd2, %rd4; mul.wide.u32 %rd6, %r9, 4; add.s64 %rd11, %rd2, %rd6;
    mul.wide.u32 %rd7, %r3, 4; mov.u64 %rd8, s; add.s64 %rd8, %rd8, %rd7; cvta.shared.u64 %rd8, %rd8;
    setp.eq.u32 %p1, %r5, 1; selp.b64 %rd10, %rd8, %rd10, %p1;
    mov.u64 %rd9, count; cvta.shared.u64 %rd9, %rd9; selp.b64 %rd11, %rd9, %rd11, %p1;
    mov.u64 %rd9, mine; cvta.local.u64 %rd9, %rd9; add.s64 %rd9, %rd9, 4;
    setp.eq.u32 %p1, %r5, 2; selp.b64 %rd10, %rd9, %rd10, %p1;
    mov.u64 %rd9, fixed; cvta.const.u64 %rd9, %rd9; and.b32 %r6, %r3, 3; mul.wide.u32 %rd8, %r6, 4; add.s64 %rd9, %rd9, %rd8;
    setp.eq.u32 %p1, %r5, 3; selp.b64 %rd10, %rd9, %rd10, %p1;
    setp.lt.u32 %p2, %r5, 3; setp.lt.u32 %p3, %r5, 4; setp.lt.u32 %p4, %r5, 2;
    mad.lo.u32 %r6, %r4, 3, 7;
    mov.u32 %r10, 0xABCD; mov.u32 %r11, 0xABCD; mov.u32 %r12, 0xABCD; mov.u32 %r13, 0xABCD; mov.u32 %r14, 0xABCD;
    BODY
    mad.lo.u32 %r15, %r4, 20, 0; cvt.u64.u32 %rd12, %r15; add.s64 %rd12, %rd3, %rd12;
    st.global.u32 [%rd12], %r10; st.global.u32 [%rd12+4], %r11; st.global.u32 [%rd12+8], %r12;
    st.global.u32 [%rd12+12], %r13; st.global.u32 [%rd12+16], %r14;
    ret;
}";

/// Lanes that take no part have a false guard.
const GUARDED: &str = "@%p2 st.u32 [%rd10], %r6; @%p3 ld.u32 %r10, [%rd10];
    @%p4 atom.add.u32 %r11, [%rd10], %r4; @%p4 red.add.u32 [%rd10], 1; @%p3 ld.u32 %r12, [%rd10];
    @%p4 atom.inc.u32 %r13, [%rd11], 0xffffffff; @%p3 ld.param.u32 %r14, [threads];";

/// They branch around.
const DIVERGENT: &str = "@!%p2 bra LOAD; st.u32 [%rd10], %r6;
LOAD: @!%p3 bra DONE; ld.u32 %r10, [%rd10]; ld.param.u32 %r14, [threads];
    @!%p4 bra AGAIN; atom.add.u32 %r11, [%rd10], %r4; red.add.u32 [%rd10], 1; atom.inc.u32 %r13, [%rd11], 0xffffffff;
AGAIN: ld.u32 %r12, [%rd10];
DONE:";

/// Pointers that are the same for all lanes of a warp: warp w loads word w mod 16 of `words` if it is even, of shared memory if
/// it is odd.
const UNIFORM: &str = ".visible .entry k(.param .u64 words, .param .u64 out) {
    .shared .align 4 .b8 s[64]; .reg .pred %p<3>; .reg .b32 %r<20>; .reg .b64 %rd<20>;
    ld.param.u64 %rd1, [words]; ld.param.u64 %rd2, [out];
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.s32 %r4, %r1, %r2, %r3;
    mul.wide.u32 %rd3, %r3, 4; mov.u64 %rd4, s; add.s64 %rd3, %rd4, %rd3; add.u32 %r5, %r3, 1000;
    setp.lt.u32 %p1, %r3, 16; @%p1 st.shared.u32 [%rd3], %r5; bar.sync 0;
    mov.u32 %r6, %gridwarpid; and.b32 %r7, %r6, 15; mul.wide.u32 %rd5, %r7, 4;
    cvta.shared.u64 %rd4, %rd4; and.b32 %r8, %r6, 1; setp.eq.u32 %p2, %r8, 1; selp.b64 %rd6, %rd4, %rd1, %p2;
    add.s64 %rd6, %rd6, %rd5; ld.u32 %r9, [%rd6];
    mul.wide.u32 %rd7, %r4, 4; add.s64 %rd7, %rd2, %rd7; st.global.u32 [%rd7], %r9;
    ret;
}";

/// Presets as they are, and the one of Graph-Waving with all its switches.
fn configurations() -> Vec<(String, Config)> {
    let preset = |name: &str| (name.to_owned(), Config::preset(name).unwrap());
    let mut all: Vec<_> = Config::presets().iter().map(|(name, _)| preset(name)).collect();
    for switches in 0..7 {
        let (mut name, mut config) = preset("gw-fermi-gw8");
        for (bit, field) in ["gw.pairs", "gw.reuse", "gw.waves"].iter().enumerate() {
            let change = format!("{field}={}", switches >> bit & 1 == 1);
            config.set(&change).unwrap();
            name += &format!(" {change}");
        }
        all.push((name, config));
    }
    all
}

fn upload(gpu: &mut Gpu, words: &[u32]) -> u64 {
    let address = gpu.memory_mut().alloc(4 * words.len() as u64);
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    gpu.copy_to_device(address, &bytes).unwrap();
    address
}

fn gpu(config: &Config) -> Gpu {
    let mut gpu = Gpu::new(config, Vec::new());
    gpu.set_check_scalars(true);
    gpu.set_patience(100_000);
    gpu
}

fn launch(gpu: &mut Gpu, name: &str, text: &str, grid: u32, block: u32, params: &[u64]) {
    let program = Module::parse("t.ptx", &format!("{HEADER}{text}")).unwrap().kernel("k").unwrap();
    let mut bytes: Vec<u8> = params.iter().flat_map(|param| param.to_le_bytes()).collect();
    bytes.truncate(program.param_bytes as usize);
    let launch = Launch { grid: [grid, 1, 1], block: [block, 1, 1], dynamic_shared: 0, params: bytes };
    gpu.launch(&program, &launch).unwrap_or_else(|error| panic!("{name}: {error}"));
}

/// Kinds of a CTA's threads: first all equal, then two kinds that alternate per warp of 8 and per lane, then all mixed.
fn patterns(block: usize) -> Vec<Vec<u32>> {
    let kinds = GLOBAL..=NONE;
    let fill = |kind: &dyn Fn(usize) -> u32| (0..block).map(kind).collect::<Vec<_>>();
    let mut all: Vec<_> = kinds.clone().map(|kind| fill(&|_| kind)).collect();
    for (one, other) in kinds.clone().flat_map(|one| kinds.clone().map(move |other| (one, other))) {
        if one != other {
            all.push(fill(&|t| [one, other][t / 8 % 2]));
            all.push(fill(&|t| [one, other][t % 2]));
        }
    }
    all.extend((0..10).map(|seed| fill(&|t| ((t + 48 * seed) as u32 + 1).wrapping_mul(2_654_435_761) >> 16)));
    for pattern in all.iter_mut().rev().take(10) {
        pattern.iter_mut().for_each(|kind| *kind %= NONE + 1);
    }
    all
}

/// Results of thread t of this kind, but for its place at a counter.
fn expected(t: u32, block: u32, threads: u32, kind: u32) -> [u32; 4] {
    let stored = 3 * t + 7;
    let constant = 91 + t % block % 4;
    match kind {
        GLOBAL | SHARED => [stored, stored, stored + t + 1, threads],
        LOCAL => [stored, BLANK, stored, threads],
        CONST => [constant, BLANK, constant, threads],
        _ => [BLANK, BLANK, BLANK, BLANK],
    }
}

/// Threads that counted themselves in at a counter found 0, 1, and so on.
fn assert_counted(what: &str, places: impl Iterator<Item = u32>) {
    let mut places: Vec<_> = places.collect();
    places.sort_unstable();
    assert!(places.iter().copied().eq(0..places.len() as u32), "{what}: {places:?}");
}

fn check_all_forms(name: &str, config: &Config, body: &str, block: usize) {
    let kinds: Vec<u32> = patterns(block).concat();
    let threads = kinds.len();
    let mut gpu = gpu(config);
    let addresses =
        [kinds.clone(), vec![0; threads + 1], vec![0; OUTPUTS * threads]].map(|words| upload(&mut gpu, &words));
    let [kinds_at, words, out] = addresses;
    let params = [kinds_at, words, out, threads as u64];
    launch(&mut gpu, name, &ALL_FORMS.replace("BODY", body), (threads / block) as u32, block as u32, &params);
    let found = gpu.memory().read_u32s(out, OUTPUTS * threads).unwrap();
    let found: Vec<_> = found.chunks_exact(OUTPUTS).collect();
    for (t, (found, &kind)) in found.iter().zip(&kinds).enumerate() {
        let expected = expected(t as u32, block as u32, threads as u32, kind);
        assert_eq!([found[0], found[1], found[2], found[4]], expected, "{name}: thread {t} of kind {kind}");
        assert!(kind <= SHARED || found[3] == BLANK, "{name}: thread {t} of kind {kind} counted itself in");
    }
    let places = |of: std::ops::Range<usize>, kind: u32| {
        let (found, kinds) = (&found, &kinds);
        of.filter(move |&t| kinds[t] == kind).map(|t| found[t][3])
    };
    assert_counted(&format!("{name}, the GPU"), places(0..threads, GLOBAL));
    for first in (0..threads).step_by(block) {
        assert_counted(&format!("{name}, CTA {}", first / block), places(first..first + block, SHARED));
    }
}

#[test]
fn each_lane_gets_what_its_own_address_leads_to() {
    configurations().par_iter().for_each(|(name, config)| {
        for body in [GUARDED, DIVERGENT] {
            // With five warps of 8, the halves of some pairs are of two CTAs.
            [40, 48].into_iter().for_each(|block| check_all_forms(name, config, body, block));
        }
    });
}

#[test]
fn each_warp_of_a_wave_gets_what_its_own_address_leads_to() {
    configurations().par_iter().for_each(|(name, config)| {
        let (grid, block) = (30, 256);
        let mut gpu = gpu(config);
        let words = upload(&mut gpu, &(100..116).collect::<Vec<_>>());
        let out = upload(&mut gpu, &vec![0; (grid * block) as usize]);
        launch(&mut gpu, name, UNIFORM, grid, block, &[words, out]);
        let warp = |t: u32| t / config.core.warp_size as u32;
        let expected = (0..grid * block).map(|t| [100, 1000][warp(t) as usize % 2] + warp(t) % 16);
        let found = gpu.memory().read_u32s(out, (grid * block) as usize).unwrap();
        assert_eq!(found, expected.collect::<Vec<_>>(), "{name}");
        let waves: u64 = gpu.stats().core.waves_by_members.iter().sum();
        assert_eq!(waves > 0, config.gw.as_ref().is_some_and(|gw| gw.waves), "{name}: waves");
    });
}
