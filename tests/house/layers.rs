//! `hdl` and `sim` share the crate `spec`, which has no behaviour, and none that `spec` does not bring.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// The crates of the workspace, each with those that it depends on; tests and benches do not count.
fn crates() -> BTreeMap<String, BTreeSet<String>> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--offline", "--no-deps", "--format-version", "1"]).current_dir(env!("CARGO_MANIFEST_DIR"));
    let metadata: serde_json::Value = serde_json::from_slice(&cargo.output().unwrap().stdout).unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_string();
    let packages = metadata["packages"].as_array().unwrap();
    let names: BTreeSet<String> = packages.iter().map(|package| text(&package["name"])).collect();
    let needs = |package: &serde_json::Value| {
        let all = package["dependencies"].as_array().unwrap().iter().filter(|needed| needed["kind"].is_null());
        all.map(|needed| text(&needed["name"])).filter(|name| names.contains(name)).collect()
    };
    packages.iter().map(|package| (text(&package["name"]), needs(package))).collect()
}

/// The crates that `from` is built with, without those that only `border` needs.
fn reached(crates: &BTreeMap<String, BTreeSet<String>>, from: &str, border: &str) -> BTreeSet<String> {
    let (mut found, mut open) = (BTreeSet::new(), vec![from.to_string()]);
    while let Some(name) = open.pop() {
        if name != border {
            open.extend(crates[&name].iter().filter(|needed| !found.contains(*needed)).cloned());
            found.extend(crates[&name].iter().cloned());
        }
    }
    found
}

#[test]
fn rtl_and_models_share_the_specification_alone() {
    let crates = crates();
    let of = |name: &str| reached(&crates, name, "unruly-spec");
    let shared: BTreeSet<_> = of("unruly-hdl").intersection(&of("unruly-sim")).cloned().collect();
    assert_eq!(shared, ["unruly-spec".to_string()].into());
    assert_eq!(reached(&crates, "unruly-spec", ""), ["unruly-spelling".to_string()].into());
}
