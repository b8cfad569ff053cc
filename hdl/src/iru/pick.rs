//! Trees that pick one of many: the first, or the fullest; and the lines of a number.

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
            let upper = below(&format!("{name}_upper_{level}_{i}"), low_count, high_count);
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

/// Whether a piece of a number is smaller than that of another; and, but for the lowest piece, whether it is not larger.
#[derive(Clone, Copy)]
struct Order<'a> {
    less: Net<'a>,
    most: Option<Net<'a>>,
}

/// Whether `x` is smaller than `y`, both with names: a tree of pairs of bits, which is faster than a subtraction.
fn below<'a>(name: &str, x: Net<'a>, y: Net<'a>) -> Net<'a> {
    let named = |net: Net<'a>, what: &str, level: usize, n: usize| net.name(format!("{name}_{what}_{level}_{n}"));
    let bit = |n: usize| {
        let less = named(!x.bit(n) & y.bit(n), "less", 0, n);
        Order { less, most: (n > 0).then(|| named(!x.bit(n) | y.bit(n), "most", 0, n)) }
    };
    let mut nodes: Vec<_> = (0..x.width()).map(bit).collect();
    for level in 1.. {
        let node = |(n, pair): (usize, &[Order<'a>])| {
            let [low, high] = *pair else { return pair[0] };
            let most = high.most.expect("it is not the lowest");
            let less = named(high.less | (most & low.less), "less", level, n);
            Order { less, most: low.most.map(|low| named(high.less | (most & low), "most", level, n)) }
        };
        nodes = nodes.chunks(2).enumerate().map(node).collect();
        if let [order] = nodes[..] {
            return order.less;
        }
    }
    unreachable!("a tree has a root")
}

/// The line of `number` among all, while `on`; both halves of the number by themselves, so that `on` reaches few gates.
pub fn lines<'a>(b: &'a Builder, name: &str, on: Net<'a>, number: Net<'a>) -> Net<'a> {
    let low_bits = number.width() / 2;
    let high = number.slice(low_bits, number.width() - low_bits).decode();
    let high = (on.repeat(high.width()) & high).name(format!("{name}_high"));
    if low_bits == 0 {
        return high;
    }
    let low = number.slice(0, low_bits).decode().name(format!("{name}_low"));
    let all: Vec<_> = high.each().into_iter().map(|line| line.repeat(low.width()) & low).collect();
    b.bits(&all).name(name)
}
