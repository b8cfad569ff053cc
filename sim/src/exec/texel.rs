//! Channels of texels: how they are stored, and what a register gets.

use super::rounded::of_half;

/// The form in which a channel is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelKind {
    Signed,
    Unsigned,
    Float,
}

/// A channel as a register gets it: an integer, or the bits of an f32.
pub fn channel(kind: ChannelKind, bits: u8, raw: u32, read_as_float: bool) -> u32 {
    let unused = 32 - u32::from(bits);
    let signed = sign_extended(raw, bits);
    let most = |sign: u32| f64::from(u32::MAX >> (unused + sign));
    match (kind, read_as_float && bits < 32) {
        (ChannelKind::Float, _) if bits == 16 => half_channel(raw),
        (ChannelKind::Float, _) | (ChannelKind::Unsigned, false) => raw,
        (ChannelKind::Signed, false) => signed as u32,
        (ChannelKind::Unsigned, true) => ((f64::from(raw) / most(0)) as f32).to_bits(),
        (ChannelKind::Signed, true) => ((f64::from(signed) / most(1)).max(-1.0) as f32).to_bits(),
    }
}

/// The bits of an f32 with the value of a half. A NaN keeps its fraction.
fn half_channel(raw: u32) -> u32 {
    let value = of_half(u64::from(raw)) as f32;
    if value.is_nan() {
        raw >> 15 << 31 | 0xFF << 23 | (raw & 0x3FF) << 13
    } else {
        value.to_bits()
    }
}

/// The signed integer in the low bits of a word.
pub fn sign_extended(word: u32, bits: u8) -> i32 {
    let unused = 32 - u32::from(bits);
    (word << unused) as i32 >> unused
}
