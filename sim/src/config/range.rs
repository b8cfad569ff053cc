//! Ranges of the fields of a configuration.

use std::fmt;
use Range::{PowerOfTwo, Rule, Text, Truth, Whole, Words};

/// Range of a field. [`Config::from_toml`] and [`Config::set`] refuse anything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// A whole number from the first to the second.
    Whole(u64, u64),
    /// The same, and a power of two.
    PowerOfTwo(u64, u64),
    Words(&'static [&'static str]),
    /// `true` or `false`.
    Truth,
    /// A number whose limits depend on other fields or are those of a hardware unit.
    Rule(&'static str),
    Text,
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Whole(only, last) if only == last => write!(f, "{only}"),
            Whole(first, last) => write!(f, "{first} to {last}"),
            PowerOfTwo(first, last) => write!(f, "a power of two from {first} to {last}"),
            Words(words) => f.write_str(&words.join(", ")),
            Truth => f.write_str("true or false"),
            Rule(rule) => f.write_str(rule),
            Text => f.write_str("any text"),
        }
    }
}
