//! Area of a unit's logic: Yosys maps it to the cells of a Liberty library.
//!
//! A unit is mapped flat, but for one that holds several equal children with registers, as a core holds banks: its
//! children are mapped by themselves, and it is the sum of its parts. Flat logic is smaller and faster; sixteen banks
//! need not be mapped sixteen times. Memories are counted before synthesis and stay out of it as black boxes, so that
//! no bit of them becomes a flip-flop.

use crate::elaborate::{Design, Verilog};
use crate::error::{Error, Result};
use crate::liberty::{self, Liberty};
use crate::order;
use crate::text::{lines_without_assertions, without_comments};
use crate::tool::{self, Tools};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use verilog::tree::Direction;

/// The goal of abc. A unit is mapped for area; if it then misses its target, for delay, and if it still does, for
/// speed, as a designer would run synthesis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    #[default]
    Area,
    Delay,
    Speed,
}

impl Effort {
    /// In the order in which they are tried.
    pub const ALL: [Effort; 3] = [Effort::Area, Effort::Delay, Effort::Speed];

    /// The script of abc: structural choices, a mapping, buffers, then gate sizes up and down along the critical path.
    /// Another script moves area by 1.6 and delay by 2, so both stand with every number. Nine units were tried. With
    /// `&if -g`, `-R 10 -F 10` is 4 to 37 % faster than `-R 1000`, and 2 to 11 % larger; one, a scheduler, is 27 %
    /// larger. `&syn4` with six readers per gate makes Graph-Waving's scheduler 10 % faster; a classifier gets slower.
    pub const fn abc_script(self) -> &'static str {
        match self {
            Effort::Area => {
                "&get -n; &st; &dch; &nf -R 1000; &put; buffer -c; topo; stime -p; upsize; dnsize; stime -p"
            }
            Effort::Delay => {
                "&get -n; &st; &dch; &if -g; &st; &dch; &nf -R 10 -F 10; &put; buffer -c; topo; stime -p; upsize; dnsize; stime -p"
            }
            Effort::Speed => {
                "&get -n; &st; &syn4; &dch; &if -g; &st; &dch; &nf -R 10 -F 10; &put; buffer -c -N 6; topo; \
                 stime -p; upsize; dnsize; stime -p"
            }
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Effort::Area => "area",
            Effort::Delay => "delay",
            Effort::Speed => "speed",
        }
    }
}

/// The rule for resets, in a line: it stands under every table.
pub const RESETS: &str =
    "A synchronous reset is a NOR of the library right before its flip-flop, and abc does not touch that gate: \
     to abc a reset is as early as all else, but it comes late, through the largest tree.";

/// The map of flip-flops with a reset to 0, for Yosys; nothing if the library has no NOR.
fn reset_map(liberty: &Liberty) -> Option<String> {
    let (nor, a, b, output) = liberty.nor2()?;
    Some(format!(
        "(* techmap_celltype = \"$_SDFF_PP0_\" *)\n\
         module reset_to_0 (input D, input C, input R, output Q);\n    wire inverted, next;\n    \
         \\$_NOT_ invert (.A(D), .Y(inverted));\n    \
         {nor} gate (.{a}(inverted), .{b}(R), .{output}(next));\n    \
         \\$_DFF_P_ _TECHMAP_REPLACE_ (.D(next), .C(C), .Q(Q));\n\
         endmodule\n"
    ))
}

/// The modules that are mapped in one run.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    pub top: &'a Verilog,
    /// Modules below it that dissolve in it.
    dissolved: Vec<&'a Verilog>,
    /// Modules below it that are parts of their own.
    boxes: Vec<&'a Verilog>,
}

/// A part in gates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mapped {
    /// Number of cells by type, other parts included under their names. Empty for a memory.
    pub cells: BTreeMap<String, u64>,
    /// Verilog over the library's cells. Empty for a memory.
    pub netlist: String,
}

/// The logic of a unit, all parts together, SRAM left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Logic {
    /// Number of cells by type.
    pub cells: BTreeMap<String, u64>,
    /// In the library's unit.
    pub area: f64,
    pub flip_flops: u64,
}

