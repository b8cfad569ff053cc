//! Lines and words of a text file, with their numbers from 1. Blanks are those of ASCII: what Unicode has besides belongs to a word.

use crate::graph::error::GraphError;
use crate::graph::limits::MAX_NODES;
use crate::graph::shown::shown;
use std::iter::{Enumerate, Peekable};
use std::str::{Lines as StrLines, SplitAsciiWhitespace};

/// A file's name and what is in it.
#[derive(Clone, Copy)]
pub struct Text<'a> {
    pub path: &'a str,
    pub text: &'a str,
}

impl<'a> Text<'a> {
    pub fn lines(self) -> impl Iterator<Item = Line<'a>> + Clone {
        lines(self.path, self.text.lines().enumerate())
    }

    /// Lines with words, without those that begin with one of `comments`.
    pub fn rows(self, comments: &'static [char]) -> impl Iterator<Item = Line<'a>> + Clone {
        self.lines().filter(move |line| !line.is_blank() && !line.is_comment(comments))
    }

    /// All words of [`Text::rows`].
    pub fn words(self, comments: &'static [char]) -> Words<'a> {
        let last = Line { path: self.path, number: 1, text: "", words: "".split_ascii_whitespace() };
        Words { text: self, rest: self.text.lines().enumerate().peekable(), comments, line: last }
    }

    pub fn error(self, what: String, remedy: &'static str) -> GraphError {
        GraphError::File { path: self.path.into(), what, remedy }
    }
}

fn lines<'a>(path: &'a str, lines: Enumerate<StrLines<'a>>) -> impl Iterator<Item = Line<'a>> + Clone {
    lines.map(move |(index, text)| Line { path, number: index + 1, text, words: text.split_ascii_whitespace() })
}

/// A line of a file, split into words.
#[derive(Clone)]
pub struct Line<'a> {
    pub path: &'a str,
    pub number: usize,
    pub text: &'a str,
    pub words: SplitAsciiWhitespace<'a>,
}

impl<'a> Line<'a> {
    pub fn error(&self, what: String, remedy: &'static str) -> GraphError {
        GraphError::Line { path: self.path.into(), line: self.number, what, remedy }
    }

    pub fn is_blank(&self) -> bool {
        self.text.trim_ascii().is_empty()
    }

    pub fn is_comment(&self, comments: &[char]) -> bool {
        self.text.trim_ascii_start().starts_with(comments)
    }

    /// The next word as a number that is not negative.
    pub fn number(&mut self, what: &str) -> Result<u64, GraphError> {
        let Some(word) = self.words.next() else {
            return Err(self.error(format!("{what} is missing"), "complete the line"));
        };
        self.whole(word, what)
    }

    /// A word as a number that is not negative.
    pub fn whole(&self, word: &str, what: &str) -> Result<u64, GraphError> {
        word.parse().map_err(|_| match word.parse::<i128>() {
            Ok(value) if value < 0 => self.error(format!("{what} is negative: {value}"), "give a number from 0 on"),
            _ => self.error(format!("{what} is not a number: `{}`", shown(word)), "give a whole number"),
        })
    }

    /// The next word as a node called `first` to `first + nodes - 1`; from 0 in the result.
    pub fn node(&mut self, what: &str, first: u64, nodes: u64) -> Result<u32, GraphError> {
        let number = self.number(what)?;
        self.in_range(number, what, first, nodes)
    }

    pub fn in_range(&self, number: u64, what: &str, first: u64, nodes: u64) -> Result<u32, GraphError> {
        match number.checked_sub(first).filter(|node| *node < nodes) {
            Some(node) => Ok(node as u32),
            None => Err(self.error(
                format!(
                    "edge out of range: {what} is {number}, nodes are {first} to {}",
                    (first + nodes).saturating_sub(1)
                ),
                "correct the edge or the number of nodes",
            )),
        }
    }

    pub fn node_count(&mut self, what: &str) -> Result<u64, GraphError> {
        let nodes = self.number(what)?;
        self.check_nodes(nodes)?;
        Ok(nodes)
    }

    pub fn check_nodes(&self, nodes: u64) -> Result<(), GraphError> {
        if nodes > MAX_NODES {
            return Err(GraphError::TooManyNodes { place: format!("{}:{}", self.path, self.number), nodes });
        }
        Ok(())
    }

    /// Nothing follows on the line.
    pub fn end(&mut self) -> Result<(), GraphError> {
        match self.words.next() {
            None => Ok(()),
            Some(word) => Err(self.error(format!("`{}` follows behind the last word", shown(word)), "leave it out")),
        }
    }
}

/// Words of a text whose lines mean nothing.
pub struct Words<'a> {
    text: Text<'a>,
    rest: Peekable<Enumerate<StrLines<'a>>>,
    comments: &'static [char],
    /// With the words that are left of it.
    pub line: Line<'a>,
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;
    fn next(&mut self) -> Option<&'a str> {
        loop {
            if let Some(word) = self.line.words.next() {
                return Some(word);
            }
            let (index, text) = self.rest.next()?;
            let words = text.split_ascii_whitespace();
            self.line = Line { path: self.text.path, number: index + 1, text, words };
            if self.line.is_comment(self.comments) {
                self.line.words = "".split_ascii_whitespace();
            }
        }
    }
}

impl Words<'_> {
    /// The next word as a number that is not negative.
    pub fn number(&mut self, what: &str) -> Result<u64, GraphError> {
        match self.next() {
            Some(word) => self.line.whole(word, what),
            None => Err(self.line.error(format!("the file ends before {what}"), "fetch the file again")),
        }
    }

    pub fn node_count(&mut self) -> Result<u64, GraphError> {
        let nodes = self.number("the number of nodes")?;
        self.line.check_nodes(nodes)?;
        Ok(nodes)
    }

    pub fn node(&mut self, what: &str, first: u64, nodes: u64) -> Result<u32, GraphError> {
        let number = self.number(what)?;
        self.line.in_range(number, what, first, nodes)
    }

    /// Nothing follows.
    pub fn end(&mut self) -> Result<(), GraphError> {
        match self.next() {
            None => Ok(()),
            Some(_) => Err(self.line.error(
                "more words than the counts at the start promise".into(),
                "fetch the file again or correct the counts",
            )),
        }
    }
}
