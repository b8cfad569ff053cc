//! The comparison as Markdown, and the page `calibration.md` of it.

use super::{Compared, Counts, Report};
use gen::table::{markdown, numbers, words, Column};

/// The page.
pub fn page(report: &Report) -> String {
    format!(
        "# All runs of the calibration set\n\n`unruly calibrate tests/calibration --rows docs/data/calibration.json` makes the rows. \
         [fidelity.md](../../docs/fidelity.md) says what they mean.\n\n{}",
        both(report)
    )
}

/// Both tables.
pub fn both(report: &Report) -> String {
    format!("{}\n{}", cycles(report), counts(report))
}

const CYCLES: [Column; 10] = [
    words("run"),
    words("PTX"),
    words("GPU"),
    words("L2"),
    numbers("warp instructions"),
    numbers("thread instructions"),
    numbers("cycles, reference"),
    numbers("cycles, ours"),
    numbers("difference"),
    words("result"),
];

const COUNTS: [Column; 10] = [
    words("run"),
    words("PTX"),
    words("GPU"),
    words("L2"),
    numbers("L1D accesses"),
    numbers("L1D misses"),
    numbers("L2 accesses"),
    numbers("L2 misses"),
    numbers("DRAM reads"),
    numbers("DRAM writes"),
];

/// Cycles and instruction counts.
fn cycles(report: &Report) -> String {
    let mut text = format!(
        "{} runs beside {}: cycles differ by {:.1} % on the mean, {:.1} % at most.\n\n",
        report.runs.len(),
        report.reference,
        report.mean_difference,
        report.largest_difference
    );
    text += &markdown(&CYCLES, report.runs.iter().map(cycles_of));
    if report.runs.iter().any(|run| run.timing_dependent) {
        text += "\n(a) The kernel has a race: what it executes depends on timing, and the reference's own counts differ between its GPUs.\n";
    }
    text
}

fn cycles_of(run: &Compared) -> [String; 10] {
    let (ours, right) = (&run.ours, &run.reference);
    [
        run.run.clone(),
        run.compiler.clone(),
        run.gpu.clone(),
        warmth(run).into(),
        instructions(run, ours.warp_instructions, right.warp_instructions),
        instructions(run, ours.thread_instructions, right.thread_instructions),
        right.cycles.to_string(),
        ours.cycles.to_string(),
        format!("{:+.1} %", run.difference),
        if run.verified { "verified" } else { "not checked" }.into(),
    ]
}

fn warmth(run: &Compared) -> &'static str {
    match run.l2_filled_by_host_copy {
        true => "warm",
        false => "cold",
    }
}

fn instructions(run: &Compared, ours: u64, right: u64) -> String {
    match (ours == right, run.timing_dependent) {
        (true, _) => format!("{ours}, equal"),
        (false, true) => format!("{ours}, {:+} (a)", ours as i64 - right as i64),
        (false, false) => format!("{ours}, **{:+}**", ours as i64 - right as i64),
    }
}

/// Counts of caches and DRAM: the reference's, and the difference where there is one.
fn counts(report: &Report) -> String {
    markdown(&COUNTS, report.runs.iter().map(counts_of))
}

fn counts_of(run: &Compared) -> [String; 10] {
    let count = |of: fn(&Counts) -> u64| match (of(&run.ours), of(&run.reference)) {
        (ours, right) if ours == right => right.to_string(),
        (ours, right) => format!("{right} ({:+})", ours as i64 - right as i64),
    };
    [
        run.run.clone(),
        run.compiler.clone(),
        run.gpu.clone(),
        warmth(run).into(),
        count(|c| c.l1d_accesses),
        count(|c| c.l1d_misses),
        count(|c| c.l2_accesses),
        count(|c| c.l2_misses),
        count(|c| c.dram_reads),
        count(|c| c.dram_writes),
    ]
}
