//! What the reports need from a Liberty file: area of each cell, which are flip-flops, the time unit, and NAND2,
//! the gate that a gate equivalent counts.

use crate::error::{Error, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Debian's `qflow-tech-osu018`: OSU standard cells for TSMC 180 nm.
pub const DEFAULT: &str = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib";

#[derive(Clone, Debug)]
pub struct Liberty {
    pub path: PathBuf,
    /// Name of the library, as it says itself.
    pub name: String,
    pub cells: BTreeMap<String, Cell>,
    /// Area of the smallest two-input NAND, in the library's unit (um2 in the usual ones).
    pub nand2: f64,
    /// Nanoseconds in one of its time units.
    pub time_unit: f64,
    /// The same as the file says it.
    pub time_unit_text: String,
    /// The file's text.
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    pub area: f64,
    /// Holds state: a flip-flop or a latch.
    pub sequential: bool,
}

impl Liberty {
    /// Reads `path`, or [`DEFAULT`] without one.
    ///
    /// # Errors
    /// A missing default (with the package that has it), an unreadable file, a file without cells or NAND2.
    pub fn read(path: Option<&Path>) -> Result<Liberty> {
        let (path, missing) = match path {
            Some(path) => (path, None),
            None => (Path::new(DEFAULT), Some("qflow-tech-osu018")),
        };
        let text = match (std::fs::read_to_string(path), missing) {
            (Ok(text), _) => text,
            (Err(e), Some(package)) if e.kind() == std::io::ErrorKind::NotFound => {
                return Err(Error::MissingTool { tool: DEFAULT.into(), package });
            }
            (Err(e), _) => return Err(Error::Liberty { path: path.into(), problem: e.to_string() }),
        };
        // The tools run elsewhere, so they need the whole path.
        let path = path.canonicalize().map_err(|e| Error::Liberty { path: path.into(), problem: e.to_string() })?;
        parse(&path, text)
    }
}

fn parse(path: &Path, text: String) -> Result<Liberty> {
    let error = |problem: &str| Error::Liberty { path: path.into(), problem: problem.into() };
    let mut name = None;
    let mut time_unit_text = String::from("1ns");
    let mut cells = BTreeMap::new();
    let mut current: Option<(String, usize)> = None;
    let mut depth = 0usize;
    for line in uncommented(&text).lines() {
        let line = line.trim();
        if let Some(library) = group(line, "library") {
            name = Some(library);
        } else if let Some(unit) = attribute(line, "time_unit") {
            time_unit_text = unit;
        } else if let Some(cell) = group(line, "cell") {
            cells.insert(cell.clone(), Cell { area: 0.0, sequential: false });
            current = Some((cell, depth));
        } else if let Some(cell) = current.as_ref().and_then(|(cell, _)| cells.get_mut(cell)) {
            if let Some(area) = attribute(line, "area") {
                cell.area = area.parse().map_err(|_| error("a cell's area is no number"))?;
            }
            cell.sequential |= ["ff", "latch", "ff_bank", "latch_bank"].iter().any(|g| group(line, g).is_some());
        }
        depth = (depth + line.matches('{').count()).saturating_sub(line.matches('}').count());
        if current.as_ref().is_some_and(|(_, opened)| depth <= *opened) && line.contains('}') {
            current = None;
        }
    }
    let nand = cells.iter().filter(|(name, cell)| is_nand2(name) && cell.area > 0.0);
    let nand2 = nand.map(|(_, cell)| cell.area).min_by(f64::total_cmp);
    Ok(Liberty {
        path: path.into(),
        name: name.ok_or_else(|| error("no `library` group: not a Liberty file"))?,
        nand2: nand2.ok_or_else(|| error("no cell called NAND2 with an area: gate equivalents have no unit"))?,
        cells,
        time_unit: nanoseconds(&time_unit_text).ok_or_else(|| error("time_unit is not understood"))?,
        time_unit_text,
        text,
    })
}

fn is_nand2(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("nand2") || name.contains("nand02") || name.contains("nd2")
}

/// The argument of `keyword (argument) {`.
fn group(line: &str, keyword: &str) -> Option<String> {
    let rest = line.strip_prefix(keyword)?.trim_start().strip_prefix('(')?;
    let (argument, _) = rest.split_once(')')?;
    Some(argument.trim().trim_matches('"').to_string())
}

/// The value of `keyword : value ;`.
fn attribute(line: &str, keyword: &str) -> Option<String> {
    let rest = line.strip_prefix(keyword)?.trim_start().strip_prefix(':')?;
    Some(rest.split(';').next()?.trim().trim_matches('"').to_string())
}

fn nanoseconds(unit: &str) -> Option<f64> {
    let digits = unit.find(|c: char| c.is_ascii_alphabetic())?;
    let scale = match &unit[digits..] {
        "ns" => 1.0,
        "ps" => 1e-3,
        "fs" => 1e-6,
        "us" => 1e3,
        _ => return None,
    };
    Some(unit[..digits].trim().parse::<f64>().ok()? * scale)
}

fn uncommented(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("/*") {
        out.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "library (tiny) {\n  time_unit : \"10ps\";\n  /* cell (NAND2_OLD) { area : 1; } */\n  cell (ND2X4) {\n    area : 8;\n  }\n  \
        cell (NAND2_X1) {\n    area : 2.5;\n    pin (Y) { direction : output; }\n  }\n  cell (DFF) {\n    area : 9;\n    ff (IQ, IQN) { }\n  }\n}\n";

    #[test]
    fn finds_areas_flip_flops_and_the_smallest_nand() {
        let liberty = parse(Path::new("tiny.lib"), SMALL.into()).unwrap();
        assert_eq!((liberty.name.as_str(), liberty.nand2, liberty.time_unit), ("tiny", 2.5, 0.01));
        assert_eq!(liberty.cells["DFF"], Cell { area: 9.0, sequential: true });
        assert_eq!(liberty.cells["NAND2_X1"], Cell { area: 2.5, sequential: false });
        assert_eq!(liberty.cells.len(), 3);
    }

    #[test]
    fn a_file_that_is_no_liberty_or_has_no_nand_is_refused() {
        let problem = |text: &str| parse(Path::new("x.lib"), text.into()).unwrap_err().to_string();
        assert!(problem("hello").contains("x.lib: no `library` group"));
        assert!(problem("library (l) {\n cell (INV) {\n area : 1;\n }\n}\n").contains("NAND2"));
    }
}
