//! The counters of runs side by side, in the field's terms.

use sim::attach::hwwl::WorklistStats;
use sim::attach::iru::ReorderStats;
use sim::config::Config;
use sim::stats::{CacheStats, CoreStats, IssueStats, Stats};

/// A row: what it is called, and its value in one run.
type Row = (&'static str, fn(&Stats, &Config) -> String);

const ROWS: [Row; 9] = [
    ("cycles", |s, _| s.cycles.to_string()),
    ("time at the core clock, ms", |s, c| format!("{:.3}", s.cycles as f64 / c.core.clock_mhz as f64 / 1e3)),
    ("launches", |s, _| s.launches.to_string()),
    ("warp instructions", |s, _| s.core.warp_instructions.to_string()),
    ("thread instructions", |s, _| s.core.thread_instructions.to_string()),
    ("IPC, in thread instructions", |s, _| format!("{:.2}", s.ipc())),
    ("IPC, in warp instructions", |s, _| format!("{:.2}", s.warp_ipc())),
    ("lane utilisation", |s, c| percent(lanes(&s.core), issues(&s.core) * width(c) as u64)),
    ("warps resident of possible", |s, c| {
        percent(s.core.resident_warp_cycles, s.core.active_cycles * c.core.max_warps as u64)
    }),
];

/// Outcomes per cycle of a scheduler of a core with warps.
const ISSUE: [(&str, fn(&IssueStats) -> u64); 8] = [
    ("issued", |i| i.issued),
    ("waited: operand from arithmetic", |i| i.scoreboard_arithmetic),
    ("waited: operand from memory", |i| i.scoreboard_memory),
    ("waited: operand from the worklist", |i| i.scoreboard_port),
    ("waited: arithmetic pipelines full", |i| i.pipeline_arithmetic),
    ("waited: load-store unit full", |i| i.pipeline_memory),
    ("waited: barrier or atomics", |i| i.synchronisation),
    ("no instruction: fetch, or no warp", |i| i.idle),
];

const MEMORY: [Row; 13] = [
    ("requests per memory access", |s, _| format!("{:.2}", s.requests_per_access())),
    ("bank conflicts of shared memory, cycles", |s, _| s.core.shared_conflict_cycles.to_string()),
    ("L1 data: accesses", |s, _| s.l1d.accesses.to_string()),
    ("L1 data: hits", |s, _| hits(&s.l1d)),
    ("L1 data: merged in MSHRs", |s, _| merges(&s.l1d)),
    ("L2: accesses, sectors", |s, _| s.l2.cache.accesses.to_string()),
    ("L2: hits", |s, _| hits(&s.l2.cache)),
    ("L2: merged in MSHRs", |s, _| merges(&s.l2.cache)),
    ("NoC: bytes to memory", |s, _| s.requests.bytes.to_string()),
    ("NoC: bytes to cores", |s, _| s.replies.bytes.to_string()),
    ("DRAM: bytes", |s, _| s.dram.bytes.to_string()),
    ("DRAM: bandwidth used of peak", |s, _| percent(s.dram.busy_cycles, s.dram.cycles)),
    ("DRAM: row hits", |s, _| percent(s.dram.row_hits, s.dram.reads + s.dram.writes)),
];

const HWWL: [Row; 3] = [
    ("worklist: IDs pushed", |s, _| s.of::<WorklistStats>().ids_pushed.to_string()),
    ("worklist: IDs pulled", |s, _| s.of::<WorklistStats>().ids_pulled.to_string()),
    ("worklist: told to wait, lanes", |s, _| s.of::<WorklistStats>().waits.to_string()),
];

const IRU: [Row; 7] = [
    ("reorder: elements", |s, _| s.of::<ReorderStats>().elements.to_string()),
    ("reorder: merged into equal ones", |s, _| percent(s.of::<ReorderStats>().merged, s.of::<ReorderStats>().elements)),
    ("reorder: equal to one before them", |s, _| {
        percent(s.of::<ReorderStats>().repeated, s.of::<ReorderStats>().elements)
    }),
    ("reorder: requests of warps", |s, _| s.of::<ReorderStats>().requests.to_string()),
    ("reorder: lanes without an element", |s, _| {
        percent(s.of::<ReorderStats>().disabled, s.of::<ReorderStats>().lanes)
    }),
    ("reorder: cycles from request to last element", |s, _| match s.of::<ReorderStats>().requests {
        0 => "-".into(),
        n => format!("{:.0}", s.of::<ReorderStats>().wait_cycles as f64 / n as f64),
    }),
    ("reorder: cycles that the unit was on", |s, _| percent(s.of::<ReorderStats>().busy_cycles, s.cycles)),
];

const GW: [Row; 6] = [
    ("front end: issued as pairs", |s, _| percent(s.core.pairs_issued, s.core.issue.issued)),
    ("front end: issued as half a pair", |s, _| percent(s.core.halves_issued, s.core.issue.issued)),
    ("front end: issued as scalar waves", |s, _| percent(waves(&s.core).0, s.core.issue.issued)),
    ("front end: warps of a scalar wave", |s, _| match waves(&s.core) {
        (0, _) => "-".into(),
        (waves, members) => format!("{:.1}", members as f64 / waves as f64),
    }),
    ("front end: fetches", |s, _| s.core.fetches.to_string()),
    ("front end: instructions decoded", |s, _| s.core.decodes.to_string()),
];

/// A column for each run: its name and its counters.
pub fn print(runs: &[(&str, &Stats)], config: &Config) {
    print!("{}", table(runs, config));
}

fn table(runs: &[(&str, &Stats)], config: &Config) -> String {
    let rows = |rows: &[Row]| -> String {
        rows.iter().map(|(label, value)| line(label, runs.iter().map(|(_, s)| value(s, config)))).collect()
    };
    let mut text = line("", runs.iter().map(|(name, _)| name.to_string()));
    text += &rows(&ROWS);
    text += &line("issue slots", runs.iter().map(|(_, s)| s.core.issue.total().to_string()));
    let shares: Vec<_> = runs.iter().map(|(_, s)| tenths(&ISSUE.map(|(_, part)| part(&s.core.issue)))).collect();
    for (i, (label, _)) in ISSUE.iter().enumerate() {
        let values = shares.iter().map(|share| format!("{}.{} %", share[i] / 10, share[i] % 10));
        text += &line(&format!("  {label}"), values);
    }
    if config.gw.is_some() {
        text += &rows(&GW);
    }
    text += &rows(&MEMORY);
    if runs.iter().any(|(_, s)| s.of::<WorklistStats>().pull_instructions > 0) {
        text += &rows(&HWWL);
    }
    if runs.iter().any(|(_, s)| s.of::<ReorderStats>().requests > 0) {
        text += &rows(&IRU);
    }
    text
}

fn line(label: &str, values: impl Iterator<Item = String>) -> String {
    let columns: String = values.map(|value| format!(" {value:>14}")).collect();
    format!("{label:<44}{columns}\n")
}

/// Thread slots with a thread in them, over all that was issued.
fn lanes(core: &CoreStats) -> u64 {
    core.issued_by_active_lanes.iter().zip(1..).map(|(count, lanes)| count * lanes).sum()
}

/// Instructions issued: of a warp, a pair or a wave.
fn issues(core: &CoreStats) -> u64 {
    core.issued_by_active_lanes.iter().sum()
}

/// Lanes that one of them can have.
fn width(config: &Config) -> usize {
    config.gw.as_ref().map_or(config.core.warp_size, |gw| gw.wave)
}

/// Scalar waves, and their members.
fn waves(core: &CoreStats) -> (u64, u64) {
    let members = core.waves_by_members.iter().zip(0..).map(|(count, members)| count * members);
    (core.waves_by_members.iter().sum(), members.sum())
}

fn hits(cache: &CacheStats) -> String {
    percent(cache.hits, cache.accesses)
}

fn merges(cache: &CacheStats) -> String {
    percent(cache.mshr_merges, cache.accesses)
}

/// "-" where there is nothing to divide by.
fn percent(part: u64, whole: u64) -> String {
    match whole {
        0 => "-".into(),
        _ => format!("{:.1} %", 100.0 * part as f64 / whole as f64),
    }
}

/// Shares in tenths of a percent that add up to 100 %: rounded down, and those that lost most get what is left.
fn tenths<const N: usize>(parts: &[u64; N]) -> [u64; N] {
    let whole: u64 = parts.iter().sum();
    if whole == 0 {
        return [0; N];
    }
    let scaled = parts.map(|part| 1000 * part as u128);
    let mut shares = scaled.map(|s| (s / whole as u128) as u64);
    let mut order: Vec<_> = (0..N).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(scaled[i] % whole as u128));
    let left = 1000 - shares.iter().sum::<u64>();
    order.iter().take(left as usize).for_each(|&i| shares[i] += 1);
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_to_all() {
        assert_eq!(tenths(&[1, 1, 1]), [334, 333, 333]);
        assert_eq!(tenths(&[0, 7]), [0, 1000]);
        assert_eq!(tenths(&[0, 0]), [0, 0]);
        assert_eq!(tenths(&[u64::MAX / 4, u64::MAX / 4, 2]), [500, 500, 0]);
        assert_eq!(tenths(&[2, 3, 5, 89_991, 9_999]).iter().sum::<u64>(), 1000);
    }

    /// No reason for a stall is left out of the table.
    #[test]
    fn issue_rows_are_all_that_is_counted() {
        let counted = serde_json::to_value(IssueStats::default()).unwrap();
        assert_eq!(counted.as_object().unwrap().len(), ISSUE.len());
        let issue = IssueStats {
            issued: 1,
            pipeline_arithmetic: 2,
            pipeline_memory: 4,
            scoreboard_arithmetic: 8,
            scoreboard_memory: 16,
            scoreboard_port: 32,
            synchronisation: 64,
            idle: 128,
        };
        assert_eq!(ISSUE.iter().map(|(_, part)| part(&issue)).sum::<u64>(), issue.total());
    }

    #[test]
    fn runs_stand_side_by_side() {
        let config = Config::preset("hwwl-micro14").unwrap();
        let mut stats = Stats { cycles: 700_000, ..Stats::default() };
        stats.core.warp_instructions = 10;
        stats.core.issued_by_active_lanes[15] = 10;
        stats.core.issue.issued = 3;
        stats.core.issue.idle = 1;
        let text = table(&[("a", &stats), ("b", &Stats::default())], &config);
        let row = |label: &str| -> Vec<String> {
            let line = text.lines().find(|line| line.trim_start().starts_with(label)).unwrap();
            line[44..].split("  ").map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect()
        };
        assert_eq!(row("time"), ["1.000", "0.000"]);
        assert_eq!(row("lane utilisation"), ["50.0 %", "-"]);
        assert_eq!(row("issued"), ["75.0 %", "0.0 %"]);
        assert_eq!(row("no instruction"), ["25.0 %", "0.0 %"]);
        assert!(!text.contains("worklist: IDs"), "only of runs that used it");
    }
}
