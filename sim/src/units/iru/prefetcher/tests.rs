//! The prefetcher by itself.

use super::*;

fn unit(interleave: usize) -> Prefetcher {
    Prefetcher::new(&Parameters { interleave, ..Default::default() }).unwrap()
}

fn idle(partition: u8) -> PrefetcherIn {
    PrefetcherIn { partition, mem_ready: true, group_ready: true, ..Default::default() }
}

fn start(partition: u8, count: u32, with_secondary: bool) -> PrefetcherIn {
    PrefetcherIn { start: true, index_line: 1_000, secondary_line: 5_000, with_secondary, count, ..idle(partition) }
}

fn data(tag: u8, sector: u8) -> PrefetcherIn {
    let words = std::array::from_fn(|i| 0xab00_0000 | (tag as u32) << 16 | (sector as u32) << 8 | i as u32);
    PrefetcherIn { sector: Offer::some(SectorData { tag, sector, words }), ..idle(0) }
}

/// Requests as they come, cycle by cycle from cycle 1 on, if the start is in cycle 0.
fn requests(unit: &mut Prefetcher, start: &PrefetcherIn, cycles: usize) -> Vec<Option<(u32, u8, u8)>> {
    unit.clock(start).unwrap();
    (0..cycles)
        .map(|_| {
            let request = unit.outputs().request.get();
            unit.clock(&idle(start.partition)).unwrap();
            request.map(|request| (request.line, request.sectors, request.tag))
        })
        .collect()
}

#[test]
fn the_first_request_is_there_two_cycles_after_start_and_eight_chunks_are_asked_for() {
    let seen = requests(&mut unit(2), &start(1, 10_000, false), 12);
    let lines = [1_002, 1_003, 1_010, 1_011, 1_018, 1_019, 1_026, 1_027];
    let wanted: Vec<_> = (0..).zip(lines).map(|(slot, line)| Some((line, 4, 2 * slot))).collect();
    assert_eq!(seen[0], None);
    assert_eq!(seen[1..9], wanted);
    assert_eq!(seen[9..], [None; 3]);
}

#[test]
fn the_secondary_line_follows_its_index_line() {
    let seen = requests(&mut unit(1), &start(0, 32 * 4 + 17, true), 7);
    let wanted = [(1_000, 4, 0), (5_000, 4, 1), (1_004, 3, 2), (5_004, 3, 3)].map(Some);
    assert_eq!(seen[1..5], wanted);
    assert_eq!(seen[5..], [None; 2]);
}

#[test]
fn a_partition_without_chunks_stays_done() {
    let mut unit = unit(2);
    unit.clock(&start(1, 64, true)).unwrap();
    for _ in 0..5 {
        assert!(unit.outputs().done && !unit.outputs().request.valid);
        unit.clock(&idle(1)).unwrap();
    }
}

#[test]
fn a_group_is_there_two_cycles_after_its_last_sector() {
    let mut unit = unit(2);
    requests(&mut unit, &start(0, 20, true), 4);
    unit.clock(&data(1, 0)).unwrap();
    unit.clock(&data(0, 2)).unwrap();
    unit.clock(&data(0, 0)).unwrap();
    assert!(!unit.outputs().group.valid);
    unit.clock(&idle(0)).unwrap();
    let group = unit.outputs().group.get().unwrap();
    assert_eq!((group.count, group.position, group.index[7], group.secondary[7]), (8, 0, 7, 0xab01_0007));
    unit.clock(&data(1, 2)).unwrap();
    unit.clock(&data(1, 1)).unwrap();
    unit.clock(&data(0, 1)).unwrap();
    unit.clock(&PrefetcherIn { group_ready: false, ..idle(0) }).unwrap();
    assert_eq!(unit.outputs().group.item.position, 8);
    unit.clock(&PrefetcherIn { group_ready: false, ..idle(0) }).unwrap();
    assert_eq!(unit.outputs().group.item.position, 8);
    assert!(!unit.outputs().done);
    unit.clock(&idle(0)).unwrap();
    let group = unit.outputs().group.get().unwrap();
    assert_eq!((group.count, group.position, group.index[7]), (4, 16, 0x207));
    assert!(!unit.outputs().done);
    unit.clock(&idle(0)).unwrap();
    assert!(unit.outputs().done);
}

#[test]
fn secondaries_are_0_without_an_array() {
    let mut unit = unit(2);
    requests(&mut unit, &start(0, 8, false), 4);
    unit.clock(&data(0, 0)).unwrap();
    unit.clock(&idle(0)).unwrap();
    assert_eq!(unit.outputs().group.get().unwrap().secondary, [0; GROUP]);
}

#[test]
fn a_freed_slot_is_used_again_in_turn_also_after_a_new_start() {
    let mut unit = unit(1);
    requests(&mut unit, &start(0, 33, false), 4);
    for sector in 0..4 {
        unit.clock(&data(0, sector)).unwrap();
    }
    for _ in 0..4 {
        unit.clock(&idle(0)).unwrap();
    }
    assert!(unit.outputs().done);
    let seen = requests(&mut unit, &start(0, 1, false), 4);
    assert_eq!(seen[1], Some((1_000, 1, 2)));
}

#[test]
fn a_request_stays_until_it_is_taken() {
    let mut unit = unit(1);
    let waits = PrefetcherIn { mem_ready: false, ..idle(0) };
    unit.clock(&start(0, 1_000, false)).unwrap();
    unit.clock(&waits).unwrap();
    for _ in 0..5 {
        assert_eq!(unit.outputs().request.item.line, 1_000);
        unit.clock(&waits).unwrap();
    }
    unit.clock(&idle(0)).unwrap();
    assert_eq!(unit.outputs().request.item.line, 1_004);
}
