//! Lengths of edges, from the words and numbers of a file.

use super::lines::Line;
use crate::graph::error::GraphError;
use crate::graph::limits::MAX_LENGTH;
use crate::graph::options::Lengths;
use crate::graph::shown::shown;
use crate::number;

const REMEDY: &str =
    "give each edge a whole number from 0 to 4294967294, or try --lengths hash, or scale:N for fractions";

/// Where a length stands.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    pub path: &'a str,
    /// The line, if the file is a text.
    pub line: Option<usize>,
}

impl Place<'_> {
    pub fn error(self, what: String, remedy: &'static str) -> GraphError {
        let path = self.path.into();
        match self.line {
            Some(line) => GraphError::Line { path, line, what, remedy },
            None => GraphError::File { path, what, remedy },
        }
    }
}

impl<'a> From<&Line<'a>> for Place<'a> {
    fn from(line: &Line<'a>) -> Place<'a> {
        Place { path: line.path, line: Some(line.number) }
    }
}

/// The lengths of the edges in their order.
pub struct FoundLengths {
    pub asked: Lengths,
    /// Lengths of every edge or of none, as long as nothing is wrong.
    lengths: Vec<u32>,
    /// The line that says whether edges have lengths: a header, or else the first edge.
    rule: Option<(usize, bool)>,
    /// The first length that cannot be used.
    pub wrong: Option<GraphError>,
}

impl FoundLengths {
    /// The first edge says whether edges have lengths.
    pub fn of_first(asked: Lengths) -> Self {
        FoundLengths { asked, lengths: Vec::new(), rule: None, wrong: None }
    }

    /// A header says it.
    pub fn of_header(asked: Lengths, line: usize, has_lengths: bool) -> Self {
        FoundLengths { rule: Some((line, has_lengths)), ..FoundLengths::of_first(asked) }
    }

    /// The lengths to use; `None`: there are none, or none that can be used.
    pub fn values(&self) -> Option<&[u32]> {
        (self.wrong.is_none() && !self.lengths.is_empty()).then_some(&self.lengths)
    }

    /// The length of the next edge, if it has one.
    pub fn push(&mut self, place: Place, word: Option<&str>) {
        if self.asked == Lengths::Hash {
            return;
        }
        let (rule, has_lengths) = *self.rule.get_or_insert((place.line.unwrap_or(0), word.is_some()));
        let wrong = |what: &str| Err(place.error(format!("{what} by line {rule}"), REMEDY));
        let length = match (word, has_lengths) {
            (Some(word), true) => self.read(place, word).map(|length| self.lengths.push(length)),
            (None, false) => self.check_scale(place),
            (None, true) => wrong("the length is missing, which every edge has"),
            (Some(_), false) => wrong("there is a length, which no edge has"),
        };
        self.note(length);
    }

    /// The length of the next edge, of a form in which each has one.
    pub fn push_value(&mut self, place: Place, value: Value) {
        if self.asked == Lengths::Hash {
            return;
        }
        let length = match (self.asked, value) {
            (Lengths::File, Value::Whole(value)) if value <= MAX_LENGTH.into() => Ok(value as u32),
            (_, Value::Whole(value)) => self.read(place, &value.to_string()),
            (_, Value::Float(value)) => self.read(place, &value.to_string()),
        };
        let length = length.map(|length| self.lengths.push(length));
        self.note(length);
    }

    /// The edges have no lengths that can be used, for this reason.
    pub fn refuse(&mut self, error: GraphError) {
        if self.asked != Lengths::Hash {
            self.note(Err(error));
        }
    }

    fn note(&mut self, length: Result<(), GraphError>) {
        if let Err(error) = length {
            self.wrong.get_or_insert(error);
        }
    }

    fn check_scale(&self, place: Place) -> Result<(), GraphError> {
        match self.asked {
            Lengths::Scale(_) => {
                Err(place.error("no length here that --lengths could scale".into(), "leave out --lengths"))
            }
            _ => Ok(()),
        }
    }

