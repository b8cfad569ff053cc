//! Counters of the user's own units.

use super::table;
use crate::sweep::table::Placed;
use std::collections::BTreeSet;

/// Empty for a plan without such units.
pub fn text(rows: &[Placed]) -> String {
    let counted: Vec<_> =
        rows.iter().filter_map(|p| Some((p, &p.numbers?.unit))).filter(|(_, unit)| !unit.is_empty()).collect();
    let names: BTreeSet<_> = counted.iter().flat_map(|(_, unit)| unit.keys()).collect();
    if names.is_empty() {
        return String::new();
    }
    let mut text = "## Counters of the unit\n\nOver all cores.\n\n".to_owned();
    let head = ["workload", "graph", "series", "axis"].map(str::to_owned);
    let head: Vec<_> = head.into_iter().chain(names.iter().map(|name| name.to_string())).collect();
    let lines = counted.iter().map(|(Placed { row, .. }, unit)| {
        let place = [&row.workload, &row.graph, &row.series].map(String::clone);
        let values = names.iter().map(|name| unit.get(*name).map_or("-".into(), u64::to_string));
        place.into_iter().chain([row.axis.clone().unwrap_or_default()]).chain(values).collect()
    });
    table(&mut text, &head, lines);
    text
}
