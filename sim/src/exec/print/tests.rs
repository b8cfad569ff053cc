//! Conversions against what glibc's `printf` wrote for the same arguments (`glibc.tsv`), and the rest by hand.

use super::*;

/// Format, bytes of the argument, its bits, text.
const GLIBC: &str = include_str!("glibc.tsv");

/// Arguments in a list; the strings stand for their addresses less one.
struct List<'a> {
    values: Vec<u64>,
    next: usize,
    strings: &'a [&'a str],
}

impl Arguments for List<'_> {
    type Error = std::convert::Infallible;

    fn next(&mut self, _: u64) -> Result<u64, Self::Error> {
        self.next += 1;
        Ok(self.values[self.next - 1])
    }

    fn string(&mut self, address: u64, most: usize) -> Result<Vec<u8>, Self::Error> {
        let text = self.strings[address as usize - 1].as_bytes();
        Ok(text[..text.len().min(most)].to_vec())
    }
}

fn printed(format: &str, values: &[u64], strings: &[&str]) -> (String, u32) {
    let mut out = Vec::new();
    let mut list = List { values: values.to_vec(), next: 0, strings };
    let count = print(format.as_bytes(), &mut list, 10_000, &mut out).unwrap();
    (String::from_utf8_lossy(&out).into_owned(), count)
}

#[test]
fn single_conversions_are_those_of_glibc() {
    for line in GLIBC.lines() {
        let mut fields = line.split('\t');
        let [format, _, bits, text] = std::array::from_fn(|_| fields.next().unwrap());
        let bits = u64::from_str_radix(&bits[2..], 16).unwrap();
        assert_eq!(printed(format, &[bits], &[]), (text.to_string(), 1), "{line}");
    }
    assert!(GLIBC.lines().count() > 800);
}

#[test]
fn strings_have_a_width_and_a_precision() {
    let strings = ["hello", ""];
    let cases = [("%s|", 1, "hello|"), ("%8s|", 1, "   hello|"), ("%-8s|", 1, "hello   |"), ("%.3s|", 1, "hel|")];
    for (format, string, text) in cases {
        assert_eq!(printed(format, &[string], &strings), (text.into(), 1));
    }
    assert_eq!(printed("[%s][%s]", &[2, 0], &strings), ("[][(null)]".into(), 2));
}

#[test]
fn stars_take_arguments_and_count() {
    assert_eq!(printed("%*d|%-*d|%.*f", &[5, 42, 4, 7, 2, 1.5f64.to_bits()], &[]), ("   42|7   |1.50".into(), 6));
    assert_eq!(printed("%*d|", &[-5i64 as u64, 42], &[]), ("42   |".into(), 2));
}

#[test]
fn what_is_no_conversion_stays_as_it_is() {
    assert_eq!(printed("100%% %y %", &[], &[]), ("100% %y %".into(), 0));
    assert_eq!(printed("", &[], &[]), (String::new(), 0));
    let (text, count) = printed(&"%d".repeat(34), &[1; 34], &[]);
    assert_eq!((text, count), (format!("{}%d%d", "1".repeat(32)), 32));
}

#[test]
fn the_text_does_not_grow_without_bound() {
    let mut out = Vec::new();
    let mut list = List { values: vec![1 << 30, 7], next: 0, strings: &[] };
    print(b"%*d", &mut list, 100, &mut out).unwrap();
    assert_eq!(out.len(), 101);
}
