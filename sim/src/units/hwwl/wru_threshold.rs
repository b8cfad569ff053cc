//! `wru_threshold`: threshold work redistribution (III-C). Banks above the threshold give one ID each to banks below it,
//! round robin; one that finds no taker may send its ID to another core.

use super::mover::{Mover, Ranking, Wru};
use super::pins::{WruIn, MAX_LANES};
use super::Parameters;
use crate::units::parameter::ParameterError;

/// Cycles from the tick to the start of the pairs.
const LATENCY: u32 = 2;

/// Banks in the order in which they are served.
#[derive(Clone, Copy, Debug, Default)]
struct Order {
    banks: [usize; MAX_LANES],
    number: usize,
}

impl Order {
    fn add(&mut self, bank: usize) {
        self.banks[self.number] = bank;
        self.number += 1;
    }

    fn banks(&self) -> &[usize] {
        &self.banks[..self.number]
    }
}

/// Banks above and below the threshold at the last tick.
#[derive(Clone, Debug, Default)]
pub struct Threshold {
    greedy: Order,
    needy: Order,
}

pub type WruThreshold = Wru<Threshold>;

impl WruThreshold {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check(&spec::hwwl::WRU_THRESHOLD)?;
        Ok(Self::of_any_size(parameters))
    }

    pub(super) fn of_any_size(parameters: &Parameters) -> Self {
        Wru::over(parameters.lanes, parameters, Threshold::default())
    }
}

impl Ranking for Threshold {
    const UNIT: &'static str = "wru_threshold";

    fn tick(&mut self, pins: &WruIn, mover: &mut Mover) {
        let Mover { banks, threshold, rotation, .. } = *mover;
        let pull = &pins.pull_occupancy[..banks];
        let helps = pull.iter().any(|&o| o < threshold) && pull.iter().any(|&o| o > threshold);
        let on_pull_side = !pins.double_buffer || helps;
        let side = if on_pull_side { &pins.pull_occupancy } else { &pins.push_occupancy };
        (self.greedy.number, self.needy.number) = (0, 0);
        for bank in (0..banks).map(|k| (rotation + k) % banks) {
            if side[bank] > threshold {
                self.greedy.add(bank);
            } else if side[bank] < threshold {
                self.needy.add(bank);
            }
        }
        mover.choose(pins, on_pull_side, LATENCY);
    }

    fn start_pairs(&mut self, pins: &WruIn, mover: &mut Mover) {
        for (&giver, &taker) in self.greedy.banks().iter().zip(self.needy.banks()) {
            mover.start(giver, taker);
        }
        if let Some(&giver) = self.greedy.banks().get(self.needy.number) {
            if mover.may_send(pins) {
                mover.start_sender(giver);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Unit;

    fn wru() -> WruThreshold {
        WruThreshold::new(&Parameters { lanes: 8, ..Default::default() }).unwrap()
    }

    fn occupied(pull: &[u32]) -> WruIn {
        let mut pins = WruIn::default();
        pins.pull_occupancy[..pull.len()].copy_from_slice(pull);
        pins
    }

    fn clock(wru: &mut WruThreshold, pins: &WruIn, cycles: usize) {
        for _ in 0..cycles {
            wru.clock(pins).unwrap();
        }
    }

    /// Givers, and where the ID of each went, of the event of the next tick.
    fn event(wru: &mut WruThreshold, pins: &WruIn) -> Vec<(usize, usize)> {
        let mut asked = 0;
        for _ in 0..30 {
            let out = wru.outputs();
            let mut pins = *pins;
            if asked != 0 {
                pins.wru_valid = asked;
                (0..8).for_each(|bank| pins.id[bank] = bank as u32);
                wru.clock(&pins).unwrap();
                let out = wru.outputs();
                let takers = (0..8).filter(|taker| out.push >> taker & 1 == 1);
                let pairs = takers.map(|taker| (out.push_id[taker] as usize, taker)).collect();
                wru.clock(&pins_without_answer(&pins)).unwrap();
                wru.clock(&WruIn { wru_accepted: out.push, ..pins_without_answer(&pins) }).unwrap();
                return pairs;
            }
            asked = out.pop;
            wru.clock(&pins).unwrap();
        }
        Vec::new()
    }

    fn pins_without_answer(pins: &WruIn) -> WruIn {
        WruIn { wru_valid: 0, wru_accepted: 0, ..*pins }
    }

    #[test]
    fn greedy_banks_give_to_needy_ones_in_turn() {
        let mut wru = wru();
        let pins = occupied(&[9, 0, 5, 6, 7, 4, 5, 1]);
        assert_eq!(event(&mut wru, &pins), [(0, 1), (3, 5), (4, 7)]);
        // From bank 1 on: greedy 3, 4, 0; needy 1, 5, 7.
        assert_eq!(event(&mut wru, &pins), [(3, 1), (4, 5), (0, 7)]);
    }

    #[test]
    fn any_bank_above_the_threshold_may_give_even_to_one_just_below() {
        assert_eq!(event(&mut wru(), &occupied(&[6, 4, 5, 5, 5, 5, 5, 5])), [(0, 1)]);
        assert_eq!(event(&mut wru(), &occupied(&[4, 0, 4, 4, 4, 4, 4, 4])), [], "needy banks keep what they have");
    }

    #[test]
    fn the_first_pop_is_three_cycles_after_the_tick() {
        let mut wru = wru();
        let pins = occupied(&[9, 0, 5, 5, 5, 5, 5, 5]);
        clock(&mut wru, &pins, 12);
        assert_eq!((wru.outputs().pop, wru.outputs().moving), (1, true));
        clock(&mut wru, &pins, 1);
        assert_eq!(wru.outputs().pop, 0);
    }

    #[test]
    fn an_excess_greedy_bank_sends_to_another_core() {
        let pins = WruIn { send: 1, ..occupied(&[9, 9, 9, 0, 9, 9, 5, 5]) };
        let mut wru = wru();
        clock(&mut wru, &pins, 12);
        assert_eq!(wru.outputs().greedy, 1);
        assert_eq!(wru.outputs().pop, 0b11, "bank 0 gives to bank 3, bank 1 is the first without taker");
        clock(&mut wru, &pins, 1);
        let mut answer = pins;
        answer.wru_valid = 0b11;
        (answer.id[0], answer.id[1]) = (10, 11);
        clock(&mut wru, &answer, 1);
        let out = wru.outputs();
        assert_eq!((out.push, out.push_id[3], out.out_valid, out.out_id), (1 << 3, 10, true, 11));
    }

    #[test]
    fn in_double_buffer_mode_the_push_side_is_served_when_the_pull_side_cannot_be() {
        let mut pins = occupied(&[1, 2, 3, 4, 5, 5, 5, 5]);
        pins.double_buffer = true;
        pins.push_occupancy[..8].copy_from_slice(&[5, 5, 5, 5, 5, 5, 8, 2]);
        let mut wru = wru();
        clock(&mut wru, &pins, 12);
        assert_eq!((wru.outputs().part, wru.outputs().pop), (true, 1 << 6));
        pins.pull_occupancy[2] = 6;
        let mut wru = self::wru();
        clock(&mut wru, &pins, 12);
        assert_eq!((wru.outputs().part, wru.outputs().pop), (false, 1 << 2));
    }
}
