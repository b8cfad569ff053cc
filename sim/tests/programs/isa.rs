//! Instructions that whole programs and their inline PTX use. Expectations come from the PTX ISA document, computed here word by word.

use super::runner::{Machine, PRESETS};
use sim::ptx::Module;

const THREADS: u32 = 64;

/// Runs a body on three words of each thread, `%a`, `%b` and `%c`, and gives the word `%d` of each.
fn run(preset: &str, body: &str, inputs: &[[u32; 3]]) -> Vec<u32> {
    let text = format!(
        ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 out, .param .u64 in) {{
        .reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>, %a, %b, %c, %d, %t; .reg .b64 %l<9>, %x; .reg .f32 %f<9>;
        .shared .align 8 .b8 s[1024];
        ld.param.u64 %l0, [out]; ld.param.u64 %x, [in];
        mov.u32 %t, %tid.x; mul.wide.u32 %l1, %t, 16; add.s64 %x, %x, %l1;
        ld.global.v4.u32 {{%a, %b, %c, _}}, [%x]; mov.u32 %d, 0;
        {body}
        mul.wide.u32 %l1, %t, 4; add.s64 %l0, %l0, %l1; st.global.u32 [%l0], %d; ret; }}"
    );
    let mut machine = Machine::new(preset, &text);
    let words: Vec<u32> = inputs.iter().flat_map(|[a, b, c]| [*a, *b, *c, 0]).collect();
    let address = machine.gpu.memory_mut().alloc(4 * words.len() as u64);
    machine.gpu.memory_mut().write_u32s(address, &words).unwrap();
    machine.words("k", 1, inputs.len() as u32, &[address])
}

/// Words of no particular kind, and some particular ones.
fn words() -> Vec<[u32; 3]> {
    let word = |i: u32| match i % 11 {
        0 => [0, u32::MAX, 0x8000_0000, 0x7fff_ffff][i as usize / 11 % 4],
        _ => i.wrapping_mul(2_654_435_761).rotate_left(i % 31),
    };
    (0..THREADS).map(|t| [word(3 * t), word(3 * t + 1), word(3 * t + 2)]).collect()
}

fn check(body: &str, expected: impl Fn([u32; 3]) -> u32) {
    let inputs = words();
    let found = run(PRESETS[0], body, &inputs);
    for (input, found) in inputs.iter().zip(found) {
        assert_eq!(found, expected(*input), "{body} of {input:x?}");
    }
}

#[test]
fn logic_of_three_operands() {
    for table in [0xe8u32, 0x96, 0x1b, 0x80, 0xfe, 0x35] {
        check(&format!("lop3.b32 %d, %a, %b, %c, {table};"), |[a, b, c]| {
            (0..32).map(|bit| (table >> ((a >> bit & 1) << 2 | (b >> bit & 1) << 1 | (c >> bit & 1)) & 1) << bit).sum()
        });
    }
}

#[test]
fn dot_products() {
    let byte = |x: u32, i: u32, signed: bool| match signed {
        true => i64::from((x >> (8 * i)) as i8),
        false => i64::from((x >> (8 * i)) as u8),
    };
    let half = |x: u32, i: u32, signed: bool| match signed {
        true => i64::from((x >> (16 * i)) as i16),
        false => i64::from((x >> (16 * i)) as u16),
    };
    for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
        let ty = |signed| if signed { "s32" } else { "u32" };
        check(&format!("dp4a.{}.{} %d, %a, %b, %c;", ty(a), ty(b)), |[x, y, z]| {
            (0..4).fold(z, |sum, i| sum.wrapping_add((byte(x, i, a) * byte(y, i, b)) as u32))
        });
        for (part, first) in [("lo", 0), ("hi", 2)] {
            check(&format!("dp2a.{part}.{}.{} %d, %a, %b, %c;", ty(a), ty(b)), |[x, y, z]| {
                (0..2).fold(z, |sum, i| sum.wrapping_add((half(x, i, a) * byte(y, first + i, b)) as u32))
            });
        }
    }
}

/// The value of a finite number in half precision.
fn value(half: u16) -> f64 {
    let (sign, exponent, fraction) = (half >> 15, i32::from(half >> 10 & 31), f64::from(half & 1023));
    let magnitude = match exponent {
        0 => fraction * 2f64.powi(-24),
        exponent => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    };
    if sign == 1 {
        -magnitude
    } else {
        magnitude
    }
}

