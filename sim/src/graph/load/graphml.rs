//! GraphML: nodes are called by their ids; the attribute whose key is called `weight` is the length of an edge. networkx declares that key once for each type of its
//! values, and igraph calls its id `e_weight`: what counts is `attr.name`, and the id where there is none.

use super::attributes::Attributes;
use super::found::Found;
use super::length::{FoundLengths, Place};
use super::lines::Text;
use super::names::Names;
use super::Asked;
use crate::graph::csr::Labels;
use crate::graph::error::GraphError;
use crate::graph::shown::{escaped, shown};
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use std::collections::BTreeMap;

const FORM: &str = "give `<graphml><graph edgedefault=...>` with nodes and edges";
const WEIGHT: &str = "weight";

/// A key of the edges.
struct Key {
    name: String,
    default: Option<String>,
}

struct Edge {
    ends: [String; 2],
    directed: bool,
    weight: Option<String>,
    line: usize,
}

/// The state of the reading.
struct Document<'a> {
    text: Text<'a>,
    /// The elements that are open, the outermost first.
    inside: Vec<String>,
    /// Line of the part that is being read, and the place up to which lines are counted.
    line: usize,
    counted: usize,
    keys: BTreeMap<String, Key>,
    /// The key that is being declared, and that of the data that is being read.
    declared: Option<String>,
    data: Option<String>,
    content: String,
    /// Graphs that have begun.
    graphs: usize,
    directed: bool,
    names: Names,
    edges: Vec<Edge>,
    in_edge: bool,
    unused: Attributes,
}

pub fn read(text: Text, asked: Asked) -> Result<Found, GraphError> {
    let mut document = Document::new(text);
    let mut reader = Reader::from_str(text.text);
    loop {
        let event = reader.read_event();
        document.count(reader.buffer_position() as usize);
        match event.map_err(|e| document.error(format!("not XML: {e}"), FORM))? {
            Event::Start(tag) => {
                document.open(&tag)?;
                document.inside.push(tag.local_name().as_ref().to_owned());
            }
            Event::Empty(tag) => {
                document.open(&tag)?;
                document.close(tag.local_name().as_ref());
            }
            Event::End(tag) => {
                document.close(tag.local_name().as_ref());
                document.inside.pop();
            }
            Event::Text(part) => document.content.push_str(&part.xml10_content()),
            Event::CData(part) => document.content.push_str(&part.xml10_content()),
            Event::GeneralRef(name) => document.reference(&name),
            Event::Eof => break document.end()?,
            _ => {}
        }
    }
    document.found(asked)
}

impl<'a> Document<'a> {
    fn new(text: Text<'a>) -> Document<'a> {
        Document {
            text,
            inside: Vec::new(),
            line: 1,
            counted: 0,
            keys: BTreeMap::new(),
            declared: None,
            data: None,
            content: String::new(),
            graphs: 0,
            directed: false,
            names: Names::default(),
            edges: Vec::new(),
            in_edge: false,
            unused: Attributes::default(),
        }
    }

    /// The file ends, which it may do outside of all elements.
    fn end(&self) -> Result<(), GraphError> {
        match self.inside.last() {
            None => Ok(()),
            Some(element) => Err(self.error(format!("the file ends inside <{element}>"), "fetch the file again")),
        }
    }

    fn count(&mut self, position: usize) {
        let bytes = self.text.text.as_bytes();
        let position = position.min(bytes.len());
        self.line += bytes[self.counted..position].iter().filter(|byte| **byte == b'\n').count();
        self.counted = position;
    }

    fn place(&self) -> Place<'a> {
        Place { path: self.text.path, line: Some(self.line) }
    }

    fn error(&self, what: String, remedy: &'static str) -> GraphError {
        self.place().error(shown_line(&what), remedy)
    }

    fn attribute(&self, tag: &BytesStart, name: &str) -> Result<Option<String>, GraphError> {
        let attribute = tag.try_get_attribute(name).map_err(|e| self.error(format!("not XML: {e}"), FORM))?;
        let value =
            attribute.map(|attribute| attribute.normalized_value(XmlVersion::Explicit1_0).map(|v| v.into_owned()));
        value.transpose().map_err(|e| self.error(format!("not XML: {e}"), FORM))
    }

