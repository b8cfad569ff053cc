//! The comparison as Markdown, and where it stands in a page.

use super::{Compared, Counts, Report};
use anyhow::{Context, Result};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const BEGIN: &str = "<!-- calibrate: begin -->";
const END: &str = "<!-- calibrate: end -->";

/// Cycles and instruction counts.
pub fn cycles(report: &Report) -> String {
    let mut text = format!(
        "{} runs beside {}: cycles differ by {:.1} % on the mean, {:.1} % at most.\n\n",
        report.runs.len(),
        report.reference,
        report.mean_difference,
        report.largest_difference
    );
    text += "| run | PTX | GPU | L2 | warp instructions | thread instructions | cycles, reference | cycles, ours | difference | result |\n";
    text += "|---|---|---|---|--:|--:|--:|--:|--:|---|\n";
    for run in &report.runs {
        let (ours, right) = (&run.ours, &run.reference);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {:+.1} % | {} |",
            run.run,
            run.compiler,
            run.gpu,
            warmth(run),
            instructions(run, ours.warp_instructions, right.warp_instructions),
            instructions(run, ours.thread_instructions, right.thread_instructions),
            right.cycles,
            ours.cycles,
            run.difference,
            if run.verified { "verified" } else { "not checked" },
        );
    }
    if report.runs.iter().any(|run| run.timing_dependent) {
        text += "\n(a) The kernel has a race: what it executes depends on timing, and the reference's own counts differ between its GPUs.\n";
    }
    text
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

type Column = (&'static str, fn(&Counts) -> u64);
const COLUMNS: [Column; 6] = [
    ("L1D accesses", |c| c.l1d_accesses),
    ("L1D misses", |c| c.l1d_misses),
    ("L2 accesses", |c| c.l2_accesses),
    ("L2 misses", |c| c.l2_misses),
    ("DRAM reads", |c| c.dram_reads),
    ("DRAM writes", |c| c.dram_writes),
];

/// Counts of caches and DRAM: the reference's, and the difference where there is one.
pub fn counts(report: &Report) -> String {
    let mut text = String::from("| run | PTX | GPU | L2 |");
    COLUMNS.iter().for_each(|(name, _)| text += &format!(" {name} |"));
    text += "\n|---|---|---|---|";
    text += &"--:|".repeat(COLUMNS.len());
    text += "\n";
    for run in &report.runs {
        let _ = write!(text, "| {} | {} | {} | {} |", run.run, run.compiler, run.gpu, warmth(run));
        for (_, count) in COLUMNS {
            let (ours, right) = (count(&run.ours), count(&run.reference));
            let _ = match ours == right {
                true => write!(text, " {right} |"),
                false => write!(text, " {right} ({:+}) |", ours as i64 - right as i64),
            };
        }
        text += "\n";
    }
    text
}

/// A Markdown page with the two marker lines.
pub struct Place {
    path: PathBuf,
    before: String,
    after: String,
}

impl Place {
    /// Fails at once if the page cannot take the tables.
    pub fn open(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| format!("--into {}: cannot read", path.display()))?;
        let parts =
            text.split_once(BEGIN).and_then(|(before, rest)| rest.split_once(END).map(|(_, after)| (before, after)));
        let (before, after) =
            parts.with_context(|| format!("--into {}: has no lines `{BEGIN}` and `{END}`", path.display()))?;
        Ok(Place { path: path.to_path_buf(), before: before.into(), after: after.into() })
    }

    pub fn write(&self, tables: &str) -> Result<()> {
        let text = format!("{}{BEGIN}\n{}\n{END}{}", self.before, tables.trim_end(), self.after);
        output::replace(&self.path, text.as_bytes())
            .with_context(|| format!("--into {}: cannot write", self.path.display()))
    }
}
