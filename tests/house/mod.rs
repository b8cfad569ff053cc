//! The crates' modules import each other in one direction: there is no circle of modules.
//!
//! An arrow leads from a module to another one whose items it names in a path: `use` trees, types, expressions, patterns and the
//! arguments of macros. Where a path leads through re-exports, the arrow goes to the module that defines the item. A module may name what the modules
//! around it define, since it is a part of them. Modules of a crate's root are looked at once more with all that is inside them. Test modules and doc comments do not count. Methods are called without a path, hence they make no arrow.

mod arrows;
mod circles;
mod layers;
mod modules;
mod systems;

use arrows::{arrows, Arrow};
use circles::circles;
use modules::{root_file, Crate};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The circles of the crate in a folder, an arrow a line; files are named from `root` on.
fn report(folder: &Path, root: &Path) -> String {
    let source = Crate::read(folder);
    let mut text = String::new();
    let arrows = arrows(&source);
    let between_rooms = between_rooms(&source, &arrows);
    let mut found = circles(&arrows);
    if found.is_empty() {
        found = circles(&between_rooms);
    }
    for circle in found {
        writeln!(text, "a circle of {} modules:", circle.len()).unwrap();
        for arrow in circle {
            let [from, to] = [arrow.from, arrow.to].map(|module| &source.modules[module]);
            let file = from.file.strip_prefix(root).unwrap();
            writeln!(text, "  {} -> {}: {}:{}: {}", from.name(), to.name(), file.display(), arrow.line, arrow.path)
                .unwrap();
        }
    }
    text
}

/// The arrows between modules of the crate's root, each with all that is inside.
fn between_rooms(source: &Crate, arrows: &[Arrow]) -> Vec<Arrow> {
    let room = |module: usize| source.find(source.modules[module].path.get(..1)?);
    let lifted = arrows.iter().filter_map(|arrow| {
        let (from, to) = (room(arrow.from)?, room(arrow.to)?);
        let path = format!("{} in {}", arrow.path, source.modules[arrow.from].name());
        (from != to).then_some(Arrow { from, to, line: arrow.line, path })
    });
    lifted.collect()
}

/// Folders of all crates of the workspace that are more than tests, that of the root package among them.
fn crates(root: &Path) -> Vec<PathBuf> {
    let manifest: toml::Table = std::fs::read_to_string(root.join("Cargo.toml")).unwrap().parse().unwrap();
    let members = manifest["workspace"]["members"].as_array().unwrap().iter().map(|member| member.as_str().unwrap());
    let folders = members.flat_map(|member| match member.strip_suffix("/*") {
        Some(parent) => std::fs::read_dir(root.join(parent)).unwrap().map(|entry| entry.unwrap().path()).collect(),
        None => vec![root.join(member)],
    });
    folders.chain([root.into()]).filter(|folder| folder.join("src").is_dir()).collect()
}

#[test]
fn no_crate_has_a_circle_of_modules() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = crates(root);
    assert!(crates.len() >= 6, "{crates:?}");
    let found: String = crates.iter().map(|folder| report(folder, root)).collect();
    assert!(found.is_empty(), "move what the modules of a circle share into a module below them:\n{found}");
}

/// A crate with module `a`, which names `b::inner::Thing`, and with a last line of `b/inner.rs`. That line alone can
/// close a circle: all else leads in one direction.
fn crate_with(line: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join("src").join(name), text).unwrap();
    std::fs::create_dir_all(folder.path().join("src/b")).unwrap();
    write("lib.rs", "mod a;\nmod b;\nmod c { pub use crate::a::A as OfC; }\n");
    write("a.rs", "//! See [`crate::b`].\nuse crate::b::Thing;\npub struct A(Thing);\n#[cfg(test)]\nmod tests { use crate::c::OfC; }\n");
    write("b/mod.rs", "mod inner;\npub use inner::Thing;\npub fn helper() {}\nfn call() { inner::called() }\n");
    write("b/inner.rs", &format!("use super::helper;\npub struct Thing;\npub fn called() {{ helper() }}\n{line}\n"));
    folder
}

