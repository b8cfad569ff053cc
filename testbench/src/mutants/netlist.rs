//! One netlist with all mutants of a unit, by Yosys.

use crate::error::{Error, Result};
use crate::shim::MUTANT;
use crate::yosys;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;
use tempfile::TempDir;

/// Bits of the input that says which mutant is alive.
const MUTANT_BITS: u32 = 16;

/// Places more than asked for: some are left out.
const SPARE: u32 = 16;

/// One mutant.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Mutation {
    /// From 1.
    pub number: u32,
    /// Change of the bit, in the words of Yosys: `inv`, `const0`, `const1`, `cnot0`, `cnot1` (inverted while another
    /// bit of the port is 0 or 1), `none`.
    pub mode: String,
    /// The bit of a cell: `$add.Y[3]`.
    pub bit: String,
    /// The wire there, if the RTL names it.
    pub wire: Option<String>,
    /// The module in which the line stands.
    pub module: String,
    /// The line of the RTL.
    pub line: String,
}

impl Mutation {
    /// Module and line tell a reader where it is. They are not part of it.
    pub(super) fn is_same_fault(&self, other: &Mutation) -> bool {
        (self.number, &self.mode, &self.bit, &self.wire) == (other.number, &other.mode, &other.bit, &other.wire)
    }
}

pub(super) struct Netlist {
    /// Verilog with all mutants.
    pub text: String,
    pub mutations: Vec<Mutation>,
    /// Each as a command of Yosys.
    commands: Vec<String>,
    /// `base.il` in it is the netlist without any.
    pub directory: TempDir,
}

impl Netlist {
    /// Plants the mutants of these numbers.
    pub fn script(&self, numbers: &[u32]) -> String {
        numbers.iter().map(|&number| plant(self.command(number), number)).collect()
    }

    /// The line of Yosys with a mutant's place.
    pub fn command(&self, number: u32) -> &str {
        &self.commands[number as usize - 1]
    }

    /// The paths of the parts in which a mutant is, the smallest first: none if it is in the unit itself, or if Yosys does not know.
    pub fn parts(&self, number: u32) -> Vec<String> {
        parts(self.command(number))
    }
}

/// Parts of a line with `-cell $flatten\m.\each[1].bank.$add$design.v:9$2`: `m.each[1].bank`, `m.each[1]` and `m`. The
/// wire has the path if the cell has none.
fn parts(line: &str) -> Vec<String> {
    let cell = option(line, "-cell").and_then(|cell| cell.strip_prefix("$flatten")?.rsplit_once(".$"));
    let Some((path, _)) = cell.or_else(|| option(line, "-wire")?.rsplit_once('.')) else { return vec![] };
    let path = path.replace('\\', "");
    let ends = path.match_indices('.').map(|(end, _)| end).chain([path.len()]);
    let mut parts: Vec<String> = ends.map(|end| path[..end].into()).collect();
    parts.reverse();
    parts
}

/// Word after the option of this name.
fn option<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    line.split_whitespace().skip_while(|word| *word != name).nth(1)
}

/// The command of Yosys that plants the mutant of this line.
fn plant(line: &str, number: u32) -> String {
    format!("{line} -ctrl {MUTANT} {MUTANT_BITS} {number}\n")
}

/// The netlist of module `top` with `count` mutants, or all that there are.
pub(super) fn with_mutants(top: &str, verilog: &str, count: u32, seed: u64) -> Result<Netlist> {
    let directory = tempfile::tempdir()?;
    let path = |name: &str| directory.path().join(name);
    let write = |name: &str, text: &str| fs::write(path(name), text).map_err(Error::file(&path(name)));
    let read = |name: &str| fs::read_to_string(path(name)).map_err(Error::file(&path(name)));
    write("design.v", verilog)?;
    let seed = seed & i32::MAX as u64;
    let wanted = count + SPARE + count / 32;
    yosys::run(
        directory.path(),
        &subject(top),
        &format!(
            "read_verilog design.v; hierarchy -check -top {top}; proc; flatten; opt -full; opt_clean; \
             write_rtlil base.il; mutate -list {wanted} -seed {seed} -o list"
        ),
    )?;
    let list = read("list")?;
    let mut seen = BTreeSet::new();
    let lines = list.lines().filter(|line| is_possible(line) && seen.insert(*line));
    let lines: Vec<&str> = lines.take(count as usize).collect();
    write("apply.ys", &lines.iter().zip(1..).map(|(line, number)| plant(line, number)).collect::<String>())?;
    yosys::run(
        directory.path(),
        &subject(top),
        "read_rtlil base.il; script apply.ys; opt_clean; splitnets -driver; write_verilog -noattr netlist.v",
    )?;
    let mutations = lines.iter().zip(1..).map(|(line, number)| mutation(line, number, verilog)).collect();
    let commands = lines.iter().map(|line| line.to_string()).collect();
    Ok(Netlist { text: read("netlist.v")?, mutations, commands, directory })
}

