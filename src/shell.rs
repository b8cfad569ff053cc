//! Words for a shell.

/// The word as any shell takes it for one.
pub fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The word as a reader likes it: quoted only where a shell needs that.
pub fn shown(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_=+./,:@%".contains(letter);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_string(),
        false => quoted(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_takes_any_word_for_one() {
        assert_eq!(quoted("a b's/$x"), r"'a b'\''s/$x'");
    }
}
