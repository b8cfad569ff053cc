//! Marked instructions: in each case the ones with `// s`, and no other. All are run with a check of the marks.

use super::{assert_true, kernel, marked};

/// Lines of the instructions that are marked, and of those with `// s`.
fn assert_marks(body: &str) {
    let program = kernel(body).unwrap_or_else(|error| panic!("{error}\n{body}"));
    let lines: Vec<_> = body.lines().collect();
    for (pc, instr) in program.code.iter().enumerate().skip(2) {
        let line = lines[instr.line as usize - 4];
        assert_eq!(program.scalars.is_scalar(pc as u32), line.ends_with("// s"), "{line}");
    }
    assert_true(&program, &[32, 8]);
}

#[test]
fn what_is_the_same_for_all_lanes() {
    assert_marks(
        "mov.u32 %r0, 7; // s
         mov.u32 %r1, %ctaid.x; // s
         mov.u32 %r2, %gridwarpid; // s
         mov.u32 %r3, WARP_SZ; // s
         mov.u32 %r4, %clock; // s
         mad.lo.u32 %r5, %r1, %r2, %r3; // s
         and.b32 %r5, %r5, 3; // s
         mul.wide.u32 %d0, %r5, 4; // s
         add.u64 %d0, %a, %d0; // s
         ld.global.u32 %r6, [%d0]; // s
         ld.u32 %r7, [%d0+4]; // s
         cvt.rn.f32.u32 %r7, %r7; // s
         setp.lt.u32 %p0, %r6, %n; // s
         selp.u32 %r8, %r6, %r7, %p0; // s
         @%p0 bra END; // s
         st.global.u32 [%d0], %r8;
         bar.sync 0;
         membar.gl;
         END: ret;",
    );
}

#[test]
fn what_lanes_have_of_their_own() {
    assert_marks(
        "mov.u32 %r0, %tid.x;
         mov.u32 %r1, %tid.y;
         mov.u32 %r2, %laneid;
         mov.u32 %r3, %lanemask_lt;
         add.u32 %r4, %r1, 1;
         and.b32 %r5, %r0, 31;
         mul.wide.u32 %d0, %r5, 4;
         add.u64 %d0, %a, %d0;
         ld.global.u32 %r6, [%d0];
         setp.ne.u32 %p0, %r6, 0;
         @%p0 add.u32 %n, %n, 1;
         atom.global.add.u32 %r7, [%a], 1;
         add.u32 %r7, %r7, 1;
         add.u32 %r8, %r9, 1;
         ret;",
    );
}

#[test]
fn results_of_the_warp_are_sources() {
    assert_marks(
        "mov.u32 %r0, %tid.x;
         and.b32 %r1, %r0, 5;
         setp.eq.u32 %p0, %r1, 5;
         vote.ballot.b32 %r2, %p0;
         add.u32 %r2, %r2, 1; // s
         vote.any.pred %p1, %p0;
         selp.u32 %r3, 1, 2, %p1; // s
         activemask.b32 %r4;
         popc.b32 %r4, %r4; // s
         barrier.red.popc.u32 %r5, 0, %p0;
         add.u32 %r5, %r5, 1; // s
         shfl.idx.b32 %r6, %r0, 3, 31;
         add.u32 %r6, %r6, 1; // s
         shfl.idx.b32 %r7, %r0, %r1, 31;
         add.u32 %r7, %r7, 1;
         shfl.idx.b32 %r8, %r0, 0, 0x181f;
         add.u32 %r8, %r8, 1;
         shfl.bfly.b32 %r9, %r2, 1, 31;
         add.u32 %r9, %r9, 1;
         @%p0 vote.ballot.b32 %r2, %p0;
         add.u32 %r2, %r2, 1;
         ret;",
    );
}

/// Lanes that went different ways bring different values to where they meet; on each side they agree.
#[test]
fn a_value_of_two_sides() {
    assert_marks(
        "mov.u32 %r0, %laneid;
         mov.u32 %r2, %n; // s
         setp.lt.u32 %p0, %r0, 4;
         @%p0 bra THEN;
         mov.u32 %r1, 1; // s
         add.u32 %r3, %r1, %r2; // s
         bra JOIN; // s
         THEN: mov.u32 %r1, 2; // s
         add.u32 %r3, %r1, %r2; // s
         JOIN: add.u32 %r4, %r1, 1;
         add.u32 %r4, %r3, 1;
         add.u32 %r4, %r2, 1; // s
         ret;",
    );
    // All lanes take the same side.
    assert_marks(
        "setp.lt.u32 %p0, %n, 4; // s
         @%p0 bra THEN; // s
         mov.u32 %r1, 1; // s
         bra JOIN; // s
         THEN: mov.u32 %r1, 2; // s
         JOIN: add.u32 %r4, %r1, 1; // s
         ret;",
    );
}

/// A loop that lanes leave in different iterations: its counter is uniform in it, and different after it.
#[test]
fn temporal_divergence() {
    assert_marks(
        "mov.u32 %r0, %laneid;
         mov.u32 %r1, 0; // s
         LOOP: add.u32 %r1, %r1, 1; // s
         setp.lt.u32 %p0, %r1, %r0;
         @%p0 bra LOOP;
         add.u32 %r2, %r1, 1;
         add.u32 %r3, %n, 1; // s
         mov.u32 %r1, 0; // s
         AGAIN: add.u32 %r1, %r1, 1; // s
         setp.lt.u32 %p0, %r1, %n; // s
         @%p0 bra AGAIN; // s
         add.u32 %r2, %r1, 1; // s
         ret;",
    );
    // The loop is left in the middle by some lanes, and at its end by all.
    assert_marks(
        "mov.u32 %r0, %laneid;
         mov.u32 %r1, 0; // s
         LOOP: add.u32 %r1, %r1, 1; // s
         setp.eq.u32 %p0, %r1, %r0;
         @%p0 bra END;
         setp.lt.u32 %p1, %r1, %n; // s
         @%p1 bra LOOP; // s
         END: add.u32 %r2, %r1, 1;
         ret;",
    );
}

