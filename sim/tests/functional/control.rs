//! Control flow: divergence and reconvergence, loops, barriers, calls, grids, and the worklist instructions.

use sim::exec::{
    execute, write_back, Cause, Control, Demand, Fault, Flow, Memory, Registers, Scratch, Spaces, WarpInfo,
};
use sim::ptx::isa::{Class, Place};
use sim::ptx::op::Op;
use sim::ptx::program::Program;
use sim::ptx::system_op::{SystemCode, SystemOp};

use super::runner::{parse, Counts, Launch};

fn program(text: &str) -> Program {
    parse(text).1
}

/// Runs `k(u64 out)` and gives the words of `out` and what was counted.
fn run(text: &str, grid: [u32; 3], block: [u32; 3], words: usize) -> (Vec<u32>, Counts) {
    let (module, program) = parse(text);
    let launch = Launch { program: &program, grid, block, params: vec![], dynamic_shared_bytes: 0 };
    launch.fill(&module, words).unwrap_or_else(|e| panic!("{e}"))
}

const COLLATZ: &str = "
.visible .entry k(.param .u64 out)
{
    .reg .pred %p<3>; .reg .b32 %r<6>; .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    add.s32 %r2, %r1, 1;
    mov.u32 %r3, 0;
TEST:
    setp.eq.u32 %p1, %r2, 1;
    @%p1 bra DONE;
    add.s32 %r3, %r3, 1;
    and.b32 %r4, %r2, 1;
    setp.eq.u32 %p2, %r4, 0;
    @%p2 bra EVEN;
    mad.lo.s32 %r2, %r2, 3, 1;
    bra.uni TEST;
EVEN:
    shr.u32 %r2, %r2, 1;
    bra.uni TEST;
DONE:
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r3;
    ret;
}";

fn collatz(start: u32) -> u32 {
    std::iter::successors(Some(start), |n| Some(if n % 2 == 0 { n / 2 } else { 3 * n + 1 }))
        .take_while(|n| *n != 1)
        .count() as u32
}

#[test]
fn divergent_loops_end_with_every_lane_right() {
    let (found, counts) = run(COLLATZ, [1; 3], [48, 1, 1], 48);
    assert_eq!(found, (1..49).map(collatz).collect::<Vec<_>>());
    // Every lane executes what it would execute alone; a branch counts for the lanes that take it.
    let alone = |t: u32| {
        let mut n = t + 1;
        let mut count = 4 + 2 + 4;
        while n != 1 {
            let even = n & 1 == 0;
            count += if even { 1 + 3 + 1 + 2 } else { 1 + 3 + 2 };
            n = if even { n / 2 } else { 3 * n + 1 };
        }
        u64::from(count as u32)
    };
    assert_eq!(counts.thread_instructions, (0..48).map(alone).sum::<u64>());
}

#[test]
fn branches_reconverge_at_the_immediate_post_dominator() {
    let program = program(COLLATZ);
    let branches: Vec<_> =
        program.code.iter().filter(|i| i.class == Class::Branch && i.guard.is_some()).map(|i| i.reconverge).collect();
    // The loop's exit at DONE; the two sides of the `if` at TEST.
    assert_eq!(branches, [14, 4]);
}

/// Reconvergence points of the guarded branches of a body in which `x` is an instruction that goes on.
fn reconvergence(body: &str) -> Vec<u32> {
    let body = body.replace("x;", "mov.u32 %r, 0;").replace("if ", "@%p bra ");
    let program = program(&format!(".visible .entry k() {{ .reg .pred %p; .reg .b32 %r; {body} }}"));
    let branches = program.code.iter().filter(|i| i.class == Class::Branch && i.guard.is_some());
    branches.map(|i| i.reconverge).collect()
}

#[test]
fn post_dominators_of_small_graphs() {
    // 0 if; 1 x; 2 bra; 3 x; 4 x; 5 ret
    assert_eq!(reconvergence("if A; x; bra B; A: x; B: x; ret;"), [4]);
    // One inside the other: 0 if; 1 if; 2 x; 3 x; 4 x; 5 ret
    assert_eq!(reconvergence("if B; if A; x; A: x; B: x; ret;"), [4, 3]);
    // Both ends are exits: nothing but the end is common.
    assert_eq!(reconvergence("if A; ret; A: exit;"), [3]);
    // A loop with `continue` (1), which can only come back, and `break` (3): 0 x; 1 if; 2 x; 3 if; 4 x; 5 if; 6 x; 7 ret
    assert_eq!(reconvergence("L: x; if L; x; if E; x; if L; E: x; ret;"), [2, 6, 6]);
    // `continue` at the bottom of the loop: 0 x; 1 if; 2 x; 3 if; 4 ret
    assert_eq!(reconvergence("L: x; if C; x; C: if L; ret;"), [3, 4]);
    // A loop in a loop.
    assert_eq!(reconvergence("L: x; M: x; if M; if L; x; ret;"), [3, 4]);
    // A guarded exit is a way to the end, too: 0 if; 1 @p ret; 2 x; 3 x; 4 ret
    assert_eq!(reconvergence("if A; @%p ret; x; A: x; ret;"), [5]);
    // Two ways into a loop.
    assert_eq!(reconvergence("if A; L: x; A: x; if L; ret;"), [2, 4]);
}

