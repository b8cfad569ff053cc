//! Branches through tables, calls through registers, and what faults say of the source.

use sim::config::Config;
use sim::gpu::{self, Gpu};
use sim::ptx::Module;

use super::runner::Launch;

/// Runs the first kernel `(u64 out)` of the text with 32 threads, without time and on the cores, which must agree.
fn run(text: &str, words: usize) -> Result<Vec<u32>, String> {
    let module = Module::parse("t.ptx", text).map_err(|e| e.to_string())?;
    let program = module.kernel(module.entries()[0]).map_err(|e| e.to_string())?;
    let (grid, block) = ([1; 3], [32, 1, 1]);
    let launch = Launch { program: &program, grid, block, params: vec![], dynamic_shared_bytes: 0 };
    let outcome = launch.fill(&module, words).map(|(words, _)| words).map_err(|e| e.to_string());

    let mut gpu = Gpu::new(&Config::preset("hwwl-micro14").unwrap(), Vec::new());
    gpu.memory_mut().place_statics(module.statics());
    let out = gpu.memory_mut().alloc(4 * words as u64);
    let params = out.to_le_bytes().to_vec();
    let launched = gpu.launch(&program, &gpu::Launch { grid, block, dynamic_shared: 0, params });
    let on_cores = launched.map(|_| gpu.memory().read_u32s(out, words).unwrap()).map_err(|e| e.to_string());
    assert_eq!(on_cores, outcome);
    outcome
}

fn kernel(body: &str) -> String {
    format!(
        ".visible .entry k(.param .u64 out)\n{{\n.reg .b64 %o, %l<10>; .reg .b32 %r<10>; .reg .pred %p<4>;\n\
         ld.param.u64 %o, [out]; mov.u32 %r0, %tid.x; mul.wide.u32 %l0, %r0, 4; add.s64 %l1, %o, %l0;\n{body}\nret;\n}}\n"
    )
}

#[test]
fn a_table_sends_each_lane_where_its_index_says() {
    let body = "and.b32 %r1, %r0, 3;
        ts: .branchtargets A, B, C, END;
        mov.u32 %r2, 9; brx.idx %r1, ts;
        A: mov.u32 %r2, 10; bra END;
        B: add.u32 %r2, %r0, 100; bra END;
        C: mov.u32 %r2, 30;
        END: st.global.u32 [%l1], %r2;";
    let expected: Vec<u32> = (0..32).map(|t| [10, t + 100, 30, 9][t as usize % 4]).collect();
    assert_eq!(run(&kernel(body), 32).unwrap(), expected);
    // Only some lanes, by the guard; the others go on after it.
    let guarded = body.replace("brx.idx", "setp.lt.u32 %p0, %r0, 20; @%p0 brx.idx");
    let expected: Vec<u32> = (0..32).map(|t| if t < 20 { [10, t + 100, 30, 9][t as usize % 4] } else { 10 }).collect();
    assert_eq!(run(&kernel(&guarded), 32).unwrap(), expected);
    let beyond = body.replace("and.b32 %r1, %r0, 3", "add.u32 %r1, %r0, 2");
    let text = run(&kernel(&beyond), 32).unwrap_err();
    assert!(text.contains("thread (2,0,0): brx.idx with index 4: the list has 4 targets"), "{text}");
}

/// An instruction after a table is executed once, by all lanes.
#[test]
fn lanes_meet_again_behind_a_table() {
    let body = "and.b32 %r1, %r0, 1; ts: .branchtargets A, B; brx.idx %r1, ts;
        A: mov.u32 %r2, 1; bra END; B: mov.u32 %r2, 2;
        END: activemask.b32 %r3; st.global.u32 [%l1], %r3;";
    assert_eq!(run(&kernel(body), 32).unwrap(), [u32::MAX; 32]);
}

