//! The serial redistribution unit of the banks of all cores, here 4 cores of 16 lanes: bank i of core c is bank 16 c + i. Parts that it
//! shares with the unit of one core are tested there.

use crate::common::{clock, ready, Word};
use hdl::hwwl::wru_gserial::WruGserial;

const THRESHOLD: u64 = 5;

/// The cycle after reset of the first pop, its giver and the taker, with these occupancies of a side; each request is answered.
fn first_move(occupancies: [u64; 64]) -> Option<(usize, u64, u64)> {
    let mut wru: Box<WruGserial<64, 6, 6>> = ready!(WruGserial::new(THRESHOLD, true));
    for i in 0..64 {
        wru.pull_occupancy[i].next = occupancies[i].into();
        wru.id[i].next = (1000 + i as u64).into();
    }
    let mut begun = None;
    let (mut popped, mut pushed) = (0, 0);
    for cycle in 0..10 {
        wru.wru_valid.next = popped.into();
        wru.wru_accepted.next = pushed.into();
        (popped, pushed) = (wru.pop.word(), wru.push.word());
        if popped != 0 && begun.is_none() {
            begun = Some((cycle, u64::from(popped.trailing_zeros())));
        }
        if pushed != 0 {
            let (cycle, giver) = begun.unwrap();
            let taker = pushed.trailing_zeros();
            assert_eq!(wru.push_id[taker as usize].word(), 1000 + giver);
            return Some((cycle, giver, taker.into()));
        }
        assert!(!wru.out_valid.val(), "`send` is 0: there is nobody outside");
        let w = &mut *wru;
        clock!(w);
    }
    None
}

/// All banks have six, but these.
fn banks(others: &[(usize, u64)]) -> [u64; 64] {
    let mut banks = [6; 64];
    others.iter().for_each(|&(bank, has)| banks[bank] = has);
    banks
}

#[test]
fn an_id_moves_from_a_core_to_another() {
    for (giver, taker) in [(60, 3), (3, 60), (17, 16), (31, 47), (0, 63)] {
        assert_eq!(first_move(banks(&[(giver, 9), (taker, 0)])), Some((5, giver as u64, taker as u64)));
    }
}

#[test]
fn of_equal_banks_the_last_gives_and_the_first_takes() {
    assert_eq!(first_move(banks(&[(20, 9), (50, 9), (40, 1), (9, 1)])), Some((5, 50, 9)));
}

#[test]
fn equal_cores_keep_their_ids() {
    assert_eq!(first_move([6; 64]), None);
}
