//! The way of a set that was written longest ago (section 6.2): a bit per two ways says which of them is newer.
//!
//! After reset way 0 is the oldest, then way 1, and so on.

use crate::circuit::net::{Builder, Net};

/// Bits that order so many ways.
pub const fn order_bits(ways: usize) -> usize {
    ways * (ways - 1) / 2
}

/// Place of the bit of two ways, `low` below `high`: it is high if `low` is the newer one.
fn place(low: usize, high: usize) -> usize {
    order_bits(high) + low
}

/// The oldest of the `candidates` alone, by the bits of `order`, which has a name.
pub fn oldest<'a>(order: Net<'a>, candidates: &[Net<'a>]) -> Vec<Net<'a>> {
    let ways = candidates.len();
    let newer = |way: usize, than: usize| match way < than {
        true => order.bit(place(way, than)),
        false => !order.bit(place(than, way)),
    };
    let alone = |way: usize| {
        let none_older = |other: usize| !(candidates[other] & newer(way, other));
        (0..ways).filter(|&other| other != way).fold(candidates[way], |alone, other| alone & none_older(other))
    };
    (0..ways).map(alone).collect()
}

/// The order after way number i with `written[i]`, which have names, was written.
pub fn after<'a>(b: &'a Builder, order: Net<'a>, written: &[Net<'a>]) -> Net<'a> {
    let pairs = (0..written.len()).flat_map(|high| (0..high).map(move |low| (low, high)));
    let bit = |(low, high)| written[low] | (order.bit(place(low, high)) & !written[high]);
    b.bits(&pairs.map(bit).collect::<Vec<_>>())
}