const FUNCTIONS: &str = "
.func (.param .b32 r) twice(.param .b32 x)
{ .reg .b32 %r<3>; ld.param.u32 %r1, [x]; shl.b32 %r2, %r1, 1; st.param.b32 [r+0], %r2; ret; }
.func (.param .b32 r) square(.param .b32 x)
{ .reg .b32 %r<3>; ld.param.u32 %r1, [x]; mul.lo.s32 %r2, %r1, %r1; st.param.b32 [r+0], %r2; ret; }
.func (.param .b32 r) other(.param .b64 x) { ret; }
.global .align 8 .u64 table[2] = {twice, square};
";

const CALL: &str = "{ .param .b32 a; st.param.b32 [a+0], %r0; .param .b32 c;
        CALLEES
        call (c), %l3, (a), p; ld.param.b32 %r2, [c+0]; }
        st.global.u32 [%l1], %r2;";

#[test]
fn calls_through_registers() {
    let from_table = "and.b32 %r1, %r0, 1; mul.wide.u32 %l2, %r1, 8; mov.u64 %l3, table; add.s64 %l3, %l3, %l2; ld.global.u64 %l3, [%l3];";
    let expected: Vec<u32> = (0..32).map(|t| if t % 2 == 0 { 2 * t } else { t * t }).collect();
    for callees in ["p : .callprototype (.param .b32 _) _ (.param .b32 _);", "p: .calltargets twice, square;"] {
        let text = FUNCTIONS.to_string() + &kernel(&(from_table.to_string() + &CALL.replace("CALLEES", callees)));
        assert_eq!(run(&text, 32).unwrap(), expected);
    }
    let of = |name: &str, callees: &str| {
        let body = format!("mov.u64 %l3, {name}; {}", CALL.replace("CALLEES", callees));
        run(&(FUNCTIONS.to_string() + &kernel(&body)), 32)
    };
    let prototype = "p : .callprototype (.param .b32 _) _ (.param .b32 _);";
    assert_eq!(of("square", prototype).unwrap()[5], 25);
    assert!(of("other", prototype).unwrap_err().contains("no function that can be called here"));
    assert!(of("square", "p: .calltargets twice;").unwrap_err().contains("no function that can be called here"));
    assert!(of("square", "p: .calltargets cube;").unwrap_err().contains("unknown function `cube`"));
}

/// A function that is reached through its address alone keeps its own shared memory.
#[test]
fn called_functions_have_their_shared_variables() {
    let functions = ".func (.param .b32 r) counted(.param .b32 x)
        { .shared .u32 count; .reg .b32 %r<3>; atom.shared.add.u32 %r1, [count], 1; st.param.b32 [r+0], %r1; ret; }
        .global .u64 f = counted;";
    let body = "ld.global.u64 %l3, [f];".to_string()
        + &CALL.replace("CALLEES", "p : .callprototype (.param .b32 _) _ (.param .b32 _);");
    let mut found = run(&(functions.to_string() + &kernel(&body)), 32).unwrap();
    found.sort();
    assert_eq!(found, (0..32).collect::<Vec<_>>());
}

#[test]
fn faults_name_the_source_line() {
    let located = |directory: &str, loc: &str| {
        let text = kernel(&format!("{loc}\nst.global.u32 [%o+400], %r0;")) + directory;
        run(&text, 1).unwrap_err()
    };
    let text =
        located(".file 1 \"/src/a.cu\"\n.file 2 \"b.h\", 1, 2\n", ".loc 2 17 5, function_name L, inlined_at 1 3 4");
    assert!(
        text.starts_with("t.ptx:6 (b.h:17): kernel `k`, CTA (0,0,0), thread (0,0,0): store in global memory"),
        "{text}"
    );
    assert!(located(".file 1 \"/src\" \"a.cu\"\n", ".loc 1 9 0").starts_with("t.ptx:6 (/src/a.cu:9): kernel"));
    // Line 0 is nowhere; a file without a name is no help.
    assert!(located(".file 1 \"a.cu\"\n", ".loc 1 9 0\n.loc 1 0 0").starts_with("t.ptx:7: kernel"));
    assert!(located("", ".loc 1 9 0").starts_with("t.ptx:6: kernel"));
}
