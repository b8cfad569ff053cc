//! State spaces, vectors, atomics, and accesses that are refused.

use sim::exec::{Cause, Fault, MemoryAccess};
use sim::ptx::isa::Space;

use super::runner::{parse, Launch};

/// Runs kernel `k(u64 out)` in one CTA and gives the words of `out`.
fn run(declarations: &str, body: &str, block: u32, words: usize) -> Result<Vec<u32>, Fault> {
    let text = format!(
        "{declarations}\n.visible .entry k(.param .u64 out)\n{{\n\
         .reg .b64 %o, %l<10>; .reg .b32 %r<10>; .reg .b16 %h<10>; .reg .f32 %f<10>; .reg .pred %p<4>;\n\
         ld.param.u64 %o, [out];\n{body}\nret;\n}}\n"
    );
    let (module, program) = parse(&text);
    let block = [block, 1, 1];
    let launch = Launch { program: &program, grid: [1; 3], block, params: vec![], dynamic_shared_bytes: 64 };
    Ok(launch.fill(&module, words)?.0)
}

#[test]
fn globals_and_constants_have_their_initial_values() {
    let declarations =
        ".global .align 4 .u32 g[3] = {1, 2, 0xfffffffd};\n.const .align 8 .f32 c[2] = {1.5, 0f40000000};\n\
        .global .u64 p = generic(g)+8;\n.const .align 2 .b8 bytes[4] = {1, 2, 3, 4};\n";
    let body = "ld.global.u32 %r0, [g+4]; st.global.u32 [%o], %r0;
        ld.const.f32 %f0, [c+4]; st.global.f32 [%o+4], %f0;
        ld.global.u64 %l0, [p]; ld.u32 %r1, [%l0]; st.global.u32 [%o+8], %r1;
        mov.u64 %l1, bytes; ld.const.u16 %r2, [%l1+2]; st.u32 [%o+12], %r2;
        cvta.const.u64 %l2, %l1; ld.u8 %r3, [%l2+1]; st.global.u32 [%o+16], %r3;
        mov.u64 %l3, g; mov.u32 %r4, 77; st.global.u32 [%l3], %r4; ld.global.u32 %r5, [g]; st.global.u32 [%o+20], %r5;";
    assert_eq!(run(declarations, body, 1, 6).unwrap(), [2, 2f32.to_bits(), 0xFFFF_FFFD, 0x0403, 2, 77]);
}

#[test]
fn widths_and_signs_of_loads() {
    let body = "mov.u32 %r0, 0x8180ff7f; st.global.u32 [%o], %r0;
        ld.global.u8 %r1, [%o+3]; st.global.u32 [%o+4], %r1;
        ld.global.s8 %r1, [%o+3]; st.global.u32 [%o+8], %r1;
        ld.global.s16 %r1, [%o+2]; st.global.u32 [%o+12], %r1;
        ld.global.s16 %l1, [%o]; st.global.u64 [%o+16], %l1;
        ld.global.s8 %h1, [%o+1]; st.global.u16 [%o+24], %h1; st.global.u8 [%o+26], %h1;";
    let found = run("", body, 1, 7).unwrap();
    assert_eq!(found, [0x8180_FF7F, 0x81, 0xFFFF_FF81, 0xFFFF_8180, 0xFFFF_FF7F, 0xFFFF_FFFF, 0x00FF_FFFF]);
}

/// PTX ISA, Arrays as Operands: an index counts elements.
#[test]
fn an_index_chooses_an_element() {
    let declarations = ".global .align 4 .u32 g[4] = {10, 11, 12, 13};\n.const .align 8 .f64 c[3] = {0.5, 1.5, 2.5};\n\
        .global .align 16 .v4 .u32 v[2] = {1, 2, 3, 4, 5, 6, 7, 8};\n.global .u16 d[2][3] = {{1, 2, 3}, {4, 5, 6}};";
    let body = "mov.u64 %l0, g[2]; ld.global.u32 %r0, [%l0]; st.global.u32 [%o], %r0;
        ld.global.u32 %r0, g[1]; st.global.u32 [%o+4], %r0; st.global.u32 g[3], 99; ld.global.u32 %r0, [g+12]; st.global.u32 [%o+8], %r0;
        ld.global.u32 %r0, v[1]; st.global.u32 [%o+12], %r0; ld.global.u16 %r0, d[1][2]; st.global.u32 [%o+16], %r0;
        ld.global.u16 %r0, d[1]; st.global.u32 [%o+20], %r0; cvta.const.u64 %l1, c[1+1]; ld.u32 %r0, [%l1+4]; st.global.u32 [%o+24], %r0;
        .shared .align 8 .b64 g[2]; mov.u32 %r1, g; mov.u32 %r2, g[1]; sub.u32 %r0, %r2, %r1; st.global.u32 [%o+28], %r0;
        { .local .b8 g[16]; mov.u64 %l1, g; mov.u64 %l2, g[5]; sub.u64 %l0, %l2, %l1; cvt.u32.u64 %r0, %l0; st.global.u32 [%o+32], %r0; }
        mov.u32 %r1, g[0]+4; mov.u32 %r2, g[1]; sub.u32 %r0, %r2, %r1; st.global.u32 [%o+36], %r0;";
    let half = (2.5f64.to_bits() >> 32) as u32;
    assert_eq!(run(declarations, body, 1, 10).unwrap(), [12, 11, 99, 5, 6, 4, half, 8, 5, 4]);
}

