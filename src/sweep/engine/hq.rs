//! Tasks of HyperQueue, through its Python package: a child process submits them and says how they stand, a line each time.

use super::{missing, Array, Job, Standing};
use crate::exit::MissingTool;
use anyhow::{bail, Context, Result};
use serde::Deserialize;
use serde_json::json;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{channel, Receiver, TryRecvError};

const PROGRAM: &str = include_str!("hq_tasks.py");
const CURE: &str = "install Python, and `pip install hyperqueue`";
/// The exit code of the program where the package is missing.
const NO_PACKAGE: i32 = 3;

pub struct HqJob {
    id: u32,
    child: Child,
    lines: Receiver<String>,
    of: usize,
    done: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Submitted(u32),
    Over(usize),
}

pub fn submit(array: &Array) -> Result<HqJob> {
    let mut command = Command::new("python3");
    command.args(["-c", PROGRAM]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| missing("python3", error, CURE))?;
    let tasks = json!({
        "name": array.name, "script": array.script, "numbers": array.numbers, "cores": array.cores, "logs": array.logs,
    });
    // A child that does not read has ended, and says why.
    let _ = child.stdin.take().expect("a pipe").write_all(tasks.to_string().as_bytes());
    let (tell, lines) = channel();
    let said = BufReader::new(child.stdout.take().expect("a pipe"));
    std::thread::spawn(move || said.lines().map_while(|line| line.ok()).try_for_each(|line| tell.send(line)));
    match lines.recv().ok().map(|line| serde_json::from_str(&line)) {
        Some(Ok(Line::Submitted(id))) => Ok(HqJob { id, child, lines, of: array.numbers.len(), done: 0 }),
        _ => Err(failure(&mut child)),
    }
}

/// Why the child ended before its time.
fn failure(child: &mut Child) -> anyhow::Error {
    let mut text = String::new();
    let _ = child.stderr.take().expect("a pipe").read_to_string(&mut text);
    let code = child.wait().ok().and_then(|status| status.code());
    let line = text.trim().lines().last().unwrap_or("ended without a word");
    match code {
        Some(NO_PACKAGE) => MissingTool(format!("hyperqueue: {line}; {CURE}")).into(),
        _ => anyhow::anyhow!("hyperqueue: {line}"),
    }
}

impl Job for HqJob {
    fn name(&self) -> String {
        format!("HyperQueue job {}", self.id)
    }

    fn standing(&mut self) -> Result<Option<Standing>> {
        loop {
            match self.lines.try_recv() {
                Ok(line) => match serde_json::from_str(&line).with_context(|| format!("hyperqueue: {line}"))? {
                    Line::Over(done) => self.done = done,
                    Line::Submitted(_) => bail!("hyperqueue: {line}"),
                },
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) if self.child.wait().is_ok_and(|status| status.success()) => {
                    return Ok(None);
                }
                Err(TryRecvError::Disconnected) => return Err(failure(&mut self.child)),
            }
        }
        // The package does not say which tasks run.
        Ok(Some(Standing { running: self.of.saturating_sub(self.done), waiting: 0, why: String::new() }))
    }

    fn cancel(&mut self) -> &'static str {
        let _ = self.child.kill();
        let _ = self.child.wait();
        "HyperQueue goes on with the tasks (`hq job cancel` ends them)"
    }
}
