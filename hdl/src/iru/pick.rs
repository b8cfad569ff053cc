//! Trees that pick one of many: the first, or the fullest; and the lines of a number.

use crate::circuit::net::{Builder, Net};

/// Two values: some bit of `valid` (a power of two of them, at least 2) is high, and the number of the lowest.
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
/// two of counts, all with names. Two levels are taken at once where that leaves none over.
pub fn fullest<'a>(b: &'a Builder, name: &str, counts: Vec<Counted<'a>>) -> Counted<'a> {
    assert!(counts.len().is_power_of_two());
    let mut nodes = counts;
    for level in 0.. {
        if let [root] = nodes[..] {
            return root;
        }
        if nodes.len().ilog2() % 2 == 0 {
            let node = |(i, four): (usize, &[Counted<'a>])| {
                let &[w, x, y, z] = four else { unreachable!("a power of four of nodes") };
                fullest_of_four(b, &format!("{name}_of_four_{level}_{i}"), [w, x, y, z])
            };
            nodes = nodes.chunks(4).enumerate().map(node).collect();
            continue;
        }
        let node = |(i, pair): (usize, &[Counted<'a>])| {
            let upper = pair[0].0.below_tree(pair[1].0).name(format!("{name}_upper_{level}_{i}"));
            let (count, number) = upper_or_lower(b, &format!("{name}_{level}_{i}"), upper, pair[1], pair[0]);
            (count.name(format!("{name}_count_{level}_{i}")), Some(number))
        };
        nodes = nodes.chunks(2).enumerate().map(node).collect();
    }
    unreachable!("a tree has a root")
}

/// One of two, and its number with a bit on top, which is named if it is more than this bit.
fn upper_or_lower<'a>(
    b: &'a Builder,
    name: &str,
    upper: Net<'a>,
    high: Counted<'a>,
    low: Counted<'a>,
) -> (Net<'a>, Net<'a>) {
    let number = match low.1.zip(high.1) {
        Some((low, high)) => b.bits(&[upper.mux(high, low), upper]).name(name),
        None => upper,
    };
    (upper.mux(high.0, low.0), number)
}

/// Two levels at once: all comparisons between the halves are made beside those within them.
fn fullest_of_four<'a>(b: &'a Builder, name: &str, of: [Counted<'a>; 4]) -> Counted<'a> {
    let less = |low: usize, high: usize| of[low].0.below_tree(of[high].0).name(format!("{name}_{low}_below_{high}"));
    let (in_low, in_high) = (less(0, 1), less(2, 3));
    let upper = in_low.mux(in_high.mux(less(1, 3), less(1, 2)), in_high.mux(less(0, 3), less(0, 2)));
    let upper = upper.name(format!("{name}_upper"));
    let half = |what: &str, is_upper: Net<'a>, low: usize| {
        let (count, number) = upper_or_lower(b, &format!("{name}_{what}"), is_upper, of[low + 1], of[low]);
        (count.name(format!("{name}_{what}_count")), Some(number))
    };
    let (count, number) =
        upper_or_lower(b, &format!("{name}_number"), upper, half("high", in_high, 2), half("low", in_low, 0));
    (count.name(format!("{name}_count")), Some(number))
}

/// The line of `number` among all, while `on`; both halves of the number by themselves, so that `on` reaches few gates.
pub fn lines<'a>(b: &'a Builder, name: &str, on: Net<'a>, number: Net<'a>) -> Net<'a> {
    crossed(b, name, number, |high| on.repeat(high.width()) & high, |low| low)
}

/// The same, or all lines while `all`.
pub fn lines_or_all<'a>(b: &'a Builder, name: &str, on: Net<'a>, number: Net<'a>, all: Net<'a>) -> Net<'a> {
    let high = |high: Net<'a>| (on.repeat(high.width()) & high) | all.repeat(high.width());
    crossed(b, name, number, high, |low| low | all.repeat(low.width()))
}

/// The lines of both halves of `number`, each with a change of its own, crossed.
fn crossed<'a>(
    b: &'a Builder,
    name: &str,
    number: Net<'a>,
    of_high: impl Fn(Net<'a>) -> Net<'a>,
    of_low: impl Fn(Net<'a>) -> Net<'a>,
) -> Net<'a> {
    let low_bits = number.width() / 2;
    let high = of_high(number.slice(low_bits, number.width() - low_bits).decode()).name(format!("{name}_high"));
    if low_bits == 0 {
        return high;
    }
    let low = of_low(number.slice(0, low_bits).decode()).name(format!("{name}_low"));
    let all: Vec<_> = high.each().into_iter().map(|line| line.repeat(low.width()) & low).collect();
    b.bits(&all).name(name)
}

/// Two bits: some bit is high, and more than one is.
pub fn some_and_several<'a>(b: &'a Builder, name: &str, bits: &[Net<'a>]) -> (Net<'a>, Net<'a>) {
    let mut nodes: Vec<_> = bits.iter().map(|&bit| (bit, b.low())).collect();
    for level in 0.. {
        if let [root] = nodes[..] {
            return root;
        }
        let node = |(n, pair): (usize, &[(Net<'a>, Net<'a>)])| {
            let [(x, several_x), (y, several_y)] = pair else { return pair[0] };
            let some = (*x | *y).name(format!("some_{name}_{level}_{n}"));
            (some, (*several_x | *several_y | (*x & *y)).name(format!("several_{name}_{level}_{n}")))
        };
        nodes = nodes.chunks(2).enumerate().map(node).collect();
    }
    unreachable!("a tree has a root")
}
