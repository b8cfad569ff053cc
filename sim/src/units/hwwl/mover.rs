//! The part of redistribution units that moves IDs, common to `wru_threshold` and `wru_sorting`. The numbers in comments are those
//! of the rules in `docs/hwwl/wru.md`.

use super::pins::{WruIn, WruOut, MAX_BANKS};
use super::Parameters;
use crate::unit::{rule, Fault, Interface, Unit};
use crate::units::pins::interface;
use std::fmt::Debug;

/// The step of a pair in the cycle at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Pop,
    PopAnswer,
    Push,
    PushAnswer,
}

/// The greedy bits, and the pairs of the ranks, take one cycle with so many banks, and two with more.
pub(super) const BANKS_IN_A_CYCLE: usize = 32;

#[derive(Clone, Copy, Debug)]
struct Pair {
    giver: usize,
    /// `None`: the giver is a sender, its ID goes to another core.
    taker: Option<usize>,
    phase: Phase,
    /// Pops so far, the one at hand included.
    attempts: u32,
    id: u32,
}

const NO_PAIR: Pair = Pair { giver: 0, taker: None, phase: Phase::Pop, attempts: 0, id: 0 };

#[derive(Clone, Debug)]
pub struct Mover {
    pub banks: usize,
    pub threshold: u32,
    interval: u32,
    counter: u32,
    /// Turns the order of the banks by one at every tick.
    pub rotation: usize,
    /// Cycles until the pairs of the last tick start; 0 if they have.
    starts_in: u32,
    pairs: [Pair; MAX_BANKS / 2 + 1],
    pair_count: usize,
    /// The greedy bits of the occupancies before the last edge.
    counted: u8,
    pub out: WruOut,
}

/// Between which banks a unit moves IDs.
pub trait Ranking: Clone + Debug {
    /// The unit's name.
    const UNIT: &'static str;
    /// Looks at the banks at a tick, and tells the mover with [`Mover::choose`].
    fn tick(&mut self, pins: &WruIn, mover: &mut Mover);
    /// Starts the pairs of the tick, and a sender.
    fn start_pairs(&mut self, pins: &WruIn, mover: &mut Mover);
}

/// A redistribution unit.
#[derive(Clone, Debug)]
pub struct Wru<R> {
    entries: usize,
    ranking: R,
    pub(super) mover: Mover,
}

/// The part of a cycle in the interval, for the ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    Tick,
    /// Pairs may be started.
    Start,
    Other,
}

fn bit(mask: u64, i: usize) -> bool {
    mask >> i & 1 == 1
}

/// The partitions of which more banks are above the threshold than below it, a bit each.
pub(super) fn greedy_bits(pins: &WruIn, banks: usize, threshold: u32) -> u8 {
    let greedy = |side: &[u32]| {
        let balance = |&occupancy: &u32| (occupancy > threshold) as i32 - (occupancy < threshold) as i32;
        side[..banks].iter().map(balance).sum::<i32>() > 0
    };
    let (pull, push) = (greedy(&pins.pull_occupancy) as u8, greedy(&pins.push_occupancy) as u8);
    if pins.pull_part {
        push | pull << 1
    } else {
        pull | push << 1
    }
}

impl Mover {
    pub fn new(banks: usize, threshold: u32, interval: u32) -> Self {
        Mover {
            banks,
            threshold,
            interval,
            counter: 0,
            rotation: 0,
            starts_in: 0,
            pairs: [NO_PAIR; MAX_BANKS / 2 + 1],
            pair_count: 0,
            counted: 0,
            out: WruOut::default(),
        }
    }

    pub fn reset(&mut self) {
        *self = Mover::new(self.banks, self.threshold, self.interval);
    }

    /// Rule 1, and the count of the cycles from the tick to the start.
    pub fn moment(&self) -> Moment {
        if self.starts_in == 1 {
            Moment::Start
        } else if self.counter == self.interval - 1 && self.starts_in == 0 && !self.out.moving {
            Moment::Tick
        } else {
            Moment::Other
        }
    }

    /// Rule 2: takes over the side that was chosen at a tick; pairs start `latency` cycles later.
    pub fn choose(&mut self, pins: &WruIn, pull_side: bool, latency: u32) {
        self.out.part = pins.pull_part == pull_side;
        self.rotation = (self.rotation + 1) % self.banks;
        self.starts_in = latency + 1;
    }

    pub fn start(&mut self, giver: usize, taker: usize) {
        self.add(giver, Some(taker));
    }

    /// Rule 3: an ID may go to another core in this cycle.
    pub fn may_send(&self, pins: &WruIn) -> bool {
        let part = self.out.part as u32;
        pins.send >> part & 1 == 1 && self.out.greedy >> part & 1 == 1 && !self.out.out_valid
    }

    pub fn start_sender(&mut self, giver: usize) {
        self.add(giver, None);
    }

    fn add(&mut self, giver: usize, taker: Option<usize>) {
        self.pairs[self.pair_count] = Pair { giver, taker, phase: Phase::Pop, attempts: 1, id: 0 };
        self.pair_count += 1;
    }

