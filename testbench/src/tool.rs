//! Runs Verilator and the C++ compiler: with progress, and with an end at an interruption.
//!
//! A tool gets a process group of its own. An interruption of the command reaches the tool through us alone, and takes the
//! processes with it that the tool has started.

use crate::error::{Error, Result};
use crate::watch::Watch;
use nix::sys::signal::{killpg, Signal};
use nix::unistd::Pid;
use std::fs::File;
use std::io::{ErrorKind, Read, Seek};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Between two looks at a tool that runs.
const LOOK: Duration = Duration::from_millis(10);
/// For the children of a killed tool to be gone. Where nobody collects them, they seem to be there for ever.
const DYING: Duration = Duration::from_secs(2);
/// Between two lines of progress.
const LINE: Duration = Duration::from_millis(250);

/// A program and the Debian package that has it.
pub(crate) struct Tool {
    pub name: &'static str,
    pub package: &'static str,
}

/// What is being made, since when.
pub(crate) struct Work<'a> {
    pub subject: &'a str,
    pub started: Instant,
    pub watch: &'a Watch,
}

/// What a tool that ended well or badly has printed.
pub(crate) struct Ended {
    pub success: bool,
    pub messages: String,
}

impl Work<'_> {
    /// Runs `command`, which is of `tool`, to its end.
    ///
    /// # Errors
    /// It cannot be started; an interruption. A tool that fails is no error here.
    pub fn run(&self, tool: &Tool, command: &mut Command) -> Result<Ended> {
        let mut messages = tempfile::tempfile()?;
        let output = |file: &File| file.try_clone().map(Stdio::from);
        command.stdin(Stdio::null()).stdout(output(&messages)?).stderr(output(&messages)?).process_group(0);
        let mut child = command.spawn().map_err(|error| match error.kind() {
            ErrorKind::NotFound => Error::MissingTool { tool: tool.name, package: tool.package },
            _ => Error::file(command.get_program())(error),
        })?;
        let status = self.wait(tool, &mut child)?;
        messages.rewind()?;
        let mut bytes = Vec::new();
        messages.read_to_end(&mut bytes)?;
        Ok(Ended { success: status.success(), messages: String::from_utf8_lossy(&bytes).into_owned() })
    }

    fn wait(&self, tool: &Tool, child: &mut Child) -> Result<ExitStatus> {
        let mut next_line = Instant::now();
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(status);
            }
            if self.watch.is_interrupted() {
                end(child)?;
                return Err(Error::Interrupted);
            }
            if Instant::now() >= next_line {
                next_line += LINE;
                self.say(tool);
            }
            sleep(LOOK);
        }
    }

    fn say(&self, tool: &Tool) {
        let seconds = self.started.elapsed().as_secs();
        self.watch.say(&format!("building {}: {}, {seconds} s", self.subject, tool.name));
    }
}

/// Kills `child` and its children, and waits until none of them can write a file any more.
fn end(child: &mut Child) -> Result<()> {
    let group = Pid::from_raw(child.id() as i32);
    // It may have ended by itself meanwhile.
    let _ = killpg(group, Signal::SIGKILL);
    child.wait()?;
    let killed = Instant::now();
    while killpg(group, None).is_ok() && killed.elapsed() < DYING {
        sleep(LOOK);
    }
    Ok(())
}
