//! The columns of an edge list: two nodes, a length or Python's dictionary of attributes, and what nobody uses.

use super::lines::Line;
use crate::graph::error::GraphError;
use crate::graph::shown::shown;
use std::str::{Split, SplitAsciiWhitespace};

/// Signs that begin a comment.
pub const COMMENTS: &[char] = &['#', '%'];

/// The separator between the words of a line.
#[derive(Clone, Copy, PartialEq)]
pub enum Separator {
    Blanks,
    Mark(char),
}

impl Separator {
    pub fn of(line: &Line) -> Separator {
        let (row, _) = split_dictionary(line.text);
        let mark = [',', ';'].into_iter().find(|mark| row.contains(*mark));
        mark.map_or(Separator::Blanks, Separator::Mark)
    }

    /// As [`Separator::of`] the first line; but tabs alone separate if each line has one and there are names with blanks between them.
    pub fn of_rows<'a>(first: &Line, rows: impl Iterator<Item = Line<'a>> + Clone) -> Separator {
        let has_tab = |line: Line| split_dictionary(line.text).0.trim_ascii().contains('\t');
        let is_spaced = |word: &str| word.contains(' ') && is_name(word);
        let has_spaced =
            |line: Line| split_dictionary(line.text).0.split('\t').any(|word| is_spaced(word.trim_ascii()));
        match Separator::of(first) {
            Separator::Blanks if rows.clone().all(has_tab) && rows.clone().any(has_spaced) => Separator::Mark('\t'),
            separator => separator,
        }
    }
}

/// The words of a line.
pub enum Words<'a> {
    Blanks(SplitAsciiWhitespace<'a>),
    Marks(Split<'a, char>),
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;
    fn next(&mut self) -> Option<&'a str> {
        match self {
            Words::Blanks(words) => words.next(),
            Words::Marks(words) => words.next().map(|word| unquoted(word.trim_ascii())),
        }
    }
}

fn unquoted(word: &str) -> &str {
    word.strip_prefix('"').and_then(|word| word.strip_suffix('"')).unwrap_or(word)
}

/// A name of a node, as opposed to its number.
pub fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

pub fn is_number(word: &str) -> bool {
    word.parse::<f64>().is_ok()
}

/// The part before a dictionary, and the dictionary.
fn split_dictionary(text: &str) -> (&str, Option<&str>) {
    match text.find('{') {
        Some(at) if text.trim_end().ends_with('}') => (&text[..at], Some(text[at..].trim_end())),
        _ => (text, None),
    }
}

/// Columns that are used.
#[derive(Clone, Copy)]
pub struct Columns {
    pub separator: Separator,
    ends: [usize; 2],
    length: Option<usize>,
    /// Words of a line, without the dictionary.
    count: usize,
    has_dictionary: bool,
    /// The line that says so.
    rule: usize,
}

/// The parts of an edge's line.
pub struct Row<'a> {
    pub ends: [&'a str; 2],
    pub length: Option<&'a str>,
    pub dictionary: Option<&'a str>,
}

/// Names that table writers give the ends of an edge and its length.
const ENDS: [[&str; 2]; 6] =
    [["source", "target"], ["src", "dst"], ["from", "to"], ["node1", "node2"], ["node_1", "node_2"], ["id_1", "id_2"]];
const LENGTHS: [&str; 3] = ["weight", "length", "distance"];

impl Columns {
    /// As on every line: the first two words are the nodes, the third is the length.
    pub fn of(line: &Line, separator: Separator) -> Columns {
        let (row, dictionary) = split_dictionary(line.text);
        let count = words(row, separator, dictionary.is_some()).count();
        let length = (count > 2).then_some(2);
        Columns { separator, ends: [0, 1], length, count, has_dictionary: dictionary.is_some(), rule: line.number }
    }

