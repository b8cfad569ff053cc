//! Two circuits that are the same in every pin and register, or are not.

use super::Outcome;
use crate::abc::{self, Equality};
use crate::aig::{Aig, Builder, FALSE};
use crate::error::Result;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

pub(super) struct Same {
    circuits: [Aig; 2],
    /// For each register of the first circuit its place in the other.
    places: Vec<usize>,
}

impl Same {
    /// Pins and registers have one name in both. A wrong one would be no proof: what follows it would differ.
    ///
    /// # Errors
    /// A pin or a register that only one has.
    pub fn of(one: Aig, other: Aig) -> Result<Self, String> {
        if let Some(name) = pins(&one).symmetric_difference(&pins(&other)).next() {
            return Err(format!("{} {} is not in both", name.0, name.1));
        }
        let known: HashMap<&str, usize> = other
            .states
            .iter()
            .zip(0..)
            .flat_map(|(names, place)| names.split(' ').map(move |name| (name, place)))
            .collect();
        let mut free = vec![true; other.latches()];
        let mut places = vec![];
        for names in &one.states {
            let mut found = names.split(' ').filter_map(|name| known.get(name).copied());
            let place =
                found.find(|place| free[*place]).ok_or(format!("register {names} is not in the flat module"))?;
            free[place] = false;
            places.push(place);
        }
        match free.iter().position(|free| *free) {
            Some(place) => Err(format!("register {} is in the flat module alone", other.states[place])),
            None => Ok(Same { circuits: [one, other], places }),
        }
    }

    fn registers(&self) -> usize {
        self.places.len()
    }

    /// The outcome, and the names of what differs.
    ///
    /// # Errors
    /// A missing tool; an interruption.
    pub fn prove(&self, directory: &Path, seconds: u32, subject: &str) -> Result<(Outcome, Vec<String>)> {
        let (mut into, values) = self.variables(0);
        let [one, other] = [0, 1].map(|side| self.side(&mut into, &values, side));
        if one == other {
            return Ok((Outcome::Proven, vec![]));
        }
        let [one, other] = into.two([&one, &other]);
        Ok(match abc::same(directory, [&one, &other], seconds, subject)? {
            Equality::Same => (Outcome::Proven, vec![]),
            Equality::Open => (Outcome::Bounded, vec![]),
            Equality::Different => (Outcome::Failed, self.differences(directory, seconds, subject)?),
        })
    }

    /// A circuit whose inputs are the registers, the inputs of both, and what is undefined in each.
    fn variables(&self, latches: usize) -> (Builder, Vec<u32>) {
        let inputs: usize = self.circuits.iter().map(|aig| aig.inputs.len()).sum();
        let count = self.registers() + inputs;
        let into = Builder::new(count, latches);
        let values = (0..count).map(|place| into.input(place)).collect();
        (into, values)
    }

    /// Outputs in the order of their names, then the next values of the registers.
    fn side(&self, into: &mut Builder, values: &[u32], side: usize) -> Vec<u32> {
        let aig = &self.circuits[side];
        let (state, inputs) = values.split_at(self.registers());
        let (of_first, of_second) = inputs.split_at(self.circuits[0].inputs.len());
        let by_name: BTreeMap<&String, u32> = self.circuits[0].inputs.iter().zip(of_first.iter().copied()).collect();
        let own = [of_first, of_second][side];
        let inputs = aig.inputs.iter().zip(own).map(|(name, own)| if name.is_empty() { *own } else { by_name[name] });
        let inputs: Vec<u32> = inputs.collect();
        let order: Vec<usize> = if side == 0 { (0..self.registers()).collect() } else { self.places.clone() };
        let mut latches = vec![FALSE; self.registers()];
        for (place, value) in order.iter().zip(state) {
            latches[*place] = *value;
        }
        let copied = aig.copy(into, &inputs, &latches);
        let outputs: BTreeMap<&String, u32> = aig.outputs.iter().map(|(name, value)| (name, *value)).collect();
        outputs.into_values().chain(order.iter().map(|place| aig.next[*place])).map(|value| copied.of(value)).collect()
    }

    /// Names of outputs and registers that differ in some cycle.
    fn differences(&self, directory: &Path, seconds: u32, subject: &str) -> Result<Vec<String>> {
        let (mut into, values) = self.variables(1);
        let [one, other] = [0, 1].map(|side| self.side(&mut into, &values, side));
        let Some(values) = abc::difference(directory, into, [&one, &other], seconds, subject)? else {
            return Ok(vec![]);
        };
        let [one, other] = [0, 1].map(|side| self.side(&mut Builder::new(0, 0), &values, side));
        let outputs: BTreeSet<&String> = self.circuits[0].outputs.iter().map(|(name, _)| name).collect();
        let names = outputs.into_iter().cloned();
        let names = names.chain(self.circuits[0].states.iter().map(|name| format!("next {name}")));
        let different = names.zip(one.iter().zip(&other)).filter(|(_, (one, other))| one != other);
        Ok(different.map(|(name, (one, other))| format!("{name}: with parameters {one}, flat {other}")).collect())
    }
}

/// Inputs and outputs that have a name.
fn pins(aig: &Aig) -> BTreeSet<(&str, &str)> {
    let inputs = aig.inputs.iter().map(|name| ("input", name.as_str())).filter(|(_, name)| !name.is_empty());
    inputs.chain(aig.outputs.iter().map(|(name, _)| ("output", name.as_str()))).collect()
}
