//! A job array of Slurm. Partition, account and time limit come from Slurm's own variables: `SBATCH_PARTITION` and the like.

use super::{said, Array, Job, Standing};
use anyhow::{ensure, Result};
use std::process::Command;

const CURE: &str = "install Slurm's commands (Debian: slurm-client), or run this where jobs are submitted";
/// Unanswered questions in a row after which the cluster is given up: a controller may restart.
const PATIENCE: usize = 20;

pub struct SlurmJob {
    id: String,
    unanswered: usize,
}

pub fn submit(array: &Array) -> Result<SlurmJob> {
    let mut command = Command::new("sbatch");
    command.args(["--parsable", "--open-mode=truncate"]);
    command.arg(format!("--array={}", list(array.numbers))).arg(format!("--job-name={}", array.name));
    command.arg(format!("--cpus-per-task={}", array.cores));
    command.arg(format!("--output={}", array.logs.join("%a.log").display())).arg(array.script);
    let said = said(&mut command, CURE)?;
    let id = said.trim().split(';').next().unwrap_or_default().to_owned();
    ensure!(
        !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit()),
        "sbatch: `{}` is no number of a job",
        said.trim()
    );
    Ok(SlurmJob { id, unanswered: 0 })
}

/// `1-3,7`.
fn list(numbers: &[usize]) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let shown = |&(first, last): &(usize, usize)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    ranges.iter().map(shown).collect::<Vec<_>>().join(",")
}

impl Job for SlurmJob {
    fn name(&self) -> String {
        format!("Slurm job {}", self.id)
    }

    fn standing(&mut self) -> Result<Option<Standing>> {
        let mut command = Command::new("squeue");
        command.args(["--noheader", "--array", "--format=%T %r", "--jobs", &self.id]);
        match said(&mut command, CURE) {
            Ok(text) => {
                self.unanswered = 0;
                Ok(standing(&text))
            }
            // Slurm forgets a job some minutes after its end.
            Err(error) if error.to_string().contains("Invalid job id") => Ok(None),
            Err(error) if self.unanswered == PATIENCE => Err(error),
            Err(error) => {
                self.unanswered += 1;
                Ok(Some(Standing { running: 0, waiting: 0, why: error.to_string() }))
            }
        }
    }

    fn cancel(&mut self) -> &'static str {
        match said(Command::new("scancel").arg(&self.id), CURE) {
            Ok(_) => "the tasks are cancelled",
            Err(_) => "scancel does not answer, and the tasks may go on",
        }
    }
}

/// From a line `STATE reason` for each task that is not over.
fn standing(text: &str) -> Option<Standing> {
    let tasks: Vec<(&str, &str)> = text.lines().filter_map(|line| line.trim().split_once(' ')).collect();
    let waits = |state: &str| matches!(state, "PENDING" | "CONFIGURING" | "REQUEUED" | "REQUEUE_HOLD" | "SUSPENDED");
    let (waiting, running): (Vec<_>, Vec<_>) = tasks.iter().partition(|(state, _)| waits(state));
    let why = waiting.first().map_or("", |(_, reason)| reason.trim());
    let standing =
        Standing { running: running.len(), waiting: waiting.len(), why: why.trim_matches(['(', ')']).into() };
    (!tasks.is_empty()).then_some(standing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_is_a_list_of_ranges() {
        assert_eq!(list(&[1, 2, 3, 7, 9, 10]), "1-3,7,9-10");
        assert_eq!(list(&[4]), "4");
    }

    #[test]
    fn tasks_wait_or_run_or_are_over() {
        let found = standing("RUNNING None\nPENDING Resources\nCOMPLETING None\nPENDING Priority\n").unwrap();
        assert_eq!((found.running, found.waiting, found.why.as_str()), (2, 2, "Resources"));
        assert!(standing("").is_none() && standing("\n").is_none());
    }
}
