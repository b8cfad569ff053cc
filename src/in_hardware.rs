//! Variants that use a unit with RTL: only they have something to run or to compare with `--units rtl|lockstep`.

use anyhow::{bail, Result};
use sim::attach::Uses;
use sim::config::Config;
use sim::workload::{Variant, Workload};

/// # Errors
/// The variant uses no unit of this configuration: which ones use one, and on which preset.
pub fn check(workload: &Workload, variant: Variant, config: &Config) -> Result<()> {
    if Uses::from(variant).any_on(config) {
        return Ok(());
    }
    let (name, variant, config) = (workload.name, variant.name(), &config.name);
    bail!(
        "{name} {variant} on {config} uses no hardware unit: --units rtl or lockstep has nothing to run or to compare; take {}",
        that_use_one(workload)
    )
}

/// `--variant hwwl or hwwl-single with --config hwwl-micro14; ...`
fn that_use_one(workload: &Workload) -> String {
    let presets = Config::presets().iter().filter_map(|(name, _)| Config::preset(name).ok());
    let of_preset = |config: Config| {
        let variants = workload.variants_on(&config).filter(|variant| Uses::from(*variant).any_on(&config));
        let names: Vec<_> = variants.map(Variant::name).collect();
        (!names.is_empty()).then(|| format!("--variant {} with --config {}", names.join(" or "), config.name))
    };
    presets.filter_map(of_preset).collect::<Vec<_>>().join("; ")
}
