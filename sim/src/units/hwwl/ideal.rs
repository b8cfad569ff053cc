//! Worklists that no hardware could be, behind the pins of `hwwl`: what the paper measures the real one against (IV-B, IV-D).
//!
//! Two more show what of the gain of sorting is left when each core sorts by itself.
//!
//! All of them take and give any number of IDs in a cycle, never fill, and know at once what happens in every core. A pull
//! that finds no ID answers DONE if nobody can get one any more: in double-buffer mode when the pull side is empty, in
//! single-buffer mode when no thread holds an ID either; otherwise WAIT.

mod even_banks;
mod sorted_cores;

use super::pins::{status, HwwlCoreOut, HwwlIn, HwwlOut, MAX_LANES};
use super::Parameters;
use crate::unit::{Fault, Interface, Unit};
use crate::units::bits::bits;
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;
use even_banks::EvenBanks;
use sorted_cores::{SortedCores, Split};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// IDs that a queue has room for at the start.
const FIRST_ROOM: usize = 1 << 16;

/// The rule by which a pull gets an ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The oldest of all: one queue for all lanes of all cores (IV-B).
    Fifo,
    /// The least of all (IV-B: "sorts the worklist by work ID before every pull").
    Sorted,
    /// The oldest of the lane's bank, where all banks of all cores are evenly filled after every cycle (IV-D: "magic").
    Magic,
    /// The least of those that the lanes of the core pushed. A core without any takes from the core that has most.
    CoreSorted,
    /// The same, but whoever pushes an ID, it goes to the core that owns the ID's block.
    OwnerSorted,
}

/// The IDs of one side.
#[derive(Clone, Debug)]
enum Pool {
    Fifo(VecDeque<u32>),
    Sorted(BinaryHeap<Reverse<u32>>),
    Magic(EvenBanks),
    SortedCores(SortedCores),
}

impl Pool {
    fn new(order: Order, cores: usize, lanes: usize) -> Self {
        let sorted_cores = |split| Pool::SortedCores(SortedCores::new(cores, lanes, split));
        match order {
            Order::Fifo => Pool::Fifo(VecDeque::with_capacity(FIRST_ROOM)),
            Order::Sorted => Pool::Sorted(BinaryHeap::with_capacity(FIRST_ROOM)),
            Order::Magic => Pool::Magic(EvenBanks::new(cores * lanes)),
            Order::CoreSorted => sorted_cores(Split::ByPusher),
            Order::OwnerSorted => sorted_cores(Split::ByBlock),
        }
    }

    fn len(&self) -> usize {
        match self {
            Pool::Fifo(ids) => ids.len(),
            Pool::Sorted(ids) => ids.len(),
            Pool::Magic(banks) => banks.len(),
            Pool::SortedCores(cores) => cores.len(),
        }
    }

    fn push(&mut self, bank: usize, id: u32) {
        match self {
            Pool::Fifo(ids) => ids.push_back(id),
            Pool::Sorted(ids) => ids.push(Reverse(id)),
            Pool::Magic(even) => even.push(bank, id),
            Pool::SortedCores(cores) => cores.push(bank, id),
        }
    }

