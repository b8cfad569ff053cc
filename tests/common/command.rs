//! The command, started, and what its user sees of it.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The command with the words of a line. Wherever it runs, it keeps what it builds where it does in the checkout.
pub fn unruly(line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unruly"));
    command.args(line.split_whitespace()).stdin(Stdio::null());
    command.env("UNRULY_CACHE", Path::new(env!("CARGO_MANIFEST_DIR")).join(".cache"));
    command
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Output of a command that ended well.
pub fn succeeds(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", stderr(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// The command ends with `code` and says all of `words`.
pub fn ends(command: &mut Command, code: i32, words: &[&str]) -> String {
    let output = command.output().unwrap();
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{command:?}: {text}");
    for word in words {
        assert!(text.contains(word), "{command:?} should mention `{word}`: {text}");
    }
    text
}

/// The same, and all that the command says is one line.
pub fn refuses(command: &mut Command, code: i32, words: &[&str]) {
    let text = ends(command, code, words);
    assert_eq!(text.trim_end().lines().count(), 1, "{command:?} should say one line: {text}");
}

/// The object in a file of JSON.
pub fn json(path: impl AsRef<Path>) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}
