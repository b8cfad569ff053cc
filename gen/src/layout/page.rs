//! The page `layout.md` of layouts: units of each system that route in a minute, and some as large as qflow can route. Each row has
//! the digest of what it follows from, so that a stale row is found without a layout.

use super::{digests, render, Row};
use crate::elaborate::Verilog;
use crate::error::{Error, Result};
use crate::liberty::Liberty;
use crate::report::Units;
use hdl::catalog::{self, Instance};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The command that makes the rows.
pub const COMMAND: &str = "unruly area --layouts docs/data/layout.json";

/// The modules of the page.
const MODULES: [&str; 12] = [
    "gw_round_robin_scheduler_w24",
    "gw_fetch_arbiter_s4_w48",
    "hwwl_bank_e32",
    "icrn_c2",
    "icrn_c4",
    "icrn_c8",
    "fp32_add",
    "prefetcher_p4",
    "sorter_16x10",
    "sorter_16x8",
    "wru_global_c2_l4_e32",
    "wru_sorting_l4_e32",
];

/// The rows that the page has, in any order. The file `docs/data/layout.json` is this.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Page {
    pub rows: Vec<Row>,
}

/// The units of the page; `shipped` is the catalogue, elaborated.
pub fn units(shipped: &[Verilog]) -> Units {
    Units::among(shipped, &instances())
}

fn instances() -> Vec<Instance> {
    let catalog = catalog::catalog();
    let find = |module: &&str| catalog.iter().find(|i| i.module == **module).expect("each ships").clone();
    MODULES.iter().map(find).collect()
}

impl Page {
    /// Reads the JSON file.
    ///
    /// # Errors
    /// A file that cannot be read or is no such page.
    pub fn read(path: &Path) -> Result<Page> {
        let problem = |e: String| Error::file(path, format!("{e}; `{COMMAND}` makes it"));
        let text = std::fs::read_to_string(path).map_err(|e| problem(e.to_string()))?;
        serde_json::from_str(&text).map_err(|e| problem(e.to_string()))
    }

    /// Adds a row in the order of the modules.
    pub fn add(&mut self, row: Row) {
        self.rows.push(row);
        self.rows.sort_by(|a, b| a.module.cmp(&b.module));
    }

    /// The rows of `units` that are as if routed today.
    pub fn fresh(&self, units: &Units, liberty: &Liberty) -> Vec<Row> {
        let known: Vec<_> = units.instances().iter().zip(digests(units, liberty)).collect();
        let is_fresh = |row: &&Row| known.iter().any(|(i, digest)| i.module == row.module && *digest == row.digest);
        self.rows.iter().filter(is_fresh).cloned().collect()
    }

    /// Problems of the rows, a line each; empty for a page that is complete and fresh.
    pub fn problems(&self, units: &Units, liberty: &Liberty) -> Vec<String> {
        let fresh = self.fresh(units, liberty);
        let state = |module: &str| match self.rows.iter().any(|row| row.module == module) {
            _ if fresh.iter().any(|row| row.module == module) => None,
            true => Some(format!("{module} is stale: its RTL, scripts or library changed")),
            false => Some(format!("{module} is missing")),
        };
        let known = |row: &&Row| units.instances().iter().any(|i| i.module == row.module);
        let left_over = self.rows.iter().filter(|row| !known(row)).map(|row| format!("{} is left over", row.module));
        units.instances().iter().filter_map(|i| state(&i.module)).chain(left_over).collect()
    }

    /// Modules without a row.
    pub fn missing(&self) -> Vec<String> {
        MODULES.iter().filter(|module| self.row(module).is_none()).map(ToString::to_string).collect()
    }

    fn row(&self, module: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.module == module)
    }

    /// The page; a unit without a row says so.
    pub fn markdown(&self) -> String {
        let cells =
            instances().into_iter().map(|i| self.row(&i.module).map_or_else(|| render::missing(&i), render::cells));
        format!(
            include_str!("layout.md"),
            command = COMMAND,
            table = render::table(cells),
            share = self.share(),
            notes = render::notes_markdown(),
        )
    }

    /// The share that wires add, from least to most of all rows, and how large the units are.
    fn share(&self) -> String {
        let range = |value: &dyn Fn(&Row) -> f64| {
            let values = self.rows.iter().map(value);
            values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)))
        };
        let added = |ns: fn(&Row) -> f64| {
            let (low, high) = range(&|row| row.added_percent(ns(row)));
            format!("{low:.0} to {high:.0} %")
        };
        let (smallest, largest) = range(&|row| row.gate_equivalents / 1e3);
        match self.rows.is_empty() {
            true => String::new(),
            false => format!(
                "\nWires add {} to the clock of units of {smallest:.1} to {largest:.1} kGE, {} at twice their capacitance.\n",
                added(|row| row.ns_with_wires),
                added(|row| row.ns_with_twice_the_capacitance)
            ),
        }
    }
}