/// The parts of `design`, each once, children before parents.
pub fn parts(design: &Design) -> Vec<Part<'_>> {
    let hierarchy = Hierarchy::of(design);
    let mut parts: BTreeMap<&str, Part> = BTreeMap::new();
    let mut open = vec![design.top()];
    while let Some(module) = open.pop() {
        if !parts.contains_key(module.module.as_str()) {
            let part = hierarchy.part(module);
            open.extend(&part.boxes);
            parts.insert(&module.module, part);
        }
    }
    design.modules.iter().filter_map(|m| parts.remove(m.module.as_str())).collect()
}

struct Hierarchy<'a> {
    modules: BTreeMap<&'a str, &'a Verilog>,
    /// Modules with registers, their own or below them.
    clocked: BTreeSet<&'a str>,
}

impl<'a> Hierarchy<'a> {
    fn of(design: &'a Design) -> Self {
        let mut clocked = BTreeSet::new();
        for module in &design.modules {
            if module.has_registers || module.children.iter().any(|c| clocked.contains(c.module.as_str())) {
                clocked.insert(module.module.as_str());
            }
        }
        Hierarchy { modules: design.modules.iter().map(|m| (m.module.as_str(), m)).collect(), clocked }
    }

    fn part(&self, top: &'a Verilog) -> Part<'a> {
        let mut part = Part { top, dissolved: vec![], boxes: vec![] };
        let mut seen = BTreeSet::new();
        let mut open = vec![top];
        while let Some(parent) = open.pop() {
            let by_itself = self.holds_equal_children(parent);
            for child in parent.children.iter().map(|c| self.modules[c.module.as_str()]) {
                if !seen.insert(&child.module) {
                    continue;
                }
                if child.is_memory() || (by_itself && self.clocked.contains(child.module.as_str())) {
                    part.boxes.push(child);
                } else {
                    part.dissolved.push(child);
                    open.push(child);
                }
            }
        }
        part
    }

    fn holds_equal_children(&self, module: &Verilog) -> bool {
        let mut clocked: Vec<&str> = module.children.iter().map(|c| c.module.as_str()).collect();
        clocked.retain(|c| self.clocked.contains(c) && !self.modules[c].is_memory());
        clocked.sort_unstable();
        clocked.windows(2).any(|pair| pair[0] == pair[1])
    }
}

impl Part<'_> {
    /// The text for Yosys: the modules without their comments, and other parts as black boxes.
    pub fn verilog(&self) -> String {
        let parts = self.boxes.iter().map(|m| black_box(m)).chain(self.logic_modules());
        parts.collect::<Vec<_>>().join("\n")
    }

    /// Its modules without other parts.
    pub(crate) fn logic(&self) -> String {
        self.logic_modules().collect::<Vec<_>>().join("\n")
    }