/// The nearest number in half precision, the even one of two.
fn nearest(exact: f64) -> u16 {
    let sign = if exact.is_sign_negative() { 0x8000 } else { 0 };
    let magnitude = exact.abs();
    if magnitude >= 65520.0 {
        return sign | 0x7c00;
    }
    let below = (0..0x7c00u16).rev().find(|half| value(*half) <= magnitude).unwrap();
    let (low, high) = (value(below), if below == 0x7bff { 65536.0 } else { value(below + 1) });
    let up = magnitude - low > high - magnitude || magnitude - low == high - magnitude && below & 1 == 1;
    sign | (below + u16::from(up))
}

/// Numbers of moderate size, so that double precision is exact.
fn halves() -> Vec<[u32; 3]> {
    let half = |i: u32| {
        let bits = i.wrapping_mul(2_654_435_761) >> 7;
        (bits & 0x83ff | (8 + bits % 15) << 10) & 0xffff
    };
    (0..THREADS).map(|t| [6 * t, 6 * t + 2, 6 * t + 4].map(|i| half(i) | half(i + 1) << 16)).collect()
}

#[test]
fn half_precision_is_rounded_once() {
    type Reference = fn([f64; 3]) -> f64;
    let operations: [(&str, usize, Reference); 4] = [
        ("add", 2, |[a, b, _]| a + b),
        ("sub", 2, |[a, b, _]| a - b),
        ("mul", 2, |[a, b, _]| a * b),
        ("fma.rn", 3, |[a, b, c]| a * b + c),
    ];
    let inputs = halves();
    for (name, operands, reference) in operations {
        let list = ["%h1", "%h2", "%h3"][..operands].join(", ");
        let single = "mov.b32 {%h1, _}, %a; mov.b32 {%h2, _}, %b; mov.b32 {%h3, _}, %c;";
        let single = run(PRESETS[0], &format!("{single} {name}.f16 %h0, {list}; cvt.u32.u16 %d, %h0;"), &inputs);
        let list = ["%a", "%b", "%c"][..operands].join(", ");
        let pairs = run(PRESETS[0], &format!("{name}.f16x2 %d, {list};"), &inputs);
        for ((input, single), pair) in inputs.iter().zip(single).zip(pairs) {
            let expected = |shift: u32| nearest(reference(input.map(|word| value((word >> shift) as u16))));
            assert_eq!(single, u32::from(expected(0)), "{name} {input:x?}");
            assert_eq!(pair, u32::from(expected(0)) | u32::from(expected(16)) << 16, "{name} {input:x?}");
        }
    }
}

#[test]
fn half_precision_is_compared_and_saturates() {
    let inputs = halves();
    let body = "mov.b32 {%h1, _}, %a; mov.b32 {%h2, _}, %b; setp.lt.f16 %p1, %h1, %h2; selp.u32 %d, 1, 0, %p1;
        setp.gt.f16x2 %p2|%p3, %a, %b; @%p2 or.b32 %d, %d, 2; @%p3 or.b32 %d, %d, 4;
        min.f16x2 %r1, %a, %b; setp.eq.f16x2 %p4|%p5, %r1, %a; @%p5 or.b32 %d, %d, 8;
        mul.sat.f16 %h3, %h1, %h1; mov.b32 %r2, {%h3, %h3}; setp.gt.f16 %p6, %h3, %h4; shl.b32 %r2, %r2, 16; or.b32 %d, %d, %r2;";
    for (input, found) in inputs.iter().zip(run(PRESETS[0], body, &inputs)) {
        let at = |operand: usize, shift: u32| value((input[operand] >> shift) as u16);
        let [low, high] = [0, 16].map(|shift| at(0, shift).partial_cmp(&at(1, shift)).unwrap());
        let square = nearest((at(0, 0) * at(0, 0)).min(1.0));
        let expected = u32::from(low.is_lt()) | u32::from(low.is_gt()) << 1 | u32::from(high.is_gt()) << 2;
        let expected = expected | u32::from(high.is_le()) << 3 | u32::from(square) << 16;
        assert_eq!(found, expected, "{input:x?}");
    }
}

