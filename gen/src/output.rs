//! `verilog-out`: one file a module, the manifest and a README; written whole or not at all, and never stale.

use crate::elaborate::{Design, Verilog, GENERATED};
use crate::error::{Error, Result};
use crate::manifest;
use crate::parameters::Parameterised;
use crate::sdc::sdc;
use crate::wrapper;
use output::Output;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

/// Contents by file name.
pub type Files = BTreeMap<String, String>;

/// The work of [`write()`], in files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    pub changed: usize,
    pub unchanged: usize,
    pub removed: usize,
}

/// The form of the Verilog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Modules with parameters: each unit in its default size, and what holds for other sizes too.
    Parameters,
    /// The same, with the parts of every size of the catalogue.
    EverySize,
    /// A module for each size, with numbers in place of parameters.
    Flat,
}

/// The files for these modules; for a form with parameters they are those of the catalogue.
pub fn files(flat: &[Verilog], form: Form) -> Files {
    let set = match form {
        Form::Flat => return flat_files(flat),
        Form::Parameters => Parameterised::shipped(flat),
        Form::EverySize => Parameterised::of_every_size(flat),
    };
    let mut files: Files = set.modules.iter().map(|m| (format!("{}.v", m.module), m.file.clone())).collect();
    files.extend(set.sizes.iter().filter_map(|size| constraints(flat, &size.flat, size.module.as_deref()?)));
    files.extend(wrapper::files());
    files.insert("manifest.json".into(), manifest::manifest(&set));
    files.insert("README.md".into(), readme(&set));
    files
}

fn flat_files(modules: &[Verilog]) -> Files {
    let mut files: Files = modules.iter().map(|m| (format!("{}.v", m.module), m.file())).collect();
    files.extend(modules.iter().filter_map(|m| constraints(modules, &m.module, &m.module)));
    files.insert("manifest.json".into(), manifest::of_flat(modules));
    files
}

/// The SDC of a flat module of `flat`, which is the module `module` among the files.
fn constraints(flat: &[Verilog], name: &str, module: &str) -> Option<(String, String)> {
    flat.iter().find(|module| module.module == name)?.about.as_ref()?;
    Some((format!("{module}.sdc"), sdc(&Design::of(flat, name), module)?))
}

fn cannot_write(directory: &Path, problem: std::io::Error) -> Error {
    Error::file(directory, format!("cannot write Verilog here: {problem}; choose another directory"))
}

/// Makes the directory.
///
/// # Errors
/// A directory that cannot be written.
pub fn prepare(directory: &Path) -> Result<()> {
    let made = output::make_folder(directory).and_then(|()| tempfile::tempfile_in(directory));
    made.map(drop).map_err(|problem| cannot_write(directory, problem))
}

/// Writes `files` into `directory`, which is made if it is not there; generated modules that are no longer among
/// them are removed. Every file changes in one step.
///
/// # Errors
/// A directory or file that cannot be written; then nothing is half-written.
pub fn write(directory: &Path, files: &Files) -> Result<Written> {
    let at = |problem| cannot_write(directory, problem);
    prepare(directory)?;
    let mut written = Written::default();
    let mut changed = vec![];
    for (name, text) in files {
        if fs::read_to_string(directory.join(name)).is_ok_and(|old| old == *text) {
            written.unchanged += 1;
        } else {
            let path = directory.join(name);
            output::make_folder(path.parent().unwrap_or(directory)).map_err(at)?;
            let mut file = Output::begin(&path).map_err(at)?;
            file.write_all(text.as_bytes()).map_err(at)?;
            changed.push(file);
        }
    }
    for file in changed {
        file.finish().map_err(at)?;
        written.changed += 1;
    }
    for name in leftovers(directory, files)? {
        fs::remove_file(directory.join(name)).map_err(at)?;
        written.removed += 1;
    }
    Ok(written)
}

/// `directory` holds exactly these files, which are what the catalogue's units say.
///
/// # Errors
/// [`Error::Stale`] with the first file that is missing, different or left over.
pub fn check_fresh(directory: &Path, files: &Files) -> Result<()> {
    let stale = |name: &str, problem: &str| {
        Err(Error::Stale { directory: directory.into(), file: name.into(), problem: problem.into() })
    };
    for (name, text) in files {
        match fs::read_to_string(directory.join(name)) {
            Ok(old) if old == *text => {}
            Ok(_) => return stale(name, "it differs from what the unit says"),
            Err(_) => return stale(name, "it is missing"),
        }
    }
    match leftovers(directory, files)?.first() {
        Some(name) => stale(name, "no unit says it any more"),
        None => Ok(()),
    }
}

/// Generated modules and constraints in `directory` that are not among `files`.
fn leftovers(directory: &Path, files: &Files) -> Result<Vec<String>> {
    let mut names = leftovers_in(directory, "", files)?;
    let folder = directory.join(wrapper::FOLDER);
    if folder.is_dir() {
        names.extend(leftovers_in(&folder, &format!("{}/", wrapper::FOLDER), files)?);
    }
    names.sort();
    Ok(names)
}

/// Those of one folder, with `prefix` before their names.
fn leftovers_in(folder: &Path, prefix: &str, files: &Files) -> Result<Vec<String>> {
    let mut names = vec![];
    for entry in fs::read_dir(folder).map_err(|e| Error::file(folder, e))? {
        let entry = entry.map_err(|e| Error::file(folder, e))?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let mark = GENERATED.trim_start_matches("// ");
        let ours = || fs::read_to_string(entry.path()).is_ok_and(|text| text.contains(mark));
        if [".v", ".sdc"].iter().any(|ending| name.ends_with(ending)) && !files.contains_key(&name) && ours() {
            names.push(name);
        }
    }
    Ok(names)
}

