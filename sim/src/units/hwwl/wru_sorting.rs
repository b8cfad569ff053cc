//! `wru_sorting`: local sorting work redistribution (III-C). It ranks the banks by occupancy and lets the most occupied
//! give one ID each to the least occupied. The numbers in comments are those of the rules in `docs/hwwl.md`.

use super::pins::{wru_sorting_interface, WruIn, WruOut, MAX_LANES};
use super::{sorter, Parameters};
use crate::unit::{Interface, Unit};
use crate::units::parameter::ParameterError;

/// What a pair does in the cycle at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Pop,
    PopAnswer,
    Push,
    PushAnswer,
}

#[derive(Clone, Copy, Debug)]
struct Pair {
    giver: usize,
    taker: usize,
    phase: Phase,
    /// Pops so far, the one at hand included.
    attempts: u32,
    id: u32,
}

const NO_PAIR: Pair = Pair { giver: 0, taker: 0, phase: Phase::Pop, attempts: 0, id: 0 };

/// A bank as it was at the tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Ranked {
    occupancy: u32,
    /// Breaks ties.
    order: u32,
    lane: u32,
}

#[derive(Clone, Debug)]
pub struct WruSorting {
    parameters: Parameters,
    latency: u32,
    counter: u32,
    rotation: u32,
    /// Cycles until the result of the sort under way is out; 0 if there is none.
    sorting: u32,
    ranking: [Ranked; MAX_LANES],
    /// The event under way serves the pull side.
    on_pull_side: bool,
    pairs: [Pair; MAX_LANES / 2],
    pair_count: usize,
    out: WruOut,
}

impl WruSorting {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check("wru_sorting")?;
        Ok(WruSorting {
            parameters: *parameters,
            latency: sorter::wru_latency(parameters.lanes) as u32,
            counter: 0,
            rotation: 0,
            sorting: 0,
            ranking: Default::default(),
            on_pull_side: false,
            pairs: [NO_PAIR; MAX_LANES / 2],
            pair_count: 0,
            out: WruOut::default(),
        })
    }

    /// This cycle's output pins, without a copy.
    pub(super) fn pins(&self) -> &WruOut {
        &self.out
    }

    /// This cycle looks at the occupancies.
    pub(super) fn is_tick(&self) -> bool {
        self.counter == self.parameters.interval - 1 && self.sorting == 0 && !self.out.moving
    }

    /// Rule 2: the pull side if a lane of it starves while another could help.
    fn choose_pull_side(&self, pins: &WruIn) -> bool {
        let pull = &pins.pull_occupancy[..self.parameters.lanes];
        !pins.double || (pull.iter().any(|&o| o < self.parameters.threshold) && pull.iter().any(|&o| o >= 2))
    }

    fn tick(&mut self, pins: &WruIn) {
        let lanes = self.parameters.lanes as u32;
        self.on_pull_side = self.choose_pull_side(pins);
        self.out.part = pins.pull_part == self.on_pull_side;
        let side = if self.on_pull_side { &pins.pull_occupancy } else { &pins.push_occupancy };
        let side = &side[..lanes as usize];
        let ranking = &mut self.ranking[..lanes as usize];
        if side.iter().any(|&occupancy| occupancy >= 2) {
            for (lane, (ranked, &occupancy)) in (0..).zip(ranking.iter_mut().zip(side)) {
                *ranked = Ranked { occupancy, order: (lane + self.rotation) % lanes, lane };
            }
            ranking.sort_unstable();
        } else {
            // Nobody can give: any ranking without a gap will do.
            ranking.fill(Ranked::default());
        }
        self.rotation = (self.rotation + 1) % lanes;
        self.sorting = self.latency;
    }

    /// Rule 3: the most occupied with the least, the next with the next, where it helps.
    fn start_pairs(&mut self) {
        let lanes = self.parameters.lanes;
        for rank in 0..lanes / 2 {
            let (taker, giver) = (self.ranking[rank], self.ranking[lanes - 1 - rank]);
            let needy = !self.on_pull_side || taker.occupancy < self.parameters.threshold;
            if needy && giver.occupancy >= taker.occupancy + 2 {
                let (giver, taker) = (giver.lane as usize, taker.lane as usize);
                self.pairs[self.pair_count] = Pair { giver, taker, phase: Phase::Pop, attempts: 1, id: 0 };
                self.pair_count += 1;
            }
        }
    }

    /// Rules 4 and 5: what a pair does in the next cycle; `None` if it is through.
    fn advance(&self, mut pair: Pair, pins: &WruIn) -> Option<Pair> {
        let answered = |mask: u32, lane: usize| mask >> lane & 1 == 1;
        pair.phase = match pair.phase {
            Phase::Pop => Phase::PopAnswer,
            Phase::PopAnswer if answered(pins.wru_valid, pair.giver) => {
                pair.id = pins.id[pair.giver];
                Phase::Push
            }
            Phase::PopAnswer if pair.attempts == self.parameters.interval / 2 => return None,
            Phase::PopAnswer => {
                pair.attempts += 1;
                Phase::Pop
            }
            Phase::Push => Phase::PushAnswer,
            Phase::PushAnswer if answered(pins.wru_accepted, pair.taker) => return None,
            Phase::PushAnswer => Phase::Push,
        };
        Some(pair)
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
            match pair.phase {
                Phase::Pop => self.out.pop |= 1 << pair.giver,
                Phase::Push => {
                    self.out.push |= 1 << pair.taker;
                    self.out.push_id[pair.taker] = pair.id;
                }
                Phase::PopAnswer | Phase::PushAnswer => {}
            }
        }
    }

    /// A bank answers only what it was asked.
    fn check_rules(&self, pins: &WruIn) {
        let waiting = |phase| {
            let pairs = self.pairs[..self.pair_count].iter().filter(move |pair| pair.phase == phase);
            pairs.fold(0, |mask, pair| mask | 1u32 << if phase == Phase::PopAnswer { pair.giver } else { pair.taker })
        };
        debug_assert_eq!(pins.wru_valid & !waiting(Phase::PopAnswer), 0, "wru_sorting: wru_valid without a pop");
        debug_assert_eq!(
            pins.wru_accepted & !waiting(Phase::PushAnswer),
            0,
            "wru_sorting: wru_accepted without a push"
        );
        debug_assert!(pins.double || !pins.pull_part, "wru_sorting: pull_part high in single-buffer mode");
    }
}

