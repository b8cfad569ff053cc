//! Proofs that a mutant is none: it does what the design does, in every state that the design reaches with legal inputs.
//!
//! There are two questions. In the first the design runs alone: the mutated logic computes outputs and next state from the design's
//! own state, and if they are the design's in every cycle, the mutant never leaves its way. In the second both run from the same state
//! on, each with its own, and only outputs that mean something are compared: what the mutant changes may be state that nobody reads.
//! Registers that the mutated logic never reaches are there once.
//!
//! A mutant that addresses a memory otherwise, but no two words as one, keeps all words at other places. Its question is the second one
//! with the words of its memory at these places in the beginning: any words may stand there, so it does what the design may do.
//!
//! Most answers need nothing but the circuit. The others get the rules of the pins, and the assumptions and invariants of the unit's
//! properties; the invariants are proven first.
//!
//! The questions go to abc's `pdr`, which finds a proof by induction, a way to a difference, or neither in its time. abc first merges
//! signals that are proven to be the same in every cycle (`scorr`): nearly all of a mutant is the design.
//!
//! The first cycle is a reset beside any inputs, in any state. Rules of the pins hold from then on. Differences count once the unit has
//! settled: registers that are not reset have then been written.

use super::memories;
use super::names::Names;
use super::netlist::{subject, Netlist};
use crate::abc;
use crate::aig::{Aig, Builder, Copied, FALSE, TRUE};
use crate::error::{Error, Result};
use crate::prove::{is_pin, Given, ILLEGAL};
use crate::shim::{MUTANT, RESET};
use crate::yosys;
use gen::elaborate::Verilog;
use sim::unit::Interface;
use std::cell::LazyCell;
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// What is asked about a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    /// Outputs and next state are those of the design, from any state that the design reaches.
    SameWay,
    /// Outputs are those of the design, each with its own state.
    SameOutputs,
}

use Question::{SameOutputs, SameWay};

/// Seconds for a question with the words of a memory at other places. If they are the right ones, registers are alike.
const WITH_MOVED_WORDS: u32 = 1;

/// One after the other, until the answer is known; with what is given, or without.
const QUESTIONS: [(Question, bool); 3] = [(SameWay, false), (SameWay, true), (SameOutputs, true)];

/// What abc says of a mutant.
pub(super) enum Answer {
    /// It does what the design does.
    Equal,
    /// Inputs after which another output means something and differs.
    Differs(Inputs),
    /// Neither was found in the time.
    Open,
}

/// Input words cycle by cycle, with or without a reset beside them.
pub(super) type Inputs = Vec<(bool, Vec<u64>)>;

/// The circuit of a unit with some of its mutants.
pub(super) struct Proofs<'a> {
    directory: &'a Path,
    aig: Aig,
    /// Registers that outputs depend on.
    state: Vec<bool>,
    names: Names<'a>,
    pins: &'a Interface,
    given: Given,
    /// Of a question, in seconds.
    limit: u32,
    /// Cycles behind the first one in which differences do not count.
    settling: usize,
    subject: String,
}

impl<'a> Proofs<'a> {
    /// For the mutants of these numbers.
    pub fn new(
        netlist: &'a Netlist,
        numbers: &[u32],
        unit: &'a Verilog,
        pins: &'a Interface,
        given: Given,
        limit: u32,
        settling: u64,
    ) -> Result<Self> {
        let directory = netlist.directory.path();
        let path = |name: &str| directory.join(name);
        fs::write(path("some.ys"), netlist.script(numbers)).map_err(Error::file(path("some.ys")))?;
        let script = "read_rtlil base.il; script some.ys; memory -nomap; write_verilog -noattr flat.v";
        yosys::run(directory, &subject(&unit.module), script)?;
        let flat = fs::read_to_string(path("flat.v")).map_err(Error::file(path("flat.v")))?;
        let aig = given.circuit(directory, &flat, unit)?;
        let state = aig.latches_behind(is_pin);
        let names = Names::new(&unit.ports, pins);
        let subject = format!("proof that a mutant of {} is none", unit.module);
        Ok(Proofs { directory, aig, state, names, pins, given, limit, settling: settling as usize, subject })
    }

