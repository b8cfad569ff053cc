//! Every unit with its parameters, a one-line description, and how to elaborate it.
//!
//! [`catalog`] is the list that Verilog output, co-simulation and reports go through; [`find`] makes one instance with
//! parameters of the caller's choice.

use crate::hwwl::bank::Bank;
use crate::hwwl::core::{HwwlCore, Options};
use crate::hwwl::hvu::Hvu;
use crate::hwwl::icrn::Icrn;
use crate::hwwl::top::Hwwl;
use crate::hwwl::wru_sorting::{sorter_cut, WruSorting};
use crate::hwwl::wru_threshold::WruThreshold;
use crate::hwwl::{address_bits, count_bits, Refill, Scheme, ID_BITS, LINE_WORDS};
use crate::prim::sorter::{self, Sorter};
use crate::prim::sorting_network::{self, Network};
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
    definitions().map(Definition::unit).collect()
}

/// The instances that ship: their Verilog is in `verilog-out/`.
pub fn catalog() -> Vec<Instance> {
    definitions().flat_map(|d| d.shipped.iter().map(|values| d.instance(values))).collect()
}

/// The unit `unit` with the parameters given and defaults for the rest.
pub fn find(unit: &str, parameters: &[(&str, u64)]) -> Result<Instance, ParameterError> {
    let definition = definitions().find(|d| d.name == unit).ok_or_else(|| ParameterError::Unit {
        unit: unit.into(),
        available: definitions().map(|d| d.name).collect::<Vec<_>>().join(", "),
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

/// A rule between several parameters; the error names `parameter`.
struct Relation {
    parameter: &'static str,
    rule: &'static str,
    holds: fn(&Values) -> bool,
}

struct Definition {
    name: &'static str,
    description: &'static str,
    paper: &'static str,
    parameters: &'static [Rule],
    relations: &'static [Relation],
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

    /// All values, checked against the rules one by one, then against those between them.
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
        let values: Vec<u64> = self.parameters.iter().map(value).collect::<Result<_, _>>()?;
        let all = Values(self.instance(&values).parameters);
        match self.relations.iter().find(|relation| !(relation.holds)(&all)) {
            None => Ok(values),
            Some(&Relation { parameter, rule, .. }) => {
                Err(ParameterError::Value { unit, parameter, value: all.get(parameter), rule })
            }
        }
    }

    fn no_combination(&self, instance: &Instance) -> ParameterError {
        let wanted: Vec<_> = instance.parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        ParameterError::Combination { unit: self.name, wanted: wanted.join(", "), available: (self.available)() }
    }
}

/// A block with constant parameters, one arm for each set of values that there is RTL for. Each arm is a closure of its
/// own, so that no stack frame holds the blocks of all arms.
macro_rules! rtl {
    ($values:expr; $($($value:literal),+ => $block:expr;)*) => {
        match $values {
            $([$($value),+] => Some(boxed(|| $block)),)*
            _ => None,
        }
    };
}

mod gw;
mod gw_scheduler;
mod iru;

/// The units of all papers.
fn definitions() -> impl Iterator<Item = &'static Definition> {
    DEFINITIONS.iter().chain(iru::DEFINITIONS).chain(gw::DEFINITIONS).chain(gw_scheduler::DEFINITIONS)
}

fn boxed<B: Block + 'static>(make: impl FnOnce() -> B) -> Box<dyn Block> {
    Box::new(make())
}

/// `$then!` over every size of a bank.
macro_rules! for_entries {
    ($then:ident) => { $then!(4 8 16 32 64 128 256 512 1024 2048 4096 8192) };
}

/// `$then!` over every core: lanes, entries of a bank.
macro_rules! for_cores {
    ($then:ident) => {
        $then!((4, 32)(8, 16)(16, 8)(16, 16)(16, 32)(16, 64)(16, 128)(16, 1024)(32, 8)(32, 32)(32, 128))
    };
}

