//! Rows that a command keeps in a JSON file, and that a page is written from.

use crate::exit::{CheckFailed, Paused};
use crate::progress::{clock, Progress};
use crate::record::Written;
use anyhow::{bail, Context, Error, Result};
use output::{replace, Place};
use rayon::prelude::*;
use serde::de::DeserializeOwned;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;
use testbench::pages::{read, to_json};

/// Options of commands that make rows of all units.
#[derive(clap::Args)]
pub struct RowsOptions {
    /// Keep the rows of all units in this file, and make only rows that are missing or stale; an interrupted command goes on where it was
    /// (`unruly pages` writes the page of the rows)
    #[arg(long, value_name = "FILE.json")]
    rows: Option<PathBuf>,
    /// Name what is missing or stale in the file of --rows, and make nothing; fail if there is something
    #[arg(long, requires = "rows")]
    stale: bool,
    /// Rows that are made at a time [default: 1]
    #[arg(long, value_name = "N", requires = "rows", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
}

/// The rows of a subject in the file.
pub struct Part<R> {
    pub rows: Vec<R>,
    /// True if the rows are what would be made today.
    pub is_current: bool,
}

impl RowsOptions {
    pub fn file(&self) -> Option<&Path> {
        self.rows.as_deref()
    }

    /// Nothing is written where stale rows are only named.
    pub fn written(&self) -> Vec<Written> {
        written([("--rows", &self.rows)].into_iter().filter(|_| !self.stale))
    }

    /// The rows of the file, which may not be there yet. Fails at once if they are to be written and cannot be.
    pub fn kept<T: DeserializeOwned>(&self) -> Result<Vec<T>> {
        match self.file() {
            Some(path) if self.stale => read_if_there(path),
            Some(path) => kept(path),
            None => Ok(vec![]),
        }
    }

    /// Progress of the jobs that are done at a time.
    ///
    /// # Errors
    /// Options that go with `--rows` stand alone: clap does not ask for `--rows` beside what conflicts with it, such as a unit.
    pub fn progress(&self) -> Result<Progress> {
        let alone = [("--stale", self.stale), ("--jobs", self.jobs.is_some())].into_iter().find(|(_, given)| *given);
        match alone {
            Some((option, _)) if self.rows.is_none() => {
                bail!("{option} goes with --rows FILE.json, and without a unit")
            }
            _ => Ok(Progress::new(self.at_a_time())),
        }
    }

    fn at_a_time(&self) -> usize {
        self.jobs.unwrap_or(1).into()
    }

    /// Makes the rows of all subjects whose rows are stale, and gives what `make` says of each. The file is written after each subject:
    /// stale rows stay in it until they are made again.
    ///
    /// # Errors
    /// The first error of `make`; stale rows, if they are only to be named.
    pub fn make<S: Sync, R: Serialize + Send, T: Send>(
        &self,
        subjects: &[S],
        name: impl Fn(&S) -> String + Sync,
        part: impl Fn(&S) -> Result<Part<R>> + Sync + Send,
        make: impl Fn(&S) -> Result<(Vec<R>, T)> + Sync,
        progress: &Progress,
    ) -> Result<Vec<T>> {
        let path = self.file().expect("the caller has asked for the file");
        let parts = subjects.par_iter().map(part).collect::<Result<Vec<_>>>()?;
        let stale: Vec<usize> = (0..parts.len()).filter(|place| !parts[*place].is_current).collect();
        if self.stale {
            let names: Vec<_> = stale.iter().map(|place| name(&subjects[*place])).collect();
            return say_stale(path, &names, parts.len()).map(|()| vec![]);
        }
        let (started, state) = (Instant::now(), Mutex::new((0, parts)));
        let one = |place: &usize| {
            let (rows, made) = make(&subjects[*place]).map_err(|error| paused(error, path))?;
            let mut state = state.lock().expect("nobody panics with it");
            let (done, parts) = &mut *state;
            parts[*place].rows = rows;
            *done += 1;
            write(path, &all(parts))?;
            let (time, name) = (clock(started.elapsed()), name(&subjects[*place]));
            progress.aside(|| eprintln!("{done} of {} rows, {time} elapsed: {name}", stale.len()));
            Ok(made)
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.at_a_time()).build()?;
        let made = pool.install(|| stale.par_iter().with_max_len(1).map(one).collect::<Result<Vec<_>>>())?;
        // Rows of subjects that are no more go.
        write(path, &all(&state.into_inner().expect("nobody panics with it").1))?;
        Ok(made)
    }
}