    fn pull(&mut self, bank: usize) -> Option<u32> {
        match self {
            Pool::Fifo(ids) => ids.pop_front(),
            Pool::Sorted(ids) => ids.pop().map(|Reverse(id)| id),
            Pool::Magic(even) => even.pull(bank),
            Pool::SortedCores(cores) => cores.pull(bank),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Ideal {
    parameters: Parameters,
    order: Order,
    sides: [Pool; 2],
    double_mode: bool,
    pull_part: usize,
    /// IDs that threads hold.
    active: u32,
    status: Vec<u64>,
    id: Vec<[u32; MAX_LANES]>,
}

impl Ideal {
    /// The pools of `parameters.cores` cores with `parameters.lanes` lanes; other parameters do not count.
    pub fn new(parameters: &Parameters, order: Order) -> Result<Self, ParameterError> {
        spec::hwwl::CORES.check("ideal", parameters.cores as u64)?;
        spec::hwwl::LANES.check("ideal", parameters.lanes as u64)?;
        let Parameters { cores, lanes, .. } = *parameters;
        let pool = || Pool::new(order, cores, lanes);
        Ok(Ideal {
            parameters: *parameters,
            order,
            sides: [pool(), pool()],
            double_mode: false,
            pull_part: 0,
            active: 0,
            status: vec![0; cores],
            id: vec![[0; MAX_LANES]; cores],
        })
    }

    fn count(&self) -> usize {
        self.sides[0].len() + self.sides[1].len()
    }

    /// IDs on the pins in this cycle.
    fn handed_out(&self) -> u32 {
        let ids = |status: &u64| (status & !(status >> 1) & 0x5555_5555_5555_5555).count_ones();
        self.status.iter().map(ids).sum()
    }

    fn push(&mut self, pins: &HwwlIn) {
        let side = if self.double_mode { 1 - self.pull_part } else { 0 };
        for (c, core) in pins.cores.iter().enumerate() {
            for lane in bits(core.push) {
                self.sides[side].push(c * self.parameters.lanes + lane, core.push_id[lane]);
            }
        }
    }

    fn pull(&mut self, pins: &HwwlIn) {
        for (c, core) in pins.cores.iter().enumerate() {
            for lane in bits(core.pull) {
                if let Some(id) = self.sides[self.pull_part].pull(c * self.parameters.lanes + lane) {
                    self.status[c] |= status::ID << (2 * lane);
                    self.id[c][lane] = id;
                    self.active += 1;
                }
            }
        }
    }

    /// The answer of pulls that found nothing, once all requests of the cycle are done.
    fn answer_rest(&mut self, pins: &HwwlIn) {
        let done = self.sides[self.pull_part].len() == 0 && (self.double_mode || self.active == 0);
        let code = if done { status::DONE } else { status::WAIT };
        for (status, core) in self.status.iter_mut().zip(&pins.cores) {
            for lane in bits(core.pull) {
                if *status >> (2 * lane) & 3 == status::NONE {
                    *status |= code << (2 * lane);
                }
            }
        }
    }
}

impl Unit for Ideal {
    type In = HwwlIn;
    type Out = HwwlOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(&self.parameters)
    }

    fn outputs(&self) -> HwwlOut {
        let mut pins = HwwlOut { held: 0, cores: vec![HwwlCoreOut::default(); self.parameters.cores] };
        self.sample(&mut pins);
        pins
    }

    /// Core 0 counts for all.
    fn sample(&self, pins: &mut HwwlOut) {
        for (c, core) in pins.cores.iter_mut().enumerate() {
            core.status = self.status[c];
            if core.status != 0 {
                core.id = self.id[c];
            }
            (core.push_ready, core.memory.line_ready) = (true, true);
            (core.pull_part, core.double_mode) = (self.pull_part == 1, self.double_mode);
        }
        // An ID counts in the cycle in which it is handed out.
        pins.cores[0].count = self.count() as u32 + self.handed_out();
    }

    fn clock(&mut self, pins: &HwwlIn) -> Result<(), Fault> {
        self.status.fill(0);
        let exchange = pins.kernel_end && self.double_mode && self.sides[self.pull_part].len() == 0;
        let configure = pins.configure && self.count() == 0;
        if pins.cores.iter().any(|core| core.pull | core.push | core.leave != 0) {
            self.pull(pins);
            self.push(pins);
            self.active -= pins.cores.iter().map(|core| core.leave.count_ones()).sum::<u32>();
            self.answer_rest(pins);
            for side in &mut self.sides {
                if let Pool::Magic(even) = side {
                    even.even_out();
                }
            }
        }
        if exchange {
            self.pull_part = 1 - self.pull_part;
        }
        if configure {
            (self.double_mode, self.pull_part) = (pins.double_buffer, 0);
        }
        Ok(())
    }

    fn reset(&mut self) {
        *self = Self::new(&self.parameters, self.order).expect("parameters that were checked");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::hwwl::hwwl::tests::play;
    use crate::units::hwwl::hwwl::tests::player::Play;

    fn parameters() -> Parameters {
        Parameters { cores: 2, lanes: 8, ..Default::default() }
    }

    /// Pushes `ids` on the lowest lanes of core 0.
    fn pushed(order: Order, ids: &[u32]) -> Ideal {
        let mut ideal = Ideal::new(&parameters(), order).unwrap();
        let mut pins = HwwlIn::new(2);
        pins.cores[0].push = (1 << ids.len()) - 1;
        pins.cores[0].push_id[..ids.len()].copy_from_slice(ids);
        ideal.clock(&pins).unwrap();
        ideal
    }

    /// The answers to the lanes of `mask` of both cores in the next cycle.
    fn pulled(ideal: &mut Ideal, masks: [u32; 2]) -> Vec<Option<u32>> {
        let mut pins = HwwlIn::new(2);
        (pins.cores[0].pull, pins.cores[1].pull) = (masks[0], masks[1]);
        ideal.clock(&pins).unwrap();
        let out = ideal.outputs();
        let lanes = out.cores.iter().zip(masks).flat_map(|(core, mask)| {
            bits(mask).map(move |lane| (core.status(lane) == status::ID).then_some(core.id[lane]))
        });
        lanes.collect()
    }

    #[test]
    fn fifo_gives_the_oldest_to_any_lane_of_any_core() {
        let mut ideal = pushed(Order::Fifo, &[9, 3, 5, 4]);
        assert_eq!(pulled(&mut ideal, [0b1000, 0b101]), [Some(9), Some(3), Some(5)]);
        assert_eq!(pulled(&mut ideal, [0, 0b11]), [Some(4), None]);
    }

    #[test]
    fn sorted_gives_the_least() {
        let mut ideal = pushed(Order::Sorted, &[9, 3, 5, 4]);
        assert_eq!(pulled(&mut ideal, [0b1000, 0b101]), [Some(3), Some(4), Some(5)]);
    }

    #[test]
    fn magic_spreads_every_push_over_all_lanes_of_all_cores() {
        let mut ideal = Ideal::new(&parameters(), Order::Magic).unwrap();
        let mut pins = HwwlIn::new(2);
        pins.cores[1].push = 1 << 3;
        for id in 0..16 {
            pins.cores[1].push_id[3] = id;
            ideal.clock(&pins).unwrap();
        }
        let mut ids: Vec<_> = pulled(&mut ideal, [0xff, 0xff]).into_iter().flatten().collect();
        ids.sort_unstable();
        assert_eq!(ids, (0..16).collect::<Vec<_>>(), "one for each lane");
    }

    #[test]
    fn a_core_that_sorts_by_itself_gives_its_own_least_first_and_then_from_another() {
        let mut ideal = pushed(Order::CoreSorted, &[9, 3, 5, 4]);
        assert_eq!(pulled(&mut ideal, [0b11, 0]), [Some(3), Some(4)]);
        assert_eq!(pulled(&mut ideal, [0, 0b111]), [Some(5), Some(9), None], "core 1 has pushed nothing");
    }

    #[test]
    fn an_owner_has_the_ids_of_its_blocks_whoever_pushed_them() {
        let mut ideal = pushed(Order::OwnerSorted, &[33, 2, 70, 35, 1]);
        assert_eq!(pulled(&mut ideal, [0b1, 0b11]), [Some(1), Some(33), Some(35)]);
        assert_eq!(pulled(&mut ideal, [0, 0b111]), [Some(2), Some(70), None], "what is left is of core 0");
    }

    #[test]
    fn done_and_wait_are_told_as_by_the_real_one() {
        let mut ideal = pushed(Order::Fifo, &[1]);
        assert_eq!(pulled(&mut ideal, [1, 1]), [Some(1), None]);
        assert_eq!(ideal.outputs().cores[1].status(0), status::WAIT, "a thread holds an ID and may push");
        let mut pins = HwwlIn::new(2);
        (pins.cores[0].leave, pins.cores[0].pull) = (1, 1);
        ideal.clock(&pins).unwrap();
        assert_eq!(ideal.outputs().cores[0].status(0), status::DONE);
    }

    #[test]
    fn every_ideal_conserves_ids_in_both_modes() {
        for order in [Order::Fifo, Order::Sorted, Order::Magic, Order::CoreSorted, Order::OwnerSorted] {
            for double in [false, true] {
                let how = Play { double, lines: 0, work: 10_000, seeds: 3_000, ..Default::default() };
                let mut ideal = Ideal::new(&parameters(), order).unwrap();
                let tally = play(&mut ideal, &parameters(), &how).unwrap();
                assert_eq!((tally.stores, tally.loads), (0, 0));
            }
        }
    }
}
