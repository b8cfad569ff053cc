//! A question about a circuit for the model checker: a circuit with one output, which is high when the answer is found.
//!
//! The first cycle is a reset beside any inputs, in any state. Rules of the pins and assumptions hold from then on; other resets
//! may come at any time.

use super::against::SIDES;
use super::circuit::{output, ILLEGAL};
use crate::aig::{Aig, Binary, Builder, FALSE, TRUE};
use crate::shim::RESET;
use std::collections::HashMap;

/// Condition for which the output is high.
pub(super) enum Question<'a> {
    /// One of these wires is low.
    Low(&'a [String]),
    /// This wire is high.
    High(&'a String),
}

/// For each register the first one of its name: registers of two circuits with one name begin with one value. A register has
/// the names of all wires that it drives.
pub(super) fn first_of_name(aig: &Aig) -> Vec<usize> {
    let mut first: HashMap<&str, usize> = HashMap::new();
    let mut places = vec![];
    for (place, names) in aig.states.iter().enumerate() {
        let own = |name| SIDES.iter().find_map(|side| str::strip_prefix(name, side));
        let names: Vec<&str> = names.split(' ').filter_map(own).collect();
        let found = names.iter().filter_map(|name| first.get(name)).min().copied().unwrap_or(place);
        places.push(found);
        for name in names {
            first.entry(name).or_insert(found);
        }
    }
    places
}

/// Values of a circuit in a cycle.
struct Cycle {
    reset: u32,
    /// Inputs break no rule, and what is given holds.
    is_kept: u32,
    /// The wires that are asked about are high.
    holds: u32,
    next: Vec<u32>,
}

/// A cycle from `state` with the inputs from `first` on; with a reset at least where `forced` is high.
fn cycle(aig: &Aig, into: &mut Builder, first: usize, state: &[u32], forced: u32, asked: [&[String]; 2]) -> Cycle {
    let mut reset = forced;
    let mut values = vec![];
    for (place, name) in aig.inputs.iter().enumerate() {
        let value = into.input(first + place);
        if name == RESET {
            reset = into.or(value, reset);
        }
        values.push(if name == RESET { reset } else { value });
    }
    let unit = aig.copy(into, &values, state);
    let value =
        |name: &str| aig.outputs.iter().find(|(other, _)| other == name).map_or(FALSE, |(_, value)| unit.of(*value));
    let [given, holds] = asked.map(|names| names.iter().fold(TRUE, |all, name| into.and(all, value(&output(name)))));
    let kept = into.or(reset, given);
    let is_kept = into.and(kept, value(ILLEGAL) ^ 1);
    Cycle { reset, is_kept, holds, next: aig.next.iter().map(|&next| unit.of(next)).collect() }
}

/// The question, while the wires `given` are high in every cycle outside reset.
pub(super) fn circuit(aig: &Aig, question: &Question, given: &[String]) -> Binary {
    let (inputs, latches) = (aig.inputs.len(), aig.latches());
    // Besides those of the unit: whether the first cycle is over, and whether inputs have broken a rule.
    let mut into = Builder::new(inputs + latches, latches + 2);
    let [started, was_broken] = [0, 1].map(|place| into.latch(latches + place));
    let first = first_of_name(aig);
    let first_state = |place: usize| {
        let (value, any) = (into.latch(place), into.input(inputs + first[place]));
        into.select(started, value, any)
    };
    let state: Vec<u32> = (0..latches).map(first_state).collect();
    let (names, low) = match question {
        Question::Low(names) => (*names, 1),
        Question::High(name) => (std::slice::from_ref(*name), 0),
    };
    let now = cycle(aig, &mut into, 0, &state, started ^ 1, [given, names]);
    let broken_now = into.and(started, now.is_kept ^ 1);
    let broken = into.or(was_broken, broken_now);
    let counts = into.and(broken ^ 1, now.reset ^ 1);
    let found = into.and(now.holds ^ low, counts);
    // Once a rule is broken, nothing counts, and all that is left is zero: like circuits stay alike.
    let mut next: Vec<u32> = now.next.iter().map(|&next| into.and(next, broken ^ 1)).collect();
    next.extend([TRUE, broken]);
    into.binary(&next, &[found])
}

/// High if one of the wires `asked` is low a cycle after all of the wires `held` were high, or after a reset: the step of an
/// induction, from any state.
pub(super) fn step(aig: &Aig, held: &[String], asked: &[String], given: &[String]) -> Binary {
    let (inputs, latches) = (aig.inputs.len(), aig.latches());
    let mut into = Builder::new(2 * inputs + latches, 1);
    let state: Vec<u32> = (0..latches).map(|place| into.input(2 * inputs + place)).collect();
    let before = cycle(aig, &mut into, 0, &state, FALSE, [given, held]);
    let behind = cycle(aig, &mut into, inputs, &before.next, FALSE, [given, asked]);
    let held = into.or(before.reset, before.holds);
    let is_kept = into.and(before.is_kept, behind.is_kept);
    let fails = into.and(behind.holds ^ 1, behind.reset ^ 1);
    let may = into.and(held, is_kept);
    let found = into.and(fails, may);
    // abc asks about circuits with registers: here one that is not used.
    into.binary(&[FALSE], &[found])
}
