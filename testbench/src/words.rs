//! Verilog as tokens.

use gen::text::end_of_string;

/// The tokens of a line of Verilog without comments, each with its place: words, strings with their quotes, and single characters.
pub(crate) fn words(line: &str) -> Vec<(usize, String)> {
    let mut words = vec![];
    let mut at = 0;
    while let Some(first) = line[at..].chars().next() {
        let rest = &line[at..];
        let length = match first {
            '"' => end_of_string(rest).unwrap_or(rest.len()),
            _ if is_part_of_word(first) => rest.find(|c| !is_part_of_word(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        if !first.is_whitespace() {
            words.push((at, rest[..length].to_string()));
        }
        at += length;
    }
    words
}

/// The sign of a directive is a part of its word.
pub(crate) fn is_part_of_word(c: char) -> bool {
    c.is_alphanumeric() || "_$`".contains(c)
}
