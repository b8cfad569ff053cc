//! The fused operation in single precision.

/// `a * b + c`, rounded once.
///
/// Unlike the library's function this is branch-free, and unlike the processor's instruction it is everywhere.
#[inline(always)]
pub fn fma_f32(a: f32, b: f32, c: f32) -> f32 {
    fma_to_odd(a, b, c) as f32
}

/// `a * b + c` in f64, from which every rounding to f32 is right.
///
/// The product of two f32 is exact in f64; the sum is rounded to odd there.
#[inline(always)]
pub fn fma_to_odd(a: f32, b: f32, c: f32) -> f64 {
    let (product, addend) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + addend;
    // The error of the sum, exact (Knuth's two-sum).
    let rest = sum - product;
    let error = (product - (sum - rest)) + (addend - rest);
    let bits = sum.to_bits();
    let towards_zero = (error < 0.0) == (sum > 0.0);
    let inexact_and_even = error != 0.0 && bits & 1 == 0 && sum.is_finite();
    let odd = if towards_zero { bits.wrapping_sub(1) } else { bits.wrapping_add(1) };
    f64::from_bits(if inexact_and_even { odd } else { bits })
}
