//! Every unit with its parameters, a one-line description, and how to elaborate it.
//!
//! [`catalog`] is the list that Verilog output, co-simulation and reports go through; [`find`] makes one instance with
//! parameters of the caller's choice.

use crate::hwwl::bank::Bank;
use crate::hwwl::core::HwwlCore;
use crate::hwwl::wru_sorting::{sorter_cut, WruSorting};
use crate::hwwl::{address_bits, count_bits, ID_BITS};
use crate::prim::sorter::{self, Sorter};
use crate::prim::sram_1rw::Sram1rw;
use rust_hdl::prelude::Block;

/// A parameter of a unit.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: &'static str,
    /// What it means, with its measure.
    pub description: &'static str,
    pub default: u64,
}

/// A unit and what can be chosen.
#[derive(Clone, Debug)]
pub struct Unit {
    pub name: &'static str,
    pub description: &'static str,
    /// Paper and section.
    pub paper: &'static str,
    pub parameters: Vec<Parameter>,
}

/// A unit with all its parameters.
#[derive(Clone, Debug)]
pub struct Instance {
    pub unit: &'static str,
    pub description: &'static str,
    /// Paper and section.
    pub paper: &'static str,
    /// In the order of the unit's parameter list.
    pub parameters: Vec<(&'static str, u64)>,
    /// Name of the Verilog module.
    pub module: String,
    build: fn(&Values) -> Option<Box<dyn Block>>,
}

/// Why [`find`] makes no instance.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParameterError {
    #[error("no unit {unit}: there are {available}")]
    Unit { unit: String, available: String },
    #[error("{unit} has no parameter {parameter}: it has {available}")]
    Unknown { unit: &'static str, parameter: String, available: String },
    #[error("{unit}: {parameter} is given twice")]
    Twice { unit: &'static str, parameter: &'static str },
    #[error("{unit}: {parameter} = {value}, but it must be {rule}")]
    Value { unit: &'static str, parameter: &'static str, value: u64, rule: &'static str },
    #[error("{unit}: no RTL for {wanted}; there is RTL for {available}")]
    Combination { unit: &'static str, wanted: String, available: String },
}

impl Instance {
    /// The elaborated block, connected and ready for simulation or emission.
    pub fn build(&self) -> Box<dyn Block> {
        let values = Values(self.parameters.clone());
        let mut block = (self.build)(&values).expect("an instance is made only of parameters that there is RTL for");
        block.connect_all();
        block
    }

    /// Value of a parameter by name.
    pub fn parameter(&self, name: &str) -> Option<u64> {
        self.parameters.iter().find(|(n, _)| *n == name).map(|(_, value)| *value)
    }
}

/// Every unit, in the order of the pages in `docs/`.
pub fn units() -> Vec<Unit> {
    DEFINITIONS.iter().map(Definition::unit).collect()
}

/// The instances that ship: their Verilog is in `verilog-out/`.
pub fn catalog() -> Vec<Instance> {
    DEFINITIONS.iter().flat_map(|d| d.shipped.iter().map(|values| d.instance(values))).collect()
}

/// The unit `unit` with the parameters given and defaults for the rest.
pub fn find(unit: &str, parameters: &[(&str, u64)]) -> Result<Instance, ParameterError> {
    let definition = DEFINITIONS.iter().find(|d| d.name == unit).ok_or_else(|| ParameterError::Unit {
        unit: unit.into(),
        available: DEFINITIONS.iter().map(|d| d.name).collect::<Vec<_>>().join(", "),
    })?;
    let values = definition.complete(parameters)?;
    let instance = definition.instance(&values);
    if (definition.build)(&Values(instance.parameters.clone())).is_none() {
        return Err(definition.no_combination(&instance));
    }
    Ok(instance)
}

/// Name and value of every parameter of an instance.
struct Values(Vec<(&'static str, u64)>);

impl Values {
    fn get(&self, name: &str) -> u64 {
        self.0.iter().find(|(n, _)| *n == name).map(|(_, v)| *v).expect("complete by construction")
    }
}

/// A value and the parameters' rule for it.
struct Rule {
    parameter: Parameter,
    rule: &'static str,
    holds: fn(u64) -> bool,
}

struct Definition {
    name: &'static str,
    description: &'static str,
    paper: &'static str,
    parameters: &'static [Rule],
    /// Values in the order of the parameters.
    shipped: &'static [&'static [u64]],
    module: fn(&Values) -> String,
    /// `None` where no RTL was instantiated for these (valid) values.
    build: fn(&Values) -> Option<Box<dyn Block>>,
    available: fn() -> String,
}

impl Definition {
    fn unit(&self) -> Unit {
        Unit {
            name: self.name,
            description: self.description,
            paper: self.paper,
            parameters: self.parameters.iter().map(|p| p.parameter.clone()).collect(),
        }
    }

    fn instance(&self, values: &[u64]) -> Instance {
        let parameters: Vec<_> = self.parameters.iter().map(|p| p.parameter.name).zip(values.iter().copied()).collect();
        Instance {
            unit: self.name,
            description: self.description,
            paper: self.paper,
            module: (self.module)(&Values(parameters.clone())),
            parameters,
            build: self.build,
        }
    }

    /// All values, checked against the rules one by one.
    fn complete(&self, given: &[(&str, u64)]) -> Result<Vec<u64>, ParameterError> {
        let unit = self.name;
        for (i, (name, _)) in given.iter().enumerate() {
            let Some(known) = self.parameters.iter().find(|p| p.parameter.name == *name) else {
                let available = self.parameters.iter().map(|p| p.parameter.name).collect::<Vec<_>>().join(", ");
                return Err(ParameterError::Unknown { unit, parameter: name.to_string(), available });
            };
            if given[..i].iter().any(|(other, _)| other == name) {
                return Err(ParameterError::Twice { unit, parameter: known.parameter.name });
            }
        }
        let value = |p: &Rule| {
            let value = given.iter().find(|(n, _)| *n == p.parameter.name).map_or(p.parameter.default, |(_, v)| *v);
            match (p.holds)(value) {
                true => Ok(value),
                false => Err(ParameterError::Value { unit, parameter: p.parameter.name, value, rule: p.rule }),
            }
        };
        self.parameters.iter().map(value).collect()
    }

    fn no_combination(&self, instance: &Instance) -> ParameterError {
        let wanted: Vec<_> = instance.parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        ParameterError::Combination { unit: self.name, wanted: wanted.join(", "), available: (self.available)() }
    }
}

/// A block with constant parameters, one arm for each set of values that there is RTL for.
macro_rules! rtl {
    ($values:expr; $($($value:literal),+ => $block:expr;)*) => {
        match $values {
            $([$($value),+] => Some(Box::new($block) as Box<dyn Block>),)*
            _ => None,
        }
    };
}

/// `$then!` over every size of a bank.
macro_rules! for_entries {
    ($then:ident) => { $then!(4 8 16 32 64 128 256 512 1024 2048 4096 8192) };
}

/// `$then!` over every core: lanes, entries of a bank.
macro_rules! for_cores {
    ($then:ident) => {
        $then!((4, 4)(4, 8)(16, 8)(16, 16)(16, 32)(16, 64)(16, 128)(16, 1024)(16, 2048))
    };
}

fn build_sram_1rw(p: &Values) -> Option<Box<dyn Block>> {
    macro_rules! srams {
        ($($e:literal)*) => {
            rtl!([p.get("words"), p.get("width")];
                $($e, 24 => Sram1rw::<ID_BITS, { address_bits($e) }>::default();)*)
        };
    }
    for_entries!(srams)
}

fn build_bank(p: &Values) -> Option<Box<dyn Block>> {
    macro_rules! banks {
        ($($e:literal)*) => {
            rtl!([p.get("entries")]; $($e => Bank::<{ address_bits($e) }, { count_bits($e) }>::default();)*)
        };
    }
    for_entries!(banks)
}

fn build_sorter(p: &Values) -> Option<Box<dyn Block>> {
    let cut = p.get("cut") as usize;
    macro_rules! sorters {
        ($($items:literal x $width:literal)*) => {
            rtl!([p.get("items"), p.get("width")];
                $($items, $width => Sorter::<$items, $width>::new(&sorter::network($items), cut);)*)
        };
    }
    sorters!(4 x 5  4 x 6  16 x 8  16 x 9  16 x 10  16 x 11  16 x 12  16 x 15  16 x 16)
}

fn build_wru_sorting(p: &Values) -> Option<Box<dyn Block>> {
    let (threshold, interval) = (p.get("threshold"), p.get("interval"));
    macro_rules! wrus {
        ($(($l:literal, $e:literal))*) => {
            rtl!([p.get("lanes"), p.get("entries")];
                $($l, $e => WruSorting::<
                    $l,
                    { address_bits($l) },
                    { count_bits($e) },
                    { count_bits($e) + address_bits($l) },
                >::new(threshold, interval);)*)
        };
    }
    for_cores!(wrus)
}

fn build_hwwl_core(p: &Values) -> Option<Box<dyn Block>> {
    let (threshold, interval) = (p.get("threshold"), p.get("interval"));
    macro_rules! cores {
        ($(($l:literal, $e:literal))*) => {
            rtl!([p.get("lanes"), p.get("entries")];
                $($l, $e => HwwlCore::<
                    $l,
                    { address_bits($l) },
                    { count_bits($l) },
                    { 2 * $l },
                    { address_bits($e) },
                    { count_bits($e) },
                    { count_bits($e) + address_bits($l) },
                    { count_bits($l * $e) },
                >::new(threshold, interval);)*)
        };
    }
    for_cores!(cores)
}

fn available_entries() -> String {
    macro_rules! list {
        ($($e:literal)*) => { [$(stringify!($e)),*].join(", ") };
    }
    for_entries!(list)
}

fn available_cores() -> String {
    macro_rules! list {
        ($(($l:literal, $e:literal))*) => { [$(concat!($l, " lanes of ", $e)),*].join(", ") };
    }
    for_cores!(list)
}

/// `_t3_i20` for a threshold and an interval that are not the paper's.
fn schedule_suffix(p: &Values) -> String {
    let part = |name: &str, letter: char, default: u64| match p.get(name) {
        value if value == default => String::new(),
        value => format!("_{letter}{value}"),
    };
    part("threshold", 't', THRESHOLD.parameter.default) + &part("interval", 'i', INTERVAL.parameter.default)
}

const HWWL_III_B: &str = "Kim and Batten, Fine-Grain Hardware Worklists, MICRO 2014, III-B";
const HWWL_III_C: &str = "Kim and Batten, Fine-Grain Hardware Worklists, MICRO 2014, III-C";

const ENTRIES: Rule = Rule {
    parameter: Parameter { name: "entries", description: "work IDs that a bank holds", default: 32 },
    rule: "a power of two from 4 to 65536",
    holds: |v| v.is_power_of_two() && (4..=65536).contains(&v),
};

const LANES: Rule = Rule {
    parameter: Parameter { name: "lanes", description: "lanes of the core, a bank each", default: 16 },
    rule: "a power of two from 2 to 32",
    holds: |v| v.is_power_of_two() && (2..=32).contains(&v),
};

const THRESHOLD: Rule = Rule {
    parameter: Parameter { name: "threshold", description: "work IDs below which a lane is in need", default: 5 },
    rule: "from 1 to 65536",
    holds: |v| (1..=65536).contains(&v),
};

const INTERVAL: Rule = Rule {
    parameter: Parameter { name: "interval", description: "cycles between redistribution events", default: 10 },
    rule: "even and from 10 to 65536",
    holds: |v| v % 2 == 0 && (10..=65536).contains(&v),
};

static DEFINITIONS: &[Definition] = &[
    Definition {
        name: "sram_1rw",
        description: "single-port SRAM, one read or write a cycle",
        paper: "-",
        parameters: &[
            Rule {
                parameter: Parameter { name: "words", description: "words", default: 32 },
                rule: "a power of two from 4 to 65536",
                holds: |v| v.is_power_of_two() && (4..=65536).contains(&v),
            },
            Rule {
                parameter: Parameter { name: "width", description: "bits of a word", default: 24 },
                rule: "at least 1",
                holds: |v| v >= 1,
            },
        ],
        shipped: &[&[4, 24], &[8, 24], &[32, 24], &[128, 24], &[1024, 24]],
        module: |p| format!("sram_1rw_{}x{}", p.get("words"), p.get("width")),
        build: build_sram_1rw,
        available: || format!("width = 24 with words = {}", available_entries()),
    },
    Definition {
        name: "bank",
        description: "a lane's worklist: FIFO of work IDs, single- or double-buffered",
        paper: HWWL_III_B,
        parameters: &[ENTRIES],
        shipped: &[&[4], &[8], &[32], &[128], &[1024]],
        module: |p| format!("hwwl_bank_e{}", p.get("entries")),
        build: build_bank,
        available: || format!("entries = {}", available_entries()),
    },
    Definition {
        name: "sorter",
        description: "pipelined sorting network, ascending unsigned words",
        paper: HWWL_III_C,
        parameters: &[
            Rule {
                parameter: Parameter { name: "items", description: "words in a set", default: 16 },
                rule: "a power of two from 2 to 32",
                holds: |v| v.is_power_of_two() && (2..=32).contains(&v),
            },
            Rule {
                parameter: Parameter { name: "width", description: "bits of a word", default: 10 },
                rule: "at least 1",
                holds: |v| v >= 1,
            },
            Rule {
                parameter: Parameter { name: "cut", description: "layers between registers", default: 3 },
                rule: "from 1 to 15",
                holds: |v| (1..=15).contains(&v),
            },
        ],
        shipped: &[&[4, 5, 1], &[4, 6, 1], &[16, 8, 3], &[16, 10, 3], &[16, 15, 3]],
        module: |p| {
            let (items, cut) = (p.get("items"), p.get("cut"));
            let usual = sorter_cut(sorter::network(items as usize).len()) as u64;
            let suffix = if cut == usual { String::new() } else { format!("_c{cut}") };
            format!("sorter_{items}x{}{suffix}", p.get("width"))
        },
        build: build_sorter,
        available: || "4 items of 5 or 6 bits and 16 items of 8 to 12, 15 or 16 bits, with any cut".into(),
    },
    Definition {
        name: "wru_sorting",
        description: "local sorting work redistribution unit",
        paper: HWWL_III_C,
        parameters: &[LANES, ENTRIES, THRESHOLD, INTERVAL],
        shipped: SHIPPED_CORES,
        module: |p| format!("wru_sorting_l{}_e{}{}", p.get("lanes"), p.get("entries"), schedule_suffix(p)),
        build: build_wru_sorting,
        available: available_cores,
    },
    Definition {
        name: "hwwl_core",
        description: "worklist of one core: a bank per lane and the work redistribution unit",
        paper: HWWL_III_B,
        parameters: &[LANES, ENTRIES, THRESHOLD, INTERVAL],
        shipped: SHIPPED_CORES,
        module: |p| format!("hwwl_core_l{}_e{}{}", p.get("lanes"), p.get("entries"), schedule_suffix(p)),
        build: build_hwwl_core,
        available: available_cores,
    },
];

/// The paper's core, a smaller one and one that holds the built-in graph's frontiers, and small ones that tests fill quickly.
const SHIPPED_CORES: &[&[u64]] =
    &[&[4, 4, 5, 10], &[4, 8, 5, 10], &[16, 8, 5, 10], &[16, 32, 5, 10], &[16, 1024, 5, 10]];

#[cfg(test)]
mod tests {
    use super::*;
    use rust_hdl::prelude::check_all;
    use std::collections::BTreeSet;

    #[test]
    fn every_shipped_unit_elaborates_under_its_own_name() {
        let mut names = BTreeSet::new();
        for instance in catalog() {
            check_all(&*instance.build()).unwrap_or_else(|e| panic!("{}: {e:?}", instance.module));
            assert!(names.insert(instance.module.clone()), "{} twice", instance.module);
            let again = find(instance.unit, &instance.parameters).unwrap();
            assert_eq!(again.module, instance.module);
        }
    }

    #[test]
    fn every_combination_on_offer_elaborates() {
        macro_rules! cores {
            ($(($l:literal, $e:literal))*) => { [$(($l, $e)),*] };
        }
        for (lanes, entries) in for_cores!(cores) {
            for unit in ["wru_sorting", "hwwl_core"] {
                let parameters = [("lanes", lanes), ("entries", entries), ("threshold", 3), ("interval", 20)];
                let instance = find(unit, &parameters).unwrap();
                check_all(&*instance.build()).unwrap();
                assert_eq!(instance.module, format!("{unit}_l{lanes}_e{entries}_t3_i20"));
            }
        }
        for width in [8, 9, 10, 11, 12, 15, 16] {
            for cut in [1, 2, 10, 15] {
                let instance = find("sorter", &[("width", width), ("cut", cut)]).unwrap();
                check_all(&*instance.build()).unwrap();
            }
        }
    }

    #[test]
    fn defaults_fill_what_is_not_given() {
        let core = find("hwwl_core", &[("entries", 8)]).unwrap();
        assert_eq!(core.parameters, [("lanes", 16), ("entries", 8), ("threshold", 5), ("interval", 10)]);
        assert_eq!(core.module, "hwwl_core_l16_e8");
        assert_eq!(core.parameter("interval"), Some(10));
        assert_eq!(core.parameter("cut"), None);
    }

    #[test]
    fn errors_say_what_where_and_what_to_do() {
        let message = |unit: &str, parameters: &[(&str, u64)]| find(unit, parameters).unwrap_err().to_string();
        assert_eq!(message("fifo", &[]), "no unit fifo: there are sram_1rw, bank, sorter, wru_sorting, hwwl_core");
        assert_eq!(message("bank", &[("depth", 8)]), "bank has no parameter depth: it has entries");
        assert_eq!(message("bank", &[("entries", 8), ("entries", 8)]), "bank: entries is given twice");
        assert_eq!(
            message("bank", &[("entries", 24)]),
            "bank: entries = 24, but it must be a power of two from 4 to 65536"
        );
        assert_eq!(
            message("wru_sorting", &[("interval", 9)]),
            "wru_sorting: interval = 9, but it must be even and from 10 to 65536"
        );
        let no_rtl = message("hwwl_core", &[("lanes", 32)]);
        assert!(no_rtl.starts_with(
            "hwwl_core: no RTL for lanes = 32, entries = 32, threshold = 5, interval = 10; there is RTL for 4 lanes of 4"
        ));
    }
}
