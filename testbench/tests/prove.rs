//! Properties of units: those that ship are proven, and RTL with a bug added on purpose breaks the right one.

use std::path::Path;
use std::sync::LazyLock;
use testbench::pages::proofs::Row;
use testbench::pages::{sizes, Data};
use testbench::prove::{against, all_gates, all_sizes, units, Gates, Kind, Outcome, ProofReport, Size, Subject};

const SECONDS: u32 = 60;

/// Units whose proofs take a few seconds together. `make proofs` makes all.
const QUICK: [&str; 6] = ["sram_1rw", "sram_1r1w", "queue", "link", "fp32_add", "bank"];

fn subject(unit: &str) -> Subject {
    Subject::all(unit, &[]).unwrap().remove(0)
}

fn shown(report: &ProofReport) -> Vec<(&str, Outcome, Option<u64>)> {
    report.verdicts.iter().map(|v| (v.claim.name.as_str(), v.outcome, v.cycles)).collect()
}

fn proven(report: &ProofReport, kind: Kind) -> usize {
    report.verdicts.iter().filter(|v| v.claim.kind == kind && v.outcome == Outcome::Proven).count()
}

#[test]
fn quick_properties_are_proven() {
    for unit in QUICK {
        let report = subject(unit).prove(SECONDS).unwrap();
        assert_eq!(report.failures().len(), 0, "{unit}: {:?}", shown(&report));
        assert!(proven(&report, Kind::Property) >= 1 && proven(&report, Kind::Invariant) >= 1, "{unit}");
    }
}

/// Bugs as designers make them: a unit, RTL, the same with the bug, and properties one of which breaks.
const BUGS: [(&str, &str, &str, &[&str]); 11] = [
    ("queue", "assign full = count_q[2];", "assign full = &count_q[1:0];", &["full_exact"]),
    ("queue", "head_q <= 2'd0;", "head_q <= head_q;", &["order"]),
    ("queue", "on_pins_q <= read_now | (on_pins_q & ~take);", "on_pins_q <= read_now | on_pins_q;", &["empty_exact"]),
    ("fp32_add", "wire nan = nan_of_a | nan_of_b |", "wire nan = nan_of_a |", &["one_nan"]),
    ("bank", "wire lane_idle = !(lane_pop | push);", "wire lane_idle = !lane_pop;", &["answered"]),
    (
        "bank",
        "if (configured) begin\n                head_d",
        "if (configure) begin\n                head_d",
        &["order"],
    ),
    ("bank", "MINUS_ONE = 3'd7", "MINUS_ONE = 3'd6", &["pull_exact", "fits"]),
    ("bank", "pull_done_q <= 1'b0;", "pull_done_q <= lane_pop;", &["answered"]),
    ("bank", "if (fill_reserved) part = pull_side_q;", "if (fill_reserved) part = push_side;", &["answered"]),
    ("bank", "& START_1);\n            end", "& START_0);\n            end", &["order"]),
    (
        "sram_1r1w",
        "if (write) words[write_addr] <= wdata;",
        "if (write & ~read) words[write_addr] <= wdata;",
        &["last_written"],
    ),
];

/// The properties without those of other names, and without invariants, which a bug may break as well.
fn only(text: &str, names: &[&str]) -> String {
    let is_other = |line: &str| {
        let claim = line.trim().strip_prefix("// property ").map(|claim| claim.split(':').next().unwrap_or_default());
        line.trim().starts_with("// invariant") || claim.is_some_and(|name| !names.contains(&name))
    };
    text.lines().filter(|line| !is_other(line)).map(|line| line.to_string() + "\n").collect()
}

#[test]
fn a_bug_breaks_its_property() {
    for (unit, right, wrong, names) in BUGS {
        let broken = subject(unit).with_verilog(|verilog| {
            assert!(verilog.contains(right), "{unit} has no line `{right}`:\n{verilog}");
            verilog.replace(right, wrong)
        });
        let report = broken.with_properties(|text| only(text, names)).prove(SECONDS).unwrap();
        let failed = report.verdicts.iter().filter(|v| v.outcome == Outcome::Failed);
        let found: Vec<_> = failed.filter(|v| names.contains(&v.claim.name.as_str())).collect();
        assert!(!found.is_empty(), "{unit}, {wrong}: {:?}", shown(&report));
        assert!(found.iter().all(|v| v.trace.len() > 1), "{unit}: {:?}", found);
    }
}

