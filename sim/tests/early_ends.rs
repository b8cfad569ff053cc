//! Threads that end early: a barrier waits for none of them, wherever they leave, in every front end, with and without time.

use sim::config::Config;
use sim::exec::Checks;
use sim::gpu::{Gpu, Launch};
use sim::ptx::program::Program;
use sim::ptx::Module;
use sim::workload::Params;

/// Threads of a CTA; thread t may write word t of `o`.
const BLOCK: u32 = 64;
const CTAS: u32 = 2;
/// The contents of `o` before the launch.
const UNTOUCHED: u32 = u32::MAX;

/// `%t` is the thread, `%p` whether it leaves: `%t >= n`. `%a` is the address of its word of `o`, `%s` that of its word of `s`, `%b` that of
/// the word of thread n - 1 - t.
const BEGIN: &str = "mov.u32 %t, %tid.x; ld.param.u32 %n, [n]; setp.ge.u32 %p, %t, %n;
    ld.param.u64 %a, [o]; mov.u32 %r1, %ctaid.x; mad.lo.u32 %r1, %r1, 64, %t; mad.wide.u32 %a, %r1, 4, %a;
    mov.u64 %s, s; mad.wide.u32 %s, %t, 4, %s; not.b32 %r1, %t; add.s32 %r1, %r1, %n; mov.u64 %b, s; mad.wide.s32 %b, %r1, 4, %b;";

/// Its value goes to another thread by way of shared memory.
const EXCHANGE: &str = "st.shared.u32 [%s], %t; bar.sync 0; ld.shared.u32 %r, [%b];";

