//! Sorting networks as data: which places are compared, layer by layer.
//!
//! A cell `(a, b)`, `a < b`, puts the smaller item on place `a` and the larger on place `b`. Cells of a layer touch
//! different places, so that a layer is one step in time. The least item ends on place 0.

/// Cells that work side by side.
pub type Layer = Vec<(usize, usize)>;

/// Layers in order.
pub type Network = Vec<Layer>;

/// The network with the fewest known cells for 16 items: 60 cells in 10 layers (Green, 1969; Knuth, *The Art of
/// Computer Programming*, volume 3, section 5.3.4). `None` for other numbers of items.
pub fn best_known(items: usize) -> Option<Network> {
    let layers: [&[(usize, usize)]; 10] = [
        &[(0, 1), (2, 3), (4, 5), (6, 7), (8, 9), (10, 11), (12, 13), (14, 15)],
        &[(0, 2), (1, 3), (4, 6), (5, 7), (8, 10), (9, 11), (12, 14), (13, 15)],
        &[(0, 4), (1, 5), (2, 6), (3, 7), (8, 12), (9, 13), (10, 14), (11, 15)],
        &[(0, 8), (1, 9), (2, 10), (3, 11), (4, 12), (5, 13), (6, 14), (7, 15)],
        &[(5, 10), (6, 9), (3, 12), (13, 14), (4, 8), (7, 11), (1, 2)],
        &[(1, 4), (7, 13), (2, 8), (11, 14)],
        &[(2, 4), (5, 6), (9, 10), (11, 13), (3, 8), (7, 12)],
        &[(6, 8), (10, 12), (3, 5), (7, 9)],
        &[(3, 4), (5, 6), (7, 8), (9, 10), (11, 12)],
        &[(6, 7), (8, 9)],
    ];
    (items == 16).then(|| layers.iter().map(|l| l.to_vec()).collect())
}

/// A network of the least known depth for 16 items: 61 cells in 9 layers (Van Voorhis, 1972; Knuth, as above).
/// `None` for other numbers of items.
pub fn shallow(items: usize) -> Option<Network> {
    let layers: [&[(usize, usize)]; 9] = [
        &[(0, 5), (1, 4), (2, 12), (3, 13), (6, 7), (8, 9), (10, 15), (11, 14)],
        &[(0, 2), (1, 10), (3, 6), (4, 7), (5, 14), (8, 11), (9, 12), (13, 15)],
        &[(0, 8), (1, 3), (2, 11), (4, 13), (5, 9), (6, 10), (7, 15), (12, 14)],
        &[(0, 1), (2, 4), (3, 8), (5, 6), (7, 12), (9, 10), (11, 13), (14, 15)],
        &[(1, 3), (2, 5), (4, 8), (6, 9), (7, 11), (10, 13), (12, 14)],
        &[(1, 2), (3, 5), (4, 11), (6, 8), (7, 9), (10, 12), (13, 14)],
        &[(2, 3), (4, 5), (6, 7), (8, 9), (10, 11), (12, 13)],
        &[(4, 6), (5, 7), (8, 10), (9, 11)],
        &[(3, 4), (5, 6), (7, 8), (9, 10), (11, 12)],
    ];
    (items == 16).then(|| layers.iter().map(|l| l.to_vec()).collect())
}

/// Batcher's odd-even merge sort.
pub fn odd_even_merge(items: usize) -> Network {
    merging(items, |run, distance, offset| match distance == run {
        true => (offset < run).then_some(offset + run),
        false => ((offset / distance) % 2 == 1 && offset + distance < 2 * run).then_some(offset + distance),
    })
}

/// Batcher's bitonic sort, in the form whose cells all point the same way.
pub fn bitonic(items: usize) -> Network {
    merging(items, |run, distance, offset| match distance == run {
        true => (offset < run).then_some(2 * run - 1 - offset),
        false => ((offset / distance) % 2 == 0).then_some(offset + distance),
    })
}

/// Sorts by merging pairs of sorted runs of 1, 2, 4, ... items, each merge with a layer for the distances run, run / 2,
/// ... 1. `partner(run, distance, offset)` gives the upper place of the cell whose lower place is `offset`, both within
/// the pair of runs. Places from `items` on hold nothing: they could only ever hold the largest items.
fn merging(items: usize, partner: impl Fn(usize, usize, usize) -> Option<usize>) -> Network {
    let halvings = |n: usize| std::iter::successors(Some(n), |&d| (d > 1).then_some(d / 2));
    let runs = std::iter::successors(Some(1), |&run| Some(2 * run)).take_while(|&run| run < items);
    let layer = |(run, distance): (usize, usize)| {
        let cell = |low: usize| {
            let base = low - low % (2 * run);
            partner(run, distance, low % (2 * run)).map(|high| (low, base + high)).filter(|(_, high)| *high < items)
        };
        (0..items).filter_map(cell).collect()
    };
    runs.flat_map(|run| halvings(run).map(move |distance| (run, distance))).map(layer).collect()
}

/// Number of cells.
pub fn cells(network: &Network) -> usize {
    network.iter().map(Vec::len).sum()
}
