//! Integer arithmetic, logic and bit fields.

use super::lanes::Lanes;
use crate::ptx::isa::Slot;
use crate::ptx::op::{CarryOp, DotProduct, IntOp, IntType, IntUnaryOp, Operand, Product};

/// An integer type of registers. Rows hold values zero-extended.
pub trait Int: Copy + Ord {
    const BITS: u32;
    const SIGNED: bool;
    fn of(row: u64) -> Self;
    fn row(self) -> u64;
    fn add(self, b: Self) -> Self;
    fn sub(self, b: Self) -> Self;
    fn mul(self, b: Self) -> Self;
    fn mul_high(self, b: Self) -> Self;
    /// The whole product of types up to 32 bits, zero-extended from twice the width.
    fn mul_wide(self, b: Self) -> u64;
    fn div(self, b: Self) -> Self;
    fn rem(self, b: Self) -> Self;
    fn neg(self) -> Self;
    fn abs(self) -> Self;
    fn shl(self, count: u32) -> Self;
    fn shr(self, count: u32) -> Self;
    fn add_saturated(self, b: Self) -> Self;
    fn sub_saturated(self, b: Self) -> Self;
    /// The product of the low 24 bits, as signed or unsigned numbers.
    fn mul_24(self, b: Self) -> u64;
}

macro_rules! int {
    ($type:ty, $unsigned:ty, $wide:ty, $wide_unsigned:ty, $signed:expr, $abs:expr) => {
        impl Int for $type {
            const BITS: u32 = <$type>::BITS;
            const SIGNED: bool = $signed;
            #[inline(always)]
            fn of(row: u64) -> Self {
                row as $type
            }
            #[inline(always)]
            fn row(self) -> u64 {
                self as $unsigned as u64
            }
            #[inline(always)]
            fn add(self, b: Self) -> Self {
                self.wrapping_add(b)
            }
            #[inline(always)]
            fn sub(self, b: Self) -> Self {
                self.wrapping_sub(b)
            }
            #[inline(always)]
            fn mul(self, b: Self) -> Self {
                self.wrapping_mul(b)
            }
            #[inline(always)]
            fn mul_high(self, b: Self) -> Self {
                ((self as $wide * b as $wide) >> <$type>::BITS) as $type
            }
            #[inline(always)]
            fn mul_wide(self, b: Self) -> u64 {
                (self as $wide * b as $wide) as $wide_unsigned as u64
            }
            /// By zero: all ones.
            #[inline(always)]
            fn div(self, b: Self) -> Self {
                if b == 0 {
                    !0
                } else {
                    self.wrapping_div(b)
                }
            }
            /// By zero: all ones, as the hardware's instruction sequence gives.
            #[inline(always)]
            fn rem(self, b: Self) -> Self {
                if b == 0 {
                    !0
                } else {
                    self.wrapping_rem(b)
                }
            }
            #[inline(always)]
            fn neg(self) -> Self {
                self.wrapping_neg()
            }
            #[inline(always)]
            fn abs(self) -> Self {
                $abs(self)
            }
            #[inline(always)]
            fn shl(self, count: u32) -> Self {
                if count < <$type>::BITS {
                    self << count
                } else {
                    0
                }
            }
            #[inline(always)]
            fn shr(self, count: u32) -> Self {
                // A signed shift by all but one bits leaves the sign everywhere, as any longer one does.
                if $signed {
                    self >> count.min(<$type>::BITS - 1)
                } else if count < <$type>::BITS {
                    self >> count
                } else {
                    0
                }
            }
            #[inline(always)]
            fn add_saturated(self, b: Self) -> Self {
                self.saturating_add(b)
            }
            #[inline(always)]
            fn sub_saturated(self, b: Self) -> Self {
                self.saturating_sub(b)
            }
            #[inline(always)]
            fn mul_24(self, b: Self) -> u64 {
                let low = |x: Self| if $signed { ((x as i64) << 40) >> 40 } else { x as i64 & 0xFF_FFFF };
                low(self).wrapping_mul(low(b)) as u64
            }
        }
    };
}

int!(u16, u16, u32, u32, false, std::convert::identity);
int!(i16, u16, i32, u32, true, i16::wrapping_abs);
int!(u32, u32, u64, u64, false, std::convert::identity);
int!(i32, u32, i64, u64, true, i32::wrapping_abs);
int!(u64, u64, u128, u128, false, std::convert::identity);
int!(i64, u64, i128, u128, true, i64::wrapping_abs);

