//! A whole core against `docs/hwwl.md`, in RustHDL's own simulation.

use hdl::hwwl::core::HwwlCore;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rust_hdl::prelude::*;
use std::collections::BTreeSet;

/// 4 lanes of 4 entries.
type Core = HwwlCore<4, 2, 3, 8, 2, 3, 5, 5>;

const LANES: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pulled {
    Nothing,
    Id(u64),
    Wait,
    Done,
}
use Pulled::{Done, Id, Nothing, Wait};

struct Bench(Core);

impl Bench {
    fn new() -> Self {
        let mut core = Core::new(5, 10);
        core.connect_all();
        check_all(&core).unwrap();
        let mut bench = Bench(core);
        bench.0.reset.next = true;
        bench.idle(1);
        bench.0.reset.next = false;
        bench
    }

    fn clock(&mut self) {
        for level in [false, true] {
            self.0.clock.next = level.into();
            assert!(simulate(&mut self.0, 1000));
        }
        self.0.pull.next = 0.into();
        self.0.push.next = 0.into();
        self.0.configure.next = false;
        self.0.kernel_end.next = false;
    }

    fn idle(&mut self, cycles: usize) {
        (0..cycles).for_each(|_| self.clock());
    }

    fn configure(&mut self, double: bool) {
        self.0.configure.next = true;
        self.0.double_buffer.next = double;
        self.clock();
    }

    fn kernel_end(&mut self) {
        self.0.kernel_end.next = true;
        self.clock();
    }

    fn pull(&mut self, lanes: u64) -> [Pulled; LANES] {
        self.0.pull.next = lanes.into();
        self.clock();
        let status = self.0.status.val().to_u64();
        std::array::from_fn(|i| match status >> (2 * i) & 3 {
            0 => Nothing,
            1 => Id(self.0.id[i].val().to_u64()),
            2 => Wait,
            _ => Done,
        })
    }

    /// Lanes push `first_id` + their number; the lanes that overflowed.
    fn push(&mut self, lanes: u64, first_id: u64) -> u64 {
        self.0.push.next = lanes.into();
        for (i, port) in self.0.push_id.iter_mut().enumerate() {
            port.next = (first_id + i as u64).into();
        }
        self.clock();
        self.0.overflow.val().to_u64()
    }

    fn count(&self) -> u64 {
        self.0.count.val().to_u64()
    }
}

#[test]
fn lanes_push_and_pull_their_own_banks() {
    let mut b = Bench::new();
    assert_eq!(b.push(0b1011, 100), 0);
    assert_eq!(b.count(), 3);
    assert_eq!(b.push(0b1111, 200), 0);
    assert_eq!(b.count(), 7);
    assert_eq!(b.pull(0b1001), [Id(100), Nothing, Nothing, Id(103)]);
    assert_eq!(b.count(), 5);
    assert_eq!(b.pull(0b1111), [Id(200), Id(101), Id(202), Id(203)]);
    assert_eq!(b.pull(0b1110), [Nothing, Id(201), Wait, Wait], "one bank still holds an ID in the cycle of the pull");
    assert_eq!(b.pull(0b0110), [Nothing, Done, Done, Nothing]);
    assert_eq!(b.pull(0), [Nothing; 4]);
    assert_eq!(b.count(), 0);
}

#[test]
fn an_overflow_names_the_lane_and_drops_the_id() {
    let mut b = Bench::new();
    b.configure(true);
    for round in 0..2 {
        assert_eq!(b.push(0b1111, 10 * round), 0);
    }
    assert_eq!(b.push(0b0110, 90), 0b0110);
    assert_eq!(b.count(), 8);
    b.idle(1);
    assert_eq!(b.0.overflow.val().to_u64(), 0);
}

#[test]
fn kernel_end_exchanges_the_sides_of_a_drained_core() {
    let mut b = Bench::new();
    b.kernel_end();
    assert!(!b.0.pull_part.val(), "ignored in single-buffer mode");
    b.configure(true);
    b.push(0b1111, 20);
    assert_eq!(b.pull(0b1111), [Done; 4], "what is pushed is for the next kernel");
    b.kernel_end();
    assert!(b.0.pull_part.val());
    b.push(0b0001, 50);
    b.kernel_end();
    assert!(b.0.pull_part.val(), "ignored while a pull side holds IDs");
    assert_eq!(b.pull(0b1111), [Id(20), Id(21), Id(22), Id(23)]);
    b.kernel_end();
    assert!(!b.0.pull_part.val());
    assert_eq!(b.pull(0b0001)[0], Id(50));
    assert_eq!(b.count(), 0);
}

