//! State of a partition outside its parts: the configuration that all of them see, and if it is at rest.

use super::TARGET_BITS;
use crate::circuit::net::Builder;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// M bits count the elements of a bank.
    pub struct PartitionState<const M: usize>, inputs Inputs, clocked {
        in start: Signal<In, bool>,
        in start_target: Signal<In, Bits<TARGET_BITS>>,
        in start_size: Signal<In, Bits<3>>,
        in start_filter: Signal<In, Bits<2>>,
        in prefetcher_done, classifier_empty, stop_empty: Signal<In, bool>,
        in bank_idle: [Signal<In, bool>; 2],
        in bank_count: [Signal<In, Bits<M>>; 2],
        out target: Signal<Out, Bits<TARGET_BITS>>,
        out size: Signal<Out, Bits<3>>,
        out filter: Signal<Out, Bits<2>>,
        out quiet, vacant: Signal<Out, bool>,
    } described by describe
}

fn describe<'a, const M: usize>(b: &'a Builder, i: &Inputs<'a, M>) {
    b.output("target", b.data_register("target", i.start_target, i.start));
    b.output("size", b.data_register("size", i.start_size, i.start));
    // A bank looks at it even when no element is there.
    let filter = b.register("filter", 2);
    filter.drive(i.start.mux(i.start_filter, filter));
    b.output("filter", filter);

    let quiet = b.register("quiet", 1);
    let at_rest = [i.prefetcher_done, i.classifier_empty, i.stop_empty, i.bank_idle[0], i.bank_idle[1]];
    quiet.drive(b.and_all(&at_rest));
    b.output("quiet", quiet);
    let vacant = b.register("vacant", 1);
    vacant.drive(!(i.bank_count[0] | i.bank_count[1]).any());
    b.output("vacant", vacant);
}
