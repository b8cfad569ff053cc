//! The condition on our numbers in a statement without a number of its own: `< 100`, `most > 1`, `each >= 45`.

use anyhow::{bail, Context, Result};
use serde::Deserialize;
use std::fmt;

/// The numbers for which it must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    /// A mean: the arithmetic or the geometric one.
    Mean,
    Each,
    /// More than half.
    Most,
    /// One at least.
    Some,
}

/// A relation to a limit, and what must stand in it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct Condition {
    of: Of,
    relation: Relation,
    limit: f64,
    /// As it was written.
    text: String,
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Less,
    AtMost,
    More,
    AtLeast,
}

impl TryFrom<String> for Condition {
    type Error = anyhow::Error;

    fn try_from(text: String) -> Result<Condition> {
        let words: Vec<_> = text.split_whitespace().collect();
        let (of, rest) = match words[..] {
            ["each", ref rest @ ..] => (Of::Each, rest),
            ["most", ref rest @ ..] => (Of::Most, rest),
            ["some", ref rest @ ..] => (Of::Some, rest),
            ref rest => (Of::Mean, rest),
        };
        let [relation, limit] = rest else {
            bail!("`{text}`: write it as `< 100`, `each >= 45`, `most > 1` or `some > 1`")
        };
        let relation = match *relation {
            "<" => Relation::Less,
            "<=" => Relation::AtMost,
            ">" => Relation::More,
            ">=" => Relation::AtLeast,
            other => bail!("`{text}`: `{other}` is none of <, <=, > and >="),
        };
        let limit = limit.parse().with_context(|| format!("`{text}`: `{limit}` is no number"))?;
        Ok(Condition { of, relation, limit, text })
    }
}

impl Condition {
    /// `cells`: all numbers; `means`: of them.
    pub fn holds(&self, cells: &[f64], means: &[f64]) -> bool {
        let holding = cells.iter().filter(|value| self.relation(**value)).count();
        match self.of {
            Of::Mean => means.iter().any(|mean| self.relation(*mean)),
            Of::Each => holding == cells.len(),
            Of::Most => 2 * holding > cells.len(),
            Of::Some => holding > 0,
        }
    }

    fn relation(&self, value: f64) -> bool {
        match self.relation {
            Relation::Less => value < self.limit,
            Relation::AtMost => value <= self.limit,
            Relation::More => value > self.limit,
            Relation::AtLeast => value >= self.limit,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(text: &str, cells: &[f64]) -> bool {
        let mean = cells.iter().sum::<f64>() / cells.len() as f64;
        Condition::try_from(text.to_owned()).unwrap().holds(cells, &[mean])
    }

    #[test]
    fn a_condition_is_of_the_mean_each_most_or_some() {
        let cells = [0.5, 2.0, 3.0];
        assert!(holds("> 1", &cells) && !holds("> 2", &cells));
        assert!(holds("most >= 2", &cells) && !holds("most > 2", &cells));
        assert!(holds("each >= 0.5", &cells) && !holds("each > 0.5", &cells));
        assert!(holds("some <= 0.5", &cells) && !holds("some < 0.5", &cells));
        assert!(!holds("most > 1", &[0.5, 2.0]), "half is not most");
    }

    #[test]
    fn what_is_no_condition_says_how_to_write_one() {
        let message = |text: &str| Condition::try_from(text.to_owned()).unwrap_err().to_string();
        assert_eq!(message("1.2"), "`1.2`: write it as `< 100`, `each >= 45`, `most > 1` or `some > 1`");
        assert_eq!(message("= 1"), "`= 1`: `=` is none of <, <=, > and >=");
        assert_eq!(message("each > x"), "`each > x`: `x` is no number");
    }
}
