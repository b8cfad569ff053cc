//! The fields of a configuration: unit, range and meaning of each. What presets set them to, and from which source, is in
//! `sim/presets/`; `docs/presets.md` gives reasons.

use super::range::Range::{self, Text};
use super::tables::{Row, TABLES};
use super::Config;
use std::sync::LazyLock;

/// A field, as `--set` and `unruly list fields` name it.
#[derive(Clone, Debug)]
pub struct Field {
    /// For example `hwwl.entries`.
    pub path: String,
    /// Empty for words, truths and plain numbers.
    pub unit: &'static str,
    pub range: Range,
    pub meaning: &'static str,
}

impl Field {
    /// Its value in a configuration. `None`: the configuration has no such table.
    pub fn value(&self, config: &toml::Value) -> Option<toml::Value> {
        self.path.split('.').try_fold(config, |table, key| table.get(key)).cloned()
    }

    /// The table that it stands in (empty: none), and what it is called there.
    pub fn place(&self) -> (&str, &str) {
        self.path.split_once('.').unwrap_or(("", &self.path))
    }

    /// Meaning, unit and range.
    pub fn description(&self) -> String {
        let unit = if self.unit.is_empty() { String::new() } else { format!("{}, ", self.unit) };
        format!("{} [{unit}{}]", self.meaning, self.range)
    }
}

/// All fields, table by table.
pub fn fields() -> &'static [Field] {
    static FIELDS: LazyLock<Vec<Field>> = LazyLock::new(all);
    &FIELDS
}

impl Config {
    /// The whole configuration as TOML that [`Config::from_toml`] reads, with what each field means.
    pub fn to_toml(&self) -> String {
        let root = self.to_value();
        let (mut text, mut current) = (String::new(), "");
        for field in fields() {
            let Some(value) = field.value(&root) else { continue };
            let (table, key) = field.place();
            if table != current {
                text += &format!("\n[{table}]\n");
                current = table;
            }
            text += &format!("{:<30} # {}\n", format!("{key} = {value}"), field.description());
        }
        text
    }
}

/// Meaning of a field in one of the two caches that share a table.
fn meaning_in(table: &str, key: &str, meaning: &'static str) -> &'static str {
    match (table, key) {
        ("l1i", "sets") => "sets of the instruction cache",
        ("l1c", "sets") => "sets of the constant cache, which serves parameters too",
        _ => meaning,
    }
}

fn all() -> Vec<Field> {
    let name = Field { path: "name".into(), unit: "", range: Text, meaning: "what reports call the configuration" };
    let rows = TABLES.iter().flat_map(|(table, rows)| rows.iter().map(move |row| (*table, row)));
    let field = |(table, &(key, unit, range, meaning)): (&str, &Row)| Field {
        path: format!("{table}.{key}"),
        unit,
        range,
        meaning: meaning_in(table, key, meaning),
    };
    std::iter::once(name).chain(rows.map(field)).collect()
}

#[cfg(test)]
mod tests {
    use super::Range::{PowerOfTwo, Rule, Truth, Whole, Words};
    use super::*;
    use std::collections::BTreeSet;

    /// Presets that together have all tables.
    fn configs() -> [Config; 3] {
        ["hwwl-micro14", "iru-gtx980", "gw-fermi-gw8"].map(|name| Config::preset(name).unwrap())
    }

    fn leaves(path: &str, value: &toml::Value, found: &mut BTreeSet<String>) {
        match value.as_table() {
            Some(table) => table.iter().for_each(|(key, value)| leaves(&format!("{path}.{key}"), value, found)),
            None => drop(found.insert(path.trim_start_matches('.').into())),
        }
    }

    /// The message about a value of a field, without the name of the configuration; empty: it is possible.
    fn refusal(config: &Config, field: &Field, value: impl std::fmt::Display) -> String {
        let outcome = config.clone().set(&format!("{}={value}", field.path));
        outcome.err().map(|error| error.to_string().replacen(&format!("{}: ", config.name), "", 1)).unwrap_or_default()
    }

    #[test]
    fn every_field_is_described_once() {
        let mut all = BTreeSet::new();
        configs().iter().for_each(|config| leaves("", &config.to_value(), &mut all));
        let described: BTreeSet<_> = fields().iter().map(|field| field.path.clone()).collect();
        assert_eq!(described, all);
        assert_eq!(described.len(), fields().len());
        assert!(fields().iter().all(|field| field.meaning.len() > 3));
    }

    /// One below and one above are refused by the field's name; so is a word that is not in the list.
    #[test]
    fn the_ranges_are_those_that_are_enforced() {
        for config in configs() {
            let root = config.to_value();
            for field in fields().iter().filter(|field| field.value(&root).is_some()) {
                let path = &field.path;
                match field.range {
                    Whole(low, high) | PowerOfTwo(low, high) => {
                        for value in [low.checked_sub(1), Some(high + 1)].into_iter().flatten() {
                            let expected = format!("{path} = {value}: must be {low} to {high}");
                            assert_eq!(refusal(&config, field, value), expected);
                        }
                        if let (PowerOfTwo(..), true) = (field.range, high >= 8) {
                            let expected = format!("{path} = {}: must be a power of two", high - 1);
                            assert_eq!(refusal(&config, field, high - 1), expected);
                        }
                    }
                    Words(words) => {
                        let text = refusal(&config, field, "nonsense");
                        let named: BTreeSet<_> = text.split('`').skip(3).step_by(2).collect();
                        assert_eq!(named, words.iter().copied().collect(), "{text}");
                    }
                    Truth => assert!(refusal(&config, field, 7).contains("boolean"), "{path}"),
                    Rule(rule) => {
                        let texts = [0, 1 << 20].map(|value| refusal(&config, field, value));
                        let named = |text: &String| text.starts_with(&format!("{path} = ")) && text.contains("must be");
                        assert!(texts.iter().any(named), "{path}: {texts:?}");
                        let of_unit = ["hwwl", "iru", "gw"].contains(&field.place().0) && path != "gw.wave";
                        assert!(
                            !of_unit || texts.iter().any(|text| text.ends_with(&format!("must be {rule}"))),
                            "{texts:?}"
                        );
                    }
                    Text => assert_eq!(refusal(&config, field, "my own"), ""),
                }
            }
        }
    }

    /// The ends of plain ranges are possible: where other fields stand in the way, the message is about them.
    #[test]
    fn the_ends_of_a_range_belong_to_it() {
        for config in configs() {
            let root = config.to_value();
            for field in fields().iter().filter(|field| field.value(&root).is_some()) {
                if let Whole(low, high) | PowerOfTwo(low, high) = field.range {
                    for value in [low, high] {
                        let text = refusal(&config, field, value);
                        assert!(!text.contains(&format!("must be {low} to {high}")), "{text}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_configuration_is_printed_and_read_again() {
        for (name, _) in Config::presets() {
            let config = Config::preset(name).unwrap();
            let text = config.to_toml();
            assert_eq!(Config::from_toml("printed.toml", &text).unwrap(), config, "{text}");
            assert!(
                text.contains("clock_mhz = ") && text.contains("# clock of the cores [MHz, 1 to 100000]"),
                "{text}"
            );
        }
    }
}