/// A kernel's body, and what thread t writes.
type Case = (&'static str, String, fn(t: u32, n: u32) -> u32);

fn exchanged(t: u32, n: u32) -> u32 {
    if t < n {
        n - 1 - t
    } else {
        UNTOUCHED
    }
}

/// Threads that leave write 100 + t.
fn exchanged_or_left(t: u32, n: u32) -> u32 {
    if t < n {
        n - 1 - t
    } else {
        100 + t
    }
}

/// In round k of four, threads from n - k on leave.
fn rounds(t: u32, n: u32) -> u32 {
    match n.saturating_sub(t) {
        0 => 1000,
        left @ 1..4 => 1000 + left,
        _ => 10 * (n - 4) + t,
    }
}

fn counted(t: u32, n: u32) -> u32 {
    if t < n {
        n.div_ceil(2) * 4 + 3
    } else {
        UNTOUCHED
    }
}

fn halves(t: u32, _: u32) -> u32 {
    match (t % 8 >= 5, t < 32) {
        (true, _) => UNTOUCHED,
        (_, true) => t,
        (_, false) => ((63 - t) & !7 | t % 8) + 100,
    }
}

fn cases() -> Vec<Case> {
    let leave = "@%p bra LEAVE;";
    let left = "add.u32 %r, %t, 100;";
    vec![
        ("a branch to the common ret", format!("{leave} {EXCHANGE} st.global.u32 [%a], %r; LEAVE: ret;"), exchanged),
        (
            "by way of other branches",
            format!("@%p bra ONE; {EXCHANGE} st.global.u32 [%a], %r; bra LEAVE; ONE: bra TWO; TWO: bra.uni LEAVE; LEAVE: exit;"),
            exchanged,
        ),
        ("a guarded exit", format!("@%p exit; {EXCHANGE} st.global.u32 [%a], %r; ret;"), exchanged),
        (
            "work before the ret",
            format!("{leave} {EXCHANGE} st.global.u32 [%a], %r; ret; LEAVE: {left} st.global.u32 [%a], %r; ret;"),
            exchanged_or_left,
        ),
        // As clang leaves it of a store on both ways.
        (
            "a store that both sides share",
            format!("{left} {leave} {EXCHANGE} LEAVE: st.global.u32 [%a], %r; ret;"),
            exchanged_or_left,
        ),
        (
            "a barrier with a guard",
            format!("{left} @!%p st.shared.u32 [%s], %t; @!%p bar.sync 0; @!%p ld.shared.u32 %r, [%b]; st.global.u32 [%a], %r; ret;"),
            exchanged_or_left,
        ),
        (
            "an exit in a function",
            format!("st.param.u32 [x], %t; st.param.u32 [y], %n; call leave, (x, y); {EXCHANGE} st.global.u32 [%a], %r; ret;"),
            exchanged,
        ),
        (
            "a function that returns early, and a kernel that does nothing for those threads",
            format!("st.param.u32 [x], %t; st.param.u32 [y], %n; st.param.u64 [u], %s; st.param.u64 [v], %b;
                 call (z), exchange, (u, v, x, y); ld.param.u32 %r, [z]; {leave} st.global.u32 [%a], %r; LEAVE: ret;"),
            exchanged,
        ),
        (
            "a loop that is left in turn",
            "mov.u32 %k, 0;
            L: sub.s32 %r1, %n, %k; setp.ge.s32 %p, %t, %r1; @%p bra LEAVE;
            st.shared.u32 [%s], %t; bar.sync 0; ld.shared.u32 %r, [s]; add.u32 %r, %r, %t; mad.lo.s32 %r, %r1, 10, %r; sub.u32 %r, %r, 10;
            bar.sync 0; add.u32 %k, %k, 1; setp.lt.u32 %q, %k, 4; @%q bra L;
            st.global.u32 [%a], %r; bra END;
            LEAVE: add.u32 %r, %k, 1000; st.global.u32 [%a], %r; END: ret;"
                .into(),
            rounds,
        ),
        (
            "branches in branches",
            format!(
                "{left} and.b32 %r1, %t, 3; @!%p bra STAY; setp.eq.u32 %q, %r1, 0; @%q bra EVEN; setp.eq.u32 %q, %r1, 1; @%q bra END;
                 add.u32 %r, %r, 0; bra EVEN; STAY: {EXCHANGE} EVEN: st.global.u32 [%a], %r; ret; END: st.global.u32 [%a], %r; ret;"
            ),
            exchanged_or_left,
        ),
        (
            "a branch by a table",
            format!(
                "{left} selp.u32 %r1, 1, 0, %p; and.b32 %k, %t, 1; add.u32 %k, %k, 1; mul.lo.u32 %r1, %r1, %k; T: .branchtargets A, B, C;
                 brx.idx %r1, T; A: {EXCHANGE} bra B; C: st.global.u32 [%a], %r; ret; B: st.global.u32 [%a], %r; ret;"
            ),
            exchanged_or_left,
        ),
        // Threads may return between the branch and the place where its sides meet.
        (
            "sides that meet, of which one may return",
            format!(
                "and.b32 %r1, %t, 1; setp.eq.u32 %q, %r1, 0; @%q bra EVEN; {leave} st.shared.u32 [%s], %t; bra MEET;
                 EVEN: st.shared.u32 [%s], %t; MEET: bar.sync 0; {leave} ld.shared.u32 %r, [%b]; st.global.u32 [%a], %r; LEAVE: ret;"
            ),
            exchanged,
        ),
        (
            "a loop in which threads return, go on and leave",
            "mov.u32 %k, 0;
            L: and.b32 %r1, %t, 3; setp.eq.u32 %q, %r1, 0; @%q bra ON; setp.eq.u32 %q, %r1, 1; @%q bra ONE; @%p exit; bra ON;
            ONE: @%p bra LEAVE; st.shared.u32 [%s], %t; bra MEET; ON: st.shared.u32 [%s], %t;
            MEET: bar.sync 0; @%p bra LEAVE; ld.shared.u32 %r, [%b]; bar.sync 0; add.u32 %k, %k, 1; setp.lt.u32 %q, %k, 3; @%q bra L;
            st.global.u32 [%a], %r; LEAVE: ret;"
                .into(),
            exchanged,
        ),
        // The neighbour's word is there after the lanes of a warp have met.
        (
            "lanes that meet after a side that may return",
            "and.b32 %r1, %t, 1; setp.eq.u32 %q, %r1, 0; @%q bra EVEN; setp.gt.u32 %q, %n, 100; @%q bra LEAVE; st.shared.u32 [%s], 7; bra MEET;
             EVEN: st.shared.u32 [%s], 9;
             MEET: bar.warp.sync 0xffffffff; xor.b32 %r1, %t, 1; mov.u64 %b, s; mad.wide.u32 %b, %r1, 4, %b; ld.shared.u32 %r, [%b];
             st.global.u32 [%a], %r; LEAVE: ret;"
                .into(),
            |t, _| if t % 2 == 0 { 7 } else { 9 },
        ),
        // Over threads that are there: how many have an even number, whether all are below n, and whether one is n - 1.
        (
            "barriers that reduce",
            format!(
                "{leave} and.b32 %r1, %t, 1; setp.eq.u32 %p, %r1, 0; bar.red.popc.u32 %r, 0, %p;
                 setp.lt.u32 %q, %t, %n; bar.red.and.pred %p, 1, %q; selp.u32 %r1, 2, 0, %p; mad.lo.u32 %r, %r, 4, %r1;
                 sub.u32 %r1, %n, 1; setp.eq.u32 %p, %t, %r1; bar.red.or.pred %q, 2, %p; selp.u32 %r1, 1, 0, %q; add.u32 %r, %r, %r1;
                 st.global.u32 [%a], %r; LEAVE: ret;"
            ),
            counted,
        ),
        // The first half only arrives, the second waits for it.
        (
            "an arrival, and a number of threads",
            "and.b32 %r1, %t, 7; setp.ge.u32 %p, %r1, 5; @%p bra LEAVE; setp.ge.u32 %q, %t, 32; @%q bra SECOND;
             st.shared.u32 [%s], %t; bar.arrive 3, 64; mov.u32 %r, %t; bra WRITE;
             SECOND: barrier.sync 3, 64; xor.b32 %r1, %t, 56; mov.u64 %b, s; mad.wide.u32 %b, %r1, 4, %b; ld.shared.u32 %r, [%b];
             add.u32 %r, %r, 100;
             WRITE: st.global.u32 [%a], %r; LEAVE: ret;"
                .into(),
            halves,
        ),
    ]
}

const FUNCTIONS: &str = ".func leave(.param .u32 x, .param .u32 y) { .reg .u32 %i<2>; .reg .pred %p;
    ld.param.u32 %i0, [x]; ld.param.u32 %i1, [y]; setp.ge.u32 %p, %i0, %i1; @%p bra OUT; ret; OUT: exit; }
.func (.param .u32 z) exchange(.param .u64 s, .param .u64 b, .param .u32 x, .param .u32 y) { .reg .u32 %i<3>; .reg .u64 %a<2>; .reg .pred %p;
    ld.param.u32 %i0, [x]; ld.param.u32 %i1, [y]; setp.ge.u32 %p, %i0, %i1; mov.u32 %i2, 0; @%p bra OUT;
    ld.param.u64 %a0, [s]; ld.param.u64 %a1, [b]; st.shared.u32 [%a0], %i0; bar.sync 0; ld.shared.u32 %i2, [%a1];
    OUT: st.param.u32 [z], %i2; ret; }\n";

fn program(name: &str, body: &str) -> Program {
    let text = format!(
        ".version 6.4\n.target sm_50\n.address_size 64\n{FUNCTIONS}.visible .entry k(.param .u64 o, .param .u32 n) {{
        .reg .pred %p, %q; .reg .b32 %r, %r1, %k, %t, %n; .reg .b64 %a, %b, %s; .shared .align 4 .b32 s[64]; .param .b32 x, y, z; .param .b64 u, v;\n{BEGIN}\n{body}\n}}"
    );
    Module::parse(name, &text).unwrap().kernel("k").unwrap()
}

