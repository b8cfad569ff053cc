//! Proofs that a mutant is none: it does what the design does, in every state that the design reaches with legal inputs.
//!
//! A mutant may have registers of its own, from the same state on: those that the fault reaches. Outputs that mean something are compared,
//! and what goes into all other registers. It may have none: then the mutated logic computes outputs and next state from the design's own
//! state, and if they are the design's in every cycle, the mutant never leaves its way. It may have those that the fault reaches in a
//! cycle, or in a few, or ever: what the mutant changes may be state that nobody reads.
//!
//! Most questions are about a piece of the unit: registers outside it have any values in every cycle, the same for both. The first is about
//! one cycle, from any state in which the invariants hold: no register is inside. Then come the parts of the unit that have the fault, the
//! smallest first; a part without feedback is unrolled into a circuit without registers. Then a difference is looked for in the first
//! cycles of the whole unit, because the proofs behind it are dear. Then comes the neighbourhood of the fault: what the mutated logic and
//! the own registers read, and step by step what those read. The own registers are first looked for with nothing given. The last
//! questions are about the whole unit.
//!
//! A register that the first reset gives one value must get it from the mutant, too. Any value may be in the others behind it.
//!
//! A mutant that addresses a memory otherwise, but no two words as one, keeps all words at other places. Its question is the second one
//! with the words of its memory at these places in the beginning: any words may stand there, so it does what the design may do.
//!
//! Given are the rules of the pins, and the assumptions and invariants of the unit's properties; the invariants are proven first. A
//! question begins with none of them, and gets those that the ways to a difference break: most answers need few.
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
use crate::aig::{Aig, Binary, Builder, Copied, FALSE, TRUE};
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
use std::time::{Duration, Instant};

/// Seconds for a question with the words of a memory at other places. If they are the right ones, registers are alike.
const WITH_MOVED_WORDS: u32 = 1;

/// Limits of a question that all moves of words may take together.
const FOR_MOVES: u64 = 6;

/// Cycles in which wrong places of words nearly always show.
const SOON: u64 = 4;

/// Cycles in which a difference is looked for before the dearer proofs.
const EARLY: u64 = 12;

/// Limits of a question that its bits may take together, if it is put for one after the other.
const FOR_BITS: u32 = 30;

/// Steps from the mutant that a neighbourhood goes, at most.
const STEPS: u32 = 3;

/// Steps where no nearer neighbourhood was enough.
const FAR: [u32; 2] = [5, 8];

/// Times that a mutant may get more own registers, those to which a difference came, before it gets all within reach.
const GROWTHS: u32 = 48;

/// Answer about a mutant.
pub(super) enum Answer {
    /// It does what the design does.
    Equal,
    /// Inputs after which another output means something and differs.
    Differs(Inputs),
    /// Neither was found in the time.
    Open,
    NotAsked,
}

/// Input words cycle by cycle, with or without a reset beside them.
pub(super) type Inputs = Vec<(bool, Vec<u64>)>;