#[test]
fn grids_and_blocks_have_three_dimensions() {
    let text = "
.visible .entry k(.param .u64 out)
{
    .reg .b32 %r<20>; .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z;
    mov.u32 %r4, %ntid.x; mov.u32 %r5, %ntid.y; mov.u32 %r6, %ntid.z;
    mov.u32 %r7, %ctaid.x; mov.u32 %r8, %ctaid.y; mov.u32 %r9, %ctaid.z;
    mov.u32 %r10, %nctaid.x; mov.u32 %r11, %nctaid.y;
    mad.lo.u32 %r12, %r9, %r11, %r8; mad.lo.u32 %r12, %r12, %r10, %r7;
    mad.lo.u32 %r12, %r12, %r6, %r3; mad.lo.u32 %r12, %r12, %r5, %r2; mad.lo.u32 %r12, %r12, %r4, %r1;
    mul.wide.u32 %rd2, %r12, 4; add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r12;
    ret;
}";
    let (found, counts) = run(text, [2, 3, 2], [5, 4, 3], 720);
    assert_eq!(found, (0..720).collect::<Vec<_>>());
    // 60 threads are two warps of 21 instructions each.
    assert_eq!(counts, Counts { warp_instructions: 12 * 2 * 21, thread_instructions: 720 * 21 });
}

#[test]
fn a_reduction_with_barriers() {
    let text = "
.visible .entry k(.param .u64 out)
{
    .shared .align 4 .u32 part[128];
    .reg .pred %p<3>; .reg .b32 %r<10>; .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    shl.b32 %r2, %r1, 2;
    mov.u32 %r3, part;
    add.s32 %r4, %r3, %r2;
    st.shared.u32 [%r4], %r1;
    mov.u32 %r5, 64;
LOOP:
    bar.sync 0;
    setp.ge.u32 %p1, %r1, %r5;
    @%p1 bra SKIP;
    shl.b32 %r6, %r5, 2;
    add.s32 %r6, %r6, %r4;
    ld.shared.u32 %r7, [%r6];
    ld.shared.u32 %r8, [%r4];
    add.s32 %r8, %r8, %r7;
    st.shared.u32 [%r4], %r8;
SKIP:
    shr.u32 %r5, %r5, 1;
    setp.ne.u32 %p2, %r5, 0;
    @%p2 bra LOOP;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 ret;
    ld.shared.u32 %r9, [part];
    st.global.u32 [%rd1], %r9;
    ret;
}";
    assert_eq!(run(text, [1; 3], [128, 1, 1], 1).0, [8128]);
    assert_eq!(program(text).shared_bytes, 512);
}

#[test]
fn device_functions() {
    let text = "
.func (.param .b32 result) scale(.param .b32 x, .param .b32 y);
.func (.param .b32 result) scale(.param .b32 x, .param .b32 y)
{
    .reg .b32 %r<4>; .reg .pred %p<2>;
    ld.param.u32 %r1, [x];
    ld.param.u32 %r2, [y];
    setp.gt.u32 %p1, %r1, 5;
    mul.lo.s32 %r3, %r1, %r2;
    st.param.b32 [result+0], %r3;
    @%p1 ret;
    mov.u32 %r3, 0;
    st.param.b32 [result+0], %r3;
    ret;
}
.visible .entry k(.param .u64 out)
{
    .reg .b32 %r<6>; .reg .b64 %rd<4>; .reg .pred %p<2>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    {
        .param .b32 a; st.param.b32 [a+0], %r1;
        .param .b32 b; st.param.b32 [b+0], 3;
        .param .b32 c;
        call.uni (c), scale, (a, b);
        ld.param.b32 %r2, [c+0];
    }
    setp.lt.u32 %p1, %r1, 10;
    {
        .param .b32 a; st.param.b32 [a+0], %r2;
        .param .b32 b; st.param.b32 [b+0], %r2;
        .param .b32 c; st.param.b32 [c+0], 1;
        @%p1 call (c), scale, (a, b);
        ld.param.b32 %r3, [c+0];
    }
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r3;
    ret;
}";
    let scale = |x: u32, y: u32| if x > 5 { x * y } else { 0 };
    let expected: Vec<_> = (0..32).map(|t| if t < 10 { scale(scale(t, 3), scale(t, 3)) } else { 1 }).collect();
    assert_eq!(run(text, [1; 3], [32, 1, 1], 32).0, expected);
}

