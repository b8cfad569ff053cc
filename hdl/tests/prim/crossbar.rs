//! Each taking lane of the crossbar against the lane of its pair that gives.

use hdl::prim::crossbar::Crossbar;
use rust_hdl::prelude::*;

/// Sets the inputs, then gives the edge.
fn cycle(x: &mut Crossbar<4, 8, 2>, learn: bool, offered: u64, wanted: u64) -> u64 {
    x.learn.next = learn;
    x.offered.next = offered.into();
    x.wanted.next = wanted.into();
    x.clock.next = false.into();
    assert!(simulate(x, 100));
    let taken = x.taken.val().to_u64();
    x.clock.next = true.into();
    assert!(simulate(x, 100));
    taken
}

#[test]
fn a_taker_gets_what_the_giver_of_its_pair_offers() {
    let mut x = Crossbar::<4, 8, 2>::default();
    x.connect_all();
    let ranks = [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2]];
    for (case, rank) in (0..4096u64).map(|case| (case, ranks[(case >> 10) as usize])) {
        for lane in 0..4 {
            x.rank[lane].next = rank[lane].into();
            x.data_in[lane].next = ((37 * case + 11 * lane as u64) & 0xff).into();
        }
        cycle(&mut x, true, 0, 0);
        let (offered, wanted) = (case & 15, case >> 4 & 15);
        let lane_of = |of: u64| rank.iter().position(|&r| r == of).unwrap();
        let takers = (0..2u64).map(|p| (lane_of(p), lane_of(3 - p)));
        let takes: Vec<_> = takers.filter(|(_, giver)| offered >> giver & 1 == 1).collect();
        let taken = cycle(&mut x, false, offered, wanted);
        for &(taker, giver) in &takes {
            assert_eq!(taken >> taker & 1, wanted >> taker & 1);
            assert_eq!(x.data_out[taker].val().to_u64(), (37 * case + 11 * giver as u64) & 0xff);
        }
        for taker in (0..2).map(lane_of).filter(|lane| takes.iter().all(|(taker, _)| taker != lane)) {
            assert_eq!(taken >> taker & 1, 0);
        }
    }
}
