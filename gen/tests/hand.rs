//! The committed table of units and of those written by hand follows from what both say today. Nothing is synthesised.

use crate::common::MODULES;
use gen::liberty::Liberty;
use gen::report::hand::COMMAND;
use gen::report::Units;
use serde_json::Value;
use std::path::Path;

#[test]
fn the_table_is_fresh() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let liberty = Liberty::read(None).unwrap();
    let text = std::fs::read_to_string(root.join("docs/data/hand.json")).unwrap();
    let rows: Vec<Value> = serde_json::from_str(&text).unwrap();
    for row in &rows {
        let parameters = row["parameters"].as_object().unwrap().iter();
        let parameters: Vec<_> = parameters.map(|(name, value)| (name.as_str(), value.as_u64().unwrap())).collect();
        let instance = hdl::catalog::find(row["unit"].as_str().unwrap(), &parameters).unwrap();
        let name = row["file"].as_str().unwrap();
        let verilog = std::fs::read_to_string(root.join(format!("testbench/hand/{name}.v"))).unwrap();
        let ours = Units::among(&MODULES, std::slice::from_ref(&instance));
        let hand = Units::replaced(&instance, &format!("hand_{name}"), &verilog).unwrap();
        for (what, units) in [("ours", ours), ("hand", hand)] {
            let fresh = row[what]["digest"] == units.digests(&liberty)[0];
            assert!(fresh, "docs/data/hand.json, {name}, {what}: run `{COMMAND}`");
        }
    }
}
