//! `unruly microbench`: latency and rate of the memories, and how they stand beside silicon.

mod facts;
mod page;

pub use facts::Facts;
pub use page::Page;

use crate::config::{configuration, configuration_file};
use crate::exit;
use crate::progress::Progress;
use crate::record::{Files, Record, Recorded};
use crate::rows;
use crate::simulate::classify;
use anyhow::{ensure, Context, Result};
use page::Measured;
use rayon::prelude::*;
use serde::Serialize;
use sim::config::Config;
use sim::microbench::{self, Measure};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The configurations that are measured without --config, in the order of the page.
const PRESETS: [&str; 5] = ["calibration-gtx480", "hwwl-micro14", "gw-fermi-b32", "gw-fermi-gw8", "iru-gtx980"];

/// Measure latency and rate of shared memory, L1, L2, DRAM and atomics by microbenchmarks, as studies of silicon do
///
/// Measures: shared-latency, l1-latency, l2-latency, dram-latency, dram-latency-scattered, atomic-latency, shared-bandwidth,
/// l2-bandwidth, dram-bandwidth, atomics-one-word, atomics-own-words. The result of every kernel is checked.
///
/// Example: unruly microbench --config iru-gtx980 --set l2.rop_latency=120 --only l2-latency
///
/// Example: unruly microbench --rows docs/data/silicon.json --check
#[derive(clap::Args)]
pub struct Args {
    /// A preset (see `unruly list presets`) or a TOML file; may be repeated [default: the presets of the page silicon.md]
    #[arg(long, value_name = "PRESET|FILE")]
    config: Vec<String>,
    /// Change a field of each configuration, as in `l2.rop_latency=120`; may be repeated
    #[arg(long, value_name = "FIELD=VALUE")]
    set: Vec<String>,
    /// Only this measure; may be repeated
    #[arg(long, value_name = "MEASURE")]
    only: Vec<String>,
    /// Keep all numbers in this file, for the page silicon.md; silicon's are in the TOML file beside it
    #[arg(long, value_name = "FILE.json")]
    rows: Option<PathBuf>,
    /// Write nothing; fail if a number of the file is not what is measured now
    #[arg(long, requires = "rows")]
    check: bool,
    /// Write all numbers to this file as well, for programs (docs/json.md)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Recorded for Args {
    fn files(&self) -> Files {
        let read = self.rows.iter().map(|rows| page::facts(rows));
        let kept = self.rows.iter().filter(|_| self.check).cloned();
        let configurations = self.config.iter().filter_map(|name| configuration_file(name));
        Files {
            json: self.json.clone(),
            read: read.chain(kept).chain(configurations).collect(),
            written: if self.check { vec![] } else { rows::written([("--rows", &self.rows)]) },
            ..Files::default()
        }
    }
}

#[derive(Serialize)]
struct Report {
    configurations: Vec<Configuration>,
}

#[derive(Serialize)]
struct Configuration {
    config: String,
    /// All fields, changes included.
    configuration: Config,
    measures: Vec<Number>,
}

#[derive(Serialize)]
struct Number {
    measure: &'static str,
    value: f64,
    unit: &'static str,
    meaning: &'static str,
}

pub fn main(args: Args, record: &mut Record) -> Result<()> {
    let measures = measures(&args.only)?;
    let configs = configurations(&args)?;
    let page = args.rows.as_deref().map(Page::open).transpose()?;
    if let (Some(rows), false) = (&args.rows, args.check) {
        let all = args.config.is_empty() && args.set.is_empty() && args.only.is_empty();
        ensure!(all, "--rows needs every number: leave out --config, --set and --only, or add --check");
        rows::check(rows)?;
    }

    let measured = measure(&configs, &measures)?;
    let outcome = match &page {
        Some(page) if args.check => page.check(&measured),
        Some(page) => page.write(&measured),
        None => Ok(()),
    };
    record.write_with(&report(configs, &measured), &outcome)?;
    print(&measured);
    outcome
}

fn measures(only: &[String]) -> Result<Vec<Measure>> {
    let wanted = only.iter().map(|name| name.parse()).collect::<Result<Vec<Measure>, _>>()?;
    Ok(Measure::ALL.into_iter().filter(|measure| only.is_empty() || wanted.contains(measure)).collect())
}

fn configurations(args: &Args) -> Result<Vec<Config>> {
    let names = match args.config.is_empty() {
        true => PRESETS.map(String::from).to_vec(),
        false => args.config.clone(),
    };
    let configs = names.iter().map(|name| configuration(name, &args.set)).collect::<Result<Vec<_>>>()?;
    configs.iter().try_for_each(microbench::check)?;
    Ok(configs)
}

/// A number for each measure of each configuration.
fn measure(configs: &[Config], measures: &[Measure]) -> Result<Vec<Measured>> {
    let interrupt = exit::interrupt_flag()?;
    let progress = Progress::new(1);
    let done = AtomicUsize::new(0);
    let jobs: Vec<_> =
        configs.iter().flat_map(|config| measures.iter().map(move |measure| (config, *measure))).collect();
    let one = |&(config, measure): &(&Config, Measure)| {
        let value = measure.run(config, interrupt.clone()).map_err(classify);
        let value = value.with_context(|| format!("{measure} of {}", config.name))?;
        let finished = done.fetch_add(1, Relaxed) + 1;
        progress.say(0, format!("{finished} of {} measured, last {measure} of {}", jobs.len(), config.name));
        Ok(Measured::new(&config.name, measure, value))
    };
    let measured = jobs.par_iter().map(one).collect();
    progress.finish();
    measured
}

fn report(configs: Vec<Config>, measured: &[Measured]) -> Report {
    let number = |m: &Measured| Number {
        measure: m.measure.name(),
        value: m.value,
        unit: m.measure.unit(),
        meaning: m.measure.description(),
    };
    let a_config = measured.len() / configs.len();
    let numbers = measured.chunks(a_config).map(|chunk| chunk.iter().map(number).collect());
    let configuration = |(configuration, measures): (Config, _)| Configuration {
        config: configuration.name.clone(),
        configuration,
        measures,
    };
    Report { configurations: configs.into_iter().zip(numbers).map(configuration).collect() }
}

fn print(measured: &[Measured]) {
    let mut config = "";
    for m in measured {
        if m.config != config {
            config = &m.config;
            println!("{config}");
        }
        println!("  {:<24} {:>8} {}", m.measure.name(), page::number(m.value), m.measure.unit());
    }
}
