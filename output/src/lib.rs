//! Files that a command leaves behind: written whole or not at all, whatever stands at their place.

#![forbid(unsafe_code)]

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Error, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{fchown, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Mode of a new file, of which the user's mask is taken away.
const MODE: u32 = 0o666;
/// Links from one to the next, at most, as in Linux.
const LINKS: usize = 40;

/// Where a file of a command goes.
pub struct Place(Target);

enum Target {
    /// A regular file takes the place of what is there, whose mode and owner it keeps.
    File { path: PathBuf, old: Option<Metadata> },
    /// A device or a pipe is written into.
    Stream(File),
}

/// A file that is being written; until [`Output::finish`] nothing of it is at its place.
pub struct Output {
    place: Place,
    file: NamedTempFile,
}

/// A file that is written bit by bit while others read it.
pub struct Growing {
    file: File,
    /// Standard output or standard error, which others write to as well.
    is_shared: bool,
}

impl Place {
    /// Links are followed. A folder that is missing is made if the one around it is there, and standard error says so.
    ///
    /// # Errors
    /// Nothing can be written there: known before any work.
    pub fn find(path: &Path) -> io::Result<Place> {
        if let Some(stream) = standard(path)? {
            return Ok(Place(Target::Stream(stream)));
        }
        let (open, target) = (|| File::options().write(true).open(path), followed(path)?);
        let place = match path.metadata() {
            Ok(old) if old.is_dir() => return Err(Error::other("it is a directory; name a file in it")),
            Ok(old) if old.is_file() && target.is_file() => {
                open()?;
                Place(Target::File { path: target, old: Some(old) })
            }
            // The links of `/dev/fd` lead to files that have no path.
            Ok(_) => Place(Target::Stream(open()?)),
            Err(_) => {
                make_folder_of(&target)?;
                Place(Target::File { path: target, old: None })
            }
        };
        place.temporary()?;
        Ok(place)
    }

    /// The regular file, behind all links, that the output takes the place of. `None`: it goes to a device or a pipe.
    pub fn file(&self) -> Option<&Path> {
        match &self.0 {
            Target::File { path, .. } => Some(path),
            Target::Stream(_) => None,
        }
    }

    /// Removes the file of an earlier command.
    ///
    /// # Errors
    /// The file cannot be removed.
    pub fn clear(&self) -> io::Result<()> {
        match &self.0 {
            Target::File { path, .. } if path.exists() => fs::remove_file(path),
            _ => Ok(()),
        }
    }

    /// Writes the file in one step.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut file = self.temporary()?;
        file.write_all(bytes)?;
        self.take(file)
    }

    fn temporary(&self) -> io::Result<NamedTempFile> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".unruly-");
        match &self.0 {
            Target::Stream(_) => builder.tempfile(),
            Target::File { path, old } => {
                // Nobody reads more of it while it is written than before.
                let mode = old.as_ref().map_or(MODE, |old| old.mode() & 0o777 | 0o600);
                builder.permissions(Permissions::from_mode(mode)).tempfile_in(folder(path))
            }
        }
    }

    fn take(&self, file: NamedTempFile) -> io::Result<()> {
        match &self.0 {
            Target::Stream(stream) => io::copy(&mut file.reopen()?, &mut &*stream).map(drop),
            Target::File { path, old } => {
                if let Some(old) = old {
                    // Only root may give a file away: who may not keeps it.
                    let _ = fchown(file.as_file(), Some(old.uid()), Some(old.gid()));
                    file.as_file().set_permissions(old.permissions())?;
                }
                file.persist(path)?;
                Ok(())
            }
        }
    }
}

impl Output {
    /// Begins a file that is written in parts.
    ///
    /// # Errors
    /// Those of [`Place::find`].
    pub fn begin(path: &Path) -> io::Result<Output> {
        let place = Place::find(path)?;
        Ok(Output { file: place.temporary()?, place })
    }

