//! `unruly verilog`: every unit of the catalogue as Verilog, or one of any size.

use crate::exit::{self, CheckFailed};
use crate::parameters;
use crate::shell::shown;
use anyhow::Result;
use gen::elaborate::elaborate_all;
use gen::output::{self, Form};
use hdl::catalog::{self, Instance};
use std::path::{Path, PathBuf};

/// Write all units as Verilog-2005, one module a file, with a manifest
///
/// A size is a parameter of its module. Of modules with another structure for each size, the default size is written; --unit and
/// --set choose another one.
///
/// Example: unruly verilog --unit iru_partition --set chunks=32 --set bundle=2 --set hash=1 --set timeout=32 --out out/iru
#[derive(clap::Args)]
pub struct Args {
    /// Directory to write into [default: verilog-out]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write this unit alone and its parts, with numbers in place of parameters: see `unruly list units`
    #[arg(long, value_name = "UNIT", requires = "out", conflicts_with_all = ["flat", "every_size"])]
    unit: Option<String>,
    /// Change a parameter of the unit, as in `entries=8`; may be repeated
    #[arg(long, value_name = "NAME=VALUE", requires = "unit")]
    set: Vec<String>,
    /// Write a module for each size of the catalogue, with numbers in place of parameters
    #[arg(long, requires = "out")]
    flat: bool,
    /// Write the parts of every size of the catalogue
    #[arg(long, requires = "out", conflicts_with = "flat")]
    every_size: bool,
    /// Write nothing; fail if the directory is not what the units say
    #[arg(long)]
    check: bool,
}

pub fn main(args: Args) -> Result<()> {
    let out = args.out.as_deref().unwrap_or(Path::new("verilog-out"));
    let wanted = wanted(&args)?;
    if !args.check {
        // To elaborate all units takes seconds: what cannot be written is said before.
        output::prepare(out)?;
    }
    let files = output::files(&elaborate_all(&wanted)?, form(&args));
    if args.check {
        return match output::check_fresh(out, &files) {
            Err(stale @ gen::Error::Stale { .. }) => {
                Err(CheckFailed(format!("{stale}: run `{}`", command(out, &args))).into())
            }
            other => {
                other?;
                println!("{}: every file is what the units say", out.display());
                Ok(())
            }
        };
    }
    // Writing takes a moment: Ctrl-C waits until all files are whole.
    let _whole = exit::interrupt_flag()?;
    let written = output::write(out, &files)?;
    println!(
        "{}: {} files changed, {} unchanged, {} removed",
        out.display(),
        written.changed,
        written.unchanged,
        written.removed
    );
    Ok(())
}

/// Units and sizes that are written.
fn wanted(args: &Args) -> Result<Vec<Instance>> {
    let Some(unit) = &args.unit else { return Ok(catalog::catalog()) };
    let parameters = parameters::all(&args.set)?;
    Ok(vec![catalog::find(unit, &parameters)?])
}

fn form(args: &Args) -> Form {
    match (args.flat || args.unit.is_some(), args.every_size) {
        (true, _) => Form::Flat,
        (_, true) => Form::EverySize,
        _ => Form::Parameters,
    }
}

/// The command that writes `out`.
fn command(out: &Path, args: &Args) -> String {
    let unit = args.unit.iter().map(|unit| format!(" --unit {}", shown(unit)));
    let what = unit.chain(args.set.iter().map(|set| format!(" --set {}", shown(set)))).collect::<String>();
    let form = match (args.flat, args.every_size) {
        (true, _) => " --flat",
        (_, true) => " --every-size",
        _ => "",
    };
    format!("unruly verilog{what}{form} --out {}", shown(&out.display().to_string()))
}
