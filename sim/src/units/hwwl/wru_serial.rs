//! `wru_serial`: serial work redistribution. One ID at a time goes from the most occupied bank to the least occupied. The numbers
//! in comments are those of the rules in `docs/hwwl/wru.md`.

use super::mover::greedy_bits;
use super::pins::{WruIn, WruOut};
use super::Parameters;
use crate::unit::{rule, Fault, Interface, Unit};
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;

/// Occupancy, place among banks that are as full, and number: banks in their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Bank {
    occupancy: u32,
    order: usize,
    lane: usize,
}

/// The two banks at the ends of that order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Look {
    part: bool,
    rotation: usize,
    most: Bank,
    least: Bank,
}

/// The step of an ID under way in the cycle at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Pop,
    PopAnswer,
    Push,
    PushAnswer,
}

#[derive(Clone, Copy, Debug)]
struct Move {
    giver: usize,
    /// `None`: the ID goes to another core.
    taker: Option<usize>,
    step: Step,
}

#[derive(Clone, Debug)]
pub struct WruSerial {
    banks: usize,
    entries: usize,
    threshold: u32,
    rotation: usize,
    /// The partition that is looked at in this cycle.
    looks_at: bool,
    /// The looks of the previous cycle and of the one before it.
    looks: [Option<Look>; 2],
    under_way: Option<Move>,
    /// Nothing starts while the banks stay as they are.
    settled: bool,
    out: WruOut,
}

