//! `unruly config`: a whole configuration as TOML.

use crate::run::configuration;
use anyhow::Result;

/// Print a whole configuration as TOML, with unit, range and meaning of each field, to save, edit and pass to --config
///
/// Example: unruly config hwwl-micro14 --set hwwl.entries=64 > my.toml
#[derive(clap::Args)]
pub struct Args {
    /// A preset (see `unruly list presets`) or a TOML file
    #[arg(value_name = "PRESET|FILE")]
    config: String,
    /// Change a field, as in `hwwl.entries=64`; may be repeated (see `unruly list fields`)
    #[arg(long, value_name = "FIELD=VALUE")]
    set: Vec<String>,
}

pub fn main(args: Args) -> Result<()> {
    print!("{}", configuration(&args.config, &args.set)?.to_toml());
    Ok(())
}