    fn needed(&self, tag: &BytesStart, name: &str) -> Result<String, GraphError> {
        let what = || format!("a <{}> without {name}", tag.local_name().as_ref());
        self.attribute(tag, name)?.ok_or_else(|| self.error(what(), FORM))
    }

    fn open(&mut self, tag: &BytesStart) -> Result<(), GraphError> {
        self.content.clear();
        match tag.local_name().as_ref() {
            "key" => {
                let of_edges = !matches!(self.attribute(tag, "for")?.as_deref(), Some("node" | "graph" | "graphml"));
                let id = self.needed(tag, "id")?;
                if of_edges {
                    let name = self.attribute(tag, "attr.name")?.unwrap_or_else(|| id.clone());
                    self.keys.insert(id.clone(), Key { name, default: None });
                    self.declared = Some(id);
                }
            }
            "graph" => {
                self.graphs += 1;
                if self.graphs > 1 {
                    return Err(self.error("a second graph".into(), "keep one, without graphs in nodes"));
                }
                let default = self.attribute(tag, "edgedefault")?;
                self.directed = default.is_some_and(|default| default.trim().eq_ignore_ascii_case("directed"));
            }
            "node" => {
                let id = self.needed(tag, "id")?;
                self.names.add(self.place(), &id)?;
            }
            "edge" => {
                let ends = [self.needed(tag, "source")?, self.needed(tag, "target")?];
                let directed = self
                    .attribute(tag, "directed")?
                    .map_or(self.directed, |directed| matches!(directed.trim(), "true" | "1"));
                self.edges.push(Edge { ends, directed, weight: None, line: self.line });
                self.in_edge = true;
            }
            "gexf" => return Err(self.error("GEXF, which is not read".into(), "convert it, for example to GraphML")),
            "hyperedge" => return Err(self.error("an edge of several nodes".into(), "give edges of two nodes each")),
            "data" => self.data = Some(self.needed(tag, "key")?),
            _ => {}
        }
        Ok(())
    }