/// Clocks stay as they are, and the read ports of memories are always enabled: Yosys has no others without a clock.
fn is_possible(line: &str) -> bool {
    !line.contains("-port CLK ") && !(line.contains("$memrd$") && line.contains("-port EN "))
}

/// Subject that Yosys and abc work at.
pub(super) fn subject(top: &str) -> String {
    format!("mutants of {top}")
}

/// `mutate -mode inv -module m -cell $add$design.v:184$89 -port Y -portbit 0 -wire w -wirebit 5 -src design.v:81.20-81.31`
fn mutation(line: &str, number: u32, verilog: &str) -> Mutation {
    let words: Vec<&str> = line.split_whitespace().collect();
    let text = |name: &str| option(line, name).unwrap_or_default();
    let is_kind = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let cell = text("-cell").split('$').find(is_kind);
    let sources = words.windows(2).filter(|pair| pair[0] == "-src").filter_map(|pair| line_number(pair[1]));
    let places: Vec<_> = sources.map(|line| place(verilog, line)).collect();
    let own = places.iter().rev().find(|(_, line)| !is_instance(verilog, line));
    let (module, source) = own.or(places.last()).cloned().unwrap_or_default();
    let wire = option(line, "-wire").map(|wire| match option(line, "-wirebit") {
        Some(bit) => format!("{wire}[{bit}]"),
        None => wire.into(),
    });
    Mutation {
        number,
        mode: text("-mode").into(),
        bit: format!("{}.{}[{}]", cell.unwrap_or("cell"), text("-port"), text("-portbit")),
        wire,
        module,
        line: source,
    }
}

/// Line number in `design.v:81.20-81.31`.
fn line_number(source: &str) -> Option<usize> {
    source.strip_prefix("design.v:")?.split(['.', '-']).next()?.parse().ok()
}

/// The line places a module in another: Yosys names it beside the line of a cell that comes from the inner one.
fn is_instance(verilog: &str, line: &str) -> bool {
    let Some(module) = line.split_whitespace().next() else { return false };
    verilog.lines().any(|line| module_of(line) == Some(module))
}

/// The module that begins in a line.
fn module_of(line: &str) -> Option<&str> {
    line.strip_prefix("module ")?.split_whitespace().next()
}

/// The module around a line, and the line.
fn place(verilog: &str, line: usize) -> (String, String) {
    let lines: Vec<&str> = verilog.lines().take(line).collect();
    let module = lines.iter().rev().find_map(|line| module_of(line));
    (module.unwrap_or_default().into(), lines.last().unwrap_or(&"").trim().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_yosys_is_a_place_in_the_rtl() {
        let verilog = "module one (\n);\nendmodule\nmodule two (\n);\n    assign y = a + b;\nendmodule\n";
        let line =
            "mutate -mode cnot1 -module two -cell $add$design.v:6$89 -port Y -portbit 3 -ctrlbit 1 -wire y -wirebit 3 \
                    -src design.v:4.1-4.3 -src design.v:6.16-6.21";
        let expected = Mutation {
            number: 7,
            mode: "cnot1".into(),
            bit: "add.Y[3]".into(),
            wire: Some("y[3]".into()),
            module: "two".into(),
            line: "assign y = a + b;".into(),
        };
        assert_eq!(mutation(line, 7, verilog), expected);
    }

    #[test]
    fn the_line_is_that_of_the_innermost_module() {
        let verilog =
            "module one (\n);\n    assign y = ~a;\nendmodule\nmodule two (\n);\n    one part (\n    );\nendmodule\n";
        let line = "mutate -mode inv -module two -cell $flatten\\part.$not$design.v:3$1 -port Y -portbit 0 \
                    -src design.v:3.16-3.18 -src design.v:7.5-8.6";
        let found = mutation(line, 1, verilog);
        assert_eq!((&found.module[..], &found.line[..]), ("one", "assign y = ~a;"));
    }

    #[test]
    fn a_cell_or_its_wire_tells_the_parts() {
        let of = |words: &str| parts(&format!("mutate -mode inv -module m {words} -port Y"));
        let expected = ["m.each[1].bank", "m.each[1]", "m"];
        assert_eq!(of("-cell $flatten\\m.\\each[1].bank.$add$design.v:1$2"), expected);
        assert_eq!(of("-cell $auto$ff.cc:266:slice$3 -wire m.each[1].bank.count_q"), expected);
        assert!(of("-cell $add$design.v:6$89 -wire y").is_empty());
        assert!(of("-cell $auto$ff.cc:266:slice$3").is_empty());
    }
}
