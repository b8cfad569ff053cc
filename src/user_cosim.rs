//! `unruly cosim` for a unit of the user's own: its Verilog beside its model, under stimulus that the rules of its pins allow.

use crate::config::configuration;
use crate::exit::CheckFailed;
use crate::progress::Progress;
use crate::record::{Files, Record};
use crate::user_unit::{source, sources, At, Attached};
use anyhow::{ensure, Result};
use std::path::PathBuf;
use testbench::stimulus::user::Operations;
use testbench::user_cosim::{UserCosim, Wanted};

/// Options for a unit of the user's own.
#[derive(clap::Args)]
#[command(next_help_heading = "A unit of your own, --unit MODULE=FILE.v")]
pub struct UserOptions {
    /// Its model, a C++ class
    #[arg(long, value_name = "FILE.cpp", requires = "unit")]
    #[arg(conflicts_with_all = ["replay", "set", "rtl", "waveform", "coverage", "digests"])]
    model: Option<PathBuf>,
    /// Where the unit is
    #[arg(long, value_enum, default_value_t = At::Core, requires = "model")]
    at: At,
    /// Give a parameter of its module another value, a whole number; may be repeated
    #[arg(long, value_name = "NAME=VALUE", requires = "model")]
    parameter: Vec<String>,
    /// Operations that kernels use in unit_call
    #[arg(long, value_name = "OP,...", value_delimiter = ',', requires = "model")]
    call: Vec<u8>,
    /// Operations that kernels use in unit_do
    #[arg(long = "do", value_name = "OP,...", value_delimiter = ',', requires = "model")]
    silent: Vec<u8>,
    /// The preset or file that says how many lanes a warp has
    #[arg(long, default_value = "hwwl-micro14", value_name = "PRESET|FILE", requires = "model")]
    config: String,
}

impl UserOptions {
    /// The unit is one of the user's own.
    pub fn has_model(&self) -> bool {
        self.model.is_some()
    }

    /// Adds the files that the options and `--unit` name.
    pub fn add_files(&self, unit: Option<&str>, files: &mut Files) {
        files.read.extend(unit.into_iter().flat_map(sources).chain(self.model.clone()));
    }

    /// Compares, reports, and prints.
    ///
    /// # Errors
    /// Mistakes in the options, the Verilog or the model; a difference.
    pub fn main(&self, unit: &str, wanted: &Wanted, progress: &Progress, record: &mut Record) -> Result<()> {
        let report = self.compare(unit, wanted, progress);
        progress.finish();
        let report = report?;
        let outcome = report.fault.clone().map_or(Ok(()), |text| Err(CheckFailed(text).into()));
        record.write_with(&report, &outcome)?;
        print(&report);
        outcome
    }

    fn compare(&self, unit: &str, wanted: &Wanted, progress: &Progress) -> Result<UserCosim> {
        let config = configuration(&self.config, &[])?;
        let source = source(unit, self.model.as_deref(), &self.parameter, self.at, &config)?;
        let user_unit = Attached::new(source, self.at, &config)?;
        let operations = Operations { answered: self.call.clone(), silent: self.silent.clone() };
        ensure!(
            self.at != At::Core || !(self.call.is_empty() && self.silent.is_empty()),
            "--unit {unit}: nobody calls it; name the operations that kernels use with --call OP,... and --do OP,..."
        );
        user_unit.compare(&operations, wanted, &mut |cycle| {
            progress.say(0, format!("{unit}: {cycle} of {} cycles", wanted.cycles));
        })
    }
}

fn print(report: &UserCosim) {
    let UserCosim { unit, cycles, comparisons, mismatches, cycles_per_second, coverage, .. } = report;
    let rate = cycles_per_second / 1e6;
    println!("{unit}: {cycles} cycles, {comparisons} pin comparisons, {mismatches} mismatches; {rate:.1} M cycles/s");
    for (event, count) in coverage {
        println!("  {event:<36} {count:>12}");
    }
}
