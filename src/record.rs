//! The JSON that a command leaves behind: its result with the conditions that it came about under, or why there is none.
//!
//! The file of an earlier command is removed before anything is done, and the new one is written in one step: whatever happens,
//! the file is that of this command line, or it is not there. docs/json.md describes its keys. No file that a command line names to
//! be written is another one that it names.

use crate::digest::{self, Program};
use crate::exit;
use crate::includes;
use anyhow::{bail, ensure, Context, Error, Result};
use output::is_same_file;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Version of the form of the JSON: it grows when a key goes or changes its meaning.
const SCHEMA: u32 = 3;

/// Files that a command line names.
#[derive(Default)]
pub struct Files {
    /// Where the command leaves its JSON, if the user asked for it.
    pub json: Option<PathBuf>,
    pub read: Vec<PathBuf>,
    /// Read, and replaced when the command ends: they are among `written` too.
    pub changed: Vec<PathBuf>,
    pub written: Vec<Written>,
}

/// A file that a command leaves beside its JSON.
pub struct Written {
    /// Its name in messages, as in `--ptx a.ptx`.
    pub label: String,
    pub path: PathBuf,
}

impl Written {
    pub fn by_option(option: &str, path: &Path) -> Written {
        Written { label: format!("{option} {}", path.display()), path: path.into() }
    }
}

impl Files {
    /// Nothing is written over what the command reads, nor twice.
    ///
    /// # Errors
    /// The first that is.
    pub fn check(&self) -> Result<()> {
        for (place, Written { label, path }) in self.written.iter().enumerate() {
            let earlier = self.written[..place].iter().map(|other| &other.path);
            check(path, self.read.iter().chain(earlier)).with_context(|| label.clone())?;
        }
        Ok(())
    }

    /// Checks files that the command line does not name, and that are known only when others are read.
    ///
    /// # Errors
    /// The first that would be written.
    pub fn check_found<'a>(&self, found: impl Iterator<Item = &'a Path> + Clone) -> Result<()> {
        let check = |written: &Written| check(&written.path, found.clone()).with_context(|| written.label.clone());
        self.written.iter().try_for_each(check)
    }

    /// Checks the includes of a source in C++ or CUDA.
    ///
    /// # Errors
    /// The first that would be written.
    pub fn check_includes(&self, source: &Path) -> Result<()> {
        let texts = includes::texts(source, &[], &[]);
        // The source itself is one that the command line names.
        self.check_found(texts.keys().map(PathBuf::as_path).filter(|path| *path != source))
    }
}

/// The arguments of a command that leaves JSON.
pub trait Recorded {
    fn files(&self) -> Files;
}

/// Runs a command. If it fails, its JSON says why.
pub fn recorded<A: Recorded>(args: A, main: impl FnOnce(A, &mut Record) -> Result<()>) -> Result<()> {
    let files = args.files();
    let mut record = Record::begin(&files)?;
    let outcome = files.check().and_then(|()| main(args, &mut record));
    record.end(outcome)
}

/// The JSON of a command that runs, if the user asked for it.
pub struct Record(Option<Place>);

struct Place {
    path: PathBuf,
    file: output::Place,
    /// Until its digest, which takes a moment, is among the conditions.
    program: Option<Program>,
    conditions: Conditions,
    /// A result is there already, and it is not a failure.
    passed: bool,
    written: bool,
}

#[derive(Serialize)]
struct Conditions {
    schema: u32,
    version: &'static str,
    /// SHA-256 of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    program: Option<String>,
    /// Arguments as given.
    command: Vec<String>,
    /// Files that the command line names to be read.
    inputs: Vec<Input>,
}

#[derive(Serialize)]
struct Input {
    path: String,
    /// Null: not a regular file, whose contents can be read once only.
    sha256: Option<String>,
}

#[derive(Serialize)]
struct Failure {
    /// The text on standard error.
    error: String,
    exit_code: u8,
}

#[derive(Serialize)]
struct Whole<'a, T> {
    #[serde(flatten)]
    conditions: &'a Conditions,
    failed: bool,
    #[serde(flatten)]
    failure: Option<Failure>,
    #[serde(flatten)]
    result: Option<&'a T>,
}

impl Conditions {
    fn new() -> Self {
        let command = std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
        Conditions { schema: SCHEMA, version: env!("CARGO_PKG_VERSION"), program: None, command, inputs: Vec::new() }
    }

    fn of(files: &Files) -> Result<Self> {
        // Missing files are for the command to report.
        let present = files.read.iter().chain(&files.changed).filter(|path| path.exists() && !path.is_dir());
        let inputs = present.map(|path| Input::of(path)).collect::<Result<_>>()?;
        Ok(Conditions { inputs, ..Conditions::new() })
    }
}

impl Input {
    fn of(path: &Path) -> Result<Self> {
        let sha256 = if path.is_file() { Some(digest::of_file(path)?) } else { None };
        Ok(Input { path: path.display().to_string(), sha256 })
    }
}

