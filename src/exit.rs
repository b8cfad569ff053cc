//! The meaning of an error to the shell.

use anyhow::{Context, Result};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::fmt;
use std::io::Write;
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
    let Err(error) = result else { return printed() };
    if !error.downcast_ref::<ProgramEnded>().is_some_and(|ended| ended.text.is_empty()) {
        eprintln!("unruly: {}", text(&error));
    }
    ExitCode::from(code(&error))
}

/// All of standard output is where it goes.
fn printed() -> ExitCode {
    let flushed = std::io::stdout().flush();
    flushed.map_or_else(|problem| ExitCode::from(cannot_print(&problem) as u8), |()| ExitCode::SUCCESS)
}

/// Ends the command: what is wrong with its words is one line on standard error, and help is clap's.
pub fn usage(error: &clap::Error) -> ! {
    use ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion};
    let is_help = [DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion].contains(&error.kind());
    if !is_help {
        eprintln!("unruly: {}", usage_text(error));
        std::process::exit(BAD_INPUT.into());
    }
    let printed = error.print().and_then(|()| std::io::stdout().flush());
    std::process::exit(printed.map_or_else(|problem| cannot_print(&problem), |()| error.exit_code()))
}

/// The fault in the words of a command, in one line.
pub fn usage_text(error: &clap::Error) -> String {
    let text = error.to_string();
    let lines: Vec<_> = text.lines().take_while(|line| !line.is_empty()).map(str::trim).collect();
    let (first, more) = lines.split_first().unwrap_or((&"", &[]));
    let mut text = format!("{} {}", first.trim_start_matches("error: "), more.join(", ")).trim_end().to_owned();
    if error.kind() == ErrorKind::ValueValidation {
        return text;
    }
    let meant = [ContextKind::SuggestedArg, ContextKind::SuggestedValue, ContextKind::SuggestedSubcommand];
    let meant = meant.into_iter().find_map(|kind| match error.get(kind)? {
        ContextValue::String(name) => Some(name.clone()),
        ContextValue::Strings(names) => names.first().cloned(),
        _ => None,
    });
    text += &meant.map_or_else(|| "; see".into(), |name| format!("; did you mean `{name}`? See"));
    let command = std::env::args().nth(1).filter(|word| !word.starts_with('-'));
    let command = command.filter(|_| error.kind() != ErrorKind::InvalidSubcommand);
    let command = command.map_or_else(String::new, |name| format!(" {name}"));
    text + &format!(" `unruly{command} --help`")
}

/// Standard output that takes no more, such as a file on a full disk, ends the command in one line: `print!` panics in it.
pub fn watch_output() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let text = panic.payload_as_str().unwrap_or_default();
        match text.strip_prefix("failed printing to ") {
            Some(problem) => std::process::exit(cannot_print(&problem)),
            None => usual(panic),
        }
    }));
}

/// The exit code.
fn cannot_print(problem: &dyn fmt::Display) -> i32 {
    // Standard error may be what takes no more.
    let _ = writeln!(std::io::stderr(), "unruly: cannot print: {problem}");
    BAD_INPUT.into()
}

/// The text of an error on standard error.
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
