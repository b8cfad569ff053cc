//! Runs Yosys in a folder, and reads the circuit that it writes there.

use crate::aig::Aig;
use crate::error::{Error, Result};
use crate::tool::Work;
use crate::watch::Watch;
use gen::tool::YOSYS;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// From a flat netlist whose memories are registers to [`aig`].
pub(crate) const AIG: &str = "simplemap; techmap; dfflegalize -cell $_DFF_P_ x; setundef -undriven -zero; aigmap; \
                              write_aiger -ascii -symbols question.aag";

/// Runs `script` in `directory`.
///
/// # Errors
/// Yosys is missing, or does not take the script: the message is its own.
pub(crate) fn run(directory: &Path, subject: &str, script: &str) -> Result<()> {
    let watch = Watch::of_this_process();
    let work = Work { subject, started: Instant::now(), watch: &watch };
    let mut command = Command::new(YOSYS.name);
    let ended = work.run(&YOSYS, command.current_dir(directory).args(["-q", "-p", script]))?;
    if ended.success {
        return Ok(());
    }
    let problem = ended.messages().lines().find(|line| line.contains("ERROR")).unwrap_or("no message").to_string();
    Err(gen::Error::Tool { tool: YOSYS.name, subject: subject.into(), problem }.into())
}

/// The circuit that `script` writes, which ends with [`AIG`].
///
/// # Errors
/// Errors of [`run`].
pub(crate) fn aig(directory: &Path, script: &str, subject: &str) -> Result<Aig> {
    run(directory, subject, script)?;
    let path = directory.join("question.aag");
    let text = fs::read_to_string(&path).map_err(Error::file(&path))?;
    let problem = || gen::Error::Tool {
        tool: YOSYS.name,
        subject: subject.into(),
        problem: "it wrote no circuit in the form of AIGER".into(),
    };
    Ok(Aig::parse(&text).ok_or_else(problem)?)
}
