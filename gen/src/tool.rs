//! Runs the programs that reports need.

use crate::error::{Error, Result};
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

/// What `program` printed (standard output, then errors), run in `directory`.
///
/// # Errors
/// [`Error::MissingTool`] if it is not installed, [`Error::Tool`] with its own message if it fails.
pub fn run(
    program: &'static str,
    package: &'static str,
    args: &[&str],
    directory: &Path,
    subject: &str,
) -> Result<String> {
    let failed = |problem: String| Error::Tool { tool: program, subject: subject.into(), problem };
    let output = match Command::new(program).args(args).current_dir(directory).output() {
        Ok(output) => output,
        Err(e) if e.kind() == ErrorKind::NotFound => return Err(Error::MissingTool { tool: program.into(), package }),
        Err(e) => return Err(failed(e.to_string())),
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let complaint = text.lines().find(|l| l.starts_with("ERROR") || l.starts_with("Error"));
    match complaint {
        Some(line) => Err(failed(line.into())),
        None if !output.status.success() => Err(failed(text.lines().last().unwrap_or("no message").into())),
        None => Ok(text),
    }
}

pub const YOSYS: (&str, &str) = ("yosys", "yosys");
pub const STA: (&str, &str) = ("sta", "opensta");

/// `Yosys 0.23` and `OpenSTA 2.0.17`, as the programs say.
pub fn versions() -> Result<(String, String)> {
    let here = Path::new(".");
    let yosys = run(YOSYS.0, YOSYS.1, &["-V"], here, "-V")?;
    let yosys = yosys.split(" (").next().unwrap_or_default().trim().to_string();
    let sta = run(STA.0, STA.1, &["-version"], here, "-version")?;
    Ok((yosys, format!("OpenSTA {}", sta.trim())))
}
