//! The input trace that a difference leaves behind: a text file that replays it.
//!
//! ```text
//! unruly-trace 1
//! unit bank
//! module hwwl_bank_e32
//! parameter entries 32
//! seed 17                        state that reset leaves open is filled from this
//! inputs configure double_buffer swap pull push push_id wru_pop wru_push wru_part wru_id
//! 3 0 0 0 0 1 1f 0 0 0 0         three cycles with these inputs, in hex
//! reset                          one cycle with reset high, all inputs low
//! reset 0 1 0 1 0 0 2c 0 0 0 0   one cycle with reset high beside these inputs
//! 1 0 0 0 1 0 0 0 0 0 0
//! ```
//!
//! Before the first line of cycles both bodies have had one cycle of reset. An input of more than 64 bits takes several
//! numbers, least significant first. The difference shows in the outputs after the last cycle.

use crate::error::{Error, Result};
use crate::input_log::InputLog;
use hdl::catalog::Instance;
use output::Output;
use sim::unit::{words, Interface, Pin};
use std::fmt::Write as _;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;

const MAGIC: &str = "unruly-trace 1";

/// Unit of a trace, and the state from which it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    pub unit: String,
    pub module: String,
    pub parameters: Vec<(String, u64)>,
    pub seed: u64,
}

impl Subject {
    /// The head of a trace of `instance`.
    pub fn of(instance: &Instance, seed: u64) -> Self {
        let parameters = instance.parameters.iter().map(|(name, value)| (name.to_string(), *value)).collect();
        Subject { unit: instance.unit.into(), module: instance.module.clone(), parameters, seed }
    }

    /// As the catalogue takes them.
    pub fn parameters(&self) -> Vec<(&str, u64)> {
        self.parameters.iter().map(|(name, value)| (name.as_str(), *value)).collect()
    }
}

/// A trace file, read.
pub struct Trace {
    pub subject: Subject,
    pub log: InputLog,
}

fn names(pins: &[Pin]) -> String {
    pins.iter().map(|pin| pin.name.as_str()).collect::<Vec<_>>().join(" ")
}

/// Writes `log` as the trace file `path`, whole or not at all.
///
/// # Errors
/// The file cannot be written.
pub fn write(path: &Path, subject: &Subject, interface: &Interface, log: &mut InputLog) -> Result<()> {
    let file = Output::begin(path).map_err(Error::file(path))?;
    let mut out = BufWriter::new(file);
    let mut head = format!("{MAGIC}\nunit {}\nmodule {}\n", subject.unit, subject.module);
    for (name, value) in &subject.parameters {
        writeln!(head, "parameter {name} {value}").expect("a string takes all");
    }
    writeln!(head, "seed {}\ninputs {}", subject.seed, names(&interface.inputs)).expect("a string takes all");
    let mut body = |out: &mut BufWriter<_>| {
        out.write_all(head.as_bytes())?;
        log.replay(|reset, inputs, length| {
            let (head, lines) = if reset { ("reset".into(), length) } else { (length.to_string(), 1) };
            let inputs = if reset && inputs.iter().all(|&word| word == 0) { &[] } else { inputs };
            (0..lines).try_for_each(|_| {
                write!(out, "{head}")?;
                inputs.iter().try_for_each(|word| write!(out, " {word:x}"))?;
                writeln!(out)
            })
        })?;
        out.flush()
    };
    body(&mut out).map_err(Error::file(path))?;
    let file = out.into_inner().map_err(|e| Error::file(path)(e.into_error()))?;
    file.finish().map_err(Error::file(path))
}

impl Trace {
    /// Subject of the trace file `path`.
    ///
    /// # Errors
    /// Errors of [`Trace::read`] that concern its head.
    pub fn subject(path: &Path) -> Result<Subject> {
        let text = fs::read_to_string(path).map_err(Error::file(path))?;
        Ok(read_head(path, &text)?.subject)
    }

    /// Reads a trace file for a unit with the pins of `interface`.
    ///
    /// # Errors
    /// A file that cannot be read; a line that is not in the format; inputs that are not those of the unit.
    pub fn read(path: &Path, interface: &Interface) -> Result<Trace> {
        let text = fs::read_to_string(path).map_err(Error::file(path))?;
        let Head { subject, inputs, lines } = read_head(path, &text)?;
        let expected = names(&interface.inputs);
        if inputs != expected {
            let problem = format!("these are not the inputs of {}, which are {expected}", subject.unit);
            return Err(wrong(path, lines, problem));
        }
        let mut log = InputLog::new(words(&interface.inputs));
        for (i, line) in text.lines().enumerate().skip(lines) {
            read_run(line, words(&interface.inputs), &mut log).map_err(|problem| wrong(path, i + 1, problem))?;
        }
        Ok(Trace { subject, log })
    }
}

