//! Parts of a Liberty file for the reports: area and pins of each cell, which are flip-flops, the time unit, and NAND2,
//! the gate that a gate equivalent counts.

use crate::error::{Error, Result};
use crate::function;
use crate::tool::{Program, Tools};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Debian's `qflow-tech-osu018`: OSU standard cells for TSMC 180 nm.
pub const DEFAULT: &str = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib";

/// The name of the library in a tool's directory: no script depends on where the library is.
pub const FILE: &str = "cells.lib";

#[derive(Clone, Debug)]
pub struct Liberty {
    pub path: PathBuf,
    /// Name of the library, as it says itself.
    pub name: String,
    pub cells: BTreeMap<String, Cell>,
    /// Area of the smallest two-input NAND, in the library's unit (um2 in the usual ones).
    pub nand2: f64,
    /// Capacitance of that NAND2's heaviest input, in the library's unit.
    pub nand2_load: f64,
    /// The largest load that this NAND2 may drive.
    pub nand2_strength: Option<f64>,
    /// Nanoseconds in one of its time units.
    pub time_unit: f64,
    /// The time unit as the file says it.
    pub time_unit_text: String,
    /// Its unit of capacitance, as the file says it: `1,pf`.
    pub load_unit_text: String,
    /// The file's text [`without_wires`].
    pub text: String,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    pub area: f64,
    /// Holds state: a flip-flop or a latch.
    pub sequential: bool,
    /// State of a flip-flop, as the file says it.
    state: Option<State>,
    /// The library asks tools not to choose it.
    pub dont_use: bool,
    pub pins: BTreeMap<String, Pin>,
}

/// The group `ff` of a cell.
#[derive(Clone, Debug, Default, PartialEq)]
struct State {
    name: String,
    next: String,
    clocked_on: String,
}

/// A cell that is a flip-flop and nothing else: it takes `data` at the rising edge of `clock`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlipFlop<'a> {
    pub cell: &'a str,
    pub clock: &'a str,
    pub data: &'a str,
    pub output: &'a str,
}

/// A pin of a cell; capacitances in the library's unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pin {
    /// Drives its net.
    pub output: bool,
    pub capacitance: f64,
    /// The largest load that an output may drive.
    pub max_capacitance: Option<f64>,
    /// The value of an output, as the file says it.
    pub function: Option<String>,
}

impl Cell {
    /// The input and the output of a cell that does nothing but drive: one input, one output that is its value.
    pub fn as_buffer(&self) -> Option<(&str, &str)> {
        self.gate(&[false, true]).map(|(inputs, output)| (inputs[0], output))
    }

    /// The input and the output of a cell whose output is the opposite of its input.
    pub fn as_inverter(&self) -> Option<(&str, &str)> {
        self.gate(&[true, false]).map(|(inputs, output)| (inputs[0], output))
    }

    /// The inputs and the output of a cell that is high while neither of two inputs is.
    fn as_nor2(&self) -> Option<(&str, &str, &str)> {
        self.gate(&[true, false, false, false]).map(|(inputs, output)| (inputs[0], inputs[1], output))
    }

    /// True if the output is low only when both of two inputs are high.
    fn is_nand2(&self) -> bool {
        self.gate(&[true, true, true, false]).is_some()
    }

    /// The inputs and the output of a cell without state whose only output has this value for each assignment of the inputs.
    fn gate(&self, table: &[bool]) -> Option<(Vec<&str>, &str)> {
        let (outputs, inputs): (Vec<_>, Vec<_>) = self.pins.iter().partition(|(_, pin)| pin.output);
        let [(output, pin)] = outputs[..] else { return None };
        let inputs: Vec<&str> = inputs.into_iter().map(|(name, _)| name.as_str()).collect();
        let fits = !self.sequential && table.len() == 1 << inputs.len().min(usize::BITS as usize - 1);
        let computes = || function::table(pin.function.as_ref()?, &inputs);
        (fits && computes().as_deref() == Some(table)).then_some((inputs, output))
    }