/// The circuit of a unit with some of its mutants.
pub(super) struct Proofs<'a> {
    directory: &'a Path,
    aig: Aig,
    /// Registers that outputs depend on.
    state: Vec<bool>,
    /// Registers that a reset gives one value.
    is_reset: Vec<bool>,
    names: Names<'a>,
    pins: &'a Interface,
    given: Given,
    /// Parts in which each mutant is, the smallest first.
    parts: HashMap<u32, Vec<String>>,
    /// Seconds for a question.
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
        let is_reset = is_reset(&aig);
        let names = Names::new(&unit.ports, pins);
        let subject = format!("proof that a mutant of {} is none", unit.module);
        let parts = numbers.iter().map(|&number| (number, netlist.parts(number))).collect();
        Ok(Proofs {
            directory,
            aig,
            state,
            is_reset,
            names,
            pins,
            given,
            parts,
            limit,
            settling: settling as usize,
            subject,
        })
    }

    /// Answer about one of the mutants.
    pub fn answer(&self, number: u32) -> Result<Answer> {
        let (none, same_places) = (vec![false; self.aig.latches()], self.same_places());
        let cycles = LazyCell::new(|| self.cycles(number, &none));
        let own = LazyCell::new(|| cycles.iter().map(Option::is_some).collect::<Vec<_>>());
        if self.is_equal_in_a_cycle(number)? {
            return Ok(Answer::Equal);
        }
        for part in &self.parts[&number] {
            if self.is_equal_within(number, part)? {
                return Ok(Answer::Equal);
            }
        }
        // Most of those that stimulus would have found.
        let asked = Asked::all(&own, &none, &same_places);
        let circuit = self.circuit(number, &asked, &self.given_is(true)).binary();
        if let abc::Answer::After(rows) = abc::in_the_first(self.directory, &circuit, EARLY, self.limit, &self.subject)?
        {
            return Ok(self.differs_after(&rows));
        }
        if self.is_equal_with_found(number)? || self.is_equal_nearby(number, &own)? {
            return Ok(Answer::Equal);
        }
        let all = &*own;
        for own in [&none, all] {
            let asked = Asked::all(own, &none, &same_places);
            match self.answer_to(number, &asked, abc::compare)? {
                abc::Answer::Never => return Ok(Answer::Equal),
                abc::Answer::After(rows) if own == all => return Ok(self.differs_after(&rows)),
                abc::Answer::After(_) | abc::Answer::NotIn(_) => {}
            }
        }
        let until = Instant::now() + Duration::from_secs(FOR_MOVES * u64::from(self.limit));
        for places in memories::moves(&self.aig.states, &cycles) {
            if Instant::now() > until {
                break;
            }
            let asked = Asked::all(&own, &none, &places);
            let circuit = self.circuit(number, &asked, &self.given_is(true)).binary();
            if let abc::Answer::After(_) =
                abc::in_the_first(self.directory, &circuit, SOON, WITH_MOVED_WORDS, &self.subject)?
            {
                continue;
            }
            if abc::compare(self.directory, &circuit, WITH_MOVED_WORDS, &self.subject)? == abc::Answer::Never {
                return Ok(Answer::Equal);
            }
        }
        Ok(Answer::Open)
    }

    fn differs_after(&self, rows: &[Vec<bool>]) -> Answer {
        Answer::Differs(inputs(rows, &self.aig, self.pins, &self.names))
    }

    /// Outputs and next state are those of the design in each state in which what is given holds.
    fn is_equal_in_a_cycle(&self, number: u32) -> Result<bool> {
        let (all, none) = (vec![true; self.aig.latches()], vec![false; self.aig.latches()]);
        let places = self.same_places();
        let asked = Asked::all(&none, &all, &places);
        Ok(self.answer_to(number, &asked, abc::prove)? == abc::Answer::Never)
    }

    /// A part has the same outputs with the mutant in it, whatever the rest of the unit does.
    fn is_equal_within(&self, number: u32, part: &str) -> Result<bool> {
        let outside = self.outside(part);
        let inside: Vec<bool> = outside.iter().map(|outside| !outside).collect();
        if !inside.contains(&true) {
            return Ok(false);
        }
        if let Some(depth) = self.aig.depth(&inside) {
            return self.is_equal_pipeline(number, &outside, depth);
        }
        let (none, own) = (vec![false; self.aig.latches()], self.own_inside(number, &outside));
        let places = self.same_places();
        for own in [&none, &own] {
            let asked = Asked::all(own, &outside, &places);
            if self.answer_to(number, &asked, abc::compare)? == abc::Answer::Never {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A few registers are all that the mutant changes, and give the rest of the unit what the design's do: those to
    /// which a difference came, once more for each answer. Then the same of `all` that it could reach.
    fn is_equal_nearby(&self, number: u32, all: &[bool]) -> Result<bool> {
        // Bits one after the other take long: they come last.
        for put in [Put::AtOnce, Put::BitByBit] {
            for steps in 1..=STEPS {
                // Things given that the last step took made its questions dearer.
                let mut taken = self.given_is(false);
                if self.grown(|own| self.nearby(number, own, steps, put, &mut taken))? == Grown::Equal {
                    return Ok(true);
                }
            }
        }
        let mut taken = self.given_is(false);
        for steps in 1..=STEPS {
            match self.nearby(number, all, steps, Put::BitByBit, &mut taken)? {
                Nearby::Equal => return Ok(true),
                Nearby::Reaches(_) => {}
                Nearby::Open => break,
            }
        }
        Ok(false)
    }

    /// A proof as in [`Self::is_equal_nearby`], with the registers to which differences come while nothing is given:
    /// what is given costs time, and a question that ends without an answer names no register. Then alone with what
    /// these registers depend on; then farther away, with all invariants of the unit's registers.
    fn is_equal_with_found(&self, number: u32) -> Result<bool> {
        let nothing = self.given_is(false);
        let own = match self.grown(|own| self.nearby_with(number, own, &self.near(number, own, 1, true), &nothing))? {
            Grown::Equal => return Ok(true),
            Grown::Own(own) => own,
        };
        if !own.contains(&true) {
            return Ok(false);
        }
        let alone = self.near(number, &own, u32::MAX, false);
        if self.nearby_with(number, &own, &alone, &nothing)? == Nearby::Equal {
            return Ok(true);
        }
        let of_unit = self.given_of_unit();
        for steps in FAR {
            let near = self.near(number, &own, steps, true);
            if self.nearby_with(number, &own, &near, &of_unit)? == Nearby::Equal {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Puts a question with no own registers, and again with those to which a difference came in each answer.
    fn grown(&self, mut put: impl FnMut(&[bool]) -> Result<Nearby>) -> Result<Grown> {
        let mut own = vec![false; self.aig.latches()];
        for _ in 0..GROWTHS {
            match put(&own)? {
                Nearby::Equal => return Ok(Grown::Equal),
                Nearby::Reaches(more) if more.contains(&true) => {
                    own.iter_mut().zip(more).for_each(|(own, more)| *own |= more);
                }
                Nearby::Reaches(_) | Nearby::Open => break,
            }
        }
        Ok(Grown::Own(own))
    }

    /// Question: the registers `own` are all that the mutant changes. Registers near it are not free.
    fn nearby(&self, number: u32, own: &[bool], steps: u32, put: Put, taken: &mut Vec<bool>) -> Result<Nearby> {
        let (free, places) = (self.free(&self.near(number, own, steps, true)), self.same_places());
        let asked = Asked::all(own, &free, &places);
        let (answer, circuit) = match put {
            Put::AtOnce => self.ask_at_once(number, &asked, prove_or_compare, taken)?,
            Put::BitByBit => self.ask_bit_by_bit(number, &asked, prove_or_compare, taken)?,
        };
        Ok(Nearby::of(answer, &circuit))
    }

    /// Question of [`Self::nearby`] with what is `taken` of the given, and no more.
    fn nearby_with(&self, number: u32, own: &[bool], near: &[bool], taken: &[bool]) -> Result<Nearby> {
        let (free, places) = (self.free(near), self.same_places());
        let circuit = self.circuit(number, &Asked::all(own, &free, &places), taken);
        let answer = abc::prove(self.directory, &circuit.binary(), self.limit, &self.subject)?;
        Ok(Nearby::of(answer, &circuit))
    }

    /// The registers `own`, and what they read; if `with_difference`, what the mutated logic reads, too; with each step more what those
    /// read, until there is no more.
    fn near(&self, number: u32, own: &[bool], steps: u32, with_difference: bool) -> Vec<bool> {
        let (none, places) = (vec![false; self.aig.latches()], self.same_places());
        let mut pair = Pair::new(&self.aig, number, own, &none, &places, self.settling);
        let next_of = |pair: &Pair, of: &[bool]| {
            let next = (0..of.len()).filter(|&place| of[place]).map(|place| self.aig.next[place]);
            next.flat_map(|next| [pair.design.of(next), pair.mutant.of(next)]).collect::<Vec<u32>>()
        };
        let mut read = next_of(&pair, own);
        if with_difference {
            read.push(self.differs(&mut pair, &Asked::all(own, &none, &places)).any);
        }
        let mut near = own.to_vec();
        for _ in 0..steps {
            let before = near.clone();
            near.iter_mut().zip(pair.registers_of(&read)).for_each(|(near, is_read)| *near |= is_read);
            if near == before {
                break;
            }
            read = next_of(&pair, &near);
        }
        near
    }

    /// The other registers. What the properties remember of inputs stays true.
    fn free(&self, near: &[bool]) -> Vec<bool> {
        near.iter().zip(&self.state).map(|(near, of_unit)| !near && *of_unit).collect()
    }

    /// One value per thing given: it reads registers of the unit alone, and no inputs but by the rules of the pins.
    fn given_of_unit(&self) -> Vec<bool> {
        let (inputs, latches) = (self.aig.inputs.len(), self.aig.latches());
        let mut into = Builder::new(inputs, latches);
        let values: Vec<u32> = (0..inputs).map(|place| into.input(place)).collect();
        let state: Vec<u32> = (0..latches).map(|place| into.latch(place)).collect();
        let copied = self.aig.copy(&mut into, &values, &state);
        let reads_unit = |name: &String| {
            let (_, value) =
                self.aig.outputs.iter().find(|(other, _)| other == name).expect("an output for each claim");
            let read = into.latches_read(&[copied.of(*value)]);
            read.iter().zip(&self.state).all(|(is_read, of_unit)| !is_read || *of_unit)
        };
        let invariants = self.given.invariants.iter().map(reads_unit);
        self.given.assumptions.iter().map(|_| false).chain(invariants).chain([true]).collect()
    }

    /// The answer to a question, with what is `taken` of the given, and what the ways to a difference break. If it is not found in the
    /// time, the question is put for one bit after the other: the first difference would be in one of them.
    fn ask_bit_by_bit(
        &self,
        number: u32,
        asked: &Asked,
        with: Command,
        taken: &mut Vec<bool>,
    ) -> Result<(abc::Answer, Circuit)> {
        let (mut answer, mut circuit) = self.ask_at_once(number, asked, with, taken)?;
        if !matches!(answer, abc::Answer::NotIn(_)) {
            return Ok((answer, circuit));
        }
        let until = Instant::now() + FOR_BITS * Duration::from_secs(self.limit.into());
        for compared in self.bits(number, asked) {
            if Instant::now() > until {
                return Ok((abc::Answer::NotIn(0), circuit));
            }
            (answer, circuit) = self.ask_at_once(number, &Asked { compared, ..*asked }, with, taken)?;
            if answer != abc::Answer::Never {
                break;
            }
        }
        Ok((answer, circuit))
    }

    /// The same, and what is compared stays together.
    fn ask_at_once(
        &self,
        number: u32,
        asked: &Asked,
        with: Command,
        taken: &mut Vec<bool>,
    ) -> Result<(abc::Answer, Circuit)> {
        let until = Instant::now() + 2 * Duration::from_secs(self.limit.into());
        loop {
            let circuit = self.circuit(number, asked, taken);
            let answer = with(self.directory, &circuit.binary(), self.limit, &self.subject)?;
            let before = taken.clone();
            match &answer {
                abc::Answer::Never => return Ok((answer, circuit)),
                abc::Answer::After(rows) => {
                    taken.iter_mut().zip(circuit.broken(rows)).for_each(|(taken, is_broken)| *taken |= is_broken);
                }
                abc::Answer::NotIn(_) => taken.fill(true),
            }
            if *taken == before {
                return Ok((answer, circuit));
            }
            if Instant::now() > until {
                return Ok((abc::Answer::NotIn(0), circuit));
            }
        }
    }

    /// Bits that may differ, of all that is compared.
    fn bits(&self, number: u32, asked: &Asked) -> Vec<Compared> {
        let mut pair = Pair::new(&self.aig, number, asked.own, asked.free, asked.places, self.settling);
        let differs = self.differs(&mut pair, asked);
        let may_differ = |of: &[u32]| (0..of.len()).filter(|&place| of[place] != FALSE).collect::<Vec<_>>();
        let (outputs, registers) = (may_differ(&differs.outputs), may_differ(&differs.registers));
        let outputs = outputs.into_iter().map(Compared::Output);
        outputs.chain(registers.into_iter().map(Compared::Register)).collect()
    }

    /// The same, with nothing taken before.
    fn answer_to(&self, number: u32, asked: &Asked, with: Command) -> Result<abc::Answer> {
        Ok(self.ask_bit_by_bit(number, asked, with, &mut self.given_is(false))?.0)
    }

    /// One value per bit of the outputs, high when it means something and differs. FALSE for those that are no pins.
    fn differing_outputs(&self, pair: &mut Pair) -> Vec<u32> {
        let differs = |(name, value): &(String, u32)| {
            if !is_pin(name) {
                return FALSE;
            }
            let difference = pair.into.xor(pair.design.of(*value), pair.mutant.of(*value));
            let matters = pair.means_something(&self.names, name);
            pair.into.and(difference, matters)
        };
        self.aig.outputs.iter().map(differs).collect()
    }

    /// A part that keeps no value for longer than `depth` cycles has the same outputs. Values from before the first
    /// reset are gone then. The mutant may change those; the neighbourhood and the unit are asked who looks.
    fn is_equal_pipeline(&self, number: u32, outside: &[bool], depth: usize) -> Result<bool> {
        let [design, mutant] = self.outputs_of_pipeline(number, outside, depth);
        let answer = abc::same(self.directory, [&design, &mutant], self.limit, &self.subject)?;
        if answer != abc::Equality::Same {
            return Ok(false);
        }
        let (own, cycles) = (self.own_inside(number, outside), depth as u64 + 1);
        for steps in (1..=STEPS).map(Some).chain([None]) {
            let near =
                steps.map_or_else(|| vec![true; self.aig.latches()], |steps| self.near(number, &own, steps, true));
            let (free, places) = (self.free(&near), self.same_places());
            let circuit = self.circuit(number, &Asked::all(&own, &free, &places), &self.given_is(false)).binary();
            let answer = abc::in_the_first(self.directory, &circuit, cycles, self.limit, &self.subject)?;
            if matches!(answer, abc::Answer::Never) || matches!(answer, abc::Answer::NotIn(number) if number >= cycles)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Two circuits without registers: what the design's part gives to the rest of the unit, and the mutant's, after `depth` cycles.
    fn outputs_of_pipeline(&self, number: u32, outside: &[bool], depth: usize) -> [Vec<u8>; 2] {
        let aig = &self.aig;
        let width = aig.inputs.len() + aig.latches();
        let mut into = Builder::new(width * (depth + 1), 0);
        let all_inputs: Vec<u32> = (0..width * (depth + 1)).map(|place| into.input(place)).collect();
        let mut sides = [0, number].map(|number| (number, vec![FALSE; aig.latches()], Copied::default()));
        for (cycle, of_cycle) in all_inputs.chunks(width).enumerate() {
            for (number, state, copied) in &mut sides {
                let free = (0..aig.latches()).filter(|&place| cycle == 0 || outside[place]);
                free.for_each(|place| state[place] = of_cycle[aig.inputs.len() + place]);
                let inputs = aig.inputs.iter().enumerate().map(|(place, name)| match bit_of_number(name) {
                    Some(bit) => *number >> bit & 1,
                    None => of_cycle[place],
                });
                *copied = aig.copy(&mut into, &inputs.collect::<Vec<_>>(), state);
                *state = aig.next.iter().map(|&next| copied.of(next)).collect();
            }
        }
        let pins = aig.outputs.iter().filter(|(name, _)| is_pin(name)).map(|(_, value)| *value);
        let registers = (0..aig.latches()).filter(|&place| outside[place] && self.state[place]);
        let compared: Vec<u32> = pins.chain(registers.map(|place| aig.next[place])).collect();
        let [design, mutant] = &sides.map(|(_, _, copied)| copied);
        let pairs = compared.iter().map(|&value| (design.of(value), mutant.of(value)));
        let pairs = pairs.filter(|(design, mutant)| design != mutant).chain([(FALSE, FALSE)]);
        let (design, mutant): (Vec<u32>, Vec<u32>) = pairs.unzip();
        into.two([&design, &mutant])
    }

    /// The registers inside a part that the mutant may have of its own, while all outside it are alike.
    fn own_inside(&self, number: u32, outside: &[bool]) -> Vec<bool> {
        self.cycles(number, outside).iter().map(Option::is_some).collect()
    }

    /// The first cycle in which each register may differ from that of the design: of those that the mutant reaches, and of what these
    /// change. The mutant has its own of these registers, and none of the free ones.
    fn cycles(&self, number: u32, free: &[bool]) -> Vec<Option<u32>> {
        let (mut own, mut cycles) = (vec![false; self.aig.latches()], vec![None; self.aig.latches()]);
        for cycle in 1.. {
            let Some(more) = self.reached(number, &own, free) else { break };
            own = more;
            cycles.iter_mut().zip(&own).filter(|(_, own)| **own).for_each(|(first, _)| *first = first.or(Some(cycle)));
        }
        cycles
    }

    /// Each register begins as that of the design does.
    fn same_places(&self) -> Vec<usize> {
        (0..self.aig.latches()).collect()
    }

    /// The registers that are not in the part of this path. One whose output is a mutant's has no name and counts as in it: a proof holds
    /// whichever registers do.
    fn outside(&self, part: &str) -> Vec<bool> {
        let is_of_part = |name: &str| name.strip_prefix(part).is_some_and(|rest| rest.starts_with('.'));
        let is_inside = |names: &String| names.split(' ').any(is_of_part) || names.split(' ').all(is_made_up);
        self.aig.states.iter().map(|names| !is_inside(names)).collect()
    }

    /// A circuit whose output is high when the mutant would leave the design's way, while what is `taken` of the given holds.
    fn circuit(&self, number: u32, asked: &Asked, taken: &[bool]) -> Circuit {
        let mut pair = Pair::new(&self.aig, number, asked.own, asked.free, asked.places, self.settling);
        let differs = self.differs(&mut pair, asked);
        let given = pair.given(&self.given);
        pair.question(differs, given, taken)
    }

    /// Differences of the mutant from the design.
    fn differs(&self, pair: &mut Pair, asked: &Asked) -> Differs {
        let aig = &self.aig;
        let outputs = self.differing_outputs(pair);
        let compared = outputs.iter().enumerate().filter(|(place, _)| asked.compared.has(Compared::Output(*place)));
        let mut any = compared.fold(FALSE, |any, (_, &differs)| pair.into.or(any, differs));
        // A reset gives some registers one value. Any value may be in the others behind it. Outputs mean nothing before the first one.
        let (mut any_of_reset, mut registers) = (pair.into.and(any, pair.started), vec![FALSE; aig.latches()]);
        for place in (0..aig.latches()).filter(|&place| self.state[place] && !asked.own[place]) {
            registers[place] = pair.into.xor(pair.design.of(aig.next[place]), pair.mutant.of(aig.next[place]));
            if !asked.compared.has(Compared::Register(place)) {
                continue;
            }
            any = pair.into.or(any, registers[place]);
            if self.is_reset[place] {
                any_of_reset = pair.into.or(any_of_reset, registers[place]);
            }
        }
        let open = pair.open(asked);
        let may_have_any = |place: &usize| !self.is_reset[*place] && registers[*place] != FALSE;
        let left_open = (0..aig.latches()).filter(may_have_any).collect();
        Differs { any: pair.into.select(open, any_of_reset, any), outputs, registers, open, left_open }
    }

    /// One value per assumption and invariant, and one for the rules of the pins: a question takes it.
    fn given_is(&self, taken: bool) -> Vec<bool> {
        vec![taken; self.given.assumptions.len() + self.given.invariants.len() + 1]
    }

    /// The registers that may differ a cycle after these do, if they are more.
    fn reached(&self, number: u32, own: &[bool], free: &[bool]) -> Option<Vec<bool>> {
        let pair = Pair::new(&self.aig, number, own, free, &self.same_places(), self.settling);
        let differs = |next: &u32| pair.design.of(*next) != pair.mutant.of(*next);
        let reached = self.aig.next.iter().zip(own).zip(free).map(|((next, own), free)| *own || !free && differs(next));
        let reached: Vec<bool> = reached.collect();
        (reached != own).then_some(reached)
    }
}

/// The registers that a question is about. Of all others than the mutant's own ones, what goes into them is compared.
struct Asked<'a> {
    /// Registers of which the mutant has its own.
    own: &'a [bool],
    /// Registers that have any value in each cycle, the same for both.
    free: &'a [bool],
    /// The register of the design that has the value with which each register of the mutant begins.
    places: &'a [usize],
    compared: Compared,
}

impl<'a> Asked<'a> {
    /// A question that compares all.
    fn all(own: &'a [bool], free: &'a [bool], places: &'a [usize]) -> Self {
        Asked { own, free, places, compared: Compared::All }
    }
}

/// Outputs and registers that a question compares.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Compared {
    All,
    /// The bit of this place among the outputs.
    Output(usize),
    /// Next value of the register of this place.
    Register(usize),
}

impl Compared {
    fn has(self, one: Compared) -> bool {
        self == Compared::All || self == one
    }
}

/// High when the mutant leaves the design's way.
struct Differs {
    any: u32,
    /// One value per bit of the outputs, high when it means something and differs.
    outputs: Vec<u32>,
    /// One value per register, high when it is not the mutant's own and another value goes into it.
    registers: Vec<u32>,
    /// High in a reset behind which some of these registers have any value.
    open: u32,
    left_open: Vec<usize>,
}

/// Outcome of a question about the neighbourhood of a mutant.
#[derive(PartialEq, Eq)]
enum Nearby {
    Equal,
    /// Other values get into these registers; into none, if a pin differs.
    Reaches(Vec<bool>),
    Open,
}

impl Nearby {
    fn of(answer: abc::Answer, circuit: &Circuit) -> Self {
        match answer {
            abc::Answer::Never => Nearby::Equal,
            abc::Answer::After(rows) => Nearby::Reaches(circuit.reached(&rows)),
            abc::Answer::NotIn(_) => Nearby::Open,
        }
    }
}

/// Outcome of questions with more and more own registers.
#[derive(PartialEq, Eq)]
enum Grown {
    Equal,
    /// The registers to which differences came; no proof was found.
    Own(Vec<bool>),
}

/// Form of a question.
#[derive(Clone, Copy)]
enum Put {
    AtOnce,
    /// If that finds nothing, for one bit after the other.
    BitByBit,
}

/// Command of abc: [`abc::prove`] or [`abc::compare`].
type Command = fn(&Path, &Binary, u32, &str) -> Result<abc::Answer>;

/// [`abc::prove`], and [`abc::compare`] if that finds nothing in its time.
fn prove_or_compare(directory: &Path, circuit: &Binary, seconds: u32, subject: &str) -> Result<abc::Answer> {
    match abc::prove(directory, circuit, seconds, subject)? {
        abc::Answer::NotIn(_) => abc::compare(directory, circuit, seconds, subject),
        answer => Ok(answer),
    }
}

/// A question about a circuit.
struct Circuit {
    into: Builder,
    /// Next values of its registers, which begin with 0.
    next: Vec<u32>,
    /// High when there is a difference.
    bad: u32,
    /// One value per register of the design, high when another value goes into that of the mutant.
    registers: Vec<u32>,
    /// One value per thing given, high when it holds in a cycle.
    given: Vec<u32>,
}

impl Circuit {
    fn binary(&self) -> Binary {
        self.into.binary(&self.next, &[self.bad])
    }

    /// One value per thing given: these inputs break it, in a cycle after the first one.
    fn broken(&self, rows: &[Vec<bool>]) -> Vec<bool> {
        let mut broken = vec![false; self.given.len()];
        for values in self.run(rows).skip(1) {
            broken.iter_mut().zip(&self.given).for_each(|(broken, &given)| *broken |= !is_high(&values, given));
        }
        broken
    }

    /// The registers that get other values in the last cycle of these inputs.
    fn reached(&self, rows: &[Vec<bool>]) -> Vec<bool> {
        let values = self.run(rows).last().expect("a way has a cycle");
        self.registers.iter().map(|&differs| is_high(&values, differs)).collect()
    }

    /// Values of all variables in the cycles of these inputs.
    fn run<'a>(&'a self, rows: &'a [Vec<bool>]) -> impl Iterator<Item = Vec<bool>> + 'a {
        let mut state = vec![false; self.next.len()];
        rows.iter().map(move |inputs| {
            let values = self.into.values(inputs, &state);
            state = self.next.iter().map(|&next| is_high(&values, next)).collect();
            values
        })
    }
}

/// Value of a literal, with these values of the variables.
fn is_high(values: &[bool], literal: u32) -> bool {
    values[literal as usize / 2] != (literal & 1 == 1)
}

/// A cycle of the design and of a mutant, with the same inputs.
struct Pair<'a> {
    aig: &'a Aig,
    into: Builder,
    /// Registers of which the mutant has its own.
    own: Vec<usize>,
    started: u32,
    was_broken: u32,
    /// One value per cycle of settling: it is over.
    settled: Vec<u32>,
    reset: u32,
    design: Copied,
    mutant: Copied,
    outputs: HashMap<&'a str, u32>,
}

impl<'a> Pair<'a> {
    fn new(aig: &'a Aig, number: u32, own: &[bool], free: &[bool], places: &[usize], settling: usize) -> Self {
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
        let of_design = (0..latches).map(|place| match free[place] {
            true => into.input(inputs + place),
            false => state(&mut into, place, place),
        });
        let of_design: Vec<u32> = of_design.collect();
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

    /// The registers that these literals read.
    fn registers_of(&self, literals: &[u32]) -> Vec<bool> {
        let read = self.into.latches_read(literals);
        let (of_design, of_mutant) = read.split_at(self.aig.latches());
        let mut registers = of_design.to_vec();
        self.own.iter().zip(of_mutant).for_each(|(&place, is_read)| registers[place] |= is_read);
        registers
    }

    /// Condition under which the output of this name is compared.
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

    /// One value per thing given: it holds in this cycle.
    fn given(&mut self, given: &Given) -> Vec<u32> {
        let of_properties = given.assumptions.iter().chain(&given.invariants);
        let outside_reset: Vec<u32> = of_properties.map(|name| self.outputs[&name[..]]).collect();
        let holds = outside_reset.into_iter().map(|one| self.into.or(one, self.reset));
        let mut all: Vec<u32> = holds.collect();
        all.push(self.outputs[ILLEGAL] ^ 1);
        all
    }

    /// High in a reset that may leave any value in registers that it does not reset: the first one, or each one where some registers are
    /// free.
    fn open(&self, asked: &Asked) -> u32 {
        if asked.free.contains(&true) {
            self.reset
        } else {
            self.started ^ 1
        }
    }

    /// The circuit, with an output that is high when the mutant differs: from the first reset on, or behind those of settling while what is
    /// `taken` of `given` has been high since the first.
    fn question(mut self, differs: Differs, given: Vec<u32>, taken: &[bool]) -> Circuit {
        let holds = given.iter().zip(taken).filter(|(_, is_taken)| **is_taken);
        let kept = holds.fold(TRUE, |all, (&one, _)| self.into.and(all, one));
        let broken_now = self.into.and(kept ^ 1, self.started);
        let broken = self.into.or(self.was_broken, broken_now);
        let is_settled = self.settled.last().copied().unwrap_or(self.started);
        let counts = self.into.and(is_settled, broken ^ 1);
        let counts = self.into.or(counts, self.started ^ 1);
        let bad = self.into.and(differs.any, counts);
        let mut of_design: Vec<u32> = self.aig.next.iter().map(|&next| self.design.of(next)).collect();
        for place in differs.left_open {
            let value = self.into.input(self.aig.inputs.len() + place);
            of_design[place] = self.into.select(differs.open, value, of_design[place]);
        }
        let of_mutant = self.own.iter().map(|&place| self.mutant.of(self.aig.next[place]));
        let next: Vec<u32> = of_design.into_iter().chain(of_mutant).collect();
        // Once something is broken, nothing counts, and all is zero: what is alike stays alike.
        let mut next: Vec<u32> = next.into_iter().map(|next| self.into.and(next, broken ^ 1)).collect();
        next.extend([TRUE, broken]);
        let before = std::iter::once(self.started).chain(self.settled.iter().copied());
        next.extend(before.take(self.settled.len()));
        Circuit { into: self.into, next, bad, registers: differs.registers, given }
    }
}

/// One value per register of the design: a reset gives it one value, whatever inputs and state are.
fn is_reset(aig: &Aig) -> Vec<bool> {
    let mut into = Builder::new(aig.inputs.len() + aig.latches(), 0);
    let inputs = aig.inputs.iter().enumerate().map(|(place, name)| match &name[..] {
        RESET => TRUE,
        name if bit_of_number(name).is_some() => FALSE,
        _ => into.input(place),
    });
    let inputs: Vec<u32> = inputs.collect();
    let state: Vec<u32> = (0..aig.latches()).map(|place| into.input(aig.inputs.len() + place)).collect();
    let copied = aig.copy(&mut into, &inputs, &state);
    aig.next.iter().map(|&next| matches!(copied.of(next), FALSE | TRUE)).collect()
}

/// The name is one that Yosys gave a wire: `_163_[3]`.
fn is_made_up(name: &str) -> bool {
    name.strip_prefix('_').is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
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

#[cfg(test)]
mod tests {
    use super::super::netlist::with_mutants;
    use super::*;
    use gen::{Direction, Port};
    use sim::unit::Pin;
    use std::cell::Cell;
    use std::collections::BTreeMap;

    fn port(name: &str, direction: Direction, width: usize) -> Port {
        Port { name: name.into(), direction, width }
    }

    /// A module of the ports `clock`, `reset`, `d` and `q` of two bits, with all its mutants: the answers to those that `is_asked` names, by
    /// the command of Yosys.
    fn answers(module: &str, text: &str, is_asked: impl Fn(&str) -> bool) -> Vec<bool> {
        let is_equal = |proofs: &Proofs, number| matches!(proofs.answer(number).unwrap(), Answer::Equal);
        of_each(module, text, is_asked, is_equal)
    }

    /// Answers to `question` about each mutant that `is_asked` names.
    fn of_each(
        module: &str,
        text: &str,
        is_asked: impl Fn(&str) -> bool,
        question: impl Fn(&Proofs, u32) -> bool,
    ) -> Vec<bool> {
        let netlist = with_mutants(module, text, 400, 1).unwrap();
        let ports = vec![
            port("clock", Direction::Input, 1),
            port("reset", Direction::Input, 1),
            port("d", Direction::Input, 2),
            port("q", Direction::Output, 2),
        ];
        let unit = Verilog {
            module: module.into(),
            about: None,
            ports,
            memories: vec![],
            children: vec![],
            has_registers: true,
            parameters: BTreeMap::new(),
            header: String::new(),
            tree: None,
            text: text.into(),
        };
        let pins = Interface { inputs: vec![Pin::new("d", 2)], outputs: vec![Pin::new("q", 2)] };
        let asked: Vec<u32> = (1..).zip(&netlist.mutations).map(|(number, _)| number).collect();
        let asked: Vec<u32> = asked.into_iter().filter(|&number| is_asked(netlist.command(number))).collect();
        assert!(!asked.is_empty());
        let proofs = Proofs::new(&netlist, &asked, &unit, &pins, Given::nothing(), 5, 0).unwrap();
        asked.iter().map(|&number| question(&proofs, number)).collect()
    }

    /// A register that keeps the value of its reset: only the first reset shows that one is missing.
    #[test]
    fn a_reset_that_is_missing_is_no_equal_design() {
        let text = "module stays (input clock, input reset, input [1:0] d, output [1:0] q);
    reg [1:0] q_q;
    assign q = q_q;
    always @(posedge clock) if (reset) q_q <= 2'd1; else q_q <= q_q == 2'd1 ? 2'd1 : q_q + d;
endmodule
";
        let is_reset = |command: &str| command.contains("-port SRST ") && command.contains("const0");
        assert!(answers("stays", text, is_reset).iter().all(|is_equal| !is_equal));
        // Values other than that of the reset do not matter.
        assert!(answers("stays", text, |command| command.contains("$add$")).iter().all(|is_equal| *is_equal));
    }

    /// Registers that say the same once they were reset: before that, nobody looks at the output.
    #[test]
    fn an_output_means_nothing_before_the_first_reset() {
        let text = "module twice (input clock, input reset, input [1:0] d, output [1:0] q);
    reg [1:0] a_q;
    reg [1:0] b_q;
    assign q = a_q | ~b_q;
    always @(posedge clock) begin
        a_q <= reset ? 2'd0 : d;
        b_q <= reset ? 2'd3 : ~d;
    end
endmodule
";
        let is_one_of_two =
            |command: &str| command.contains("const0") && command.contains("$or$") && command.contains("-port A ");
        let answers = answers("twice", text, is_one_of_two);
        assert!(answers.iter().all(|is_equal| *is_equal), "{answers:?}");
    }

    /// Registers of a part that are not reset: their first values are nobody's, if a valid bit beside the part says that.
    #[test]
    fn a_part_without_feedback_is_looked_at_alone() {
        let text = "module line_part (input clock, input [1:0] d, output [1:0] q);
    reg [1:0] first_q, both_q, q_q;
    assign q = q_q;
    always @(posedge clock) begin
        first_q <= d;
        both_q <= {first_q[1], first_q[0] & first_q[1] & (first_q[0] ^ first_q[1])};
        q_q <= both_q ^ {1'b0, both_q[0] & ~both_q[1]};
    end
endmodule
module line (input clock, input reset, input [1:0] d, output [1:0] q);
    wire [1:0] late;
    reg [2:0] valid_q;
    reg [1:0] q_q;
    assign q = q_q;
    line_part part (.clock(clock), .d(d), .q(late));
    always @(posedge clock) begin
        valid_q <= reset ? 3'd0 : {valid_q[1:0], 1'b1};
        q_q <= valid_q[2] & ~reset ? late : 2'd0;
    end
endmodule
";
        // The lower bit of `both_q` is 0, but not in its first value.
        let equal =
            answers("line", text, |command| command.contains("\\part.$and$") && command.contains("-mode const0"));
        assert!(equal.iter().all(|is_equal| *is_equal), "{equal:?}");
        let inverted = |command: &str| command.contains("\\part.$xor$") && command.contains("-mode inv");
        assert!(answers("line", text, inverted).iter().all(|is_equal| !is_equal));
    }

    /// A register gets another value while nobody looks: the mutant reaches the sum, but changes only that register.
    #[test]
    fn what_a_fault_changes_may_be_one_register_of_those_it_reaches() {
        let text = "module sums (input clock, input reset, input [1:0] d, output [1:0] q);
    reg valid_q;
    reg [1:0] item_q, sum_q;
    assign q = sum_q;
    always @(posedge clock) begin
        valid_q <= reset ? 1'b0 : d[0];
        item_q <= {d[1], d[1] & d[0]};
        sum_q <= reset ? 2'd0 : sum_q + (valid_q ? item_q : 2'd0);
    end
endmodule
";
        let answers_within = |is_asked: fn(&str) -> bool| {
            of_each("sums", text, is_asked, |proofs, number| {
                let nothing = vec![false; proofs.aig.latches()];
                let given = || proofs.given_is(false);
                let Nearby::Reaches(own) = proofs.nearby(number, &nothing, 1, Put::AtOnce, &mut given()).unwrap()
                else {
                    panic!("the fault changes a register");
                };
                let is_equal = |nearby| matches!(nearby, Nearby::Equal);
                let one = own.iter().filter(|own| **own).count() == 1;
                one && is_equal(proofs.nearby(number, &own, 1, Put::AtOnce, &mut given()).unwrap())
            })
        };
        // The lower bit is that of `d[1]` alone: it differs only if `d[0]` is 0.
        let stuck =
            |command: &str| command.contains("$and$") && command.contains("-port B ") && command.contains("const1");
        assert_eq!(answers_within(stuck), [true]);
        let inverted =
            |command: &str| command.contains("$and$") && command.contains("-port B ") && command.contains("inv");
        assert_eq!(answers_within(inverted), [false]);
    }

    /// Words of two memories that a fault moves: the model checker is late when it is asked of all bits at once.
    #[test]
    fn what_is_too_much_at_once_is_asked_bit_by_bit() {
        let text = "module words (input clock, input reset, input [1:0] d, output [1:0] q);
    reg place_q;
    reg [2:0] valid_q;
    reg [1:0] even_q, odd_q, q_q;
    wire place = place_q == valid_q[0];
    assign q = q_q;
    always @(posedge clock) begin
        place_q <= reset ? 1'b0 : place_q + 1'b1;
        valid_q <= reset ? 3'd0 : {valid_q[1:0], 1'b1};
        even_q <= place ? even_q : d;
        odd_q <= place ? d : odd_q;
        q_q <= reset | ~valid_q[2] ? 2'd0 : place ? even_q : odd_q;
    end
endmodule
";
        thread_local!(static QUESTIONS: Cell<u32> = const { Cell::new(0) });
        fn late_once(directory: &Path, circuit: &Binary, seconds: u32, subject: &str) -> Result<abc::Answer> {
            QUESTIONS.set(QUESTIONS.get() + 1);
            if QUESTIONS.get() == 1 {
                return Ok(abc::Answer::NotIn(0));
            }
            abc::compare(directory, circuit, seconds, subject)
        }
        let answers = |is_asked: fn(&str) -> bool| {
            of_each("words", text, is_asked, |proofs, number| {
                QUESTIONS.set(0);
                let (none, places) = (vec![false; proofs.aig.latches()], proofs.same_places());
                let own: Vec<bool> = proofs.cycles(number, &none).iter().map(Option::is_some).collect();
                let asked = Asked::all(&own, &none, &places);
                let answer = proofs.ask_bit_by_bit(number, &asked, late_once, &mut proofs.given_is(true)).unwrap().0;
                assert!(
                    answer != abc::Answer::Never || QUESTIONS.get() == 3,
                    "one question, and one of each bit of `q`"
                );
                answer == abc::Answer::Never
            })
        };
        let of_both =
            |command: &str| command.contains("$eq$") && command.contains("-port Y ") && command.contains("inv");
        assert_eq!(answers(of_both), [true]);
        // That of a read, or that of a write.
        let of_one = |command: &str| command.contains("-port S ") && command.contains("inv");
        assert!(answers(of_one).iter().all(|is_equal| !is_equal));
    }

    /// Bit 2 of a count to nine is inverted: 4, 1, 6, 3, 0, 5, 2, 7, 12, 9. The tick comes as before. The register behind the inverted bit
    /// has no name.
    #[test]
    fn a_register_whose_output_is_a_mutants_is_in_its_part() {
        let text = "module ticks_part (input clock, input reset, output last);
    reg [3:0] count_q;
    assign last = count_q == 4'd9;
    always @(posedge clock) count_q <= reset | last ? 4'd0 : count_q + 4'd1;
endmodule
module ticks (input clock, input reset, input [1:0] d, output [1:0] q);
    wire last;
    reg [1:0] q_q;
    assign q = q_q;
    ticks_part part (.clock(clock), .reset(reset), .last(last));
    always @(posedge clock) q_q <= reset ? 2'd0 : last ? d : q_q;
endmodule
";
        let of = |is_asked: fn(&str) -> bool| {
            of_each("ticks", text, is_asked, |proofs, number| proofs.is_equal_within(number, "part").unwrap())
        };
        // The unit's own register has two bits.
        let bit_2 = |command: &str| command.contains("-port Q -portbit 2 ") && command.contains("-mode inv ");
        let bit_3 = |command: &str| command.contains("-port Q -portbit 3 ") && command.contains("-mode const0 ");
        assert_eq!(of(bit_2), [true]);
        assert_eq!(of(bit_3), [false]);
    }
}
