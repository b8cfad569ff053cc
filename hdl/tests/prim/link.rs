//! The link against a list of elements with their times.

use crate::common::{clock, ready, Random, Word};
use hdl::prim::link::{credit_bits, Link};
use std::collections::VecDeque;

const STAGES: usize = 2;
const CREDITS: u64 = 8;
type Link2 = Link<16, { credit_bits(STAGES) - 1 }, { credit_bits(STAGES) }>;

fn cycle(link: &mut Link2, element: Option<u64>, ready: bool) {
    link.in_valid.next = element.is_some();
    link.in_data.next = element.unwrap_or(0xdead).into();
    link.out_ready.next = ready;
    clock!(link);
}

#[test]
fn an_element_is_there_after_all_stages_and_its_credit_home_after_as_many() {
    let mut link = ready!(Link2::new(STAGES));
    assert!(link.empty.val() && link.in_ready.val());
    cycle(&mut link, Some(7), true);
    for t in 1..STAGES + 2 {
        assert!(!link.out_valid.val() && !link.empty.val(), "{t}");
        cycle(&mut link, None, true);
    }
    assert!(link.out_valid.val());
    assert_eq!(link.out_data.word(), 7);
    for t in 0..STAGES + 1 {
        assert!(!link.empty.val(), "{t}");
        cycle(&mut link, None, true);
        assert!(!link.out_valid.val(), "{t}");
    }
    assert!(link.empty.val());
}

#[test]
fn one_a_cycle_goes_through_and_credits_end_when_nobody_takes() {
    let mut link = ready!(Link2::new(STAGES));
    for i in 0..100 {
        assert!(link.in_ready.val(), "{i}");
        cycle(&mut link, Some(i), true);
    }
    let mut more = 0;
    while link.in_ready.val() {
        cycle(&mut link, Some(100 + more), false);
        more += 1;
    }
    // Of the credits, those were in use whose elements were on their way.
    assert_eq!(more, CREDITS - (STAGES as u64 + 2));
}

#[test]
fn elements_keep_their_order_and_their_times() {
    let mut link = ready!(Link2::new(STAGES));
    let mut random = Random(3);
    // Elements with the cycle in which each may be out, and cycles in which credits come home.
    let (mut inside, mut home) = (VecDeque::new(), VecDeque::new());
    let mut free = false;
    for now in 0..5000u64 {
        while home.front().is_some_and(|&at| at <= now) {
            home.pop_front();
        }
        let out = inside.front().copied().filter(|&(_, at)| at <= now && free);
        assert_eq!(link.out_valid.val(), out.is_some(), "{now}");
        assert!(out.is_none_or(|(element, _)| link.out_data.word() == element));
        assert_eq!(link.in_ready.val(), inside.len() + home.len() < CREDITS as usize, "{now}");
        assert_eq!(link.empty.val(), inside.is_empty() && home.is_empty(), "{now}");
        let (wish, take) = (random.tenths(if now / 50 % 2 == 0 { 9 } else { 3 }), random.tenths(5));
        let element = (wish && link.in_ready.val()).then_some(now % 65536);
        free = true;
        if out.is_some() && take {
            inside.pop_front();
            home.push_back(now + STAGES as u64 + 1);
        }
        inside.extend(element.map(|element| (element, now + STAGES as u64 + 2)));
        cycle(&mut link, element, take);
    }
}