#[test]
fn another_circuit_is_the_same_or_not() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("other.v");
    let compared = |change: &dyn Fn(&str) -> String| {
        let parameters = [("entries", 16), ("width", 16)];
        let verilog = Subject::all("queue", &parameters).unwrap().remove(0).verilog().to_string();
        std::fs::write(&file, change(&verilog)).unwrap();
        against("queue", &parameters, &file, SECONDS).unwrap()
    };
    // A register has another name, and is found by what it drives.
    let same = compared(&|verilog| verilog.replace("on_pins_q", "there_q"));
    assert_eq!(same.failures().len(), 0, "{:?}", shown(&same));
    assert_eq!(proven(&same, Kind::Property), 4, "{:?}", shown(&same));
    let other =
        compared(&|verilog| verilog.replace("assign full = count_q[4];", "assign full = count_q[4] | count_q[3];"));
    let failed: Vec<_> = other.failures().iter().map(|v| v.claim.name.as_str()).collect();
    assert_eq!(failed, ["same_full"], "{:?}", shown(&other));
}

#[test]
fn a_netlist_does_what_its_rtl_does_or_not() {
    let cache = tempfile::tempdir().unwrap();
    for unit in ["queue", "bank", "icrn"] {
        let gates = Gates::of(unit, &[]).unwrap();
        let report = gates.prove(cache.path(), SECONDS).unwrap();
        assert_eq!((report.failures().len(), report.verdicts.len()), (0, 1), "{unit}: {:?}", shown(&report));
        let other = |netlist: &str| {
            assert!(netlist.contains("NAND2X1 "), "{netlist}");
            netlist.replacen("NAND2X1 ", "NOR2X1 ", 1)
        };
        let report = gates.prove_changed(cache.path(), SECONDS, other).unwrap();
        assert_eq!(report.verdicts[0].outcome, Outcome::Failed, "{unit}: {:?}", shown(&report));
        assert!(!report.verdicts[0].trace.is_empty(), "{unit}: nothing says what differs");
    }
}

static SIZES: LazyLock<Vec<Size>> = LazyLock::new(|| all_sizes().unwrap());

/// Module, a line of it, other text in its place, and what the proof says of that.
const CHANGES: [(&str, &str, &str, Outcome); 8] = [
    ("queue_control", "", "", Outcome::Proven),
    // Another circuit that does the same.
    ("queue_control", "(on_pins_q & ~take)", "~(~on_pins_q | take)", Outcome::Proven),
    ("queue_control", "(on_pins_q & ~take)", "(on_pins_q | ~take)", Outcome::Failed),
    (
        "queue_control",
        "= count_q[ENTRY_WIDTH];",
        "= both[tail_q[0]]; wire [1:0] both = {2{count_q[ENTRY_WIDTH]}};",
        Outcome::Proven,
    ),
    // Bits 2 and 3 are undefined.
    (
        "queue_control",
        "= count_q[ENTRY_WIDTH];",
        "= both[tail_q[1:0]]; wire [1:0] both = {2{count_q[ENTRY_WIDTH]}};",
        Outcome::Failed,
    ),
    // A register of another name is found by another wire that it drives, and not without one.
    ("queue_control", "on_pins_q", "there_q", Outcome::Proven),
    ("queue_control", "count_", "there_", Outcome::Failed),
    ("hwwl_core", "hwwl_bank #(.ENTRIES(ENTRIES)", "hwwl_bank #(.ENTRIES(2*ENTRIES)", Outcome::Failed),
];

#[test]
fn a_module_with_parameters_does_what_the_flat_one_does_or_not() {
    for (module, from, to, outcome) in CHANGES {
        let size = SIZES.iter().find(|size| size.module == module).unwrap().clone();
        let report = size.with_text(|text| text.replace(from, to)).prove(SECONDS).unwrap();
        assert_eq!(shown(&report), [(module, outcome, None)], "{to}");
        let says_why = !report.verdicts[0].trace.is_empty();
        assert_eq!(says_why, outcome == Outcome::Failed, "{to}: {:?}", report.verdicts[0].trace);
    }
}

#[test]
fn the_rows_of_sizes_are_of_today() {
    let rows = data().sizes;
    let command = "docs/data/sizes.json is stale, run `make sizes`";
    for size in &*SIZES {
        let kept = sizes::Row::kept(&rows, &size.flat, &size.digest());
        assert_eq!(kept.map(|rows| rows.len()), Some(1), "{command}: {}", size.flat);
    }
    assert_eq!(SIZES.len(), rows.len(), "{command}: it has rows of other Verilog");
}

fn data() -> Data {
    Data::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/data")).unwrap()
}

