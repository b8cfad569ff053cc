//! The sorter against `docs/hwwl.md`, in RustHDL's own simulation.

use crate::common::{clock, connected};
use hdl::prim::sorter::{latency, network, Sorter};
use hdl::prim::sorting_network::{bitonic, odd_even_merge, Network};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rust_hdl::prelude::*;

fn cycle<const N: usize, const W: usize>(s: &mut Sorter<N, W>, reset: bool, set: Option<&[u128]>) -> Option<Vec<u128>> {
    s.reset.next = reset;
    s.in_valid.next = set.is_some();
    for (i, port) in s.in_item.iter_mut().enumerate() {
        port.next = set.map_or(0, |items| items[i]).to_bits();
    }
    clock!(s);
    s.out_valid.val().then(|| s.out_item.iter().map(|o| o.val().to_u128()).collect())
}

fn sorter<const N: usize, const W: usize>(network: &Network, cut: usize) -> Box<Sorter<N, W>> {
    let mut sorter = connected!(Sorter::new(network, cut));
    cycle(&mut sorter, true, None);
    sorter
}

/// Streams sets, with gaps, and expects each of them sorted exactly `latency` cycles later.
fn streams<const N: usize, const W: usize>(network: &Network, cut: usize, sets: &[Option<Vec<u128>>]) {
    let latency = latency(network.len(), cut);
    let mut sorter = sorter::<N, W>(network, cut);
    let gaps = std::iter::repeat_n(&None, latency);
    for (t, set) in sets.iter().chain(gaps).enumerate() {
        // The pins after this cycle's edge are those of the next cycle.
        let out = cycle(&mut sorter, false, set.as_deref());
        let due = (t + 1).checked_sub(latency).and_then(|t| sets.get(t)).cloned().flatten();
        let expected = due.map(|mut items| {
            items.sort_unstable();
            items
        });
        assert_eq!(out, expected, "after cycle {t}");
    }
}

fn sets(n: usize, width: u32) -> impl Strategy<Value = Vec<Option<Vec<u128>>>> {
    let set = proptest::collection::vec(0..1u128 << width, n);
    proptest::collection::vec(proptest::option::weighted(0.7, set), 1..30)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..Default::default() })]

    #[test]
    fn sixteen_items_in_four_cycles(sets in sets(16, 10)) {
        assert_eq!(latency(network(16).len(), 3), 4);
        streams::<16, 10>(&network(16), 3, &sets);
    }

    #[test]
    fn any_cut_of_any_network(sets in sets(8, 4), cut in 1usize..8) {
        streams::<8, 4>(&odd_even_merge(8), cut, &sets);
        streams::<8, 4>(&bitonic(8), cut, &sets);
    }

    #[test]
    fn words_wider_than_a_machine_word(sets in sets(4, 100)) {
        streams::<4, 100>(&odd_even_merge(4), 2, &sets);
    }
}

#[test]
fn reset_clears_every_stage() {
    let mut sorter = sorter::<4, 8>(&odd_even_merge(4), 1);
    for _ in 0..3 {
        cycle(&mut sorter, false, Some(&[4, 3, 2, 1]));
    }
    assert_eq!(cycle(&mut sorter, true, None), None);
    for _ in 0..4 {
        assert_eq!(cycle(&mut sorter, false, None), None);
    }
}
