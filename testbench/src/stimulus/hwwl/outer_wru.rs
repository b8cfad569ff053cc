//! Plays an outer redistribution unit to one `hwwl_core`: an event at a time, in which some banks give an ID each and some take
//! one each. What is left over waits for the next event of the same partition: it stands for banks of other cores.

use super::ledger::{Label, Ledger};
use super::threads::FOREIGN;
use crate::stimulus::{bits, Chance, Rng};
use sim::units::hwwl::pins::{BankAnswers, BankRequests, MAX_LANES};

/// IDs that are between banks at most.
const MOST: usize = 64;
/// Cycles in which a bank is asked for an ID at most: half the least interval.
const ATTEMPTS: u8 = 5;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Step {
    #[default]
    Idle,
    /// Giving, then taking.
    Moving,
}

#[derive(Clone, Debug, Default)]
pub struct OuterWru {
    lanes: usize,
    pub start: Chance,
    step: Step,
    part: bool,
    /// Banks that are still to give and to take; those asked in the last cycle.
    givers: u32,
    takers: u32,
    popped: u32,
    pushed: u32,
    attempts: u8,
    push_id: [u32; MAX_LANES],
    /// IDs between banks.
    between: Vec<u32>,
}

/// Outcome of a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outcome {
    pub given: bool,
    pub not_given: bool,
    pub taken: bool,
    pub not_taken: bool,
}

impl OuterWru {
    pub fn new(lanes: usize) -> Self {
        OuterWru { lanes, between: Vec::with_capacity(MOST), ..Default::default() }
    }

    pub fn clear(&mut self) {
        (self.step, self.givers, self.takers, self.popped, self.pushed) = (Step::Idle, 0, 0, 0, 0);
        self.between.clear();
    }

    /// No ID is between banks.
    pub fn is_empty(&self) -> bool {
        self.between.is_empty() && self.takers == 0
    }

    /// IDs that banks have not taken yet.
    pub fn offered(&self) -> u32 {
        self.takers.count_ones()
    }

    /// One cycle: looks at the answers of the banks and asks again.
    #[inline]
    pub fn serve(
        &mut self,
        rng: &mut Rng,
        answers: &BankAnswers,
        id: &[u32; MAX_LANES],
        pins: &mut BankRequests,
        ledger: &mut Ledger,
        double: bool,
    ) -> Result<Outcome, String> {
        let outcome = Outcome {
            given: answers.wru_valid != 0,
            not_given: self.popped & !answers.wru_valid != 0,
            taken: answers.wru_accepted != 0,
            not_taken: self.pushed & !answers.wru_accepted != 0,
        };
        if answers.wru_valid & !self.popped != 0 || answers.wru_accepted & !self.pushed != 0 {
            return Err("a bank answers that was not asked".into());
        }
        for bank in bits(answers.wru_valid) {
            self.receive(bank, id[bank], ledger)?;
        }
        self.givers &= !answers.wru_valid;
        self.takers &= !answers.wru_accepted;
        self.ask(rng, pins, ledger, double);
        Ok(outcome)
    }

    fn receive(&mut self, bank: usize, id: u32, ledger: &mut Ledger) -> Result<(), String> {
        match ledger.take(id) {
            None => Err(format!("bank {bank} gives ID {id:#x}, which is not inside")),
            Some(label) if label.part != self.part => {
                Err(format!("bank {bank} gives ID {id:#x} of the other partition"))
            }
            Some(_) => {
                self.between.push(id);
                Ok(())
            }
        }
    }

    fn ask(&mut self, rng: &mut Rng, pins: &mut BankRequests, ledger: &mut Ledger, double: bool) {
        // The answers of a cycle are looked at before a bank is asked again.
        let answered = self.popped == 0 && self.pushed == 0;
        (self.popped, self.pushed) = (0, 0);
        if self.step == Step::Idle && self.start.happens(rng) {
            self.begin(rng, double);
        } else if self.step == Step::Moving && answered {
            self.go_on(rng, ledger);
        }
        (pins.wru_pop, pins.wru_push) = (self.popped, self.pushed);
        (pins.wru_part, pins.wru_moving) = (self.part, self.step == Step::Moving);
        for bank in bits(self.pushed) {
            pins.wru_push_id[bank] = self.push_id[bank];
        }
    }

    fn begin(&mut self, rng: &mut Rng, double: bool) {
        let all = u32::MAX >> (32 - self.lanes);
        self.step = Step::Moving;
        self.part = double && rng.one_in(2);
        self.givers = rng.draw() as u32 & all;
        self.attempts = 0;
        self.popped = self.givers;
    }

    fn go_on(&mut self, rng: &mut Rng, ledger: &mut Ledger) {
        self.attempts = self.attempts.saturating_add(1);
        if self.takers == 0 && !self.between.is_empty() {
            self.deal(rng, ledger);
        }
        if self.attempts < ATTEMPTS {
            self.popped = self.givers & !self.takers;
        } else {
            self.givers = 0;
        }
        self.pushed = self.takers;
        if self.popped | self.pushed == 0 && self.between.is_empty() {
            self.step = Step::Idle;
        }
    }

    /// IDs go to banks that give none. Which bank an ID came from does not matter.
    fn deal(&mut self, rng: &mut Rng, ledger: &mut Ledger) {
        let first = rng.below(self.lanes as u32) as usize;
        for lane in 0..self.lanes {
            let bank = (first + lane) % self.lanes;
            if self.givers >> bank & 1 == 1 {
                continue;
            }
            if self.between.pop().is_none() {
                return;
            }
            self.push_id[bank] = ledger.issue(Label { part: self.part, owner: FOREIGN });
            self.takers |= 1 << bank;
        }
    }
}
