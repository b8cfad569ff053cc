//! Rows that are not there. Digests are not looked at: the commands that make the rows say which are stale.

use super::{cosim, Data};
use crate::bugs;
use crate::campaign::{instances, mutated};
use crate::error::{Error, Result};
use crate::prove::{units, Gates, Kind};
use hdl::catalog::{self, Instance};
use std::collections::BTreeSet;

impl Data {
    /// The missing rows of each file: modules, units or bugs.
    ///
    /// # Errors
    /// A unit that does not elaborate.
    pub fn missing(&self) -> Result<Vec<(&'static str, Vec<String>)>> {
        let modules = |instances: Vec<Instance>| instances.into_iter().map(|instance| instance.module);
        let compared = |module: &String| cosim::runs(&self.cosim).any(|(row, _)| row.module == *module);
        let covered = |module: &String| self.coverage.iter().any(|row| row.module == *module);
        let mutants = |module: &String| self.mutants.iter().any(|row| row.report.module == *module);
        let hunted = |bug: &String| self.bugs.iter().any(|row| row.bug == *bug);
        let bugs = bugs::systems().into_iter().flat_map(|system| system.bugs).map(|bug| bug.name);
        let proven = |unit: &&str| self.proofs.iter().any(|row| row.unit == *unit);
        Ok(vec![
            ("cosim.json", modules(instances()).filter(|module| !compared(module)).collect()),
            ("coverage.json", modules(instances()).filter(|module| !covered(module)).collect()),
            ("mutants.json", modules(mutated()).filter(|module| !mutants(module)).collect()),
            ("proofs.json", units().into_iter().filter(|unit| !proven(unit)).map(String::from).collect()),
            ("gates.json", self.missing_gates()?),
            ("assumptions.json", self.missing_assumptions()),
            ("bugs.json", bugs.filter(|bug| !hunted(bug)).collect()),
        ])
    }

    /// Units with more sets of properties that assume something than rows of assumptions.
    fn missing_assumptions(&self) -> Vec<String> {
        let is_missing = |unit: &&str| {
            let assuming = self.proofs.iter().filter(|row| row.unit == *unit && row.claim.kind == Kind::Assumption);
            let sets: BTreeSet<_> = assuming.map(|row| &row.digest).collect();
            self.assumptions.iter().filter(|row| row.unit == *unit).count() < sets.len()
        };
        units().into_iter().filter(is_missing).map(String::from).collect()
    }

    /// Units with logic that have no row of a netlist.
    fn missing_gates(&self) -> Result<Vec<String>> {
        let mut missing = vec![];
        for unit in catalog::units() {
            if self.gates.iter().any(|row| row.unit == unit.name) {
                continue;
            }
            match Gates::of(unit.name, &[]) {
                Ok(_) => missing.push(unit.name.into()),
                Err(Error::NoGates { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(missing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// The file, and what it lacks if `change` takes rows away.
    fn lacks(change: impl Fn(&mut Data)) -> Vec<(&'static str, Vec<String>)> {
        let mut data = Data::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/data")).unwrap();
        change(&mut data);
        data.missing().unwrap().into_iter().filter(|(_, missing)| !missing.is_empty()).collect()
    }

    #[test]
    fn a_row_that_is_not_there_is_named() {
        assert_eq!(lacks(|_| {}), []);
        let without = lacks(|data| {
            data.cosim.retain(|row| row.module != "icrn_c2");
            data.cosim.iter_mut().filter(|row| row.module == "icrn_c4").for_each(|row| row.run = None);
            data.coverage.retain(|row| row.module != "icrn_c2");
            data.mutants.retain(|row| row.report.unit != "queue");
            data.proofs.retain(|row| row.unit != "queue");
            data.gates.retain(|row| row.unit != "queue");
            let bank = data.assumptions.iter().position(|row| row.unit == "bank").unwrap();
            data.assumptions.remove(bank);
            data.bugs.remove(0);
        });
        let expected = [
            ("cosim.json", vec!["icrn_c4", "icrn_c2"]),
            ("coverage.json", vec!["icrn_c2"]),
            ("mutants.json", vec!["queue_32x80"]),
            ("proofs.json", vec!["queue"]),
            ("gates.json", vec!["queue"]),
            ("assumptions.json", vec!["bank"]),
            ("bugs.json", vec!["ring-wraps-late"]),
        ];
        let without: Vec<(&str, Vec<&str>)> =
            without.iter().map(|(file, names)| (*file, names.iter().map(String::as_str).collect())).collect();
        assert_eq!(without, expected);
    }
}
