//! Questions to abc: can the output of a circuit ever be high?

use crate::error::{Error, Result};
use crate::tool::Work;
use crate::watch::Watch;
use gen::tool::Program;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

const ABC: Program = Program { name: "yosys-abc", package: "yosys" };

/// What abc says of a circuit's output.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It is low in every cycle, however long the circuit runs.
    Never,
    /// With these inputs, a row for each cycle, it is high in the last one.
    After(Vec<Vec<bool>>),
    /// It is low in the first cycles, of this number; more was not found in the time.
    NotIn(u64),
}

/// `pdr`: finds a proof by induction, or a way to a high output.
///
/// # Errors
/// A missing tool; an interruption.
pub(crate) fn prove(directory: &Path, circuit: &[u8], seconds: u32, subject: &str) -> Result<Answer> {
    ask(directory, circuit, &format!("pdr -T {seconds}"), subject)
}

/// `bmc3`: looks at one cycle after another, and never finds a proof.
///
/// # Errors
/// Those of [`prove`].
pub(crate) fn search(directory: &Path, circuit: &[u8], seconds: u32, subject: &str) -> Result<Answer> {
    ask(directory, circuit, &format!("bmc3 -T {seconds}"), subject)
}

fn ask(directory: &Path, circuit: &[u8], question: &str, subject: &str) -> Result<Answer> {
    let path = |name: &str| directory.join(name);
    fs::write(path("question.aig"), circuit).map_err(Error::file(path("question.aig")))?;
    let _ = fs::remove_file(path("way"));
    let watch = Watch::of_this_process();
    let work = Work { subject, started: Instant::now(), watch: &watch };
    let script = format!("read_aiger question.aig; {question}; write_cex way");
    let output = work.run(&ABC, Command::new(ABC.name).current_dir(directory).args(["-c", &script]))?.output;
    if output.contains("Property proved") || output.contains("Explored all reachable states") {
        return Ok(Answer::Never);
    }
    if output.contains("was asserted in frame") {
        let way = fs::read_to_string(path("way")).map_err(Error::file(path("way")))?;
        return Ok(Answer::After(rows(&way, circuit)));
    }
    Ok(Answer::NotIn(bound(&output)))
}

/// Of `No output asserted in 5 frames.`
fn bound(output: &str) -> u64 {
    let rest = output.split("No output asserted in ").nth(1).unwrap_or_default();
    rest.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Inputs by cycle. The file has the first values of the latches, and then all inputs of each cycle, as digits in one line.
fn rows(way: &str, circuit: &[u8]) -> Vec<Vec<bool>> {
    let header = circuit.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let header = String::from_utf8_lossy(header);
    let mut numbers = header.split(' ').skip(2).map(|number| number.parse::<usize>().unwrap_or(0));
    let (inputs, latches) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    let bits: Vec<bool> = way.bytes().take_while(u8::is_ascii_digit).map(|digit| digit == b'1').collect();
    bits[latches.min(bits.len())..].chunks_exact(inputs.max(1)).map(<[bool]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The input two cycles late, and a latch that stays low.
    const LATE: &[u8] = b"aig 3 1 2 1 0\n2\n4\n6\n";
    const LOW: &[u8] = b"aig 2 1 1 1 0\n4\n4\n";

    #[test]
    fn both_ways_of_asking_find_proof_and_way() {
        let directory = tempfile::tempdir().unwrap();
        for ask in [prove, search] {
            let inputs = vec![vec![true], vec![false], vec![false]];
            assert_eq!(ask(directory.path(), LATE, 5, "late").unwrap(), Answer::After(inputs));
            assert_eq!(ask(directory.path(), LOW, 5, "low").unwrap(), Answer::Never);
        }
    }

    #[test]
    fn a_bound_is_read() {
        assert_eq!(bound("No output asserted in 5 frames. Resource limit reached (timeout 2 sec)."), 5);
        assert_eq!(bound("Property UNDECIDED."), 0);
    }
}
