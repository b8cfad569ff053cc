//! Trees that pick one of many: the first, or the fullest.

use crate::circuit::net::{Builder, Net};

/// Whether some bit of `valid` (a power of two of them, at least 2) is high, and the number of the lowest.
pub fn first<'a>(b: &'a Builder, name: &str, valid: &[Net<'a>]) -> (Net<'a>, Net<'a>) {
    assert!(valid.len() >= 2 && valid.len().is_power_of_two());
    let mut nodes: Vec<(Net<'a>, Option<Net<'a>>)> = valid.iter().map(|&v| (v, None)).collect();
    for level in 0.. {
        let node = |(i, pair): (usize, &[(Net<'a>, Option<Net<'a>>)])| {
            let ((low_any, low), (high_any, high)) = (pair[0], pair[1]);
            let any = (low_any | high_any).name(format!("{name}_any_{level}_{i}"));
            let number = match low.zip(high) {
                Some((low, high)) => b.bits(&[low_any.mux(low, high), !low_any]),
                None => !low_any,
            };
            (any, Some(number.name(format!("{name}_{level}_{i}"))))
        };
        nodes = nodes.chunks(2).enumerate().map(node).collect();
        if let [(any, Some(number))] = nodes[..] {
            return (any, number);
        }
    }
    unreachable!("a tree has a root")
}

/// A count, and the number of whose it is.
pub type Counted<'a> = (Net<'a>, Option<Net<'a>>);

/// The largest count and whose it is, the lowest one of equals; numbers grow by a bit on top with every level. A power of
/// two of counts, all with names.
pub fn fullest<'a>(b: &'a Builder, name: &str, counts: Vec<Counted<'a>>) -> Counted<'a> {
    assert!(counts.len().is_power_of_two());
    let mut nodes = counts;
    for level in 0.. {
        if let [root] = nodes[..] {
            return root;
        }
        let node = |(i, pair): (usize, &[Counted<'a>])| {
            let ((low_count, low), (high_count, high)) = (pair[0], pair[1]);
            let upper = low_count.below(high_count).name(format!("{name}_upper_{level}_{i}"));
            let count = upper.mux(high_count, low_count).name(format!("{name}_count_{level}_{i}"));
            let number = match low.zip(high) {
                Some((low, high)) => b.bits(&[upper.mux(high, low), upper]).name(format!("{name}_{level}_{i}")),
                None => upper,
            };
            (count, Some(number))
        };
        nodes = nodes.chunks(2).enumerate().map(node).collect();
    }
    unreachable!("a tree has a root")
}
