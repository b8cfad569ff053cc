//! What an error means to the shell.

use anyhow::{Context, Result};
use clap::error::ErrorKind;
use std::fmt;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

const CHECK_FAILED: u8 = 1;
const BAD_INPUT: u8 = 2;
const MISSING_TOOL: u8 = 3;
const INTERRUPTED: u8 = 130;

/// The command did its work and found something wrong: a wrong result, a difference, a stale file.
#[derive(Debug)]
pub struct CheckFailed(pub String);

impl fmt::Display for CheckFailed {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}
impl std::error::Error for CheckFailed {}

/// The cure is to install something.
#[derive(Debug)]
pub struct MissingTool(pub String);

impl fmt::Display for MissingTool {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}
impl std::error::Error for MissingTool {}

/// With more lines about what was interrupted, each behind a line break, if there is something to say.
#[derive(Debug, Default)]
pub struct Interrupted(pub String);

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "interrupted; there is no result{}", self.0)
    }
}
impl std::error::Error for Interrupted {}

/// Interrupted, but not for nothing.
#[derive(Debug)]
pub struct Paused(pub String);

impl fmt::Display for Paused {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "interrupted; {}", self.0)
    }
}
impl std::error::Error for Paused {}

/// The command ran a program of the user's, which did not end with 0. There is nothing to say of it that it has not said itself,
/// unless there is a text.
#[derive(Debug)]
pub struct ProgramEnded {
    pub code: u8,
    pub text: String,
}

impl fmt::Display for ProgramEnded {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.text.as_str() {
            "" => write!(f, "the program ended with exit code {}", self.code),
            text => f.write_str(text),
        }
    }
}
impl std::error::Error for ProgramEnded {}

/// Becomes true at Ctrl-C, which from now on ends nothing by itself: whoever asks for the flag looks at it.
pub fn interrupt_flag() -> Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = flag.clone();
    ctrlc::set_handler(move || set.store(true, Ordering::Relaxed)).context("Ctrl-C handler")?;
    Ok(flag)
}

/// One line on standard error and the exit code; see `unruly --help`.
pub fn report(result: Result<()>) -> ExitCode {
    let Err(error) = result else { return ExitCode::SUCCESS };
    if !error.downcast_ref::<ProgramEnded>().is_some_and(|ended| ended.text.is_empty()) {
        eprintln!("unruly: {}", text(&error));
    }
    ExitCode::from(code(&error))
}

/// Ends the command: a value that is wrong is one line on standard error, the rest (also `--help`) is clap's.
pub fn usage(error: &clap::Error) -> ! {
    if error.kind() == ErrorKind::ValueValidation {
        let text = error.to_string();
        let line = text.lines().next().unwrap_or_default();
        eprintln!("unruly: {}", line.trim_start_matches("error: "));
        std::process::exit(BAD_INPUT.into());
    }
    error.exit()
}

/// What standard error says of it.
pub fn text(error: &anyhow::Error) -> String {
    format!("{error:#}").trim_end().to_owned()
}

/// See `unruly --help`.
pub fn code(error: &anyhow::Error) -> u8 {
    let missing_tool = |cause: &(dyn std::error::Error + 'static)| {
        cause.is::<MissingTool>()
            || cause.downcast_ref::<gen::Error>().is_some_and(gen::Error::is_missing_tool)
            || cause.downcast_ref::<testbench::Error>().is_some_and(testbench::Error::is_missing_tool)
    };
    let finding = |cause: &(dyn std::error::Error + 'static)| {
        cause.is::<testbench::in_gpu::NotEqual>()
            || cause.downcast_ref::<testbench::Error>().is_some_and(testbench::Error::is_finding)
    };
    let built = error.downcast_ref::<testbench::Error>();
    let interrupted_build = built.is_some_and(|cause| matches!(cause, testbench::Error::Interrupted));
    if let Some(ended) = error.downcast_ref::<ProgramEnded>() {
        ended.code
    } else if error.is::<CheckFailed>() || error.chain().any(finding) {
        CHECK_FAILED
    } else if error.is::<Interrupted>() || error.is::<Paused>() || interrupted_build {
        INTERRUPTED
    } else if error.chain().any(missing_tool) {
        MISSING_TOOL
    } else {
        BAD_INPUT
    }
}
