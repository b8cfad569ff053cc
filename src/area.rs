//! `unruly area`: what every unit costs in gates, memory and nanoseconds.

mod committed;
mod fpga;
mod hand;
mod route;

use crate::exit::{self, CheckFailed, Paused};
use crate::extensions;
use crate::parameters;
use crate::progress::Progress;
use crate::record::{Files, Record, Recorded};
use crate::rows;
use anyhow::{anyhow, bail, Context, Result};
use gen::elaborate::{elaborate, parameter_list};
use gen::liberty::Liberty;
use gen::memory_area::Range;
use gen::order::Orders;
use gen::report::page::{Page, COMMAND};
use gen::report::{self, render, Method, Row, Running, Speed, Units};
use gen::storage::{self, Memories};
use hdl::catalog::{self, Instance};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::Arc;
use testbench::user_verilog::UserVerilog;

/// Synthesise every unit and print its area, SRAM bits, critical path in ns and FO4, and whether it meets its GPU's clock
///
/// Example: unruly area --unit bank --set entries=8,32,128 --markdown
#[derive(clap::Args)]
pub struct Args {
    /// One unit only (see `unruly list units`)
    #[arg(long, group = "one")]
    unit: Option<String>,
    /// The unit with these parameters instead of the instances that ship; with several values every combination: a row
    /// each. May be repeated
    #[arg(long, value_name = "NAME=VALUE[,VALUE...]", requires = "one")]
    set: Vec<String>,
    /// These modules of one size only, in this order
    #[arg(long, value_name = "MODULE[,MODULE...]", value_delimiter = ',', conflicts_with = "one")]
    module: Vec<String>,
    /// Print the rows of this committed file instead of synthesis; a row whose RTL, scripts or library changed fails
    #[arg(long, value_name = "FILE.json", conflicts_with_all = ["set", "storage", "liberty", "route", "fpga"])]
    committed: Option<PathBuf>,
    /// Keep a row for each unit of the page area.md in this file, and compute only what rows are missing or stale; with --liberty for the
    /// modules of the systems alone
    #[arg(long, value_name = "FILE.json", conflicts_with_all = ["one", "module", "storage", "committed", "json", "markdown"])]
    rows: Option<PathBuf>,
    /// Map the cells in the order as written alone, in a third of the time: the path has no spread, and no target counts as met
    #[arg(long, conflicts_with_all = ["storage", "committed", "route", "fpga", "layouts", "hand"])]
    as_written: bool,
    /// Verilog of your own beside the unit, with the same ports and at most the memories of the unit
    #[arg(long, value_name = "FILE.v", requires = "unit", conflicts_with_all = ["storage", "committed"])]
    rtl: Option<PathBuf>,
    /// Where the SRAM bits are, memory by memory, instead; needs no synthesis
    #[arg(long, requires = "unit")]
    storage: bool,
    /// Place and route this unit with qflow instead (osu018): die, wires, the clock with them, and a picture
    #[arg(long, value_name = "UNIT", group = "one", conflicts_with = "liberty")]
    route: Option<String>,
    /// Fit this unit into an ECP5 with nextpnr instead: LUTs, block RAM, MHz after routing (scripts/fpga.sh fetches nextpnr)
    #[arg(long, value_name = "UNIT", group = "one", conflicts_with = "liberty")]
    fpga: Option<String>,
    /// Route a unit of more than 3,000 GE too: minutes to hours
    #[arg(long, requires = "route")]
    large: bool,
    /// Keep a row for each unit of the page layout.md in this file, and route only what rows are missing or stale
    #[arg(long, value_name = "FILE.json", conflicts_with_all = ["one", "module", "storage", "committed", "rows", "liberty", "json", "markdown"])]
    layouts: Option<PathBuf>,
    /// Keep a row for each unit of the page hand.md in this file: a unit beside the same written by hand
    #[arg(long, value_name = "FILE.json", conflicts_with_all = ["one", "module", "storage", "committed", "rows", "layouts", "liberty", "json", "markdown"])]
    hand: Option<PathBuf>,
    /// Where pictures (PNG) and layouts (DEF) go
    #[arg(long, default_value = "out/layout", value_name = "DIR")]
    out: PathBuf,
    /// Standard cells to map to [default: Debian's osu018, 180 nm]
    #[arg(long, value_name = "FILE.lib")]
    liberty: Option<PathBuf>,
    /// Print the table as Markdown
    #[arg(long)]
    markdown: bool,
    /// Where finished results are kept
    #[arg(long, default_value = ".cache/synth", value_name = "DIR")]
    cache: PathBuf,
    /// Write the table to this file, for programs (docs/json.md)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

#[derive(Serialize)]
struct Report<'a> {
    method: &'a Method,
    rows: Vec<Timed<'a>>,
}