impl Record {
    /// Fails at once if nothing can be written there, so that a bad path does not cost a long run.
    fn begin(files: &Files) -> Result<Self> {
        let Some(path) = &files.json else { return Ok(Record(None)) };
        let others = files.read.iter().chain(&files.changed).chain(files.written.iter().map(|written| &written.path));
        check(path, others).with_context(|| format!("--json {}", path.display()))?;
        let file = output::Place::find(path).with_context(|| cannot_write(path))?;
        if let Some(there) = file.file().filter(|there| !is_replaceable(there)) {
            bail!("--json {}: is there, and is no result of unruly; name another file, or remove it", there.display());
        }
        file.clear().with_context(|| format!("--json {}: cannot replace", path.display()))?;
        let (path, program) = (path.clone(), Some(Program::open()?));
        Ok(Record(Some(Place {
            path,
            file,
            program,
            conditions: Conditions::of(files)?,
            passed: false,
            written: false,
        })))
    }

    /// One more input, which the command line does not name itself.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn add_input(&mut self, path: &Path) -> Result<()> {
        if let Record(Some(place)) = self {
            place.conditions.inputs.push(Input::of(path)?);
        }
        Ok(())
    }

    /// The result of a command that has ended well.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(&mut self, result: &impl Serialize) -> Result<()> {
        self.write_with(result, &Ok(()))
    }

    /// The result of a command that has ended, well or not.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write_with(&mut self, result: &impl Serialize, outcome: &Result<()>) -> Result<()> {
        match self {
            Record(Some(place)) => place.write(Some(result), outcome.as_ref().err()),
            Record(None) => Ok(()),
        }
    }

    /// A failure that the file does not tell of yet takes the place of what is there.
    fn end(self, outcome: Result<()>) -> Result<()> {
        if let (Record(Some(mut place)), Err(error)) = (self, &outcome) {
            if !place.written || place.passed {
                place.write(None::<&()>, Some(error)).unwrap_or_else(|cannot| eprintln!("unruly: {cannot:#}"));
            }
        }
        outcome
    }
}

impl Place {
    fn write<T: Serialize>(&mut self, result: Option<&T>, error: Option<&Error>) -> Result<()> {
        if let Some(program) = self.program.take() {
            self.conditions.program = Some(program.digest()?);
        }
        let bytes = bytes(&self.conditions, result, error)?;
        self.file.write(&bytes).with_context(|| cannot_write(&self.path))?;
        (self.written, self.passed) = (true, error.is_none());
        Ok(())
    }
}

fn bytes<T: Serialize>(conditions: &Conditions, result: Option<&T>, error: Option<&Error>) -> Result<Vec<u8>> {
    let failure = error.map(|error| Failure { error: exit::text(error), exit_code: exit::code(error) });
    let whole = Whole { conditions, failed: failure.is_some(), failure, result };
    let mut bytes = serde_json::to_vec_pretty(&whole)?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn cannot_write(path: &Path) -> String {
    format!("--json {}: cannot write", path.display())
}

fn check<P: AsRef<Path>>(path: &Path, mut others: impl Iterator<Item = P>) -> Result<()> {
    ensure!(path != "-", "write /dev/stdout for standard output, or ./- for a file of this name");
    if let Some(other) = others.find(|other| is_same_file(path, other.as_ref())) {
        bail!("is the same file as {}, which this command uses too; name another", other.as_ref().display());
    }
    Ok(())
}

/// A command line that means nothing: the result of an earlier one that its `--json` names makes place for the reason. Other
/// files are left alone.
pub fn not_understood(error: &clap::Error) {
    let mut arguments = std::env::args_os().map(|argument| argument.to_string_lossy().into_owned());
    let named = arguments.find_map(|argument| match argument.strip_prefix("--json") {
        Some("") => Some(None),
        Some(rest) => rest.strip_prefix('=').map(|path| Some(path.to_owned())),
        None => None,
    });
    let Some(path) = named.and_then(|path| path.or_else(|| arguments.next())).map(PathBuf::from) else { return };
    if error.use_stderr() && is_result(&path) {
        let error = Error::msg(exit::usage_text(error));
        let bytes = bytes(&Conditions::new(), None::<&()>, Some(&error));
        let written = bytes.and_then(|bytes| output::replace(&path, &bytes).with_context(|| cannot_write(&path)));
        written.unwrap_or_else(|cannot| eprintln!("unruly: {cannot:#}"));
    }
}

/// Nothing of the user's is lost with the file: it is not there, it is empty, or a command left it.
fn is_replaceable(path: &Path) -> bool {
    path.metadata().map_or(true, |found| found.len() == 0) || is_result(path)
}

/// The keys by which the JSON of a command is known.
#[derive(Deserialize)]
struct Head {
    #[serde(rename = "schema")]
    _schema: u64,
    #[serde(rename = "command")]
    _command: Vec<IgnoredAny>,
}

/// The file is one that a command left.
fn is_result(path: &Path) -> bool {
    // An array would be read as the fields in their order.
    let is_one =
        |bytes: Vec<u8>| bytes.trim_ascii_start().starts_with(b"{") && serde_json::from_slice::<Head>(&bytes).is_ok();
    path.is_file() && std::fs::read(path).is_ok_and(is_one)
}
