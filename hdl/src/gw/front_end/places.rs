//! Places of a scheduler as vectors: a bit for each place, or for each pair.

use crate::circuit::net::{Builder, Net};

/// The places of `pairs` (a bit per pair, with a name): even halves while `even`, odd ones while `odd`.
pub fn places_of<'a>(b: &'a Builder, name: &str, pairs: Net<'a>, even: Net<'a>, odd: Net<'a>) -> Net<'a> {
    let halves = b.bits(&[even, odd]).name(format!("{name}_halves")).repeat(pairs.width());
    (both_places(b, pairs) & halves).name(name)
}

/// Both places of each of `pairs`, which have a name.
pub fn both_places<'a>(b: &'a Builder, pairs: Net<'a>) -> Net<'a> {
    b.bits(&(0..2 * pairs.width()).map(|place| pairs.bit(place / 2)).collect::<Vec<_>>())
}

/// The bits of the even halves, or of the odd ones; `places` have a name.
pub fn halves<'a>(b: &'a Builder, places: Net<'a>, odd: usize) -> Net<'a> {
    b.bits(&every_other(&places.each(), odd))
}

/// The entries of the even places, or of the odd ones.
pub fn every_other<T: Copy>(of_places: &[T], odd: usize) -> Vec<T> {
    of_places.iter().skip(odd).step_by(2).copied().collect()
}

/// The bit in `places` (with a name) of one half of the only pair in `pairs` (with a name).
pub fn of_pair<'a>(b: &'a Builder, pairs: Net<'a>, places: Net<'a>, odd: usize) -> Net<'a> {
    (pairs & halves(b, places, odd)).any()
}

/// The entry, of one per place, of one half of the only pair in `pairs` (with a name).
pub fn data_of_pair<'a>(b: &'a Builder, pairs: Net<'a>, of_places: &[Net<'a>], odd: usize) -> Net<'a> {
    b.one_of(&pairs.each(), &every_other(of_places, odd))
}

/// A bit for each place at which `of_places` equals `value`.
pub fn equal_to<'a>(b: &'a Builder, of_places: &[Net<'a>], value: Net<'a>) -> Net<'a> {
    b.bits(&of_places.iter().map(|&each| each.equals(value)).collect::<Vec<_>>())
}
