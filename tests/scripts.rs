//! Scripts and what they leave: `interrupt.py` finds the same bytes after kills; `same.py` tells versions that count differently from versions that count the same; the timing diagrams of the pages are
//! what the Verilog does.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program that answers every command line as unruly does: with a result, or with Verilog.
fn program(folder: &Path, name: &str, version: &str, cycles: u32, verilog: &str) -> PathBuf {
    let result = format!(
        r#"{{"version": "{version}", "verified": true, "launches": [{{"cycles": 7}}, {{"cycles": {cycles}}}]}}"#
    );
    let text = format!(
        "#!/bin/sh\nwhile [ $# -gt 0 ]; do\n  case $1 in\n    --json) echo '{result}' > $2 ;;\n    --out) mkdir $2; echo '{verilog}' > $2/bank.v ;;\n  esac\n  shift\ndone\n"
    );
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// Exit code, standard output and standard error.
fn same(old: &Path, new: &Path) -> (Option<i32>, String, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/same.py");
    let output = Command::new(script).args([old, new]).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn versions_that_differ_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let program = |name, version, cycles, verilog| program(folder.path(), name, version, cycles, verilog);
    let old = program("old", "1", 100, "module bank;");
    let (code, said, _) = same(&old, &program("new", "2", 100, "module bank;"));
    assert_eq!(code, Some(0), "{said}");
    assert!(said.ends_with(" the same\n"), "{said}");
    let (code, said, _) = same(&old, &program("slow", "1", 101, "module bank;"));
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("  launches[1].cycles: 100 in OLD, 101 in NEW\n"), "{said}");
    let (code, said, _) = same(&old, &program("changed", "1", 100, "module bank2;"));
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("differs: verilog\n  bank.v: "), "{said}");
}

#[test]
fn what_is_no_version_is_named() {
    let (code, _, error) = same(Path::new("Cargo.toml"), Path::new("HEAD"));
    assert_eq!((code, error.lines().count()), (Some(2), 1), "{error}");
    assert!(error.contains("Cargo.toml: is no program"), "{error}");
    let (code, _, error) = same(Path::new("no-such-revision"), Path::new("HEAD"));
    assert_eq!((code, error.lines().count()), (Some(2), 1), "{error}");
    assert!(error.contains("no-such-revision: neither a file nor a git revision"), "{error}");
}

#[test]
fn timing_diagrams_are_as_the_verilog_has_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut waves = Command::new(root.join("scripts/waves.py"));
    let output = waves.args(["--check", "--unruly", env!("CARGO_BIN_EXE_unruly")]).current_dir(root).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The short form of `make interrupt`.
#[test]
fn a_sweep_that_is_killed_comes_to_the_same_bytes() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/interrupt.py");
    let unruly = env!("CARGO_BIN_EXE_unruly");
    let output = Command::new(script).args([unruly, "--kills", "5", "--only", "sweep"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.starts_with("sweep: 5 kills, ") && said.contains("\nsweep: two at once, the same bytes\n"), "{said}");
}
