//! `unruly config`: a whole configuration as TOML.

use anyhow::{bail, Context, Result};
use sim::config::Config;
use std::path::{Path, PathBuf};

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

/// The file that `--config` names, if it is not a preset.
pub fn configuration_file(name: &str) -> Option<PathBuf> {
    Config::presets().iter().all(|(preset, _)| *preset != name).then(|| name.into())
}

/// A preset or a TOML file, with fields changed. What ends with `.toml` or has a slash is a file.
pub fn configuration(name: &str, overrides: &[String]) -> Result<Config> {
    let path = Path::new(name);
    let is_file = name.contains('/') || path.extension().is_some_and(|extension| extension == "toml");
    if path.is_dir() && (is_file || Config::preset(name).is_err()) {
        bail!("--config {name}: is a folder; name a TOML file in it, or a preset (see `unruly list presets`)");
    }
    let mut config = if is_file {
        let text = std::fs::read_to_string(name).with_context(|| format!("--config {name}: cannot read"))?;
        Config::from_toml(name, &text)?
    } else {
        Config::preset(name)?
    };
    config.set_all(overrides)?;
    Ok(config)
}