/// Lanes 0 to 11 of a warp, and the others, are members of their own groups, as tiles of a warp are.
const GROUPS: &str = "and.b32 %r0, %t, 31; setp.lt.u32 %p1, %r0, 12; selp.b32 %r1, 0xfff, 0xfffff000, %p1;";

fn group(thread: usize) -> std::ops::Range<usize> {
    let warp = thread / 32 * 32;
    if thread % 32 < 12 {
        warp..warp + 12
    } else {
        warp + 12..warp + 32
    }
}

fn check_groups(body: &str, expected: impl Fn(&[[u32; 3]], usize) -> u32) {
    let inputs: Vec<[u32; 3]> = words().into_iter().map(|[a, b, c]| [a % 5, b, c]).collect();
    let found = run(PRESETS[0], &format!("{GROUPS} {body}"), &inputs);
    for (thread, found) in found.into_iter().enumerate() {
        assert_eq!(found, expected(&inputs, thread), "{body} in thread {thread}");
    }
}

fn mask(inputs: &[[u32; 3]], thread: usize, test: impl Fn([u32; 3]) -> bool) -> u32 {
    group(thread).filter(|other| test(inputs[*other])).map(|other| 1 << (other % 32)).sum()
}

#[test]
fn votes_are_of_the_members_alone() {
    let odd = |[a, _, _]: [u32; 3]| a % 2 == 1;
    let test = "and.b32 %r2, %a, 1; setp.eq.u32 %p2, %r2, 1;";
    check_groups(&format!("{test} vote.sync.ballot.b32 %d, %p2, %r1;"), |inputs, t| mask(inputs, t, odd));
    for (name, of) in [("any", 1), ("all", 0)] {
        let body =
            format!("{test} setp.ge.u32 %p2, %a, {of}; vote.sync.{name}.pred %p3, %p2, %r1; selp.u32 %d, 1, 0, %p3;");
        check_groups(&body, |inputs, t| match of {
            1 => u32::from(group(t).any(|other| inputs[other][0] >= 1)),
            _ => 1,
        });
    }
    let body = "setp.ne.u32 %p2, %r0, 3; vote.sync.all.pred %p3, %p2, %r1; selp.u32 %d, 1, 0, %p3;";
    check_groups(body, |_, t| u32::from(!group(t).contains(&(t / 32 * 32 + 3))));
}

#[test]
fn lanes_find_those_with_their_value() {
    check_groups("match.any.sync.b32 %d, %a, %r1;", |inputs, t| mask(inputs, t, |[a, _, _]| a == inputs[t][0]));
    let body = "mov.b64 %l3, {%a, 7}; match.any.sync.b64 %d, %l3, %r1;";
    check_groups(body, |inputs, t| mask(inputs, t, |[a, _, _]| a == inputs[t][0]));
    let body = "selp.b32 %r2, 9, %a, %p1; match.all.sync.b32 %d|%p2, %r2, %r1; @%p2 or.b32 %d, %d, 0x80000000;";
    check_groups(body, |_, t| if t % 32 < 12 { 0x8000_0fff } else { 0 });
}

#[test]
fn reductions_over_members() {
    let all = |inputs: &[[u32; 3]], t: usize, of: usize| group(t).map(|other| inputs[other][of]).collect::<Vec<_>>();
    check_groups("redux.sync.add.u32 %d, %b, %r1;", |i, t| all(i, t, 1).into_iter().fold(0, u32::wrapping_add));
    check_groups("redux.sync.min.s32 %d, %b, %r1;", |i, t| {
        all(i, t, 1).into_iter().map(|b| b as i32).min().unwrap() as u32
    });
    check_groups("redux.sync.max.u32 %d, %c, %r1;", |i, t| all(i, t, 2).into_iter().max().unwrap());
    check_groups("redux.sync.xor.b32 %d, %c, %r1;", |i, t| all(i, t, 2).into_iter().fold(0, |x, y| x ^ y));
}