/// A row, and how its longest path compares with what it may take.
#[derive(Serialize)]
struct Timed<'a> {
    #[serde(flatten)]
    row: &'a Row,
    #[serde(flatten)]
    speed: Speed,
    memory_gate_equivalents: Range,
    gate_equivalents_in_all: Range,
}

impl<'a> Timed<'a> {
    fn of(row: &'a Row, method: &Method) -> Self {
        Timed {
            row,
            speed: Speed::of(row, method),
            memory_gate_equivalents: row.memory_area(),
            gate_equivalents_in_all: row.sum(),
        }
    }
}

impl Args {
    fn orders(&self) -> Orders {
        match self.as_written {
            true => Orders::AsWritten,
            false => Orders::All,
        }
    }
}

impl Recorded for Args {
    fn files(&self) -> Files {
        Files {
            json: self.json.clone(),
            written: rows::written([("--rows", &self.rows), ("--layouts", &self.layouts), ("--hand", &self.hand)]),
            read: self.liberty.iter().chain(&self.committed).chain(&self.rtl).cloned().collect(),
            ..Files::default()
        }
    }
}

pub fn main(args: Args, record: &mut Record) -> Result<()> {
    if let Some(rows) = &args.rows {
        return committed::write(rows, &args);
    }
    if let Some(rows) = &args.layouts {
        return route::write(rows, &args.cache, &args.out);
    }
    if let Some(rows) = &args.hand {
        return hand::write(rows, &args.cache);
    }
    if let Some(unit) = &args.route {
        return route::main(&of_unit(unit, &args.set)?, &args, record);
    }
    if let Some(unit) = &args.fpga {
        return fpga::main(&of_unit(unit, &args.set)?, &args, record);
    }
    let instances = instances(&args)?;
    if args.storage {
        return storage(&instances, record);
    }
    let liberty = Liberty::read(args.liberty.as_deref())?;
    if args.liberty.is_none() {
        record.add_input(&liberty.path)?;
    }
    let (method, rows) = match &args.committed {
        Some(file) => from_page(file, &instances, &liberty)?,
        None => computed(&args, &instances, &liberty)?,
    };
    let table = if args.markdown { render::markdown(&method, &rows) } else { render::text(&method, &rows) };
    let timed = rows.iter().map(|row| Timed::of(row, &method));
    record.write(&Report { method: &method, rows: timed.collect() })?;
    print!("{table}");
    if let Some(file) = &args.committed {
        println!(
            "From {}, made by `{}`: RTL, scripts and library are still those (checked by digest).",
            file.display(),
            COMMAND
        );
    }
    Ok(())
}

fn from_page(file: &Path, instances: &[Instance], liberty: &Liberty) -> Result<(Method, Vec<Row>)> {
    let page = Page::read(file)?;
    let units = Units::elaborate(instances, &catalog::catalog())?;
    let wrong =
        |problems: Vec<String>| CheckFailed(format!("{}: {}; run `{}`", file.display(), problems.join(", "), COMMAND));
    let rows = page.rows_of(&units, liberty).map_err(wrong)?;
    Ok((page.method, rows))
}

fn computed(args: &Args, instances: &[Instance], liberty: &Liberty) -> Result<(Method, Vec<Row>)> {
    let cache = &args.cache;
    let flow = Flow::start(cache, liberty, args.orders())?;
    let own = args.rtl.as_ref().map(|file| own(file, instances)).transpose()?;
    let units = [Units::elaborate(instances, &catalog::catalog())?].into_iter().chain(own);
    let rows = units.map(|units| flow.finish(&units)).collect::<Result<Vec<_>>>()?;
    Ok((flow.method, rows.concat()))
}

/// The Verilog of `--rtl` in the place of the unit.
fn own(file: &Path, instances: &[Instance]) -> Result<Units> {
    let [instance] = instances else { bail!("--rtl replaces one unit: choose its size with --set") };
    let own = UserVerilog::read(&[file.to_path_buf()], None, instance)?;
    Ok(Units::replaced(instance, own.top(), &own.for_synthesis()?)?)
}