    /// The columns of a line with their names, and those that nobody uses. No number is such a name, and no node of the lines that follow is called
    /// by the name of its column.
    pub fn of_header<'a>(
        line: &Line,
        separator: Separator,
        mut rows: impl Iterator<Item = Line<'a>>,
    ) -> Option<(Columns, Vec<String>)> {
        let plain = Columns::of(line, separator);
        let written: Vec<&str> = words(line.text, separator, false).collect();
        let names: Vec<String> = written.iter().map(|name| name.to_ascii_lowercase()).collect();
        let place = |wanted: &str| names.iter().position(|name| name == wanted);
        let ends = ENDS.into_iter().find_map(|[v, u]| Some([place(v)?, place(u)?]))?;
        let length = LENGTHS.into_iter().find_map(place);
        let used = |index: &usize| ends.contains(index) || Some(*index) == length;
        let others = (0..names.len()).filter(|index| !used(index) && !names[*index].is_empty());
        let unused = others.map(|index| format!("`{}`", shown(&names[index]))).collect();
        let columns = Columns { ends, length, ..plain };
        let is_node = |name: &&str| ends.iter().any(|end| written[*end] == *name);
        let has_node = |line: Line| columns.row(&line).is_ok_and(|row| row.ends.iter().any(is_node));
        let is_edge = plain.has_dictionary || written.iter().any(|name| is_number(name)) || rows.any(has_node);
        (!is_edge).then_some((columns, unused))
    }

    /// Words of a line.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Those behind the length, which no header names, for people to read.
    pub fn unused(&self) -> Option<String> {
        match self.count {
            0..=3 => None,
            4 => Some("the fourth word of a line".into()),
            count => Some(format!("the words 4 to {count} of a line")),
        }
    }

    /// Every line has as many words.
    pub fn row<'a>(&self, line: &Line<'a>) -> Result<Row<'a>, GraphError> {
        let (row, dictionary) = split_dictionary(line.text);
        let (mut ends, mut length, mut count) = ([None; 2], None, 0);
        for word in words(row, self.separator, dictionary.is_some()) {
            for (end, place) in ends.iter_mut().zip(self.ends) {
                if place == count {
                    *end = Some(word);
                }
            }
            if self.length == Some(count) {
                length = Some(word).filter(|word| !word.is_empty());
            }
            count += 1;
            if count > self.count {
                break;
            }
        }
        let [Some(v), Some(u)] = ends else {
            return Err(line.error("the second node is missing".into(), "complete the line"));
        };
        if count != self.count || dictionary.is_some() != self.has_dictionary {
            let other = if count > self.count { "more words" } else { "other words" };
            let what = format!("{other} than line {}, which has {}", self.rule, self.shown());
            return Err(line.error(what, "give each line the same words"));
        }
        Ok(Row { ends: [v, u], length, dictionary })
    }

    fn shown(&self) -> String {
        format!("{} words{}", self.count, if self.has_dictionary { " and a dictionary" } else { "" })
    }
}

/// Before a dictionary a mark ends the last word.
fn words(row: &str, separator: Separator, before_dictionary: bool) -> Words<'_> {
    match separator {
        Separator::Blanks => Words::Blanks(row.split_ascii_whitespace()),
        Separator::Mark(mark) => {
            let row = if before_dictionary { row.trim_end().trim_end_matches(mark) } else { row };
            Words::Marks(row.split(mark))
        }
    }
}

/// The value of `weight` in a dictionary as Python writes it, and the other keys.
pub fn weight(dictionary: &str) -> Option<(Option<&str>, Vec<&str>)> {
    let (mut weight, mut others) = (None, Vec::new());
    let mut rest = dictionary.strip_prefix('{')?.strip_suffix('}')?.trim();
    while !rest.is_empty() {
        let (key, behind) = atom(rest)?;
        let (value, behind) = atom(behind.trim_start().strip_prefix(':')?.trim_start())?;
        match key {
            "weight" => weight = Some(value),
            key => others.push(key),
        }
        rest = behind.trim_start();
        rest = match rest.strip_prefix(',') {
            Some(rest) => rest.trim_start(),
            None if rest.is_empty() => rest,
            None => return None,
        };
    }
    Some((weight, others))
}

/// A string, or a word without marks; and what follows.
fn atom(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'));
    if let Some(quote) = quote {
        let mut escaped = false;
        let end = text[1..].find(|c| {
            let ends = c == quote && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        })?;
        return Some((&text[1..1 + end], &text[end + 2..]));
    }
    let end = text.find([',', ':', '{', '}', '[', ']', '(', ')']).unwrap_or(text.len());
    let word = text[..end].trim_end();
    (!word.is_empty()).then_some((word, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dictionaries_as_python_writes_them() {
        let cases: [(&str, Option<&str>, &[&str]); 6] = [
            ("{}", None, &[]),
            ("{'weight': 3}", Some("3"), &[]),
            ("{'weight': 1.5, 'color': 'r, {e}d'}", Some("1.5"), &["color"]),
            (r#"{"a'b": 'c\'d', 'weight': -2e-3, 7: None}"#, Some("-2e-3"), &["a'b", "7"]),
            ("{'weight': '3'}", Some("3"), &[]),
            ("{ 'on':True }", None, &["on"]),
        ];
        for (text, value, others) in cases {
            assert_eq!(weight(text), Some((value, others.to_vec())), "{text}");
        }
        for text in ["{'a': [1, 2]}", "{'a'}", "{'a': 1 'b': 2}", "{'a: 1}", "{'weight': }", "{"] {
            assert_eq!(weight(text), None, "{text}");
        }
    }
}