#[test]
fn the_end_may_go_without_ret_and_infinite_loops_have_a_reconvergence_point() {
    let text = ".visible .entry k(.param .u64 out) { .reg .b64 %rd<2>; .reg .b32 %r<2>; ld.param.u64 %rd1, [out]; mov.u32 %r1, 3; st.global.u32 [%rd1], %r1; }";
    assert_eq!(run(text, [1; 3], [1; 3], 1).0, [3]);
    let forever = program(".visible .entry k() { .reg .pred %p; L: setp.eq.u32 %p, 0, 0; @%p bra L; bra L; }");
    assert_eq!(forever.code[1].reconverge, forever.code.len() as u32);
}

#[test]
fn registers_needed_are_those_live_at_once() {
    let program = program(
        ".visible .entry k(.param .u64 out) { .reg .b64 %rd<3>; .reg .b32 %r<9>; .reg .pred %p;
         ld.param.u64 %rd1, [out];
         mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; add.u32 %r3, %r1, %r2; mov.u32 %r4, 1; add.u32 %r3, %r3, %r4;
         setp.ne.u32 %p, %r3, 0; @%p st.global.u32 [%rd1], %r3; ret; }",
    );
    // The pointer (2), and two values.
    assert_eq!(program.registers, 4);
    assert_eq!(program.slots, 6);
}

#[test]
fn the_worklist() {
    let program = program(
        ".visible .entry k(.param .u64 base, .param .u64 size)
         {
            .reg .b64 %rd<3>; .reg .b32 %r<3>;
            ld.param.u64 %rd1, [base]; ld.param.u64 %rd2, [size];
            wlinit.u64 %rd1, %rd2;
            wlcfg.u32 1;
            wlpull.u32 %r1;
            wlpush.u32 %r1;
            ret;
         }",
    );
    let params = [0x1000u64, 64].map(u64::to_le_bytes).concat();
    let mut memory = Memory::new();
    let mut spaces = Spaces { global: &mut memory, shared: &mut [], local: &mut [], params: &params, constants: &[] };
    let warp = WarpInfo { ntid: [32, 1, 1], nctaid: [1; 3], threads: u32::MAX, ..WarpInfo::default() };
    let (mut regs, mut scratch) = (Registers::default(), Scratch::default());
    regs.start(program.slots);
    let mut step = |pc, lanes, regs: &mut Registers| {
        let effect = execute(&program, pc, lanes, &warp, regs, &mut spaces, &mut scratch)?;
        let port = match effect.demand {
            Demand::Port { lanes, operands } => Some((lanes, [operands[0][4], operands[0][5]])),
            Demand::Nothing | Demand::Access { .. } => None,
        };
        Ok::<_, Fault>((effect.flow, port, matches!(effect.demand, Demand::Access { .. })))
    };
    let all = u32::MAX;
    assert_eq!(step(0, all, &mut regs).unwrap(), (Flow::Next, None, true));
    assert_eq!(step(1, all, &mut regs).unwrap(), (Flow::Next, None, true));
    let init = Control { code: SystemCode::WorklistInit, operands: [0x1000, 64] };
    assert_eq!(step(2, all, &mut regs).unwrap(), (Flow::Control(init), None, false));
    let configure = Control { code: SystemCode::WorklistConfigure, operands: [1, 0] };
    assert_eq!(step(3, all, &mut regs).unwrap(), (Flow::Control(configure), None, false));
    let (flow, port, _) = step(4, 0xF0, &mut regs).unwrap();
    assert_eq!((flow, port.map(|(lanes, _)| lanes)), (Flow::Next, Some(0xF0)));
    let Op::System(SystemOp { results: [Some(dst), ..], .. }) = program.code[4].op else { panic!() };
    write_back(&program, dst, 0x30, &std::array::from_fn(|lane| lane as u64 * 10), &mut regs);
    assert_eq!([3, 4, 5, 6].map(|lane| regs.get(dst, lane)), [0, 40, 50, 0]);
    assert_eq!(step(5, 0x30, &mut regs).unwrap(), (Flow::Next, Some((0x30, [40, 50])), false));
    regs.set(dst, 5, 1 << 24);
    let fault = step(5, 0x30, &mut regs).unwrap_err();
    let rule = "wlpush of 0x1000000: a work ID has 24 bits".into();
    assert_eq!(fault.details().cause, Cause::SystemOperand { rule });
    assert_eq!(fault.details().tid, [5, 0, 0]);
    let classes: Vec<_> = program.code[2..6].iter().map(|i| i.class).collect();
    assert_eq!(classes, [Place::AllCores, Place::AllCores, Place::Issue, Place::LoadStore].map(Class::System));
}

#[test]
fn pragmas_keep_their_place() {
    let program =
        program(".visible .entry k() { .reg .b32 %r; mov.u32 %r, 1; .pragma \"scalar begin\"; mov.u32 %r, 2; ret; }");
    assert_eq!((program.pragmas[0].pc, program.pragmas[0].text.as_str()), (1, "scalar begin"));
}
