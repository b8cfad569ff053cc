//! A question about a circuit for the model checker: a circuit with one output, which is high when the answer is found.
//!
//! The first cycle is a reset beside any inputs, in any state. Rules of the pins and assumptions hold from then on; other resets
//! may come at any time.

use super::against::SIDES;
use super::circuit::{output, ILLEGAL};
use crate::aig::{Aig, Builder, FALSE, TRUE};
use crate::shim::RESET;

/// What the output is high for.
pub(super) enum Question<'a> {
    /// One of these wires is low.
    Low(&'a [String]),
    /// This wire is high.
    High(&'a str),
}

/// Registers of two circuits with one name begin with one value.
pub(super) fn first_of_name(aig: &Aig, place: usize) -> usize {
    let own = |name: &str| SIDES.iter().find_map(|side| Some(name.strip_prefix(side)?.to_string()));
    let same = |other: &usize| own(&aig.states[*other]).is_some_and(|name| own(&aig.states[place]) == Some(name));
    (0..place).find(same).unwrap_or(place)
}

/// The question, while the wires `given` are high in every cycle outside reset.
pub(super) fn circuit(aig: &Aig, question: &Question, given: &[String]) -> Vec<u8> {
    let (inputs, latches) = (aig.inputs.len(), aig.latches());
    // Besides those of the unit: whether the first cycle is over, and whether inputs have broken a rule.
    let mut into = Builder::new(inputs + latches, latches + 2);
    let [started, was_broken] = [0, 1].map(|place| into.latch(latches + place));
    let state: Vec<u32> = (0..latches)
        .map(|place| {
            let (value, any) = (into.latch(place), into.input(inputs + first_of_name(aig, place)));
            into.select(started, value, any)
        })
        .collect();
    let mut reset = started ^ 1;
    let mut values = vec![];
    for (place, name) in aig.inputs.iter().enumerate() {
        let value = into.input(place);
        if name == RESET {
            reset = into.or(value, reset);
        }
        values.push(if name == RESET { reset } else { value });
    }
    let unit = aig.copy(&mut into, &values, &state);
    let value =
        |name: &str| aig.outputs.iter().find(|(other, _)| other == name).map_or(FALSE, |(_, value)| unit.of(*value));
    let all =
        |into: &mut Builder, names: &[String]| names.iter().fold(TRUE, |all, name| into.and(all, value(&output(name))));
    let holds = all(&mut into, given);
    let kept = into.or(reset, holds);
    let kept = into.and(kept, value(ILLEGAL) ^ 1);
    let broken_now = into.and(started, kept ^ 1);
    let broken = into.or(was_broken, broken_now);
    let found = match question {
        Question::Low(names) => all(&mut into, names) ^ 1,
        Question::High(name) => value(&output(name)),
    };
    let counts = into.and(broken ^ 1, reset ^ 1);
    let found = into.and(found, counts);
    let next: Vec<u32> = aig.next.iter().map(|&next| unit.of(next)).chain([TRUE, broken]).collect();
    into.binary(&next, found)
}
