//! The mistake in a TOML file, in one line.

use sim::config::line_of;
use std::fmt;

/// File, line, key and message.
pub fn in_file(file: impl fmt::Display, text: &str, error: &toml::de::Error) -> anyhow::Error {
    let before = error.span().map_or("", |span| &text[..span.start]);
    let line = line_of(text, error);
    let key = key(before).map_or_else(String::new, |key| format!("{key}: "));
    let message = spelling::hinted(&error.message().replace('\n', " "));
    anyhow::anyhow!("{file}: line {line}: {key}{message}")
}

/// The key of a value that stands behind `text`.
fn key(text: &str) -> Option<&str> {
    let key = text.trim_end().strip_suffix('=')?.rsplit(['\n', ',', '{']).next()?.trim();
    (!key.is_empty()).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_has_the_key_before_it() {
        for (text, found) in [
            ("title = \"t\"\nfigure = ", Some("figure")),
            ("[[a]]\nb={c = 1, d=", Some("d")),
            ("a = [1, ", None),
            ("[table]\n", None),
        ] {
            assert_eq!(key(text), found, "{text}");
        }
    }
}
