//! `unruly area`: what every unit costs in gates, memory and nanoseconds.

use crate::parameters;
use crate::progress::Progress;
use crate::record::{Files, Record, Recorded};
use anyhow::{Context, Result};
use gen::elaborate::{elaborate, parameter_list};
use gen::liberty::Liberty;
use gen::report::{self, render, Method, Row};
use gen::storage::{self, Memories};
use hdl::catalog::{self, Instance};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Synthesise every unit and print its area, SRAM bits, critical path and highest clock
///
/// Example: unruly area --unit bank --set entries=8,32,128 --markdown
#[derive(clap::Args)]
pub struct Args {
    /// One unit only (see `unruly list units`)
    #[arg(long)]
    unit: Option<String>,
    /// The unit with these parameters instead of the instances that ship; with several values every combination: a row
    /// each. May be repeated
    #[arg(long, value_name = "NAME=VALUE[,VALUE...]", requires = "unit")]
    set: Vec<String>,
    /// Where the SRAM bits are, memory by memory, instead; needs no synthesis
    #[arg(long, requires = "unit")]
    storage: bool,
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
    rows: &'a [Row],
}

impl Recorded for Args {
    fn json(&self) -> Option<&Path> {
        self.json.as_deref()
    }

    fn files(&self) -> Files {
        Files { read: self.liberty.iter().cloned().collect(), ..Files::default() }
    }
}

pub fn main(args: Args, record: &mut Record) -> Result<()> {
    let instances = instances(&args)?;
    if args.storage {
        return storage(&instances, record);
    }
    let liberty = Liberty::read(args.liberty.as_deref())?;
    if args.liberty.is_none() {
        record.add_input(&liberty.path)?;
    }
    std::fs::create_dir_all(&args.cache).with_context(|| format!("--cache {}", args.cache.display()))?;
    let method = Method::of(&liberty)?;
    let progress = Progress::new(1);
    let rows = report::cost(&instances, &catalog::catalog(), &liberty, &args.cache, &|done, all, module| {
        progress.say(0, format!("synthesis: {done} of {all} units, last {module}"));
    })?;
    progress.finish();
    let table = if args.markdown { render::markdown(&method, &rows) } else { render::text(&method, &rows) };
    record.write(&Report { method: &method, rows: &rows })?;
    print!("{table}");
    Ok(())
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
        let parameters = instance.parameters.iter().map(|(name, value)| (name.to_string(), *value)).collect();
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
    let Some(unit) = &args.unit else { return Ok(catalog::catalog()) };
    if args.set.is_empty() {
        catalog::find(unit, &[])?;
        return Ok(catalog::catalog().into_iter().filter(|i| i.unit == unit).collect());
    }
    let sets = args.set.iter().map(|text| parameters::several(text)).collect::<Result<Vec<_>>>()?;
    let find = |parameters: &Vec<(&str, u64)>| Ok(catalog::find(unit, parameters)?);
    parameters::combinations(&sets).iter().map(find).collect()
}
