//! All claims, as a user meets them: each has its row, and is made again from a figure's name.

use crate::common::command::{json, refuses, succeeds, unruly};
use std::collections::BTreeSet;

#[test]
fn every_claim_has_its_row() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("claims.json");
    succeeds(&mut unruly(&format!("claims --json {}", file.display())));
    let claims = json(&file);
    let rows: Vec<_> =
        claims["claims"].as_array().unwrap().iter().map(|claim| claim["row"].as_u64().unwrap()).collect();
    assert!(rows.len() >= 100, "{} rows", rows.len());
    assert_eq!(rows, (1..=rows.len() as u64).collect::<Vec<_>>());
    let papers: BTreeSet<_> =
        claims["claims"].as_array().unwrap().iter().map(|claim| claim["paper"].as_str().unwrap()).collect();
    assert_eq!(papers, BTreeSet::from(["gw", "hwwl", "iru"]));
}

#[test]
fn reproduce_tells_what_a_figure_costs() {
    let text = succeeds(&mut unruly("reproduce iru 16 --check"));
    assert!(text.starts_with("plans/iru-figures.toml: 54 runs, 9 core-minutes"), "{text}");
    assert!(text.contains(" 1 plans, "), "{text}");
    let text = succeeds(&mut unruly("reproduce hwwl V-B --check"));
    assert!(text.contains("no plan, by hand: unruly area --unit hwwl_core --storage"), "{text}");
}

#[test]
fn a_place_without_claims_is_refused() {
    refuses(&mut unruly("reproduce iru 99 --check"), 2, &["99: no claim stands there", "claims.md"]);
}

#[test]
fn outside_of_a_checkout_there_are_no_plans() {
    let folder = tempfile::tempdir().unwrap();
    refuses(
        unruly("claims").current_dir(folder.path()),
        2,
        &["docs/data/claims.toml", "run this in the folder of a checkout"],
    );
}
