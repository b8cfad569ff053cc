//! The README, the tasks of docs/README.md and the tour as a newcomer uses them: each command works as typed in a clone where
//! nothing has been written yet, and each link of the pages leads somewhere.

use crate::common::{blocks, Desk};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

const BINARY: &str = "target/release/unruly";

/// A command that takes long and that `calibrate.rs` runs in the same way, looking at what comes out.
const ELSEWHERE: &str = "target/release/unruly calibrate tests/calibration";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Texts between backquotes or on a line of their own that begin with the built command.
fn commands(page: &str) -> Vec<&str> {
    page.split(['`', '\n']).map(str::trim).filter(|text| text.starts_with(&format!("{BINARY} "))).collect()
}

/// A folder that looks like a fresh clone after `make build`: the tracked files, the command, and no `out`. Verilated models and
/// synthesis results are those of this checkout.
pub fn clone() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let hidden = |name: &str| ["out", "target", ".git"].contains(&name);
    fs::create_dir_all(root().join(".cache")).unwrap();
    for entry in fs::read_dir(root()).unwrap().map(Result::unwrap) {
        if !hidden(entry.file_name().to_str().unwrap()) {
            symlink(entry.path(), folder.path().join(entry.file_name())).unwrap();
        }
    }
    let binary = folder.path().join(BINARY);
    fs::create_dir_all(binary.parent().unwrap()).unwrap();
    symlink(env!("CARGO_BIN_EXE_unruly"), binary).unwrap();
    folder
}

#[test]
fn each_command_works_as_typed() {
    let [first, tasks] = ["README.md", "docs/README.md"].map(|page| fs::read_to_string(root().join(page)).unwrap());
    let commands = [commands(&first), commands(&tasks)];
    assert!(commands.iter().all(|commands| commands.len() >= 5), "{commands:?}");
    let commands = commands.concat();
    assert!(commands.contains(&ELSEWHERE));
    let folder = clone();
    for command in commands.into_iter().filter(|&command| command != ELSEWHERE) {
        let output = Command::new("sh").args(["-c", command]).current_dir(&folder).output().unwrap();
        assert!(output.status.success(), "{command}\n{}", String::from_utf8_lossy(&output.stderr));
        assert!(!output.stdout.is_empty(), "{command} says nothing");
    }
    assert!(folder.path().join("out/result.json").is_file());
}

/// Each line of output on the page is what the commands say today. How many pins random stimulus compares is not fixed.
#[test]
fn the_tour_says_what_it_shows() {
    let page = include_str!("../docs/tour.md");
    let said = Desk::new().type_page(page);
    let shown = blocks(page).filter(|(head, _)| *head == "text").flat_map(|(_, lines)| lines.lines());
    let (compared, fixed): (Vec<_>, Vec<_>) = shown.partition(|line| line.contains(" pin comparisons"));
    assert!(fixed.len() >= 10);
    for line in fixed {
        assert!(said.contains(line), "the tour does not say today: {line}\n{said}");
    }
    assert_eq!((compared.len(), said.matches(" pin comparisons, 0 mismatches").count()), (3, 3), "{said}");
}

/// The Markdown files of the root, of `docs` and of the crates.
fn pages() -> Vec<PathBuf> {
    let docs = ["docs", "docs/hwwl", "docs/iru", "docs/gw"];
    let others = [
        "",
        "spec",
        "hdl",
        "sim",
        "gen",
        "testbench",
        "verilog-out",
        "sim/data",
        "tests/calibration",
        "tests/graphs",
        "findings",
    ];
    let files = docs.iter().chain(&others).flat_map(|folder| fs::read_dir(root().join(folder)).unwrap());
    files.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "md")).collect()
}

/// Targets of `[text](target)`, without those of the web and of the page itself.
pub fn links(page: &str) -> impl Iterator<Item = &str> {
    let targets = page.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    targets.filter(|target| !target.is_empty() && !target.contains("://"))
}

#[test]
fn each_link_leads_somewhere() {
    let pages = pages();
    assert!(pages.len() > 20);
    for path in pages {
        let page = fs::read_to_string(&path).unwrap();
        for link in links(&page) {
            assert!(path.parent().unwrap().join(link).exists(), "{}: no {link}", path.display());
        }
    }
}

/// Words of all hand-written pages together: what a stranger can read once.
const MOST_WORDS: usize = 80_000;

/// Folders without hand-written pages: builds, caches, sources with the texts of written pages, emitted Verilog, results.
const WITHOUT_PAGES: [&str; 5] = ["out", "results", "src", "target", "verilog-out"];

/// Each hand-written page in a folder and the folders in it, with its words.
fn hand_written(folder: &Path) -> Vec<(usize, PathBuf)> {
    let mut found = Vec::new();
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap().to_str().unwrap();
        match path.is_dir() {
            true if !name.starts_with('.') && !WITHOUT_PAGES.contains(&name) => found.extend(hand_written(&path)),
            false if name.ends_with(".md") => {
                found.push((fs::read_to_string(&path).unwrap().split_whitespace().count(), path));
            }
            _ => {}
        }
    }
    found
}

#[test]
fn the_hand_written_pages_can_be_read() {
    let mut pages = hand_written(root());
    pages.sort();
    let words: usize = pages.iter().map(|(words, _)| words).sum();
    assert!(pages.len() > 50);
    let longest = &pages[pages.len() - 5..];
    assert!(
        words <= MOST_WORDS,
        "{words} words, at most {MOST_WORDS}: say less, or say it once; the longest pages: {longest:?}"
    );
}