    /// The pins of a cell that is a flip-flop and nothing else.
    fn as_flip_flop<'a>(&'a self, cell: &'a str) -> Option<FlipFlop<'a>> {
        let State { name, next, clocked_on } = self.state.as_ref()?;
        let is = |pin: &str, output: bool| self.pins.get(pin).is_some_and(|p| p.output == output);
        let (output, _) = self.pins.iter().find(|(_, pin)| pin.function.as_ref() == Some(name))?;
        let inputs = self.pins.values().filter(|pin| !pin.output).count();
        let simple = inputs == 2 && is(next, false) && is(clocked_on, false);
        simple.then_some(FlipFlop { cell, clock: clocked_on, data: next, output })
    }
}

impl Liberty {
    /// The smallest two-input NOR: its name, inputs and output.
    pub fn nor2(&self) -> Option<(&str, &str, &str, &str)> {
        let usable = self.cells.iter().filter(|(_, cell)| !cell.dont_use);
        let nors = usable.filter_map(|(name, cell)| Some((name, cell.area, cell.as_nor2()?)));
        let (name, _, (a, b, output)) = nors.min_by(|one, other| one.1.total_cmp(&other.1))?;
        Some((name, a, b, output))
    }

    /// Reads `path`, or [`DEFAULT`] without one.
    ///
    /// # Errors
    /// A missing default (with the package that has it), an unreadable file, a file that is cut off (Yosys never ends on
    /// one), a file without cells or NAND2.
    pub fn read(path: Option<&Path>) -> Result<Liberty> {
        let (path, missing) = match path {
            Some(path) => (path, None),
            None => (Path::new(DEFAULT), Some("qflow-tech-osu018")),
        };
        let text = match (std::fs::read_to_string(path), missing) {
            (Ok(text), _) => text,
            (Err(e), Some(package)) if e.kind() == std::io::ErrorKind::NotFound => {
                return Err(Error::MissingTool { tool: DEFAULT, package });
            }
            (Err(e), _) => return Err(Error::Liberty { path: path.into(), problem: e.to_string() }),
        };
        parse(path, text)
    }

    /// The smallest cell that is a flip-flop and nothing else.
    ///
    /// # Errors
    /// There is none.
    pub fn flip_flop(&self) -> Result<FlipFlop<'_>> {
        let usable = self.cells.iter().filter(|(_, cell)| !cell.dont_use);
        let flip_flops = usable.filter_map(|(name, cell)| Some((cell.as_flip_flop(name)?, cell.area)));
        let smallest = flip_flops.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(flip_flop, _)| flip_flop);
        smallest.ok_or_else(|| Error::Liberty {
            path: self.path.clone(),
            problem: "no flip-flop with a rising clock, data and nothing else: a unit's pins have no neighbours".into(),
        })
    }

    /// The output of a program that is run in `directory` with the library as [`FILE`]: a file, because YoWASP's tools follow no link out of
    /// their folder.
    ///
    /// # Errors
    /// Errors of [`Tools::run`], about the library by its own name; a directory that cannot be written.
    pub fn run(
        &self,
        tools: &Tools,
        program: &Program,
        args: &[&str],
        directory: &Path,
        subject: &str,
    ) -> Result<String> {
        let place = directory.join(FILE);
        std::fs::write(&place, &self.text).map_err(|e| Error::file(place, e))?;
        tools.run(program, args, directory, subject).map_err(|error| match error {
            Error::Tool { tool, subject, problem } => {
                Error::Tool { tool, subject, problem: problem.replace(FILE, &self.path.display().to_string()) }
            }
            error => error,
        })
    }
}