fn run(gpu: &mut Gpu, program: &Program, n: u32, timed: bool) -> Vec<u32> {
    let words = (BLOCK * CTAS) as usize;
    let o = gpu.memory_mut().alloc(4 * words as u64);
    gpu.copy_to_device(o, &UNTOUCHED.to_le_bytes().repeat(words)).unwrap();
    let params = Params::default().u64(o).u32(n).bytes();
    let launch = Launch { grid: [CTAS, 1, 1], block: [BLOCK, 1, 1], dynamic_shared: 0, params };
    match timed {
        true => gpu.launch(program, &launch).map(|_| ()).unwrap(),
        false => gpu.run_without_time(program, &launch).map(|_| ()).unwrap(),
    }
    assert!(gpu.memory_mut().take_findings().list.is_empty(), "n = {n}");
    gpu.memory().read_u32s(o, words).unwrap()
}

#[test]
fn a_barrier_waits_for_no_thread_that_leaves() {
    let cases: Vec<_> = cases().into_iter().map(|(name, body, right)| (name, program(name, &body), right)).collect();
    for preset in ["hwwl-micro14", "iru-gtx980", "unruly-b32", "unruly-gw8", "gw-fermi-gw8"] {
        let mut gpu = Gpu::new(&Config::preset(preset).unwrap(), Vec::new());
        gpu.memory_mut().start_checks(Checks { races: true, uninitialised: false });
        for (name, program, right) in &cases {
            for n in [0, 5, 8, 33, 63, 64] {
                let right: Vec<_> = (0..BLOCK * CTAS).map(|i| right(i % BLOCK, n)).collect();
                for timed in [false, true] {
                    assert_eq!(run(&mut gpu, program, n, timed), right, "{preset}, {name}, n = {n}, timed: {timed}");
                }
            }
        }
    }
}
