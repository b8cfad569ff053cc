//! Runs other programs. A program gets a process group of its own: one that takes too long, or that the user interrupts, ends
//! with all that it started.

use crate::error::{Error, Result};
use nix::sys::signal::{killpg, Signal};
use nix::unistd::Pid;
use std::fs::File;
use std::io::{ErrorKind, Read, Seek};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The longest run of a program. The largest part of the catalogue takes Yosys minutes; only a program that hangs takes
/// an hour.
pub const LIMIT: Duration = Duration::from_secs(3600);
/// Between two samples of a running program.
const POLL: Duration = Duration::from_millis(10);
/// The longest wait for the children of a killed program to be gone, which takes the system a moment.
const DYING: Duration = Duration::from_secs(2);

/// A program and the Debian package that has it.
pub struct Program {
    pub name: &'static str,
    pub package: &'static str,
}

pub const YOSYS: Program = Program { name: "yosys", package: "yosys" };
pub const STA: Program = Program { name: "sta", package: "opensta" };

/// The way in which programs run.
#[derive(Clone, Copy)]
pub struct Tools<'a> {
    /// Once true, running programs are killed and no other starts.
    pub interrupt: &'a AtomicBool,
    /// The longest run of one program.
    pub limit: Duration,
    /// Called while a program runs, many times a second.
    pub tick: &'a (dyn Fn() + Sync),
}

impl Default for Tools<'_> {
    /// Without interrupt and tick.
    fn default() -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Tools { interrupt: &NEVER, limit: LIMIT, tick: &|| () }
    }
}

/// The output of a program that came to its end, well or badly.
pub struct Ended {
    pub success: bool,
    pub output: String,
    pub errors: String,
}

impl Ended {
    /// Standard output, then errors.
    pub fn messages(&self) -> String {
        format!("{}{}", self.output, self.errors)
    }
}

impl Tools<'_> {
    /// Runs `command`, which is of `program`, to its end. An interruption ends the program with all that it has started.
    ///
    /// # Errors
    /// [`Error::MissingTool`] if it is not installed, [`Error::Late`] if it takes longer than the limit,
    /// [`Error::Interrupted`]. A program that fails is no error here.
    pub fn execute(&self, program: &Program, command: &mut Command, subject: &str) -> Result<Ended> {
        let failed = |problem: String| Error::Tool { tool: program.name, subject: subject.into(), problem };
        let io = |e: std::io::Error| failed(e.to_string());
        let (mut output, mut errors) = (tempfile::tempfile().map_err(io)?, tempfile::tempfile().map_err(io)?);
        command.stdin(Stdio::null()).process_group(0);
        command.stdout(output.try_clone().map_err(io)?).stderr(errors.try_clone().map_err(io)?);
        let mut child = command.spawn().map_err(|e| match e.kind() {
            ErrorKind::NotFound => Error::MissingTool { tool: program.name, package: program.package },
            _ => io(e),
        })?;
        match self.wait(&mut child).map_err(io)? {
            End::Itself(status) => {
                let (output, errors) = (text(&mut output).map_err(io)?, text(&mut errors).map_err(io)?);
                Ok(Ended { success: status.success(), output, errors })
            }
            End::Interrupted => Err(Error::Interrupted),
            End::Late => {
                Err(Error::Late { tool: program.name, subject: subject.into(), seconds: self.limit.as_secs_f64() })
            }
        }
    }

    /// The output of `program`, run in `directory`.
    ///
    /// # Errors
    /// Errors of [`Self::execute`]; [`Error::Tool`] with its own message if it fails.
    pub fn run(&self, program: &Program, args: &[&str], directory: &Path, subject: &str) -> Result<String> {
        let mut command = Command::new(program.name);
        let ended = self.execute(program, command.args(args).current_dir(directory), subject)?;
        let (success, output) = (ended.success, ended.messages());
        // OpenSTA tells of a library on the one, and of what then cannot be done on the other.
        let mut lines = ended.errors.lines().chain(ended.output.lines());
        let failed =
            |line: &str| Err(Error::Tool { tool: program.name, subject: subject.into(), problem: line.into() });
        let complaint = lines.find(|l| l.starts_with("ERROR") || l.starts_with("Error"));
        match complaint {
            Some(line) => failed(line),
            None if !success => failed(output.lines().last().unwrap_or("no message")),
            None => Ok(output),
        }
    }

    fn wait(&self, child: &mut Child) -> std::io::Result<End> {
        let started = Instant::now();
        let end = loop {
            if self.interrupt.load(Ordering::Relaxed) {
                break End::Interrupted;
            }
            if let Some(status) = child.try_wait()? {
                return Ok(End::Itself(status));
            }
            if started.elapsed() > self.limit {
                break End::Late;
            }
            (self.tick)();
            std::thread::sleep(POLL);
        };
        // Its children are in its group. It may have ended by itself meanwhile.
        let group = Pid::from_raw(child.id() as i32);
        let _ = killpg(group, Signal::SIGKILL);
        child.wait()?;
        let killed = Instant::now();
        while killpg(group, None).is_ok() && killed.elapsed() < DYING {
            std::thread::sleep(POLL);
        }
        Ok(end)
    }
}