/// `$then!` over every group of cores: cores, lanes, entries of a bank.
macro_rules! for_groups {
    ($then:ident) => {
        $then!((2, 4, 32)(4, 16, 8)(4, 16, 32)(4, 16, 128)(4, 32, 32)(8, 16, 32))
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
            rtl!([p.get("entries")]; $($e => Bank::<{ address_bits($e) }, { count_bits($e) }>::new(LINE_WORDS as u64 / p.get("lanes"));)*)
        };
    }
    for_entries!(banks)
}

/// The sorting networks, in the order of their numbers as parameter.
const NETWORKS: [&str; 4] = ["best", "odd_even_merge", "bitonic", "shallow"];

/// `None` where a network is not known for this number of items.
fn network(items: u64, number: u64) -> Option<Network> {
    let items = items as usize;
    match number {
        0 => Some(sorter::network(items)),
        1 => Some(sorting_network::odd_even_merge(items)),
        2 => Some(sorting_network::bitonic(items)),
        _ => sorting_network::shallow(items),
    }
}

fn build_sorter(p: &Values) -> Option<Box<dyn Block>> {
    let network = network(p.get("items"), p.get("network"))?;
    let cut = p.get("cut") as usize;
    macro_rules! sorters {
        ($($items:literal x $width:literal)*) => {
            rtl!([p.get("items"), p.get("width")];
                $($items, $width => Sorter::<$items, $width>::new(&network, cut);)*)
        };
    }
    sorters!(4 x 5  4 x 6  4 x 8  16 x 8  16 x 9  16 x 10  16 x 11  16 x 12  16 x 15  16 x 16  32 x 11  64 x 12)
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

fn build_wru_threshold(p: &Values) -> Option<Box<dyn Block>> {
    let (threshold, interval) = (p.get("threshold"), p.get("interval"));
    macro_rules! wrus {
        ($(($l:literal, $e:literal))*) => {
            rtl!([p.get("lanes"), p.get("entries")];
                $($l, $e => WruThreshold::<$l, { address_bits($l) }, { count_bits($e) }>::new(threshold, interval);)*)
        };
    }
    for_cores!(wrus)
}

/// Banks that one unit for all cores sorts at most.
const GLOBAL_BANKS: u64 = 64;

fn build_wru_global(p: &Values) -> Option<Box<dyn Block>> {
    if p.get("cores") * p.get("lanes") > GLOBAL_BANKS {
        return None;
    }
    let (threshold, interval) = (p.get("threshold"), p.get("interval"));
    macro_rules! wrus {
        ($(($n:literal, $l:literal, $e:literal))*) => {
            rtl!([p.get("cores"), p.get("lanes"), p.get("entries")];
                $($n, $l, $e => WruSorting::<
                    { $n * $l },
                    { address_bits($n * $l) },
                    { count_bits($e) },
                    { count_bits($e) + address_bits($n * $l) },
                >::new(threshold, interval);)*)
        };
    }
    for_groups!(wrus)
}

fn build_hvu(p: &Values) -> Option<Box<dyn Block>> {
    let refill = refill(p);
    rtl!([p.get("lanes")];
        4 => Hvu::<4>::new(refill);
        8 => Hvu::<8>::new(refill);
        16 => Hvu::<16>::new(refill);
        32 => Hvu::<32>::new(refill);
    )
}

fn build_icrn(p: &Values) -> Option<Box<dyn Block>> {
    rtl!([p.get("cores")];
        2 => Icrn::<2>::default();
        4 => Icrn::<4>::default();
        8 => Icrn::<8>::default();
        16 => Icrn::<16>::default();
    )
}

fn build_hwwl_core(p: &Values) -> Option<Box<dyn Block>> {
    let options = options(p);
    macro_rules! cores {
        ($(($l:literal, $e:literal))*) => {
            rtl!([p.get("lanes"), p.get("entries")];
                $($l, $e => HwwlCore::<
                    $l,
                    { address_bits($l) },
                    { 2 * $l },
                    { address_bits($e) },
                    { count_bits($e) },
                    { count_bits($e) + address_bits($l) },
                >::new(options);)*)
        };
    }
    for_cores!(cores)
}

fn build_hwwl(p: &Values) -> Option<Box<dyn Block>> {
    let options = options(p);
    if options.scheme == Scheme::GlobalSorting && p.get("cores") * p.get("lanes") > GLOBAL_BANKS {
        return None;
    }
    macro_rules! groups {
        ($(($n:literal, $l:literal, $e:literal))*) => {
            rtl!([p.get("cores"), p.get("lanes"), p.get("entries")];
                $($n, $l, $e => Hwwl::<
                    $n,
                    $l,
                    { address_bits($l) },
                    { 2 * $l },
                    { address_bits($e) },
                    { count_bits($e) },
                    { count_bits($e) + address_bits($l) },
                    { $n * $l },
                    { address_bits($n * $l) },
                    { count_bits($e) + address_bits($n * $l) },
                >::new(options);)*)
        };
    }
    for_groups!(groups)
}

/// The schemes, in the order of their numbers as parameter.
const SCHEMES: [(Scheme, &str); 4] = [
    (Scheme::None, "none"),
    (Scheme::Threshold, "threshold"),
    (Scheme::LocalSorting, "lsorting"),
    (Scheme::GlobalSorting, "gsorting"),
];

fn refill(p: &Values) -> Refill {
    match p.get("refill") {
        0 => Refill::Interval(p.get("refill_interval")),
        _ => Refill::Demand,
    }
}

fn options(p: &Values) -> Options {
    Options {
        scheme: SCHEMES[p.get("scheme") as usize].0,
        threshold: p.get("threshold"),
        interval: p.get("interval"),
        refill: refill(p),
    }
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

fn available_groups() -> String {
    macro_rules! list {
        ($(($n:literal, $l:literal, $e:literal))*) => {
            [$(concat!($n, " cores of ", $l, " lanes of ", $e)),*].join(", ")
        };
    }
    format!("{}; with global sorting for up to {GLOBAL_BANKS} banks", for_groups!(list))
}

/// `_t3` for a value that is not the paper's.
fn suffix(p: &Values, letter: char, rule: &Rule) -> String {
    match p.get(rule.parameter.name) {
        value if value == rule.parameter.default => String::new(),
        value => format!("_{letter}{value}"),
    }
}

/// `_t3_i20`
fn schedule_suffix(p: &Values) -> String {
    suffix(p, 't', &THRESHOLD) + &suffix(p, 'i', &INTERVAL)
}

/// `_demand`, `_r20`
fn refill_suffix(p: &Values) -> String {
    match p.get("refill") {
        0 => suffix(p, 'r', &REFILL_INTERVAL),
        _ => "_demand".into(),
    }
}

/// `l16_e32_lsorting_t3_demand`
fn core_suffix(p: &Values) -> String {
    let scheme = SCHEMES[p.get("scheme") as usize].1;
    format!("l{}_e{}_{scheme}{}{}", p.get("lanes"), p.get("entries"), schedule_suffix(p), refill_suffix(p))
}

const HWWL_III_B: &str = "Kim and Batten, Fine-Grain Hardware Worklists, MICRO 2014, III-B";
const HWWL_III_C: &str = "Kim and Batten, Fine-Grain Hardware Worklists, MICRO 2014, III-C";

const HWWL_III_D: &str = "Kim and Batten, Fine-Grain Hardware Worklists, MICRO 2014, III-D";

const ENTRIES: Rule = Rule {
    parameter: Parameter { name: "entries", description: "work IDs that a bank holds", default: 32 },
    rule: "a power of two from 4 to 65536",
    holds: |v| v.is_power_of_two() && (4..=65536).contains(&v),
};

const LANES: Rule = Rule {
    parameter: Parameter { name: "lanes", description: "lanes of the core, a bank each", default: 16 },
    rule: "a power of two from 4 to 32",
    holds: |v| v.is_power_of_two() && (4..=32).contains(&v),
};

const CORES: Rule = Rule {
    parameter: Parameter { name: "cores", description: "cores that share work", default: 4 },
    rule: "from 2 to 16",
    holds: |v| (2..=16).contains(&v),
};

const SCHEME: Rule = Rule {
    parameter: Parameter {
        name: "scheme",
        description: "work redistribution: 0 none, 1 threshold, 2 local sorting, 3 global sorting",
        default: 2,
    },
    rule: "0 (none), 1 (threshold), 2 (local sorting) or 3 (global sorting)",
    holds: |v| v < SCHEMES.len() as u64,
};

const REFILL: Rule = Rule {
    parameter: Parameter {
        name: "refill",
        description: "when IDs come back from memory: 0 interval, 1 demand",
        default: 0,
    },
    rule: "0 (interval) or 1 (demand)",
    holds: |v| v < 2,
};

const REFILL_INTERVAL: Rule = Rule {
    parameter: Parameter { name: "refill_interval", description: "cycles between refills", default: 10 },
    rule: "from 2 to 65536",
    holds: |v| (2..=65536).contains(&v),
};

const THRESHOLD_RULE: &str = "from 1 to entries: a bank never holds more";

const THRESHOLD: Rule = Rule {
    parameter: Parameter { name: "threshold", description: "work IDs below which a lane is in need", default: 5 },
    rule: THRESHOLD_RULE,
    holds: |v| v >= 1,
};

const INTERVAL: Rule = Rule {
    parameter: Parameter { name: "interval", description: "cycles between redistribution events", default: 10 },
    rule: "even and from 10 to 65536",
    holds: |v| v % 2 == 0 && (10..=65536).contains(&v),
};

const THRESHOLD_WITHIN_BANK: Relation =
    Relation { parameter: "threshold", rule: THRESHOLD_RULE, holds: |p| p.get("threshold") <= p.get("entries") };

const ROOM_FOR_REFILL: Relation = Relation {
    parameter: "entries",
    rule: "at least 2 * (32 / lanes + 2): a refill and two more a side",
    holds: |p| p.get("entries") / 2 >= LINE_WORDS as u64 / p.get("lanes") + 2,
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
        relations: &[],
        shipped: &[&[8, 24], &[32, 24], &[128, 24], &[1024, 24]],
        module: |p| format!("sram_1rw_{}x{}", p.get("words"), p.get("width")),
        build: build_sram_1rw,
        available: || format!("width = 24 with words = {}", available_entries()),
    },
    Definition {
        name: "bank",
        description: "a lane's worklist: FIFO of work IDs, single- or double-buffered",
        paper: HWWL_III_B,
        parameters: &[ENTRIES, LANES],
        relations: &[],
        shipped: &[&[8, 16], &[32, 16], &[128, 16], &[1024, 16], &[32, 4]],
        module: |p| format!("hwwl_bank_e{}{}", p.get("entries"), suffix(p, 'l', &LANES)),
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
                rule: "a power of two from 2 to 64",
                holds: |v| v.is_power_of_two() && (2..=64).contains(&v),
            },
            Rule {
                parameter: Parameter { name: "width", description: "bits of a word", default: 10 },
                rule: "at least 1",
                holds: |v| v >= 1,
            },
            Rule {
                parameter: Parameter { name: "cut", description: "layers between registers", default: 3 },
                rule: "from 1 to 21",
                holds: |v| (1..=21).contains(&v),
            },
            Rule {
                parameter: Parameter {
                    name: "network",
                    description:
                        "0 best known (odd-even merge if not 16 items), 1 odd-even merge, 2 bitonic, 3 shallow",
                    default: 0,
                },
                rule: "0 (best known), 1 (odd-even merge), 2 (bitonic) or 3 (shallow)",
                holds: |v| v < NETWORKS.len() as u64,
            },
        ],
        relations: &[],
        shipped: &[
            &[4, 8, 1, 0],
            &[16, 8, 3, 0],
            &[16, 10, 3, 0],
            &[16, 10, 3, 1],
            &[16, 10, 3, 2],
            &[16, 10, 3, 3],
            &[32, 11, 4, 0],
            &[64, 12, 6, 0],
        ],
        module: |p| {
            let (items, cut) = (p.get("items"), p.get("cut"));
            let usual = sorter_cut(sorter::network(items as usize).len()) as u64;
            let name = match p.get("network") {
                0 => String::new(),
                other => format!("_{}", NETWORKS[other as usize]),
            };
            let cut = if cut == usual { String::new() } else { format!("_c{cut}") };
            format!("sorter_{items}x{}{name}{cut}", p.get("width"))
        },
        build: build_sorter,
        available: || {
            "4 items of 5, 6 or 8 bits, 16 items of 8 to 12, 15 or 16 bits (the shallow network for these alone), 32 of 11 \
             and 64 of 12, with any cut"
                .into()
        },
    },
    Definition {
        name: "wru_threshold",
        description: "threshold work redistribution unit",
        paper: HWWL_III_C,
        parameters: &[LANES, ENTRIES, THRESHOLD, INTERVAL],
        relations: &[THRESHOLD_WITHIN_BANK],
        shipped: SHIPPED_WRUS,
        module: |p| format!("wru_threshold_l{}_e{}{}", p.get("lanes"), p.get("entries"), schedule_suffix(p)),
        build: build_wru_threshold,
        available: available_cores,
    },
    Definition {
        name: "wru_sorting",
        description: "local sorting work redistribution unit",
        paper: HWWL_III_C,
        parameters: &[LANES, ENTRIES, THRESHOLD, INTERVAL],
        relations: &[THRESHOLD_WITHIN_BANK],
        shipped: SHIPPED_WRUS,
        module: |p| format!("wru_sorting_l{}_e{}{}", p.get("lanes"), p.get("entries"), schedule_suffix(p)),
        build: build_wru_sorting,
        available: available_cores,
    },
    Definition {
        name: "wru_global",
        description: "global sorting work redistribution unit: the banks of all cores in one",
        paper: HWWL_III_C,
        parameters: &[CORES, LANES, ENTRIES, THRESHOLD, INTERVAL],
        relations: &[THRESHOLD_WITHIN_BANK],
        shipped: &[&[2, 4, 32, 5, 10], &[4, 16, 32, 5, 10]],
        module: |p| {
            let (cores, lanes, entries) = (p.get("cores"), p.get("lanes"), p.get("entries"));
            format!("wru_global_c{cores}_l{lanes}_e{entries}{}", schedule_suffix(p))
        },
        build: build_wru_global,
        available: available_groups,
    },
    Definition {
        name: "hvu",
        description: "virtualization unit: spills IDs of full banks to memory and brings them back, a line at a time",
        paper: HWWL_III_D,
        parameters: &[LANES, REFILL, REFILL_INTERVAL],
        relations: &[],
        shipped: &[&[4, 0, 10], &[16, 0, 10], &[16, 1, 10], &[32, 0, 10]],
        module: |p| format!("hvu_l{}{}", p.get("lanes"), refill_suffix(p)),
        build: build_hvu,
        available: || "lanes = 4, 8, 16, 32".into(),
    },
    Definition {
        name: "icrn",
        description: "network between cores: the hub of a tree",
        paper: HWWL_III_C,
        parameters: &[CORES],
        relations: &[],
        shipped: &[&[2], &[4], &[8], &[16]],
        module: |p| format!("icrn_c{}", p.get("cores")),
        build: build_icrn,
        available: || "cores = 2, 4, 8, 16".into(),
    },
    Definition {
        name: "hwwl_core",
        description: "worklist of one core: a bank per lane, redistribution and virtualization",
        paper: HWWL_III_B,
        parameters: &[LANES, ENTRIES, SCHEME, THRESHOLD, INTERVAL, REFILL, REFILL_INTERVAL],
        relations: &[THRESHOLD_WITHIN_BANK, ROOM_FOR_REFILL],
        shipped: &[
            &[4, 32, 0, 5, 10, 0, 10],
            &[4, 32, 1, 5, 10, 0, 10],
            &[4, 32, 2, 5, 10, 0, 10],
            &[4, 32, 2, 5, 10, 1, 10],
            &[4, 32, 3, 5, 10, 0, 10],
            &[16, 32, 0, 5, 10, 0, 10],
            &[16, 32, 1, 5, 10, 0, 10],
            &[16, 32, 2, 5, 10, 0, 10],
            &[16, 32, 2, 5, 10, 1, 10],
            &[16, 32, 3, 5, 10, 0, 10],
            &[16, 8, 2, 5, 10, 0, 10],
            &[16, 128, 2, 5, 10, 0, 10],
            &[32, 32, 2, 5, 10, 0, 10],
        ],
        module: |p| format!("hwwl_core_{}", core_suffix(p)),
        build: build_hwwl_core,
        available: available_cores,
    },
    Definition {
        name: "hwwl",
        description: "the whole worklist: all cores and the network between them",
        paper: HWWL_III_B,
        parameters: &[CORES, LANES, ENTRIES, SCHEME, THRESHOLD, INTERVAL, REFILL, REFILL_INTERVAL],
        relations: &[THRESHOLD_WITHIN_BANK, ROOM_FOR_REFILL],
        shipped: &[
            &[2, 4, 32, 0, 5, 10, 0, 10],
            &[2, 4, 32, 1, 5, 10, 0, 10],
            &[2, 4, 32, 2, 5, 10, 0, 10],
            &[2, 4, 32, 2, 5, 10, 1, 10],
            &[2, 4, 32, 3, 5, 10, 0, 10],
            &[4, 16, 32, 0, 5, 10, 0, 10],
            &[4, 16, 32, 1, 5, 10, 0, 10],
            &[4, 16, 32, 2, 5, 10, 0, 10],
            &[4, 16, 32, 3, 5, 10, 0, 10],
        ],
        module: |p| format!("hwwl_c{}_{}", p.get("cores"), core_suffix(p)),
        build: build_hwwl,
        available: available_groups,
    },
];