/// Lanes that end early are not there any more: the others still agree.
#[test]
fn lanes_that_end() {
    assert_marks(
        "mov.u32 %r0, %tid.x;
         setp.ge.u32 %p0, %r0, 9;
         @%p0 bra END;
         add.u32 %r1, %n, 1; // s
         setp.ge.u32 %p1, %r0, 5;
         @%p1 ret;
         add.u32 %r1, %r1, 1; // s
         END: ret;",
    );
}

#[test]
fn writes_of_some_lanes() {
    assert_marks(
        "mov.u32 %r0, %laneid;
         setp.lt.u32 %p0, %r0, 4;
         setp.lt.u32 %p1, %n, 4; // s
         mov.u32 %r1, 1; // s
         @%p0 mov.u32 %r1, 2;
         add.u32 %r2, %r1, 1;
         mov.u32 %r1, 1; // s
         @!%p1 mov.u32 %r1, 2; // s
         add.u32 %r2, %r1, 1; // s
         @%p1 mov.u32 %r3, 2; // s
         add.u32 %r2, %r3, 1;
         ret;",
    );
}

/// Registers are undefined until they are written, on each way.
#[test]
fn what_nobody_has_written() {
    assert_marks(
        "add.u32 %r1, %r0, 1;
         setp.lt.u32 %p0, %n, 4; // s
         @%p0 bra JOIN; // s
         mov.u32 %r2, 1; // s
         JOIN: add.u32 %r3, %r2, 1;
         ret;",
    );
}

/// Each thread has local memory of its own, and a generic address may lead there.
#[test]
fn local_memory() {
    assert_marks(
        ".local .align 4 .b8 l[16];
         mov.u32 %r0, %laneid;
         st.local.u32 [l], %r0;
         ld.local.u32 %r1, [l];
         add.u32 %r1, %r1, 1;
         mov.u64 %d0, l; // s
         cvta.local.u64 %d0, %d0; // s
         ld.u32 %r1, [%d0];
         add.u32 %r1, %r1, 1;
         ld.global.u32 %r2, [%a]; // s
         add.u32 %r2, %r2, 1; // s
         ret;",
    );
}

#[test]
fn branches_by_a_table() {
    let body = |selector: &str, mark: &str| {
        format!(
            "TS: .branchtargets A, B, C;
             mov.u32 %r2, 0; // s
             mov.u32 %r0, %laneid;
             and.b32 %r1, {selector}, 1;{mark}
             brx.idx %r1, TS;{mark}
             A: mov.u32 %r2, 1; // s
             bra END; // s
             B: mov.u32 %r2, 2; // s
             C: mov.u32 %r3, 2; // s
             END: add.u32 %r2, %r2, 1;{mark}
             add.u32 %r4, %n, 1; // s
             ret;"
        )
    };
    assert_marks(&body("%r0", ""));
    assert_marks(&body("%n", " // s"));
}

/// A loop that some lanes enter in the middle, where they meet the others: those have been at its top once more.
#[test]
fn irreducible_loops() {
    assert_marks(
        "mov.u32 %r0, %laneid;
         mov.u32 %r1, 0; // s
         mov.u32 %r2, 0; // s
         setp.lt.u32 %p0, %r0, 4;
         @%p0 bra MIDDLE;
         LOOP: add.u32 %r1, %r1, 1;
         MIDDLE: add.u32 %r2, %r2, 1; // s
         setp.lt.u32 %p1, %r2, 5; // s
         @%p1 bra LOOP; // s
         add.u32 %r3, %r1, 1;
         add.u32 %r4, %n, 1; // s
         ret;",
    );
}

/// Some lanes go on after a join that others never reach: they come to it one way each, and agree.
#[test]
fn joins_at_which_lanes_do_not_meet() {
    assert_marks(
        "mov.u32 %r0, %laneid;
         setp.lt.u32 %p0, %r0, 4;
         setp.lt.u32 %p1, %r0, 2;
         mov.u32 %r1, 1; // s
         @%p0 bra JOIN;
         mov.u32 %r1, 2; // s
         @%p1 bra END;
         JOIN: add.u32 %r2, %r1, 1; // s
         bra END; // s
         END: add.u32 %r2, %r1, 1;
         ret;",
    );
}

#[test]
fn what_nothing_leads_to() {
    assert_marks(
        "bra END; // s
         mov.u32 %r1, 1;
         END: ret;",
    );
}

/// Arguments and results of a call lie in local memory; registers keep what they had.
#[test]
fn calls() {
    let text = ".func (.param .b32 r) twice(.param .b32 x)
        { .reg .b32 %r<3>; ld.param.u32 %r1, [x]; shl.b32 %r2, %r1, 1; st.param.b32 [r+0], %r2; ret; }
        .visible .entry k(.param .u64 a, .param .u32 n) {
        .reg .b32 %r<9>; .param .b32 x, y;
        ld.param.u32 %r1, [n]; st.param.b32 [x+0], %r1; call (y), twice, (x);
        ld.param.b32 %r2, [y+0];
        add.u32 %r3, %r1, 1;
        add.u32 %r4, %r2, 1;
        ret; }";
    let program = sim::ptx::Module::parse("t.ptx", text).unwrap().kernel("k").unwrap();
    assert_eq!([6, 7, 8].map(|line| marked(&program, line)), [false, true, false]);
    assert_true(&program, &[32, 8]);
}