/// Every thread adds 1 to one half of a word by `cas` on 16 bits, in shared memory and in global memory.
#[test]
fn compare_and_swap_of_16_bits() {
    for (space, base) in [("shared", "mov.u64 %l2, s;"), ("global", "ld.param.u64 %l2, [in];")] {
        let body = format!(
            "{base} and.b32 %r1, %t, 1; mul.wide.u32 %l3, %r1, 2; add.s64 %l2, %l2, %l3;
            ld.{space}.u16 %h1, [%l2];
            AGAIN: add.s16 %h2, %h1, 1; mov.b16 %h3, %h1; atom.{space}.cas.b16 %h1, [%l2], %h3, %h2;
            setp.ne.s16 %p1, %h1, %h3; @%p1 bra AGAIN;
            bar.sync 0; membar.gl; ld.{space}.volatile.u16 %h4, [%l2]; cvt.u32.u16 %d, %h4;"
        );
        let body = body.replace(&format!("ld.{space}.volatile"), &format!("ld.volatile.{space}"));
        for preset in PRESETS {
            let mut inputs = vec![[0; 3]; THREADS as usize];
            inputs[0] = [0x0064_fff0, 0, 0];
            let found = run(preset, &body, &inputs);
            let start = |t: usize| if space == "shared" { 0 } else { [0xfff0, 0x64][t % 2] };
            let expected: Vec<u32> = (0..THREADS as usize).map(|t| (start(t) + THREADS / 2) & 0xffff).collect();
            assert_eq!(found, expected, "{space} {preset}");
        }
    }
}

#[test]
fn atomic_sums_in_half_precision() {
    // 64 threads add 1.0 and 0.5; the start is 0.
    let body = "ld.param.u64 %l2, [in]; mov.u32 %r1, 0x38003c00; red.relaxed.gpu.global.add.noftz.f16x2 [%l2], %r1;
        bar.sync 0; membar.gl; ld.volatile.global.u32 %d, [%l2];";
    let found = run(PRESETS[0], body, &vec![[0; 3]; THREADS as usize]);
    assert_eq!(found, vec![u32::from(nearest(64.0)) | u32::from(nearest(32.0)) << 16; THREADS as usize]);
}

/// 1 GHz would be a nanosecond a cycle; this preset has another clock.
#[test]
fn the_global_timer_counts_nanoseconds() {
    let body = "mov.u64 %l2, %clock64; mov.u64 %l3, %globaltimer; mov.u32 %r1, %globaltimer_lo; mov.u32 %r2, %globaltimer_hi;
        mov.u32 %r4, %clock_hi; cvt.u32.u64 %r5, %l3; sub.s32 %r1, %r1, %r5; cvt.u32.u64 %r3, %l2; mad.lo.u32 %d, %r3, 0x10000, %r5;
        add.s32 %d, %d, %r2; add.s32 %d, %d, %r4;";
    let mhz = sim::config::Config::preset(PRESETS[0]).unwrap().core.clock_mhz;
    for word in run(PRESETS[0], body, &[[0; 3]; 32]) {
        let (cycle, nanoseconds) = (word >> 16, word & 0xffff);
        let later = nanoseconds - cycle * 1000 / mhz;
        assert!(cycle > 0 && later <= 1 + 4 * 1000 / mhz, "cycle {cycle}: {nanoseconds} ns");
    }
}

/// Instructions that clang and programs write in all versions of PTX from 3.2 to 7.5.
const ACCEPTED: &str = include_str!("isa.txt");

#[test]
fn instructions_of_programs_are_known() {
    for line in ACCEPTED.lines().filter(|line| !line.starts_with('#')) {
        for (version, target) in [("3.2", "sm_20"), ("4.1", "sm_35"), ("6.4", "sm_70"), ("7.5", "sm_75")] {
            let text = format!(
                ".version {version}\n.target {target}\n.address_size 64\n.global .texref tex;\n.global .surfref surf;
                .global .align 4 .samplerref sampler;\n.const .align 4 .b8 bank[8];\n.extern .shared .align 16 .b8 dynamic[];
                .visible .entry k(.param .u64 p) {{ .reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %l<9>;
                .reg .f32 %f<9>; .reg .f64 %d<9>;\n{line}\nret;\n}}\n"
            );
            let decoded = Module::parse("t.ptx", &text).and_then(|module| module.kernel("k"));
            decoded.unwrap_or_else(|error| panic!("{error}"));
        }
    }
}