    fn logic_modules(&self) -> impl Iterator<Item = String> + '_ {
        self.dissolved.iter().chain([&self.top]).map(|m| uncommented(&m.text))
    }

    pub(crate) fn boxes(&self) -> &[&Verilog] {
        &self.boxes
    }

    /// The ports of other parts.
    pub(crate) fn black_boxes(&self) -> String {
        self.boxes.iter().map(|m| black_box(m)).collect()
    }

    /// The Yosys scripts that make cells of Yosys' own and then gates of the library; of a memory the one that finds it.
    pub fn script(&self, liberty: &Liberty) -> String {
        match self.top.is_memory() {
            true => self.to_cells(),
            false => self.to_cells() + &to_gates(liberty),
        }
    }

    /// The commands that make `cells.il`, cells of Yosys' own, out of `design.v`; of a memory, `cells.json`.
    fn to_cells(&self) -> String {
        let top = &self.top.module;
        if self.top.is_memory() {
            return format!(
                "read_verilog design.v\nhierarchy -check -top {top}\nproc\nmemory -nomap\ntee -q -o cells.json stat -json\n"
            );
        }
        let set = |(name, value)| format!("chparam -set {name} {value} {top}\n");
        let parameters: String = self.top.parameters.iter().map(set).collect();
        format!(
            "read_verilog design.v\n\
             {parameters}synth -noabc -flatten -top {top}\n\
             check -assert\n\
             rename -wire t:$_*DFF*\n\
             write_rtlil cells.il\n"
        )
    }

    /// The part in cells of Yosys' own, as RTLIL: what each mapping begins with. Nothing of a memory. `directory` is for the files of this
    /// run alone.
    ///
    /// # Errors
    /// A missing or failing Yosys; a memory that it does not infer; an interrupt.
    pub fn cells(&self, directory: &Path, tools: &Tools) -> Result<String> {
        let top = &self.top.module;
        write(directory, [("design.v", self.verilog()), ("cells.ys", self.to_cells())])?;
        tools.run(&tool::YOSYS, &["-q", "cells.ys"], directory, top)?;
        if self.top.is_memory() {
            self.check_memories(&cells(directory, top)?)?;
            return Ok(String::new());
        }
        read(&directory.join("cells.il"))
    }

    /// Maps [`Part::cells`], the cells in one of the [`ORDERS`](order::ORDERS); 0 is that as written. `directory` is for the files of this
    /// run alone.
    ///
    /// # Errors
    /// A missing or failing Yosys; an interrupt.
    pub fn map(
        &self,
        cells: &str,
        order: usize,
        effort: Effort,
        liberty: &Liberty,
        directory: &Path,
        tools: &Tools,
    ) -> Result<Mapped> {
        if self.top.is_memory() {
            return Ok(Mapped { cells: BTreeMap::new(), netlist: String::new() });
        }
        write(directory, [("cells.il", order::reordered(cells, order)), ("gates.ys", to_gates(liberty))])?;
        write(directory, scripts_of_gates(effort, liberty))?;
        liberty.run(tools, &tool::YOSYS, &["-q", "gates.ys"], directory, &self.top.module)?;
        self.mapped(directory)
    }

    /// The gates that Yosys left in the directory.
    fn mapped(&self, directory: &Path) -> Result<Mapped> {
        let netlist = unsigned(&read(&directory.join("netlist.v"))?);
        Ok(Mapped { cells: cells(directory, &self.top.module)?, netlist })
    }

    fn check_memories(&self, cells: &BTreeMap<String, u64>) -> Result<()> {
        let expected = self.top.memories.len() as u64;
        match cells.get("$mem_v2").copied().unwrap_or(0) {
            found if found == expected => Ok(()),
            found => Err(Error::Tool {
                tool: "yosys",
                subject: self.top.module.clone(),
                problem: format!("{expected} memories in the module, but {found} were inferred"),
            }),
        }
    }
}

/// The commands that make gates of the library out of `cells.il`, with `abc.script` and `reset.v`; they leave `cells.json` and `netlist.v`.
fn to_gates(liberty: &Liberty) -> String {
    let lib = liberty::FILE;
    let (cells, resets) = match liberty.nor2() {
        Some(_) => (
            format!("read_liberty -lib {lib}\n"),
            "dfflegalize -cell $_DFF_P_ x -cell $_SDFF_PP0_ x\ntechmap -map reset.v\nsimplemap\n",
        ),
        None => (String::new(), ""),
    };
    format!(
        "{cells}\
         read_rtlil cells.il\n\
         {resets}\
         dfflibmap -liberty {lib}\n\
         abc -liberty {lib} -script abc.script\n\
         opt_clean\n\
         tee -q -o cells.json stat -json\n\
         write_verilog -noattr -simple-lhs netlist.v\n"
    )
}

