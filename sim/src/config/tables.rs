//! The tables of a configuration: type, unit, range and meaning of every field.

use super::range::Range::{self, PowerOfTwo, Rule, Truth, Whole, Words};
use super::{
    ChannelSelect, FrontEndKind, GlobalAccesses, GlobalStores, Ideal, IssueOrder, LocalStores, SchedulerPolicy,
    SetIndex, MAX_SCHEDULERS,
};
use serde::{Deserialize, Serialize};
use spec::gw;
use spec::hwwl::{self, Refill, Scheme};
use spec::iru::{self, HashKind};

/// Name, unit, range and meaning of a field.
pub(super) type Row = (&'static str, &'static str, Range, &'static str);

const CLOCK: Range = Whole(1, 100_000);
const COLLECTORS: Range = Whole(1, 64);
const ENTRIES: Range = Whole(1, 4096);
const MERGES: Range = Whole(1, 255);
const SET_INDEX: Range = Words(&["linear", "fermi", "xor"]);
const SETS: Range = PowerOfTwo(1, 1 << 16);
const UNITS: Range = Whole(1, 8);
const WAYS: Range = Whole(1, 64);
const CYCLES: Range = Whole(0, 10_000);

/// A table: `name: type = [unit, range] meaning` for each field, then tables inside.
macro_rules! table {
    ($(#[$attribute:meta])* $name:ident {
        $($field:ident: $type:ty = [$unit:literal, $range:expr] $meaning:literal,)*
        $(..$inner:ident: $inner_type:ty)?
    }) => {
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        $(#[$attribute])*
        pub struct $name {
            $(#[doc = $meaning] pub $field: $type,)*
            $(pub $inner: $inner_type,)?
        }

        impl $name {
            pub(super) const FIELDS: &'static [Row] = &[$((stringify!($field), $unit, $range, $meaning)),*];
        }
    };
}

/// The table of all kinds of operations, `name: meaning` each.
macro_rules! operations {
    ($($name:ident: $what:literal,)*) => {
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct Operations {
            $(#[doc = $what] pub $name: Timing,)*
        }

        impl Operations {
            pub(super) const FIELDS: &'static [Row] = &[$(
                (
                    concat!(stringify!($name), ".latency"),
                    "core cycles",
                    Whole(1, 1000),
                    concat!("from operands to result: ", $what),
                ),
                (
                    concat!(stringify!($name), ".interval"),
                    "core cycles",
                    Rule("1 to the latency"),
                    concat!("between two starts on one pipeline: ", $what),
                ),
            )*];
        }
    };
}

table! { Core {
    count: usize = ["", Whole(1, 1024)] "cores (SMs)",
    clock_mhz: u32 = ["MHz", CLOCK] "clock of the cores",
    node_nm: u32 = ["nm", Whole(1, 1000)]
        "feature size of the process: with the clock it says what a cycle leaves to logic; no cycle depends on it",
    warp_size: usize = ["threads", PowerOfTwo(8, 32)] "threads a warp",
    max_warps: usize = ["warps", Rule("1 to 64 for each scheduler (core.schedulers)")] "resident warps a core",
    max_ctas: usize = ["CTAs", Whole(1, 64)] "resident CTAs a core",
    registers: u32 = ["", Whole(32, 1 << 24)] "32-bit registers a core",
    register_allocation: u32 = ["", Whole(1, 256)] "registers a thread are rounded up to a multiple of this",
    register_banks: usize = ["", PowerOfTwo(1, 32)]
        "register file banks: bank = (register + warp) mod banks, one read or write a bank and cycle",
    schedulers: usize = ["", Whole(1, MAX_SCHEDULERS as u64)] "warp schedulers: warp w belongs to w mod schedulers",
    scheduler: SchedulerPolicy = ["", Words(&["gto", "lrr"])] "gto: greedy, then oldest; lrr: loose round robin",
    issue_width: usize = ["instructions", Whole(1, 2)] "instructions of one warp that a scheduler issues in a cycle",
    dual_issue_different_units: bool = ["", Truth]
        "the second instruction must go to another kind of pipeline; without meaning at width 1",
    front_end: FrontEndKind = ["", Words(&["ideal", "b32"])]
        "ideal: what is buffered can issue in the cycle after the instruction before; b32: hardware, the unit b32_front_end",
    issue_order: IssueOrder = ["", Words(&["in_turn", "lowest"])]
        "of a front end that is a unit: the next warp in turn issues first, or the one at the lowest place",
    answer_latency: u64 = ["core cycles", Whole(1, 16)]
        "from issue to the answer what follows, of a front end that is a unit (b32, [gw]); without meaning for ideal ones",
    done_ahead: u64 = ["core cycles", Whole(0, 2)]
        "before a result of arithmetic is written, a front end that is a unit is told of it; without meaning for ideal ones",
    instruction_buffer: usize = ["instructions", Whole(1, 8)] "instruction buffer of a warp, refilled when empty",
    fetch_bytes: u64 = ["bytes", Rule("a multiple of 8, at most 8 x core.instruction_buffer")]
        "one fetch a core and cycle; an instruction has 8",
    sp_units: usize = ["", UNITS] "single precision and integer pipelines",
    sfu_units: usize = ["", UNITS] "special function pipelines; they run doubles too if there are no dp_units",
    dp_units: usize = ["", Whole(0, 8)] "double precision pipelines",
    sp_width: usize = ["instructions a cycle", UNITS] "from issue to collectors to single precision pipelines",
    sfu_width: usize = ["instructions a cycle", UNITS] "the same for the special function unit",
    dp_width: usize = ["instructions a cycle", UNITS] "the same for double precision",
    mem_width: usize = ["instructions a cycle", UNITS] "the same for the load-store unit",
    mem_accesses: usize = ["instructions", Whole(1, 2)]
        "that the load-store unit serves in a cycle: two without conflicts in shared memory, or loads of one line",
    sp_collectors: usize = ["", COLLECTORS] "operand collector units for single precision and integers",
    sfu_collectors: usize = ["", COLLECTORS] "operand collector units for the special function unit",
    dp_collectors: usize = ["", COLLECTORS] "operand collector units for double precision",
    mem_collectors: usize = ["", COLLECTORS] "operand collector units for the load-store unit",
    collector_latency: u64 = ["core cycles", Whole(1, 64)]
        "from entering a collector unit to leaving it with all operands",
    atomics_by_lane: bool = ["", Truth]
        "false: lanes whose atomics lie in one line share a request; true: each lane's is a request of its own",
    writeback_width: usize = ["results a cycle", UNITS] "results of the arithmetic pipelines",
} }

operations! {
    int_add: "integer addition, subtraction",
    int_min_max: "integer minimum, maximum, absolute value",
    int_mul: "integer multiplication",
    int_mad: "integer multiplication with addition",
    int_div: "integer division and remainder, on the special function unit",
    f32_add: "single precision addition, subtraction",
    f32_min_max: "single precision minimum, maximum, absolute value",
    f32_mul: "single precision multiplication",
    f32_fma: "single precision multiplication with addition",
    f32_div: "single precision division, on the special function unit",
    f64_add: "double precision addition, subtraction",
    f64_min_max: "double precision minimum, maximum, absolute value",
    f64_mul: "double precision multiplication",
    f64_fma: "double precision multiplication with addition",
    f64_div: "double precision division",
    special: "sqrt, rsqrt, rcp, sin, cos, ex2, lg2, on the special function unit",
    shuffle: "warp shuffles",
    simple: "moves, comparisons, conversions, logic, shifts, votes, branches, barriers",
}

/// Latency and initiation interval, both in core cycles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    pub latency: u64,
    pub interval: u64,
}

table! { Shared {
    bytes: u32 = ["bytes", Whole(0, 1 << 24)] "shared memory of a core",
    latency: u64 = ["core cycles", Whole(1, 1000)] "of an access without conflicts",
    banks: u32 = ["", PowerOfTwo(1, 32)] "banks of 4-byte words; lanes on the same word do not conflict",
} }

table! { L1d {
    sets: usize = ["", SETS] "sets of the L1 data cache",
    ways: usize = ["", WAYS] "lines a set, LRU",
    line_bytes: u64 = ["bytes", Whole(128, 128)] "line",
    sector_bytes: u64 = ["bytes", Rule("32 (sectored) or 128 (the line)")]
        "what a miss fetches, and what accesses are coalesced into",
    set_index: SetIndex = ["", SET_INDEX] "address bits, Fermi's hash (needs 32 or 64 sets), or all bits folded",
    global_accesses: GlobalAccesses = ["", Words(&["cached", "bypass"])] "loads and stores: through the L1 or past it",
    global_stores: GlobalStores = ["", Words(&["evict", "update"])]
        "what a store does to the line it hits; it is written through",
    local_stores: LocalStores = ["", Words(&["no_allocate", "allocate"])]
        "a store that misses goes on to memory, or takes a line without fetching it",
    latency: usize = ["core cycles", Whole(1, 1000)] "in front of the tags, one access a cycle",
    mshrs: usize = ["entries", ENTRIES] "MSHRs: misses under way",
    merges: usize = ["requests", MERGES] "requests an MSHR holds, the first included",
    miss_queue: usize = ["requests", Whole(2, 4096)] "misses on their way to the network",
} }

table! { TextureCache {
    sets: usize = ["", SETS] "sets of the texture cache; without this table fetches go through the L1",
    ways: usize = ["", WAYS] "lines a set, LRU",
    line_bytes: u64 = ["bytes", PowerOfTwo(32, 128)] "line",
    latency: usize = ["core cycles", Whole(1, 1000)] "from a look-up that hits to the texels",
    mshrs: usize = ["entries", ENTRIES] "MSHRs: misses under way",
    merges: usize = ["requests", MERGES] "requests an MSHR holds, the first included",
    miss_queue: usize = ["requests", ENTRIES] "misses on their way to the network",
} }

table! { ReadOnlyCache {
    sets: usize = ["", SETS] "sets of the cache",
    ways: usize = ["", WAYS] "lines a set, LRU",
    line_bytes: u64 = ["bytes", PowerOfTwo(32, 128)] "line",
    mshrs: usize = ["entries", ENTRIES] "MSHRs: misses under way",
    merges: usize = ["requests", MERGES] "requests an MSHR holds, the first included",
    miss_queue: usize = ["requests", ENTRIES] "misses on their way to the network",
} }

table! { Network {
    clock_mhz: u32 = ["MHz", CLOCK] "clock of the crossbars, one for requests and one for replies",
    flit_bytes: u32 = ["bytes", ENTRIES] "flit",
    header_bytes: u32 = ["bytes", Whole(1, 256)] "a read request, or what travels with data",
    latency: u64 = ["network cycles", Whole(1, 1000)]
        "through an empty crossbar, from the grant to the ejection buffer",
    speedup: u32 = ["slots a cycle", UNITS] "flits that a port can pass inside in a cycle",
    allocation: u32 = ["slots", Whole(0, 16)] "slots that a packet holds its ports before its first flit",
    input_buffer: u32 = ["flits", Rule("from the longest packet, header and 512 bytes, to 4096")]
        "input buffer of a port",
    ejection_buffer: usize = ["packets", ENTRIES] "ejection buffer of a port",
} }

table! { L2 {
    clock_mhz: u32 = ["MHz", CLOCK] "clock of the L2",
    slices_per_channel: usize = ["", PowerOfTwo(1, 8)] "L2 slices for each DRAM channel",
    sets: usize = ["", SETS] "sets of a slice",
    ways: usize = ["", WAYS] "lines a set, LRU, write back; a store that misses allocates without fetching",
    line_bytes: u64 = ["bytes", Whole(128, 128)] "line",
    sector_bytes: u64 = ["bytes", Whole(32, 32)] "sector: lines are filled sector by sector",
    set_index: SetIndex = ["", SET_INDEX] "bits above channel, slice and line offset, Fermi's hash, or all bits folded",
    mshrs: usize = ["entries", ENTRIES] "MSHRs of a slice",
    merges: usize = ["requests", MERGES] "requests an MSHR holds, the first included",
    miss_queue: usize = ["requests", Whole(2, 4096)] "misses on their way to DRAM",
    data_port_bytes: u32 = ["bytes an L2 cycle", PowerOfTwo(1, 128)] "data port of a slice",
    rop_latency: u64 = ["L2 cycles", Whole(1, 10_000)] "between network and slice, every request",
    atomic_interval: u64 = ["L2 cycles", Whole(1, 1000)] "between atomics on the same word; of different requests, in the same sector",
    queue: usize = ["requests", Whole(4, 4096)]
        "each of: network to slice, slice to DRAM, DRAM to slice, slice to network",
    host_copy_fills: bool = ["", Truth] "a copy from the host leaves its sectors in the L2",
} }

table! { Dram {
    channels: usize = ["", Whole(1, 64)]
        "DRAM channels, each a memory partition; a power of two with channel_select xor",
    interleave_bytes: u64 = ["bytes", Whole(256, 256)] "channel = address / this, mod channels",
    channel_select: ChannelSelect = ["", Words(&["modulo", "xor"])] "blocks round robin, or with higher bits folded in",
    clock_mhz: u32 = ["MHz", CLOCK] "command clock",
    bus_bytes: u32 = ["bytes", Whole(1, 128)] "data bus of a channel",
    beats_per_clock: u32 = ["", Whole(1, 8)] "data beats a command clock: 4 for GDDR5",
    burst: u32 = ["beats", Rule("from dram.beats_per_clock to 64; with dram.bus_bytes a sector or more")]
        "beats a command",
    banks: usize = ["", Whole(16, 16)] "banks a channel",
    bank_groups: usize = ["", PowerOfTwo(1, 16)] "bank groups a channel",
    queue: usize = ["requests", ENTRIES] "requests that FR-FCFS chooses from",
    return_queue: usize = ["requests", ENTRIES] "replies on their way back",
    latency: u64 = ["L2 cycles", Whole(1, 10_000)] "between slice and DRAM queue",
    ..timing: DramTiming
} }

table! {
/// GDDR5 timing constraints, in DRAM command cycles.
DramTiming {
    ccd: u64 = ["command cycles", CYCLES] "column to column",
    rrd: u64 = ["command cycles", CYCLES] "activate to activate, other bank",
    rcd: u64 = ["command cycles", CYCLES] "activate to column",
    ras: u64 = ["command cycles", CYCLES] "activate to precharge",
    rp: u64 = ["command cycles", CYCLES] "precharge to activate",
    rc: u64 = ["command cycles", CYCLES] "activate to activate, same bank",
    cl: u64 = ["command cycles", CYCLES] "read to data",
    wl: u64 = ["command cycles", CYCLES] "write to data",
    cdlr: u64 = ["command cycles", CYCLES] "end of write data to read",
    wr: u64 = ["command cycles", CYCLES] "end of write data to precharge",
    ccdl: u64 = ["command cycles", CYCLES] "column to column in the same bank group",
    rtpl: u64 = ["command cycles", CYCLES] "read to precharge",
} }

table! {
/// A memory that no hardware could be, in place of L1, network, L2 and DRAM (HWWL, V-C): it shows the limit.
#[serde(default)]
GlobalMemory {
    perfect: bool = ["", Truth] "a memory that no hardware could be, in place of L1, network, L2 and DRAM (HWWL, V-C)",
    perfect_latency: u64 = ["core cycles", Whole(1, 10_000)] "of every request of a perfect memory",
} }

table! { Hwwl {
    lanes: usize = ["", Rule(hwwl::LANES.rule)]
        "lanes a core, one worklist bank each; at most the threads of a warp, with [gw] of a pair",
    entries: usize = ["IDs", Rule(hwwl::ENTRIES.rule)] "capacity of a bank; more are spilled to memory",
    id_bits: u32 = ["bits", Whole(hwwl::pins::ID_BITS as u64, hwwl::pins::ID_BITS as u64)] "width of a work ID",
    threshold: u32 = ["IDs", Rule(hwwl::THRESHOLD.rule)] "a bank below it is given work",
    interval: u32 = ["core cycles", Rule(hwwl::INTERVAL.rule)] "between redistributions",
    scheme: Scheme = ["", Words(Scheme::NAMES)]
        "redistribution: none, by threshold, by sorting within a core, by sorting over all cores",
    refill: Refill = ["", Words(Refill::NAMES)]
        "from the overflow buffer: at intervals, or on demand of a pull",
    refill_interval: u32 = ["core cycles", Rule(hwwl::REFILL_INTERVAL.rule)]
        "between two samples of whether all banks have room for a refill",
    bins: usize = ["", Rule(hwwl::BINS.rule)]
        "in which spilled IDs gather by number before they become a line of the overflow buffer; 0: none",
    link: usize = ["cycles", Rule(hwwl::LINK.rule)] "of the way between a core and the network between cores; 0: wires alone",
    nodes: usize = ["nodes", Rule(hwwl::EXPANDER_RULE)]
        "whose rows the edge expander of a core reads ahead (wledge); 0: no expander",
    ideal: Ideal = ["", Words(&["no", "infinite", "magic", "fifo", "sorted", "core_sorted", "owner_sorted"])]
        "limits that no hardware can reach: infinite banks, magic redistribution, one fifo or sorted queue, a sorted queue in each core for its own pushes or for its blocks of IDs",
} }

table! { Iru {
    sets: usize = ["", Rule(iru::SETS.rule)] "sets of a partition's reordering hash, 32 elements each",
    hash: HashKind = ["", Words(HashKind::NAMES)] "hash of the memory block",
    timeout: u32 = ["cycles", Rule(iru::TIMEOUT.rule)]
        "that a request waits at the head of the queue for a complete set",
    requests: usize = ["requests", Rule(iru::REQUESTS.rule)]
        "requests that a partition can hold; a core has its share of them on their way, 64 at most",
    link: usize = ["cycles", Rule(iru::LINK.rule)]
        "of the way between neighbouring memory partitions; 0: wires alone",
    chunks: usize = ["", Rule(iru::CHUNKS.rule)] "chunks of 32 elements that a partition has under way",
    bundle: usize = ["elements", Rule(iru::BUNDLE.rule)]
        "of one set that a bank takes and the ring carries in a cycle",
} }

table! {
/// Graph-Waving's front end. The switches are for the ablation: without pairs each half issues alone, without reuse each warp has
/// two instructions of its own, without waves scalar instructions issue like all others.
Gw {
    pairs: bool = ["", Truth] "odd and even warps with the same pc issue together",
    reuse: bool = ["", Truth] "warps share decoded instructions",
    waves: bool = ["", Truth] "scalar instructions of several warps issue as one",
    wave: usize = ["warps", Rule("2 x core.warp_size: 16 with warps of 8")]
        "warps of a wave, which are the lanes of a SIMD unit",
    swst: usize = ["entries", Rule(gw::SWST.rule)] "entries of a scheduler's scalar-wave status table",
    instructions: usize = ["", Rule("sets x ways x 2")] "decoded instructions in the storage",
    sets: usize = ["", Rule(gw::SETS.rule)] "sets of the storage",
    ways: usize = ["", Rule(gw::WAYS.rule)] "entries a set, of two instructions",
    age_cap: u8 = ["cycles", Rule(gw::AGE_CAP.rule)] "after which a wave goes before all others",
    window: usize = ["instructions", Rule(gw::WINDOW.rule)] "of a warp that are checked ahead of their issue",
    land: bool = ["", Truth] "an instruction issues straight from its compare where nothing else can",
    express: bool = ["", Truth] "a ready scalar issues as a wave at once where nothing else can",
    prefetch: bool = ["", Truth] "the line behind one that was fetched is fetched ahead",
    ideal_front_end: bool = ["", Truth]
        "a limit that no hardware can reach: look-up, check, wave formation and issue of a warp take one cycle",
} }

/// Tables by their paths, in the order of a file.
pub(super) const TABLES: [(&str, &[Row]); 15] = [
    ("core", Core::FIELDS),
    ("operations", Operations::FIELDS),
    ("shared", Shared::FIELDS),
    ("l1d", L1d::FIELDS),
    ("l1i", ReadOnlyCache::FIELDS),
    ("l1c", ReadOnlyCache::FIELDS),
    ("texture", TextureCache::FIELDS),
    ("network", Network::FIELDS),
    ("l2", L2::FIELDS),
    ("dram", Dram::FIELDS),
    ("dram.timing", DramTiming::FIELDS),
    ("memory", GlobalMemory::FIELDS),
    ("hwwl", Hwwl::FIELDS),
    ("iru", Iru::FIELDS),
    ("gw", Gw::FIELDS),
];
