//! Places that the issue pins of a scheduler name: halves of a pair, members of a wave.

use super::select::select;
use crate::circuit::net::{Builder, Net};

/// A bit for each of `places`: the even half and the odd half of pair number `pair`. `even` and `odd` have names.
pub fn halves<'a>(b: &'a Builder, name: &str, even: Net<'a>, odd: Net<'a>, pair: Net<'a>, places: usize) -> Net<'a> {
    let selected = select(&format!("{name}_select"), pair, places / 2);
    let halves = b.bits(&[even, odd]).name(format!("{name}_halves"));
    let pairs: Vec<_> = (0..places).map(|place| selected.bit(place / 2)).collect();
    let pairs = b.bits(&pairs).name(format!("{name}_pairs"));
    (halves.repeat(places / 2) & pairs).name(name)
}

/// A bit for each of `places`: those of `mask`, while `valid`, in group number `group`. `mask` has a name.
pub fn members<'a>(
    b: &'a Builder,
    name: &str,
    valid: Net<'a>,
    group: Net<'a>,
    mask: Net<'a>,
    places: usize,
) -> Net<'a> {
    let lanes = mask.width();
    let selected = select(&format!("{name}_select"), group, places / lanes);
    let part = |g: usize| (valid & selected.bit(g)).repeat(lanes) & mask;
    b.bits(&(0..places / lanes).map(part).collect::<Vec<_>>()).name(name)
}
