//! Texts of a file in a message: short, and without characters that do something to a terminal.

/// At most the first 40 characters.
pub fn shown(text: &str) -> String {
    escaped(&text.chars().take(40).collect::<String>())
}

/// Characters that are not printed, as escapes.
pub fn escaped(text: &str) -> String {
    let keeps = |c: char| c == ' ' || matches!(c, '\'' | '"' | '\\');
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match keeps(c) {
            true => shown.push(c),
            false => shown.extend(c.escape_debug()),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_is_shown() {
        let text = "a\0\x1b[2J\r\n\t\x7f\u{9b}\u{202e}\u{feff}é 'b'";
        assert_eq!(escaped(text), r"a\0\u{1b}[2J\r\n\t\u{7f}\u{9b}\u{202e}\u{feff}é 'b'");
        assert_eq!(shown(&"x".repeat(1000)).len(), 40);
    }
}
