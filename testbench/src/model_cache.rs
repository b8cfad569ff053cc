//! Finished models on disk, found again by what they were made from.
//!
//! An entry is a directory. Its file `sums` has the SHA-256 of what the entry was made from and of each file that is used;
//! both are checked whenever the entry is. An entry is made elsewhere and put in place with one rename: the cache never
//! holds half an entry, and two processes do not disturb each other.

use crate::error::{Error, Result};
use gen::digest::sha256;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

/// Directories in which something is being made. Each is locked by the process that makes it.
const BUILDING: &str = "building-";
/// The file of an entry that says what it was made from.
pub(crate) const SUMS: &str = "sums";

/// A lock for each place in a cache: threads that want the same entry wait for it instead of making it twice, and different
/// entries are made side by side.
static TURNS: Mutex<BTreeMap<PathBuf, Arc<Mutex<()>>>> = Mutex::new(BTreeMap::new());

/// `verilator` in the directory that the environment variable `UNRULY_CACHE` names; without it in `.cache` of the checkout
/// around the working directory; outside a checkout in `unruly` in the user's cache. A whole path: tools run in folders of their own.
pub fn default_directory() -> PathBuf {
    let is_checkout =
        |directory: &&Path| directory.join("verilog-out").is_dir() && directory.join("Cargo.toml").is_file();
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let checkout = || Some(std::env::current_dir().ok()?.ancestors().find(is_checkout)?.join(".cache"));
    let user = || variable("XDG_CACHE_HOME").filter(|path| path.is_absolute());
    let home = || variable("HOME").map(|home| home.join(".cache"));
    let of_user = || user().or_else(home).unwrap_or_else(std::env::temp_dir).join("unruly");
    let directory = variable("UNRULY_CACHE").or_else(checkout).unwrap_or_else(of_user).join("verilator");
    std::path::absolute(&directory).unwrap_or(directory)
}

/// A directory of entries.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    directory: PathBuf,
}

/// Name of an entry, its origin, and the files of it that are used.
pub(crate) struct Entry<'a> {
    pub name: &'a str,
    pub origin: &'a str,
    pub files: &'a [String],
}

impl Cache {
    pub fn new(directory: PathBuf) -> Self {
        Cache { directory }
    }

    /// The directory of `entry`. If it is not there, or not as it was made, `make` makes it anew in a directory of its own.
    ///
    /// # Errors
    /// Errors of `make`; a cache that cannot be written.
    pub fn get(&self, entry: &Entry, make: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
        let place = self.place(entry);
        let turn = lock(&TURNS).entry(place.clone()).or_default().clone();
        let _once = lock(&turn);
        if !entry.is_whole(&place) {
            let work = self.workplace()?;
            make(work.directory.path())?;
            self.publish(work, &place, entry)?;
        }
        Ok(place)
    }

    /// Directory of a large entry that many others need: its files are looked at once in a process.
    ///
    /// # Errors
    /// Errors of [`Self::get`].
    pub fn get_once(&self, entry: &Entry, make: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
        static SEEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
        let place = self.place(entry);
        if !lock(&SEEN).contains(&place) || !place.is_dir() {
            self.get(entry, make)?;
            lock(&SEEN).insert(place.clone());
        }
        Ok(place)
    }

    fn place(&self, entry: &Entry) -> PathBuf {
        self.directory.join(format!("{}-{}", entry.name, &sha256(entry.origin)[..16]))
    }

    /// An empty directory that is locked for as long as it is made in. What killed processes left behind is removed.
    fn workplace(&self) -> Result<Workplace> {
        fs::create_dir_all(&self.directory).map_err(self.error())?;
        let make = || {
            let _alone = locked(&self.directory)?;
            self.remove_abandoned()?;
            let directory = tempfile::Builder::new().prefix(BUILDING).tempdir_in(&self.directory)?;
            Ok(Workplace { _lock: locked(directory.path())?, directory })
        };
        make().map_err(self.error())
    }

