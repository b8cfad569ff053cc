//! What is wrong with a TOML file, in one line.

use std::fmt;

/// File, line and message.
pub fn in_file(file: impl fmt::Display, text: &str, error: &toml::de::Error) -> anyhow::Error {
    let line = error.span().map_or(0, |span| 1 + text[..span.start].matches('\n').count());
    anyhow::anyhow!("{file}: line {line}: {}", error.message().replace('\n', " "))
}
