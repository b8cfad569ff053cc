//! Runs Verilator and the C++ compiler: with progress, and with an end at an interruption.
//!
//! A tool gets a process group of its own. An interruption of the command reaches the tool through us alone, and takes the
//! processes with it that the tool has started.

use crate::error::{Error, Result};
use crate::watch::Watch;
use nix::sys::signal::{killpg, Signal};
use nix::unistd::Pid;
use std::io::{ErrorKind, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

/// Between two looks at a tool that runs.
const LOOK: Duration = Duration::from_millis(10);
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

/// What a tool has printed that ended well or badly.
pub(crate) struct Ended {
    pub success: bool,
    pub messages: String,
}

impl Work<'_> {
    /// Runs `command`, which is of `tool`, to its end and to that of its children.
    ///
    /// # Errors
    /// It cannot be started; an interruption. A tool that fails is no error here.
    pub fn run(&self, tool: &Tool, command: &mut Command) -> Result<Ended> {
        let (mut messages, output) = std::io::pipe()?;
        command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output).process_group(0);
        let child = command.spawn();
        // The pipe has an end when the tool and its children have: nobody else holds it.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = child.map_err(|error| match error.kind() {
            ErrorKind::NotFound => Error::MissingTool { tool: tool.name, package: tool.package },
            _ => Error::file(command.get_program())(error),
        })?;
        let reading = spawn(move || {
            let mut bytes = Vec::new();
            messages.read_to_end(&mut bytes).map(|_| bytes)
        });
        let status = self.wait(tool, &mut child);
        let bytes = reading.join().expect("reading does not panic")?;
        Ok(Ended { success: status?.success(), messages: String::from_utf8_lossy(&bytes).into_owned() })
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

/// Kills `child` and its children.
fn end(child: &mut Child) -> Result<()> {
    // It may have ended by itself meanwhile.
    let _ = killpg(Pid::from_raw(child.id() as i32), Signal::SIGKILL);
    child.wait()?;
    Ok(())
}
