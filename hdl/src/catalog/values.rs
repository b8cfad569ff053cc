//! Values of a unit's parameters, and the rules for them.

use super::Parameter;

/// A parameter and the rule for its value.
pub struct Rule {
    pub parameter: Parameter,
    /// In words, behind "it must be".
    pub rule: &'static str,
    pub holds: fn(u64) -> bool,
}

impl Parameter {
    pub const fn new(name: &'static str, description: &'static str, default: u64) -> Self {
        Self { name, description, default }
    }

    /// The parameter with its rule, in words behind "it must be" and as a test of a value.
    pub const fn must_be(self, rule: &'static str, holds: fn(u64) -> bool) -> Rule {
        Rule { parameter: self, rule, holds }
    }
}

/// A rule between several parameters; the error names `parameter`.
pub struct Relation {
    pub parameter: &'static str,
    /// In words, behind "it must be".
    pub rule: &'static str,
    pub holds: fn(&Values) -> bool,
}

/// Name and value of every parameter of an instance, in the order of the definition.
pub struct Values(pub(super) Vec<(&'static str, u64)>);

impl Values {
    /// The value of the parameter `name`.
    ///
    /// # Panics
    /// If the unit has no such parameter.
    pub fn get(&self, name: &str) -> u64 {
        let found = self.0.iter().find(|(known, _)| *known == name);
        found.unwrap_or_else(|| panic!("the unit has no parameter {name}")).1
    }

    /// The values of several parameters, as [`Self::get`] gives them.
    pub fn several(&self, names: &[&str]) -> Vec<u64> {
        names.iter().map(|name| self.get(name)).collect()
    }

    /// A part of a module's name: `_t3` for a value that is not the default, else nothing.
    pub fn suffix(&self, letter: char, rule: &Rule) -> String {
        match self.get(rule.parameter.name) {
            value if value == rule.parameter.default => String::new(),
            value => format!("_{letter}{value}"),
        }
    }
}
