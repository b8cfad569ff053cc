//! `docs/cosim.md` and `docs/mutants.md` are about the RTL, the models and the traffic of today.

use std::path::Path;
use testbench::cosim::{digests, units, Digests};

/// The seed of the campaign.
const SEED: u64 = 1;

struct Row {
    module: String,
    unit: String,
    parameters: Vec<(String, u64)>,
    digests: [String; 2],
}

fn row(line: &str) -> Row {
    let cells: Vec<_> = line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect();
    let [module, unit, parameters, .., rtl, traffic] = cells[..] else { panic!("{line}") };
    let parameter = |text: &str| {
        let (name, value) = text.split_once(" = ").unwrap_or_else(|| panic!("{line}"));
        (name.to_string(), value.parse().unwrap())
    };
    Row {
        module: module.into(),
        unit: unit.into(),
        parameters: parameters.split(", ").filter(|text| !text.is_empty()).map(parameter).collect(),
        digests: [rtl.into(), traffic.into()],
    }
}

fn page(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(name)).unwrap()
}

fn lines(page: &str) -> impl Iterator<Item = &str> {
    page.lines().filter(|line| line.starts_with("| `"))
}

/// What a row says it was made with, if today another thing would be.
fn staleness(row: &Row) -> Option<String> {
    let parameters: Vec<_> = row.parameters.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    let Digests { rtl, traffic } = digests(&row.unit, &parameters, SEED).unwrap();
    let [old_rtl, old_traffic] = &row.digests;
    let is_stale = |old: &str, new: &str| old.len() != 12 || !new.starts_with(old);
    let stale = [("RTL", is_stale(old_rtl, &rtl)), ("model or traffic", is_stale(old_traffic, &traffic))];
    let stale: Vec<_> = stale.iter().filter(|(_, stale)| *stale).map(|(what, _)| *what).collect();
    (!stale.is_empty()).then(|| format!("{} ({})", row.module, stale.join(", ")))
}

/// Each row of the page is of today; `command` makes them anew.
fn assert_current(name: &str, command: &str) {
    let page = page(name);
    let rows: Vec<_> = lines(&page).map(row).collect();
    assert!(!rows.is_empty(), "docs/{name} has no rows: run `{command}`");
    let (one, other) = rows.split_at(rows.len() / 2);
    let stale = |rows: &[Row]| rows.iter().filter_map(staleness).collect::<Vec<_>>();
    let stale = std::thread::scope(|scope| {
        let other = scope.spawn(|| stale(other));
        [stale(one), other.join().unwrap()].concat()
    });
    assert!(stale.is_empty(), "docs/{name} is stale, run `{command}`: {}", stale.join("; "));
}

#[test]
fn no_row_of_the_campaign_is_stale() {
    assert_current("cosim.md", "make campaign");
    let page = page("cosim.md");
    let rows: Vec<_> = lines(&page).map(row).collect();
    for unit in units() {
        assert!(rows.iter().any(|row| row.unit == unit), "docs/cosim.md has no row of {unit}: run `make campaign`");
    }
    assert!(!page.contains("Without a report"), "docs/cosim.md is not complete: run `make campaign`");
    for line in lines(&page) {
        assert_eq!(line.split('|').nth(6).map(str::trim), Some("0"), "{line}");
    }
}

#[test]
fn no_row_of_the_planted_faults_is_stale() {
    assert_current("mutants.md", "make mutants");
    let page = page("mutants.md");
    for unit in units() {
        assert!(page.contains(&format!("` | {unit} | ")), "docs/mutants.md has no row of {unit}: run `make mutants`");
    }
}

/// Each is found by traffic, or proven to change nothing.
#[test]
fn no_planted_fault_survives() {
    let page = page("mutants.md");
    for line in lines(&page) {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let [faults, killed, equal, survive] =
            [4, 5, 6, 7].map(|place| cells[place].replace(',', "").parse().unwrap_or(u32::MAX));
        assert_eq!((killed + equal, survive), (faults, 0), "{line}");
    }
}

#[test]
fn a_row_of_another_rtl_or_traffic_is_stale() {
    let Digests { rtl, traffic } = digests("icrn", &[("cores", 2)], SEED).unwrap();
    let stale = |rtl: &str, traffic: &str| {
        staleness(&row(&format!(
            "| `icrn_c2` | icrn | cores = 2 | 1 | 1 | 0 | 1 of 1 | x: 1 | `{rtl}` | `{traffic}` |"
        )))
    };
    let (rtl, traffic, other) = (&rtl[..12], &traffic[..12], "0123456789ab");
    assert_eq!(stale(rtl, traffic), None);
    assert_eq!(stale(other, traffic).unwrap(), "icrn_c2 (RTL)");
    assert_eq!(stale(rtl, other).unwrap(), "icrn_c2 (model or traffic)");
    assert_eq!(stale("", "").unwrap(), "icrn_c2 (RTL, model or traffic)");
}

/// Bits of pins and places of the RTL, but for those that are waived.
#[test]
fn every_bit_moves_and_every_place_is_reached() {
    let rows: Vec<serde_json::Value> = serde_json::from_str(&page("coverage.json")).unwrap();
    assert!(rows.len() >= units().len(), "docs/coverage.json is not complete: run `make verification`");
    for row in rows {
        assert!(row["still"].as_object().unwrap().is_empty(), "{}: {}", row["module"], row["still"]);
        assert!(row["never"].as_array().unwrap().is_empty(), "{}: {}", row["module"], row["never"]);
    }
}
