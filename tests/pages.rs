//! The pages that `unruly pages` writes: all are there, each link of theirs leads somewhere, and figures in docs/results are what their rows say.

use crate::common::command::{refuses, succeeds, unruly};
use crate::readme::{clone, links};
use crate::sweep::type_can_be_read;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Files in a folder and the folders in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn all_pages_can_be_made_and_their_links_lead_somewhere() {
    let folder = clone();
    let pages = |options: &str| unruly(&format!("pages {options}")).current_dir(&folder).output().unwrap();
    assert!(pages("--check").status.success() && !folder.path().join("out").exists());
    assert!(pages("").status.success());
    let index = fs::read_to_string(root().join("docs/README.md")).unwrap();
    let out = folder.path().join("out/pages");
    let (written, figures): (Vec<_>, Vec<_>) =
        files(&out).into_iter().partition(|path| path.extension().is_some_and(|ending| ending == "md"));
    for path in &written {
        let page = fs::read_to_string(path).unwrap();
        for link in links(&page) {
            assert!(path.parent().unwrap().join(link).exists(), "{}: no {link}", path.display());
        }
        let name = path.strip_prefix(&out).unwrap().display().to_string();
        let is_listed = name.starts_with("results/") || index.contains(&format!("`{name}`"));
        assert!(is_listed, "docs/README.md does not list {name}");
    }
    let results = fs::read_dir(root().join("docs/results")).unwrap().count();
    assert_eq!((written.len(), figures.len()), (15 + results, results));
    figures.iter().for_each(|figure| can_be_read_alone(figure));
}

/// A figure is in pages of others too.
fn can_be_read_alone(figure: &Path) {
    let svg = fs::read_to_string(figure).unwrap();
    type_can_be_read(&svg);
    let paper = [
        "HWWL (Kim and Batten, MICRO 2014)",
        "IRU (Segura et al.)",
        "Graph-Waving (Yilmazer-Metin, JPDC 2021)",
        "HWWL, IRU and Graph-Waving on one GPU",
    ];
    assert!(paper.iter().any(|paper| svg.contains(paper)), "{} does not say whose figure it is", figure.display());
}

#[test]
fn a_row_that_is_missing_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("docs/data");
    fs::create_dir_all(&data).unwrap();
    for entry in fs::read_dir(root().join("docs/data")).unwrap().map(|entry| entry.unwrap()) {
        fs::copy(entry.path(), data.join(entry.file_name())).unwrap();
    }
    for name in ["plans", "docs/results"] {
        symlink(root().join(name), folder.path().join(name)).unwrap();
    }
    let without = |file: &str, row: &str| {
        let text = fs::read_to_string(data.join(file)).unwrap();
        let lines: Vec<_> = text.lines().filter(|line| !line.contains(row)).collect();
        assert_eq!(lines.len() + 1, text.lines().count());
        fs::write(data.join(file), lines.join("\n")).unwrap();
    };
    without("cosim.json", "\"module\":\"icrn_c2\"");
    without("hand.json", "\"file\":\"fp32_add\"");
    let says = "docs/data: cosim.json: no row of icrn_c2; hand.json: no row of fp32_add; docs/data/README.md says";
    refuses(unruly("pages --check").current_dir(&folder), 1, &[says]);
    succeeds(unruly("pages").current_dir(&folder));
}

#[test]
fn a_figure_or_a_table_that_is_stale_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("docs/results/hwwl-cores");
    fs::create_dir_all(&results).unwrap();
    for name in ["plans", "docs/data", "docs/results/hwwl-cores/runs.csv"] {
        symlink(root().join(name), folder.path().join(name)).unwrap();
    }
    let figure = results.join("hwwl-cores.svg");
    fs::copy(root().join("docs/results/hwwl-cores/hwwl-cores.svg"), &figure).unwrap();
    succeeds(unruly("pages --check").current_dir(&folder));
    let page = folder.path().join("docs/hwwl.md");
    fs::write(&page, "<!-- parameters of hwwl -->\n| `lanes` |\n<!-- end -->\n").unwrap();
    refuses(
        unruly("pages --check").current_dir(&folder),
        1,
        &["docs/hwwl.md: a table is not what `spec` says", "unruly pages"],
    );
    for (marks, problem) in [
        ("<!-- pins of bank -->\n", "docs/hwwl.md: line 1: `<!-- pins of bank -->`: no `<!-- end -->`"),
        ("<!-- pin of bank -->\n<!-- end -->\n", "docs/hwwl.md: line 2: `<!-- end -->`: no `<!-- pins of UNIT -->`"),
    ] {
        fs::write(&page, marks).unwrap();
        refuses(unruly("pages --check").current_dir(&folder), 2, &[problem]);
    }
    fs::remove_file(page).unwrap();
    fs::write(figure, "<svg/>").unwrap();
    refuses(unruly("pages --check").current_dir(&folder), 1, &["docs/results: hwwl-cores", "make figures"]);
    fs::remove_file(folder.path().join("docs/data")).unwrap();
    refuses(unruly("pages").current_dir(&folder), 2, &["docs/data/cosim.json", "in the folder of a checkout"]);
}
