//! Barriers for some of the threads, barriers that are passed, and reductions, on the cores that count them.

use sim::config::Config;
use sim::gpu::{Gpu, Launch, RunError};

use super::runner::parse;

/// Runs `k(u64 out)` in one CTA and gives the words of `out`.
fn run(body: &str, threads: u32, words: usize) -> Result<Vec<u32>, RunError> {
    let text = format!(
        ".visible .entry k(.param .u64 out)\n{{\n.reg .b64 %o, %l<10>; .reg .b32 %r<10>; .reg .pred %p<4>;\n\
         .shared .align 4 .u32 s[256];\nld.param.u64 %o, [out]; mov.u32 %r0, %tid.x; shr.u32 %r1, %r0, 5;\n\
         mul.wide.u32 %l0, %r0, 4; add.s64 %l1, %o, %l0; mov.u64 %l2, s; add.s64 %l2, %l2, %l0;\n{body}\nret;\n}}\n"
    );
    let (_, program) = parse(&text);
    let mut gpu = Gpu::new(&Config::preset("hwwl-micro14").unwrap(), Vec::new());
    let out = gpu.memory_mut().alloc(4 * words as u64);
    let params = out.to_le_bytes().to_vec();
    gpu.launch(&program, &Launch { grid: [1; 3], block: [threads, 1, 1], dynamic_shared: 0, params })?;
    Ok(gpu.memory().read_u32s(out, words).unwrap())
}

/// Warps 0 and 1 exchange values at a barrier of their own while warp 2 never comes there.
#[test]
fn a_barrier_for_some_of_the_threads() {
    let body = "setp.ge.u32 %p0, %r1, 2; @%p0 bra OTHER;
        st.shared.u32 [%l2], %r0; bar.sync 1, 64;
        xor.b32 %r2, %r0, 32; mul.wide.u32 %l3, %r2, 4; mov.u64 %l4, s; add.s64 %l4, %l4, %l3; ld.shared.u32 %r3, [%l4];
        st.global.u32 [%l1], %r3; bar.sync 0; ret;
        OTHER: mov.u32 %r3, 7; st.global.u32 [%l1], %r3; bar.sync 0;";
    let expected: Vec<u32> = (0..96).map(|t| if t < 64 { t ^ 32 } else { 7 }).collect();
    assert_eq!(run(body, 96, 96).unwrap(), expected);
}

/// The producer arrives and goes on; the consumers wait for it. Twice, as the barrier is used again.
#[test]
fn producers_arrive_and_consumers_wait() {
    let body = "mov.u32 %r9, 0;
        AGAIN: setp.ne.u32 %p0, %r1, 0; @%p0 bra CONSUMER;
        mad.lo.u32 %r2, %r0, 3, %r9; st.shared.u32 [%l2], %r2; bar.arrive 2, 96; bar.sync 3, 96; bra NEXT;
        CONSUMER: bar.sync 2, 96; and.b32 %r3, %r0, 31; mul.wide.u32 %l3, %r3, 4; mov.u64 %l4, s; add.s64 %l4, %l4, %l3;
        ld.shared.u32 %r4, [%l4]; st.global.u32 [%l1], %r4; bar.arrive 3, 96;
        NEXT: add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, 2; @%p1 bra AGAIN;";
    let found = run(body, 96, 96).unwrap();
    let expected: Vec<u32> = (32..96).map(|t| t % 32 * 3 + 1).collect();
    assert_eq!(found[32..], expected);
}

#[test]
fn reductions_are_over_all_threads() {
    let body = "setp.lt.u32 %p0, %r0, 50; bar.red.popc.u32 %r2, 0, %p0; st.global.u32 [%l1], %r2;
        bar.red.and.pred %p1, 0, %p0; bar.red.or.pred %p2, 0, %p0; setp.lt.u32 %p0, %r0, 500; bar.red.and.pred %p3, 1, 80, !%p0;
        selp.u32 %r3, 1, 0, %p1; selp.u32 %r4, 2, 0, %p2; selp.u32 %r5, 4, 0, %p3; add.u32 %r3, %r3, %r4; add.u32 %r3, %r3, %r5;
        st.global.u32 [%l1+320], %r3;";
    // The last warp has 16 threads; barriers with a number count it as a whole one.
    let found = run(&body.replace("80", "96"), 80, 160).unwrap();
    assert_eq!(found[..80], [50; 80]);
    assert_eq!(found[80..], [2; 80]);
    let all = run(
        "setp.lt.u32 %p0, %r0, 64; bar.red.and.pred %p1, 0, %p0; selp.u32 %r3, 1, 0, %p1; st.global.u32 [%l1], %r3;",
        64,
        64,
    );
    assert_eq!(all.unwrap(), [1; 64]);
}

#[test]
fn numbers_that_cannot_be() {
    let message = |body: &str| run(body, 64, 64).unwrap_err().to_string();
    assert!(message("bar.sync 16;").contains("barriers are numbered 0 to 15"));
    assert!(message("bar.sync 1, 33;").contains("33 threads, which is not a multiple of the warp size"));
    let differ = "setp.eq.u32 %p0, %r1, 0; @%p0 bra A; bar.sync 1, 96; ret; A: bar.sync 1, 64;";
    assert!(message(differ).contains("a warp waits there for another number of threads"));
}

/// Who waits, where, for what.
#[test]
fn a_barrier_that_not_all_reach_is_diagnosed() {
    let error = run("setp.eq.u32 %p0, %r1, 0; @%p0 ret;\nbar.sync 1, 96;", 96, 96).unwrap_err();
    let RunError::NoProgress { ref waiting, .. } = error else { panic!("{error}") };
    assert_eq!(waiting.matches("t.ptx:8: waits at barrier 1 for 1 more warps").count(), 2, "{error}");
    let two = "setp.eq.u32 %p0, %r1, 0; @%p0 bra A;\nbar.sync 1; ret;\nA: bar.sync 2;";
    let text = run(two, 96, 96).unwrap_err().to_string();
    assert!(text.contains("t.ptx:8: waits at barrier 1 for 1 more warps"), "{text}");
    assert!(text.contains("t.ptx:9: waits at barrier 2 for 2 more warps"), "{text}");
}