fn parse(path: &Path, text: String) -> Result<Liberty> {
    let error = |problem: &str| Error::Liberty { path: path.into(), problem: problem.into() };
    if let Some((line, problem)) = unbalanced(&text) {
        return Err(error(&format!("line {line}: {problem}")));
    }
    let mut name = None;
    let mut time_unit_text = String::from("1ns");
    let mut cells: BTreeMap<String, Cell> = BTreeMap::new();
    // The groups around a statement: keyword and argument of each, outermost first.
    let mut around: Vec<(&str, &str)> = vec![];
    let plain = uncommented(&text);
    for statement in statements(&plain) {
        match statement {
            Statement::Open(keyword, argument) => {
                match (keyword, around.len()) {
                    ("library", 0) => name = Some(argument.to_string()),
                    ("cell", 1) => drop(cells.insert(argument.into(), Cell::default())),
                    ("ff" | "latch" | "ff_bank" | "latch_bank", 2) => {
                        let cell = cells.entry(around[1].1.into()).or_default();
                        cell.sequential = true;
                        let name = argument.split(',').next().map(unquoted).unwrap_or_default();
                        cell.state = (keyword == "ff").then(|| State { name: name.into(), ..State::default() });
                    }
                    _ => {}
                }
                around.push((keyword, argument));
            }
            Statement::Close => drop(around.pop()),
            Statement::Value(key, value) => match &around[..] {
                [_] if key == "time_unit" => time_unit_text = value.into(),
                [_, ("cell", cell), inner @ ..] => {
                    let cell = cells.entry(cell.to_string()).or_default();
                    match inner {
                        [] if key == "area" => {
                            cell.area = value.parse().map_err(|_| error("a cell's area is no number"))?;
                        }
                        [] if key == "dont_use" => cell.dont_use = value == "true",
                        [("ff", _)] => cell.state.iter_mut().for_each(|state| state.set(key, value)),
                        // A group may be of several pins.
                        [("pin", pins)] => {
                            for pin in pins.split(',').map(unquoted) {
                                let set = cell.pins.entry(pin.to_string()).or_default().set(key, value);
                                set.ok_or_else(|| error("a pin's capacitance is no number"))?;
                            }
                        }
                        _ => {}
                    }
                }
                _ => {}
            },
        }
    }
    // By what it computes: a name may say anything. Of two that are as large, the one that is called so.
    let nands = cells.iter().filter(|(_, cell)| cell.is_nand2() && !cell.dont_use && cell.area > 0.0);
    let nand = nands.min_by(|(a, one), (b, other)| {
        one.area.total_cmp(&other.area).then(is_called_nand2(b).cmp(&is_called_nand2(a)))
    });
    let nand = nand.map(|(_, cell)| cell).ok_or_else(|| {
        error("no NAND2: no cell with an area computes !(A & B) of two inputs and nothing else, and gate equivalents have no unit")
    });
    Ok(Liberty {
        path: path.into(),
        name: name.ok_or_else(|| error("no `library` group: not a Liberty file"))?,
        nand2: nand.as_ref().map_or(0.0, |nand| nand.area),
        nand2_strength: nand.as_ref().ok().and_then(|nand| nand.pins.values().find_map(|pin| pin.max_capacitance)),
        nand2_load: nand?.pins.values().filter(|p| !p.output).map(|p| p.capacitance).fold(0.0, f64::max),
        cells,
        time_unit: nanoseconds(&time_unit_text).ok_or_else(|| error("time_unit is not understood"))?,
        time_unit_text,
        load_unit_text: argument_of(&plain, "capacitive_load_unit").unwrap_or("1,pf").into(),
        text: without_wires(&text),
    })
}

impl State {
    /// Takes an attribute over.
    fn set(&mut self, key: &str, value: &str) {
        match key {
            "next_state" => self.next = bare(value),
            "clocked_on" => self.clocked_on = bare(value),
            _ => {}
        }
    }
}

/// A name without parentheses around it.
fn bare(text: &str) -> String {
    text.trim_matches(|c: char| c.is_whitespace() || "()".contains(c)).into()
}

impl Pin {
    /// Takes an attribute over; `None` for a capacitance that is no number.
    fn set(&mut self, key: &str, value: &str) -> Option<()> {
        match key {
            "direction" => self.output = value == "output",
            "capacitance" => self.capacitance = value.parse().ok()?,
            "max_capacitance" => self.max_capacitance = Some(value.parse().ok()?),
            "function" => self.function = Some(value.into()),
            _ => {}
        }
        Some(())
    }
}