#[test]
fn a_circle_is_found_however_a_module_is_named() {
    for (line, path) in [
        ("use crate::a::A;", "crate::a::A"),
        ("use super::super::a::{A as Other};", "super::super::a::A"),
        ("use crate::a::{self};", "crate::a"),
        ("use crate::a::*;", "crate::a::*"),
        ("use crate::c::OfC;", "crate::c::OfC"),
        ("fn f(_: &[crate::a::A]) {}", "crate::a::A"),
        ("fn f() { use crate::a::A; }", "crate::a::A"),
        ("fn f() -> usize { crate::a::A::SIZE }", "crate::a::A::SIZE"),
        ("fn f() { println!(\"{}\", [crate::a::A::size()]) }", "crate::a::A::size"),
    ] {
        let folder = crate_with(line);
        let expected = format!(
            "a circle of 2 modules:\n  a -> b::inner: src/a.rs:2: crate::b::Thing\n  b::inner -> a: src/b/inner.rs:4: {path}\n"
        );
        assert_eq!(report(folder.path(), folder.path()), expected, "{line}");
    }
}

/// Neither file of `b` is in a circle with `a`, but `b` as a whole is.
#[test]
fn a_circle_of_modules_with_all_that_is_inside_is_found() {
    let folder = crate_with("");
    let file = folder.path().join("src/b/mod.rs");
    std::fs::write(&file, std::fs::read_to_string(&file).unwrap() + "use crate::a::A;\n").unwrap();
    let expected = "a circle of 2 modules:\n  a -> b: src/a.rs:2: crate::b::Thing in a\n  b -> a: src/b/mod.rs:5: crate::a::A in b\n";
    assert_eq!(report(folder.path(), folder.path()), expected);
}

#[test]
fn one_direction_is_no_circle() {
    for line in ["", "// crate::a::A", "use std::fmt;", "#[cfg(test)] mod tests { use crate::a::A; }"] {
        let folder = crate_with(line);
        assert_eq!(report(folder.path(), folder.path()), "", "{line}");
    }
}

/// All Rust files in a folder and the folders in it.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let rust = files.into_iter().filter(|file| file.extension().is_some_and(|extension| extension == "rs"));
    rust.chain(folders.iter().flat_map(|folder| sources(folder))).collect()
}

/// The compiler refuses `unsafe` wherever these attributes are; clippy wants the reason at each block.
#[test]
fn unsafe_code_stands_only_in_the_bridge() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let bridge = root.join("testbench/src/bridge.rs");
    for folder in crates(root) {
        let text = |file: &PathBuf| std::fs::read_to_string(file).unwrap();
        let attribute = match folder.ends_with("testbench") {
            true => "#![deny(unsafe_code, unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]\n",
            false => "#![forbid(unsafe_code)]\n",
        };
        let lib = root_file(&folder);
        assert!(text(&lib).contains(attribute), "{} lacks {attribute}", lib.display());
        let files = sources(&folder.join("src"));
        let allows = files.iter().find(|file| **file != bridge && text(file).contains("allow(unsafe"));
        assert!(allows.is_none(), "{}: unsafe code is for the bridge", allows.unwrap().display());
    }
}

/// A page is made from data, and data is read instead of the page. Tests alone look at tables of pages.
#[test]
fn no_source_reads_a_table_of_a_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let scripts = std::fs::read_dir(root.join("scripts")).unwrap().map(|entry| entry.unwrap().path());
    let rust = crates(root).into_iter().flat_map(|folder| sources(&folder.join("src")));
    for file in rust.chain(scripts.filter(|path| path.is_file())) {
        let text = std::fs::read_to_string(&file).unwrap();
        let found = text.lines().find(|line| READS_A_TABLE.iter().any(|call| line.contains(call)));
        assert!(found.is_none(), "{}: `{}`: read the rows in docs/data", file.display(), found.unwrap().trim());
    }
}

/// Calls that find the cells of a Markdown table in Rust and in Python.
const READS_A_TABLE: [&str; 7] = [
    "strip_prefix(\"| ",
    "starts_with(\"| ",
    "startswith(\"| ",
    "split('|')",
    "split(\" | \")",
    "trim_matches('|')",
    "match_indices('|')",
];
