//! The Verilog that says what is proven of a unit.

use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};

/// Kind of claim about a wire of the fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// It is high in every cycle outside reset.
    Property,
    /// The same, of registers: it is proven together with all other invariants, and then helps with the properties.
    Invariant,
    /// It is high in some cycle: legal inputs reach what the properties are about.
    Reached,
    /// Inputs keep it high. It is not proven; it is a rule of the pins that the RTL does not check.
    Assumption,
    /// The proof looks only at cycles that keep it high: one word of a memory, words of the 0-1 principle. It is no rule of the pins.
    Choice,
}

const KINDS: [(&str, Kind); 5] = [
    ("property", Kind::Property),
    ("invariant", Kind::Invariant),
    ("reached", Kind::Reached),
    ("assumption", Kind::Assumption),
    ("choice", Kind::Choice),
];

/// A wire of a fragment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    pub name: String,
    pub kind: Kind,
    pub sentence: String,
}

/// A fragment, read.
pub(super) struct Fragment {
    pub claims: Vec<Claim>,
    /// Inputs that the unit does not have: any values in any cycle.
    pub inputs: Vec<String>,
    /// With names of parts as Yosys writes them when all is flat.
    pub text: String,
}

impl Fragment {
    /// One that says nothing.
    pub fn none() -> Self {
        Fragment { claims: vec![], inputs: vec![], text: String::new() }
    }

    /// # Errors
    /// A claim without a wire of its name, or twice; nothing to prove, or nothing to reach.
    pub fn read(unit: &str, text: &str) -> Result<Self> {
        let claims: Vec<Claim> = text.lines().filter_map(claim).collect();
        let problem = |problem: String| Err(Error::Properties { unit: unit.into(), problem });
        for (place, claim) in claims.iter().enumerate() {
            if !text.lines().any(|line| declares(line, &claim.name)) {
                return problem(format!("no line begins with `wire {} =`", claim.name));
            }
            if claims[..place].iter().any(|other| other.name == claim.name) {
                return problem(format!("{} is there twice", claim.name));
            }
        }
        for (kind, name) in [(Kind::Property, "property"), (Kind::Reached, "reached")] {
            if !claims.iter().any(|claim| claim.kind == kind) {
                return problem(format!("there is no `// {name} NAME: SENTENCE`"));
            }
        }
        Ok(Fragment { claims, inputs: text.lines().filter_map(input).collect(), text: flat_names(text) })
    }

    pub fn of(&self, kind: Kind) -> impl Iterator<Item = &Claim> {
        self.claims.iter().filter(move |claim| claim.kind == kind)
    }

    pub fn names(&self, kind: Kind) -> Vec<String> {
        self.of(kind).map(|claim| claim.name.clone()).collect()
    }

    /// Claims that a proof takes as given.
    pub fn assumed(&self) -> Vec<String> {
        [self.names(Kind::Assumption), self.names(Kind::Choice)].concat()
    }
}

/// `// property full_exact: The queue is full when all entries are.`
pub(super) fn claim(line: &str) -> Option<Claim> {
    let (kind, rest) = line.trim().strip_prefix("// ")?.split_once(' ')?;
    let kind = KINDS.iter().find(|(word, _)| *word == kind)?.1;
    let (name, sentence) = rest.split_once(": ")?;
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name.then(|| Claim { name: name.into(), kind, sentence: sentence.into() })
}

fn declares(line: &str, name: &str) -> bool {
    line.trim()
        .strip_prefix("wire ")
        .and_then(|rest| rest.strip_prefix(name))
        .is_some_and(|rest| rest.starts_with(" ="))
}

/// `input [3:0] pick;`
pub(super) fn input(line: &str) -> Option<String> {
    let rest = line.trim().strip_prefix("input ")?.strip_suffix(';')?;
    Some(rest.split(' ').next_back()?.into())
}

/// Where the name at the beginning of `text` ends: `bank.head_q`, or `each_bank[3].bank.head_q`.
fn end_of_name(text: &str, is_word: impl Fn(char) -> bool) -> usize {
    let behind = |start: usize| text[start..].find(|c| !is_word(c)).map_or(text.len(), |length| start + length);
    let mut end = behind(0);
    while let Some((index, _)) = text[end..].strip_prefix('[').and_then(|rest| rest.split_once("].")) {
        if index.is_empty() || !index.bytes().all(|byte| byte.is_ascii_digit()) {
            break;
        }
        end = behind(end + index.len() + 2);
    }
    end
}

/// Each word of `text`, with what is before it; the last word may be empty.
pub(super) fn words(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_word = |c: char| c.is_alphanumeric() || "_.`$'".contains(c);
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let start = text.find(is_word).unwrap_or(text.len());
        let end = start + end_of_name(&text[start..], is_word);
        rest = (end < text.len()).then(|| &text[end..]);
        Some((&text[..start], &text[start..end]))
    })
}

/// `control.head_q` as `\control.head_q `: the name of a register of a part in a flat netlist.
fn flat_names(text: &str) -> String {
    let flat = |(between, word): (&str, &str)| {
        let is_path = word.starts_with(|c: char| c.is_alphabetic()) && word.contains('.') && !word.ends_with('.');
        between.to_string() + &if is_path { format!("\\{word} ") } else { word.into() }
    };
    words(text).map(flat).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "
    input [3:0] pick;
    // property held: What is there stays.
    wire held = ~there | control.full_q[pick] | each[3].bank.full_q[2];
    // reached there_once: It is there.
    wire there_once = there;
";

    #[test]
    fn claims_inputs_and_names_of_parts_are_read() {
        let fragment = Fragment::read("unit", TEXT).unwrap();
        let held = Claim { name: "held".into(), kind: Kind::Property, sentence: "What is there stays.".into() };
        assert_eq!(fragment.claims[0], held);
        assert_eq!(fragment.names(Kind::Reached), ["there_once"]);
        assert_eq!(fragment.inputs, ["pick"]);
        let names = "~there | \\control.full_q [pick] | \\each[3].bank.full_q [2];";
        assert!(fragment.text.contains(names), "{}", fragment.text);
    }

    #[test]
    fn a_fragment_that_says_nothing_is_refused() {
        let problem = |text: &str| Fragment::read("unit", text).err().unwrap().to_string();
        let start = "properties of unit: ";
        assert_eq!(problem(""), format!("{start}there is no `// property NAME: SENTENCE`"));
        let nothing_reached = TEXT.replace("// reached", "//");
        assert_eq!(problem(&nothing_reached), format!("{start}there is no `// reached NAME: SENTENCE`"));
        let nameless = TEXT.replace("wire held =", "wire other =");
        assert_eq!(problem(&nameless), format!("{start}no line begins with `wire held =`"));
    }
}
