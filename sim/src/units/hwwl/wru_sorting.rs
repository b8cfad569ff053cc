//! `wru_sorting`: sorting work redistribution (III-C). It ranks the banks by occupancy and lets the most occupied give one ID
//! each to the least occupied: of one core with lsorting, of all cores with gsorting ([`WruGlobal`](super::WruGlobal)).

use super::mover::{Mover, Ranking, Wru, BANKS_IN_A_CYCLE};
use super::pins::{WruIn, MAX_BANKS};
use super::Parameters;
use crate::units::parameter::ParameterError;

/// A bank as it was at the tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Ranked {
    occupancy: u32,
    /// Breaks ties.
    order: usize,
    bank: usize,
}

/// Cycles from input to output of the sorter that ranks `banks` banks, a power of two: a network of k (k + 1) / 2 layers for
/// 2^k items, in 4 cycles at most if 4 layers a cycle are enough for that. Else a cycle has 3 layers, and one more chooses the side.
pub fn sorter_latency(banks: usize) -> usize {
    let k = banks.ilog2() as usize;
    let layers = k * (k + 1) / 2;
    match layers.div_ceil(4) {
        cut @ 0..=4 => layers.div_ceil(cut),
        _ => 1 + layers.div_ceil(3),
    }
}

/// Cycles from the tick to the start of the pairs: of more than [`BANKS_IN_A_CYCLE`] banks one more finds the lanes of the ranks.
fn cycles_to_start(banks: usize) -> usize {
    sorter_latency(banks) + (banks > BANKS_IN_A_CYCLE) as usize
}

/// The ranks of the last tick: of the banks of all cores together, or of one core.
#[derive(Clone, Debug)]
pub struct Sorting<const GLOBAL: bool> {
    ranking: [Ranked; MAX_BANKS],
    /// The event under way serves the pull side.
    on_pull_side: bool,
}

/// Over the banks of one core.
pub type WruSorting = Wru<Sorting<false>>;

impl WruSorting {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check(&spec::hwwl::WRU_SORTING)?;
        Ok(Self::of_any_size(parameters))
    }

    pub(super) fn of_any_size(parameters: &Parameters) -> Self {
        Wru::over(parameters.lanes, parameters, Sorting::new())
    }
}

impl<const GLOBAL: bool> Sorting<GLOBAL> {
    pub(super) fn new() -> Self {
        Sorting { ranking: [Ranked::default(); MAX_BANKS], on_pull_side: false }
    }
}

impl<const GLOBAL: bool> Ranking for Sorting<GLOBAL> {
    const UNIT: &'static str = if GLOBAL { "wru_global" } else { "wru_sorting" };

    /// Rule 2: the pull side if a lane of it starves while another could help.
    fn tick(&mut self, pins: &WruIn, mover: &mut Mover) {
        let Mover { banks, threshold, rotation, .. } = *mover;
        let pull = &pins.pull_occupancy[..banks];
        self.on_pull_side =
            !pins.double_buffer || (pull.iter().any(|&o| o < threshold) && pull.iter().any(|&o| o >= 2));
        let side = if self.on_pull_side { pull } else { &pins.push_occupancy[..banks] };
        let ranking = &mut self.ranking[..banks];
        if side.iter().any(|&occupancy| occupancy >= 2) {
            for (bank, (ranked, &occupancy)) in (0..).zip(ranking.iter_mut().zip(side)) {
                *ranked = Ranked { occupancy, order: (bank + rotation) % banks, bank };
            }
            ranking.sort_unstable();
        } else {
            // No bank can give: any ranking without a gap will do.
            ranking.fill(Ranked::default());
        }
        mover.choose(pins, self.on_pull_side, cycles_to_start(banks) as u32);
    }

    /// Rule 3: the most occupied with the least, the next with the next, where it helps; one that finds no taker may send.
    fn start_pairs(&mut self, pins: &WruIn, mover: &mut Mover) {
        let Mover { banks, threshold, .. } = *mover;
        let mut sender = None;
        for rank in 0..banks / 2 {
            let (taker, giver) = (self.ranking[rank], self.ranking[banks - 1 - rank]);
            let needy = !self.on_pull_side || taker.occupancy < threshold;
            if needy && giver.occupancy >= taker.occupancy + 2 {
                mover.start(giver.bank, taker.bank);
            } else if sender.is_none() {
                sender = Some(giver);
            }
        }
        if let Some(giver) = sender.filter(|giver| giver.occupancy > threshold && mover.may_send(pins)) {
            mover.start_sender(giver.bank);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::mover::Moment;
    use super::*;
    use crate::unit::Unit;

    fn is_tick(wru: &WruSorting) -> bool {
        wru.mover.moment() == Moment::Tick
    }

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
            wru.clock(pins).unwrap();
        }
    }

    /// Sixteen banks of which bank 3 has nine IDs and bank 0 none; the others have six.
    fn one_needy() -> WruIn {
        let mut occupancy = [6; 16];
        (occupancy[0], occupancy[3]) = (0, 9);
        occupied(&occupancy)
    }

