//! GML: `graph [ directed 0 node [ id 0 label "a" ] edge [ source 0 target 1 weight 3 ] ]`. Nodes are called by their labels, if all have different ones, and
//! else by their ids.

use super::attributes::Attributes;
use super::found::Found;
use super::length::{FoundLengths, Place};
use super::lines::Text;
use super::names::Names;
use super::Asked;
use crate::graph::error::GraphError;
use crate::graph::shown::shown;
use quick_xml::escape::unescape;
use std::collections::BTreeSet;

const FORM: &str = "give `graph [ node [ id N ] edge [ source N target N ] ]`";

enum Token<'a> {
    Word(&'a str),
    Text(&'a str),
    Open,
    Close,
}

struct Tokens<'a> {
    text: Text<'a>,
    rest: &'a str,
    line: usize,
}

impl<'a> Tokens<'a> {
    fn place(&self) -> Place<'a> {
        Place { path: self.text.path, line: Some(self.line) }
    }

    fn skip(&mut self, bytes: usize) -> &'a str {
        let (skipped, rest) = self.rest.split_at(bytes);
        self.line += skipped.bytes().filter(|byte| *byte == b'\n').count();
        self.rest = rest;
        skipped
    }

    fn next(&mut self) -> Result<Option<Token<'a>>, GraphError> {
        loop {
            self.skip(self.rest.len() - self.rest.trim_start().len());
            match self.rest.starts_with('#') {
                true => self.skip(self.rest.find('\n').unwrap_or(self.rest.len())),
                false => break,
            };
        }
        let Some(first) = self.rest.chars().next() else { return Ok(None) };
        Ok(Some(match first {
            '[' => {
                self.skip(1);
                Token::Open
            }
            ']' => {
                self.skip(1);
                Token::Close
            }
            '"' => {
                let Some(end) = self.rest[1..].find('"') else {
                    return Err(self.place().error("a text without an end".into(), "close its quotes"));
                };
                let text = self.skip(end + 2);
                Token::Text(&text[1..=end])
            }
            _ => {
                let end = self.rest.find(|c: char| c.is_whitespace() || matches!(c, '[' | ']' | '"'));
                Token::Word(self.skip(end.unwrap_or(self.rest.len())))
            }
        }))
    }

    /// The next key of a list; `None`: the list ends.
    fn key(&mut self, outermost: bool) -> Result<Option<&'a str>, GraphError> {
        match self.next()? {
            Some(Token::Word(key)) => Ok(Some(key)),
            Some(Token::Close) if !outermost => Ok(None),
            None if outermost => Ok(None),
            None => Err(self.place().error("the file ends inside a list".into(), "fetch the file again")),
            Some(_) => Err(self.place().error("a value without a key".into(), FORM)),
        }
    }

    /// The value of a key; `None`: a list begins.
    fn value(&mut self) -> Result<Option<&'a str>, GraphError> {
        match self.next()? {
            Some(Token::Word(value) | Token::Text(value)) => Ok(Some(value)),
            Some(Token::Open) => Ok(None),
            _ => Err(self.place().error("a key without a value".into(), FORM)),
        }
    }

    /// Passes over a list that has begun.
    fn skip_list(&mut self) -> Result<(), GraphError> {
        let mut depth = 1;
        while depth > 0 {
            match self.next()? {
                Some(Token::Open) => depth += 1,
                Some(Token::Close) => depth -= 1,
                Some(_) => {}
                None => return Err(self.place().error("the file ends inside a list".into(), "fetch the file again")),
            }
        }
        Ok(())
    }
}

/// The attributes of a `node` or an `edge`.
#[derive(Default)]
struct Item<'a> {
    id: Option<&'a str>,
    label: Option<&'a str>,
    ends: [Option<&'a str>; 2],
    weight: Option<&'a str>,
}

#[derive(Default)]
struct Graph<'a> {
    directed: bool,
    ids: Names,
    labels: Vec<Option<&'a str>>,
    /// With the line.
    edges: Vec<(Item<'a>, usize)>,
    unused: Attributes,
}

pub fn read(text: Text, asked: Asked) -> Result<Found, GraphError> {
    let mut tokens = Tokens { text, rest: text.text, line: 1 };
    let mut graph = None;
    while let Some(key) = tokens.key(true)? {
        match (key, tokens.value()?) {
            ("graph", None) if graph.is_some() => {
                return Err(tokens.place().error("a second graph".into(), "keep one"));
            }
            ("graph", None) => graph = Some(read_graph(&mut tokens)?),
            (_, None) => tokens.skip_list()?,
            (_, Some(_)) => {}
        }
    }
    let Some(Graph { directed, ids, labels, edges, unused }) = graph else {
        return Err(tokens.place().error("no `graph [`".into(), FORM));
    };
    let mut found = Found::new(
        ids.len() as u64,
        names(text, &labels).unwrap_or_default().labels(),
        FoundLengths::of_first(asked.lengths),
    );
    for (edge, line) in edges {
        let place = Place { path: text.path, line: Some(line) };
        let end = |end: Option<&str>, what| {
            let id = end.ok_or_else(|| place.error(format!("an edge without a {what}"), FORM))?;
            let no_node = || place.error(format!("edge out of range: no node has the id `{}`", shown(id)), FORM);
            ids.get(id).ok_or_else(no_node)
        };
        found.pairs.push((end(edge.ends[0], "source")?, end(edge.ends[1], "target")?));
        found.lengths.push(place, edge.weight);
    }
    if names(text, &labels).is_none() {
        found.labels = ids.labels();
    }
    found.symmetric = !directed;
    found.unused = unused.told();
    Ok(found)
}

