//! The page `hand.md`: units beside the same written by hand, in `testbench/hand`.

use super::{speed, Row as Cost, Units};
use crate::error::{Error, Result};
use crate::table::{markdown, numbers, with_commas, words, Column};
use hdl::catalog::{self, Instance};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The command that makes the rows.
pub const COMMAND: &str = "unruly area --hand docs/data/hand.json";

/// A module that is written by hand.
pub struct Module {
    /// Its file, without `.v`.
    pub file: &'static str,
    unit: &'static str,
    parameters: &'static [(&'static str, u64)],
    /// Ranks of registers of the unit and of the module.
    ranks: [u32; 2],
}

const fn module(
    file: &'static str,
    unit: &'static str,
    parameters: &'static [(&'static str, u64)],
    ranks: [u32; 2],
) -> Module {
    Module { file, unit, parameters, ranks }
}

/// The modules of the page.
pub const MODULES: [Module; 4] = [
    module("fp32_add", "fp32_add", &[], [4, 4]),
    module("bank", "bank", &[("entries", 32)], [1, 1]),
    module("sorter", "sorter", &[("network", 0)], [4, 4]),
    module("round_robin", "round_robin_scheduler", &[("warps", 24)], [1, 1]),
];

impl Module {
    /// The unit that the module does the same as.
    ///
    /// # Panics
    /// Never: each is in the catalogue.
    pub fn instance(&self) -> Instance {
        catalog::find(self.unit, self.parameters).expect("a unit of the catalogue")
    }

    /// The module in the place of the unit. `folder` has the Verilog.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn by_hand(&self, folder: &Path) -> Result<Units> {
        let path = folder.join(self.file).with_extension("v");
        let verilog = std::fs::read_to_string(&path).map_err(|problem| Error::file(&path, problem.to_string()))?;
        Units::replaced(&self.instance(), &format!("hand_{}", self.file), &verilog)
    }

    /// The row of what the unit and the module cost.
    pub fn row(&self, costs: [&Cost; 2]) -> Row {
        let side = |place: usize| {
            let cost = costs[place];
            let ns = speed::median(&cost.paths).map_or(0.0, |path| path.ns);
            Side {
                gates: cost.gate_equivalents.round() as u64,
                ns: (1000.0 * ns).round() / 1000.0,
                ranks: self.ranks[place],
                digest: cost.digest.clone(),
            }
        };
        let parameters = self.parameters.iter().map(|(name, value)| (name.to_string(), *value)).collect();
        Row { file: self.file.into(), unit: self.unit.into(), parameters, ours: side(0), hand: side(1) }
    }
}

/// A unit and the module.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    pub file: String,
    pub unit: String,
    pub parameters: BTreeMap<String, u64>,
    pub ours: Side,
    pub hand: Side,
}

/// One of the two.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Side {
    pub gates: u64,
    pub ns: f64,
    pub ranks: u32,
    pub digest: String,
}

const COLUMNS: [Column; 7] = [
    words("unit"),
    words("by hand"),
    words("ranks of registers"),
    words("ours: GE, ns"),
    words("by hand: GE, ns"),
    numbers("GE, ours : hand"),
    numbers("ns"),
];

/// Files without a row.
pub fn missing(rows: &[Row]) -> Vec<String> {
    let files = MODULES.iter().map(|module| module.file);
    files.filter(|file| !rows.iter().any(|row| row.file == *file)).map(String::from).collect()
}

/// The page.
pub fn page(rows: &[Row]) -> String {
    format!(include_str!("hand.md"), table = markdown(&COLUMNS, rows.iter().map(cells)), command = COMMAND)
}

fn cells(row: &Row) -> [String; 7] {
    let Row { file, unit, parameters, ours, hand } = row;
    let parameters: String = parameters.iter().map(|(name, value)| format!(", {name} {value}")).collect();
    let cost = |side: &Side| format!("{}, {:.2}", with_commas(side.gates), side.ns);
    [
        format!("`{unit}`{parameters}"),
        format!("[{file}.v](../../testbench/hand/{file}.v)"),
        format!("{}, {}", ours.ranks, hand.ranks),
        cost(ours),
        cost(hand),
        format!("{:.2}", ours.gates as f64 / hand.gates as f64),
        format!("{:.2}", ours.ns / hand.ns),
    ]
}
