//! Whole programs: each .cu of `programs/` is compiled with `unruly nvcc`, run with `unruly exec`, and checks itself on the CPU.
//!
//! A line `// nvcc: ...` in a program has more options for the compiler, a line `// exec: ...` has some for `unruly exec`.

#[allow(dead_code, reason = "a part of it is needed here")]
#[path = "common/command.rs"]
mod command;

use command::{succeeds, unruly};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tempfile::TempDir;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let trial = |path: PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Trial::test(name, move || passes(&path))
    };
    libtest_mimic::run(&arguments, programs().into_iter().map(trial).collect()).exit_code()
}

fn programs() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs");
    let entries = std::fs::read_dir(folder).expect(folder).map(|entry| entry.expect(folder).path());
    let mut programs: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "cu")).collect();
    programs.sort();
    programs
}

fn passes(source: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(source)?;
    let options = |mark: &str| text.lines().find_map(|line| line.strip_prefix(mark)).unwrap_or_default().to_string();
    let folder = TempDir::new()?;
    let program = folder.path().join("prog");
    succeeds(unruly(&format!("nvcc -O1 {}", options("// nvcc:"))).arg(source).arg("-o").arg(&program));
    let said = succeeds(unruly(&format!("exec {}", options("// exec:"))).arg(&program).current_dir(folder.path()));
    match said.trim_end().ends_with("PASS") {
        true => Ok(()),
        false => Err(format!("does not end with PASS:\n{said}").into()),
    }
}
