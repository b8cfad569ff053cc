//! Results on disk, by the content that they follow from.

use crate::error::{Error, Result};
use serde::de::DeserializeOwned;
use serde::Serialize;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A directory of results.
pub struct Cache {
    directory: PathBuf,
}

impl Cache {
    /// Makes the directory if it is not there.
    ///
    /// # Errors
    /// A directory that cannot be made or written: known before any work.
    pub fn open(directory: &Path) -> Result<Cache> {
        let cache = Cache { directory: directory.into() };
        fs::create_dir_all(directory).map_err(|e| cache.error(e))?;
        cache.temporary()?;
        Ok(cache)
    }

    /// The result kept for `key`; `name` helps people who look into the directory. An entry that cannot be read back
    /// counts as none.
    pub fn get<T: DeserializeOwned>(&self, name: &str, key: &str) -> Option<T> {
        serde_json::from_str(&fs::read_to_string(self.path(name, key)).ok()?).ok()
    }

    /// Keeps `result` for `key`.
    pub fn put<T: Serialize>(&self, name: &str, key: &str, result: &T) -> Result<()> {
        let mut file = self.temporary()?;
        let text = serde_json::to_string(result).expect("plain data serialises");
        file.write_all(text.as_bytes()).map_err(|e| self.error(e))?;
        file.persist(self.path(name, key)).map_err(|e| self.error(e.error))?;
        Ok(())
    }

    fn path(&self, name: &str, key: &str) -> PathBuf {
        self.directory.join(format!("{name}-{}.json", digest(key)))
    }

    fn temporary(&self) -> Result<tempfile::NamedTempFile> {
        tempfile::Builder::new().prefix(".unruly-").tempfile_in(&self.directory).map_err(|e| self.error(e))
    }

    fn error(&self, problem: std::io::Error) -> Error {
        Error::file(&self.directory, format!("cannot keep results here: {problem}; choose another directory"))
    }
}

/// 128 bits: two hashes of the key, each begun differently.
fn digest(key: &str) -> String {
    let hash = |seed: u8| {
        let mut hasher = DefaultHasher::new();
        seed.hash(&mut hasher);
        key.hash(&mut hasher);
        hasher.finish()
    };
    format!("{:016x}{:016x}", hash(0), hash(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_by_content() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::open(&directory.path().join("new")).unwrap();
        assert_eq!(cache.get::<u64>("unit", "a"), None);
        cache.put("unit", "a", &1).unwrap();
        cache.put("unit", "b", &2).unwrap();
        assert_eq!((cache.get("unit", "a"), cache.get("unit", "b")), (Some(1), Some(2)));
    }

    #[test]
    fn a_damaged_entry_is_none() {
        let directory = tempfile::tempdir().unwrap();
        let cache = Cache::open(directory.path()).unwrap();
        cache.put("unit", "a", &1).unwrap();
        fs::write(cache.path("unit", "a"), "{").unwrap();
        assert_eq!(cache.get::<u64>("unit", "a"), None);
    }

    #[test]
    fn a_directory_that_cannot_be_written_is_refused_at_once() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let error = Cache::open(&file.path().join("below")).err().unwrap().to_string();
        assert!(error.contains("cannot keep results here"), "{error}");
    }
}