    /// For those who write into a file by its name.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The file is whole: it takes its place.
    ///
    /// # Errors
    /// It cannot.
    pub fn finish(self) -> io::Result<()> {
        self.place.take(self.file)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Writes a file in one step.
///
/// # Errors
/// Those of [`Place::find`] and [`Place::write`].
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    Place::find(path)?.write(bytes)
}

impl Growing {
    /// The file keeps its contents until [`Growing::empty`].
    ///
    /// # Errors
    /// Nothing can be written there.
    pub fn open(path: &Path) -> io::Result<Growing> {
        if let Some(file) = standard(path)? {
            return Ok(Growing { file, is_shared: true });
        }
        if !path.exists() {
            make_folder_of(&followed(path)?)?;
        }
        let file = File::options().write(true).create(true).truncate(false).open(path)?;
        Ok(Growing { file, is_shared: false })
    }

    /// Removes the file of an earlier command. A pipe or a device holds nothing.
    ///
    /// # Errors
    /// The file cannot be emptied.
    pub fn empty(&self) -> io::Result<()> {
        match self.file.metadata()?.is_file() && !self.is_shared {
            true => self.file.set_len(0),
            false => Ok(()),
        }
    }
}

impl Write for Growing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A folder that outputs go to. The folder around it is made as that of a file is.
///
/// # Errors
/// It cannot be made.
pub fn make_folder(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    make_folder_of(path)?;
    fs::create_dir(path).or_else(|error| if path.is_dir() { Ok(()) } else { Err(error) })
}

/// Two spellings of one regular file, which need not be there yet. Devices and pipes take what comes from several.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    let is_stream = |path: &Path| path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir());
    !is_stream(one) && (one == other || whole(one).is_some_and(|path| whole(other) == Some(path)))
}

/// Without links, `.` and `..`; `None`: there is no folder for it.
fn whole(path: &Path) -> Option<PathBuf> {
    let new = |path: &Path| Some(folder(path).canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(|| new(&followed(path).ok()?))
}

/// Standard output or standard error by a name of its own, such as `/dev/stdout`: its file may be one that the shell writes into.
fn standard(path: &Path) -> io::Result<Option<File>> {
    let is_same = |file: &File| -> io::Result<bool> {
        let (ours, theirs) = (file.metadata()?, path.metadata()?);
        Ok((ours.dev(), ours.ino()) == (theirs.dev(), theirs.ino()))
    };
    for stream in [io::stdout().as_fd(), io::stderr().as_fd()] {
        let Ok(file) = stream.try_clone_to_owned().map(File::from) else { continue };
        if is_same(&file).unwrap_or(false) {
            return Ok(Some(file));
        }
    }
    Ok(None)
}

/// The path behind all links, also where the last of them leads to nothing.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = folder(&path).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(Error::other("too many links"))
}