/// The end of a program's run.
enum End {
    Itself(ExitStatus),
    Interrupted,
    Late,
}

fn text(file: &mut File) -> std::io::Result<String> {
    let mut bytes = vec![];
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// `Yosys 0.23` and `OpenSTA 2.0.17`, as the programs say.
pub fn versions() -> Result<(String, String)> {
    let (tools, here) = (Tools::default(), Path::new("."));
    let yosys = tools.run(&YOSYS, &["-V"], here, "-V")?;
    let yosys = yosys.split(" (").next().unwrap_or_default().trim().to_string();
    let sta = tools.run(&STA, &["-version"], here, "-version")?;
    Ok((yosys, format!("OpenSTA {}", sta.trim())))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHELL: Program = Program { name: "sh", package: "dash" };

    /// Runs a shell that leaves its own and its child's process numbers in a file, then sleeps.
    fn sleeper(tools: &Tools) -> (String, Vec<i32>) {
        let directory = tempfile::tempdir().unwrap();
        let script = "sleep 60 & echo $$ $! > pids; mv pids ready; wait";
        let error = tools.run(&SHELL, &["-c", script], directory.path(), "script").unwrap_err();
        let pids = std::fs::read_to_string(directory.path().join("ready")).unwrap();
        (error.to_string(), pids.split_whitespace().map(|pid| pid.parse().unwrap()).collect())
    }

    /// A killed orphan stays in the table until its new parent has taken note of its end.
    fn assert_gone(pid: i32) {
        let stat = || std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let gone = || stat().rsplit(')').next().is_none_or(|rest| rest.is_empty() || rest.starts_with(" Z"));
        let started = Instant::now();
        while !gone() {
            assert!(started.elapsed() < Duration::from_secs(10), "{pid} lives: {}", stat());
            std::thread::sleep(POLL);
        }
    }

    #[test]
    fn a_program_that_hangs_is_killed_with_its_children() {
        let (error, pids) = sleeper(&Tools { limit: Duration::from_secs(2), ..Tools::default() });
        assert_eq!(error, "sh failed on script: it did not end within 2 s");
        assert_eq!(pids.len(), 2);
        pids.into_iter().for_each(assert_gone);
    }

    #[test]
    fn an_interrupt_kills_a_program_with_its_children() {
        let (interrupt, ticks) = (AtomicBool::new(false), AtomicBool::new(false));
        let started = Instant::now();
        let tick = || {
            ticks.store(true, Ordering::Relaxed);
            interrupt.store(started.elapsed() > Duration::from_secs(2), Ordering::Relaxed);
        };
        let (error, pids) = sleeper(&Tools { interrupt: &interrupt, tick: &tick, ..Tools::default() });
        assert_eq!((error.as_str(), ticks.into_inner()), ("interrupted", true));
        pids.into_iter().for_each(assert_gone);
    }

    #[test]
    fn output_and_failure_are_told() {
        let run = |script: &str| Tools::default().run(&SHELL, &["-c", script], Path::new("."), "script");
        assert_eq!(run("echo errors >&2; echo output").unwrap(), "output\nerrors\n");
        assert_eq!(run("echo all is lost; exit 1").unwrap_err().to_string(), "sh failed on script: all is lost");
        assert_eq!(
            run("echo ERROR: no such cell").unwrap_err().to_string(),
            "sh failed on script: ERROR: no such cell"
        );
        let both = run("echo Error: a library, line 14 >&2; echo Error: so there is no path");
        assert_eq!(both.unwrap_err().to_string(), "sh failed on script: Error: a library, line 14");
        let none = Program { name: "no-such-program", package: "none" };
        assert!(Tools::default().run(&none, &[], Path::new("."), "x").unwrap_err().is_missing_tool());
    }
}
