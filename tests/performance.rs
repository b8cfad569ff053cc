//! The rows of docs/performance.md about larger graphs are of the model of today.

use crate::common::command::{json, succeeds, unruly};
use std::collections::HashMap;
use std::path::Path;
use tempfile::TempDir;

#[test]
fn the_smallest_graphs_take_the_cycles_of_the_page() {
    let folder = TempDir::new().unwrap();
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let mut rows = csv::Reader::from_path(docs.join("performance-sizes.csv")).unwrap();
    let mut compared = 0;
    for row in rows.deserialize::<HashMap<String, String>>().map(Result::unwrap) {
        if row["nodes"] != "1024" {
            continue;
        }
        let path = folder.path().join("run.json");
        let mut run = unruly("run");
        run.args([&row["workload"], "--variant", &row["variant"], "--config", "gw-fermi-b32"]);
        succeeds(run.args(["--graph", "gen:uniform:1024:seed=1", "--json", path.to_str().unwrap()]));
        let report = json(path);
        for count in ["warp_instructions", "cycles"] {
            assert_eq!(
                report[count].to_string(),
                row[count],
                "{count}: {row:?}; remove the rows of this workload, then \
                `cargo bench --bench runs -- sizes`"
            );
        }
        compared += 1;
    }
    assert_eq!(compared, 3);
}