/// Where braces, quotes or comments do not match: line and problem. Of several groups that stay open it is the innermost.
fn unbalanced(text: &str) -> Option<(usize, String)> {
    let cut_off = |what: String| format!("{what} does not end: is the file cut off?");
    let mut open: Vec<(usize, &str)> = vec![];
    let (mut line, mut start, mut at) = (1, 0, 0);
    // The statement so far has a colon. It is not looked at again for each line.
    let mut colon = false;
    while let Some(c) = text[at..].chars().next() {
        // A comment or a string is one step.
        let end = match c {
            '"' => Some(("a string", text[at + 1..].find('"').map(|i| i + 2))),
            '/' if text[at..].starts_with("/*") => Some(("a comment", text[at + 2..].find("*/").map(|i| i + 4))),
            _ => None,
        };
        let length = match end {
            Some((what, None)) => return Some((line, cut_off(what.into()))),
            Some((_, Some(length))) => length,
            None => c.len_utf8(),
        };
        match c {
            '{' => open.push((line, text[start..at].trim())),
            '}' if open.pop().is_none() => return Some((line, "a `}` that closes no group".into())),
            _ => {}
        }
        let ends_statement = match c {
            '{' | '}' | ';' => true,
            '\n' => colon,
            '/' => text[start..at].trim().is_empty(),
            _ => false,
        };
        line += text[at..at + length].matches('\n').count();
        colon |= text[at..at + length].contains(':');
        at += length;
        if ends_statement {
            (start, colon) = (at, false);
        }
    }
    open.pop().map(|(line, head)| (line, cut_off(format!("the group `{head}`"))))
}

/// A statement of a Liberty file; `keyword (arguments);` is of no use here and left out.
enum Statement<'a> {
    /// `keyword (argument) {`
    Open(&'a str, &'a str),
    /// `key : value ;`; without the semicolon it ends with its line.
    Value(&'a str, &'a str),
    Close,
}

fn statements(text: &str) -> Vec<Statement<'_>> {
    let mut statements = vec![];
    let (mut start, mut quoted) = (0, false);
    // State of the statement so far, which is not looked at again for each letter.
    let (mut colon, mut blank) = (false, true);
    for (end, c) in text.char_indices() {
        quoted ^= c == '"';
        colon |= c == ':';
        blank &= c.is_whitespace();
        let body = || text[start..end].trim();
        let statement = match c {
            _ if quoted => continue,
            '{' => {
                let (keyword, rest) = body().split_once('(').unwrap_or((body(), ""));
                let argument = rest.split(')').next().unwrap_or_default();
                Some(Statement::Open(keyword.trim(), unquoted(argument)))
            }
            '}' => Some(Statement::Close),
            ';' => value(body()),
            '\n' if colon => value(body()),
            '\n' if blank => None,
            _ => continue,
        };
        statements.extend(statement);
        (start, colon, blank) = (end + 1, false, true);
    }
    statements
}

fn value(statement: &str) -> Option<Statement<'_>> {
    let (key, value) = statement.split_once(':')?;
    Some(Statement::Value(key.trim(), unquoted(value)))
}

/// The text between the parentheses of `keyword (...);`.
fn argument_of<'a>(text: &'a str, keyword: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(keyword)?;
    let (argument, _) = rest.trim_start().strip_prefix('(')?.split_once(')')?;
    Some(argument.trim())
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches('"').trim()
}