fn readme(set: &Parameterised) -> String {
    let mut text = String::from(README);
    for module in &set.modules {
        let parameters: Vec<String> =
            module.parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let unit = module.unit.clone().unwrap_or_default();
        text += &format!("| `{}` | {unit} | {} | {} |\n", module.module, parameters.join(", "), module.summary);
    }
    text
}

const README: &str = "\
# The units as Verilog

Generated by `unruly verilog` from the RustHDL blocks in `hdl/`; do not edit. A test fails if a file here is stale.

Verilog-2005, synthesizable, one module a file, file and module of the same name. A size is a parameter: `hwwl_bank #(.ENTRIES(128))`.
The default values are those of the catalogue, and the header of a file says what each parameter means and which sizes are in use:
for these the text was compared with that of a module without parameters. Any other size ends elaboration at a missing module
`unruly_verilog_writes_other_sizes`, except of a memory. A number stays in a name where another size has another structure: a sorting
network, a tree. Of such a module its default size is here; of sizes that differ in `link` alone, that with the longest ways. The commands

    unruly verilog --every-size --out all      # the parts of every size of the catalogue as well
    unruly verilog --flat --out flat           # a module for each size, without parameters
    unruly verilog --unit bank --set entries=16 --out bank16     # one unit, of any size, without parameters

write the others. `manifest.json` has parameters and children of each module, and for each instance of the catalogue
its module and the values of the parameters; where `module` is null, no module here is of that size, and the command `written_by`
writes it, as module `flat`. To use a unit, take its file and those of its children. One `clock`, rising edge;
`reset` is synchronous and active high and clears control state, not memories. An array of pins is
one vector: element i of `x`, of w bits each, is `x[i*w +: w]`. Each memory is a module of its own, `sram_1rw` (one port) or
`sram_1r1w` (a read and a write port): an SRAM compiler's macro can take its place. A word that `sram_1r1w` reads in the cycle in which it is
written is X in simulation, and `(* no_rw_check *)` tells Yosys to build no bypass: all properties of the units are proven with any word
there (`unruly prove`). What was read stays on `rdata` until the next read. `macros/` has a wrapper for each of the two, with the same
module and ports, to be read in its place: it ties off the mask, self-test and power pins of a macro. Copy that folder and write the names
and pins of a compiler's macros into the wrappers (`-y macros -y .`).

    cd verilog-out
    verilator --lint-only -Wall --default-language 1364-2005 -y . <module>.v
    iverilog -g2005 -Wall -t null -y . <module>.v
    yosys -p 'read_verilog -defer *.v; hierarchy -check -top <module>; proc; opt; memory -nomap; stat'
    yosys -p 'read_verilog -defer *.v; synth_ecp5 -top <module>'
    yosys -p 'read_verilog -defer *.v; synth_xilinx -top <module>'

Another size takes one more option, `-GENTRIES=128` (Verilator) or `-P<module>.ENTRIES=128` (Icarus Verilog), and after `read_verilog -defer *.v;`
one more command, `chparam -set ENTRIES 128 <module>;` (Yosys).

`<module>.sdc` has the clock of the paper's GPU for each unit of a paper (`set period` before it for another one), and its timing
exceptions. Each exception names the property or the assumption that it follows from, in `testbench/properties`. Times of pins are not in
it: they depend on where the unit stands.

Rules of a unit's pins stand at the end of its file under the macro `UNRULY_ASSERT` (Icarus Verilog and Verilator:
`-DUNRULY_ASSERT`). At a broken rule the simulation prints instance, time and rule, and ends with an exit code that is
not 0: `tb.bank: broken rule at time 35: push to a full side`. Icarus Verilog 11 ends by `$finish_and_return`, Verilator
5.006 and 5.049 by `$stop`. With `read_verilog -formal` of Yosys (0.23 and 0.70) each rule is an assertion, and
without `-formal` it is nothing. Whoever wants something else defines the macro `UNRULY_BROKEN(RULE)`, a statement, before the files.
Icarus Verilog 11 crashes where `-DUNRULY_ASSERT` and `-y` come together: name all files, as in

    iverilog -g2005 -Wall -t null -DUNRULY_ASSERT -s <module> *.v

Each file begins with `` `timescale 1ns/1ps ``, on which no module depends: the clocks of cocotb work with the files as they
are, under Icarus Verilog (`-g2005 -y verilog-out`) and Verilator (`-y verilog-out`). A Verilog test bench without a
timescale of its own needs Verilator's `--timescale 1ns/1ps`.

All memories are read at the clock's edge, under an enable. In Yosys `opt` has to stand before `memory`: it makes the
enable part of the read register, and only then is the register part of the memory (`RD_CLK_ENABLE` is 1; otherwise it is 0,
and no block RAM fits). The two `synth` commands contain it: a `hwwl_bank` of 1,024 entries has two DP16KD of the ECP5, or one RAMB36E1
of a Xilinx 7, a `queue` of 1,024 words of 16 bits one DP16KD, or one RAMB18E1. Shallow memories become LUT RAM: one of 48 words of 150 bits in
`gw_front_end_s4_w192_v16_t8_16x3_storage` takes 114 TRELLIS_DPR16X4.

| module | unit | parameters and default values | |
|---|---|---|---|
";