#[test]
fn vectors() {
    let body = "mov.u32 %r0, 1; mov.u32 %r1, 2; mov.u32 %r2, 3;
        st.global.v4.u32 [%o], {%r0, %r1, %r2, 4};
        ld.global.v2.u32 {_, %r3}, [%o+8]; st.global.u32 [%o+16], %r3;
        ld.global.v2.u64 {%l0, %l1}, [%o]; st.global.u64 [%o+24], %l1;
        ld.global.v2.u8 {%h0, %h1}, [%o+4]; st.global.v2.u16 [%o+20], {%h1, %h0};";
    assert_eq!(run("", body, 1, 8).unwrap(), [1, 2, 3, 4, 4, 2 << 16, 3, 4]);
}

#[test]
fn a_vector_store_in_a_kernel_without_immediates() {
    let body = "mov.u32 %r0, %ntid.x; mov.u32 %r1, %ntid.y; st.global.v2.u32 [%o], {%r1, %r0};";
    assert_eq!(run("", body, 2, 2).unwrap(), [1, 2]);
}

#[test]
fn shared_memory_is_shared_and_local_memory_is_not() {
    let body = ".shared .align 4 .u32 s[64]; .local .align 4 .u32 mine[2];
        mov.u32 %r0, %tid.x; mul.wide.u32 %l0, %r0, 4; mov.u64 %l1, s; add.s64 %l1, %l1, %l0;
        st.shared.u32 [%l1], %r0; st.local.u32 [mine+4], %r0; bar.sync 0;
        mov.u64 %l2, mine; cvta.local.u64 %l2, %l2; ld.u32 %r1, [%l2+4];
        sub.s32 %r2, 63, %r0; mul.wide.u32 %l3, %r2, 4; mov.u64 %l4, s; cvta.shared.u64 %l4, %l4; add.s64 %l4, %l4, %l3;
        ld.u32 %r3, [%l4]; cvta.to.shared.u64 %l4, %l4; ld.shared.u32 %r4, [%l4];
        mad.lo.s32 %r3, %r3, 1000, %r1; add.s32 %r3, %r3, %r4; add.s64 %l0, %l0, %o; st.global.u32 [%l0], %r3;";
    let found = run("", body, 64, 64).unwrap();
    let expected: Vec<u32> = (0..64).map(|t| (63 - t) * 1000 + t + (63 - t)).collect();
    assert_eq!(found, expected);
}

#[test]
fn generic_addresses_may_differ_in_space_from_lane_to_lane() {
    let body = ".local .align 4 .u32 mine; mov.u32 %r0, %tid.x; mul.wide.u32 %l0, %r0, 4; add.s64 %l0, %l0, %o;
        mov.u64 %l1, mine; cvta.local.u64 %l1, %l1; setp.lt.u32 %p0, %r0, 16; selp.b64 %l2, %l0, %l1, %p0;
        add.u32 %r1, %r0, 5; st.u32 [%l2], %r1; ld.u32 %r2, [%l2]; add.u32 %r2, %r2, 1; st.global.u32 [%l0], %r2;";
    assert_eq!(run("", body, 32, 32).unwrap(), (6..38).collect::<Vec<_>>());
}

#[test]
fn an_address_tells_its_space() {
    let body = ".shared .u32 s; .local .u32 mine; mov.u64 %l0, s; cvta.shared.u64 %l1, %l0; mov.u64 %l2, mine; cvta.local.u64 %l3, %l2;
        isspacep.shared %p0, %l1; selp.u32 %r0, 1, 0, %p0; isspacep.global %p0, %l1; selp.u32 %r1, 1, 0, %p0;
        isspacep.global %p0, %o; selp.u32 %r2, 1, 0, %p0; isspacep.local %p0, %l3; selp.u32 %r3, 1, 0, %p0;
        prefetch.global.L2 [%o]; st.global.v4.u32 [%o], {%r0, %r1, %r2, %r3};";
    assert_eq!(run("", body, 1, 4).unwrap(), [1, 0, 1, 1]);
}

#[test]
fn dynamic_shared_memory_starts_behind_the_static() {
    let body = ".shared .align 4 .b8 fixed[20]; mov.u32 %r0, dyn; st.global.u32 [%o], %r0;
        mov.u32 %r1, 5; st.shared.u32 [dyn+60], %r1; ld.shared.u32 %r2, [%r0+60]; st.global.u32 [%o+4], %r2;";
    let declarations = ".extern .shared .align 4 .b8 dyn[];\n.shared .align 4 .u32 unused[1000];";
    // The launch gives 64 bytes after the 20; the alignment of dynamic memory takes 12 of them.
    assert!(run(declarations, body, 1, 2).is_err());
    let fits = body.replace("60", "48");
    assert_eq!(run(declarations, &fits, 1, 2).unwrap(), [32, 5]);
}

