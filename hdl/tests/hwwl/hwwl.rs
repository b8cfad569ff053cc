//! The whole worklist, two cores of four lanes, in RustHDL's own simulation: threads that pull and push at random, a
//! memory that answers when it likes. Every ID comes out once, `count` is right in every cycle, DONE means done.

use crate::common::{clock, ready, Random, Word};
use hdl::hwwl::hwwl::Hwwl;
use hdl::hwwl::hwwl_core::Options;
use hdl::hwwl::{Refill, Scheme};
use std::collections::{BTreeMap, BTreeSet};

/// 2 cores of 4 lanes of 32 entries.
type Small<const Q: usize, const K: usize, const B: usize> = Hwwl<2, 4, 2, 8, 5, 6, 8, 8, 3, 9, Q, K, B>;
type Near = System<2, 3, 7>;
/// One or two cycles away from the icrn.
type Far = System<3, 4, 9>;

const CORES: usize = 2;
const LANES: usize = 4;
const WAIT: u64 = 2;
const DONE: u64 = 3;

/// A load: core, tag, line, cycle in which it comes back.
struct Load {
    core: usize,
    tag: u64,
    line: u64,
    due: u64,
}

struct System<const Q: usize, const K: usize, const B: usize> {
    top: Box<Small<Q, K, B>>,
    link: usize,
    random: Random,
    now: u64,
    double: bool,
    memory: BTreeMap<u64, [u64; 32]>,
    loads: Vec<Load>,
    /// IDs in the worklist that this kernel pulls, and (double-buffer mode) those for the next.
    now_side: BTreeSet<u64>,
    next_side: BTreeSet<u64>,
    next_id: u64,
    /// Lanes whose thread works on an ID.
    active: [u64; CORES],
    asked: [u64; CORES],
    /// Lanes that were told DONE.
    done: [u64; CORES],
    stores: usize,
    partial_stores: usize,
    waits: usize,
    crossed: usize,
}

impl<const Q: usize, const K: usize, const B: usize> System<Q, K, B> {
    fn new(options: Options, link: usize, double: bool, seed: u64) -> Self {
        let mut system = System {
            top: ready!(Small::new(options, link)),
            link,
            random: Random(seed),
            now: 0,
            double,
            memory: BTreeMap::new(),
            loads: vec![],
            now_side: BTreeSet::new(),
            next_side: BTreeSet::new(),
            next_id: 1,
            active: [0; CORES],
            asked: [0; CORES],
            done: [0; CORES],
            stores: 0,
            partial_stores: 0,
            waits: 0,
            crossed: 0,
        };
        clock!(system.top, configure; double_buffer = double);
        for core in 0..CORES {
            system.top.init_base[core].next = (1000 * (core as u64 + 1)).into();
            system.top.init_lines[core].next = 65.into();
        }
        clock!(system.top, init);
        system
    }

    /// Memory in this cycle.
    fn memory(&mut self) {
        for core in 0..CORES {
            let ready = self.random.below(3) != 0;
            self.top.mem_ready[core].next = ready;
            if self.top.mem_valid[core].val() && ready {
                let line = self.top.mem_line[core].word();
                assert!((1000 * (core as u64 + 1)..).take(65).any(|l| l == line), "line {line} of core {core}");
                if self.top.mem_write[core].val() {
                    let ids = std::array::from_fn(|w| self.top.mem_id[w][core].word());
                    let count = self.top.mem_count[core].word() as usize;
                    assert!(ids[count..].iter().all(|&id| id == 0));
                    self.stores += 1;
                    self.partial_stores += (count < 32) as usize;
                    self.memory.insert(line, ids);
                } else {
                    let due = self.now + 1 + self.random.bits() % 30;
                    self.loads.push(Load { core, tag: self.top.mem_tag[core].word(), line, due });
                }
            }
            let ready = self.top.line_ready[core].val();
            let back = self.loads.iter().position(|l| l.core == core && l.due <= self.now).filter(|_| ready);
            self.top.line_valid[core].next = back.is_some();
            if let Some(load) = back.map(|place| self.loads.remove(place)) {
                self.top.line_tag[core].next = load.tag.into();
                let ids = self.memory[&load.line];
                (0..32).for_each(|w| self.top.line_id[w][core].next = ids[w].into());
            }
        }
    }

    /// A cycle in which each core pulls with some lanes or pushes with some.
    fn cycle(&mut self, pull: [u64; CORES], push: [u64; CORES]) {
        self.memory();
        for core in 0..CORES {
            self.top.pull[core].next = pull[core].into();
            self.top.leave[core].next = (pull[core] & self.active[core]).into();
            self.active[core] &= !pull[core];
            self.top.push[core].next = push[core].into();
            for lane in (0..LANES).filter(|lane| push[core] >> lane & 1 == 1) {
                self.top.push_id[lane][core].next = self.next_id.into();
                let side = if self.double { &mut self.next_side } else { &mut self.now_side };
                side.insert(self.next_id);
                self.next_id += 1;
            }
        }
        self.asked = pull;
        clock!(self.top);
        self.now += 1;
        // An ID counts in the cycle in which it is handed out.
        let inside = (self.now_side.len() + self.next_side.len()) as u64;
        for core in 0..CORES {
            assert!(!self.top.overflow[core].val());
            self.answers(core);
        }
        let counted: u64 = self.top.count.iter().map(|c| c.word()).sum::<u64>() + self.top.held.word();
        self.crossed += (self.top.held.word() > 0) as usize;
        assert_eq!(counted, inside, "cycle {}", self.now);
    }

