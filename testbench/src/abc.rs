//! Questions to abc: can the output of a circuit ever be high?

use crate::aig::{Binary, Builder, FALSE, TRUE};
use crate::error::{Error, Result};
use crate::tool::Work;
use crate::watch::Watch;
use gen::tool::Program;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

const ABC: Program = Program { name: "yosys-abc", package: "yosys" };

/// The longest run of a question of so many seconds: `scorr` has no limit of its own, and `pdr` overruns its limit.
pub(crate) fn longest(seconds: u32) -> Duration {
    Duration::from_secs(3 * u64::from(seconds) + 5)
}

/// Answer of abc about a circuit's output.
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
pub(crate) fn prove(directory: &Path, circuit: &Binary, seconds: u32, subject: &str) -> Result<Answer> {
    ask(directory, circuit, &format!("pdr -T {seconds}"), seconds, subject)
}

/// `bmc3`: looks at one cycle after another, and never finds a proof.
///
/// # Errors
/// Errors of [`prove`].
pub(crate) fn search(directory: &Path, circuit: &Binary, seconds: u32, subject: &str) -> Result<Answer> {
    ask(directory, circuit, &format!("bmc3 -T {seconds}"), seconds, subject)
}

/// Values of the inputs for which two lists differ in some place; nothing where abc finds none. The circuit of `into` has one
/// register, which is not used: abc asks about circuits with registers.
///
/// # Errors
/// Errors of [`prove`].
pub(crate) fn difference(
    directory: &Path,
    mut into: Builder,
    [one, other]: [&[u32]; 2],
    seconds: u32,
    subject: &str,
) -> Result<Option<Vec<u32>>> {
    let differs = one.iter().zip(other).fold(FALSE, |any, (&one, &other)| {
        let differs = into.xor(one, other);
        into.or(any, differs)
    });
    let Answer::After(rows) = search(directory, &into.binary(&[FALSE], &[differs]), seconds, subject)? else {
        return Ok(None);
    };
    Ok(Some(rows[0].iter().map(|&bit| if bit { TRUE } else { FALSE }).collect()))
}

/// [`search`] in the first so many cycles.
///
/// # Errors
/// Errors of [`prove`].
pub(crate) fn in_the_first(
    directory: &Path,
    circuit: &Binary,
    cycles: u64,
    seconds: u32,
    subject: &str,
) -> Result<Answer> {
    ask(directory, circuit, &format!("bmc3 -F {cycles} -T {seconds}"), seconds, subject)
}

/// Cycles that [`behind_reset`] looks at.
pub(crate) const BEHIND_RESET: u64 = 2;

/// [`search`] in the first cycle and the one behind it.
///
/// # Errors
/// Errors of [`prove`].
pub(crate) fn behind_reset(directory: &Path, circuit: &Binary, seconds: u32, subject: &str) -> Result<Answer> {
    in_the_first(directory, circuit, BEHIND_RESET, seconds, subject)
}

/// `pdr` on what `scorr` leaves: registers that are always equal become one. Finds that two like circuits do the same.
///
/// # Errors
/// Errors of [`prove`].
pub(crate) fn compare(directory: &Path, circuit: &Binary, seconds: u32, subject: &str) -> Result<Answer> {
    ask(directory, circuit, &format!("scorr; pdr -T {seconds}"), seconds, subject)
}

/// Answer of abc about two circuits without registers.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Equality {
    Same,
    Different,
    /// Not found in the time.
    Open,
}

/// Outputs of two circuits are the same for all inputs; both have the same number of each.
///
/// # Errors
/// Errors of [`prove`].
pub(crate) fn same(directory: &Path, circuits: [&[u8]; 2], seconds: u32, subject: &str) -> Result<Equality> {
    for (name, circuit) in ["one.aig", "other.aig"].iter().zip(circuits) {
        fs::write(directory.join(name), circuit).map_err(Error::file(directory.join(name)))?;
    }
    let script = format!("&read one.aig; &cec -T {seconds} -C 100000 other.aig");
    let Some(output) = run(directory, &script, seconds, subject)? else { return Ok(Equality::Open) };
    Ok(match output {
        output if output.contains("NOT EQUIVALENT") => Equality::Different,
        output if output.contains("are equivalent") => Equality::Same,
        _ => Equality::Open,
    })
}

