//! `cvt`: between integers and floating point of all widths.

use super::float_bits::{finish_f32, flush, quiet, row_f32, saturate_f64};
use super::lanes::Lanes;
use super::rounded::{half_of_int, half_row, of_half};
use crate::ptx::isa::Slot;
use crate::ptx::op::{Convert, FloatFormat, FloatModes, Operand, Rounding, Width};

impl Width {
    fn unused(self) -> u32 {
        64 - u32::from(self.bits)
    }

    /// The integer in the low bits of a row.
    #[inline(always)]
    pub fn read(self, row: u64) -> i128 {
        let top = row << self.unused();
        if self.signed {
            i128::from(top as i64 >> self.unused())
        } else {
            i128::from(top >> self.unused())
        }
    }

    /// Row of the low bits of an integer, extended to a register of `register_bits`.
    #[inline(always)]
    pub fn extend(self, value: u64, register_bits: u8) -> u64 {
        let top = value << self.unused();
        let wide = if self.signed { (top as i64 >> self.unused()) as u64 } else { top >> self.unused() };
        wide & u64::MAX >> (64 - u32::from(register_bits))
    }

    fn least(self) -> i128 {
        if self.signed {
            -(1 << (self.bits - 1))
        } else {
            0
        }
    }

    fn greatest(self) -> i128 {
        (1 << (self.bits - u8::from(self.signed))) - 1
    }

    fn clamp(self, value: i128) -> u64 {
        value.clamp(self.least(), self.greatest()) as u64
    }
}

pub fn convert(lanes: &mut Lanes, convert: Convert, dst: Slot, dst_bits: u8, a: Operand) {
    match convert {
        Convert::IntToInt { from, to, saturate: false } if !from.signed && !to.signed => {
            let keep = u64::MAX >> from.unused().max(to.unused());
            lanes.map(dst, [a], |[x]| x & keep);
        }
        Convert::IntToInt { from, to, saturate: false } => {
            lanes.map(dst, [a], |[x]| to.extend(from.extend(x, 64), dst_bits));
        }
        Convert::IntToInt { from, to, saturate: true } => {
            lanes.map(dst, [a], |[x]| to.extend(to.clamp(from.read(x)), dst_bits));
        }
        Convert::FloatToInt { from: FloatFormat::F16, to, rounding, .. } => lanes.map_each(dst, [a], |[x]| {
            let nan = if to.bits == 64 { 1 << 63 } else { 0 };
            to.extend(float_to_int(of_half(x), to, rounding, nan), dst_bits)
        }),
        Convert::FloatToInt { from: FloatFormat::F32, to, rounding, ftz } => lanes.map_each(dst, [a], |[x]| {
            let value = f32::from_bits(x as u32);
            let value = if ftz { flush(value) } else { value };
            // NaN gives 0 in 32 bits and less, else the most significant bit.
            let nan = if to.bits == 64 { 1 << 63 } else { 0 };
            to.extend(float_to_int(f64::from(value), to, rounding, nan), dst_bits)
        }),
        Convert::FloatToInt { from: FloatFormat::F64, to, rounding, .. } => lanes.map_each(dst, [a], |[x]| {
            let nan = 1 << (to.bits - 1);
            to.extend(float_to_int(f64::from_bits(x), to, rounding, nan), dst_bits)
        }),
        Convert::IntToFloat {
            from,
            to: to @ (FloatFormat::F32 | FloatFormat::F64),
            rounding: Rounding::Nearest,
            saturate: false,
        } => nearest_float(lanes, from, to == FloatFormat::F64, dst, a),
        Convert::IntToFloat { from, to: FloatFormat::F16, rounding, saturate } => lanes.map_each(dst, [a], |[x]| {
            let value = from.read(x);
            half_of_int(if saturate { value.clamp(0, 1) } else { value }, rounding)
        }),
        Convert::IntToFloat { from, to: FloatFormat::F32, rounding, saturate } => lanes.map_each(dst, [a], |[x]| {
            finish_f32(int_to_f32(from.read(x), rounding), FloatModes { saturate, ..FloatModes::default() })
        }),
        Convert::IntToFloat { from, to: FloatFormat::F64, rounding, saturate } => lanes.map_each(dst, [a], |[x]| {
            let value = int_to_f64(from.read(x), rounding);
            if saturate { saturate_f64(value) } else { value }.to_bits()
        }),
        Convert::FloatToFloat { from, to, integral, rounding, modes } => {
            lanes.map_each(dst, [a], |[x]| float_to_float(x, from, to, integral, rounding, modes));
        }
    }
}

/// The frequent conversions, without 128-bit integers.
fn nearest_float(lanes: &mut Lanes, from: Width, double: bool, dst: Slot, a: Operand) {
    let signed = |x| from.extend(x, 64) as i64;
    let unsigned = |x| from.extend(x, 64);
    match (from.signed, double) {
        (true, false) => lanes.map(dst, [a], |[x]| u64::from((signed(x) as f32).to_bits())),
        (true, true) => lanes.map(dst, [a], |[x]| (signed(x) as f64).to_bits()),
        (false, false) => lanes.map(dst, [a], |[x]| u64::from((unsigned(x) as f32).to_bits())),
        (false, true) => lanes.map(dst, [a], |[x]| (unsigned(x) as f64).to_bits()),
    }
}