    fn answers(&mut self, core: usize) {
        let status = self.top.status[core].word();
        for lane in 0..LANES {
            let answer = status >> (2 * lane) & 3;
            assert_eq!(answer != 0, self.asked[core] >> lane & 1 == 1);
            match answer {
                1 => {
                    let id = self.top.id[lane][core].word();
                    assert!(self.now_side.remove(&id), "cycle {}: {id} is not there", self.now);
                    self.active[core] |= 1 << lane;
                }
                DONE => {
                    self.done[core] |= 1 << lane;
                    assert!(self.now_side.is_empty(), "cycle {}: DONE with {:?}", self.now, self.now_side);
                    assert!(self.double || self.active == [0; CORES]);
                }
                WAIT => self.waits += 1,
                _ => {}
            }
        }
    }

    fn idle(&mut self, cycles: usize) {
        (0..cycles).for_each(|_| self.cycle([0; CORES], [0; CORES]));
    }

    fn may_push(&self, core: usize) -> bool {
        self.top.push_ready[core].val()
    }

    /// Threads run until all have been told DONE; those that work push, as long as `work` is left.
    fn kernel(&mut self, mut work: usize) {
        self.done = [0; CORES];
        let start = self.now;
        while self.done != [0xf; CORES] {
            assert!(self.now < start + 40_000, "no end: {:?} {:?}", self.now_side, self.next_side);
            let (mut pull, mut push) = ([0; CORES], [0; CORES]);
            for core in 0..CORES {
                let lanes = self.random.bits() & 0xf & !self.done[core];
                if self.random.below(3) == 0 && self.may_push(core) {
                    // Core 0 makes most of the work, its first lanes above all.
                    let few = if core == 0 { 0xf } else { self.random.bits() & self.random.bits() };
                    push[core] = if work == 0 { 0 } else { lanes & self.active[core] & few };
                    work = work.saturating_sub(push[core].count_ones() as usize);
                } else if self.top.pending[core].val() || self.random.below(2) == 0 {
                    pull[core] = lanes & !self.active[core];
                } else {
                    pull[core] = lanes;
                }
            }
            self.cycle(pull, push);
        }
    }

    /// Fills the worklist before the first kernel.
    fn seed(&mut self, ids: usize) {
        while self.next_id < ids as u64 {
            let push = if self.may_push(0) { [self.random.bits() & 3 | 1, 0] } else { [0, 0] };
            self.cycle([0; CORES], push);
        }
    }

    fn exchange(&mut self) {
        self.idle(6 + 2 * self.link);
        while !(0..CORES).all(|core| self.may_push(core)) {
            self.idle(1);
        }
        let before = self.top.pull_part[0].val();
        self.top.kernel_end.next = true;
        self.idle(1);
        self.top.kernel_end.next = false;
        for core in 0..CORES {
            assert_eq!(self.top.pull_part[core].val(), !before, "core {core} did not exchange its sides");
        }
        assert!(self.now_side.is_empty());
        std::mem::swap(&mut self.now_side, &mut self.next_side);
    }

    /// Kernels that pull what they and those before have pushed.
    fn run(mut self) -> Self {
        self.seed(200);
        if self.double {
            self.exchange();
            self.kernel(150);
            self.exchange();
            self.kernel(30);
            self.exchange();
        } else {
            self.idle(2 * self.link);
            self.kernel(150);
        }
        self.kernel(0);
        assert!(self.now_side.is_empty() && self.next_side.is_empty());
        assert!(self.stores > 0, "memory was never needed");
        assert!(self.waits > 0);
        self
    }
}

fn options(scheme: Scheme, refill: Refill) -> Options {
    Options { scheme, threshold: 5, interval: 10, refill, bins: false }
}

fn check(scheme: Scheme, refill: Refill, double: bool) {
    let seed = if double { 0x7654321 } else { 0x1234567 };
    let system = Near::new(options(scheme, refill), 0, double, seed).run();
    assert_eq!(system.crossed > 0, scheme != Scheme::None, "IDs are between the cores");
    assert_eq!(system.partial_stores > 0, double);
}

#[test]
fn cores_that_are_far_apart() {
    for (link, double) in [(1, true), (2, true), (2, false)] {
        let options = options(Scheme::LocalSorting, Refill::Interval(10));
        assert!(Far::new(options, link, double, 0x7654321).run().crossed > 0);
    }
}

/// A test for each scheme: how it refills in single-buffer mode, and in double-buffer mode.
macro_rules! schemes {
    ($($test:ident: $scheme:ident, $single:expr, $double:expr;)+) => {
        $(#[test]
        fn $test() {
            check(Scheme::$scheme, $single, false);
            check(Scheme::$scheme, $double, true);
        })+
    };
}

schemes! {
    no_redistribution: None, Refill::Interval(10), Refill::Demand;
    threshold: Threshold, Refill::Demand, Refill::Interval(10);
    local_sorting: LocalSorting, Refill::Demand, Refill::Interval(7);
    serial: Serial, Refill::Demand, Refill::Interval(10);
    global_sorting: GlobalSorting, Refill::Interval(10), Refill::Demand;
}
