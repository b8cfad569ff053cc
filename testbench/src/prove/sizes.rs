//! A module with parameters against the flat module of each size: with equal registers, all outputs and all registers of the
//! next cycle are equal, whatever the registers and the inputs are. Parts of a module are proven by themselves.

use super::elaborated::{self, Part};
use super::fragment::{Claim, Kind};
use super::same::Same;
use super::{Outcome, ProofReport, Verdict};
use crate::error::{Error, Result};
use gen::digest::sha256;
use gen::elaborate::{elaborate_all, Verilog};
use gen::parameters::{Counterpart, Module, Parameterised};
use gen::text::bare;
use hdl::catalog::catalog;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// Values of a module's parameters.
pub type Values = BTreeMap<String, u64>;

/// Each module in each size of the catalogue, once: those of `--every-size`, and those of `verilog-out` with another text.
///
/// # Errors
/// A unit that there is no RTL of.
pub fn all_sizes() -> Result<Vec<Size>> {
    let flat = elaborate_all(&catalog())?;
    let mut sizes = vec![];
    let mut known = BTreeSet::new();
    for set in [Parameterised::of_every_size(&flat), Parameterised::shipped(&flat)] {
        sizes.extend(Size::all(&set, &flat).into_iter().filter(|size| known.insert(size.digest())));
    }
    Ok(sizes)
}

/// A module with values, and the flat module of that size.
#[derive(Clone, Debug)]
pub struct Size {
    pub module: String,
    pub parameters: Values,
    pub flat: String,
    /// Verilog of both, and the ports of their parts.
    texts: [String; 2],
    ports_of_parts: [String; 2],
    /// The module with values that a flat part is.
    parts: BTreeMap<String, Part>,
    /// The text with parameters, without their default values.
    without_defaults: String,
}

impl Size {
    fn all(set: &Parameterised, flat: &[Verilog]) -> Vec<Self> {
        let modules: BTreeMap<&str, &Module> =
            set.modules.iter().map(|module| (module.module.as_str(), module)).collect();
        let flat: BTreeMap<&str, &Verilog> = flat.iter().map(|module| (module.module.as_str(), module)).collect();
        let counterparts: BTreeMap<&str, &Counterpart> =
            set.counterparts.iter().map(|found| (found.flat.as_str(), found)).collect();
        let size = |found: &Counterpart| {
            let (module, flat_module) = (modules[found.module.as_str()], flat[found.flat.as_str()]);
            let children: BTreeSet<&str> = flat_module.children.iter().map(|child| child.module.as_str()).collect();
            let part = |name: &&str| {
                let Counterpart { module, parameters, .. } = counterparts[name];
                (name.to_string(), Part { module: module.clone(), values: values(parameters) })
            };
            let of_parts = module.children.iter().map(|name| ports_alone(&modules[name.as_str()].file));
            Size {
                module: found.module.clone(),
                parameters: values(&found.parameters),
                flat: found.flat.clone(),
                ports_of_parts: [
                    of_parts.collect(),
                    children.iter().map(|name| ports_alone(&flat[name].file())).collect(),
                ],
                parts: children.iter().map(part).collect(),
                without_defaults: without_defaults(module),
                texts: [module.file.clone(), flat_module.file()],
            }
        };
        set.counterparts.iter().map(size).collect()
    }

    /// SHA-256 of both texts and of the values.
    pub fn digest(&self) -> String {
        sha256(format!("{}{:?}{}", self.without_defaults, self.parameters, bare(&self.texts[1])))
    }

    /// The same with changed text of the module with parameters.
    #[must_use]
    pub fn with_text(mut self, change: impl FnOnce(&str) -> String) -> Self {
        self.texts[0] = change(&self.texts[0]);
        self
    }

    /// For at most so many `seconds`, if the circuits differ in their form.
    ///
    /// # Errors
    /// A missing tool; an interruption.
    pub fn prove(&self, seconds: u32) -> Result<ProofReport> {
        let begin = Instant::now();
        let (outcome, trace) = match self.outcome(seconds) {
            // The other sizes are of interest too.
            Err(Error::Elaborate(gen::Error::Tool { problem, .. })) => (Outcome::Failed, vec![problem]),
            outcome => outcome?,
        };
        let sentence = format!("It does what `{}` of `--flat` does.", self.flat);
        let claim = Claim { name: self.module.clone(), kind: Kind::Property, sentence };
        Ok(ProofReport {
            unit: self.module.clone(),
            module: self.flat.clone(),
            parameters: self.parameters.clone(),
            digest: self.digest(),
            verdicts: vec![Verdict { claim, outcome, cycles: None, trace, seconds: begin.elapsed().as_secs_f64() }],
        })
    }

    fn outcome(&self, seconds: u32) -> Result<(Outcome, Vec<String>)> {
        let ([ports, flat_ports], [text, flat_text]) = (&self.ports_of_parts, &self.texts);
        let mut one = elaborated::elaborate(ports, text, &self.module, &self.parameters)?;
        let mut other = elaborated::elaborate(flat_ports, flat_text, &self.flat, &Values::new())?;
        // A flat part is the module with values that it is proven to be the same as.
        other.parts.values_mut().for_each(|part| *part = self.parts[&part.module].clone());
        if let Err(problem) = one.names_as(&other) {
            return Ok((Outcome::Failed, vec![problem]));
        }
        if one.text()? == other.text()? {
            return Ok((Outcome::Proven, vec![]));
        }
        match Same::of(one.aig()?, other.aig()?) {
            Ok(same) => same.prove(tempfile::tempdir()?.path(), seconds, &format!("size {}", self.flat)),
            Err(problem) => Ok((Outcome::Failed, vec![problem])),
        }
    }
}

/// The module as a box.
fn ports_alone(file: &str) -> String {
    let begin = file.find("\nmodule ").map_or(0, |place| place + 1);
    let end = file.find("\n);\n").map_or(file.len(), |place| place + 4);
    format!("(* blackbox *)\n{}endmodule\n", &file[begin..end])
}

/// # Panics
/// Never: parameters are counts.
fn values(parameters: &BTreeMap<String, i64>) -> Values {
    parameters.iter().map(|(name, value)| (name.clone(), u64::try_from(*value).expect("a count"))).collect()
}

fn without_defaults(module: &Module) -> String {
    module.parameters.iter().fold(bare(&module.file), |text, (name, value)| {
        text.replacen(&format!("parameter {name}={value}"), &format!("parameter {name}"), 1)
    })
}