impl Unit for WruSorting {
    type In = WruIn;
    type Out = WruOut;

    fn interface(&self) -> Interface {
        wru_sorting_interface(self.parameters.lanes, self.parameters.entries)
    }

    fn outputs(&self) -> WruOut {
        self.out.clone()
    }

    fn clock(&mut self, pins: &WruIn) {
        self.check_rules(pins);
        if self.is_tick() {
            self.tick(pins);
        } else if self.sorting > 0 {
            self.sorting -= 1;
            if self.sorting == 0 {
                self.start_pairs();
                self.show_pairs();
            }
        } else if self.pair_count > 0 {
            self.advance_pairs(pins);
            self.show_pairs();
        }
        self.counter = if self.counter == self.parameters.interval - 1 { 0 } else { self.counter + 1 };
    }

    fn reset(&mut self) {
        self.counter = 0;
        self.rotation = 0;
        self.sorting = 0;
        self.pair_count = 0;
        self.out = WruOut::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new_wru(lanes: usize) -> WruSorting {
        WruSorting::new(&Parameters { lanes, ..Default::default() }).unwrap()
    }

    fn occupied(pull: &[u32]) -> WruIn {
        let mut pins = WruIn::default();
        pins.pull_occupancy[..pull.len()].copy_from_slice(pull);
        pins
    }

    fn clock(wru: &mut WruSorting, pins: &WruIn, cycles: usize) {
        for _ in 0..cycles {
            wru.clock(pins);
        }
    }

    /// Sixteen banks of which bank 3 has nine IDs and bank 0 none; the others have six.
    fn one_needy() -> WruIn {
        let mut occupancy = [6; 16];
        (occupancy[0], occupancy[3]) = (0, 9);
        occupied(&occupancy)
    }

    #[test]
    fn an_event_without_conflicts_takes_nine_cycles() {
        let (mut wru, pins) = (new_wru(16), one_needy());
        clock(&mut wru, &pins, 9);
        let tick = 9;
        for cycle in tick..tick + 10 {
            let out = wru.outputs();
            assert_eq!(out.pop, if cycle == tick + 5 { 1 << 3 } else { 0 }, "pop in cycle {cycle}");
            assert_eq!(out.push, if cycle == tick + 7 { 1 } else { 0 }, "push in cycle {cycle}");
            assert_eq!(out.moving, (tick + 5..=tick + 8).contains(&cycle), "moving in cycle {cycle}");
            let mut pins = pins.clone();
            if cycle == tick + 6 {
                pins.wru_valid = 1 << 3;
                pins.id[3] = 77;
            }
            if cycle == tick + 7 {
                assert_eq!(out.push_id[0], 77);
            }
            pins.wru_accepted = (cycle == tick + 8) as u32;
            assert_eq!(wru.is_tick(), cycle == tick);
            wru.clock(&pins);
        }
        assert!(wru.is_tick());
    }

    #[test]
    fn a_pop_without_answer_is_tried_for_half_an_interval_and_the_missed_rounds_are_skipped() {
        let (mut wru, pins) = (new_wru(16), one_needy());
        let mut pops = Vec::new();
        let mut moving = Vec::new();
        for cycle in 0..40 {
            let out = wru.outputs();
            if out.pop != 0 {
                pops.push(cycle);
            }
            if out.moving {
                moving.push(cycle);
            }
            wru.clock(&pins);
        }
        // Tick 9; pops 14 to 22; the last answer is looked at in 23, so 19 is skipped and 29 is the next tick.
        assert_eq!(pops, [14, 16, 18, 20, 22, 34, 36, 38]);
        assert_eq!(moving, (14..=23).chain(34..40).collect::<Vec<_>>());
    }

    #[test]
    fn an_id_is_pushed_until_it_is_accepted() {
        let (mut wru, pins) = (new_wru(16), one_needy());
        clock(&mut wru, &pins, 15);
        let mut answer = pins.clone();
        answer.wru_valid = 1 << 3;
        answer.id[3] = 123;
        wru.clock(&answer);
        for _ in 0..50 {
            let out = wru.outputs();
            assert_eq!((out.push, out.push_id[0], out.moving), (1, 123, true));
            wru.clock(&pins);
            assert_eq!((wru.outputs().push, wru.outputs().moving), (0, true));
            wru.clock(&pins);
        }
        wru.clock(&pins);
        wru.clock(&WruIn { wru_accepted: 1, ..pins });
        assert!(!wru.outputs().moving);
    }

    #[test]
    fn rank_i_takes_from_rank_l_minus_1_minus_i_where_the_gap_is_two_and_the_taker_needy() {
        // Ascending: 0 1 2 5 | 5 5 7 9, so 9 -> 0, 7 -> 1, 5 -> 2, and 5 does not give to 5.
        let mut wru = new_wru(8);
        let pins = occupied(&[5, 9, 0, 5, 7, 1, 2, 5]);
        clock(&mut wru, &pins, 9 + 1 + 3);
        let out = wru.outputs();
        assert_eq!(out.pop.count_ones(), 3);
        assert_eq!(out.pop & (1 << 1 | 1 << 4), 1 << 1 | 1 << 4);

        let mut wru = new_wru(8);
        clock(&mut wru, &occupied(&[5, 6, 5, 6, 9, 9, 9, 9]), 13);
        assert_eq!(wru.outputs().pop, 0, "no taker is below the threshold");

        let mut wru = new_wru(8);
        clock(&mut wru, &occupied(&[1, 1, 1, 1, 2, 2, 2, 2]), 13);
        assert_eq!(wru.outputs().pop, 0, "a gap of one");
    }

    #[test]
    fn ties_go_to_other_lanes_next_time() {
        // Four banks, 0 0 0 4: the giver is bank 3; the taker is the tied bank with the least (lane + rotation) mod 4.
        let mut wru = new_wru(4);
        let pins = occupied(&[0, 0, 0, 4]);
        let mut takers = Vec::new();
        for cycle in 0..75 {
            let out = wru.outputs();
            if out.push != 0 {
                takers.push((cycle, out.push.trailing_zeros()));
            }
            let mut pins = pins.clone();
            let phase = wru.pairs[0].phase;
            pins.wru_valid = ((wru.pair_count > 0 && phase == Phase::PopAnswer) as u32) << 3;
            if wru.pair_count > 0 && phase == Phase::PushAnswer {
                pins.wru_accepted = 1 << wru.pairs[0].taker;
            }
            wru.clock(&pins);
        }
        // D is 3 for four lanes: tick 9, pop 13, push 15; lanes by rotation 0, 1, 2, 3, 0.
        assert_eq!(takers, [(15, 0), (25, 0), (35, 2), (45, 1), (55, 0), (65, 0)]);
    }

    #[test]
    fn the_push_side_is_served_when_no_lane_of_the_pull_side_could_be_helped() {
        let mut pins = occupied(&[1; 16]);
        pins.double = true;
        pins.pull_part = true;
        pins.push_occupancy[..16].fill(6);
        pins.push_occupancy[2] = 16;
        let mut wru = new_wru(16);
        clock(&mut wru, &pins, 14);
        let out = wru.outputs();
        assert_eq!((out.part, out.pop), (false, 1 << 2), "push side, the threshold does not count");

        pins.pull_occupancy[5] = 3;
        let mut wru = new_wru(16);
        clock(&mut wru, &pins, 10);
        assert!(wru.outputs().part, "visible from the cycle after the tick");
        clock(&mut wru, &pins, 4);
        assert_eq!(wru.outputs().pop, 1 << 5);
    }

    #[test]
    fn reset_starts_the_counter_again() {
        let (mut wru, pins) = (new_wru(16), one_needy());
        clock(&mut wru, &pins, 15);
        wru.reset();
        assert_eq!(wru.outputs(), WruOut::default());
        clock(&mut wru, &pins, 14);
        assert_eq!(wru.outputs().pop, 1 << 3);
    }
}