/// The labels, if each node has another one. GML writes `&` and quotes in a text as `&amp;` or `&#38;`; what is no such entity stays.
fn names(text: Text, labels: &[Option<&str>]) -> Option<Names> {
    let mut seen = BTreeSet::new();
    if !labels.iter().all(|label| label.is_some_and(|label| seen.insert(label))) {
        return None;
    }
    let mut names = Names::default();
    let place = Place { path: text.path, line: None };
    for label in labels.iter().flatten() {
        names.add(place, &unescape(label).unwrap_or_else(|_| (*label).into())).ok()?;
    }
    Some(names)
}

fn read_graph<'a>(tokens: &mut Tokens<'a>) -> Result<Graph<'a>, GraphError> {
    let mut graph = Graph::default();
    while let Some(key) = tokens.key(false)? {
        let line = tokens.line;
        match (key, tokens.value()?) {
            ("directed", Some(value)) => graph.directed = value == "1",
            ("node", None) => {
                let node = read_item(tokens, &["id", "label"], &mut graph.unused)?;
                let Some(id) = node.id else { return Err(tokens.place().error("a node without an id".into(), FORM)) };
                graph.ids.add(tokens.place(), id)?;
                graph.labels.push(node.label);
            }
            ("edge", None) => {
                let used = &["source", "target", "weight", "id", "key", "label"];
                graph.edges.push((read_item(tokens, used, &mut graph.unused)?, line));
            }
            (_, None) => tokens.skip_list()?,
            (_, Some(_)) => {}
        }
    }
    Ok(graph)
}

fn read_item<'a>(tokens: &mut Tokens<'a>, used: &[&str], unused: &mut Attributes) -> Result<Item<'a>, GraphError> {
    let mut item = Item::default();
    while let Some(key) = tokens.key(false)? {
        let value = tokens.value()?;
        match (key, value) {
            ("id", value) => item.id = value,
            ("label", value) => item.label = value,
            ("source", value) => item.ends[0] = value,
            ("target", value) => item.ends[1] = value,
            ("weight", value) => item.weight = value,
            _ => {}
        }
        if !used.contains(&key) {
            unused.add(key);
        }
        if value.is_none() {
            tokens.skip_list()?;
        }
    }
    Ok(item)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{edges, open, refuses};

    #[test]
    fn labels_are_names_and_weight_is_the_length() {
        let text = "Creator \"somebody\"\nVersion 1\ngraph [\n  directed 0\n  comment [ deep [ er 1 ] ]\n  node [ id 7 label \"b c\" size 3 ]\n  node [\n id 3\n label \"a]\"\n graphics [ x 1 ] ]\n  node [ id 1 label \"d\" ]\n  edge [ source 3 target 7 weight 5. color \"red\" ]\n  # comment\n  edge [ source 7 target 1 weight 7 ]\n]\n";
        for name in ["a.gml", "a.txt"] {
            let graph = open(name, text).unwrap();
            assert_eq!(edges(&graph), [("b c", "a]", 5), ("b c", "d", 7)]);
            assert_eq!(graph.origin.unwrap().unused, ["`color`", "`graphics`", "`size`"]);
            assert_eq!(graph.changes.unwrap().one_way, 0);
        }
        let escaped = "graph [ node [ id 1 label \"a &#38; b\" ] node [ id 2 label \"&quot;&uuml;\" ] node [ id 3 label \"&lt;c&gt;\" ] edge [ source 1 target 3 weight 2 ] ]";
        let graph = open("a.gml", escaped).unwrap();
        assert_eq!(
            (graph.label(0).as_str(), graph.label(1).as_str(), graph.label(2).as_str()),
            ("a & b", "&quot;&uuml;", "<c>")
        );
        let graph =
            open("a", "graph [ directed 1 node [ id 7 ] node [ id 3 label \"x\" ] edge [ source 3 target 7 ] ]")
                .unwrap();
        assert_eq!((graph.label(0).as_str(), graph.edges(), graph.changes.unwrap().one_way), ("7", 2, 1));
        assert_eq!(graph.weights_origin(), "hashed, 1 to 255");
    }

    #[test]
    fn what_is_refused() {
        let cases = [
            (
                "graph [ node [ id 1 ]\nedge [ source 1 target 2 ] ]",
                "a.gml:2: edge out of range: no node has the id `2`",
            ),
            ("graph [ node [ id 1 ]\nnode [ id 1 ] ]", "a.gml:2: a second node `1`"),
            ("graph [ node [ label \"x\" ] ]", "a.gml:1: a node without an id"),
            ("graph [ node [ id 1 ] edge [ source 1 ] ]", "a.gml:1: an edge without a target"),
            ("graph [ node [ id 1 ]\n", "a.gml:2: the file ends inside a list"),
            ("graph [ node [ id 1 label \"x ] ]", "a.gml:1: a text without an end"),
            ("graph [ ]\ngraph [ ]", "a.gml:2: a second graph"),
            ("graph [ node ] ]", "a.gml:1: a key without a value"),
            ("Version 1\n", "a.gml:2: no `graph [`"),
        ];
        refuses("a.gml", &cases);
    }
}
