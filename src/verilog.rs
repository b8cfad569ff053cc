//! `unruly verilog`: every unit of the catalogue as Verilog.

use crate::exit::{self, CheckFailed};
use anyhow::Result;
use gen::output;
use std::path::PathBuf;

/// Write all units as Verilog-2005, one module a file, with a manifest
///
/// Example: unruly verilog --out verilog-out
#[derive(clap::Args)]
pub struct Args {
    /// Directory to write into
    #[arg(long, default_value = "verilog-out", value_name = "DIR")]
    out: PathBuf,
    /// Write nothing; fail if the directory is not what the units say
    #[arg(long)]
    check: bool,
}

pub fn main(args: Args) -> Result<()> {
    if !args.check {
        // To elaborate all units takes seconds: what cannot be written is said before.
        output::prepare(&args.out)?;
    }
    let files = output::catalog_files()?;
    if args.check {
        return match output::check_fresh(&args.out, &files) {
            Err(stale @ gen::Error::Stale { .. }) => Err(CheckFailed(stale.to_string()).into()),
            other => {
                other?;
                println!("{}: every file is what the units say", args.out.display());
                Ok(())
            }
        };
    }
    // Writing takes a moment: Ctrl-C waits until all files are whole.
    let _whole = exit::interrupt_flag()?;
    let written = output::write(&args.out, &files)?;
    println!(
        "{}: {} files changed, {} unchanged, {} removed",
        args.out.display(),
        written.changed,
        written.unchanged,
        written.removed
    );
    Ok(())
}
