//! The redistribution unit of the banks of all cores, here 2 cores of 4 lanes: bank i of core c is bank 4 c + i. Parts
//! that it shares with the unit of one core are tested there.

use crate::common::{ready, Word};
use crate::hwwl::wru::bench;
use hdl::hwwl::wru_global::WruGlobal;

/// Banks of 32 entries.
type Wru = WruGlobal<8, 3, 6, 9>;

// Sorting 8 words takes 6 layers: in at most 4 cycles that is 2 layers a cycle, and 3 cycles.
bench!(Wru, 8, 4);

/// The first event, whose tick is in cycle 9: banks that give, each that takes with its donor.
fn event(pull: [u64; 8]) -> (u64, Vec<(u64, u64)>) {
    let mut bench = Bench { wru: ready!(Wru::new(5, 10)), now: 0, pull, push: [0; 8] };
    let event = bench.event(9);
    assert!(!bench.wru.out_valid.val(), "`send` is 0: there is nobody outside");
    event
}

#[test]
fn an_id_moves_from_a_core_to_another() {
    assert_eq!(event([10, 20, 10, 10, 10, 10, 0, 10]), (1 << 1, vec![(6, 1)]));
}

#[test]
fn the_fullest_of_all_cores_give_to_the_emptiest() {
    let (givers, pairs) = event([20, 21, 22, 23, 4, 3, 2, 1]);
    assert_eq!((givers, pairs), (0b1111, vec![(4, 0), (5, 1), (6, 2), (7, 3)]));
}

#[test]
fn equal_cores_keep_their_ids() {
    assert_eq!(event([10, 10, 10, 10, 10, 10, 9, 9]), (0, vec![]));
}