fn say_stale(path: &Path, names: &[String], all: usize) -> Result<()> {
    let (path, count) = (path.display(), names.len());
    if count > 0 {
        return Err(CheckFailed(format!("{path}: {count} of {all} are missing or stale: {}", names.join(", "))).into());
    }
    println!("{path}: none of {all} is missing or stale");
    Ok(())
}

fn all<R>(parts: &[Part<R>]) -> Vec<&R> {
    parts.iter().flat_map(|part| &part.rows).collect()
}

/// An interruption loses nothing.
fn paused(error: Error, path: &Path) -> Error {
    match error.downcast_ref() {
        Some(testbench::Error::Interrupted) => {
            Paused(format!("{} has the rows that are finished: the same command goes on from there", path.display()))
                .into()
        }
        _ => error,
    }
}

/// The number of this thread's job among those that are done at a time.
pub fn job() -> usize {
    rayon::current_thread_index().unwrap_or(0)
}

/// The files of rows that options name.
pub fn written<'a>(options: impl IntoIterator<Item = (&'a str, &'a Option<PathBuf>)>) -> Vec<Written> {
    let named = options.into_iter().filter_map(|(option, path)| Some((option, path.as_ref()?)));
    named.map(|(option, path)| Written::by_option(option, path)).collect()
}

/// Fails at once if the file cannot be written, so that a bad path does not cost a long run.
pub fn check(path: &Path) -> Result<()> {
    Place::find(path).map(drop).with_context(|| cannot_write(path))
}

/// The rows of a file that may not be there yet. Fails at once if it cannot be written.
pub fn kept<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    check(path)?;
    read_if_there(path)
}

fn read_if_there<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>> {
    Ok(if path.exists() { read(path)? } else { vec![] })
}

/// Rows that [`write_pretty`] has written.
pub fn read_one<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{}: cannot read", path.display()))?;
    serde_json::from_str(&text).with_context(|| path.display().to_string())
}

/// A row a line.
pub fn write<T: Serialize>(path: &Path, rows: &[T]) -> Result<()> {
    replace(path, to_json(rows).as_bytes()).with_context(|| cannot_write(path))
}

/// Rows that have something in common, a value a line.
pub fn write_pretty<T: Serialize>(path: &Path, rows: &T) -> Result<()> {
    let text = serde_json::to_string_pretty(rows)? + "\n";
    replace(path, text.as_bytes()).with_context(|| cannot_write(path))
}

fn cannot_write(path: &Path) -> String {
    format!("{}: cannot write", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
    struct Row {
        name: String,
        made: u32,
    }

    fn row(name: &str, made: u32) -> Row {
        Row { name: name.into(), made }
    }

    /// Rows that say 1 are stale; `make` makes rows that say 2.
    fn make(options: &RowsOptions, subjects: &[&str], make: impl Fn(&str) -> Result<u32> + Sync) -> Result<Vec<u32>> {
        let old: Vec<Row> = options.kept().unwrap();
        let part = |name: &&str| {
            let row = old.iter().find(|row| row.name == *name);
            Ok(Part { rows: row.cloned().into_iter().collect(), is_current: row.is_some_and(|row| row.made > 1) })
        };
        let one = |name: &&str| make(name).map(|made| (vec![row(name, made)], made));
        options.make(subjects, |name| name.to_string(), part, one, &Progress::new(1))
    }

    #[test]
    fn stale_rows_are_made_in_the_order_of_the_subjects_and_survive_an_interruption() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.json");
        let options = |stale| RowsOptions { rows: Some(path.clone()), stale, jobs: None };
        write(&path, &[row("gone", 2), row("c", 1), row("a", 2)]).unwrap();
        let stale = make(&options(true), &["a", "b", "c"], |_| unreachable!()).unwrap_err().to_string();
        assert!(stale.ends_with("rows.json: 2 of 3 are missing or stale: b, c"), "{stale}");
        let interrupted = |name: &str| match name {
            "b" => Ok(2),
            _ => Err(testbench::Error::Interrupted.into()),
        };
        let error = make(&options(false), &["a", "b", "c"], interrupted).unwrap_err();
        assert_eq!(
            (crate::exit::code(&error), error.to_string().contains("goes on from there")),
            (130, true),
            "{error}"
        );
        assert_eq!(kept::<Row>(&path).unwrap(), [row("a", 2), row("b", 2), row("c", 1)]);
        assert_eq!(make(&options(false), &["a", "b", "c"], |_| Ok(3)).unwrap(), [3]);
        assert_eq!(kept::<Row>(&path).unwrap(), [row("a", 2), row("b", 2), row("c", 3)]);
        assert!(make(&options(true), &["a", "b", "c"], |_| unreachable!()).unwrap().is_empty());
    }
}
