//! LGL: `# NODE`, then its neighbours, a line each, with the length of the edge if there are lengths.

use super::found::Found;
use super::length::FoundLengths;
use super::lines::Text;
use super::names::Names;
use super::Asked;
use crate::graph::csr::Labels;
use crate::graph::error::GraphError;

const FORM: &str = "give `# NODE` lines and `NEIGHBOUR [LENGTH]` lines";

pub fn read(text: Text, asked: Asked) -> Result<Found, GraphError> {
    let mut names = Names::default();
    let mut found = Found::new(0, Labels::From(0), FoundLengths::of_first(asked.lengths));
    let (mut node, mut heads_are_numbers, mut others_are_numbers) = (None, true, true);
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    for mut line in text.lines().filter(|line| !line.is_blank()) {
        if let Some(head) = line.text.trim().strip_prefix('#').map(str::trim) {
            if head.is_empty() || head.contains(char::is_whitespace) {
                return Err(line.error("a `#` line has the name of one node".into(), FORM));
            }
            heads_are_numbers &= is_number(head);
            node = Some(names.node((&line).into(), head)?);
            continue;
        }
        let Some(node) = node else {
            return Err(line.error("a neighbour before the first `# NODE` line".into(), FORM));
        };
        let neighbour = line.words.next().expect("a line that is not blank");
        others_are_numbers &= is_number(neighbour);
        found.pairs.push((node, names.node((&line).into(), neighbour)?));
        let length = line.words.next();
        if length.is_some_and(|length| length.parse::<f64>().is_err()) {
            return Err(line.error("a neighbour has a number behind it, or nothing".into(), FORM));
        }
        found.lengths.push((&line).into(), length);
        line.end()?;
    }
    // An edge list of numbers may have comments of one word.
    if !asked.named && others_are_numbers && !heads_are_numbers {
        return Err(text.error("the `#` lines name no node that has neighbours of its kind".into(), FORM));
    }
    found.nodes = names.len();
    found.labels = names.labels();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{edges, message, open};

    #[test]
    fn blocks_of_neighbours() {
        let graph = open("a.txt", "# a\nb 3\nc 5\n# b\nc 4\n# d\n").unwrap();
        assert_eq!(edges(&graph), [("a", "b", 3), ("a", "c", 5), ("b", "c", 4)]);
        assert_eq!((graph.nodes(), graph.origin.unwrap().format.name()), (4, "lgl"));
        let graph = open("a.txt", "# 1\n2\n3\n# 2\n3\n").unwrap();
        assert_eq!((graph.nodes(), graph.edges(), graph.weights_origin().as_str()), (3, 6, "hashed, 1 to 255"));
    }

    #[test]
    fn one_word_in_a_comment_makes_no_lgl() {
        assert_eq!(open("a.txt", "# edges\n1 2\n2 3\n").unwrap().origin.unwrap().format.name(), "edge-list");
        assert!(message("a.txt", "# 1\n2 5\n3 5\n# 2\n3 7\n").contains("fits several formats: edge-list, lgl; name"));
        assert_eq!(open("a.lgl", "# 1\n2 5\n3 5\n# 2\n3 7\n").unwrap().edges(), 6);
    }
}
