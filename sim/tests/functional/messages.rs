//! Messages of the front end about PTX that it does not understand: file, line, instruction, reason.

use super::runner::{parse, Launch};
use sim::ptx::Module;

fn message(instruction: &str) -> String {
    let text = format!(
        ".visible .entry k(.param .u64 out)\n{{\n.reg .b64 %rd<4>; .reg .b32 %r<4>; .reg .f32 %f<4>; .reg .pred %p<2>; .shared .u32 s;\n{instruction}\nret;\n}}"
    );
    match Module::parse("t.ptx", &text).and_then(|module| module.kernel("k")) {
        Ok(_) => panic!("`{instruction}` was accepted"),
        Err(error) => error.to_string(),
    }
}

/// The whole message names the place, the reason and the instruction.
fn refused(instruction: &str, reason: &str) {
    assert_eq!(message(&format!("{instruction};")), format!("t.ptx:4: {reason} in `{instruction}`"));
}

/// As clang 19.1.7 writes `__reduce_add_sync(0xffffffff, threadIdx.x)`.
#[test]
fn a_reduction_whose_mask_and_value_are_exchanged() {
    let run = |instruction: &str| {
        let text = format!(
            ".visible .entry k(.param .u64 out) {{ .reg .b32 %r<3>; mov.u32 %r1, %tid.x;\n{instruction} ret; }}"
        );
        let (module, program) = parse(&text);
        let launch =
            Launch { program: &program, grid: [1; 3], block: [32, 1, 1], params: vec![], dynamic_shared_bytes: 0 };
        launch.fill(&module, 1).map(|_| ()).map_err(|fault| fault.to_string())
    };
    let text = run("redux.sync.add.s32 %r2, -1, %r1;").unwrap_err();
    assert!(text.contains("thread (0,0,0): redux of the constant -1 with the member mask 0x0,"), "{text}");
    assert!(text.contains("clang 19.1.7"), "{text}");
    assert_eq!(run("redux.sync.add.s32 %r2, %r1, -1; redux.sync.min.s32 %r2, -1, -1;"), Ok(()));
}

#[test]
fn instructions() {
    assert_eq!(message("frob.u32 %r1,\n %r2;"), "t.ptx:4: unknown instruction `frob` in `frob.u32 %r1, %r2`");
    refused("xor.cc.b32 %r1, %r1, 1", "unknown or unsupported modifier `.cc`");
    refused("@%p1 add.u32 %r1, %r1", "2 operands where 3 are expected");
    refused("add %r1, %r1, 1", "the type is missing");
    refused("min.rz.f32 %f1, %f1, %f1", "there is nothing to round");
    assert!(message("add.rna.f32 %f1, %f1, %f1;").contains("unknown or unsupported modifier `.rna`"));
    assert!(message("add.cc.u16 %r1, %r1, 1;").contains("carries need a type of 32 or 64 bits"));
    assert!(message("brx.idx %r1, nowhere;").contains("`nowhere` names no targets"));
    assert!(message("call %rd1, ();").contains("needs `.calltargets` or `.callprototype`"));
}

#[test]
fn operands() {
    assert!(message("add.u32 %r1, %r9, 1;").starts_with("t.ptx:4: unknown register `%r9` in"));
    assert!(message("add.u32 %r1, %rd1, 1;").contains("register `%rd1` has 64 bits, which does not fit 32 bits"));
    assert!(message("add.u32 %r1, %tid.x, 1;").contains("a register or a number is expected"));
    assert!(message("mov.u64 %rd1, s[%r1];")
        .contains("an index must be a number: compute the address of `s[%r1]` in a register"));
    assert!(message("mov.u64 %rd1, t[1];").contains("`t` is no variable that has elements"));
    assert!(message("mov.u64 %rd1, s[1];").contains("variable `s` has fewer dimensions than this"));
    assert!(message("mov.u32 %r1, %tid;").contains("`%tid` needs a component"));
    assert!(message("mov.u32 %r1, %laneid.x;").contains("`%laneid` has no component `.x`"));
    assert!(message("add.f32 %f1, %f2, 1;").contains("an integer where a floating-point number is expected"));
    assert!(message("ld.global.u32 %r1, [s];").contains("variable `s` lies in another state space"));
    assert!(message("ld.global.u32 %r1, [nowhere];").contains("unknown name `nowhere`"));
    assert!(message("bra nowhere;").contains("unknown label `nowhere`"));
    assert!(message("@%r1 bra x;").contains("`%r1` is not a predicate"));
    assert!(message("ld.global.v2.u32 {%r1}, [%rd1];").contains("2 registers in braces are expected"));
    assert!(message("setp.nan.s32 %p1, %r1, %r2;").contains("this comparison needs a floating-point type"));
    assert!(message("bar.arrive 0;").contains("1 operands where 2 are expected"));
    assert!(message("bar.red.xor.pred %p1, 0, %p1;").contains("`.popc.u32`, `.and.pred` or `.or.pred` is expected"));
    assert!(message("st.param.u64 [out], %rd1;").contains("cannot be written"));
    assert!(message("call undefined, ();").contains("unknown function `undefined`"));
}

#[test]
fn declarations_and_kernels() {
    assert!(message(".reg .b32 %r1;").starts_with("t.ptx:4: `%r1` is declared twice"));
    let module =
        Module::parse("t.ptx", ".entry a() { ret; } .func f() { call f, (); ret; } .entry b() { call f, (); ret; }")
            .unwrap();
    assert_eq!(module.entries(), ["a", "b"]);
    assert_eq!(module.kernel("c").unwrap_err().to_string(), "t.ptx:1: there is no kernel `c`; there is a, b");
    assert!(module.kernel("b").unwrap().stack_bytes > 0, "`f` calls itself");
}