impl WruSerial {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check(&spec::hwwl::WRU_SERIAL)?;
        Ok(Self::of_any_size(parameters))
    }

    pub(super) fn of_any_size(parameters: &Parameters) -> Self {
        let Parameters { lanes, entries, threshold, .. } = *parameters;
        WruSerial {
            banks: lanes,
            entries,
            threshold,
            rotation: 0,
            looks_at: false,
            looks: [None; 2],
            under_way: None,
            settled: false,
            out: WruOut::default(),
        }
    }

    /// This cycle's output pins, without a copy.
    #[inline]
    pub(super) fn pins(&self) -> &WruOut {
        &self.out
    }

    /// An edge at which nothing changes, whatever the answers and `send`; false if this is none, and nothing was done.
    #[inline]
    pub(super) fn rest(&self) -> bool {
        self.settled
    }

    /// Rule 1: the side that is looked at in the next cycle, as a partition.
    fn next_part(&self, pins: &WruIn) -> bool {
        let pull = &pins.pull_occupancy[..self.banks];
        let helps = pull.iter().any(|&o| o < self.threshold) && pull.iter().any(|&o| o >= 2);
        pins.pull_part == (!pins.double_buffer || helps)
    }

    /// Rule 2.
    fn look(&self, pins: &WruIn) -> Look {
        let (part, rotation) = (self.looks_at, self.rotation);
        let side = if part == pins.pull_part { &pins.pull_occupancy } else { &pins.push_occupancy };
        let bank = |lane: usize| Bank { occupancy: side[lane], order: lane ^ rotation, lane };
        let mut look = Look { part, rotation, most: bank(0), least: bank(0) };
        for bank in (1..self.banks).map(bank) {
            look.most = look.most.max(bank);
            look.least = look.least.min(bank);
        }
        look
    }

    /// Rule 3: the pair evens out, and helps.
    fn is_pair(&self, look: &Look, pins: &WruIn) -> bool {
        let needy = look.part != pins.pull_part || look.least.occupancy < self.threshold;
        needy && look.most.occupancy >= look.least.occupancy + 2
    }

    /// Rule 3: the most occupied bank has an ID for another core, if one wants it.
    fn has_surplus(&self, look: &Look) -> bool {
        self.out.greedy >> look.part as u32 & 1 == 1 && look.most.occupancy > self.threshold
    }

    /// Rules 4 and 5: the move under way in the next cycle.
    fn advance(&mut self, mut current: Move, pins: &WruIn) -> Option<Move> {
        current.step = match (current.step, current.taker) {
            (Step::Pop, _) => Step::PopAnswer,
            (Step::PopAnswer, _) if pins.wru_valid >> current.giver & 1 == 0 => return None,
            (Step::PopAnswer, Some(taker)) => {
                self.out.push_id[taker] = pins.id[current.giver];
                Step::Push
            }
            (Step::PopAnswer, None) => {
                (self.out.out_valid, self.out.out_part) = (true, self.out.part);
                self.out.out_id = pins.id[current.giver];
                return None;
            }
            (Step::PushAnswer, Some(taker)) if pins.wru_accepted >> taker & 1 == 1 => return None,
            (Step::Push, _) => Step::PushAnswer,
            (Step::PushAnswer, _) => Step::Push,
        };
        Some(current)
    }

    /// Rule 3, in a cycle in which the unit is free: what a look starts. `port_is_free`: an ID may go to another core.
    fn starts(&self, look: &Look, pins: &WruIn, port_is_free: bool) -> Option<Move> {
        let giver = look.most.lane;
        let begin = |taker| Some(Move { giver, taker, step: Step::Pop });
        if self.is_pair(look, pins) {
            return begin(Some(look.least.lane));
        }
        let sends = port_is_free && pins.send >> look.part as u32 & 1 == 1 && self.has_surplus(look);
        sends.then_some(()).and_then(|()| begin(None))
    }

    fn show(&mut self) {
        (self.out.pop, self.out.push, self.out.moving) = (0, 0, self.under_way.is_some());
        match self.under_way {
            Some(Move { giver, step: Step::Pop, .. }) => self.out.pop = 1 << giver,
            Some(Move { taker: Some(taker), step: Step::Push, .. }) => self.out.push = 1 << taker,
            _ => {}
        }
    }

    /// Nothing starts, whatever `send` is, until the banks change.
    fn is_settled(&self, pins: &WruIn) -> bool {
        let [Some(last), Some(before)] = self.looks else { return false };
        let quiet = self.under_way.is_none() && !self.out.out_valid;
        quiet && last == before && last.part == self.looks_at && !self.is_pair(&last, pins) && !self.has_surplus(&last)
    }

    /// [`Unit::clock`]; `changed` if occupancies or the pull side may differ from those of the cycle before.
    #[inline]
    pub(super) fn step(&mut self, pins: &WruIn, changed: bool) {
        let sender_answers = matches!(self.under_way, Some(Move { taker: None, step: Step::PopAnswer, .. }));
        let port_is_free = !self.out.out_valid && !sender_answers;
        self.out.out_valid &= !pins.out_ready;
        self.under_way = self.under_way.and_then(|current| self.advance(current, pins));
        let look = match self.looks[0] {
            Some(last) if !changed && last.part == self.looks_at && last.rotation == self.rotation => last,
            _ => self.look(pins),
        };
        if let (None, Some(judged)) = (self.under_way, self.looks[1]) {
            self.under_way = self.starts(&judged, pins, port_is_free);
            if self.under_way.is_some() {
                self.out.part = judged.part;
                self.rotation = (self.rotation + 1) % self.banks;
            }
        }
        self.looks = [Some(look), self.looks[0]];
        self.looks_at = self.next_part(pins);
        self.show();
        if changed {
            self.out.greedy = greedy_bits(pins, self.banks, self.threshold);
        }
        self.settled = !changed && self.is_settled(pins);
    }

    /// A bank answers only what it was asked.
    fn check_rules(&self, pins: &WruIn) -> Result<(), Fault> {
        let asked = |step: Step, bank: fn(&Move) -> Option<usize>| {
            let current = self.under_way.filter(|current| current.step == step);
            current.and_then(|current| bank(&current)).map_or(0, |bank| 1u64 << bank)
        };
        let (popped, pushed) = (asked(Step::PopAnswer, |m| Some(m.giver)), asked(Step::PushAnswer, |m| m.taker));
        rule(pins.wru_valid & !popped == 0, "wru_serial: wru_valid without a pop")?;
        rule(pins.wru_accepted & !pushed == 0, "wru_serial: wru_accepted without a push")?;
        rule(pins.double_buffer || !pins.pull_part, "wru_serial: pull_part high in single-buffer mode")
    }
}