#[test]
fn atomics_of_all_lanes_add_up() {
    let body = ".shared .u32 s; mov.u32 %r0, %tid.x; mov.u32 %r9, 0; st.shared.u32 [s], %r9; bar.sync 0;
        atom.shared.add.u32 %r1, [s], %r0; atom.global.add.u32 %r2, [%o], 1; red.global.max.u32 [%o+4], %r0;
        atom.add.u32 %r3, [%o+8], %r0; cvt.rn.f32.u32 %f0, %r0; atom.global.add.f32 %f1, [%o+12], %f0;
        red.global.or.b32 [%o+16], %r0; atom.global.inc.u32 %r4, [%o+20], 9; red.global.min.s32 [%o+24], -3;
        bar.sync 0; ld.shared.u32 %r5, [s]; st.global.u32 [%o+28], %r5;
        mul.wide.u32 %l0, %r2, 4; add.s64 %l0, %l0, %o; st.global.u32 [%l0+32], %r2;";
    let found = run("", body, 64, 72).unwrap();
    assert_eq!(found[..8], [64, 63, 2016, 2016f32.to_bits(), 63, 4, -3i32 as u32, 2016]);
    // Every lane found another old value.
    assert_eq!(found[8..], (0..64).collect::<Vec<_>>());
}

#[test]
fn exchange_compare_and_swap_and_counters() {
    let body = "mov.u32 %r0, 5; st.global.u32 [%o], %r0; atom.global.cas.b32 %r1, [%o], 5, 8; atom.global.cas.b32 %r2, [%o], 5, 9;
        atom.global.exch.b32 %r3, [%o], 2; atom.global.dec.u32 %r4, [%o], 7; atom.global.dec.u32 %r5, [%o+4], 7;
        st.global.v4.u32 [%o+16], {%r1, %r2, %r3, %r4};
        mov.u64 %l0, -1; st.global.u64 [%o+8], %l0; atom.global.add.u64 %l1, [%o+8], 3; atom.global.xor.b64 _, [%o+8], 1;";
    assert_eq!(run("", body, 1, 8).unwrap(), [1, 7, 3, 0, 5, 8, 8, 2]);
}

fn cause(body: &str) -> (String, Cause) {
    let fault = run("", body, 33, 33).unwrap_err();
    (fault.to_string(), fault.details().cause.clone())
}

#[test]
fn an_access_outside_names_kernel_line_thread_and_address() {
    let (text, cause) =
        cause("mov.u32 %r0, %tid.x; mul.wide.u32 %l0, %r0, 4; add.s64 %l0, %l0, %o;\nst.global.u32 [%l0+4], %r0;");
    assert_eq!(
        text,
        "t.ptx:7: kernel `k`, CTA (0,0,0), thread (32,0,0): store in global memory: 4 bytes at 0xc0000084 lie in no allocation; \
         nearest is allocation 0 at 0xc0000000 of 132 bytes"
    );
    assert!(matches!(cause, Cause::Memory { access: MemoryAccess::Store, space: Space::Global, .. }));
}

#[test]
fn other_accesses_that_are_refused() {
    let text = |body: &str| cause(body).0;
    let ends = |body: &str, end: &str| assert!(text(body).ends_with(end), "{}", text(body));
    let says = |body: &str, words: &str| assert!(text(body).contains(words), "{}", text(body));
    ends("ld.global.u32 %r0, [%o+2];", "load in global memory: 0xc0000002 is not a multiple of the 4 bytes accessed");
    says("ld.global.v2.u32 {%r0, %r1}, [%o+4];", "not a multiple of the 8 bytes");
    says("mov.u64 %l0, 0; atom.global.add.u32 %r0, [%l0], 1;", "atomic in global memory: 4 bytes at 0x0 lie");
    let shared = "load in shared memory: 4 bytes at 0x44 lie beyond its 68 bytes";
    ends(".shared .u32 s; ld.shared.u32 %r0, [s+68];", shared);
    says(".local .u32 l; mov.u64 %l0, l; st.local.u32 [%l0+16], %r0;", "store in local memory");
    let local = "atomic in local memory: 0x0 is a thread's own; atomics are for global and shared memory";
    ends(".local .u32 l; mov.u64 %l0, l; cvta.local.u64 %l0, %l0; atom.add.u32 %r0, [%l0], 1;", local);
    says("ld.param.u64 %l0, [out+8];", "load in parameter memory");
    ends("mov.u64 %l0, 0x30000000; st.u8 [%l0], %r0;", "store in constant memory: 0x0 is read-only");
    ends("trap;", ": trap");
}
