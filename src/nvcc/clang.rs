//! Starts clang and shows what it says.

use crate::exit::MissingTool;
use crate::shell::shown;
use anyhow::{bail, Context, Result};
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// The names that a clang that fits may have.
const CLANGS: [&str; 2] = ["clang-14", "clang"];

/// Says which commands run, and whether they run at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Run {
    pub shows: bool,
    pub is_dry: bool,
}

impl Run {
    /// Runs clang. `what` names the work in a message.
    ///
    /// # Errors
    /// No clang; clang has not succeeded, and has said why on standard error.
    pub fn clang(self, what: &Path, arguments: &[String]) -> Result<()> {
        self.tool(name()?, what, arguments)
    }

    /// Runs clang as a linker of C++.
    pub fn linker(self, what: &Path, arguments: &[String]) -> Result<()> {
        self.tool(&name()?.replace("clang", "clang++"), what, arguments)
    }

    /// Runs another program.
    pub fn tool(self, program: &str, what: &Path, arguments: &[String]) -> Result<()> {
        if self.shows || self.is_dry {
            eprintln!("#$ {program} {}", arguments.iter().map(|word| shown(word)).collect::<Vec<_>>().join(" "));
        }
        if self.is_dry {
            return Ok(());
        }
        let status = Command::new(program).args(arguments).stdin(Stdio::null()).status();
        let status = match status {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(MissingTool(format!(
                    "{program} is not installed; on Debian: apt-get install clang-14 binutils"
                ))
                .into())
            }
            status => status.with_context(|| format!("{program} does not start"))?,
        };
        if !status.success() {
            bail!("{}: {program} does not compile or link it (see above)", what.display());
        }
        Ok(())
    }
}

/// Clang's answer on itself.
pub fn says(arguments: &[&str]) -> Option<String> {
    let output = Command::new(name().ok()?).args(arguments).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_string())
}

/// The first clang that is there.
fn name() -> Result<&'static str> {
    let starts =
        |name: &&&str| Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    static FOUND: OnceLock<Option<&'static str>> = OnceLock::new();
    let found = *FOUND.get_or_init(|| CLANGS.iter().find(starts).copied());
    found.ok_or_else(|| {
        MissingTool("clang, which compiles CUDA C++, is not installed; on Debian: apt-get install clang-14".into())
            .into()
    })
}
