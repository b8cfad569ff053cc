//! Runs a few instructions in one warp, with inputs and a result for each lane.

use proptest::prelude::*;
use sim::exec::Memory;

use super::runner::{parse, Launch};

pub type Row = [u64; 32];

/// The registers of the inputs.
const INPUTS: [&str; 4] = ["%a", "%b", "%c", "%e"];

/// Runs `body` with the registers `%a`, `%b`, `%c` (types and values given) and gives what it leaves in `%d`.
/// It may also use `%p0` to `%p3`, `%r0` to `%r9`, `%h0` to `%h9`, `%l0` to `%l9`.
pub fn run(body: &str, result: &str, inputs: &[(&str, Row)]) -> Row {
    let mut text = String::from(".version 3.2\n.target sm_35\n.address_size 64\n.visible .entry k(.param .u64 x)\n{\n");
    text += ".reg .b64 %at, %l<10>; .reg .b32 %lane, %r<10>; .reg .b16 %h<10>; .reg .pred %p<4>;\n";
    text += &format!(".reg .{result} %d;\n");
    text += "ld.param.u64 %at, [x];\nmov.u32 %lane, %tid.x;\nmad.wide.u32 %at, %lane, 8, %at;\n";
    for (i, (ty, _)) in inputs.iter().enumerate() {
        text += &format!(".reg .{ty} {0};\nld.global.{ty} {0}, [%at+{1}];\n", INPUTS[i], 256 * (i + 1));
    }
    text += body;
    text += &format!("\nst.global.{result} [%at], %d;\nret;\n}}\n");

    let before: Vec<Row> = std::iter::once([0; 32]).chain(inputs.iter().map(|(_, row)| *row)).collect();
    run_on(&text, &before)[0]
}

/// Runs `op %d, %a, ...` with operands of these types and values.
pub fn run_op(op: &str, result: &str, inputs: &[(&str, Row)]) -> Row {
    let operands = INPUTS[..inputs.len()].join(", ");
    run(&format!("{op} %d, {operands};"), result, inputs)
}

/// Runs the kernel `(u64 rows)` of a text in one warp and gives what becomes of the rows.
pub fn run_on(text: &str, rows: &[Row]) -> Vec<Row> {
    let (_, program) = parse(text);
    let mut memory = Memory::new();
    let bytes: Vec<u8> = rows.as_flattened().iter().flat_map(|v| v.to_le_bytes()).collect();
    let buffer = memory.alloc(bytes.len() as u64);
    memory.write(buffer, &bytes).unwrap();
    let params = buffer.to_le_bytes().to_vec();
    let launch = Launch { program: &program, grid: [1; 3], block: [32, 1, 1], params, dynamic_shared_bytes: 0 };
    launch.run(&mut memory).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap());
    let row = |bytes: &[u8]| std::array::from_fn(|lane| word(&bytes[8 * lane..8 * lane + 8]));
    memory.bytes(buffer, bytes.len()).unwrap().chunks(256).map(row).collect()
}

/// Result of lane 0 of [`run`] with the same values in all lanes.
pub fn run_once(body: &str, result: &str, inputs: &[(&str, u64)]) -> u64 {
    let rows: Vec<_> = inputs.iter().map(|(ty, value)| (*ty, [*value; 32])).collect();
    run(body, result, &rows)[0]
}

/// 32 values, among them those at which arithmetic turns. In a box: 32 trees of such would fill the stack of a test several times over.
pub fn ints() -> impl Strategy<Value = Row> {
    let edges = vec![
        0,
        1,
        2,
        31,
        32,
        33,
        63,
        64,
        0x7F,
        0x80,
        0xFF,
        0x7FFF,
        0x8000,
        0xFFFF,
        0x7FFF_FFFF,
        0x8000_0000,
        0xFFFF_FFFF,
        0x1_0000_0000,
        u64::MAX >> 1,
        1 << 63,
        u64::MAX,
    ];
    prop::array::uniform32(prop_oneof![prop::sample::select(edges), any::<u64>(), 0..300u64]).boxed()
}

fn f32_bits() -> impl Strategy<Value = u64> {
    let edges = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        1.5,
        2.5,
        f32::MAX,
        f32::MIN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        f32::MIN_POSITIVE,
        f32::EPSILON,
        1e-45,
        -1e-45,
        2147483648.0,
        4294967296.0,
    ];
    let edges: Vec<u64> = edges.iter().map(|x: &f32| u64::from(x.to_bits())).collect();
    // Random mantissas with near exponents make additions interesting.
    let near = (any::<u32>(), 120..136u32).prop_map(|(m, e)| u64::from(m & 0x807F_FFFF | e << 23));
    prop_oneof![prop::sample::select(edges), any::<u32>().prop_map(u64::from), near]
}

pub fn f32s() -> impl Strategy<Value = Row> {
    prop::array::uniform32(f32_bits()).boxed()
}

pub fn f64s() -> impl Strategy<Value = Row> {
    let edges = [
        0.0,
        -0.0,
        1.0,
        -2.5,
        f64::MAX,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        f64::MIN_POSITIVE,
        5e-324,
        9.3e18,
        -2147483649.0,
        1.0 + f32::EPSILON as f64 / 2.0,
    ];
    let edges: Vec<u64> = edges.iter().map(|x: &f64| x.to_bits()).collect();
    let near = (any::<u64>(), 1000..1080u64).prop_map(|(m, e)| m & 0x800F_FFFF_FFFF_FFFF | e << 52);
    prop::array::uniform32(prop_oneof![prop::sample::select(edges), any::<u64>(), near]).boxed()
}

pub const NAN_F32: u64 = 0x7FFF_FFFF;

/// A result of 32 bits; every NaN is the canonical one.
pub fn row(value: f32) -> u64 {
    if value.is_nan() {
        NAN_F32
    } else {
        u64::from(value.to_bits())
    }
}

pub fn f32_of(row: u64) -> f32 {
    f32::from_bits(row as u32)
}

/// Compares lane by lane; `what` is the instruction.
pub fn check(what: &str, found: Row, expected: impl Fn(usize) -> u64) -> Result<(), TestCaseError> {
    for (lane, found) in found.into_iter().enumerate() {
        let expected = expected(lane);
        prop_assert!(found == expected, "{}, lane {}: {:#x} instead of {:#x}", what, lane, found, expected);
    }
    Ok(())
}

/// A lane's expected value.
pub type Expected<'a> = &'a dyn Fn(usize) -> u64;

/// Checks [`run_op`].
pub fn check_op(op: &str, result: &str, inputs: &[(&str, Row)], expected: Expected) -> Result<(), TestCaseError> {
    check(op, run_op(op, result, inputs), expected)
}
