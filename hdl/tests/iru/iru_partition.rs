//! Partition 0 of 2 by itself: what goes through its parts, from memory to a reply, onto the ring and from it.

use crate::iru::{clock, indices_of, on_pins, put, ready, Element, Word};
use hdl::iru::iru_hash::HashKind;
use hdl::iru::iru_partition::{IruPartition, Options};

/// 2 partitions of 8 sets, 16 requests.
type Partition = IruPartition<2, 1, 2, 4, 8, 4, 5, 4, 84, 82, 5, 4, 5, 1, 0, 2>;

const INDEX_LINE: u64 = 1000;

/// Has taken a job over these indices, which are all in its part of the array, and got them from memory.
fn fed(indices: &[u64]) -> Box<Partition> {
    let mut p = ready!(Partition::new(Options { hash: HashKind::Multiplicative, timeout: 40, interleave: 2 }));
    clock!(p);
    assert!(p.quiet.val() && p.vacant.val(), "at rest after the reset");
    p.mem_ready.next = true;
    clock!(p, start; index_line = INDEX_LINE, count = indices.len() as u64, size = 2);
    clock!(p);
    let sectors = indices.len().div_ceil(8);
    let request = (p.mem_line.word(), p.mem_sectors.word(), p.mem_tag.word());
    assert_eq!((p.mem_valid.val(), request), (true, (INDEX_LINE, sectors as u64, 0)), "two cycles after the start");
    for (sector, words) in indices.chunks(8).enumerate() {
        p.data_valid.next = true;
        p.data_sector.next = (sector as u64).into();
        for (port, word) in p.data_word.iter_mut().zip(words) {
            port.next = (*word).into();
        }
        clock!(p);
    }
    p.data_valid.next = false;
    p
}

#[test]
fn a_set_that_is_complete_answers_a_request() {
    let indices = indices_of((0, 1, 2), 1, 2, 32);
    let mut p = fed(&indices);
    clock!(p; 80);
    assert!(p.quiet.val(), "all elements are in their set");
    assert!(!p.vacant.val());
    assert!(p.request_ready.val());
    clock!(p, request_valid; request = 7 << 5 | 31);
    p.reply_ready.next = true;
    let mut delivered: Vec<(u64, u64)> = vec![];
    for _ in 0..60 {
        clock!(p);
        assert_eq!(p.merged.word(), 0, "without a filter nothing is merged");
        if !p.reply_valid.val() {
            continue;
        }
        assert_eq!(p.reply_request.word() >> 5, 7);
        let mask = p.reply_mask.val();
        let lanes = (0..4).filter(|&lane| mask.get_bit(lane));
        delivered.extend(lanes.map(|j| (p.reply_index[j].word(), p.reply_position[j].word())));
        let last = delivered.len() == 32;
        assert_eq!((p.reply_last.val(), p.reply_end.val()), (last, last));
    }
    delivered.sort_unstable_by_key(|&(_, position)| position);
    assert_eq!(delivered, indices.into_iter().zip(0..).collect::<Vec<_>>());
    assert!(p.quiet.val() && p.vacant.val(), "at rest again");
}

#[test]
fn elements_of_the_other_partition_go_round_the_ring() {
    let indices = indices_of((1, 0, 3), 1, 2, 8);
    let mut p = fed(&indices);
    p.cw_out_ready.next = true;
    let mut passed: Vec<Element> = vec![];
    for _ in 0..60 {
        clock!(p);
        passed.extend(on_pins!(p.cw_out));
        assert!(on_pins!(p.ccw_out).is_none(), "from an even partition half way round goes clockwise");
    }
    assert_eq!(passed, indices.into_iter().zip(0..).map(|(index, position)| (index, 0, position)).collect::<Vec<_>>());
    assert!(p.quiet.val() && p.vacant.val());
}

#[test]
fn elements_of_this_partition_come_from_the_ring() {
    let mut p = fed(&indices_of((1, 0, 3), 1, 2, 1));
    let index = indices_of((0, 0, 1), 1, 2, 1)[0];
    assert!(p.ccw_in_ready.val());
    put!(p.ccw_in, Some((index, 0, 99)));
    clock!(p);
    put!(p.ccw_in, None);
    clock!(p; 30);
    assert!(!p.vacant.val(), "it is in a set");
    assert!(on_pins!(p.ccw_out).is_none(), "it did not go on");
}
