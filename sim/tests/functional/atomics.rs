//! Every atomic of PTX, in global and in shared memory, against what its definition makes of the operands.

use proptest::prelude::*;

use super::lane::{f32_of, f32s, f64s, ints, row, run_on, Row};

/// The word after an atomic on memory that held `old`.
type Definition = fn(old: u64, a: u64, b: u64) -> u64;

const INTEGER: &[(&str, u32, Definition)] = &[
    ("add.u32", 4, |old, a, _| (old as u32).wrapping_add(a as u32).into()),
    ("add.s32", 4, |old, a, _| (old as u32).wrapping_add(a as u32).into()),
    ("add.u64", 8, |old, a, _| old.wrapping_add(a)),
    ("min.u32", 4, |old, a, _| (old as u32).min(a as u32).into()),
    ("max.u32", 4, |old, a, _| (old as u32).max(a as u32).into()),
    ("min.s32", 4, |old, a, _| (old as i32).min(a as i32) as u32 as u64),
    ("max.s32", 4, |old, a, _| (old as i32).max(a as i32) as u32 as u64),
    ("min.u64", 8, |old, a, _| old.min(a)),
    ("max.u64", 8, |old, a, _| old.max(a)),
    ("min.s64", 8, |old, a, _| (old as i64).min(a as i64) as u64),
    ("max.s64", 8, |old, a, _| (old as i64).max(a as i64) as u64),
    ("and.b32", 4, |old, a, _| old & a),
    ("or.b32", 4, |old, a, _| old | a),
    ("xor.b32", 4, |old, a, _| old ^ a),
    ("and.b64", 8, |old, a, _| old & a),
    ("or.b64", 8, |old, a, _| old | a),
    ("xor.b64", 8, |old, a, _| old ^ a),
    ("exch.b32", 4, |_, a, _| a),
    ("exch.b64", 8, |_, a, _| a),
    ("cas.b32", 4, |old, a, b| if old == a { b } else { old }),
    ("cas.b64", 8, |old, a, b| if old == a { b } else { old }),
    ("inc.u32", 4, |old, a, _| if old >= a { 0 } else { old + 1 }),
    ("dec.u32", 4, |old, a, _| if old == 0 || old > a { a } else { old - 1 }),
];

const FLOAT: &[(&str, u32, Definition)] = &[("add.f32", 4, |old, a, _| row(f32_of(old) + f32_of(a)))];

/// In global memory subnormal numbers are zeros of their sign.
const FLUSHED: &[(&str, u32, Definition)] =
    &[("add.f32", 4, |old, a, _| row(flushed(flushed(f32_of(old)) + flushed(f32_of(a)))))];

fn flushed(value: f32) -> f32 {
    if value.is_subnormal() {
        0f32.copysign(value)
    } else {
        value
    }
}

const DOUBLE: &[(&str, u32, Definition)] =
    &[("add.f64", 8, |old, a, _| (f64::from_bits(old) + f64::from_bits(a)).to_bits())];

const BOTH: &[&str] = &["global", "shared"];

/// Each lane does the atomic on a word of its own. Gives what it found and what it left.
fn run(space: &str, name: &str, bytes: u32, [old, a, b]: [Row; 3]) -> [Row; 2] {
    let cas = name.starts_with("cas");
    let reduction = !cas && !name.starts_with("exch");
    let bits = 8 * bytes;
    let swap = if cas { ", %b" } else { "" };
    // The reduction form is used for every second lane, where there is one.
    let red = if reduction {
        format!("@%p red.{space}.{name} [%s], %a; @%p mov.b{bits} %d, %old; @!%p ")
    } else {
        String::new()
    };
    let text = format!(
        ".visible .entry k(.param .u64 x)\n{{ .shared .align 8 .b8 words[256]; .reg .b64 %at, %s; .reg .b32 %t; .reg .b{bits} %a, %b, %d, %old; .reg .pred %p;
        ld.param.u64 %at, [x]; mov.u32 %t, %tid.x; mad.wide.u32 %at, %t, 8, %at;
        ld.global.b{bits} %old, [%at]; ld.global.b{bits} %a, [%at+256]; ld.global.b{bits} %b, [%at+512];
        {} st.{space}.b{bits} [%s], %old; and.b32 %t, %t, 1; setp.eq.u32 %p, %t, 1;
        {red} atom.{space}.{name} %d, [%s], %a{swap};
        ld.{space}.b{bits} %old, [%s]; st.global.b{bits} [%at+768], %d; st.global.b{bits} [%at], %old; ret; }}",
        if space == "shared" { "mov.u64 %s, words; mad.wide.u32 %s, %t, 8, %s;" } else { "mov.u64 %s, %at;" },
    );
    let rows = run_on(&text, &[old, a, b, [0; 32]]);
    let mask = u64::MAX >> (64 - bits);
    [rows[3], rows[0]].map(|row| row.map(|v| v & mask))
}

fn all(spaces: &[&str], operations: &[(&str, u32, Definition)], rows: [Row; 3]) -> Result<(), TestCaseError> {
    for (name, bytes, definition) in operations {
        let mask = u64::MAX >> (64 - 8 * bytes);
        let mut rows = rows.map(|row| row.map(|v| v & mask));
        // Half of the comparisons succeed.
        (0..32).step_by(2).filter(|_| name.starts_with("cas")).for_each(|lane| rows[1][lane] = rows[0][lane]);
        for space in spaces {
            let [found, left] = run(space, name, *bytes, rows);
            for lane in 0..32 {
                let [old, a, b] = rows.map(|row| row[lane]);
                prop_assert_eq!(found[lane], old, "{}.{}", space, name);
                let expected = definition(old, a, b);
                let nan =
                    name.ends_with("f64") && f64::from_bits(expected).is_nan() && f64::from_bits(left[lane]).is_nan();
                let left = left[lane];
                prop_assert!(nan || left == expected, "{space}.{name} of {old:#x} and {a:#x}: {left:#x}");
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn integers(old in ints(), a in ints(), b in ints()) {
        all(BOTH, INTEGER, [old, a, b])?;
    }

    #[test]
    fn floats(old in f32s(), a in f32s()) {
        all(&["shared"], FLOAT, [old, a, a])?;
        all(&["global"], FLUSHED, [old, a, a])?;
    }

    #[test]
    fn doubles(old in f64s(), a in f64s()) {
        all(BOTH, DOUBLE, [old, a, a])?;
    }
}