/// The paper's core, banks of fewer and of more entries, twice the lanes, and a small one that tests fill quickly.
const SHIPPED_WRUS: &[&[u64]] =
    &[&[4, 32, 5, 10], &[16, 8, 5, 10], &[16, 32, 5, 10], &[16, 128, 5, 10], &[32, 32, 5, 10]];

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
            let parameters = [("lanes", lanes), ("entries", entries), ("threshold", 3), ("interval", 20)];
            for unit in ["wru_threshold", "wru_sorting"] {
                let instance = find(unit, &parameters).unwrap();
                check_all(&*instance.build()).unwrap();
                assert_eq!(instance.module, format!("{unit}_l{lanes}_e{entries}_t3_i20"));
            }
            for (scheme, name) in [(0, "none"), (1, "threshold"), (2, "lsorting"), (3, "gsorting")] {
                let options = [("scheme", scheme), ("refill", 1), ("refill_interval", 50)];
                let instance = find("hwwl_core", &[&parameters[..], &options].concat()).unwrap();
                check_all(&*instance.build()).unwrap();
                assert_eq!(instance.module, format!("hwwl_core_l{lanes}_e{entries}_{name}_t3_i20_demand"));
            }
        }
        macro_rules! groups {
            ($(($n:literal, $l:literal, $e:literal))*) => { [$(($n, $l, $e)),*] };
        }
        for (cores, lanes, entries) in for_groups!(groups) {
            let parameters = [("cores", cores), ("lanes", lanes), ("entries", entries)];
            let global = find("wru_global", &parameters);
            assert_eq!(global.is_ok(), cores * lanes <= GLOBAL_BANKS);
            if let Ok(global) = global {
                check_all(&*global.build()).unwrap();
            }
            let instance = find("hwwl", &[&parameters[..], &[("refill_interval", 20)]].concat()).unwrap();
            check_all(&*instance.build()).unwrap();
            assert_eq!(instance.module, format!("hwwl_c{cores}_l{lanes}_e{entries}_lsorting_r20"));
        }
        for width in [8, 9, 10, 11, 12, 15, 16] {
            for (cut, network) in [(1, 0), (2, 1), (10, 2), (15, 3)] {
                let instance = find("sorter", &[("width", width), ("cut", cut), ("network", network)]).unwrap();
                check_all(&*instance.build()).unwrap();
            }
        }
    }

    #[test]
    fn defaults_fill_what_is_not_given() {
        let core = find("hwwl_core", &[("entries", 8)]).unwrap();
        let defaults = [("scheme", 2), ("threshold", 5), ("interval", 10), ("refill", 0), ("refill_interval", 10)];
        assert_eq!(core.parameters, [&[("lanes", 16), ("entries", 8)], &defaults[..]].concat());
        assert_eq!(core.module, "hwwl_core_l16_e8_lsorting");
        assert_eq!(core.parameter("interval"), Some(10));
        assert_eq!(core.parameter("cut"), None);
    }

    #[test]
    fn errors_say_what_where_and_what_to_do() {
        let message = |unit: &str, parameters: &[(&str, u64)]| find(unit, parameters).unwrap_err().to_string();
        let names: Vec<_> = units().iter().map(|unit| unit.name).collect();
        assert!(names.starts_with(&["sram_1rw", "bank", "sorter"]));
        assert_eq!(message("fifo", &[]), format!("no unit fifo: there are {}", names.join(", ")));
        assert_eq!(message("bank", &[("depth", 8)]), "bank has no parameter depth: it has entries, lanes");
        assert_eq!(
            message("hwwl_core", &[("scheme", 4)]),
            "hwwl_core: scheme = 4, but it must be 0 (none), 1 (threshold), 2 (local sorting) or 3 (global sorting)"
        );
        let wide = message("sorter", &[("items", 32), ("width", 11), ("network", 3)]);
        assert!(
            wide.starts_with("sorter: no RTL for items = 32, width = 11, cut = 3, network = 3; there is"),
            "{wide}"
        );
        assert_eq!(message("bank", &[("entries", 8), ("entries", 8)]), "bank: entries is given twice");
        assert_eq!(
            message("bank", &[("entries", 24)]),
            "bank: entries = 24, but it must be a power of two from 4 to 65536"
        );
        assert_eq!(
            message("wru_sorting", &[("interval", 9)]),
            "wru_sorting: interval = 9, but it must be even and from 10 to 65536"
        );
        let no_rtl = message("wru_sorting", &[("lanes", 8)]);
        assert!(no_rtl.starts_with(
            "wru_sorting: no RTL for lanes = 8, entries = 32, threshold = 5, interval = 10; there is RTL for 4 lanes of 32"
        ));
    }

    #[test]
    fn what_cannot_work_is_refused_with_parameter_and_rule() {
        let refused = |unit: &str, parameters: &[(&str, u64)], rule: &str| {
            assert_eq!(find(unit, parameters).unwrap_err().to_string(), format!("{unit}: {rule}"));
        };
        for unit in ["bank", "wru_threshold", "wru_sorting", "wru_global", "hwwl_core", "hwwl"] {
            refused(unit, &[("entries", 0)], "entries = 0, but it must be a power of two from 4 to 65536");
            refused(unit, &[("lanes", 12)], "lanes = 12, but it must be a power of two from 4 to 32");
        }
        refused("hvu", &[("lanes", 0)], "lanes = 0, but it must be a power of two from 4 to 32");
        for unit in ["wru_threshold", "wru_sorting", "wru_global", "hwwl_core", "hwwl"] {
            let rule = "threshold = 33, but it must be from 1 to entries: a bank never holds more";
            refused(unit, &[("threshold", 33)], rule);
            refused(unit, &[("threshold", 0)], &rule.replace("33", "0"));
            assert_eq!(find(unit, &[("threshold", 32)]).unwrap().parameter("threshold"), Some(32));
        }
        // A line of 32 IDs is 32 / lanes for each bank.
        for (lanes, least) in [(4, 20), (8, 12), (16, 8), (32, 6)] {
            for entries in [4, 8, 16].into_iter().filter(|entries| *entries < least) {
                let parameters = [("lanes", lanes), ("entries", entries), ("threshold", 3)];
                let rule = "but it must be at least 2 * (32 / lanes + 2): a refill and two more a side";
                for unit in ["hwwl_core", "hwwl"] {
                    refused(unit, &parameters, &format!("entries = {entries}, {rule}"));
                }
            }
        }
        assert!(find("hwwl_core", &[("entries", 8)]).is_ok());
    }
}
