//! The fields of a configuration: unit, range and meaning of each. What presets set them to, and from which source, is in
//! `sim/presets/`; `docs/presets.md` gives reasons.

use super::{Config, MAX_SCHEDULERS};
use crate::units::hwwl::pins;
use std::fmt;
use std::sync::LazyLock;
use Range::{PowerOfTwo, Rule, Text, Truth, Whole, Words};

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

/// What a field may be. [`Config::from_toml`] and [`Config::set`] refuse anything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// A whole number from the first to the second.
    Whole(u64, u64),
    /// The same, and a power of two.
    PowerOfTwo(u64, u64),
    Words(&'static [&'static str]),
    /// `true` or `false`.
    Truth,
    /// A number whose limits depend on other fields or are those of a hardware unit.
    Rule(&'static str),
    Text,
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Whole(only, last) if only == last => write!(f, "{only}"),
            Whole(first, last) => write!(f, "{first} to {last}"),
            PowerOfTwo(first, last) => write!(f, "a power of two from {first} to {last}"),
            Words(words) => f.write_str(&words.join(", ")),
            Truth => f.write_str("true or false"),
            Rule(rule) => f.write_str(rule),
            Text => f.write_str("any text"),
        }
    }
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

type Row = (&'static str, &'static str, Range, &'static str);

fn all() -> Vec<Field> {
    let name = Field { path: "name".into(), unit: "", range: Text, meaning: "what reports call the configuration" };
    let field = |table: &str, &(key, unit, range, meaning): &Row| Field {
        path: format!("{table}.{key}"),
        unit,
        range,
        meaning,
    };
    let of_table = |name: &str| -> Vec<Field> {
        let tables = TABLES.iter().filter(|(table, _)| *table == name);
        tables.flat_map(|(table, rows)| rows.iter().map(|row| field(table, row))).collect()
    };
    let mut fields = vec![name];
    fields.extend(of_table("core"));
    fields.extend(OPERATIONS.iter().flat_map(operation));
    for (table, _) in TABLES.iter().filter(|(table, _)| *table != "core") {
        fields.extend(of_table(table));
    }
    fields
}

/// Latency and interval.
fn operation(&(name, latency, interval): &(&str, &'static str, &'static str)) -> [Field; 2] {
    let unit = "core cycles";
    [
        Field { path: format!("operations.{name}.latency"), unit, range: Whole(1, 1000), meaning: latency },
        Field { path: format!("operations.{name}.interval"), unit, range: Rule("1 to the latency"), meaning: interval },
    ]
}

macro_rules! operations {
    ($($name:literal: $what:literal;)*) => {
        &[$((
            $name,
            concat!("from operands to result: ", $what),
            concat!("between two starts on one pipeline: ", $what),
        )),*]
    };
}

/// Name, and what latency and interval mean.
const OPERATIONS: &[(&str, &str, &str)] = operations! {
    "int_add": "integer addition, subtraction";
    "int_min_max": "integer minimum, maximum, absolute value";
    "int_mul": "integer multiplication";
    "int_mad": "integer multiplication with addition";
    "int_div": "integer division and remainder, on the special function unit";
    "f32_add": "single precision addition, subtraction";
    "f32_min_max": "single precision minimum, maximum, absolute value";
    "f32_mul": "single precision multiplication";
    "f32_fma": "single precision multiplication with addition";
    "f32_div": "single precision division, on the special function unit";
    "f64_add": "double precision addition, subtraction";
    "f64_min_max": "double precision minimum, maximum, absolute value";
    "f64_mul": "double precision multiplication";
    "f64_fma": "double precision multiplication with addition";
    "f64_div": "double precision division";
    "special": "sqrt, rsqrt, rcp, sin, cos, ex2, lg2, on the special function unit";
    "shuffle": "warp shuffles";
    "simple": "moves, comparisons, conversions, logic, shifts, votes, branches, barriers";
};

const CLOCK: Range = Whole(1, 100_000);
const COLLECTORS: Range = Whole(1, 64);
const ENTRIES: Range = Whole(1, 4096);
const MERGES: Range = Whole(1, 255);
const SET_INDEX: Range = Words(&["linear", "fermi", "xor"]);
const SETS: Range = PowerOfTwo(1, 1 << 16);
const UNITS: Range = Whole(1, 8);
const WAYS: Range = Whole(1, 64);
const CYCLES: Range = Whole(0, 10_000);

const TABLES: [(&str, &[Row]); 12] = [
    (
        "core",
        &[
            ("count", "", Whole(1, 1024), "cores (SMs)"),
            ("clock_mhz", "MHz", CLOCK, "clock of the cores"),
            ("warp_size", "threads", PowerOfTwo(8, 32), "threads a warp"),
            ("max_warps", "warps", Rule("1 to 64 for each scheduler (core.schedulers)"), "resident warps a core"),
            ("max_ctas", "CTAs", Whole(1, 64), "resident CTAs a core"),
            ("registers", "", Whole(32, 1 << 24), "32-bit registers a core"),
            ("register_allocation", "", Whole(1, 256), "registers a thread are rounded up to a multiple of this"),
            (
                "register_banks",
                "",
                PowerOfTwo(1, 32),
                "register file banks: bank = (register + warp) mod banks, one read or write a bank and cycle",
            ),
            ("schedulers", "", Whole(1, MAX_SCHEDULERS as u64), "warp schedulers: warp w belongs to w mod schedulers"),
            ("scheduler", "", Words(&["gto", "lrr"]), "gto: greedy, then oldest; lrr: loose round robin"),
            ("issue_width", "instructions", Whole(1, 2), "instructions of one warp that a scheduler issues in a cycle"),
            (
                "dual_issue_different_units",
                "",
                Truth,
                "the second instruction must go to another kind of pipeline; without meaning at width 1",
            ),
            ("instruction_buffer", "instructions", Whole(1, 8), "instruction buffer of a warp, refilled when empty"),
            (
                "fetch_bytes",
                "bytes",
                Rule("a multiple of 8, at most 8 x core.instruction_buffer"),
                "one fetch a core and cycle; an instruction has 8",
            ),
            ("sp_units", "", UNITS, "single precision and integer pipelines"),
            ("sfu_units", "", UNITS, "special function pipelines; they run doubles too if there are no dp_units"),
            ("dp_units", "", Whole(0, 8), "double precision pipelines"),
            ("sp_width", "instructions a cycle", UNITS, "from issue to collectors to single precision pipelines"),
            ("sfu_width", "instructions a cycle", UNITS, "the same for the special function unit"),
            ("dp_width", "instructions a cycle", UNITS, "the same for double precision"),
            ("mem_width", "instructions a cycle", UNITS, "the same for the load-store unit"),
            ("sp_collectors", "", COLLECTORS, "operand collector units for single precision and integers"),
            ("sfu_collectors", "", COLLECTORS, "operand collector units for the special function unit"),
            ("dp_collectors", "", COLLECTORS, "operand collector units for double precision"),
            ("mem_collectors", "", COLLECTORS, "operand collector units for the load-store unit"),
            (
                "collector_latency",
                "core cycles",
                Whole(1, 64),
                "from entering a collector unit to leaving it with all operands",
            ),
            ("writeback_width", "results a cycle", UNITS, "results of the arithmetic pipelines"),
        ],
    ),
    (
        "shared",
        &[
            ("bytes", "bytes", Whole(0, 1 << 24), "shared memory of a core"),
            ("latency", "core cycles", Whole(1, 1000), "of an access without conflicts"),
            ("banks", "", PowerOfTwo(1, 32), "banks of 4-byte words; lanes on the same word do not conflict"),
        ],
    ),
    (
        "l1d",
        &[
            ("sets", "", SETS, "sets of the L1 data cache"),
            ("ways", "", WAYS, "lines a set, LRU"),
            ("line_bytes", "bytes", Whole(128, 128), "line"),
            (
                "sector_bytes",
                "bytes",
                Rule("32 (sectored) or 128 (the line)"),
                "what a miss fetches, and what accesses are coalesced into",
            ),
            ("set_index", "", SET_INDEX, "address bits, Fermi's hash (needs 32 or 64 sets), or all bits folded"),
            ("global_accesses", "", Words(&["cached", "bypass"]), "loads and stores: through the L1 or past it"),
            (
                "global_stores",
                "",
                Words(&["evict", "update"]),
                "what a store does to the line it hits; it is written through",
            ),
            (
                "local_stores",
                "",
                Words(&["no_allocate", "allocate"]),
                "a store that misses goes on to memory, or takes a line without fetching it",
            ),
            ("latency", "core cycles", Whole(1, 1000), "in front of the tags, one access a cycle"),
            ("mshrs", "entries", ENTRIES, "MSHRs: misses under way"),
            ("merges", "requests", MERGES, "requests an MSHR holds, the first included"),
            ("miss_queue", "requests", Whole(2, 4096), "misses on their way to the network"),
        ],
    ),
    (
        "l1i",
        &[
            ("sets", "", SETS, "sets of the instruction cache"),
            ("ways", "", WAYS, "lines a set, LRU"),
            ("line_bytes", "bytes", PowerOfTwo(32, 128), "line"),
            ("mshrs", "entries", ENTRIES, "MSHRs: misses under way"),
            ("merges", "requests", MERGES, "requests an MSHR holds, the first included"),
            ("miss_queue", "requests", ENTRIES, "misses on their way to the network"),
        ],
    ),
    (
        "l1c",
        &[
            ("sets", "", SETS, "sets of the constant cache, which serves parameters too"),
            ("ways", "", WAYS, "lines a set, LRU"),
            ("line_bytes", "bytes", PowerOfTwo(32, 128), "line"),
            ("mshrs", "entries", ENTRIES, "MSHRs: misses under way"),
            ("merges", "requests", MERGES, "requests an MSHR holds, the first included"),
            ("miss_queue", "requests", ENTRIES, "misses on their way to the network"),
        ],
    ),
    (
        "network",
        &[
            ("clock_mhz", "MHz", CLOCK, "clock of the crossbars, one for requests and one for replies"),
            ("flit_bytes", "bytes", ENTRIES, "flit"),
            ("header_bytes", "bytes", Whole(1, 256), "a read request, or what travels with data"),
            (
                "latency",
                "network cycles",
                Whole(1, 1000),
                "through an empty crossbar, from the grant to the ejection buffer",
            ),
            ("speedup", "slots a cycle", UNITS, "flits that a port can pass inside in a cycle"),
            ("allocation", "slots", Whole(0, 16), "slots that a packet holds its ports before its first flit"),
            (
                "input_buffer",
                "flits",
                Rule("from the longest packet, header and 512 bytes, to 4096"),
                "input buffer of a port",
            ),
            ("ejection_buffer", "packets", ENTRIES, "ejection buffer of a port"),
        ],
    ),
    (
        "l2",
        &[
            ("clock_mhz", "MHz", CLOCK, "clock of the L2"),
            ("slices_per_channel", "", PowerOfTwo(1, 8), "L2 slices for each DRAM channel"),
            ("sets", "", SETS, "sets of a slice"),
            ("ways", "", WAYS, "lines a set, LRU, write back; a store that misses allocates without fetching"),
            ("line_bytes", "bytes", Whole(128, 128), "line"),
            ("sector_bytes", "bytes", Whole(32, 32), "sector: lines are filled sector by sector"),
            ("set_index", "", SET_INDEX, "bits above channel, slice and line offset, Fermi's hash, or all bits folded"),
            ("mshrs", "entries", ENTRIES, "MSHRs of a slice"),
            ("merges", "requests", MERGES, "requests an MSHR holds, the first included"),
            ("miss_queue", "requests", Whole(2, 4096), "misses on their way to DRAM"),
            ("data_port_bytes", "bytes an L2 cycle", PowerOfTwo(1, 128), "data port of a slice"),
            ("rop_latency", "L2 cycles", Whole(1, 10_000), "between network and slice, every request"),
            ("atomic_interval", "L2 cycles", Whole(1, 1000), "between atomics on the same word"),
            (
                "queue",
                "requests",
                Whole(4, 4096),
                "each of: network to slice, slice to DRAM, DRAM to slice, slice to network",
            ),
            ("host_copy_fills", "", Truth, "a copy from the host leaves its sectors in the L2"),
        ],
    ),
    (
        "dram",
        &[
            (
                "channels",
                "",
                Whole(1, 64),
                "DRAM channels, each a memory partition; a power of two with channel_select xor",
            ),
            ("interleave_bytes", "bytes", Whole(256, 256), "channel = address / this, mod channels"),
            ("channel_select", "", Words(&["modulo", "xor"]), "blocks in turns, or with higher bits folded in"),
            ("clock_mhz", "MHz", CLOCK, "command clock"),
            ("bus_bytes", "bytes", Whole(1, 128), "data bus of a channel"),
            ("beats_per_clock", "", Whole(1, 8), "data beats a command clock: 4 for GDDR5"),
            (
                "burst",
                "beats",
                Rule("from dram.beats_per_clock to 64; with dram.bus_bytes a sector or more"),
                "beats a command",
            ),
            ("banks", "", Whole(16, 16), "banks a channel"),
            ("bank_groups", "", PowerOfTwo(1, 16), "bank groups a channel"),
            ("queue", "requests", ENTRIES, "requests that FR-FCFS chooses from"),
            ("return_queue", "requests", ENTRIES, "replies on their way back"),
            ("latency", "L2 cycles", Whole(1, 10_000), "between slice and DRAM queue"),
            ("timing.ccd", "command cycles", CYCLES, "column to column"),
            ("timing.rrd", "command cycles", CYCLES, "activate to activate, other bank"),
            ("timing.rcd", "command cycles", CYCLES, "activate to column"),
            ("timing.ras", "command cycles", CYCLES, "activate to precharge"),
            ("timing.rp", "command cycles", CYCLES, "precharge to activate"),
            ("timing.rc", "command cycles", CYCLES, "activate to activate, same bank"),
            ("timing.cl", "command cycles", CYCLES, "read to data"),
            ("timing.wl", "command cycles", CYCLES, "write to data"),
            ("timing.cdlr", "command cycles", CYCLES, "end of write data to read"),
            ("timing.wr", "command cycles", CYCLES, "end of write data to precharge"),
            ("timing.ccdl", "command cycles", CYCLES, "column to column in the same bank group"),
            ("timing.rtpl", "command cycles", CYCLES, "read to precharge"),
        ],
    ),
    (
        "memory",
        &[
            (
                "perfect",
                "",
                Truth,
                "a memory that no hardware could be, in place of L1, network, L2 and DRAM (HWWL, V-C)",
            ),
            ("perfect_latency", "core cycles", Whole(1, 10_000), "of every request of a perfect memory"),
        ],
    ),
    (
        "hwwl",
        &[
            (
                "lanes",
                "",
                PowerOfTwo(4, pins::MAX_LANES as u64),
                "lanes a core, one worklist bank each; at most core.warp_size",
            ),
            ("entries", "IDs", PowerOfTwo(4, 65_536), "capacity of a bank; more are spilled to memory"),
            ("id_bits", "bits", Whole(pins::ID_BITS as u64, pins::ID_BITS as u64), "width of a work ID"),
            ("threshold", "IDs", Rule("from 1 to entries: a bank never holds more"), "a bank below it is given work"),
            ("interval", "core cycles", Rule("even and from 10 to 65536"), "between redistributions"),
            (
                "scheme",
                "",
                Words(&["none", "threshold", "lsorting", "gsorting"]),
                "redistribution: none, by threshold, by sorting within a core, by sorting over all cores",
            ),
            (
                "refill",
                "",
                Words(&["interval", "demand"]),
                "from the overflow buffer: at intervals, or on demand of a pull",
            ),
            (
                "refill_interval",
                "core cycles",
                Rule("from 2 to 65536"),
                "between looks whether all banks have room for a refill",
            ),
            (
                "ideal",
                "",
                Words(&["no", "infinite", "magic", "fifo", "sorted"]),
                "yardsticks that no hardware could be: infinite banks, magic redistribution, one fifo or sorted queue",
            ),
        ],
    ),
    (
        "iru",
        &[
            (
                "sets",
                "",
                Rule("a power of two from 4 to 1024"),
                "sets of a partition's reordering hash, 32 elements each",
            ),
            ("hash", "", Words(&["multiplicative", "modulo", "xor"]), "hash of the memory block"),
            (
                "timeout",
                "cycles",
                Rule("from 16 to 65535"),
                "that a request waits at the head of the queue for a complete set",
            ),
            (
                "requests",
                "requests",
                Rule("a power of two from 16 to 4096"),
                "requests that a partition can hold: one or more for each warp of the GPU",
            ),
        ],
    ),
    (
        "gw",
        &[
            ("pairs", "", Truth, "odd and even warps with the same pc issue together"),
            ("reuse", "", Truth, "warps share decoded instructions"),
            ("waves", "", Truth, "scalar instructions of several warps issue as one"),
            (
                "wave",
                "warps",
                Rule("2 x core.warp_size: 16 with warps of 8"),
                "warps of a wave, which are the lanes of a SIMD unit",
            ),
            ("swst", "entries", Rule("from 2 to 16"), "entries of a scheduler's scalar-wave status table"),
            ("instructions", "", Rule("sets x ways x 2"), "decoded instructions in the storage"),
            ("sets", "", Rule("a power of two from 4 to 64"), "sets of the storage"),
            ("ways", "", Rule("from 2 to 8"), "entries a set, of two instructions"),
            ("age_cap", "cycles", Rule("from 4 to 255"), "after which a wave goes before all others"),
        ],
    ),
];

#[cfg(test)]
mod tests {
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
    fn refusal(config: &Config, field: &Field, value: impl fmt::Display) -> String {
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
