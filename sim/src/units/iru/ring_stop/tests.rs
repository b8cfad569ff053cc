//! One stop by itself: the cycles that the page names, and who goes first.

use super::*;
use crate::units::iru::element::Element;
use crate::units::iru::pins::Offer;

/// A place with 4 sets per partition: bit 0 is the set, bit 1 the bank, and bit 2 tells that it goes on.
fn stop() -> RingStop {
    RingStop::new(&Parameters { sets: 4, ..Default::default() }).unwrap()
}

fn element(place: u16, position: u32) -> Offer<Bundle> {
    Offer::some(Bundle::of(Placed { element: Element { index: 8, secondary: 0, position }, place }))
}

/// Everything is taken.
fn idle() -> RingStopIn {
    RingStopIn { link_ready: [true; 2], bank_ready: [[true; 2]; 2], ..Default::default() }
}

fn arrival(direction: usize, element: Offer<Bundle>) -> RingStopIn {
    let mut pins = idle();
    pins.arrival[direction] = element;
    pins
}

fn wait(stop: &mut RingStop, cycles: usize) -> Vec<RingStopOut> {
    (0..cycles)
        .map(|_| {
            let out = stop.outputs();
            stop.clock(&idle()).unwrap();
            out
        })
        .collect()
}

#[test]
fn an_element_for_here_is_at_its_bank_after_five_cycles() {
    for direction in 0..2 {
        for bank in 0..2 {
            let mut stop = stop();
            stop.clock(&arrival(direction, element(1 + 2 * bank as u16, 9))).unwrap();
            let seen = wait(&mut stop, 7);
            for (cycle, out) in (1..).zip(&seen) {
                assert_eq!(out.bank[direction][bank].valid, cycle == 5);
                assert!(!out.bank[1 - direction][bank].valid && !out.link[direction].valid);
                assert_eq!(out.empty, cycle > 5);
            }
        }
    }
}

#[test]
fn an_element_for_elsewhere_goes_on_after_five_cycles_a_local_one_after_three() {
    for direction in 0..2 {
        let mut stop = stop();
        let mut pins = arrival(direction, element(4, 1));
        pins.local[direction] = element(0, 2);
        stop.clock(&pins).unwrap();
        let seen = wait(&mut stop, 7);
        let on_link: Vec<_> = (1..)
            .zip(&seen)
            .filter_map(|(t, out)| Some((t, out.link[direction].get()?.first.element.position)))
            .collect();
        assert_eq!(on_link, [(3, 2), (5, 1)]);
    }
}

#[test]
fn one_element_a_cycle_goes_through() {
    let mut stop = stop();
    let mut came = Vec::new();
    for i in 0..40 {
        assert!(stop.outputs().arrival_ready[0]);
        came.extend(stop.outputs().link[0].get().map(|bundle| bundle.first.element.position));
        stop.clock(&arrival(0, element(4, i))).unwrap();
    }
    assert_eq!(came, (0..35).collect::<Vec<_>>());
}

#[test]
fn the_local_side_waits_for_eight_of_the_ring_at_most() {
    let mut stop = stop();
    let of = |secondary, position, place| {
        Offer::some(Bundle::of(Placed { element: Element { index: 8, secondary, position }, place }))
    };
    let mut came = Vec::new();
    for i in 0..60 {
        let out = stop.outputs();
        came.extend(out.link[0].get().map(|bundle| bundle.first.element.secondary));
        let mut pins = arrival(0, of(2, i, 4));
        pins.local[0] = of(1, i, 0);
        stop.clock(&pins).unwrap();
    }
    // Before the ring's first is in stage 2, two local ones go.
    assert_eq!(came[..2], [1, 1]);
    for turn in came[2..].chunks_exact(9) {
        assert_eq!(turn, [2, 2, 2, 2, 2, 2, 2, 2, 1]);
    }
}

#[test]
fn a_bank_that_takes_nothing_holds_back_what_comes_behind() {
    let mut stop = stop();
    let mut blocked = arrival(0, element(0, 0));
    blocked.bank_ready[0][0] = false;
    let mut taken = 0;
    for _ in 0..60 {
        taken += stop.outputs().arrival_ready[0] as u32;
        stop.clock(&blocked).unwrap();
    }
    // 16 in the queue, its head, two stages and the output register.
    assert_eq!(taken, 20);
    assert!(!stop.outputs().arrival_ready[0] && stop.outputs().arrival_ready[1]);
}
