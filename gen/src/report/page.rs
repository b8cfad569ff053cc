//! The page `area.md` of what everything costs: the units that ship, and worklist cores over lanes, entries and schemes.
//! Each row has the digest of what it follows from, so that a stale row is found without synthesis.

use super::{render, systems, together, Method, Row, Units};
use crate::elaborate::{Design, Verilog};
use crate::error::{Error, Result};
use crate::liberty::Liberty;
use crate::storage;
use hdl::catalog::{self, Instance};
use serde::{Deserialize, Serialize};
use spec::hwwl::{COMPARED_ENTRIES, COMPARED_LANES, COMPARED_SCHEMES};
use std::path::Path;

/// The command that makes the rows.
pub const COMMAND: &str = "make cost";

/// The command that makes the rows in a second library.
pub const COMMAND_OF_NANGATE45: &str = "make cost-nangate45";

/// The units of the page.
pub struct Contents {
    /// Those that ship.
    pub shipped: Units,
    /// Cores that do not ship.
    pub others: Units,
}

impl Contents {
    /// `shipped` is the catalogue, elaborated.
    ///
    /// # Errors
    /// A core that does not elaborate.
    pub fn beside(shipped: &[Verilog]) -> Result<Contents> {
        let catalog = catalog::catalog();
        let all = together(&catalog, &cores());
        Ok(Contents {
            shipped: Units::among(shipped, &catalog),
            others: Units::elaborate(&all[catalog.len()..], &catalog)?,
        })
    }

    /// The systems' modules alone, which are also mapped to a second library.
    pub fn tops(shipped: &[Verilog]) -> Contents {
        Contents { shipped: Units::among(shipped, &tops()), others: Units::among(shipped, &[]) }
    }

    fn units(&self) -> [&Units; 2] {
        [&self.shipped, &self.others]
    }
}

fn tops() -> Vec<Instance> {
    let is_top = |instance: &Instance| systems::tops().any(|module| module == instance.module);
    catalog::catalog().into_iter().filter(is_top).collect()
}

fn cores() -> Vec<Instance> {
    let sizes = COMPARED_LANES.iter().flat_map(|lanes| COMPARED_SCHEMES.iter().map(move |scheme| (*lanes, *scheme)));
    let all = sizes.flat_map(|(lanes, scheme)| COMPARED_ENTRIES.iter().map(move |entries| (lanes, scheme, *entries)));
    let find = |(lanes, scheme, entries)| {
        catalog::find("hwwl_core", &[("lanes", lanes), ("scheme", scheme), ("entries", entries)])
    };
    all.map(|core| find(core).expect("there is RTL for every core of the table")).collect()
}

/// The rows that the page has, in any order. The file `docs/data/area.json` is this, and so is `docs/data/area_nangate45.json` in another
/// library. Digests are always those of the default library, so that a test sees stale rows without another one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Page {
    pub method: Method,
    pub rows: Vec<Row>,
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

    /// The row of each of `units`, if it follows from what they are today.
    pub fn fresh(&self, units: &Units, liberty: &Liberty) -> Vec<Option<&Row>> {
        let designs = units.designs().iter().zip(units.digests(liberty));
        let row = |(design, digest): (&Design, String)| {
            let row = self.row(&design.top().module)?;
            (row.digest == digest && row.memories == storage::memories(design)).then_some(row)
        };
        designs.map(row).collect()
    }

    /// The rows of `units`, or what is wrong, a line for each row that is missing or follows from something else than today.
    pub fn rows_of(&self, units: &Units, liberty: &Liberty) -> std::result::Result<Vec<Row>, Vec<String>> {
        let (mut rows, mut problems) = (vec![], vec![]);
        for (instance, fresh) in units.instances().iter().zip(self.fresh(units, liberty)) {
            match fresh {
                Some(row) => rows.push(row.clone()),
                None if self.row(&instance.module).is_none() => {
                    problems.push(format!("{} is missing", instance.module))
                }
                None => problems.push(format!("{} is stale: its RTL, scripts or library changed", instance.module)),
            }
        }
        if problems.is_empty() {
            Ok(rows)
        } else {
            Err(problems)
        }
    }

    /// Problems of the rows, a line each; empty for a page that is complete and fresh.
    pub fn problems(&self, contents: &Contents, liberty: &Liberty) -> Vec<String> {
        let of = |units: &&Units| self.rows_of(units, liberty).err().unwrap_or_default();
        let known = |row: &&Row| contents.units().iter().any(|u| u.instances().iter().any(|i| i.module == row.module));
        let left_over = self.rows.iter().filter(|row| !known(row)).map(|row| format!("{} is left over", row.module));
        contents.units().iter().flat_map(of).chain(left_over).collect()
    }

    /// Their table; a unit without a row says so.
    fn table(&self, instances: &[Instance]) -> String {
        let row = |i: &Instance| {
            self.row(&i.module).map_or_else(|| render::missing(i), |row| render::cells(&self.method, row))
        };
        render::table(instances.iter().map(row))
    }

    /// The page, with the rows of the second library.
    pub fn markdown(&self, nangate45: &Page) -> String {
        let list = |values: &[u64]| values.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
        let (shipped, cores) = (catalog::catalog(), cores());
        let all = together(&shipped, &cores).len();
        let state = |number: usize, what: &str| match number {
            0 => String::new(),
            number => format!("\n**{number} of {all} rows {what}.**\n"),
        };
        let partial = self.rows.iter().filter(|row| !row.is_complete()).count();
        let state = state(self.missing().len(), "are not computed yet")
            + &state(partial, "are mapped in the order as written alone: it is open whether they meet their target");
        format!(
            include_str!("area.md"),
            command = COMMAND,
            state = state,
            notes = render::notes_markdown(&self.method),
            nangate45 = nangate45.table(&tops()),
            command_of_nangate45 = COMMAND_OF_NANGATE45,
            library = nangate45.method.library,
            fo4_ns = nangate45.method.fo4_ns,
            shipped = self.table(&shipped),
            lanes = list(&COMPARED_LANES),
            schemes = list(&COMPARED_SCHEMES),
            entries = list(&COMPARED_ENTRIES),
            cores = self.table(&cores),
            systems = systems::table(|module| self.row(module)),
            memories = systems::memories(|module| self.row(module)),
        )
    }

    /// Modules without a row.
    pub fn missing(&self) -> Vec<String> {
        let all = together(&catalog::catalog(), &cores()).into_iter().map(|instance| instance.module);
        all.filter(|module| self.row(module).is_none()).collect()
    }

    /// Modules of the systems without a row.
    pub fn missing_tops(&self) -> Vec<String> {
        tops().into_iter().map(|instance| instance.module).filter(|module| self.row(module).is_none()).collect()
    }

    fn row(&self, module: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.module == module)
    }
}
