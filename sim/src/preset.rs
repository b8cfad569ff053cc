//! The built-in configurations, and configurations that build on another: `base = "name"` takes over every field that the
//! file does not set itself.

use thiserror::Error;

/// No built-in configuration has this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown preset `{name}`; there are {known}")]
pub struct UnknownPreset {
    name: String,
    known: String,
}

struct Preset {
    name: &'static str,
    description: &'static str,
    text: &'static str,
}

/// Each with its description; the text is that of the file of the same name.
macro_rules! presets {
    ($($name:literal: $description:literal,)+) => {
        [$(Preset {
            name: $name,
            description: $description,
            text: include_str!(concat!("../presets/", $name, ".toml")),
        }),+]
    };
}

const PRESETS: [Preset; 8] = presets! {
    "hwwl-micro14": "4 cores of 16 lanes with hardware worklists, as in HWWL (MICRO 2014), Table IV",
    "iru-gtx980": "GTX 980 (Maxwell, 16 cores), the GPU of the IRU paper, Table 2",
    "gw-fermi-b32": "Fermi like a Tesla C2050 (14 cores, warps of 32), the baseline of Graph-Waving (JPDC 2021)",
    "gw-fermi-gw8": "the same with warps of 8 in pairs, shared instructions and scalar waves: the GPU of Graph-Waving",
    "unruly-b32": "gw-fermi-b32 with hardware worklists and, in four memory partitions, reorder units",
    "unruly-gw8": "gw-fermi-gw8 with the same: all three extensions on one GPU",
    "calibration-gtx480":
        "GTX 480 (Fermi, 15 cores) with the parameters of the reference that the model is calibrated against",
    "calibration-micro14": "the same with 4 cores and an L1 of 8 KB",
};

/// Names and descriptions.
pub const LIST: [(&str, &str); PRESETS.len()] = {
    let mut list = [("", ""); PRESETS.len()];
    let mut i = 0;
    while i < list.len() {
        list[i] = (PRESETS[i].name, PRESETS[i].description);
        i += 1;
    }
    list
};

/// The text of a built-in configuration.
pub fn text(name: &str) -> Result<&'static str, UnknownPreset> {
    match PRESETS.iter().find(|p| p.name == name) {
        Some(preset) => Ok(preset.text),
        None => {
            let known = spelling::listed(name, LIST.map(|(name, _)| name));
            Err(UnknownPreset { name: name.into(), known })
        }
    }
}

/// The fields of a configuration that names a base, those of the base included. `Ok(None)`: it names none.
pub fn on_base(fields: &toml::Table) -> Result<Option<toml::Table>, UnknownPreset> {
    let Some(base) = fields.get("base") else { return Ok(None) };
    let name = base.as_str().map_or_else(|| base.to_string(), str::to_string);
    let base: toml::Table = text(&name)?.parse().expect("built-in configurations are tested");
    let mut all = on_base(&base)?.unwrap_or(base);
    let mut own = fields.clone();
    own.remove("base");
    overlay(&mut all, own);
    Ok(Some(all))
}

fn overlay(all: &mut toml::Table, own: toml::Table) {
    for (key, value) in own {
        match (all.get_mut(&key), value) {
            (Some(toml::Value::Table(below)), toml::Value::Table(above)) => overlay(below, above),
            (_, value) => {
                all.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    #[test]
    fn every_preset_is_possible_and_says_its_name() {
        for (name, _) in LIST {
            assert_eq!(Config::preset(name).unwrap().name, name);
        }
    }

    #[test]
    fn a_base_gives_what_a_file_does_not_set() {
        let base = Config::preset("hwwl-micro14").unwrap();
        let own = Config::from_toml("x", "name = \"x\"\nbase = \"hwwl-micro14\"\n[core]\ncount = 7\n").unwrap();
        assert_eq!(own.core.count, 7);
        assert_eq!(own.core.clock_mhz, base.core.clock_mhz);
        assert_eq!(own.l2, base.l2);
    }

    #[test]
    fn a_bad_base_or_field_is_named() {
        let message = |text: &str| Config::from_toml("my.toml", text).unwrap_err().to_string();
        assert!(message("base = \"fermi\"").contains("unknown preset `fermi`"));
        assert!(message("base = 3").contains("unknown preset `3`"));
        let text = message("base = \"hwwl-micro14\"\n[core]\ncounts = 7\n");
        assert!(text.starts_with("my.toml: ") && text.contains("counts"), "{text}");
    }
}