impl Unit for WruSerial {
    type In = WruIn;
    type Out = WruOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>((self.banks, self.entries))
    }

    fn outputs(&self) -> WruOut {
        self.out
    }

    fn clock(&mut self, pins: &WruIn) -> Result<(), Fault> {
        self.check_rules(pins)?;
        self.step(pins, true);
        Ok(())
    }

    fn reset(&mut self) {
        let WruSerial { banks: lanes, entries, threshold, .. } = *self;
        *self = Self::of_any_size(&Parameters { lanes, entries, threshold, ..Default::default() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new_wru(lanes: usize) -> WruSerial {
        WruSerial::new(&Parameters { lanes, ..Default::default() }).unwrap()
    }

    fn occupied(pull: &[u32]) -> WruIn {
        let mut pins = WruIn::default();
        pins.pull_occupancy[..pull.len()].copy_from_slice(pull);
        pins
    }

    fn clock(wru: &mut WruSerial, pins: &WruIn, cycles: usize) {
        (0..cycles).for_each(|_| wru.clock(pins).unwrap());
    }

    /// Pops and pushes of `cycles` cycles; each is answered.
    fn moves(wru: &mut WruSerial, pins: &WruIn, cycles: usize) -> Vec<(usize, u64, u64)> {
        let (mut seen, mut asked) = (Vec::new(), (0, 0));
        for cycle in 0..cycles {
            let out = wru.outputs();
            if out.pop | out.push != 0 {
                seen.push((cycle, out.pop, out.push));
            }
            wru.clock(&WruIn { wru_valid: asked.0, wru_accepted: asked.1, ..*pins }).unwrap();
            asked = (out.pop, out.push);
        }
        seen
    }

    #[test]
    fn a_pop_comes_three_cycles_after_the_look_and_the_next_one_four_cycles_later() {
        let pins = occupied(&[0, 6, 6, 9]);
        assert_eq!(moves(&mut new_wru(4), &pins, 9), [(3, 8, 0), (5, 0, 1), (7, 8, 0)]);
    }

    #[test]
    fn moving_is_high_from_the_pop_to_the_last_answer() {
        let (mut wru, pins) = (new_wru(4), occupied(&[4, 6, 5, 5]));
        clock(&mut wru, &pins, 3);
        let balanced = occupied(&[5; 4]);
        let mut id = balanced;
        id.id[1] = 77;
        let answers = [balanced, WruIn { wru_valid: 2, ..id }, balanced, WruIn { wru_accepted: 1, ..balanced }];
        for (cycle, pins) in answers.iter().enumerate() {
            let out = wru.outputs();
            assert!(out.moving, "{cycle}");
            assert_eq!((out.pop, out.push), ([2, 0, 0, 0][cycle], [0, 0, 1, 0][cycle]), "{cycle}");
            assert!(out.push == 0 || out.push_id[0] == 77);
            wru.clock(pins).unwrap();
        }
        assert!(!wru.outputs().moving);
    }

    #[test]
    fn a_pop_without_answer_is_given_up_and_the_banks_are_looked_at_again() {
        let (mut wru, pins) = (new_wru(4), occupied(&[0, 6, 9, 6]));
        clock(&mut wru, &pins, 4);
        let other = occupied(&[9, 6, 6, 0]);
        clock(&mut wru, &other, 1);
        assert_eq!(wru.outputs().pop, 4, "the look of two cycles before");
        clock(&mut wru, &other, 2);
        assert_eq!(wru.outputs().pop, 1);
    }

    #[test]
    fn an_id_is_pushed_every_second_cycle_until_it_is_accepted() {
        let (mut wru, pins) = (new_wru(4), occupied(&[0, 6, 6, 9]));
        clock(&mut wru, &pins, 4);
        clock(&mut wru, &WruIn { wru_valid: 8, ..pins }, 1);
        for _ in 0..50 {
            assert_eq!((wru.outputs().push, wru.outputs().moving), (1, true));
            clock(&mut wru, &pins, 1);
            assert_eq!((wru.outputs().push, wru.outputs().moving), (0, true));
            clock(&mut wru, &pins, 1);
        }
        clock(&mut wru, &pins, 1);
        clock(&mut wru, &WruIn { wru_accepted: 1, ..pins }, 1);
        assert_eq!((wru.outputs().push, wru.outputs().pop), (0, 8), "the next one");
    }

    #[test]
    fn a_pair_needs_a_gap_of_two_and_on_the_pull_side_a_taker_below_the_threshold() {
        assert!(moves(&mut new_wru(4), &occupied(&[1, 2, 2, 1]), 20).is_empty(), "a gap of one");
        assert!(moves(&mut new_wru(4), &occupied(&[5, 9, 9, 9]), 20).is_empty(), "no taker is needy");
        assert_eq!(moves(&mut new_wru(4), &occupied(&[4, 6, 5, 5]), 6), [(3, 2, 0), (5, 0, 1)]);
    }

    #[test]
    fn ties_go_to_other_lanes_next_time() {
        let moves = moves(&mut new_wru(4), &occupied(&[0, 0, 0, 4]), 20);
        let takers: Vec<_> = moves.iter().filter(|m| m.2 != 0).map(|&(cycle, _, push)| (cycle, push)).collect();
        // The least lane xor rotation: of 0, 1 and 2, with rotations 0, 1, 2, 3.
        assert_eq!(takers, [(5, 1), (9, 2), (13, 4), (17, 4)]);
    }

    #[test]
    fn the_push_side_is_served_when_no_lane_of_the_pull_side_could_be_helped() {
        let mut pins = occupied(&[1; 4]);
        (pins.double_buffer, pins.pull_part) = (true, true);
        pins.push_occupancy[..4].copy_from_slice(&[6, 6, 16, 6]);
        let mut wru = new_wru(4);
        clock(&mut wru, &pins, 3);
        assert_eq!((wru.outputs().part, wru.outputs().pop), (false, 4), "the threshold does not count");
        pins.pull_occupancy[1] = 3;
        clock(&mut wru, &pins, 4);
        assert_eq!((wru.outputs().part, wru.outputs().pop), (true, 2));
    }

    #[test]
    fn a_giver_without_a_needy_taker_sends_to_another_core() {
        let pins = WruIn { send: 1, ..occupied(&[9, 9, 9, 8]) };
        let mut wru = new_wru(4);
        clock(&mut wru, &pins, 3);
        let out = wru.outputs();
        // The tie of the greatest number is taken; rotation was 0.
        assert_eq!((out.greedy, out.pop, out.moving, out.out_valid), (1, 4, true, false));
        clock(&mut wru, &pins, 1);
        let mut answer = WruIn { wru_valid: 4, ..pins };
        answer.id[2] = 4711;
        clock(&mut wru, &answer, 1);
        for _ in 0..3 {
            let out = wru.outputs();
            assert_eq!((out.out_valid, out.out_part, out.out_id, out.moving), (true, false, 4711, false));
            clock(&mut wru, &pins, 1);
        }
        clock(&mut wru, &WruIn { out_ready: true, ..pins }, 1);
        assert_eq!((wru.outputs().out_valid, wru.outputs().moving), (false, false));
        clock(&mut wru, &pins, 1);
        assert!(wru.outputs().moving, "the next one, once the port is free");
    }

    #[test]
    fn nobody_sends_while_no_other_core_wants_it_or_too_few_banks_are_greedy() {
        let all_greedy = occupied(&[9, 9, 9, 8]);
        for pins in [all_greedy, WruIn { send: 2, ..all_greedy }, WruIn { send: 3, ..occupied(&[5, 6, 5, 5]) }] {
            let mut wru = new_wru(4);
            let sends = moves(&mut wru, &pins, 20).len();
            assert_eq!(
                sends > 0,
                pins.pull_occupancy[0] == 5,
                "one bank above the threshold and none below it is greedy"
            );
        }
    }

    #[test]
    fn after_a_reset_two_looks_come_before_the_first_pair() {
        let (mut wru, pins) = (new_wru(4), occupied(&[0, 6, 6, 9]));
        clock(&mut wru, &pins, 4);
        wru.reset();
        assert_eq!(wru.outputs(), WruOut::default());
        assert_eq!(moves(&mut wru, &pins, 4), [(3, 8, 0)]);
    }

    #[test]
    fn answers_without_a_request_are_refused() {
        let fault = new_wru(4).clock(&WruIn { wru_valid: 1, ..Default::default() }).unwrap_err();
        assert_eq!(fault.to_string(), "wru_serial: wru_valid without a pop");
    }

    /// A unit that rests when it may shows the same as one that never does.
    #[test]
    fn rest_changes_nothing() {
        let (mut resting, mut awake, mut asked, mut rests) = (new_wru(4), new_wru(4), (0, 0), 0);
        let mut random = 1u32;
        let mut pins = WruIn { double_buffer: true, ..Default::default() };
        for cycle in 0..20_000 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let draw = random >> 8;
            let changed = cycle == 0 || draw.is_multiple_of(61);
            if changed {
                pins.pull_part = draw >> 9 & 7 == 0;
                let side = if draw & 64 == 0 { &mut pins.pull_occupancy } else { &mut pins.push_occupancy };
                let few = draw >> 12 & 7;
                side[(draw >> 4 & 3) as usize] = if few == 0 { draw >> 15 & 7 } else { 4 + (few & 1) };
            }
            pins.send = (draw >> 16 & 3) as u8;
            pins.out_ready = draw >> 18 & 1 == 1;
            (pins.wru_valid, pins.wru_accepted) = (asked.0, if draw >> 19 & 1 == 1 { asked.1 } else { 0 });
            asked = (awake.outputs().pop, awake.outputs().push);
            if !changed && resting.rest() {
                rests += 1;
            } else {
                resting.step(&pins, changed);
            }
            awake.clock(&pins).unwrap();
            assert_eq!(resting.outputs(), awake.outputs(), "cycle {cycle}");
        }
        assert!(rests > 1000, "{rests}");
    }
}
