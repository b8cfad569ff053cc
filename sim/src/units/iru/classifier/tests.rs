//! The classifier by itself.

use super::*;
use crate::units::iru::pins::Offer;
use crate::units::iru::HashKind;

fn parameters(partitions: usize) -> Parameters {
    Parameters { partitions, sets: 4, hash: HashKind::Modulo, ..Default::default() }
}

/// A group whose elements are for these partitions, of `partitions`, and banks.
fn group(partitions: usize, position: u32, places: &[(u32, u32)]) -> Offer<ElementGroup> {
    let mut group = ElementGroup { count: places.len() as u8, position, ..Default::default() };
    for (index, (partition, bank)) in group.index.iter_mut().zip(places) {
        *index = partition + partitions as u32 * bank;
    }
    Offer::some(group)
}

fn pins(partition: u8, group: Offer<ElementGroup>) -> ClassifierIn {
    ClassifierIn { group, access: Access { target: 0, size: 7 }, partition, ready: [true; 4] }
}

/// Where the positions come out, cycle by cycle from cycle 1 on, if the group comes in cycle 0.
fn ways(partitions: usize, own: u8, places: &[(u32, u32)], cycles: usize) -> Vec<[Option<u32>; 4]> {
    let mut unit = Classifier::new(&parameters(partitions)).unwrap();
    unit.clock(&pins(own, group(partitions, 100, places))).unwrap();
    (0..cycles)
        .map(|_| {
            let out = unit.outputs();
            unit.clock(&pins(own, Offer::default())).unwrap();
            out.way.map(|way| way.get().map(|bundle| bundle.first.element.position))
        })
        .collect()
}

#[test]
fn elements_come_out_four_cycles_later_one_a_cycle_and_way() {
    let seen = ways(4, 2, &[(2, 0), (2, 1), (3, 0), (2, 0), (1, 1), (2, 0)], 7);
    assert_eq!(seen[..3], [[None; 4]; 3]);
    assert_eq!(seen[3], [Some(100), Some(101), Some(102), Some(104)]);
    assert_eq!(seen[4], [Some(103), None, None, None]);
    assert_eq!(seen[5], [Some(105), None, None, None]);
    assert_eq!(seen[6], [None; 4]);
}

#[test]
fn the_shorter_way_round_and_half_way_by_parity() {
    for (partitions, own, to, way) in [
        (4, 0, 1, CW),
        (4, 0, 2, CW),
        (4, 0, 3, CCW),
        (4, 1, 2, CW),
        (4, 1, 3, CCW),
        (4, 1, 0, CCW),
        (4, 2, 0, CW),
        (4, 3, 0, CW),
        (4, 3, 1, CCW),
        (2, 0, 1, CW),
        (2, 1, 0, CCW),
    ] {
        let seen = ways(partitions, own, &[(to, 0)], 4);
        assert_eq!(seen[3][way], Some(100), "{partitions} {own} {to}");
    }
}

#[test]
fn a_group_every_three_cycles_if_its_elements_leave_at_once() {
    let mut unit = Classifier::new(&parameters(4)).unwrap();
    let mut taken = 0;
    for _ in 0..30 {
        taken += unit.outputs().group_ready as u32;
        unit.clock(&pins(0, group(4, 0, &[(0, 0), (0, 1), (1, 0), (3, 0)]))).unwrap();
    }
    assert_eq!(taken, 10);
}

#[test]
fn it_waits_for_its_outputs_and_is_empty_after_the_last() {
    let mut unit = Classifier::new(&parameters(4)).unwrap();
    unit.clock(&pins(0, group(4, 0, &[(0, 0), (0, 0)]))).unwrap();
    for _ in 0..10 {
        unit.clock(&ClassifierIn { ready: [false; 4], ..pins(0, Offer::default()) }).unwrap();
        assert!(!unit.outputs().empty);
    }
    assert_eq!(unit.outputs().way[BANK_0].item.first.element.position, 0);
    unit.clock(&pins(0, Offer::default())).unwrap();
    assert_eq!(unit.outputs().way[BANK_0].item.first.element.position, 1);
    unit.clock(&pins(0, Offer::default())).unwrap();
    assert!(unit.outputs().empty);
}
