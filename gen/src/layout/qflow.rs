//! Placement and routing by Debian's qflow: its own scripts, step by step, over a netlist that was mapped elsewhere. Neither
//! exit codes nor the router's word count as success: the comparison of layout and netlist (LVS) does.

use super::flat::Flat;
use crate::error::{Error, Result};
use crate::tool::{Program, Tools};
use std::path::Path;
use std::process::Command;

/// The name of every layout in its own project.
const TOP: &str = "routed";
/// qflow's name for the cells of the default library.
pub const TECHNOLOGY: &str = "osu018";
const LEF: &str = "osu018_stdcells.lef";

/// The share of the rows that cells fill. With more the router leaves nets of some units open.
pub const DENSITY: f64 = 0.7;

/// The list of nets that qrouter could not finish.
const OPEN: &str = "layout/fail.out";
/// The most open nets that are named.
const NAMED: usize = 5;

const QFLOW: Program = Program { name: "qflow", package: "qflow" };
const TCSH: Program = Program { name: "tcsh", package: "tcsh" };
const QROUTER: Program = Program { name: "qrouter", package: "qrouter" };
/// The programs that the scripts run.
const PROGRAMS: [Program; 6] = [
    QFLOW,
    TCSH,
    Program { name: "graywolf", package: "graywolf" },
    QROUTER,
    Program { name: "magic", package: "magic" },
    Program { name: "netgen-lvs", package: "netgen-lvs" },
];

/// The files that qflow leaves.
pub struct Routed {
    pub def: String,
    /// The technology's cells.
    pub lef: String,
    /// The wires, as qrouter extracts them.
    pub rc: String,
    /// The layout's cells as lines of Verilog.
    pub cells: String,
    /// Differences between layout and netlist; `None`: they could not be compared.
    pub lvs_errors: Option<u64>,
    /// Broken design rules; `None`: not checked.
    pub drc_errors: Option<u64>,
}

/// # Errors
/// A program that is not installed.
pub fn require() -> Result<()> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let there = |program: &Program| std::env::split_paths(&path).any(|folder| folder.join(program.name).is_file());
    match PROGRAMS.iter().find(|program| !there(program)) {
        Some(program) => Err(Error::MissingTool { tool: program.name, package: program.package }),
        None => Ok(()),
    }
}

/// Places and routes `flat`; `directory` is for the files of this run alone, `subject` is the unit's name.
///
/// # Errors
/// A missing program, a step that leaves no layout, an interrupt.
pub fn route(flat: &Flat, subject: &str, directory: &Path, tools: &Tools) -> Result<Routed> {
    let project = Project { directory, subject, tools };
    project.write(flat)?;
    project.execute(Command::new(QFLOW.name).args(["-T", TECHNOLOGY, TOP]))?;
    let variables = project.read("qflow_vars.sh")?;
    let value = |name: &str| {
        let line = variables.lines().find_map(|line| line.strip_prefix(&format!("set {name}=")));
        line.ok_or_else(|| project.failed(format!("it does not say where its {name} is")))
    };
    let scripts = Path::new(value("scriptdir")?);
    let step = |script: &str, options: &[&str]| {
        let arguments = options.iter().map(|option| option.as_ref()).chain([directory.as_os_str(), TOP.as_ref()]);
        project.execute(Command::new(TCSH.name).arg("-f").arg(scripts.join(script)).args(arguments))
    };
    step("placement.sh", &["-d"])?;
    step("router.sh", &[])?;
    let (def, rc) = (project.read("layout/routed.def")?, project.read("layout/routed.rc")?);
    if !def.contains("ROUTED") {
        return Err(project.failed("the router left no wires".into()));
    }
    if let Some(problem) = project.read(OPEN).ok().and_then(|list| open_nets(&list)) {
        return Err(Error::Tool { tool: QROUTER.name, subject: subject.into(), problem });
    }
    step("migrate.sh", &[])?;
    let lvs = step("lvs.sh", &[])?;
    let drc = step("drc.sh", &[])?;
    let lef = Path::new(value("techdir")?).join(LEF);
    Ok(Routed {
        def,
        lef: std::fs::read_to_string(&lef).map_err(|e| Error::file(lef, e))?,
        rc,
        cells: cells(&project.read("synthesis/routed.rtlnopwr.v")?),
        lvs_errors: count(&lvs, "Total errors ="),
        drc_errors: count(&drc, "drc ="),
    })
}

