//! Names in the code of a PTX file: its functions, its variables with their places, its source files.

use std::collections::{BTreeMap, HashMap};

use super::address_map::{CODE_BASE, FUNCTION_BYTES};
use super::ast::{Function, SourceLine, Variable};
use super::error::PtxError;
use super::isa::Space;

/// Where a variable lies: an address in its space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol {
    pub space: Space,
    pub address: u64,
}

#[derive(Clone, Debug)]
pub struct Symbols {
    /// File that the PTX came from, for messages.
    pub source: String,
    pub functions: Vec<Function>,
    /// `.shared` variables, placed for each kernel that uses them.
    pub shared: Vec<Variable>,
    /// `.global` and `.const` variables.
    placed: HashMap<String, Symbol>,
    /// Numbers of the files that the PTX was compiled from, and their names.
    source_numbers: Vec<u32>,
    pub sources: Vec<String>,
}

impl Symbols {
    pub fn new(
        source: String,
        functions: Vec<Function>,
        shared: Vec<Variable>,
        sources: BTreeMap<u32, String>,
    ) -> Self {
        let (source_numbers, sources) = sources.into_iter().unzip();
        Symbols { source, functions, shared, placed: HashMap::new(), source_numbers, sources }
    }

    /// Gives a variable its place; false if another one has the name.
    pub fn place(&mut self, name: &str, symbol: Symbol) -> bool {
        self.placed.insert(name.to_string(), symbol).is_none()
    }

    /// Where a `.global` or `.const` variable lies.
    pub fn variable(&self, name: &str) -> Option<Symbol> {
        self.placed.get(name).copied()
    }

    /// Index into [`Self::sources`] of the file that the PTX gives this number.
    pub fn source_index(&self, number: u32) -> Option<u16> {
        self.source_numbers.iter().position(|n| *n == number)?.try_into().ok()
    }

    /// A line of the source, as it stands behind a message.
    pub fn source_place(&self, SourceLine { file, line }: SourceLine) -> Option<String> {
        let name = &self.sources[usize::from(self.source_index(file)?)];
        Some(format!(" ({name}:{line})"))
    }

    /// Value of a register that calls this function.
    pub fn function_address(&self, name: &str) -> Option<u64> {
        let index = self.functions.iter().position(|f| f.name == name && !f.entry)?;
        Some(CODE_BASE + index as u64 * FUNCTION_BYTES)
    }

    /// All device functions whose code is here.
    pub fn device_functions(&self) -> impl Iterator<Item = &Function> {
        self.functions.iter().filter(|f| !f.entry && f.body.is_some())
    }

    /// A kernel or device function; its definition, if it has one.
    pub fn function(&self, name: &str) -> Option<&Function> {
        // A declaration may come before the definition.
        let of_name = || self.functions.iter().filter(|f| f.name == name);
        of_name().find(|f| f.body.is_some()).or_else(|| of_name().next())
    }

    /// An error in a line of the file.
    pub fn error(&self, line: u32, message: impl Into<String>) -> PtxError {
        PtxError { file: self.source.clone(), line, message: message.into() }
    }
}