    /// The edge: pairs that were under way before this cycle go on, and `out` shows all. `changed`: occupancies or the
    /// pull side may differ from those of the cycle before.
    pub fn clock(&mut self, pins: &WruIn, under_way: bool, changed: bool) {
        if self.out.out_valid && pins.out_ready {
            self.out.out_valid = false;
        }
        if under_way {
            self.advance_pairs(pins);
        }
        if under_way || self.pair_count > 0 {
            self.show_pairs();
        }
        let counted_before = self.counted;
        if changed {
            self.counted = greedy_bits(pins, self.banks, self.threshold);
        }
        self.out.greedy = if self.banks > BANKS_IN_A_CYCLE { counted_before } else { self.counted };
        self.starts_in = self.starts_in.saturating_sub(1);
        self.counter = if self.counter == self.interval - 1 { 0 } else { self.counter + 1 };
    }

    /// Rules 4 and 5: what a pair does in the next cycle; `None` if it is through.
    fn advance(&mut self, mut pair: Pair, pins: &WruIn) -> Option<Pair> {
        pair.phase = match (pair.phase, pair.taker) {
            (Phase::Pop, _) => Phase::PopAnswer,
            (Phase::PopAnswer, taker) if bit(pins.wru_valid, pair.giver) => {
                pair.id = pins.id[pair.giver];
                if taker.is_none() {
                    self.send(pair.id);
                    return None;
                }
                Phase::Push
            }
            (Phase::PopAnswer, _) if pair.attempts == self.interval / 2 => return None,
            (Phase::PopAnswer, _) => {
                pair.attempts += 1;
                Phase::Pop
            }
            (Phase::Push, _) => Phase::PushAnswer,
            (Phase::PushAnswer, Some(taker)) if bit(pins.wru_accepted, taker) => return None,
            (Phase::PushAnswer, _) => Phase::Push,
        };
        Some(pair)
    }

    fn send(&mut self, id: u32) {
        self.out.out_valid = true;
        self.out.out_part = self.out.part;
        self.out.out_id = id;
    }

    fn advance_pairs(&mut self, pins: &WruIn) {
        let mut kept = 0;
        for i in 0..self.pair_count {
            if let Some(pair) = self.advance(self.pairs[i], pins) {
                self.pairs[kept] = pair;
                kept += 1;
            }
        }
        self.pair_count = kept;
    }

    fn show_pairs(&mut self) {
        self.out.pop = 0;
        self.out.push = 0;
        self.out.moving = self.pair_count > 0;
        for pair in &self.pairs[..self.pair_count] {
            match (pair.phase, pair.taker) {
                (Phase::Pop, _) => self.out.pop |= 1 << pair.giver,
                (Phase::Push, Some(taker)) => {
                    self.out.push |= 1 << taker;
                    self.out.push_id[taker] = pair.id;
                }
                _ => {}
            }
        }
    }

    /// An edge at which only the counter moves, whatever the inputs; false if this is none, and nothing was done.
    #[inline]
    pub fn rest(&mut self) -> bool {
        let rests = self.counter != self.interval - 1 && self.starts_in == 0 && !self.out.moving && !self.out.out_valid;
        self.counter += rests as u32;
        rests
    }

    /// Pairs were under way before this cycle's start of others.
    pub fn is_under_way(&self) -> bool {
        self.pair_count > 0
    }

    /// A bank answers only what it was asked.
    pub fn check_rules(&self, pins: &WruIn, unit: &str) -> Result<(), Fault> {
        let asked = |phase: Phase, bank: fn(&Pair) -> Option<usize>| {
            let pairs = self.pairs[..self.pair_count].iter().filter(move |pair| pair.phase == phase);
            pairs.filter_map(bank).fold(0, |mask, bank| mask | 1u64 << bank)
        };
        let (pops, pushes) = (asked(Phase::PopAnswer, |p| Some(p.giver)), asked(Phase::PushAnswer, |p| p.taker));
        rule(pins.wru_valid & !pops == 0, format_args!("{unit}: wru_valid without a pop"))?;
        rule(pins.wru_accepted & !pushes == 0, format_args!("{unit}: wru_accepted without a push"))?;
        rule(pins.double_buffer || !pins.pull_part, format_args!("{unit}: pull_part high in single-buffer mode"))
    }
}

impl<R: Ranking> Wru<R> {
    pub(super) fn over(banks: usize, parameters: &Parameters, ranking: R) -> Self {
        let Parameters { entries, threshold, interval, .. } = *parameters;
        Wru { entries, ranking, mover: Mover::new(banks, threshold, interval) }
    }

    /// This cycle's output pins, without a copy.
    #[inline]
    pub(super) fn pins(&self) -> &WruOut {
        &self.mover.out
    }

    /// As [`Mover::rest`].
    #[inline]
    pub(super) fn rest(&mut self) -> bool {
        self.mover.rest()
    }

    /// [`Unit::clock`]; `changed` as in [`Mover::clock`].
    #[inline]
    pub(super) fn step(&mut self, pins: &WruIn, changed: bool) {
        let under_way = self.mover.is_under_way();
        match self.mover.moment() {
            Moment::Tick => self.ranking.tick(pins, &mut self.mover),
            Moment::Start => self.ranking.start_pairs(pins, &mut self.mover),
            Moment::Other => {}
        }
        self.mover.clock(pins, under_way, changed);
    }
}

impl<R: Ranking> Unit for Wru<R> {
    type In = WruIn;
    type Out = WruOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>((self.mover.banks, self.entries))
    }

    fn outputs(&self) -> WruOut {
        self.mover.out
    }

    fn clock(&mut self, pins: &WruIn) -> Result<(), Fault> {
        self.mover.check_rules(pins, R::UNIT)?;
        self.step(pins, true);
        Ok(())
    }

    fn reset(&mut self) {
        self.mover.reset();
    }
}