/// Messages of abc; none if it takes too long.
fn run(directory: &Path, script: &str, seconds: u32, subject: &str) -> Result<Option<String>> {
    let watch = Watch::of_this_process();
    let work = Work { subject, started: Instant::now(), watch: &watch };
    let mut command = Command::new(ABC.name);
    match work.run_within(longest(seconds), &ABC, command.current_dir(directory).args(["-c", script])) {
        Err(Error::Elaborate(gen::Error::Late { .. })) => Ok(None),
        ended => Ok(Some(ended?.messages())),
    }
}

fn ask(directory: &Path, circuit: &Binary, question: &str, seconds: u32, subject: &str) -> Result<Answer> {
    let path = |name: &str| directory.join(name);
    fs::write(path("question.aig"), &circuit.bytes).map_err(Error::file(path("question.aig")))?;
    let _ = fs::remove_file(path("way"));
    let script = format!("read_aiger question.aig; {question}; write_cex way");
    let Some(output) = run(directory, &script, seconds, subject)? else { return Ok(Answer::NotIn(0)) };
    if output.contains("Property proved") || output.contains("Explored all reachable states") {
        return Ok(Answer::Never);
    }
    if let Some(last) = number_behind(&output, "was asserted in frame ") {
        let way = fs::read_to_string(path("way")).map_err(Error::file(path("way")))?;
        return Ok(Answer::After(rows(&way, last as usize + 1, circuit)));
    }
    Ok(Answer::NotIn(number_behind(&output, "No output asserted in ").unwrap_or(0)))
}

/// Number in `No output asserted in 5 frames.`
fn number_behind(output: &str, words: &str) -> Option<u64> {
    let digits: String = output.split_once(words)?.1.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Inputs by cycle, those that have no effect low. The file has the first values of the latches and then all inputs of each cycle, as digits
/// in one line.
fn rows(way: &str, cycles: usize, circuit: &Binary) -> Vec<Vec<bool>> {
    let bits: Vec<bool> = way.bytes().take_while(u8::is_ascii_digit).map(|digit| digit == b'1').collect();
    let inputs = circuit.inputs.iter().filter(|is_there| **is_there).count();
    let mut bits = bits[bits.len().saturating_sub(cycles * inputs)..].iter().copied();
    let mut row = || circuit.inputs.iter().map(|&is_there| is_there && bits.next().unwrap_or(false)).collect();
    (0..cycles).map(|_| row()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The input two cycles late, and a latch that stays low.
    const LATE: &[u8] = b"aig 3 1 2 1 0\n2\n4\n6\n";
    const LOW: &[u8] = b"aig 2 1 1 1 0\n4\n4\n";

    fn binary(bytes: &[u8]) -> Binary {
        Binary { bytes: bytes.into(), inputs: vec![true] }
    }

    #[test]
    fn both_ways_of_asking_find_proof_and_way() {
        let directory = tempfile::tempdir().unwrap();
        for ask in [prove, search, compare] {
            let inputs = vec![vec![true], vec![false], vec![false]];
            assert_eq!(ask(directory.path(), &binary(LATE), 5, "late").unwrap(), Answer::After(inputs));
            assert_eq!(ask(directory.path(), &binary(LOW), 5, "low").unwrap(), Answer::Never);
        }
    }

    #[test]
    fn equal_circuits_are_told_from_others() {
        let directory = tempfile::tempdir().unwrap();
        let [and, or] = [b"aig 3 2 0 1 1\n6\n\x02\x02", b"aig 3 2 0 1 1\n7\n\x01\x02"];
        assert_eq!(same(directory.path(), [and, and], 5, "and").unwrap(), Equality::Same);
        assert_eq!(same(directory.path(), [and, or], 5, "or").unwrap(), Equality::Different);
    }

    #[test]
    fn inputs_without_effect_are_low() {
        let circuit = Binary { bytes: vec![], inputs: vec![true, false, true] };
        assert_eq!(rows("01101 ", 2, &circuit), [[true, false, true], [false, false, true]]);
        let without = Binary { bytes: vec![], inputs: vec![false] };
        assert_eq!(rows("0", 2, &without), [[false], [false]]);
    }

    #[test]
    fn a_bound_is_read() {
        let bound = |output| number_behind(output, "No output asserted in ");
        assert_eq!(bound("No output asserted in 5 frames. Resource limit reached (timeout 2 sec)."), Some(5));
        assert_eq!(bound("Property UNDECIDED."), None);
    }
}