#[test]
fn configure_is_obeyed_only_by_a_core_that_holds_nothing() {
    let mut b = Bench::new();
    b.push(0b0001, 7);
    b.configure(true);
    assert_eq!(b.pull(0b0001)[0], Id(7), "still in single-buffer mode");
    b.configure(true);
    b.push(0b0001, 8);
    assert_eq!(b.pull(0b0001)[0], Done, "in double-buffer mode");
    b.configure(false);
    b.kernel_end();
    assert_eq!(b.pull(0b0001)[0], Id(8), "the push side counted");
    b.configure(false);
    b.push(0b0001, 9);
    assert_eq!(b.pull(0b0001)[0], Id(9), "back in single-buffer mode, with partition 0");
}

#[test]
fn work_of_one_lane_reaches_the_others() {
    let mut b = Bench::new();
    for id in 0..4 {
        b.push(0b0001, id);
    }
    b.idle(50);
    assert_eq!(b.count(), 4);
    let mut ids: Vec<_> = b.pull(0b1111).iter().map(|p| format!("{p:?}")).collect();
    ids.sort();
    assert_eq!(ids, ["Id(0)", "Id(1)", "Id(2)", "Id(3)"], "one each");
}

#[test]
fn an_id_between_banks_is_counted_and_forbids_done() {
    let mut b = Bench::new();
    b.push(0b0001, 1);
    b.push(0b0001, 2);
    // The first event moves one of the two. Lanes ask all the time: nobody may hear DONE before both have come out.
    let mut seen = vec![];
    for cycle in 0..60 {
        let count = b.count();
        if cycle < 13 {
            b.idle(1);
            continue;
        }
        for answer in b.pull(0b1110) {
            match answer {
                Id(id) => seen.push(id),
                Done => assert_eq!(count, 0),
                Wait => assert!(count > 0 || b.0.count.val() == 0),
                Nothing => {}
            }
        }
        assert_eq!(b.count() + seen.len() as u64, 2);
    }
    assert_eq!(seen.len(), 1, "the other one is alone in its bank and stays");
    assert_eq!(b.count(), 1);
}

#[test]
fn the_push_side_is_levelled_too() {
    let mut b = Bench::new();
    b.configure(true);
    b.push(0b0100, 0);
    b.push(0b0100, 1);
    b.idle(40);
    b.kernel_end();
    let ids: Vec<_> = b.pull(0b1111).into_iter().filter(|p| matches!(p, Id(_))).collect();
    assert_eq!(ids.len(), 2, "{ids:?}");
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Pull(u64),
    Push(u64),
    KernelEnd,
    Idle,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (1..16u64).prop_map(Step::Pull),
        4 => (1..16u64).prop_map(Step::Push),
        1 => Just(Step::KernelEnd),
        2 => Just(Step::Idle),
    ];
    proptest::collection::vec(step, 1..200)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..Default::default() })]

    /// Whatever the redistribution does: no ID is lost, none comes twice, and DONE is true.
    #[test]
    fn every_id_comes_out_exactly_once(double: bool, steps in steps()) {
        let mut b = Bench::new();
        b.configure(double);
        let (mut inside, mut next_id) = (BTreeSet::new(), 0);
        let take = |b: &mut Bench, lanes: u64, inside: &mut BTreeSet<u64>| {
            let mut done = 0;
            for answer in b.pull(lanes) {
                match answer {
                    Id(id) => assert!(inside.remove(&id), "{id} was not inside"),
                    Done => done += 1,
                    Nothing | Wait => {}
                }
            }
            assert!(double || done == 0 || inside.is_empty(), "DONE with {} IDs inside", inside.len());
            assert_eq!(b.count(), inside.len() as u64);
            done
        };
        for step in steps {
            match step {
                Step::Idle => b.idle(3),
                Step::KernelEnd => b.kernel_end(),
                Step::Pull(lanes) => drop(take(&mut b, lanes, &mut inside)),
                Step::Push(lanes) => {
                    let overflowed = b.push(lanes, next_id);
                    inside.extend((0..4).filter(|i| (lanes & !overflowed) >> i & 1 == 1).map(|i| next_id + i));
                    next_id += 4;
                    assert_eq!(b.count(), inside.len() as u64);
                }
            }
        }
        for _ in 0..200 {
            if take(&mut b, 0b1111, &mut inside) == 4 {
                b.kernel_end();
            }
            b.idle(1);
        }
        assert!(inside.is_empty(), "{inside:?} never came out");
    }
}
