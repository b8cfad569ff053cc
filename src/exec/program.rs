//! The user's program: a process of its own that finds the GPU by a socket.

use crate::exit::{Interrupted, ProgramEnded};
use anyhow::{anyhow, bail, Result};
use std::ffi::OsString;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};

/// Where the library looks for the socket.
const SOCKET: &str = "UNRULY_SOCKET";
const LIBRARIES: &str = "LD_LIBRARY_PATH";
/// The signal that a user sends with Ctrl-C.
const SIGINT: i32 = 2;

/// Starts it. `libraries` is the folder of our `libcudart.so`.
pub fn start(program: &Path, arguments: &[OsString], socket: &Path, libraries: &Path) -> Result<Child> {
    let mut paths = libraries.as_os_str().to_owned();
    if let Some(others) = std::env::var_os(LIBRARIES).filter(|others| !others.is_empty()) {
        paths.push(":");
        paths.push(others);
    }
    let mut command = Command::new(program);
    command.args(arguments).env(SOCKET, socket).env(LIBRARIES, paths);
    command.spawn().map_err(|error| {
        let what = format!("{}: cannot start", program.display());
        match way_out(program) {
            Some(way) => anyhow!("{what}: {way}"),
            None => anyhow!(error).context(what),
        }
    })
}

/// Advice to a user who has named something else than a program.
fn way_out(file: &Path) -> Option<String> {
    let (name, stem) = (file.display(), in_folder(&file.with_extension("")));
    let extension = file.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    Some(match extension.as_deref() {
        _ if file.is_dir() => "it is a folder; name the program in it".into(),
        _ if !file.is_file() => return None,
        Some("cu" | "c" | "cc" | "cpp" | "cxx") => {
            format!("it is a source; compile it: unruly nvcc {name} -o {stem} && unruly exec {stem}")
        }
        Some("ptx") => format!("it is PTX, and no program; `unruly kernel {name}` runs a kernel of it"),
        Some("o" | "a") => format!("it is not linked; link it: unruly nvcc {name} -o {stem} && unruly exec {stem}"),
        _ if !is_program(file) => "it is neither a program nor a script that names its interpreter".into(),
        _ if file.components().count() == 1 => format!("write {} for the file in this folder", in_folder(file)),
        _ if !is_executable(file) => format!("it is not executable; chmod +x {name} makes it so"),
        _ => return None,
    })
}

/// A name that is not looked for in PATH.
fn in_folder(file: &Path) -> String {
    let up = if file.components().count() == 1 { "./" } else { "" };
    format!("{up}{}", file.display())
}

fn is_executable(file: &Path) -> bool {
    file.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

/// By its first bytes: an ELF file, or a script.
fn is_program(file: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(file).and_then(|file| file.take(4).read_to_end(&mut head));
    read.is_err() || head == b"\x7fELF" || head.starts_with(b"#!")
}

/// Its end, as ours.
pub fn outcome(program: &Path, status: ExitStatus) -> Result<()> {
    match (status.code(), status.signal()) {
        (Some(0), _) => Ok(()),
        (Some(code), _) => bail!(ProgramEnded { code: code as u8, text: String::new() }),
        (None, Some(SIGINT)) => bail!(Interrupted::default()),
        (None, signal) => {
            let signal = signal.unwrap_or_default();
            let text = format!("{}: ended by signal {signal}", program.display());
            bail!(ProgramEnded { code: 128 + signal as u8, text })
        }
    }
}