fn round_f64(value: f64, rounding: Rounding) -> f64 {
    match rounding {
        Rounding::Nearest => value.round_ties_even(),
        Rounding::Zero => value.trunc(),
        Rounding::Down => value.floor(),
        Rounding::Up => value.ceil(),
    }
}

fn float_to_int(value: f64, to: Width, rounding: Rounding, nan: u64) -> u64 {
    if value.is_nan() {
        return nan;
    }
    // Rust's conversion saturates too.
    let rounded = if rounding == Rounding::Zero { value } else { round_f64(value, rounding) };
    if to.signed {
        (rounded as i64).clamp(i64::MIN >> to.unused(), i64::MAX >> to.unused()) as u64
    } else {
        (rounded as u64).min(u64::MAX >> to.unused())
    }
}

/// Moves a value rounded to nearest to its neighbour if it lies on the wrong side of the exact one.
fn towards<T>(
    nearest: T,
    error: std::cmp::Ordering,
    negative: bool,
    rounding: Rounding,
    down: fn(T) -> T,
    up: fn(T) -> T,
) -> T {
    use std::cmp::Ordering::{Greater, Less};
    let rounding = match (rounding, negative) {
        (Rounding::Zero, false) => Rounding::Down,
        (Rounding::Zero, true) => Rounding::Up,
        (rounding, _) => rounding,
    };
    match (rounding, error) {
        (Rounding::Down, Greater) => down(nearest),
        (Rounding::Up, Less) => up(nearest),
        _ => nearest,
    }
}

fn int_to_f32(value: i128, rounding: Rounding) -> f32 {
    let nearest = value as f32;
    towards(nearest, (nearest as i128).cmp(&value), value < 0, rounding, f32::next_down, f32::next_up)
}

fn int_to_f64(value: i128, rounding: Rounding) -> f64 {
    let nearest = value as f64;
    towards(nearest, (nearest as i128).cmp(&value), value < 0, rounding, f64::next_down, f64::next_up)
}

fn f64_to_f32(value: f64, rounding: Rounding) -> f32 {
    let nearest = value as f32;
    match f64::from(nearest).partial_cmp(&value) {
        Some(error) if value.is_finite() => {
            towards(nearest, error, value.is_sign_negative(), rounding, f32::next_down, f32::next_up)
        }
        _ => nearest,
    }
}

fn float_to_float(
    row: u64,
    from: FloatFormat,
    to: FloatFormat,
    integral: Option<Rounding>,
    rounding: Rounding,
    modes: FloatModes,
) -> u64 {
    let value = match from {
        FloatFormat::F16 => of_half(row),
        // To a half even a subnormal number can round to one that is not zero.
        FloatFormat::F32 if modes.ftz && to != FloatFormat::F16 => f64::from(flush(f32::from_bits(row as u32))),
        FloatFormat::F32 => f64::from(f32::from_bits(row as u32)),
        FloatFormat::F64 => f64::from_bits(row),
    };
    let is_of_f64 = from == FloatFormat::F64 || to == FloatFormat::F64;
    if value.is_nan() && is_of_f64 && !modes.saturate {
        return converted_nan(row, from, to, modes.ftz);
    }
    let value = integral.map_or(value, |integral| round_f64(value, integral));
    match to {
        FloatFormat::F16 => half_row(if modes.saturate { saturate_f64(value) } else { value }, rounding),
        FloatFormat::F32 => finish_f32(f64_to_f32(value, rounding), modes),
        FloatFormat::F64 if modes.saturate => saturate_f64(value).to_bits(),
        FloatFormat::F64 => value.to_bits(),
    }
}

/// A NaN that is converted to or from f64 keeps its sign and the upper bits of its fraction. All others have one form.
fn converted_nan(row: u64, from: FloatFormat, to: FloatFormat, ftz: bool) -> u64 {
    let wide = quiet(match from {
        FloatFormat::F16 => widened(row, 5, 10),
        FloatFormat::F32 if ftz => widened(row_f32(f32::NAN), 8, 23),
        FloatFormat::F32 => widened(row, 8, 23),
        FloatFormat::F64 => row,
    });
    match to {
        FloatFormat::F16 => narrowed(wide, 5, 10),
        FloatFormat::F32 => narrowed(wide, 8, 23),
        FloatFormat::F64 => wide,
    }
}

/// The bits of an f64 with the sign and the fraction of a NaN whose exponent and fraction have so many bits.
fn widened(nan: u64, exponent: u32, fraction: u32) -> u64 {
    (nan >> (exponent + fraction) & 1) << 63 | 0x7FF << 52 | (nan & ((1 << fraction) - 1)) << (52 - fraction)
}

/// The other way round.
fn narrowed(nan: u64, exponent: u32, fraction: u32) -> u64 {
    let exponents = (1 << exponent) - 1;
    nan >> 63 << (exponent + fraction) | exponents << fraction | nan >> (52 - fraction) & ((1 << fraction) - 1)
}
