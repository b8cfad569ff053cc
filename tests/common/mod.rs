//! A page as a reader types it: files are written, commands run, in their order and unchanged.

pub mod command;
pub mod interrupt;

use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A folder in the checkout, whose verilated models it shares.
pub struct Desk(pub TempDir);

impl Desk {
    pub fn new() -> Self {
        Desk(TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap())
    }

    /// Runs a text with the command in front of all others.
    pub fn shell(&self, text: &str) -> Output {
        let command = std::path::Path::new(env!("CARGO_BIN_EXE_unruly")).parent().unwrap();
        let path = format!("{}:{}", command.display(), std::env::var("PATH").unwrap());
        let mut shell = Command::new("sh");
        shell.args(["-e", "-c", text]).current_dir(self.0.path()).env("PATH", &path).stdin(Stdio::null());
        shell.output().unwrap()
    }

    /// All that the page's commands say.
    pub fn type_page(&self, page: &str) -> String {
        let mut said = String::new();
        for (head, body) in blocks(page) {
            match head.split_once(' ') {
                Some((_, file)) if !file.contains('/') && file != "Cargo.toml" => {
                    std::fs::write(self.0.path().join(file), body).unwrap();
                }
                None if head == "sh" => {
                    let output = self.shell(body);
                    let hint = "clang-14 and python3 are needed: scripts/setup.sh installs them";
                    let error = String::from_utf8_lossy(&output.stderr);
                    assert!(output.status.success(), "{body}: {error} ({hint})");
                    said += &String::from_utf8_lossy(&output.stdout);
                }
                _ => {}
            }
        }
        said
    }
}

/// Blocks of code with the texts after their opening fences.
pub fn blocks(page: &str) -> impl Iterator<Item = (&str, &str)> {
    page.split("```").skip(1).step_by(2).map(|block| block.split_once('\n').unwrap())
}
