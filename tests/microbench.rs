//! The memories' latencies and rates, and their file compared with silicon's, as a user meets them.

use crate::common::command::{json, refuses, succeeds, unruly};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Measures that take a moment.
const QUICK: &str = "--config hwwl-micro14 --only shared-latency --only l1-latency --only atomic-latency";

/// Our numbers and silicon's, which may be changed.
struct Rows(TempDir);

impl Rows {
    fn new() -> Rows {
        let rows = Rows(TempDir::new().unwrap());
        for name in ["silicon.json", "silicon.toml"] {
            let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/data");
            std::fs::copy(data.join(name), rows.0.path().join(name)).unwrap();
        }
        rows
    }

    fn change(&self, name: &str, change: impl Fn(&str) -> String) {
        let path = self.0.path().join(name);
        let text = std::fs::read_to_string(&path).unwrap();
        let changed = change(&text);
        assert_ne!(text, changed);
        std::fs::write(&path, changed).unwrap();
    }

    fn check(&self, more: &str) -> Command {
        let mut command = unruly(&format!("microbench --rows silicon.json --check {more}"));
        command.current_dir(self.0.path());
        command
    }
}

#[test]
fn the_rows_are_what_is_measured() {
    let text = succeeds(&mut unruly(&format!("microbench --rows docs/data/silicon.json --check {QUICK}")));
    assert!(text.contains("3 of its numbers"), "{text}");
}

#[test]
fn a_stale_row_is_found() {
    let rows = Rows::new();
    refuses(
        &mut rows.check(&format!("{QUICK} --set l1d.latency=50")),
        1,
        &["l1-latency of hwwl-micro14 is 55", "stale"],
    );
    rows.change("silicon.json", |text| text.replace("\"l1-latency\": 40.0", "\"l1-latency\": 41.0"));
    refuses(&mut rows.check(QUICK), 1, &["the file has 41", "stale: unruly microbench --rows silicon.json"]);
}

/// All reasons go.
#[test]
fn a_number_that_is_off_needs_a_reason() {
    let rows = Rows::new();
    rows.change("silicon.toml", |text| {
        text.lines().filter(|line| !line.starts_with("why = ")).map(|line| line.to_owned() + "\n").collect()
    });
    refuses(&mut rows.check(QUICK), 1, &["is off by more than a quarter, and no row says why"]);
}

#[test]
fn a_number_without_a_source_is_refused() {
    let rows = Rows::new();
    rows.change("silicon.toml", |text| text.replacen("sources = [\"", "sources = [\"none of ", 1));
    refuses(&mut rows.check(QUICK), 2, &["silicon.toml", "no source `none of "]);
}

#[test]
fn bad_input_is_named() {
    refuses(
        &mut unruly("microbench --only l3-latency"),
        2,
        &["unknown measure `l3-latency`; there is shared-latency, "],
    );
    refuses(&mut unruly("microbench --config none"), 2, &["none", "hwwl-micro14"]);
    refuses(
        &mut unruly("microbench --config hwwl-micro14 --set l2.sets=65536"),
        2,
        &["microbenchmarks measure caches of up to"],
    );
    refuses(
        &mut unruly("microbench --rows docs/data/silicon.json --only l1-latency"),
        2,
        &["--rows needs every number"],
    );
    refuses(&mut unruly("microbench --rows docs/none.json"), 2, &["docs/none.toml: cannot read"]);
    let small = "microbench --config hwwl-micro14 --only l2-bandwidth --set core.max_warps=4";
    refuses(&mut unruly(small), 2, &["l2-bandwidth of hwwl-micro14", "stream"]);
}

#[test]
fn numbers_are_the_same_every_time() {
    let folder = TempDir::new().unwrap();
    let measured = |name: &str| {
        let path = folder.path().join(name);
        succeeds(unruly(&format!("microbench {QUICK}")).arg("--json").arg(&path));
        json(path)["configurations"].clone()
    };
    let first = measured("first.json");
    assert_eq!(first, measured("second.json"));
    let l1 = &first[0]["measures"][1];
    assert_eq!((l1["measure"].as_str(), l1["value"].as_f64()), (Some("l1-latency"), Some(40.0)), "docs/presets.md");
}
