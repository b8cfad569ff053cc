//! The queue against a list.

use crate::common::{clock, ready, Random, Word};
use hdl::prim::queue::Queue;
use std::collections::VecDeque;

type Queue4 = Queue<16, 2, 3>;

fn queue() -> Box<Queue4> {
    ready!(Queue4::default())
}

fn cycle(queue: &mut Queue4, push: Option<u64>, take: bool) {
    queue.push.next = push.is_some();
    queue.push_data.next = push.unwrap_or(0xdead).into();
    queue.take.next = take;
    clock!(queue);
}

#[test]
fn a_push_is_the_head_two_cycles_later() {
    let mut queue = queue();
    assert!(queue.empty.val());
    cycle(&mut queue, Some(7), false);
    assert!(!queue.head_valid.val() && !queue.empty.val());
    cycle(&mut queue, None, false);
    assert!(queue.head_valid.val());
    assert_eq!(queue.head_data.word(), 7);
    cycle(&mut queue, None, true);
    assert!(!queue.head_valid.val() && queue.empty.val());
}

#[test]
fn holds_its_entries_and_a_head() {
    let mut queue = queue();
    for i in 0..5 {
        assert!(!queue.full.val(), "{i}");
        cycle(&mut queue, Some(i), false);
    }
    assert!(queue.full.val());
    for i in 0..5 {
        assert!(queue.head_valid.val());
        assert_eq!(queue.head_data.word(), i, "one a cycle");
        cycle(&mut queue, None, true);
        assert!(!queue.full.val());
    }
    assert!(queue.empty.val());
}

#[test]
fn keeps_the_order_under_random_stimulus() {
    let mut queue = queue();
    // The content of the memory, and of the pins.
    let (mut inside, mut head) = (VecDeque::new(), None);
    let mut random = Random(1);
    for i in 0..5000 {
        let wish_push = random.tenths(if i / 50 % 2 == 0 { 8 } else { 3 });
        let wish_take = random.tenths(5);
        assert_eq!(queue.head_valid.val(), head.is_some());
        if let Some(head) = head {
            assert_eq!(queue.head_data.word(), head);
        }
        assert_eq!(queue.full.val(), inside.len() == 4);
        assert_eq!(queue.empty.val(), inside.is_empty() && head.is_none());
        let push = (wish_push && inside.len() < 4).then_some(i % 65536);
        let take = wish_take && head.is_some();
        cycle(&mut queue, push, take);
        if take || head.is_none() {
            head = inside.pop_front();
        }
        inside.extend(push);
    }
}
