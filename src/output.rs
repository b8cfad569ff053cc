//! Files that a command leaves behind: written whole or not at all.

use std::fs::Permissions;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file beside `path` that can take its place.
pub fn temporary(path: &Path) -> std::io::Result<NamedTempFile> {
    tempfile::Builder::new().prefix(".unruly-").permissions(Permissions::from_mode(0o666)).tempfile_in(folder(path))
}

/// The folder of a file, if it is not there yet.
pub fn make_folder(path: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder(path))
}

/// Writes a file in one step.
pub fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = temporary(path)?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

/// Two spellings of one file, which need not be there yet.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    one == other || whole(one).is_some_and(|path| whole(other) == Some(path))
}

/// Without links, `.` and `..`; `None`: there is no folder for it.
fn whole(path: &Path) -> Option<PathBuf> {
    let new = || Some(folder(path).canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(new)
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_by_any_spelling() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        std::fs::create_dir(path("a")).unwrap();
        std::fs::write(path("there"), "").unwrap();
        std::os::unix::fs::symlink(path("there"), path("link")).unwrap();
        assert!(is_same_file(&path("there"), &path("a/../there")));
        assert!(is_same_file(&path("link"), &path("./there")));
        assert!(is_same_file(&path("a/new"), &path("a/../a/new")), "not there yet");
        assert!(!is_same_file(&path("there"), &path("a/there")));
        assert!(!is_same_file(&path("none/x"), &path("none/y")), "no such folder");
    }
}