/// Runs `$body` with `$T` as the Rust type that `$ty` names.
macro_rules! with_int {
    ($ty:expr, $T:ident => $body:expr) => {
        match $ty {
            IntType::U16 => {
                type $T = u16;
                $body
            }
            IntType::S16 => {
                type $T = i16;
                $body
            }
            IntType::U32 => {
                type $T = u32;
                $body
            }
            IntType::S32 => {
                type $T = i32;
                $body
            }
            IntType::U64 => {
                type $T = u64;
                $body
            }
            IntType::S64 => {
                type $T = i64;
                $body
            }
        }
    };
}
pub(super) use with_int;

pub fn binary(lanes: &mut Lanes, op: IntOp, ty: IntType, dst: Slot, a: Operand, b: Operand) {
    with_int!(ty, T => typed_binary::<T>(lanes, op, dst, [a, b]))
}

fn typed_binary<T: Int>(lanes: &mut Lanes, op: IntOp, dst: Slot, operands: [Operand; 2]) {
    macro_rules! each {
        ($map:ident, $f:expr) => {
            lanes.$map(dst, operands, |[a, b]| $f(T::of(a), T::of(b)).row())
        };
    }
    match op {
        IntOp::Add => each!(map, T::add),
        IntOp::Sub => each!(map, T::sub),
        IntOp::MulLo => each!(map, T::mul),
        IntOp::MulHi => each!(map, T::mul_high),
        IntOp::Div => each!(map_each, T::div),
        IntOp::Rem => each!(map_each, T::rem),
        IntOp::Min => each!(map, T::min),
        IntOp::Max => each!(map, T::max),
        IntOp::AddSaturated => each!(map, T::add_saturated),
        IntOp::SubSaturated => each!(map, T::sub_saturated),
        IntOp::Mul24Lo => lanes.map(dst, operands, |[a, b]| u64::from(T::of(a).mul_24(T::of(b)) as u32)),
        IntOp::Mul24Hi => lanes.map(dst, operands, |[a, b]| u64::from((T::of(a).mul_24(T::of(b)) >> 16) as u32)),
        // Rows are zero-extended, so that logic needs no type.
        IntOp::And => lanes.map(dst, operands, |[a, b]| a & b),
        IntOp::Or => lanes.map(dst, operands, |[a, b]| a | b),
        IntOp::Xor => lanes.map(dst, operands, |[a, b]| a ^ b),
        IntOp::Shl => lanes.map(dst, operands, |[a, b]| T::of(a).shl(b as u32).row()),
        IntOp::Shr => lanes.map(dst, operands, |[a, b]| T::of(a).shr(b as u32).row()),
    }
}

pub fn unary(lanes: &mut Lanes, op: IntUnaryOp, ty: IntType, dst: Slot, a: Operand) {
    with_int!(ty, T => typed_unary::<T>(lanes, op, dst, [a]))
}

fn typed_unary<T: Int>(lanes: &mut Lanes, op: IntUnaryOp, dst: Slot, a: [Operand; 1]) {
    let unused = 64 - T::BITS;
    match op {
        IntUnaryOp::Neg => lanes.map(dst, a, |[a]| T::of(a).neg().row()),
        IntUnaryOp::Abs => lanes.map(dst, a, |[a]| T::of(a).abs().row()),
        IntUnaryOp::Not => lanes.map(dst, a, |[a]| T::of(!a).row()),
        IntUnaryOp::LogicalNot => lanes.map(dst, a, |[a]| u64::from(a == 0)),
        IntUnaryOp::Popc => lanes.map(dst, a, |[a]| u64::from(a.count_ones())),
        IntUnaryOp::Clz => lanes.map(dst, a, |[a]| u64::from(a.leading_zeros() - unused)),
        IntUnaryOp::Brev => lanes.map(dst, a, |[a]| a.reverse_bits() >> unused),
        IntUnaryOp::Bfind => lanes.map(dst, a, |[a]| u64::from(find::<T>(a).unwrap_or(u32::MAX))),
        IntUnaryOp::BfindShift => {
            lanes.map(dst, a, |[a]| u64::from(find::<T>(a).map_or(u32::MAX, |bit| T::BITS - 1 - bit)))
        }
    }
}