    /// What abc finds out about one of the mutants.
    pub fn answer(&self, number: u32) -> Result<Answer> {
        let (none, same_places) = (vec![false; self.aig.latches()], self.same_places());
        let cycles = LazyCell::new(|| self.cycles(number));
        let own = LazyCell::new(|| cycles.iter().map(Option::is_some).collect::<Vec<_>>());
        for (question, with_given) in QUESTIONS {
            let registers: &[bool] = if question == SameWay { &none } else { &own };
            let circuit = self.circuit(question, with_given, number, registers, &same_places);
            match abc::compare(self.directory, &circuit, self.limit, &self.subject)? {
                abc::Answer::Never => return Ok(Answer::Equal),
                abc::Answer::After(rows) if question == SameOutputs => {
                    return Ok(Answer::Differs(inputs(&rows, &self.aig, self.pins, &self.names)));
                }
                abc::Answer::After(_) | abc::Answer::NotIn(_) => {}
            }
        }
        for places in memories::moves(&self.aig.states, &cycles) {
            let circuit = self.circuit(SameOutputs, true, number, &own, &places);
            if abc::compare(self.directory, &circuit, WITH_MOVED_WORDS, &self.subject)? == abc::Answer::Never {
                return Ok(Answer::Equal);
            }
        }
        Ok(Answer::Open)
    }

    /// The first cycle in which each register may differ from that of the design: of those that the mutant reaches, and of what these
    /// change. The mutant has its own of these registers.
    fn cycles(&self, number: u32) -> Vec<Option<u32>> {
        let (mut own, mut cycles) = (vec![false; self.aig.latches()], vec![None; self.aig.latches()]);
        for cycle in 1.. {
            let Some(more) = self.reached(number, &own) else { break };
            own = more;
            cycles.iter_mut().zip(&own).filter(|(_, own)| **own).for_each(|(first, _)| *first = first.or(Some(cycle)));
        }
        cycles
    }

    /// Each register begins as that of the design does.
    fn same_places(&self) -> Vec<usize> {
        (0..self.aig.latches()).collect()
    }

    /// A circuit whose output is high when the mutant would leave the design's way. The mutant has its own registers where `own` says
    /// that, and each begins as that of the design at its place in `places` does.
    fn circuit(&self, question: Question, with_given: bool, number: u32, own: &[bool], places: &[usize]) -> Vec<u8> {
        let aig = &self.aig;
        let mut pair = Pair::new(aig, number, own, places, self.settling);
        let mut differs = FALSE;
        for (name, value) in aig.outputs.iter().filter(|(name, _)| is_pin(name)) {
            let difference = pair.into.xor(pair.design.of(*value), pair.mutant.of(*value));
            let matters = pair.means_something(&self.names, name);
            let difference = pair.into.and(difference, matters);
            differs = pair.into.or(differs, difference);
        }
        let compared = aig.next.iter().zip(&self.state).filter(|(_, is_state)| question == SameWay && **is_state);
        for (&next, _) in compared {
            let difference = pair.into.xor(pair.design.of(next), pair.mutant.of(next));
            differs = pair.into.or(differs, difference);
        }
        let kept = if with_given { pair.kept(&self.given) } else { TRUE };
        pair.question(differs, kept)
    }

    /// The registers that may differ a cycle after these do, if they are more.
    fn reached(&self, number: u32, own: &[bool]) -> Option<Vec<bool>> {
        let pair = Pair::new(&self.aig, number, own, &self.same_places(), self.settling);
        let differs = |next: &u32| pair.design.of(*next) != pair.mutant.of(*next);
        let reached: Vec<bool> = self.aig.next.iter().zip(own).map(|(next, own)| *own || differs(next)).collect();
        (reached != own).then_some(reached)
    }
}

/// A cycle of the design and of a mutant, with the same inputs.
struct Pair<'a> {
    aig: &'a Aig,
    into: Builder,
    /// Registers of which the mutant has its own.
    own: Vec<usize>,
    started: u32,
    was_broken: u32,
    /// Whether each cycle of settling is over.
    settled: Vec<u32>,
    reset: u32,
    design: Copied,
    mutant: Copied,
    outputs: HashMap<&'a str, u32>,
}