/// The instances of a module of qflow, a line each.
fn cells(verilog: &str) -> String {
    verilog.lines().filter(|line| line.contains("( .") && line.ends_with(");")).map(|l| l.to_string() + "\n").collect()
}

/// The number behind `key` on the last line that begins with it.
fn count(output: &str, key: &str) -> Option<u64> {
    output.lines().rev().find_map(|line| line.trim().strip_prefix(key)?.trim().parse().ok())
}

/// The problem that qrouter's list tells: a line with their number, then a net a line.
fn open_nets(list: &str) -> Option<String> {
    let nets: Vec<&str> = list.lines().skip(1).map(str::trim).filter(|net| !net.is_empty()).collect();
    let named = nets.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    let more = if nets.len() > NAMED { ", ..." } else { "" };
    (!nets.is_empty()).then(|| format!("nets left open: {} ({named}{more})", nets.len()))
}

struct Project<'a> {
    directory: &'a Path,
    subject: &'a str,
    tools: &'a Tools<'a>,
}

impl Project<'_> {
    fn write(&self, flat: &Flat) -> Result<()> {
        for folder in ["source", "synthesis", "layout", "log"] {
            let path = self.directory.join(folder);
            std::fs::create_dir(&path).map_err(|e| Error::file(path, e))?;
        }
        let files = [
            // qflow wants a source before it sets a project up; what it reads is the BLIF.
            ("source/routed.v", format!("module {TOP} ();\nendmodule\n")),
            ("synthesis/routed.blif", flat.blif(TOP)),
            ("synthesis/routed_powerground", "set vddnet=\"vdd\"\nset gndnet=\"gnd\"\n".into()),
            // Without a window.
            ("project_vars.sh", format!("set graywolf_options = \"-n\"\nset initial_density = {DENSITY}\n")),
        ];
        for (name, text) in files {
            let path = self.directory.join(name);
            std::fs::write(&path, text).map_err(|e| Error::file(path, e))?;
        }
        Ok(())
    }

    /// The output of a step; its files say if it failed.
    fn execute(&self, command: &mut Command) -> Result<String> {
        Ok(self.tools.execute(&QFLOW, command.current_dir(self.directory), self.subject)?.messages())
    }

    fn read(&self, name: &str) -> Result<String> {
        let path = self.directory.join(name);
        std::fs::read_to_string(path).map_err(|_| self.failed(format!("it left no {name}")))
    }

    fn failed(&self, problem: String) -> Error {
        Error::Tool { tool: QFLOW.name, subject: self.subject.into(), problem }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nets_that_the_router_left_open_are_counted_and_named() {
        let list = "2 nets failed to route:\n n12\n spill_3\n";
        assert_eq!(open_nets(list).unwrap(), "nets left open: 2 (n12, spill_3)");
        let many: String = (0..7).map(|net| format!(" n{net}\n")).collect();
        let problem = open_nets(&format!("7 nets failed to route:\n{many}")).unwrap();
        assert_eq!(problem, "nets left open: 7 (n0, n1, n2, n3, n4, ...)");
        assert_eq!(open_nets(""), None);
    }

    #[test]
    fn counts_and_cells_are_found_in_what_qflow_writes() {
        assert_eq!(count("LVS Done.\n\nTotal errors = 3\n", "Total errors ="), Some(3));
        assert_eq!(count("drc = 0\nended\n", "drc ="), Some(0));
        assert_eq!(count("nothing", "drc ="), None);
        let verilog =
            "module routed (a, y);\ninput a;\noutput y;\n\nwire vdd = 1'b1;\n\nINVX1 INVX1_1 ( .A(a), .Y(y) );\n\n";
        assert_eq!(cells(&format!("{verilog}endmodule\n")), "INVX1 INVX1_1 ( .A(a), .Y(y) );\n");
    }
}
