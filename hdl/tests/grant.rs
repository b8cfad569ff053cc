//! The example of the README of `circuit`, word for word.

use crate::common::{connected, Random, Word};
use hdl::circuit::net::Builder;
use hdl::network;
use rust_hdl::prelude::*;

network! {
    /// The served request: the first that is not busy.
    pub struct Grant, inputs Inputs {
        in requests, busy: Signal<In, Bits<16>>,
        out granted: Signal<Out, Bits<16>>,
    } described by describe
}

fn describe<'a>(b: &'a Builder, i: &Inputs<'a>) {
    b.output("granted", (i.requests & !i.busy).first_one());
}

#[test]
fn the_example_is_a_block_that_does_what_it_says() {
    let shown =
        include_str!("../circuit/README.md").split("```rust\n").nth(1).and_then(|rest| rest.split("```").next());
    assert!(include_str!("grant.rs").contains(shown.unwrap()), "the README's example is not the one that is tested");
    let mut grant = connected!(Grant::default());
    let mut random = Random(3);
    for _ in 0..200 {
        let [requests, busy] = [(); 2].map(|()| random.bits() & 0xffff);
        (grant.requests.next, grant.busy.next) = (requests.into(), busy.into());
        assert!(simulate(&mut *grant, 100));
        let first = (0..16).find(|place| (requests & !busy) >> place & 1 == 1);
        assert_eq!(grant.granted.word(), first.map_or(0, |place| 1 << place));
    }
}
