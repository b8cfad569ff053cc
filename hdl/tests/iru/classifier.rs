//! The classifier of 4 partitions with 8 sets.

use crate::iru::{clock, indices_of, on_pins, place, ready, Element, Random};
use hdl::iru::classifier::Classifier;
use hdl::iru::iru_hash::HashKind;

/// H = 2 + 1 + 2.
type Classifier4 = Classifier<2, 5, 2, 4, 0>;

fn classifier(partition: u64) -> Box<Classifier4> {
    let mut c = ready!(Classifier4::new(HashKind::Multiplicative));
    c.size.next = 2.into();
    c.partition.next = partition.into();
    c
}

fn group(c: &mut Classifier4, elements: &[Element]) {
    c.group_valid.next = true;
    c.group_count.next = (elements.len() as u64).into();
    c.group_position.next = elements[0].2.into();
    for (i, element) in elements.iter().enumerate() {
        c.group_index[i].next = element.0.into();
        c.group_secondary[i].next = element.1.into();
    }
}

fn set_ready(c: &mut Classifier4, ready: [bool; 4]) {
    [c.bank_0_ready.next, c.bank_1_ready.next, c.cw_ready.next, c.ccw_ready.next] = ready;
}

fn outputs(c: &Classifier4) -> [Option<Element>; 4] {
    [on_pins!(c.bank_0), on_pins!(c.bank_1), on_pins!(c.cw), on_pins!(c.ccw)]
}

/// 0, 1: a bank here, 2: clockwise, 3: counterclockwise.
fn way(index: u64, own: u64) -> usize {
    let (partition, bank, _) = place(index, 2, 2);
    match (partition + 4 - own) % 4 {
        0 => bank as usize,
        1 => 2,
        3 => 3,
        _ => 2 + own as usize % 2,
    }
}

#[test]
fn a_group_leaves_to_four_outputs_at_once() {
    let mut c = classifier(0);
    // Two for each bank, one for each other partition.
    let mut indices: Vec<u64> =
        [(0, 0, 1), (0, 0, 2), (0, 1, 0), (0, 1, 3)].map(|p| indices_of(p, 2, 2, 1)[0]).to_vec();
    indices.extend([1, 2, 3].map(|partition| indices_of((partition, 1, 1), 2, 2, 1)[0]));
    let elements: Vec<Element> = indices.iter().enumerate().map(|(i, &x)| (x, 90 + i as u64, 800 + i as u64)).collect();
    set_ready(&mut c, [true; 4]);
    group(&mut c, &elements);
    assert!(c.group_ready.val() && c.empty.val());
    clock!(c);
    c.group_valid.next = false;
    assert!(!c.group_ready.val() && !c.empty.val());
    clock!(c);
    assert!(!c.group_ready.val(), "the hash takes two cycles");
    clock!(c);
    assert!(c.group_ready.val(), "a group every three cycles");
    assert_eq!(outputs(&c), [None; 4]);
    clock!(c);
    let e = |i: usize| Some(elements[i]);
    assert_eq!(outputs(&c), [e(0), e(2), e(4), e(6)]);
    clock!(c);
    assert_eq!(outputs(&c), [e(1), e(3), e(5), None], "half way round: clockwise from partition 0");
    clock!(c);
    assert_eq!(outputs(&c), [None; 4]);
    assert!(c.empty.val());
}

#[test]
fn every_element_takes_its_way_in_order() {
    for own in 0..4 {
        let mut random = Random(own + 40);
        let mut c = classifier(own);
        let mut wanted = [(); 4].map(|_| vec![]);
        let mut got = [(); 4].map(|_| vec![]);
        let mut position = 0;
        for cycle in 0..1500 {
            if cycle < 1300 && c.group_ready.val() && random.tenths(8) {
                let count = 1 + random.below(8);
                let elements: Vec<Element> =
                    (0..count).map(|i| (random.below(1 << 24), random.below(1 << 32), position + i)).collect();
                position += 8;
                elements.iter().for_each(|&e| wanted[way(e.0, own)].push(e));
                group(&mut c, &elements);
            } else {
                c.group_valid.next = false;
            }
            let ready = [(); 4].map(|_| random.tenths(6));
            set_ready(&mut c, ready);
            for (output, element) in outputs(&c).into_iter().enumerate() {
                got[output].extend(element.filter(|_| ready[output]));
            }
            clock!(c);
        }
        assert!(c.empty.val());
        assert!(wanted.iter().all(|w| w.len() > 50));
        assert_eq!(got, wanted, "partition {own}");
    }
}
