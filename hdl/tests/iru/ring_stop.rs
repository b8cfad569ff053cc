//! The ring stop of partition 0 of 2 partitions with 8 sets.

use crate::iru::{clock, indices_of, on_pins, place, put, ready, Element, Random};
use hdl::iru::ring_stop::RingStop;

/// 2 bits of set, 4 of place on the ring.
type Stop = RingStop<2, 4, 84, 0>;

fn stop() -> Box<Stop> {
    ready!(Stop::default())
}

fn elements(place: (u64, u64, u64), count: usize, first: u64) -> Vec<Element> {
    indices_of(place, 1, 2, count).into_iter().zip(first..).map(|(index, n)| (index, 2 * n, n)).collect()
}

#[test]
fn an_arrival_is_at_its_bank_five_cycles_later() {
    let mut stop = stop();
    let home = elements((0, 1, 2), 1, 5)[0];
    assert!(stop.empty.val());
    put!(stop.ccw_in, Some(home));
    clock!(stop);
    put!(stop.ccw_in, None);
    // Head in t + 2, stage 1 in t + 3, stage 2 in t + 4.
    for _ in 1..5 {
        assert!(!stop.empty.val() && on_pins!(stop.ccw_bank_1).is_none());
        clock!(stop);
    }
    assert_eq!(on_pins!(stop.ccw_bank_1), Some(home));
    assert!(on_pins!(stop.cw_bank_1).is_none() && on_pins!(stop.ccw_out).is_none());
    stop.ccw_bank_1_ready.next = true;
    clock!(stop);
    assert!(stop.empty.val());
}

#[test]
fn the_ring_has_priority_until_the_credit_is_used_up() {
    let mut stop = stop();
    let (ring, local) = (elements((1, 0, 0), 20, 0), elements((1, 1, 1), 2, 100));
    let mut queue = ring.iter().copied();
    let mut waiting = local.iter().copied();
    // The link stalls until both sides wait.
    let mut out = vec![];
    for cycle in 0..60 {
        let arrival = queue.clone().next().filter(|_| stop.cw_in_ready.val());
        queue.by_ref().take(arrival.iter().count()).for_each(drop);
        put!(stop.cw_in, arrival);
        put!(stop.cw_local, waiting.next());
        stop.cw_out_ready.next = cycle >= 12;
        out.extend(on_pins!(stop.cw_out).filter(|_| cycle >= 12));
        clock!(stop);
    }
    assert!(stop.empty.val());
    // Locals are there first: one is in the link's register before a ring element is in stage 2.
    let wanted = [&local[..1], &ring[..8], &local[1..], &ring[8..]].concat();
    assert_eq!(out, wanted);
}

#[test]
fn full_queues_say_so() {
    let mut stop = stop();
    for (n, e) in elements((1, 0, 0), 60, 0).into_iter().enumerate() {
        let ready = stop.ccw_local_ready.val();
        // The link's register, the head, 32 entries.
        assert_eq!(ready, n < 34, "{n}");
        put!(stop.ccw_local, Some(e).filter(|_| ready));
        clock!(stop);
    }
}

#[test]
fn every_element_goes_where_its_hash_says() {
    let mut random = Random(99);
    let mut stop = stop();
    // By output: cw_out, ccw_out, then the banks of cw and of ccw.
    let mut wanted = [(); 6].map(|_| vec![]);
    let mut got = [(); 6].map(|_| vec![]);
    let mut number = 0;
    for cycle in 0..1500 {
        let mut element = |sends: bool| {
            let element = (random.below(1 << 24), random.below(1 << 32), number);
            number += sends as u64;
            sends.then_some(element)
        };
        let busy = cycle < 1300 && cycle % 100 < 80;
        let cw = element(busy && stop.cw_in_ready.val());
        let ccw = element(busy && cycle % 3 != 0 && stop.ccw_in_ready.val());
        put!(stop.cw_in, cw);
        put!(stop.ccw_in, ccw);
        for (direction, arrival) in [cw, ccw].into_iter().enumerate() {
            if let Some(e) = arrival {
                match place(e.0, 1, 2) {
                    (0, bank, _) => wanted[2 + 2 * direction + bank as usize].push(e),
                    _ => wanted[direction].push(e),
                }
            }
        }
        let away = |e: &Element| place(e.0, 1, 2).0 == 1;
        let local = element(busy && cycle % 4 == 0 && stop.cw_local_ready.val()).filter(away);
        put!(stop.cw_local, local);
        wanted[0].extend(local);
        let local = element(busy && cycle % 5 == 0 && stop.ccw_local_ready.val()).filter(away);
        put!(stop.ccw_local, local);
        wanted[1].extend(local);
        let ready = [(); 6].map(|_| random.tenths(7));
        [stop.cw_out_ready.next, stop.ccw_out_ready.next, stop.cw_bank_0_ready.next, stop.cw_bank_1_ready.next] =
            [ready[0], ready[1], ready[2], ready[3]];
        [stop.ccw_bank_0_ready.next, stop.ccw_bank_1_ready.next] = [ready[4], ready[5]];
        let outputs = [
            on_pins!(stop.cw_out),
            on_pins!(stop.ccw_out),
            on_pins!(stop.cw_bank_0),
            on_pins!(stop.cw_bank_1),
            on_pins!(stop.ccw_bank_0),
            on_pins!(stop.ccw_bank_1),
        ];
        for (output, element) in outputs.into_iter().enumerate() {
            got[output].extend(element.filter(|_| ready[output]));
        }
        clock!(stop);
    }
    assert!(stop.empty.val());
    assert!(wanted.iter().all(|w| w.len() > 100));
    assert_eq!(got[2..], wanted[2..], "to the banks in order of arrival");
    for link in 0..2 {
        // Ring and local elements mix; none is lost.
        got[link].sort_by_key(|e| e.2);
        wanted[link].sort_by_key(|e| e.2);
        assert_eq!(got[link], wanted[link]);
    }
}
