//! Words for a shell.

/// The word as any shell takes it for one.
pub fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_takes_any_word_for_one() {
        assert_eq!(quoted("a b's/$x"), r"'a b'\''s/$x'");
    }
}