/// The files that [`to_gates`] reads.
fn scripts_of_gates(effort: Effort, liberty: &Liberty) -> [(&'static str, String); 2] {
    [("abc.script", effort.abc_script().into()), ("reset.v", reset_map(liberty).unwrap_or_default())]
}

fn write(directory: &Path, files: [(&str, String); 2]) -> Result<()> {
    for (name, text) in files {
        let path = directory.join(name);
        std::fs::write(&path, text).map_err(|e| Error::file(path, e))?;
    }
    Ok(())
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(|e| Error::file(path, e))
}

/// Verilog without comments and rules of pins, so that what is made of it does not depend on them. Every line keeps its number: Yosys names
/// cells by it, and other names move delay by some per cent.
fn uncommented(text: &str) -> String {
    let text: String = lines_without_assertions(text).map(|line| line.unwrap_or("\n")).collect();
    without_comments(&text).lines().map(|line| line.trim_end().to_string() + "\n").collect()
}

/// A netlist without signs, which mean nothing to cells: Yosys 0.70 declares a `wire signed` for an integer of a function, and OpenSTA
/// 2.0.17 takes none.
fn unsigned(netlist: &str) -> String {
    netlist.replace("  wire signed ", "  wire ")
}

pub(crate) fn black_box(module: &Verilog) -> String {
    let port = |p: &verilog::tree::Port| {
        let direction = match p.direction {
            Direction::Input => "input",
            Direction::Output => "output",
        };
        format!("{direction} wire [{}:0] {}", p.width - 1, p.name)
    };
    let ports = module.ports.iter().map(port).collect::<Vec<_>>().join(", ");
    format!("(* blackbox *)\nmodule {} ({ports});\nendmodule\n", module.module)
}

/// A cell without gates, which Yosys 0.70 counts for each module that dissolved.
const SCOPE: &str = "$scopeinfo";

/// Cell counts from what `stat -json` wrote about a single module.
fn cells(directory: &Path, top: &str) -> Result<BTreeMap<String, u64>> {
    let path = directory.join("cells.json");
    let text = read(&path)?;
    let stat: Value = serde_json::from_str(&text).map_err(|e| Error::file(&path, e))?;
    let counts = &stat["modules"][format!("\\{top}")]["num_cells_by_type"];
    let counts = counts.as_object().ok_or_else(|| Error::Tool {
        tool: "yosys",
        subject: top.into(),
        problem: "no cell counts in its statistics".into(),
    })?;
    let counts = counts.iter().filter(|(name, _)| *name != SCOPE);
    Ok(counts.map(|(name, n)| (name.clone(), n.as_u64().unwrap_or(0))).collect())
}

/// Sums up the parts of a design; `mapped` has them all by name.
///
/// # Errors
/// A cell that the library does not have: something could not be mapped.
pub fn sum(design: &Design, liberty: &Liberty, mapped: &BTreeMap<&str, &Mapped>) -> Result<Logic> {
    let top = design.top().module.as_str();
    let mut instances = BTreeMap::from([(top, 1)]);
    let mut logic = Logic { cells: BTreeMap::new(), area: 0.0, flip_flops: 0 };
    // Parents before children, so that a part's number of instances is complete when its turn comes.
    for part in parts(design).iter().rev() {
        let times = instances.get(part.top.module.as_str()).copied().unwrap_or(0);
        for (name, count) in &mapped[part.top.module.as_str()].cells {
            if let Some((name, _)) = mapped.get_key_value(name.as_str()) {
                *instances.entry(name).or_insert(0) += times * count;
                continue;
            }
            let cell = liberty.cells.get(name).ok_or_else(|| Error::Tool {
                tool: "yosys",
                subject: part.top.module.clone(),
                problem: format!("{count} cells of type {name} could not be mapped to {}", liberty.name),
            })?;
            *logic.cells.entry(name.clone()).or_insert(0) += times * count;
            logic.area += cell.area * (times * count) as f64;
            logic.flip_flops += if cell.sequential { times * count } else { 0 };
        }
    }
    Ok(logic)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The declarations that Yosys 0.70 writes for `icrn_c4`.
    #[test]
    fn a_netlist_has_no_signs() {
        let netlist = "  wire signed [31:0] \\first.n ;\n  wire [3:0] signed_x;\n  input clock;\n";
        assert_eq!(unsigned(netlist), "  wire [31:0] \\first.n ;\n  wire [3:0] signed_x;\n  input clock;\n");
    }

    /// The statistics of Yosys 0.70 for a part with a module that dissolved and a memory.
    #[test]
    fn a_dissolved_module_is_no_cell() {
        let directory = tempfile::tempdir().unwrap();
        let counts = r#""num_cells_by_type": { "$scopeinfo": 1, "DFFPOSX1": 2, "sram_1r1w": 1 }"#;
        let text = format!(r#"{{ "modules": {{ "\\top": {{ "num_cells": 4, {counts} }} }} }}"#);
        std::fs::write(directory.path().join("cells.json"), text).unwrap();
        let expected = BTreeMap::from([("DFFPOSX1".to_string(), 2), ("sram_1r1w".to_string(), 1)]);
        assert_eq!(cells(directory.path(), "top").unwrap(), expected);
    }

    #[test]
    fn comments_are_left_out_and_lines_keep_their_numbers() {
        let text = "// unit: a bank\n//\nmodule m (\n    input wire a // the pin\n);\n\n    // logic\n`ifdef UNRULY_ASSERT\n    if (a) \
            $stop;\n`endif\nendmodule\n";
        assert_eq!(uncommented(text), "\n\nmodule m (\n    input wire a\n);\n\n\n\n\n\nendmodule\n");
    }
}