    fn close(&mut self, tag: &str) {
        match tag {
            "key" => self.declared = None,
            "default" => {
                let content = self.content.trim().to_owned();
                if let Some(key) = self.declared.as_ref().and_then(|id| self.keys.get_mut(id)) {
                    key.default = Some(content);
                }
            }
            "edge" => self.in_edge = false,
            "data" => {
                let name = self.data.take().map(|id| self.keys.get(&id).map_or(id, |key| key.name.clone()));
                match (name, self.edges.last_mut()) {
                    (Some(name), Some(edge)) if self.in_edge && name == WEIGHT => {
                        edge.weight = Some(self.content.trim().to_owned());
                    }
                    (Some(name), _) if self.in_edge => self.unused.add(&name),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// `&amp;` and the like.
    fn reference(&mut self, name: &quick_xml::events::BytesRef) {
        let number = name.resolve_char_ref().ok().flatten();
        let known = quick_xml::escape::resolve_predefined_entity(&name.xml10_content()).map(str::to_owned);
        self.content.extend(number);
        self.content.extend(known);
    }

    fn found(self, asked: Asked) -> Result<Found, GraphError> {
        if self.graphs == 0 {
            return Err(self.error("no <graph>".into(), FORM));
        }
        let mut weights = self.keys.values().filter(|key| key.name == WEIGHT);
        let default = weights.find_map(|key| key.default.clone());
        let mixed = self.edges.iter().any(|edge| edge.directed) && self.edges.iter().any(|edge| !edge.directed);
        let lengths = FoundLengths::of_first(asked.lengths);
        let mut found = Found::new(self.names.len() as u64, Labels::From(0), lengths);
        found.symmetric = !self.edges.iter().any(|edge| edge.directed);
        for edge in &self.edges {
            let place = Place { path: self.text.path, line: Some(edge.line) };
            let end = |id: &String| {
                let what = || format!("edge out of range: no node has the id `{}`", shown(id));
                self.names.get(id).ok_or_else(|| place.error(what(), "declare the node"))
            };
            let (v, u) = (end(&edge.ends[0])?, end(&edge.ends[1])?);
            let weight = edge.weight.as_deref().or(default.as_deref());
            found.pairs.push((v, u));
            found.lengths.push(place, weight);
            if mixed && !edge.directed {
                found.pairs.push((u, v));
                found.lengths.push(place, weight);
            }
        }
        found.labels = self.names.labels();
        found.unused = self.unused.told();
        Ok(found)
    }
}

/// An error of the XML reader, which may quote the file.
fn shown_line(what: &str) -> String {
    escaped(&what.chars().take(200).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{edges, message, open, open_with};
    use crate::graph::ReadOptions;

    const END: &str = "</graph></graphml>";

    fn file(keys: &str, rest: &str) -> String {
        format!("<?xml version='1.0'?>\n<graphml>{keys}\n<graph edgedefault=\"undirected\">\n<node id=\"a\"/><node id=\"b &amp; c\"/><node id=\"d\"/>\n{rest}{END}")
    }

    /// networkx has a key for each type, igraph prefixes the id, others have the id alone.
    #[test]
    fn weights_as_each_writer_has_them() {
        let cases = [
            (
                r#"<key id="d1" for="edge" attr.name="weight" attr.type="double"/><key id="d0" for="edge" attr.name="weight" attr.type="long"/><key id="d2" for="edge" attr.name="color" attr.type="string"/>"#,
                "d0",
                "d1",
            ),
            (
                r#"<key id="e_weight" for="edge" attr.name="weight" attr.type="double"/><key id="weight" for="node" attr.name="weight"/>"#,
                "e_weight",
                "e_weight",
            ),
            (r#"<key id="weight" for="edge"/>"#, "weight", "weight"),
            (r#"<key id="d1" for="all" attr.name="weight"><default>7</default></key>"#, "d1", "none"),
            ("", "weight", "weight"),
        ];
        for (keys, first, second) in cases {
            let rest = format!(
                "<edge source=\"a\" target=\"b &amp; c\"><data key=\"{first}\"> 5 </data></edge>\n<edge source=\"d\" target=\"b &#38; c\" id=\"e1\"><data key=\"{second}\"><![CDATA[7]]></data></edge>"
            );
            let graph = open("a.txt", &file(keys, &rest)).unwrap();
            assert_eq!(edges(&graph), [("a", "b & c", 5), ("b & c", "d", 7)], "{keys}");
            assert_eq!(graph.changes.unwrap().one_way, 0);
        }
    }

    #[test]
    fn an_edge_may_have_a_direction_of_its_own() {
        let rest = "<edge source=\"a\" target=\"d\" directed=\"true\"><data key=\"color\">red</data></edge><edge source=\"d\" target=\"b &amp; c\"/>";
        let text = file("", rest);
        let graph = open("a.graphml", &text).unwrap();
        assert_eq!((graph.edges(), graph.changes.unwrap().one_way), (4, 1));
        let graph = open_with("a.graphml", &text, &ReadOptions { directed: true, ..ReadOptions::default() }).unwrap();
        assert_eq!((graph.neighbours(0), graph.neighbours(1), graph.neighbours(2)), (&[2][..], &[2][..], &[1][..]));
        assert_eq!(graph.origin.unwrap().unused, ["`color`"]);
    }

    #[test]
    fn what_is_refused() {
        let cases = [
            ("<edge source=\"a\"/>", "a.graphml:5: a <edge> without target"),
            ("<edge source=\"a\" target=\"x\"/>", "a.graphml:5: edge out of range: no node has the id `x`"),
            ("\n<node id=\"a\"/>", "a.graphml:6: a second node `a`"),
            ("<hyperedge/>", "a.graphml:5: an edge of several nodes"),
            ("<graph/>", "a.graphml:5: a second graph"),
            ("<edge source=\"a\" target=\"d\"></node>", "a.graphml:5: not XML: "),
        ];
        for (rest, expected) in cases {
            let message = message("a.graphml", &file("", rest));
            assert!(message.starts_with(expected), "{message}\nexpected: {expected}");
        }
        let whole = file("", "<edge source=\"a\" target=\"d\"><data key=\"weight\">75</data></edge>\n");
        for (end, inside) in [("</graphml>", "graphml"), (END, "graph"), ("</edge>", "edge"), ("5</data>", "data")] {
            let message = message("a.graphml", &whole[..whole.find(end).unwrap()]);
            assert!(message.contains(&format!(": the file ends inside <{inside}>; fetch the file again")), "{message}");
        }
        assert!(message("a.graphml", "<?xml version='1.0'?><graphml/>").starts_with("a.graphml:1: no <graph>"));
    }
}
