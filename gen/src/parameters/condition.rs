//! Sizes as a condition on the parameters: a product of sets of values where it is one, else alternatives.

use std::collections::{BTreeMap, BTreeSet};

/// A condition of Verilog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    Always,
    Equal(String, i64),
    All(Vec<Condition>),
    Any(Vec<Condition>),
}

impl Condition {
    /// The shortest condition that these sizes alone fulfil. Each has a value for each name.
    pub fn of(names: &[String], sizes: &BTreeSet<Vec<i64>>) -> Self {
        if names.is_empty() {
            return Condition::Always;
        }
        let shortest = (0..names.len()).map(|parameter| split(names, sizes, parameter));
        shortest.min_by_key(|condition| condition.text().len()).expect("there are parameters")
    }

    pub fn text(&self) -> String {
        match self {
            Condition::Always => "1".into(),
            Condition::Equal(name, value) => format!("{name} == {value}"),
            Condition::All(terms) => joined(terms, " && "),
            Condition::Any(terms) => joined(terms, " || "),
        }
    }

    /// The text of the contrary: in one line of so many columns, or a line for each alternative.
    pub fn fails(&self, columns: usize) -> String {
        let text = self.text();
        match self {
            Condition::Equal(name, value) => format!("{name} != {value}"),
            Condition::Any(terms) if text.len() > columns => format!("!({})", joined(terms, "\n        || ")),
            _ => format!("!({text})"),
        }
    }
}

fn joined(terms: &[Condition], operator: &str) -> String {
    let term = |term: &Condition| match term {
        Condition::Equal(..) => term.text(),
        _ => format!("({})", term.text()),
    };
    terms.iter().map(term).collect::<Vec<_>>().join(operator)
}

/// The condition in which a parameter is told first.
fn split(names: &[String], sizes: &BTreeSet<Vec<i64>>, parameter: usize) -> Condition {
    let mut rests: BTreeMap<i64, BTreeSet<Vec<i64>>> = BTreeMap::new();
    for size in sizes {
        let mut rest = size.clone();
        let value = rest.remove(parameter);
        rests.entry(value).or_default().insert(rest);
    }
    let mut values: Vec<(Vec<i64>, BTreeSet<Vec<i64>>)> = vec![];
    for (value, rest) in rests {
        match values.iter_mut().find(|(_, other)| *other == rest) {
            Some((equal, _)) => equal.push(value),
            None => values.push((vec![value], rest)),
        }
    }
    let mut others = names.to_vec();
    let name = others.remove(parameter);
    let equal = |value: &i64| Condition::Equal(name.clone(), *value);
    let product = |(values, rest): &(Vec<i64>, BTreeSet<Vec<i64>>)| {
        all([any(values.iter().map(equal).collect()), Condition::of(&others, rest)])
    };
    any(values.iter().map(product).collect())
}

fn all(terms: [Condition; 2]) -> Condition {
    let inner = |term| match term {
        Condition::Always => vec![],
        Condition::All(terms) => terms,
        other => vec![other],
    };
    one_or(terms.into_iter().flat_map(inner).collect(), Condition::All)
}

fn any(terms: Vec<Condition>) -> Condition {
    one_or(terms, Condition::Any)
}

fn one_or(mut terms: Vec<Condition>, several: fn(Vec<Condition>) -> Condition) -> Condition {
    match terms.len() {
        1 => terms.remove(0),
        _ => several(terms),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn condition(names: &[&str], sizes: &[&[i64]]) -> Condition {
        let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        Condition::of(&names, &sizes.iter().map(|size| size.to_vec()).collect())
    }

    #[test]
    fn a_product_of_sets_is_told_as_one() {
        let one = condition(&["N"], &[&[8]]);
        assert_eq!((one.text(), one.fails(80)), ("N == 8".into(), "N != 8".into()));
        let two = condition(&["N"], &[&[8], &[32]]);
        assert_eq!((two.text(), two.fails(80)), ("N == 8 || N == 32".into(), "!(N == 8 || N == 32)".into()));
        let product: [&[i64]; 4] = [&[8, 4, 1], &[8, 16, 1], &[32, 4, 1], &[32, 16, 1]];
        assert_eq!(
            condition(&["N", "M", "K"], &product).text(),
            "(N == 8 || N == 32) && (M == 4 || M == 16) && K == 1"
        );
    }

    #[test]
    fn other_sizes_are_alternatives() {
        let sizes: [&[i64]; 4] = [&[0, 0], &[0, 1], &[0, 2], &[64, 2]];
        assert_eq!(
            condition(&["N", "M"], &sizes).text(),
            "(N == 0 && (M == 0 || M == 1 || M == 2)) || (N == 64 && M == 2)"
        );
        let lines = "!((N == 0 && (M == 0 || M == 1 || M == 2))\n        || (N == 64 && M == 2))";
        assert_eq!(condition(&["N", "M"], &sizes).fails(40), lines);
        let first: [&[i64]; 3] = [&[8, 16, 0], &[32, 16, 0], &[32, 4, 0]];
        assert_eq!(
            condition(&["N", "M", "K"], &first).text(),
            "K == 0 && ((N == 8 && M == 16) || (N == 32 && (M == 4 || M == 16)))"
        );
    }
}
