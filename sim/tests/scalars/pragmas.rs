//! `.pragma "scalar"` regions: the programmer's word, what follows from it, and what becomes of one who does not keep it.

use super::{assert_true, gpu, kernel, run};
use sim::exec::Cause;
use sim::gpu::RunError;
use sim::ptx::program::Program;

/// The instruction in a line of the kernel's body is marked.
fn marked(program: &Program, line: u32) -> bool {
    super::marked(program, line + 3)
}

fn program(body: &str) -> Program {
    kernel(body).unwrap()
}

/// The warp's number in its CTA by arithmetic that no analysis of registers sees through.
const WARP: &str = "mov.u32 %r0, %tid.x;
    .pragma \"scalar\";
    div.u32 %r1, %r0, WARP_SZ;
    mul.wide.u32 %d0, %r1, 4;
    add.u64 %d0, %a, %d0;
    ld.global.u32 %r2, [%d0];
    .pragma \"scalar end\";
    add.u32 %r3, %r2, 1;
    add.u32 %r4, %r0, 1;
    ret;";

#[test]
fn a_promise_makes_results_uniform() {
    let promised = program(WARP);
    assert_eq!([4, 5, 6, 8].map(|line| marked(&promised, line)), [true; 4]);
    // Its operands differ from lane to lane: the result is one value, the instruction is not scalar.
    assert_eq!([1, 3, 9].map(|line| marked(&promised, line)), [false; 3]);
    let without: String =
        WARP.lines().map(|l| if l.contains(".pragma") { "\n" } else { l }.to_string() + "\n").collect();
    let without = program(&without);
    assert!((0..without.code.len() as u32).skip(2).all(|pc| !without.scalars.is_scalar(pc)));
    assert_true(&promised, &[32, 16, 8]);
}

/// As compilers write it: what leads to the warp's number is each thread's own, and so are addresses that have got in between.
#[test]
fn a_promise_is_about_what_can_be_the_same() {
    let program = program(
        "mov.u32 %r9, %laneid;
         .pragma \"scalar\";
         mov.u32 %r0, %tid.x;
         mov.u32 %r1, %ntid.x;
         mad.lo.u32 %r0, %r1, 3, %r0;
         sub.u32 %r1, %r0, %r9;
         sub.u32 %r2, 0, %r9;
         mul.wide.u32 %d0, %r9, 4;
         add.u64 %d0, %a, %d0;
         .pragma \"scalar end\";
         add.u32 %r3, %r1, 1;
         add.u32 %r3, %r2, 1;
         add.u64 %d1, %d0, 4;
         ret;",
    );
    assert_eq!([4, 11].map(|line| marked(&program, line)), [true; 2]);
    assert_eq!([3, 5, 6, 7, 8, 9, 12, 13].map(|line| marked(&program, line)), [false; 8]);
    assert_true(&program, &[32, 8]);
}

/// Values that are each lane's own by definition stay so. So does a register that a guard lets only some lanes write.
#[test]
fn no_promise_makes_a_lane_all_lanes() {
    let program = program(
        "mov.u32 %r9, %laneid;
         setp.lt.u32 %p1, %r9, 3;
         .pragma \"scalar\";
         mov.u32 %r0, %laneid;
         atom.global.add.u32 %r1, [%a], 1;
         mov.u32 %r2, 1;
         @%p1 mov.u32 %r2, 2;
         .pragma \"scalar end\";
         add.u32 %r4, %r0, 1;
         add.u32 %r5, %r1, 1;
         add.u32 %r6, %r2, 1;
         ret;",
    );
    assert_eq!([4, 5, 7, 9, 10, 11].map(|line| marked(&program, line)), [false; 6]);
    assert_true(&program, &[32]);
}

#[test]
fn a_branch_on_a_promised_predicate_is_uniform() {
    let program = program(
        "mov.u32 %r0, %tid.x;
         mov.u32 %r2, 1;
         .pragma \"scalar\";
         shr.u32 %r1, %r0, 5;
         setp.ge.u32 %p1, %r1, 1;
         @%p1 bra SKIP;
         mov.u32 %r2, 2;
         .pragma \"scalar end\";
         SKIP: add.u32 %r3, %r2, 1;
         ret;",
    );
    assert_eq!([5, 6, 7, 9].map(|line| marked(&program, line)), [true; 4]);
    // With 8 lanes too: 32 is a multiple.
    assert_true(&program, &[32, 8]);
}