    /// A word as the length of an edge.
    fn read(&self, place: Place, word: &str) -> Result<u32, GraphError> {
        let error = |what: &str| Err(place.error(format!("the length is {what}: `{}`", shown(word)), REMEDY));
        if let (Lengths::File, Some(length)) = (self.asked, whole(word)) {
            return Ok(length);
        }
        let Ok(value) = word.parse::<f64>() else { return error("not a number") };
        let scaled = match self.asked {
            Lengths::Scale(factor) => (value * factor).round(),
            _ => value,
        };
        match scaled {
            _ if value.is_nan() => error("not a number"),
            _ if value.is_sign_negative() => error("negative"),
            scaled if scaled > MAX_LENGTH.into() => error("too large"),
            scaled if self.asked == Lengths::File || scaled.fract() != 0.0 => error("not whole"),
            scaled => Ok(scaled as u32),
        }
    }
}

/// A number of a binary file.
#[derive(Clone, Copy)]
pub enum Value {
    Whole(u64),
    Float(f64),
}

/// A whole number in any decimal form, `3.`, `.5e1` and `+1` among them.
fn whole(word: &str) -> Option<u32> {
    let read = |word: &str| number::whole(word, MAX_LENGTH.into()).ok().map(|length| length as u32);
    read(word).or_else(|| {
        let word = word.strip_prefix('+').unwrap_or(word);
        let (mantissa, power) = word.split_at(word.find(['e', 'E']).unwrap_or(word.len()));
        let begun = mantissa.trim_start_matches('0');
        let digits = begun.strip_suffix('.').filter(|_| mantissa.len() > 1).unwrap_or(begun);
        mantissa.contains(|digit: char| digit.is_ascii_digit()).then(|| read(&format!("0{digits}{power}")))?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(asked: Lengths, word: &str) -> Result<u32, String> {
        let mut lengths = FoundLengths::of_first(asked);
        lengths.push(Place { path: "g", line: Some(1) }, Some(word));
        match lengths.wrong {
            Some(error) => Err(error.to_string()),
            None => Ok(lengths.lengths[0]),
        }
    }

    #[test]
    fn decimal_forms_of_whole_numbers() {
        let cases = [
            ("3.", 3),
            (".5e1", 5),
            ("+1", 1),
            ("+2.", 2),
            ("0.", 0),
            ("00.70E1", 7),
            ("+.25e+2", 25),
            ("1.e3", 1000),
            ("120e-1", 12),
            ("4294967294.", u32::MAX - 1),
        ];
        for (word, length) in cases {
            assert_eq!(read(Lengths::File, word), Ok(length), "{word}");
        }
        for word in [".", "+", "e1", "++1", "+-1", "1..", "3.x", "", "0x10", "+.e1", "1,5"] {
            assert!(read(Lengths::File, word).unwrap_err().contains("not a number"), "{word}");
        }
        for word in ["2.5.", "25e-1", ".5"] {
            assert!(read(Lengths::File, word).is_err(), "{word}");
        }
    }

    #[test]
    fn scaled_lengths_are_rounded() {
        let scale = Lengths::Scale(1000.0);
        for (word, length) in [("0.0015", 2), ("7", 7000), (".25", 250), ("0", 0), ("4294967.2936", 4294967294)] {
            assert_eq!(read(scale, word), Ok(length), "{word}");
        }
        assert_eq!(read(Lengths::Scale(0.5), "7"), Ok(4));
        assert!(read(scale, "-0.5").unwrap_err().starts_with("g:1: the length is negative: `-0.5`;"));
        assert!(read(scale, "4294967.3").unwrap_err().contains("too large"));
        assert!(read(scale, "nan").unwrap_err().contains("not a number"));
    }

    #[test]
    fn forms_of_the_option() {
        assert_eq!("scale:1e3".parse(), Ok(Lengths::Scale(1000.0)));
        assert_eq!(("file".parse(), "hash".parse()), (Ok(Lengths::File), Ok(Lengths::Hash)));
        for text in ["", "scale", "scale:", "scale:0", "scale:-1", "scale:inf", "scale:nan", "scale:x", "File"] {
            assert!(text.parse::<Lengths>().is_err(), "{text}");
        }
    }
}