/// Synthesis with progress, until Ctrl-C.
struct Flow<'a> {
    cache: &'a Path,
    liberty: &'a Liberty,
    orders: Orders,
    method: Method,
    interrupt: Arc<AtomicBool>,
}

impl<'a> Flow<'a> {
    fn start(cache: &'a Path, liberty: &'a Liberty, orders: Orders) -> Result<Self> {
        std::fs::create_dir_all(cache).with_context(|| format!("--cache {}", cache.display()))?;
        // Before the first tool runs.
        let interrupt = exit::interrupt_flag()?;
        Ok(Flow { cache, liberty, orders, method: Method::of(liberty, cache)?, interrupt })
    }

    /// A row for each unit.
    fn finish(&self, units: &Units) -> Result<Vec<Row>> {
        let cache = self.cache.display();
        let paused = || Paused(format!("finished results are in {cache}: the same command goes on from there"));
        self.cost(units)?.ok_or_else(|| paused().into())
    }

    /// A row for each unit, `None` after Ctrl-C.
    fn cost(&self, units: &Units) -> Result<Option<Vec<Row>>> {
        let progress = Progress::new(1);
        let say = |done: usize, all: usize, running: &[Running]| {
            progress.say(0, state("synthesis", done, all, running));
        };
        let rows = report::cost(units, self.orders, self.liberty, self.cache, &self.interrupt, &say);
        progress.finish();
        match rows {
            Ok(rows) => Ok(Some(rows)),
            Err(gen::Error::Interrupted) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

fn state(work: &str, done: usize, all: usize, running: &[Running]) -> String {
    let one = |r: &Running| format!("{} ({} s)", r.module, r.since.elapsed().as_secs());
    let running: Vec<String> = running.iter().map(one).collect();
    format!("{work}: {done} of {all} steps done, now {}", running.join(", "))
}

#[derive(Serialize)]
struct StorageReport<'a> {
    units: &'a [Storage],
}

#[derive(Serialize)]
struct Storage {
    unit: String,
    parameters: BTreeMap<String, u64>,
    memories: Vec<Memories>,
    bits: usize,
}

fn storage(instances: &[Instance], record: &mut Record) -> Result<()> {
    let of = |instance: &Instance| -> Result<Storage> {
        let memories = storage::memories(&elaborate(instance)?);
        let bits = memories.iter().map(Memories::bits).sum();
        let parameters = instance.parameters_by_name();
        Ok(Storage { unit: instance.unit.to_string(), parameters, memories, bits })
    };
    let units = instances.iter().map(of).collect::<Result<Vec<_>>>()?;
    record.write(&StorageReport { units: &units })?;
    for Storage { unit, parameters, memories, bits } in &units {
        println!("{unit}: {}", parameter_list(parameters));
        for m in memories {
            println!(
                "  {:<44} {:>3} x {:>5} words x {:>3} bits {:>9} bits",
                m.place,
                m.instances,
                m.words,
                m.width,
                m.bits()
            );
        }
        println!("  {:<69} {bits:>9} bits = {} bytes", "in all", bits.div_ceil(8));
    }
    Ok(())
}

fn instances(args: &Args) -> Result<Vec<Instance>> {
    if !args.module.is_empty() {
        return args.module.iter().map(|module| shipped(module)).collect();
    }
    let Some(unit) = &args.unit else { return Ok(catalog::catalog()) };
    let shipped: Vec<_> = catalog::catalog().into_iter().filter(|i| i.unit == unit).collect();
    match args.set.is_empty() && !shipped.is_empty() {
        true => Ok(shipped),
        false => of_unit(unit, &args.set),
    }
}

/// The unit with each combination of the values of `set`; without any, as usual.
fn of_unit(unit: &str, set: &[String]) -> Result<Vec<Instance>> {
    let sets = set.iter().map(|text| parameters::several(text)).collect::<Result<Vec<_>>>()?;
    let find = |parameters: &Vec<(&str, u64)>| Ok(extensions::catalog().find(unit, parameters)?);
    parameters::combinations(&sets).iter().map(find).collect()
}

fn shipped(module: &str) -> Result<Instance> {
    let found = catalog::catalog().into_iter().find(|i| i.module == module);
    found.ok_or_else(|| {
        let hint = spelling::hint(module, catalog::catalog().into_iter().map(|i| i.module));
        anyhow!("--module {module}: no unit that ships has this module; `unruly list units` lists them{hint}")
    })
}