impl<'a> Pair<'a> {
    fn new(aig: &'a Aig, number: u32, own: &[bool], places: &[usize], settling: usize) -> Self {
        let (inputs, latches) = (aig.inputs.len(), aig.latches());
        let own: Vec<usize> = (0..latches).filter(|&place| own[place]).collect();
        // Besides those of the machines: any state at the beginning; whether the first cycle is over, whether a rule was broken, and which
        // cycles of settling are over.
        let machines = latches + own.len();
        let mut into = Builder::new(inputs + latches, machines + 2 + settling);
        let [started, was_broken] = [0, 1].map(|place| into.latch(machines + place));
        let settled = (0..settling).map(|place| into.latch(machines + 2 + place)).collect();
        let state = |into: &mut Builder, latch: usize, place: usize| {
            let (value, any) = (into.latch(latch), into.input(inputs + place));
            into.select(started, value, any)
        };
        let of_design: Vec<u32> = (0..latches).map(|place| state(&mut into, place, place)).collect();
        let mut of_mutant = of_design.clone();
        for (latch, &place) in (latches..).zip(&own) {
            of_mutant[place] = state(&mut into, latch, places[place]);
        }
        let asked = aig.inputs.iter().position(|name| name == RESET).map_or(FALSE, |place| into.input(place));
        let reset = into.or(asked, started ^ 1);
        let [design, mutant] = [(0, of_design), (number, of_mutant)].map(|(number, state)| {
            let values =
                aig.inputs.iter().enumerate().map(|(place, name)| match (name.as_str(), bit_of_number(name)) {
                    (_, Some(bit)) => number >> bit & 1,
                    (RESET, _) => reset,
                    _ => into.input(place),
                });
            let values: Vec<u32> = values.collect();
            aig.copy(&mut into, &values, &state)
        });
        let outputs = aig.outputs.iter().map(|(name, value)| (name.as_str(), design.of(*value))).collect();
        Pair { aig, into, own, started, was_broken, settled, reset, design, mutant, outputs }
    }

    /// Whether the output of this name is compared.
    fn means_something(&mut self, names: &Names, name: &str) -> u32 {
        let conditions = names.output(name).map(|pin| &pin.valid_if[..]).unwrap_or_default();
        if conditions.is_empty() {
            return TRUE;
        }
        let mut any = FALSE;
        for condition in conditions {
            let mut all = TRUE;
            for bit in 0..condition.width {
                let value = self.outputs[&names.bit(&condition.pin, condition.lsb + bit)[..]];
                let wanted = condition.equals >> bit & 1;
                all = self.into.and(all, value ^ (1 - wanted as u32));
            }
            any = self.into.or(any, all);
        }
        any
    }

    /// High while what is given holds in this cycle.
    fn kept(&mut self, given: &Given) -> u32 {
        let outside_reset = given.assumptions.iter().chain(&given.invariants).map(|name| self.outputs[&name[..]]);
        let outside_reset: Vec<u32> = outside_reset.collect();
        let holds = outside_reset.into_iter().fold(TRUE, |all, one| self.into.and(all, one));
        let holds = self.into.or(holds, self.reset);
        self.into.and(holds, self.outputs[ILLEGAL] ^ 1)
    }

    /// The circuit, with an output that is high when `differs` is, behind the first cycle and those of settling, and while `kept` has been
    /// high since the first.
    fn question(mut self, differs: u32, kept: u32) -> Vec<u8> {
        let broken_now = self.into.and(kept ^ 1, self.started);
        let broken = self.into.or(self.was_broken, broken_now);
        let is_settled = self.settled.last().copied().unwrap_or(self.started);
        let counts = self.into.and(is_settled, broken ^ 1);
        let bad = self.into.and(differs, counts);
        let of_design = self.aig.next.iter().map(|&next| self.design.of(next));
        let of_mutant = self.own.iter().map(|&place| self.mutant.of(self.aig.next[place]));
        let next: Vec<u32> = of_design.chain(of_mutant).collect();
        // Once something is broken, nothing counts, and all is zero: what is alike stays alike.
        let mut next: Vec<u32> = next.into_iter().map(|next| self.into.and(next, broken ^ 1)).collect();
        next.extend([TRUE, broken]);
        let before = std::iter::once(self.started).chain(self.settled.iter().copied());
        next.extend(before.take(self.settled.len()));
        self.into.binary(&next, &[bad])
    }
}

/// The place of an input in the number of the mutant: 3 of `unruly_mutant[3]`.
fn bit_of_number(name: &str) -> Option<u32> {
    name.strip_prefix(MUTANT)?.strip_prefix('[')?.strip_suffix(']')?.parse().ok()
}

/// The inputs of a way that abc found, from its rows of bits in the order of the circuit's inputs.
fn inputs(rows: &[Vec<bool>], aig: &Aig, pins: &Interface, names: &Names) -> Inputs {
    let one = |(cycle, row): (usize, &Vec<bool>)| {
        let bits: HashMap<&str, bool> = aig.inputs.iter().map(String::as_str).zip(row.iter().copied()).collect();
        let bit = |name: &str| bits.get(name).copied().unwrap_or(false);
        let mut words = vec![];
        for pin in &pins.inputs {
            let first = words.len();
            words.resize(first + pin.words(), 0);
            for place in (0..pin.width).filter(|&place| bit(&names.bit(&pin.name, place))) {
                words[first + place as usize / 64] |= 1 << (place % 64);
            }
        }
        (cycle == 0 || bit(RESET), words)
    };
    rows.iter().enumerate().map(one).collect()
}
