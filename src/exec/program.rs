//! The user's program: a process of its own that finds the GPU by a socket.

use crate::exit::{Interrupted, ProgramEnded};
use anyhow::{bail, Context, Result};
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};

/// Where the library looks for the socket.
const SOCKET: &str = "UNRULY_SOCKET";
const LIBRARIES: &str = "LD_LIBRARY_PATH";
/// What a user sends with Ctrl-C.
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
    command.spawn().with_context(|| {
        let is_name = program.components().count() == 1 && program.is_file();
        let hint = if is_name {
            format!("; write ./{} for the file in this folder", program.display())
        } else {
            String::new()
        };
        format!("{}: cannot start{hint}", program.display())
    })
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