fn is_called_nand2(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("nand2") || name.contains("nand02") || name.contains("nd2")
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

/// A library without `default_wire_load`, by which OpenSTA gives every net wires. Lines keep their numbers.
fn without_wires(text: &str) -> String {
    const WIRES: &str = "default_wire_load";
    let mut parts = text.split(WIRES);
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        // Other attributes begin alike.
        if part.trim_start().starts_with(':') {
            let end = part.find([';', '\n']).unwrap_or(part.len());
            out += part[end..].trim_start_matches(';');
        } else {
            out += WIRES;
            out += part;
        }
    }
    out
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
        cell (NAND2_X1)\n  {\n    area : 2.5\n    pin (A, \"B\") { direction : input; capacitance : 0.5; }\n    pin (Y) { direction : output; \
        function : \"(!(A B))\"; timing () { values (\"1;2\", \\\n \"3}\"); } max_capacitance : 8; }\n  }\n  \
        cell (\"DFF\") {\n    area : 9;\n    ff (IQ, IQN) { }\n  }\n  \
        cell (DRIVE) { area : 3; dont_use : true; pin (I) { direction : input; } pin (Z) { direction : output; function : \"(I)\"; } }\n}\n";

    #[test]
    fn finds_areas_flip_flops_and_the_smallest_nand() {
        let liberty = parse(Path::new("tiny.lib"), SMALL.into()).unwrap();
        assert_eq!((liberty.name.as_str(), liberty.time_unit), ("tiny", 0.01));
        assert_eq!((liberty.nand2, liberty.nand2_load, liberty.nand2_strength), (2.5, 0.5, Some(8.0)));
        assert!(liberty.cells["DFF"].sequential && liberty.cells["DFF"].area == 9.0);
        assert_eq!((liberty.cells["NAND2_X1"].area, liberty.cells["NAND2_X1"].sequential), (2.5, false));
        assert_eq!(liberty.cells.len(), 4);
    }

    #[test]
    fn finds_pins_and_buffers() {
        let cells = parse(Path::new("tiny.lib"), SMALL.into()).unwrap().cells;
        let output =
            Pin { output: true, max_capacitance: Some(8.0), function: Some("(!(A B))".into()), ..Pin::default() };
        let input = Pin { capacitance: 0.5, ..Pin::default() };
        assert_eq!(
            cells["NAND2_X1"].pins,
            BTreeMap::from([("A".into(), input.clone()), ("B".into(), input), ("Y".into(), output)])
        );
        assert_eq!((cells["DRIVE"].as_buffer(), cells["DRIVE"].dont_use), (Some(("I", "Z")), true));
        assert_eq!((cells["NAND2_X1"].as_buffer(), cells["DFF"].as_buffer()), (None, None));
        let osu = Liberty::read(None).unwrap().cells;
        let buffers: Vec<&str> =
            osu.iter().filter(|(_, c)| c.as_buffer().is_some()).map(|(name, _)| name.as_str()).collect();
        assert_eq!(buffers, ["BUFX2", "BUFX4", "CLKBUF1", "CLKBUF2", "CLKBUF3"]);
        let inverters: Vec<&str> =
            osu.iter().filter(|(_, c)| c.as_inverter().is_some()).map(|(name, _)| name.as_str()).collect();
        assert_eq!(inverters, ["INVX1", "INVX2", "INVX4", "INVX8"]);
        assert_eq!(Liberty::read(None).unwrap().nor2(), Some(("NOR2X1", "A", "B", "Y")));
    }

    /// Areas of cells that are called like a NAND or compute one, and that of the NAND.
    #[test]
    fn the_nand_is_known_by_what_it_computes() {
        let cell = |name: &str, area: u32, inputs: &str, function: &str, more: &str| {
            let pins: String = inputs.split(' ').map(|pin| format!("pin ({pin}) {{ direction : input; }} ")).collect();
            format!("cell ({name}) {{ area : {area}; {more} {pins} pin (Y) {{ direction : output; function : \"{function}\"; }} }}\n")
        };
        let nand = |cells: &[String]| {
            let text = format!("library (l) {{\n{}}}\n", cells.concat());
            parse(Path::new("x.lib"), text).map(|liberty| liberty.nand2).map_err(|error| error.to_string())
        };
        let second = "pin (Z) { direction : output; function : \"A\"; }";
        let others = [
            cell("AND2X1", 10, "A B", "A&B", ""),
            cell("NAND2B", 11, "A B", "!(!A & B)", ""),
            cell("ND2_DONT", 12, "A B", "!(A B)", "dont_use : true;"),
            cell("NAND2_AND_MORE", 13, "A B", "!(A B)", second),
            cell("SCAN_NAND2", 14, "A B SE", "!(A B)", ""),
            cell("NAND3", 15, "A B C", "!(A B C)", ""),
            cell("NAND2_LATCH", 16, "A B", "!(A B)", "latch (IQ, IQN) { }"),
        ];
        let error = nand(&others).unwrap_err();
        assert!(error.contains("no NAND2: no cell with an area computes !(A & B)"), "{error}");
        for function in ["!(A&B)", "(A B)'", "A' + B'"] {
            assert_eq!(
                nand(&[&others[..], &[cell("NA2X1", 24, "A B", function, "")]].concat()),
                Ok(24.0),
                "{function}"
            );
        }
        let equal = format!("{}{}", cell("AX", 24, "A B", "!(A*B)", ""), cell("NAND2", 24, "B1 B2", "!(B1*B2)", ""));
        let load = equal.replace("pin (B1) {", "pin (B1) { capacitance : 7;");
        let liberty = parse(Path::new("x.lib"), format!("library (l) {{\n{load}}}\n")).unwrap();
        assert_eq!(liberty.nand2_load, 7.0, "of two that are as large, the one that is called so");
    }

    #[test]
    fn tools_see_no_wires_and_every_line_in_its_place() {
        let attributes =
            "  default_wire_load_mode : top;\n  default_wire_load : \"5K\" ; revision : 2;\n  default_wire_load:5K\n";
        let text = SMALL.replacen('\n', &format!("\n{attributes}"), 1);
        let seen = parse(Path::new("tiny.lib"), text.clone()).unwrap().text;
        let left = "  default_wire_load_mode : top;\n   revision : 2;\n  \n";
        assert_eq!(seen, SMALL.replacen('\n', &format!("\n{left}"), 1));
        assert_eq!(parse(Path::new("tiny.lib"), SMALL.into()).unwrap().text, SMALL);
    }

    #[test]
    fn finds_the_plain_flip_flop() {
        let osu = Liberty::read(None).unwrap();
        let plain = FlipFlop { cell: "DFFPOSX1", clock: "CLK", data: "D", output: "Q" };
        assert_eq!(osu.flip_flop().unwrap(), plain);
        assert_eq!(osu.load_unit_text, "1,pf");
        let problem = parse(Path::new("tiny.lib"), SMALL.into()).unwrap().flip_flop().unwrap_err().to_string();
        assert!(problem.contains("tiny.lib: no flip-flop with a rising clock"), "{problem}");
    }

    #[test]
    fn a_file_that_is_cut_off_is_refused_with_the_line() {
        let problem = |text: &str| parse(Path::new("x.lib"), text.into()).unwrap_err().to_string();
        // Wherever it is cut: before the last brace a file is never whole.
        for end in SMALL.char_indices().map(|(end, _)| end).filter(|end| *end > 20 && *end < SMALL.trim_end().len()) {
            let text = problem(&SMALL[..end]);
            assert!(text.starts_with("Liberty file x.lib: line "), "{end}: {text}");
            assert!(text.ends_with(" does not end: is the file cut off?"), "{end}: {text}");
        }
        let after = |part: &str| problem(&SMALL[..SMALL.find(part).unwrap() + part.len()]);
        assert!(after("area : 8;").contains("line 4: the group `cell (ND2X4)` does not end"), "{}", after("area : 8;"));
        assert!(after("NAND2_X1)\n  {").contains("line 8: the group `cell (NAND2_X1)` does not end"));
        assert!(after("/* cell").contains("line 3: a comment does not end"), "{}", after("/* cell"));
        assert!(after("(\"1;2").contains("line 11: a string does not end"), "{}", after("(\"1;2"));
        assert!(problem(&format!("{SMALL}}}")).contains("line 20: a `}` that closes no group"));
    }

    #[test]
    fn a_file_that_is_no_liberty_or_has_no_nand_is_refused() {
        let problem = |text: &str| parse(Path::new("x.lib"), text.into()).unwrap_err().to_string();
        assert!(problem("hello").contains("x.lib: no `library` group"));
        assert!(problem("library (l) {\n cell (INV) {\n area : 1;\n }\n}\n").contains("NAND2"));
    }
}