/// Position of the most significant bit that is not a copy of the sign (0 for unsigned types).
fn find<T: Int>(row: u64) -> Option<u32> {
    let negative = T::SIGNED && row >> (T::BITS - 1) & 1 == 1;
    let bits = if negative { T::of(!row).row() } else { row };
    bits.checked_ilog2()
}

pub fn mul_wide(lanes: &mut Lanes, ty: IntType, dst: Slot, a: Operand, b: Operand) {
    with_int!(ty, T => lanes.map(dst, [a, b], |[a, b]| T::of(a).mul_wide(T::of(b))))
}

pub fn mad(lanes: &mut Lanes, product: Product, ty: IntType, dst: Slot, operands: [Operand; 3]) {
    with_int!(ty, T => match product {
        Product::Lo => lanes.map(dst, operands, |[a, b, c]| T::of(a).mul(T::of(b)).add(T::of(c)).row()),
        Product::Hi => lanes.map(dst, operands, |[a, b, c]| T::of(a).mul_high(T::of(b)).add(T::of(c)).row()),
        Product::Wide if T::BITS == 16 => lanes.map(dst, operands, |[a, b, c]| {
            u64::from((T::of(a).mul_wide(T::of(b)) as u32).wrapping_add(c as u32))
        }),
        Product::Wide => lanes.map(dst, operands, |[a, b, c]| T::of(a).mul_wide(T::of(b)).wrapping_add(c)),
        Product::Lo24 => lanes.map(dst, operands, |[a, b, c]| {
            u64::from((T::of(a).mul_24(T::of(b)) as u32).wrapping_add(c as u32))
        }),
        Product::Hi24 => lanes.map(dst, operands, |[a, b, c]| {
            u64::from(((T::of(a).mul_24(T::of(b)) >> 16) as u32).wrapping_add(c as u32))
        }),
    })
}

/// Arithmetic with a carry, which is a predicate register. Signed and unsigned differ in the upper half of a product alone.
pub fn carry(
    lanes: &mut Lanes,
    op: CarryOp,
    ty: IntType,
    dst: Slot,
    operands: [Operand; 3],
    (carry_in, carry_out): (Option<Slot>, Option<Slot>),
) {
    let none = if op == CarryOp::Sub { u32::MAX } else { 0 };
    let ins = carry_in.map_or(none, |slot| lanes.regs.predicate(slot));
    let [a, b, c] = operands.map(|operand| *lanes.row(operand));
    let (values, out) = with_int!(ty, T => {
        let result = |lane: usize| add_carry::<T>(op, a[lane], b[lane], c[lane], ins >> lane & 1 == 1);
        (std::array::from_fn(|lane| result(lane).0), lanes.mask_of(|lane| result(lane).1))
    });
    lanes.write(dst, &values);
    if let Some(slot) = carry_out {
        lanes.write_predicate(slot, out);
    }
}

/// The result and the carry out of its width. A difference is the sum with the complement: its carry says that nothing is borrowed.
fn add_carry<T: Int>(op: CarryOp, a: u64, b: u64, c: u64, carry: bool) -> (u64, bool) {
    let (x, y) = match op {
        CarryOp::Add | CarryOp::Sub => (a, b),
        CarryOp::MadLo => (T::of(a).mul(T::of(b)).row(), c),
        CarryOp::MadHi => (T::of(a).mul_high(T::of(b)).row(), c),
    };
    let y = if op == CarryOp::Sub { T::of(!y).row() } else { y };
    let wide = u128::from(x) + u128::from(y) + u128::from(carry);
    (T::of(wide as u64).row(), wide >> T::BITS & 1 == 1)
}

pub fn sad(lanes: &mut Lanes, ty: IntType, dst: Slot, operands: [Operand; 3]) {
    with_int!(ty, T => lanes.map(dst, operands, |[a, b, c]| {
        let (a, b) = (T::of(a), T::of(b));
        T::of(c).add(a.max(b).sub(a.min(b))).row()
    }))
}

/// `bfe`: bits past the end of `a` are copies of the sign of the field (of `a`, if the field ends beyond it).
pub fn extract(lanes: &mut Lanes, ty: IntType, dst: Slot, operands: [Operand; 3]) {
    with_int!(ty, T => lanes.map(dst, operands, |[a, b, c]| extract_bits::<T>(a, b as u32 & 0xFF, c as u32 & 0xFF)))
}