    /// Another process may remove its own at the same time: what cannot be removed now is left for the next time.
    fn remove_abandoned(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.directory)? {
            let entry = entry?;
            let is_building = entry.file_name().to_string_lossy().starts_with(BUILDING);
            if is_building && File::open(entry.path()).is_ok_and(|directory| directory.try_lock().is_ok()) {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        Ok(())
    }

    /// Moves what was made into place; if another process was faster, its entry is as good.
    fn publish(&self, work: Workplace, place: &Path, entry: &Entry) -> Result<()> {
        let publish = || {
            fs::write(work.directory.path().join(SUMS), entry.sums(work.directory.path())?)?;
            let _alone = locked(&self.directory)?;
            if entry.is_whole(place) {
                return Ok(());
            }
            if place.exists() {
                fs::remove_dir_all(place)?;
            }
            fs::rename(work.directory.path(), place)?;
            let _moved = work.directory.keep();
            Ok(())
        };
        publish().map_err(self.error())
    }

    pub fn error(&self) -> impl FnOnce(io::Error) -> Error {
        let path = self.directory.clone();
        move |problem| Error::Cache { path, problem }
    }
}

impl Entry<'_> {
    fn is_whole(&self, place: &Path) -> bool {
        let noted = fs::read_to_string(place.join(SUMS));
        noted.is_ok_and(|noted| self.sums(place).is_ok_and(|found| found == noted))
    }

    fn sums(&self, place: &Path) -> io::Result<String> {
        let mut text = format!("{}  made from\n", sha256(self.origin));
        for file in self.files {
            text += &format!("{}  {file}\n", sha256(fs::read(place.join(file))?));
        }
        Ok(text)
    }
}

struct Workplace {
    directory: tempfile::TempDir,
    _lock: File,
}

/// Waits until no other process has `directory` locked. The lock ends with the file, and with the process.
fn locked(directory: &Path) -> io::Result<File> {
    let file = File::open(directory)?;
    file.lock()?;
    Ok(file)
}

/// A build that panics leaves nothing half-made behind.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: &[String] = &[];

    fn get(cache: &Cache, text: &str) -> String {
        let files = ["a".to_string()];
        let entry = Entry { name: "x", origin: "origin", files: &files };
        let make = |work: &Path| fs::write(work.join("a"), text).map_err(Error::file(work));
        fs::read_to_string(cache.get(&entry, make).unwrap().join("a")).unwrap()
    }

    #[test]
    fn an_entry_is_found_again_and_one_that_was_changed_is_made_anew() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::new(directory.path().join("cache"));
        assert_eq!(get(&cache, "first"), "first");
        assert_eq!(get(&cache, "second"), "first");
        let place = fs::read_dir(&cache.directory).unwrap().next().unwrap().unwrap().path();
        for damage in ["", "other"] {
            fs::write(place.join("a"), damage).unwrap();
            assert_eq!(get(&cache, damage), damage, "made anew");
            assert_eq!(get(&cache, "later"), damage);
        }
        fs::remove_file(place.join("a")).unwrap();
        assert_eq!(get(&cache, "again"), "again");
    }

    #[test]
    fn an_entry_that_this_process_has_seen_is_made_anew_when_it_is_gone() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::new(directory.path().join("cache"));
        let entry = Entry { name: "x", origin: "origin", files: FILES };
        let mut made = 0;
        for is_gone in [false, false, true] {
            if is_gone {
                fs::remove_dir_all(&cache.directory).unwrap();
            }
            let make = |_: &Path| {
                made += 1;
                Ok(())
            };
            assert!(cache.get_once(&entry, make).unwrap().is_dir());
        }
        assert_eq!(made, 2);
    }

    #[test]
    fn what_a_killed_process_left_behind_goes_and_what_is_being_made_stays() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::new(directory.path().into());
        let abandoned = directory.path().join("building-abandoned");
        fs::create_dir(&abandoned).unwrap();
        let work = cache.workplace().unwrap();
        assert!(!abandoned.exists());
        cache.workplace().unwrap();
        assert!(work.directory.path().exists());
    }

    #[test]
    fn a_directory_that_cannot_be_written_is_named_with_the_way_out() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let cache = Cache::new(file.path().join("below"));
        let entry = Entry { name: "x", origin: "", files: FILES };
        let error = cache.get(&entry, |_| Ok(())).unwrap_err().to_string();
        assert!(error.contains("below") && error.contains("UNRULY_CACHE"), "{error}");
    }
}