struct Head<'a> {
    subject: Subject,
    inputs: &'a str,
    /// Lines up to `inputs`, which is the last.
    lines: usize,
}

fn wrong(path: &Path, line: usize, problem: impl Into<String>) -> Error {
    Error::Trace { path: path.into(), line, problem: problem.into() }
}

fn read_head<'a>(path: &Path, text: &'a str) -> Result<Head<'a>> {
    let mut subject = Subject { unit: String::new(), module: String::new(), parameters: vec![], seed: 0 };
    if text.lines().next() != Some(MAGIC) {
        return Err(wrong(path, 1, format!("not a trace: one starts with `{MAGIC}`")));
    }
    for (i, line) in text.lines().enumerate().skip(1) {
        let number = |text: &str| text.parse().map_err(|_| wrong(path, i + 1, format!("{text} is no whole number")));
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["unit", name] => subject.unit = name.into(),
            ["module", name] => subject.module = name.into(),
            ["parameter", name, value] => subject.parameters.push((name.into(), number(value)?)),
            ["seed", value] => subject.seed = number(value)?,
            ["inputs", ..] => return Ok(Head { subject, inputs: line["inputs".len()..].trim_start(), lines: i + 1 }),
            _ => return Err(wrong(path, i + 1, "expected unit, module, parameter, seed or inputs")),
        }
    }
    Err(wrong(path, text.lines().count(), "the line `inputs` is missing"))
}

fn read_run(line: &str, words: usize, log: &mut InputLog) -> std::result::Result<(), String> {
    if line == "reset" {
        // Beside inputs that are all low.
        log.append(true, &vec![0; words]);
        return Ok(());
    }
    let (length, values) = line.split_once(' ').unwrap_or((line, ""));
    let reset = length == "reset";
    let length = if reset { Ok(1) } else { length.parse() };
    let values: std::result::Result<Vec<_>, _> = values.split(' ').map(|v| u64::from_str_radix(v, 16)).collect();
    match (length, values) {
        (Ok(length), Ok(values)) if values.len() == words && length > 0 => {
            log.cycles().checked_add(length).ok_or("more than 2^64 cycles in all")?;
            log.append_run(reset, &values, length);
            Ok(())
        }
        _ => Err(format!("expected `reset`, or `reset` or a number of cycles and {words} hexadecimal words")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input_log::tests::runs;

    fn subject() -> Subject {
        let parameters = vec![("entries".to_string(), 32)];
        Subject { unit: "bank".into(), module: "hwwl_bank_e32".into(), parameters, seed: u64::MAX }
    }

    fn interface() -> Interface {
        Interface { inputs: vec![Pin::new("go", 1), Pin::new("wide", 100)], outputs: vec![] }
    }

    #[test]
    fn a_trace_reads_back_as_it_was_written() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("t.trace");
        let mut log = InputLog::new(3);
        log.append_run(false, &[1, u64::MAX, 0xf_ffff_ffff], 70);
        log.append(true, &[0, 0, 0]);
        log.append(true, &[1, 2, 3]);
        log.append(true, &[1, 2, 3]);
        log.append(false, &[0, 0, 5]);
        write(&path, &subject(), &interface(), &mut log).unwrap();
        assert_eq!(Trace::subject(&path).unwrap(), subject());
        let mut trace = Trace::read(&path, &interface()).unwrap();
        assert_eq!(trace.subject, subject());
        assert_eq!(runs(&mut trace.log), runs(&mut log));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("t.trace");
        let cases = [
            ("hello", "line 1: not a trace: one starts with `unruly-trace 1`"),
            ("unruly-trace 1\nseed x", "line 2: x is no whole number"),
            ("unruly-trace 1\ncolour red", "line 2: expected unit, module, parameter, seed or inputs"),
            ("unruly-trace 1\nunit bank", "line 2: the line `inputs` is missing"),
            ("unruly-trace 1\nunit bank\ninputs go", "line 3: these are not the inputs of bank, which are go wide"),
            (
                "unruly-trace 1\ninputs go wide\n1 0 0",
                "line 3: expected `reset`, or `reset` or a number of cycles and 3 hexadecimal words",
            ),
        ];
        for (text, message) in cases {
            fs::write(&path, text).unwrap();
            let error = Trace::read(&path, &interface()).err().unwrap().to_string();
            assert_eq!(error, format!("{}, {message}", path.display()));
        }
    }
}
