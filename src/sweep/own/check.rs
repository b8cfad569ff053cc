//! The check of the files that a kernel has written.

use super::entry::CheckEntry;
use crate::digest::sha256;
use anyhow::{bail, ensure, Context, Result};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The word for the plan's folder in a command.
const PLAN: &str = "{plan}";

/// A check whose files have been read.
pub enum Check {
    Command {
        words: Vec<String>,
        folder: PathBuf,
        files: BTreeMap<String, String>,
    },
    /// By written file: what it is compared with, and what that holds.
    Files(BTreeMap<String, (PathBuf, Vec<u8>)>),
}

/// The inputs of a check's result.
#[derive(Serialize)]
pub enum Contents<'a> {
    /// Words, and the SHA-256 of the files that they name.
    Command(&'a [String], &'a BTreeMap<String, String>),
    /// SHA-256 of what each written file must hold.
    Files(BTreeMap<&'a str, String>),
}

impl Check {
    /// `folder` is the plan's, `written` the files of the kernel's arguments.
    ///
    /// # Errors
    /// Files that are not there; nothing that is checked.
    pub fn open(entry: &CheckEntry, folder: &Path, written: &[&Path]) -> Result<Check> {
        let read = |file: &Path| {
            let path = folder.join(file);
            std::fs::read(&path).with_context(|| format!("{}: cannot read", path.display()))
        };
        match entry {
            CheckEntry::Command(words) => {
                ensure!(words.first().is_some_and(|word| !word.is_empty()), "is empty; write a command");
                let named = words.iter().filter_map(|word| word.strip_prefix(PLAN)?.strip_prefix('/'));
                let files = named.map(|name| Ok((name.to_owned(), sha256(&read(Path::new(name))?))));
                let files = files.collect::<Result<_>>()?;
                let folder = Path::new(".").join(folder).canonicalize().context("the plan's folder")?;
                Ok(Check::Command { words: words.clone(), folder, files })
            }
            CheckEntry::Files(files) => {
                ensure!(!files.is_empty(), "is empty; name a file that an argument writes");
                if let Some(other) = files.keys().find(|name| !written.contains(&Path::new(name))) {
                    bail!("{other}: no argument writes this file");
                }
                let open = |(name, right): (&String, &PathBuf)| Ok((name.clone(), (right.clone(), read(right)?)));
                Ok(Check::Files(files.iter().map(open).collect::<Result<_>>()?))
            }
        }
    }

    pub fn contents(&self) -> Contents<'_> {
        match self {
            Check::Command { words, files, .. } => Contents::Command(words, files),
            Check::Files(files) => {
                Contents::Files(files.iter().map(|(name, (_, right))| (name.as_str(), sha256(right))).collect())
            }
        }
    }

    /// Mistakes of the files in a folder; `None`: they are right.
    ///
    /// # Errors
    /// A command that does not start.
    pub fn run(&self, written: &Path) -> Result<Option<String>> {
        match self {
            Check::Command { words, folder, .. } => command(words, folder, written),
            Check::Files(files) => files.iter().find_map(|(name, right)| compare(name, right, written)).transpose(),
        }
    }
}

fn command(words: &[String], plan: &Path, written: &Path) -> Result<Option<String>> {
    let words_here: Vec<_> = words.iter().map(|word| word.replace(PLAN, &plan.display().to_string())).collect();
    let mut command = Command::new(&words_here[0]);
    command.args(&words_here[1..]).current_dir(written).stdin(Stdio::null());
    let output = command.output().with_context(|| format!("check: {} does not start", words[0]))?;
    if output.status.success() {
        return Ok(None);
    }
    let (stderr, stdout) = (String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
    let last =
        [stderr, stdout].iter().find_map(|text| text.lines().rfind(|line| !line.trim().is_empty()).map(str::to_owned));
    let said = last.map_or(String::new(), |line| format!(": {}", line.trim()));
    Ok(Some(format!("the check `{}` says that the result is wrong ({}){said}", words.join(" "), output.status)))
}

/// The first byte that differs.
fn compare(name: &str, (right_name, right): &(PathBuf, Vec<u8>), written: &Path) -> Option<Result<String>> {
    let found = match std::fs::read(written.join(name)) {
        Ok(found) => found,
        Err(error) => return Some(Err(error).with_context(|| format!("{name}: cannot read"))),
    };
    let right_name = right_name.display();
    if found.len() != right.len() {
        return Some(Ok(format!("{name} has {} bytes, and {right_name} has {}", found.len(), right.len())));
    }
    let place = found.iter().zip(right).position(|(found, right)| found != right)?;
    let (found, right) = (found[place], right[place]);
    Some(Ok(format!("{name} is wrong: its byte {place} is {found:#04x}, and in {right_name} it is {right:#04x}")))
}
