//! Pipelined sorting network: N words of W bits, ascending as unsigned integers.
//!
//! ```text
//!                +----------+   +---+   +----------+   +---+
//!  in_item_0 ----|          |---|   |---|          |---|   |---- out_item_0 (least)
//!     ...        |  `cut`   |   |   |   |  `cut`   |   |   |        ...
//!  in_item_N-1 --|  layers  |---|>  |---|  layers  |---|>  |---- out_item_N-1
//!                +----------+   +-^-+   +----------+   +-^-+
//!                                 |                      |
//!  in_valid ----------------------+-------[reg]----------+-[reg]-- out_valid
//! ```
//!
//! A layer is a row of compare-exchange cells on different places. There is a register after the last layer and before
//! every `cut` layers from the last one backwards: latency ceil(layers / cut) cycles, one set of items a cycle. The first
//! stage has what is left over, because its items come late from other logic. Its registers take only valid sets, so
//! that nothing behind them toggles in an idle sorter. `reset` clears the valid bits.
//! Part of HWWL's work redistribution unit (III-C).

use super::sorting_network::{self, Network};
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

network! {
    pub struct Sorter<const N: usize, const W: usize>, inputs Inputs, clocked {
        in in_valid: Signal<In, bool>,
        in in_item: [Signal<In, Bits<W>>; N],
        out out_valid: Signal<Out, bool>,
        out out_item: [Signal<Out, Bits<W>>; N],
    }
    /// Cuts `network` into stages of `cut` layers; the first may have fewer.
    described by describe(network: &Network, cut: usize)
}

/// Cycles that a sorter of `layers` layers takes.
pub const fn latency(layers: usize, cut: usize) -> usize {
    layers.div_ceil(cut)
}

/// The network for N items: the best known one, else odd-even merge.
pub fn network(items: usize) -> Network {
    sorting_network::best_known(items).unwrap_or_else(|| sorting_network::odd_even_merge(items))
}

fn describe<'a, const N: usize, const W: usize>(b: &'a Builder, i: &Inputs<'a, N, W>, network: &Network, cut: usize) {
    assert!(cut > 0);
    let (mut valid, mut items) = (i.in_valid, i.in_item.clone());
    let mut stages: Vec<_> = network.rchunks(cut).collect();
    stages.reverse();
    let mut numbers = 0..;
    for (stage, layers) in stages.iter().enumerate() {
        for (layer, number) in layers.iter().zip(&mut numbers) {
            b.comment(&format!("Stage {stage}, layer {number}."));
            let cells = layer.iter().enumerate();
            cells.for_each(|(n, &places)| compare_exchange(number, n, places, &mut items));
        }
        let last = stage + 1 == stages.len();
        let next_valid = b.register(if last { "out_valid".into() } else { format!("stage{stage}_valid") }, 1);
        next_valid.drive(valid);
        for (place, item) in items.iter_mut().enumerate() {
            let name = if last { format!("out_item${place}") } else { format!("stage{stage}_item_{place}") };
            *item = if stage == 0 { b.data_register(name, *item, valid) } else { b.delay(name, *item) };
        }
        valid = next_valid;
    }
    b.output("out_valid", valid);
    for (place, &item) in items.iter().enumerate() {
        b.output(format!("out_item${place}"), item);
    }
}

/// The smaller of two items to place `low`, the larger to place `high`: cell `n` of the layer.
fn compare_exchange(layer: usize, n: usize, (low, high): (usize, usize), items: &mut [Net]) {
    let (x, y) = (items[low], items[high]);
    let pair = x.sorted(y).name(format!("layer{layer}_pair_{n}"));
    items[low] = pair.slice(0, x.width());
    items[high] = pair.slice(x.width(), x.width());
}