/// Number of rows of a unit as it is today.
fn count(rows: &[Row], unit: &str, digest: &str) -> usize {
    rows.iter().filter(|row| row.unit == unit && row.digest == digest[..12]).count()
}

#[test]
fn the_rows_of_gates_are_of_today() {
    let rows = data().gates;
    let command = "docs/data/gates.json is stale, run `make gates`";
    let mut known = 0;
    for gates in all_gates().unwrap() {
        let of_it = count(&rows, gates.unit(), &gates.digest());
        assert!(of_it > 0, "{command}: {}", gates.unit());
        known += of_it;
    }
    assert_eq!(known, rows.len(), "{command}: it has rows of other RTL");
    assert_eq!(rows.iter().find(|row| row.outcome == Outcome::Failed), None);
}

#[test]
fn the_rows_of_proofs_are_of_today() {
    let rows = data().proofs;
    let command = "docs/data/proofs.json is stale, run `make proofs`";
    let mut known = 0;
    for unit in units() {
        for subject in Subject::all(unit, &[]).unwrap() {
            let of_it = count(&rows, unit, &subject.digest());
            assert!(of_it > 1, "{command}: {unit}");
            known += of_it;
        }
    }
    assert_eq!(known, rows.len(), "{command}: it has rows of other RTL");
    let is_wrong = |row: &&Row| matches!(row.outcome, Outcome::Failed | Outcome::Unreachable);
    assert_eq!(rows.iter().find(is_wrong), None);
}

/// Units whose own properties, if any, say nothing of the words in memories, each with the units before it that have all of its SRAMs
/// with two ports.
const COMPOSED: [(&str, &[&str]); 2] = [
    ("iru_partition", &["prefetcher", "ring_stop", "reorder_bank", "reorder_bank", "data_replier"]),
    ("iru", &["iru_partition"; 4]),
];

/// SRAMs with two ports in a unit of the usual size.
fn two_ports(unit: &str) -> usize {
    let design = gen::elaborate(&hdl::catalog::find(unit, &[]).unwrap()).unwrap();
    gen::storage::memories(&design)
        .iter()
        .filter(|memories| memories.ports == 2)
        .map(|memories| memories.instances)
        .sum()
}

/// Proofs take any word where one is read as it is written.
#[test]
fn every_user_of_an_sram_with_two_ports_is_proven() {
    let mut known = units();
    for (unit, parts) in COMPOSED {
        assert!(parts.iter().all(|part| known.contains(part)), "{unit}");
        assert_eq!(two_ports(unit), parts.iter().map(|part| two_ports(part)).sum::<usize>(), "{unit}");
        known.push(unit);
    }
    let others = hdl::catalog::units().into_iter().map(|unit| unit.name).filter(|unit| !known.contains(unit));
    assert_eq!(others.filter(|unit| two_ports(unit) > 0).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn stimulus_keeps_what_is_assumed() {
    let report = subject("bank").under_traffic(20_000, 1).unwrap();
    assert_eq!((report.broken, report.assumptions, report.others), (None, 3, 14));
    let too_strong = subject("bank").with_properties(|text| {
        let (weak, strong) = ("wire reserve_fits = ~reserve |", "wire reserve_fits = ~reserve & ");
        assert!(text.contains(weak), "{text}");
        text.replace(weak, strong)
    });
    let report = too_strong.under_traffic(20_000, 1).unwrap();
    let broken = report.broken.expect("stimulus reserves entries");
    assert_eq!((&broken.claim.name[..], broken.cycle), ("reserve_fits", report.cycles));
    let wrong = subject("bank").with_properties(|text| text.replace("wire pull_exact =", "wire pull_exact = empty &"));
    let broken = wrong.under_traffic(20_000, 1).unwrap().broken.expect("a bank is not always empty");
    assert_eq!(broken.claim.name, "pull_exact");
}

#[test]
fn the_rows_of_assumptions_are_of_today() {
    let rows = data().assumptions;
    let command = "docs/data/assumptions.json is stale, run `make proofs`";
    let mut known = 0;
    for unit in units() {
        for subject in Subject::all(unit, &[]).unwrap().into_iter().filter(|subject| subject.assumes().unwrap()) {
            let digest = subject.digest_with_traffic(1).unwrap();
            let of_it = rows.iter().filter(|row| row.is_current(unit, &digest)).count();
            assert_eq!(of_it, 1, "{command}: {unit}");
            known += 1;
        }
    }
    assert_eq!(known, rows.len(), "{command}: it has rows of other RTL");
}
