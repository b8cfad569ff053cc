//! Bugs as designers make them: small edits of the RTL, and what finds each.
//!
//! The edits are in `bugs/SYSTEM.toml`. An edit whose text is not in the RTL exactly once is an error.

mod hunt;
mod kernel;

pub use hunt::{Effort, Hunted, Tool, Trial};
pub use kernel::{in_kernel, in_kernel_as_shipped, Find};

use crate::by_name::digests;
use crate::error::{Error, Result};
use gen::digest::sha256;
use gen::text::bare;
use hdl::catalog::Instance;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Kinds of bugs: each system has one of each.
pub const KINDS: [&str; 10] = [
    "off by one",
    "lost update",
    "priority swapped",
    "stale tag",
    "missing reset",
    "reset that loses",
    "wrong width",
    "truncated field",
    "two writers",
    "forgotten back-pressure",
];

const SYSTEMS: [(&str, &str); 3] = [
    ("hwwl", include_str!("../../bugs/hwwl.toml")),
    ("iru", include_str!("../../bugs/iru.toml")),
    ("gw", include_str!("../../bugs/gw.toml")),
];

/// A place of a unit's RTL, and what a designer wrote there by mistake.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bug {
    pub name: String,
    /// One of [`KINDS`].
    pub kind: String,
    pub unit: String,
    /// Parameters of the instance that has it; the others have their defaults.
    pub parameters: BTreeMap<String, u64>,
    /// Behaviour of the RTL, in a sentence.
    pub says: String,
    find: String,
    replace: String,
}

/// A system and its bugs.
pub struct System {
    pub name: &'static str,
    pub bugs: Vec<Bug>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    bug: Vec<Bug>,
}

/// All of them.
///
/// # Panics
/// If a file of ours is not as it should be.
pub fn systems() -> Vec<System> {
    let read = |(name, text)| {
        let file: File = toml::from_str(text).unwrap_or_else(|error| panic!("bugs/{name}.toml: {error}"));
        System { name, bugs: file.bug }
    };
    SYSTEMS.map(read).into()
}

/// The bug of this name.
///
/// # Errors
/// There is none.
pub fn find(name: &str) -> Result<Bug> {
    let mut bugs = systems().into_iter().flat_map(|system| system.bugs);
    let names = || spelling::listed(name, systems().iter().flat_map(|s| &s.bugs).map(|bug| &bug.name));
    bugs.find(|bug| bug.name == name).ok_or_else(|| Error::NoBug { name: name.into(), available: names() })
}

impl Bug {
    /// As the catalogue takes them.
    pub fn parameters(&self) -> Vec<(&str, u64)> {
        self.parameters.iter().map(|(name, value)| (name.as_str(), *value)).collect()
    }

    /// RTL with the bug.
    ///
    /// # Errors
    /// The text of the edit is not there exactly once.
    pub fn plant(&self, verilog: &str) -> Result<String> {
        match verilog.matches(&self.find).count() {
            1 => Ok(verilog.replacen(&self.find, &self.replace, 1)),
            count => Err(Error::Bug { name: self.name.clone(), count }),
        }
    }

    /// All Verilog of an instance that has the bug.
    ///
    /// # Errors
    /// Errors of [`Bug::plant`].
    pub fn verilog_of(&self, instance: &Instance) -> Result<String> {
        self.plant(&gen::elaborate(instance)?.verilog())
    }

    /// The instance of the unit.
    ///
    /// # Errors
    /// Parameters that there is no RTL for.
    pub fn instance(&self) -> Result<Instance> {
        Ok(hdl::catalog::find(&self.unit, &self.parameters())?)
    }

    /// SHA-256 of the RTL with the bug, and of what the unit's stimulus does.
    ///
    /// # Errors
    /// Errors of [`Bug::plant`].
    pub fn digest(&self) -> Result<String> {
        let stimulus = digests(&self.unit, &self.parameters(), hunt::SEED)?.stimulus;
        Ok(sha256(bare(&self.verilog_of(&self.instance()?)?) + &stimulus))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_system_has_a_bug_of_each_kind() {
        for System { name, bugs } in systems() {
            let kinds: Vec<_> = bugs.iter().map(|bug| bug.kind.as_str()).collect();
            assert_eq!(kinds, KINDS, "{name}");
        }
    }

    #[test]
    fn each_edit_fits_the_unit_and_the_systems_that_have_it() {
        let (mut texts, mut subjects) = (BTreeMap::new(), BTreeMap::new());
        let mut verilog_of = |instance: Instance| -> String {
            let text = texts.entry(instance.module.clone());
            text.or_insert_with(|| gen::elaborate(&instance).unwrap().verilog()).clone()
        };
        for bug in systems().into_iter().flat_map(|system| system.bugs) {
            let verilog = bug.plant(&verilog_of(bug.instance().unwrap())).unwrap();
            assert!(!bug.says.is_empty() && bug.find != bug.replace);
            assert!(bug.plant(&verilog.replace(&bug.find, "")).is_err());
            let subjects = subjects.entry((bug.unit.clone(), bug.parameters.clone()));
            let subjects = subjects.or_insert_with(|| bug.subjects().unwrap());
            subjects.iter().for_each(|subject| drop(bug.plant(subject.verilog()).unwrap()));
            if let Some(instance) = kernel::instance_with(&bug).unwrap() {
                bug.plant(&verilog_of(instance)).unwrap();
            }
        }
    }

    #[test]
    fn a_text_that_is_not_there_once_is_an_error() {
        let bug = find("held-of-a-full-bank").unwrap();
        let twice = format!("{0}\n{0}", bug.find);
        assert_eq!(
            bug.plant(&twice).unwrap_err().to_string(),
            "bug held-of-a-full-bank: its text is in the RTL 2 times, not once"
        );
        assert!(bug.plant("module other; endmodule").unwrap_err().to_string().contains(" 0 times"));
        assert!(find("none").unwrap_err().to_string().starts_with("no bug none: there are ring-wraps-late, "));
    }
}