fn make_folder_of(path: &Path) -> io::Result<()> {
    let folder = folder(path);
    if folder.exists() {
        return Ok(());
    }
    let around = self::folder(folder);
    if !around.is_dir() {
        return Err(Error::other(format!("there is no folder {}; make it first", around.display())));
    }
    match fs::create_dir(folder) {
        Ok(()) => eprintln!("unruly: made the folder {}", folder.display()),
        // Another command made it meanwhile.
        Err(_) if folder.is_dir() => {}
        Err(error) => return Err(error),
    }
    Ok(())
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
    use nix::sys::stat::{makedev, mknod, Mode, SFlag};
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::{symlink, FileTypeExt};
    use std::thread;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names.into_iter().map(|name| name.into_string().unwrap()).collect()
    }

    #[test]
    fn a_file_keeps_its_mode_and_a_link_stays() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        fs::write(path("real"), "old").unwrap();
        symlink("real", path("link")).unwrap();
        symlink("link", path("links")).unwrap();
        symlink("new", path("dangling")).unwrap();
        symlink("circle", path("circle")).unwrap();
        for wanted in [0o600, 0o640, 0o755] {
            fs::set_permissions(path("real"), Permissions::from_mode(wanted)).unwrap();
            replace(&path("links"), b"text").unwrap();
            assert_eq!((mode(&path("real")), fs::read(path("real")).unwrap()), (wanted, b"text".to_vec()));
        }
        replace(&path("dangling"), b"text").unwrap();
        assert_eq!(fs::read(path("new")).unwrap(), b"text");
        assert!(["link", "links", "dangling"].into_iter().all(|name| path(name).is_symlink()));
        assert!(replace(&path("circle"), b"text").is_err());
        assert_eq!(names(place.path()), ["circle", "dangling", "link", "links", "new", "real"], "nothing else is left");
    }

    #[test]
    fn what_is_cleared_comes_back_with_its_mode() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        assert_eq!(mode(Output::begin(&path).unwrap().path()), 0o600, "nor is it open to others before it is whole");
        let place = Place::find(&path).unwrap();
        place.clear().unwrap();
        assert!(!path.exists());
        place.write(b"new").unwrap();
        assert_eq!((mode(&path), fs::read(&path).unwrap()), (0o600, b"new".to_vec()));
    }

    /// A node of the test's own. Who may make none may replace none of the machine's either.
    fn device(folder: &Path, name: &str, minor: u64) -> PathBuf {
        let path = folder.join(name);
        let made = mknod(&path, SFlag::S_IFCHR, Mode::S_IRUSR | Mode::S_IWUSR, makedev(1, minor));
        match made.is_ok() && File::open(&path).is_ok() {
            true => path,
            false => Path::new("/dev").join(name),
        }
    }

    #[test]
    fn pipes_and_devices_are_written_into() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        mknod(&pipe, SFlag::S_IFIFO, Mode::S_IRUSR | Mode::S_IWUSR, 0).unwrap();
        let reader = thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).unwrap()
        });
        let mut output = Output::begin(&pipe).unwrap();
        output.write_all(b"some").unwrap();
        fs::write(output.path(), b"some text").unwrap();
        output.finish().unwrap();
        assert_eq!(reader.join().unwrap(), b"some text");
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        assert_eq!(names(folder.path()), ["pipe"]);
        let [null, full] = [("null", 3), ("full", 7)].map(|(name, minor)| device(folder.path(), name, minor));
        replace(&null, b"text").unwrap();
        assert!(replace(&full, b"text").is_err());
        assert!([&null, &full].into_iter().all(|path| fs::metadata(path).unwrap().file_type().is_char_device()));
        assert!(!is_same_file(&null, &null), "takes what comes from both");
        let (mut reader, writer) = io::pipe().unwrap();
        replace(Path::new(&format!("/dev/fd/{}", writer.as_raw_fd())), b"text").unwrap();
        drop(writer);
        assert_eq!(io::read_to_string(&mut reader).unwrap(), "text");
    }

    #[test]
    fn one_folder_is_made_and_no_two() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        replace(&path("new/file"), b"text").unwrap();
        assert_eq!(fs::read(path("new/file")).unwrap(), b"text");
        let refused = replace(&path("a/b/file"), b"text").unwrap_err().to_string();
        assert_eq!(refused, format!("there is no folder {}; make it first", path("a").display()));
        assert!(replace(place.path(), b"text").unwrap_err().to_string().contains("is a directory"));
        make_folder(&path("a/b")).unwrap();
        assert!(path("a/b").is_dir());
        assert!(make_folder(&path("c/d/e")).is_err());
        assert_eq!(names(place.path()), ["a", "new"]);
    }

    #[test]
    fn a_file_is_known_by_any_spelling() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        fs::create_dir(path("a")).unwrap();
        fs::write(path("there"), "").unwrap();
        symlink(path("there"), path("link")).unwrap();
        symlink("a/new", path("dangling")).unwrap();
        assert!(is_same_file(&path("there"), &path("a/../there")));
        assert!(is_same_file(&path("link"), &path("./there")));
        assert!(is_same_file(&path("a/new"), &path("a/../a/new")), "not there yet");
        assert!(is_same_file(&path("dangling"), &path("a/new")), "not there yet");
        assert!(!is_same_file(&path("there"), &path("a/there")));
        assert!(!is_same_file(&path("none/x"), &path("none/y")), "no such folder");
    }
}