    #[test]
    fn sixteen_banks_are_ranked_in_four_cycles() {
        assert_eq!([2, 4, 8, 16, 32, 64].map(cycles_to_start), [1, 3, 3, 4, 4, 9]);
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
            let mut pins = pins;
            if cycle == tick + 6 {
                pins.wru_valid = 1 << 3;
                pins.id[3] = 77;
            }
            if cycle == tick + 7 {
                assert_eq!(out.push_id[0], 77);
            }
            pins.wru_accepted = (cycle == tick + 8) as u64;
            assert_eq!(is_tick(&wru), cycle == tick);
            wru.clock(&pins).unwrap();
        }
        assert!(is_tick(&wru));
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
            wru.clock(&pins).unwrap();
        }
        // Tick 9; pops 14 to 22; the last answer is looked at in 23, so 19 is skipped and 29 is the next tick.
        assert_eq!(pops, [14, 16, 18, 20, 22, 34, 36, 38]);
        assert_eq!(moving, (14..=23).chain(34..40).collect::<Vec<_>>());
    }

    #[test]
    fn an_id_is_pushed_until_it_is_accepted() {
        let (mut wru, pins) = (new_wru(16), one_needy());
        clock(&mut wru, &pins, 15);
        let mut answer = pins;
        answer.wru_valid = 1 << 3;
        answer.id[3] = 123;
        wru.clock(&answer).unwrap();
        for _ in 0..50 {
            let out = wru.outputs();
            assert_eq!((out.push, out.push_id[0], out.moving), (1, 123, true));
            wru.clock(&pins).unwrap();
            assert_eq!((wru.outputs().push, wru.outputs().moving), (0, true));
            wru.clock(&pins).unwrap();
        }
        wru.clock(&pins).unwrap();
        wru.clock(&WruIn { wru_accepted: 1, ..pins }).unwrap();
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
        let (mut takers, mut asked) = (Vec::new(), (0, 0));
        for cycle in 0..75 {
            let out = wru.outputs();
            if out.push != 0 {
                takers.push((cycle, out.push.trailing_zeros()));
            }
            let mut pins = pins;
            (pins.wru_valid, pins.wru_accepted) = asked;
            asked = (out.pop, out.push);
            wru.clock(&pins).unwrap();
        }
        // D is 3 for four lanes: tick 9, pop 13, push 15; lanes by rotation 0, 1, 2, 3, 0.
        assert_eq!(takers, [(15, 0), (25, 0), (35, 2), (45, 1), (55, 0), (65, 0)]);
    }

    #[test]
    fn the_push_side_is_served_when_no_lane_of_the_pull_side_could_be_helped() {
        let mut pins = occupied(&[1; 16]);
        pins.double_buffer = true;
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
        assert_eq!(wru.outputs(), Default::default());
        clock(&mut wru, &pins, 14);
        assert_eq!(wru.outputs().pop, 1 << 3);
    }

    /// Bank 0 gives to nobody: fifteen banks hold 9, one holds 8.
    fn all_greedy() -> WruIn {
        let mut occupancy = [9; 16];
        occupancy[4] = 8;
        WruIn { send: 1, ..occupied(&occupancy) }
    }

    #[test]
    fn the_first_giver_without_taker_sends_to_another_core() {
        let (mut wru, pins) = (new_wru(16), all_greedy());
        clock(&mut wru, &pins, 1);
        assert_eq!(wru.outputs().greedy, 1);
        clock(&mut wru, &pins, 13);
        // Rank 15 among the ties is the bank of the greatest number; rotation was 0.
        let out = wru.outputs();
        assert_eq!((out.pop, out.moving, out.out_valid), (1 << 15, true, false));
        clock(&mut wru, &pins, 1);
        let mut answer = pins;
        answer.wru_valid = 1 << 15;
        answer.id[15] = 4711;
        clock(&mut wru, &answer, 1);
        for _ in 0..3 {
            let out = wru.outputs();
            assert_eq!((out.out_valid, out.out_part, out.out_id, out.moving), (true, false, 4711, false));
            clock(&mut wru, &pins, 1);
        }
        assert!(wru.outputs().out_valid, "until it is taken");
        clock(&mut wru, &WruIn { out_ready: true, ..pins }, 1);
        assert!(!wru.outputs().out_valid);
    }

    #[test]
    fn nobody_sends_while_no_other_core_wants_it_or_the_port_is_taken() {
        let mut wru = new_wru(16);
        clock(&mut wru, &WruIn { send: 0, ..all_greedy() }, 14);
        assert_eq!(wru.outputs().pop, 0);
        let mut wru = new_wru(16);
        clock(&mut wru, &WruIn { send: 2, ..all_greedy() }, 14);
        assert_eq!(wru.outputs().pop, 0, "the other partition");
        // As many above the threshold as below: not greedy, though rank 15 is above it and has a taker, and 14 has none.
        let mut wru = new_wru(4);
        clock(&mut wru, &WruIn { send: 3, ..occupied(&[4, 6, 5, 5]) }, 13);
        assert_eq!((wru.outputs().greedy, wru.outputs().pop), (0, 2));
    }
}
