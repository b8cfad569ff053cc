//! First step of a redistribution event by sorting (section III-C): which side of the banks it serves, and the words to
//! sort.
//!
//! ```text
//!  pull_occupancy_0 ... --+--[ some below threshold? some 2 or more? ]--+
//!                         |                                             |
//!                         |        double_buffer --[ single: pull ]-------+---- serve_pull
//!                         +--|\                                         |
//!                            | |<---------------------------------------+
//!  push_occupancy_0 ... -----|/|---- { occupancy_i, (i + rotation) mod L } ---- word_0 ... word_L-1
//!  rotation -----------------------------'
//! ```
//!
//! Combinational. In double-buffer mode the pull side is served if some bank starves there while another could help;
//! else the push side, to use the capacity of all banks. The lane number in the lower bits makes words distinct and
//! tells, after sorting, whose it was; `rotation` lets ties go to other lanes each time.

use super::threshold_constant;
use crate::circuit::net::Builder;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// L lanes, S = log2(L); C bits of occupancy; W = C + S.
    pub struct SideSelect<const L: usize, const S: usize, const C: usize, const W: usize>, inputs Inputs {
        in double_buffer: Signal<In, bool>,
        in rotation: Signal<In, Bits<S>>,
        in pull_occupancy, push_occupancy: [Signal<In, Bits<C>>; L],
        out serve_pull: Signal<Out, bool>,
        out word: [Signal<Out, Bits<W>>; L],
    }
    /// `threshold` in work IDs.
    described by describe(threshold: u64)
}

fn describe<'a, const L: usize, const S: usize, const C: usize, const W: usize>(
    b: &'a Builder,
    i: &Inputs<'a, L, S, C, W>,
    threshold: u64,
) {
    assert!(L == 1 << S && W == C + S);
    b.comment("The pull side, if a bank starves there and another could help.");
    let threshold = threshold_constant(b, threshold, C);
    let below: Vec<_> = i.pull_occupancy.iter().map(|o| o.below(threshold)).collect();
    let below = b.bits(&below).name("below_threshold");
    let spare: Vec<_> = i.pull_occupancy.iter().map(|o| o.slice(1, C - 1).any()).collect();
    let spare = b.bits(&spare).name("two_or_more");
    let serve_pull = (!i.double_buffer | (below.any() & spare.any())).name("serve_pull");
    b.output("serve_pull", serve_pull);

    b.comment("Occupancy and rotated lane number, as one key.");
    for lane in 0..L {
        let occupancy = serve_pull.mux(i.pull_occupancy[lane], i.push_occupancy[lane]);
        let rotated = i.rotation + b.constant(lane as u64, S);
        let name = format!("word${lane}");
        b.output(name.as_str(), b.bits(&[rotated, occupancy]).name(name.as_str()));
    }
}