fn extract_bits<T: Int>(a: u64, from: u32, length: u32) -> u64 {
    let top = T::BITS - 1;
    let sign_bit = (from + length).saturating_sub(1).min(top);
    let sign = T::SIGNED && length > 0 && a >> sign_bit & 1 == 1;
    let field = a.checked_shr(from).unwrap_or(0);
    let bits = length.min(T::BITS.saturating_sub(from));
    let keep = low_bits(bits);
    T::of(if sign { field | !keep } else { field & keep }).row()
}

fn low_bits(count: u32) -> u64 {
    u64::MAX.checked_shr(64 - count).unwrap_or(0)
}

/// `bfi`
pub fn insert(lanes: &mut Lanes, ty: IntType, dst: Slot, operands: [Operand; 4]) {
    with_int!(ty, T => lanes.map(dst, operands, |[a, b, c, d]| {
        let (to, length) = (c as u32 & 0xFF, d as u32 & 0xFF);
        let bits = length.min(T::BITS.saturating_sub(to));
        let keep = low_bits(bits).checked_shl(to).unwrap_or(0);
        (b & !keep) | (a.checked_shl(to).unwrap_or(0) & keep)
    }))
}

/// `prmt`; in the modes with a table the low two bits of `c` choose from it.
pub fn permute(lanes: &mut Lanes, table: Option<[u16; 4]>, dst: Slot, operands: [Operand; 3]) {
    lanes.map(dst, operands, |[a, b, c]| {
        let selectors = table.map_or(c, |table| u64::from(table[c as usize & 3]));
        let bytes = (b << 32 | a).to_le_bytes();
        let mut out = [0; 4];
        for (i, byte) in out.iter_mut().enumerate() {
            let selector = selectors >> (4 * i) & 0xF;
            let chosen = bytes[selector as usize & 7];
            *byte = if selector & 8 == 0 { chosen } else { (chosen as i8 >> 7) as u8 };
        }
        u64::from(u32::from_le_bytes(out))
    })
}

/// `shf`: the upper (left) or lower (right) word of `{b, a}` shifted by `c`.
pub fn funnel(lanes: &mut Lanes, left: bool, wrap: bool, dst: Slot, operands: [Operand; 3]) {
    lanes.map(dst, operands, |[a, b, c]| {
        let count = if wrap { c as u32 & 31 } else { (c as u32).min(32) };
        let both = b << 32 | a;
        let shifted = if left { both << count >> 32 } else { both >> count };
        u64::from(shifted as u32)
    })
}

/// `lop3`: bit `4a + 2b + c` of the table, for each bit of the operands.
pub fn logic_of_three(lanes: &mut Lanes, table: u8, dst: Slot, operands: [Operand; 3]) {
    lanes.map(dst, operands, |[a, b, c]| {
        let mut out = 0;
        for row in 0..8 {
            let side = |x: u64, bit: u32| if row >> bit & 1 == 1 { x } else { !x };
            let matches = side(a, 2) & side(b, 1) & side(c, 0);
            out |= if table >> row & 1 == 1 { matches } else { 0 };
        }
        out & 0xFFFF_FFFF
    });
}

/// `dp4a` and `dp2a`
pub fn dot(lanes: &mut Lanes, dot: &DotProduct) {
    let part = |x: u64, index: u32, bits: u32, signed: bool| {
        let top = (x as u32) >> (index * bits) << (32 - bits);
        if signed {
            i64::from(top as i32 >> (32 - bits))
        } else {
            i64::from(top >> (32 - bits))
        }
    };
    let [signed_a, signed_b] = dot.signed;
    lanes.map(dot.dst, [dot.a, dot.b, dot.c], |[a, b, c]| {
        let products: i64 = match dot.high {
            None => (0..4).map(|i| part(a, i, 8, signed_a) * part(b, i, 8, signed_b)).sum(),
            Some(high) => {
                let first = if high { 2 } else { 0 };
                (0..2).map(|i| part(a, i, 16, signed_a) * part(b, first + i, 8, signed_b)).sum()
            }
        };
        u64::from((c as u32).wrapping_add(products as u32))
    });
}