#[test]
fn a_false_promise_is_found_where_it_is_made() {
    let body = "mov.u32 %r0, %tid.x;
        .pragma \"scalar\";
        shr.u32 %r1, %r0, 4;
        .pragma \"scalar end\";
        add.u32 %r2, %r1, 1;
        ret;";
    let program = program(body);
    // Warps of 8 and of 16 keep it.
    assert_true(&program, &[8, 16]);
    let error = run(&mut gpu(32), &program).unwrap_err();
    let RunError::Fault(fault) = &error else { panic!("{error}") };
    assert!(matches!(&fault.details().cause, Cause::FalseClaim { lanes: [0, 16], values: [0, 1], .. }), "{error}");
    let message = error.to_string();
    assert!(message.starts_with("t.ptx:6: kernel `k`, CTA (0,0,0), thread (16,0,0): Int { op: Shr"), "{message}");
    assert!(message.ends_with(
        "is 0x0 in lane 0 and 0x1 in lane 16; only what is the same for all lanes of a warp may stand there"
    ));
    // Nobody looks unless asked to.
    let mut unchecked = gpu(32);
    unchecked.set_check_scalars(false);
    run(&mut unchecked, &program).unwrap();
}

/// The marks of one kernel on another, in which they are not true.
#[test]
fn a_wrong_mark_is_found() {
    let body = |third: &str, fourth: &str| {
        format!("mov.u32 %r0, %laneid;\n setp.eq.u32 %p0, %r0, 0;\n {third};\n {fourth};\n ret;")
    };
    let honest = kernel(&body("mov.u32 %r1, %ctaid.x", "and.b32 %r2, %r1, 0")).unwrap();
    let message = |third: &str, fourth: &str| {
        let mut program = kernel(&body(third, fourth)).unwrap();
        program.scalars = honest.scalars.clone();
        run(&mut gpu(32), &program).unwrap_err().to_string()
    };
    let result = message("mov.u32 %r1, %laneid", "and.b32 %r2, %n, 0");
    let expected = "is marked scalar, but the result is 0x0 in lane 0 and 0x1 in lane 1";
    assert!(result.starts_with("t.ptx:6: ") && result.ends_with(expected), "{result}");
    // The result would be one value, but from different operands.
    let operand = message("mov.u32 %r1, 0", "and.b32 %r2, %r0, 0");
    let expected = "is marked scalar, but an operand is 0x0 in lane 0 and 0x1 in lane 1";
    assert!(operand.starts_with("t.ptx:7: ") && operand.ends_with(expected), "{operand}");
    let guard = message("mov.u32 %r1, 0", "@%p0 and.b32 %r2, %n, 0");
    let expected = "is marked scalar, but an operand is 0x1 in lane 0 and 0x0 in lane 1";
    assert!(guard.starts_with("t.ptx:7: ") && guard.ends_with(expected), "{guard}");
}

#[test]
fn regions_nest() {
    let program = program(
        "mov.u32 %r0, %tid.x;
         .pragma \"scalar\";
         .pragma \"scalar\";
         shr.u32 %r1, %r0, 5;
         .pragma \"scalar end\";
         shr.u32 %r2, %r0, 6;
         .pragma \"scalar end\";
         shr.u32 %r3, %r0, 7;
         add.u32 %r4, %r1, %r2;
         add.u32 %r5, %r3, 1;
         ret;",
    );
    assert_eq!([9, 10].map(|line| marked(&program, line)), [true, false]);
    assert_true(&program, &[32]);
}

#[test]
fn half_a_pair_is_an_error() {
    let message = |body: &str| kernel(body).unwrap_err().to_string();
    assert_eq!(
        message("mov.u32 %r0, 1;\n.pragma \"scalar\";\nret;"),
        "t.ptx:5: `.pragma \"scalar\"` has no `.pragma \"scalar end\"` in this function"
    );
    assert_eq!(
        message(".pragma \"scalar\";\n.pragma \"scalar end\";\n.pragma \"scalar end\";\nret;"),
        "t.ptx:6: `.pragma \"scalar end\"` ends nothing: no `.pragma \"scalar\"` is open here"
    );
    // A pair does not span functions.
    let text = ".func f() { .pragma \"scalar\"; ret; }
        .visible .entry k() { call f; ret; }";
    let error = sim::ptx::Module::parse("t.ptx", text).unwrap().kernel("k").unwrap_err();
    assert!(error.to_string().starts_with("t.ptx:1: "), "{error}");
    // Other pragmas are none of this.
    kernel(".pragma \"nounroll\";\nret;").unwrap();
}
