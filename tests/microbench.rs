//! The memories' latencies and rates, and the page that puts them beside silicon's, as a user meets them.

use crate::common::command::{json, refuses, succeeds, unruly};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Measures that take a moment.
const QUICK: &str = "--config hwwl-micro14 --only shared-latency --only l1-latency --only atomic-latency";

/// The three files of the page, which may be changed.
struct Page(TempDir);

impl Page {
    fn new() -> Page {
        let page = Page(TempDir::new().unwrap());
        std::fs::create_dir(page.0.path().join("data")).unwrap();
        for name in ["silicon.md", "data/silicon.json", "silicon.toml"] {
            let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
            std::fs::copy(docs.join(name), page.0.path().join(name)).unwrap();
        }
        page
    }

    fn change(&self, name: &str, change: impl Fn(&str) -> String) {
        let path = self.0.path().join(name);
        let text = std::fs::read_to_string(&path).unwrap();
        let changed = change(&text);
        assert_ne!(text, changed);
        std::fs::write(&path, changed).unwrap();
    }

    fn check(&self, more: &str) -> Command {
        let mut command = unruly(&format!("microbench --page silicon.md --check {more}"));
        command.current_dir(self.0.path());
        command
    }
}

#[test]
fn the_page_is_what_its_files_say_and_what_is_measured() {
    let text = succeeds(&mut unruly(&format!("microbench --page docs/silicon.md --check {QUICK}")));
    assert!(text.contains("3 of its numbers"), "{text}");
}

#[test]
fn a_stale_page_is_found() {
    let page = Page::new();
    refuses(
        &mut page.check(&format!("{QUICK} --set l1d.latency=50")),
        1,
        &["l1-latency of hwwl-micro14 is 55", "stale"],
    );
    page.change("silicon.md", |text| text.replacen("| 40 |", "| 41 |", 1));
    refuses(&mut page.check(QUICK), 1, &["silicon.md: is not what", "stale: unruly microbench --page silicon.md"]);
}

/// All reasons go.
#[test]
fn a_number_that_is_off_needs_a_reason() {
    let page = Page::new();
    page.change("silicon.toml", |text| {
        text.lines().filter(|line| !line.starts_with("why = ")).map(|line| line.to_owned() + "\n").collect()
    });
    refuses(&mut page.check(QUICK), 1, &["is off by more than a quarter, and no row says why"]);
}

#[test]
fn a_number_without_a_source_is_refused() {
    let page = Page::new();
    page.change("silicon.toml", |text| text.replacen("sources = [\"", "sources = [\"none of ", 1));
    refuses(&mut page.check(QUICK), 2, &["silicon.toml", "no source `none of "]);
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
    refuses(&mut unruly("microbench --page docs/silicon.md --only l1-latency"), 2, &["--page needs every number"]);
    refuses(&mut unruly("microbench --page docs/none.md"), 2, &["docs/none.toml: cannot read"]);
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
