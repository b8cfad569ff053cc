//! The formation unit of 8 places with waves of 4, two entries and a cap of 8 cycles.

use crate::common::{clock, ready, Word};
use hdl::gw::swfu::Swfu;

type Unit = Swfu<8, 4, 2, 1, 1>;

fn unit() -> Box<Unit> {
    let mut u = ready!(Unit::new(8));
    u.scalar.next = 0xffu64.into();
    for place in 0..8 {
        u.pc[place].next = 100u64.into();
        u.path[place].next = (place as u64 % 4).into();
    }
    u
}

/// Group, mask and pc of an entry.
fn entry(u: &Unit, e: usize) -> Option<(u64, u64, u64)> {
    let pins = (u.wave_group[e].word(), u.wave_mask[e].word(), u.wave_pc[e].word());
    u.wave_valid[e].val().then_some(pins)
}

/// SWID and path of the offer, and whether it is urgent.
fn offer(u: &Unit) -> Option<(u64, u64, bool)> {
    let pins = (u.offer_swid.word(), u.offer_path.word(), u.offer_urgent.val());
    u.offer_valid.val().then_some(pins)
}

fn issue(u: &mut Unit, swid: u64) {
    clock!(u, issue_wave; issue_swid = swid);
}

#[test]
fn warps_of_a_group_and_pc_form_a_wave_and_others_join_it() {
    let mut u = unit();
    u.pc[2].next = 7u64.into();
    u.ready.next = 0b0000_0110u64.into();
    clock!(u);
    assert_eq!((entry(&u, 0), u.joined.word()), (Some((0, 0b0010, 100)), 0b0010));
    clock!(u);
    assert_eq!((entry(&u, 1), u.joined.word()), (Some((0, 0b0100, 7)), 0b0110));
    assert_eq!(offer(&u), Some((0, 1, false)), "the path of the one that was chosen");
    u.ready.next = 0b0011_1111u64.into();
    u.pc[5].next = 99u64.into();
    clock!(u);
    assert_eq!((entry(&u, 0), u.joined.word()), (Some((0, 0b1011, 100)), 0b1111), "place 3, and 0 with it");
    assert!(!u.table_full.val());
    for place in [4, 5] {
        clock!(u);
        assert!(u.table_full.val(), "place {place} is of another group");
    }
    issue(&mut u, 0);
    assert_eq!((entry(&u, 0), u.joined.word()), (Some((0, 0b1011, 100)), 0b0100));
    assert_eq!(offer(&u), Some((1, 2, false)));
}

#[test]
fn a_wave_that_issues_takes_no_one_and_its_entry_is_free_when_it_is_over() {
    let mut u = unit();
    u.ready.next = 0b0001u64.into();
    clock!(u);
    u.ready.next = 0b0011u64.into();
    issue(&mut u, 0);
    assert_eq!([entry(&u, 0), entry(&u, 1)], [Some((0, 0b0001, 100)), Some((0, 0b0010, 100))]);
    u.ready.next = 0b1000_0010u64.into();
    clock!(u, done_valid; done_swid = 0u64);
    assert!(u.table_full.val(), "free from the next cycle on");
    assert_eq!(entry(&u, 0), None);
    clock!(u);
    assert_eq!(entry(&u, 0), Some((1, 0b1000, 100)));
    assert_eq!(offer(&u), Some((1, 1, false)), "entry 1 was allocated first");
}

#[test]
fn a_wave_is_urgent_at_the_cap() {
    let mut u = unit();
    u.ready.next = 0b0001u64.into();
    clock!(u);
    for age in 0..8 {
        assert_eq!(offer(&u), Some((0, 0, false)), "age {age}");
        clock!(u);
    }
    for _ in 0..20 {
        assert_eq!(offer(&u), Some((0, 0, true)));
        clock!(u);
    }
    issue(&mut u, 0);
    assert_eq!(offer(&u), None);
}
