//! Graph files: what they hold is found from their contents, checked against itself, and made a graph.
//!
//! Graphs become undirected unless their directions are asked for: the reverse of every edge is added (also for Matrix Market's `general`), an edge that
//! the file names twice, in whichever direction, counts once, with the shortest of its lengths, and loops are dropped.
//! Every edge has a length or none has. Lengths that cannot be used are an error only to those who ask for them.

mod adjacency_list;
mod adjacency_matrix;
mod attributes;
mod bytes;
mod columns;
mod counts;
mod detect;
mod dimacs;
mod edge_list;
mod foreign;
mod found;
mod galois;
mod gap;
mod gml;
mod graphml;
mod length;
mod lgl;
mod ligra;
mod lines;
mod matrix_market;
mod metis;
mod names;
mod npy;
mod numbers;
mod ogb;
mod reader;
mod rodinia;
mod rows;
mod scipy;
mod scotch;
mod unpack;

use super::csr::Graph;
use super::error::GraphError;
use super::format::Format;
use super::options::{Lengths, ReadOptions};

/// The user's wishes for a reader of a format.
#[derive(Clone, Copy)]
pub struct Asked {
    lengths: Lengths,
    /// The user says that this is the format: what the file may be besides does not count.
    named: bool,
}

pub fn open(path: &str, options: &ReadOptions) -> Result<Graph, GraphError> {
    let contents = unpack::read(path)?;
    let asked = Asked { lengths: options.lengths, named: options.format.is_some() };
    let (format, mut found) = match options.format {
        Some(format) => (format, reader::read(format, path, &contents.bytes, asked)?),
        None => detect::read(path, &contents, asked)?,
    };
    if format == Format::EdgeList {
        ogb::complete(path, &mut found)?;
    }
    let graph = found.graph(path, format, options.directed)?;
    match graph.edges() {
        0 => Err(GraphError::Empty { place: path.into() }),
        _ => Ok(graph),
    }
}

#[cfg(test)]
mod tests {
    use super::{Format, Graph, GraphError, ReadOptions};
    use crate::graph::{self, Changes};
    use flate2::{write::GzEncoder, Compression};
    use std::io::{Cursor, Write};
    use zip::write::SimpleFileOptions;

    /// Writes bytes to a file called `name` and opens it.
    pub fn open_bytes(name: &str, bytes: &[u8]) -> Result<Graph, GraphError> {
        opened(name, bytes, &ReadOptions::default())
    }

    fn opened(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Graph, GraphError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        graph::open_with(path.to_str().unwrap(), options)
    }

    pub fn gzipped(bytes: &[u8]) -> Vec<u8> {
        let mut packer = GzEncoder::new(Vec::new(), Compression::default());
        packer.write_all(bytes).unwrap();
        packer.finish().unwrap()
    }

    pub fn zipped(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in members {
            archive.start_file(*name, SimpleFileOptions::default()).unwrap();
            archive.write_all(bytes).unwrap();
        }
        archive.finish().unwrap().into_inner()
    }

    /// Packed if the name ends in .gz.
    pub fn open_with(name: &str, text: &str, options: &ReadOptions) -> Result<Graph, GraphError> {
        match name.ends_with(".gz") {
            true => opened(name, &gzipped(text.as_bytes()), options),
            false => opened(name, text.as_bytes(), options),
        }
    }

    pub fn open(name: &str, text: &str) -> Result<Graph, GraphError> {
        open_with(name, text, &ReadOptions::default())
    }

    pub fn open_as(name: &str, text: &str, format: &str) -> Result<Graph, GraphError> {
        let format: Format = format.parse().unwrap();
        open_with(name, text, &ReadOptions { format: Some(format), ..ReadOptions::default() })
    }

    /// The message without the folder.
    pub fn message(name: &str, text: &str) -> String {
        let error = open(name, text).err().unwrap_or_else(|| panic!("is read: {text}")).to_string();
        assert!(!error.chars().any(char::is_control), "{error}");
        let start = error.find(&format!("/{name}:")).expect("names the file") + 1;
        error[start..].to_owned()
    }

    /// Each text, and what its message begins with.
    pub fn refuses<T: AsRef<str>>(name: &str, cases: &[(T, &str)]) {
        for (text, expected) in cases {
            let message = message(name, text.as_ref());
            assert!(message.starts_with(expected), "{message}\nexpected: {expected}");
        }
    }

    /// The edges of an undirected graph, once each, with the names of both ends.
    pub fn edges(graph: &Graph) -> Vec<Edge> {
        let lengths = graph.edge_weights().unwrap();
        let of = |v: u32| graph.neighbours(v).iter().zip(graph.row[v as usize]..).filter(move |(u, _)| v < **u);
        let edge = |v: u32, u: u32, e: u32| Edge(graph.label(v), graph.label(u), lengths[e as usize]);
        (0..graph.nodes() as u32)
            .flat_map(|v| of(v).map(move |(u, e)| (v, *u, e)))
            .map(|(v, u, e)| edge(v, u, e))
            .collect()
    }

    #[derive(Debug)]
    pub struct Edge(String, String, u32);

    impl PartialEq<(&str, &str, u32)> for Edge {
        fn eq(&self, (v, u, length): &(&str, &str, u32)) -> bool {
            (self.0.as_str(), self.1.as_str(), self.2) == (*v, *u, *length)
        }
    }

    const PATH: [&[u32]; 3] = [&[1], &[0, 2], &[1]];

    fn assert_is_path(graph: &Graph) {
        assert_eq!(graph.nodes(), 3);
        for (node, neighbours) in PATH.iter().enumerate() {
            assert_eq!(graph.neighbours(node as u32), *neighbours);
        }
    }

    #[test]
    fn matrix_market_of_each_kind() {
        let cases = [
            ("pattern symmetric", "2 1\n3 2"),
            ("pattern general", "1 2\n2 3"),
            ("real general", "1 2 0.5\n3 2 -1e3"),
            ("integer symmetric", "2 1 7\n3 2 -7"),
        ];
        for (kind, entries) in cases {
            let text = format!("%%MatrixMarket matrix coordinate {kind}\n% by hand\n\n3 3 2\n{entries}\n");
            for name in ["p.mtx", "p.mtx.gz", "p", "p.txt.gz"] {
                let graph = open(name, &text).unwrap();
                assert_is_path(&graph);
                assert_eq!((graph.name.as_str(), graph.label(0).as_str()), ("p", "1"));
            }
        }
    }

    /// Entries on three nodes.
    fn matrix(kind: &str, entries: &str) -> String {
        let count = entries.lines().count();
        format!("%%MatrixMarket matrix coordinate {kind}\n3 3 {count}\n{entries}\n")
    }

    fn arcs(lines: &str) -> String {
        format!("p sp 3 {}\n{lines}\n", lines.lines().count())
    }

    /// By the rows of the path: 0 to 1, 1 to 0, 1 to 2, 2 to 1.
    #[test]
    fn whole_numbers_are_lengths_of_edges() {
        let cases = [
            ("p.mtx", matrix("integer general", "1 2 7\n3 2 1000")),
            ("p.mtx", matrix("real symmetric", "2 1 7.0\n3 2 1e3")),
            ("p.gr", arcs("a 1 2 7\na 2 1 7\na 2 3 1000\na 3 2 1000")),
            ("p", "10 20 7\n20 30 1000\n".into()),
            // The shortest counts, of both directions too.
            ("p.mtx", matrix("integer general", "1 2 9\n2 1 7\n3 2 1000\n3 2 4294967294")),
            ("p.gr", arcs("a 1 2 9\na 2 1 7\na 2 3 1000\na 3 2 2000")),
            ("p", "10 20 8\n20 10 9\n20 30 1000\n10 20 7\n".into()),
        ];
        for (name, text) in cases {
            let graph = open(name, &text).unwrap();
            assert_is_path(&graph);
            assert_eq!(graph.edge_weights().unwrap(), [7, 7, 1000, 1000], "{text}");
            assert_eq!(graph.weights_origin(), "of the file");
        }
        let extremes = open("p", "1 2 0\n2 3 4294967294\n").unwrap().edge_weights().unwrap();
        assert_eq!(extremes, [0, 0, u32::MAX - 1, u32::MAX - 1]);
    }

    #[test]
    fn without_lengths_a_hash_stands_in() {
        let hashed = Graph::undirected("p", 3, &[(0, 1), (1, 2)]).edge_weights();
        let cases = [
            ("p.mtx", matrix("pattern symmetric", "2 1\n3 2")),
            ("p.gr", arcs("a 1 2\na 2 3")),
            ("p", "10 20\n20 30\n".into()),
        ];
        for (name, text) in cases {
            let graph = open(name, &text).unwrap();
            assert_eq!(graph.edge_weights(), hashed, "{text}");
            assert_eq!(graph.weights_origin(), "hashed, 1 to 255");
        }
    }

    /// Who asks for no lengths has the graph all the same.
    #[test]
    fn lengths_that_cannot_be_used_are_an_error_to_those_who_ask() {
        let values = [
            ("7.5", "the length is not whole: `7.5`"),
            ("-1", "the length is negative: `-1`"),
            ("-0.0", "the length is negative: `-0.0`"),
            ("nan", "the length is not a number: `nan`"),
            ("x", "the length is not a number: `x`"),
            ("4294967295", "the length is too large: `4294967295`"),
            ("1e30", "the length is too large: `1e30`"),
            ("inf", "the length is too large: `inf`"),
            ("", "the length is missing, which every edge has by line"),
        ];
        for (value, message) in values {
            let cases = [
                ("p.mtx", 4, matrix("real general", &format!("1 2 7\n2 3 {value}"))),
                ("p.mtx", 4, matrix("integer symmetric", &format!("2 1 7\n3 2 {value}"))),
                ("p.gr", 3, arcs(&format!("a 1 2 7\na 2 3 {value}"))),
                ("p", 2, format!("1 2 7\n2 3 {value}\n")),
            ];
            // The lines of an edge list have as many words each.
            let cases = cases.into_iter().filter(|(name, ..)| !(value.is_empty() && *name == "p"));
            for (name, line, text) in cases {
                let graph = open(name, &text).unwrap();
                assert_is_path(&graph);
                let error = graph.edge_weights().unwrap_err().to_string();
                assert!(error.contains(&format!("/{name}:{line}: {message}")), "{error}");
                assert!(error.ends_with("; give each edge a whole number from 0 to 4294967294, or try --lengths hash, or scale:N for fractions"), "{error}");
            }
        }
        let late = [("p.gr", 3, arcs("a 1 2\na 2 3 7"))];
        for (name, line, text) in late.into_iter().chain([("p.mtx", 4, matrix("pattern general", "1 2\n2 3 7"))]) {
            let error = open(name, &text).unwrap().edge_weights().unwrap_err().to_string();
            assert!(
                error.contains(&format!("/{name}:{line}: there is a length, which no edge has by line ")),
                "{error}"
            );
        }
    }

    #[test]
    fn lengths_are_taken_as_they_are_asked_for() {
        let with = |lengths: &str| ReadOptions { lengths: lengths.parse().unwrap(), ..ReadOptions::default() };
        let cases = [
            ("p", "10 20 0.25\n20 30 -1\n".to_owned()),
            ("p.mtx", matrix("real general", "1 2 0.25\n2 3 -1")),
            ("p.gr", arcs("a 1 2 0.25\na 2 3 -1")),
            ("p.graph", "3 2 1\n2 .25\n1 .25 3 -1\n2 -1\n".into()),
        ];
        for (name, text) in cases {
            let hashed = open_with(name, &text, &with("hash")).unwrap();
            assert_eq!(hashed.edge_weights(), Graph::undirected("p", 3, &[(0, 1), (1, 2)]).edge_weights());
            assert_eq!(hashed.weights_origin(), "hashed, 1 to 255, whatever the file has");
            let error = open_with(name, &text, &with("scale:100")).unwrap().edge_weights().unwrap_err().to_string();
            assert!(error.contains("the length is negative: `-1`"), "{error}");
            let scaled = open_with(name, &text.replace("-1", "1.006"), &with("scale:100")).unwrap();
            assert_eq!(scaled.edge_weights().unwrap(), [25, 25, 101, 101]);
            assert_eq!(scaled.weights_origin(), "of the file, times 100, rounded");
        }
        let error = open_with("p", "1 2\n", &with("scale:2")).unwrap().edge_weights().unwrap_err().to_string();
        assert!(error.contains("p:1: no length here that --lengths could scale"), "{error}");
    }

    #[test]
    fn directions_are_kept_if_they_are_asked_for() {
        let directed = ReadOptions { directed: true, ..ReadOptions::default() };
        let cases = [
            ("p", "10 20 5\n20 30 7\n20 10 6\n20 20 1\n20 10 4\n".to_owned()),
            ("p.mtx", matrix("integer general", "1 2 5\n2 3 7\n2 1 6\n2 2 1\n2 1 4")),
            ("p.gr", arcs("a 1 2 5\na 2 3 7\na 2 1 6\na 2 2 1\na 2 1 4")),
        ];
        for (name, text) in cases {
            let graph = open_with(name, &text, &directed).unwrap();
            assert_eq!([0, 1, 2].map(|v| graph.neighbours(v)), [&[1][..], &[0, 2], &[]], "{text}");
            assert_eq!(graph.edge_weights().unwrap(), [5, 4, 7]);
            let changes = Changes { one_way: 0, loops: 1, repeated: 1, several_lengths: 1 };
            assert_eq!(graph.changes.unwrap(), changes);
        }
        // By the format, a pair stands for both directions.
        for (name, text) in [
            ("p.mtx", matrix("pattern symmetric", "2 1\n3 2")),
            ("p.col", "p edge 3 2\ne 1 2\ne 3 2\n".into()),
            ("p", "% sym unweighted\n1 2\n2 3\n".into()),
        ] {
            assert_is_path(&open_with(name, &text, &directed).unwrap());
        }
    }

    #[test]
    fn line_ends_and_marks_of_every_editor() {
        for text in ["1 2\r2 3", "1 2\r\n2 3\r\n", "\u{feff}1 2\n2 3\n", "# caf\u{e9}\n1\t2\n\n2  3 \n"] {
            for name in ["p", "p.txt.gz"] {
                assert_is_path(&open(name, text).unwrap());
            }
        }
        let latin = [&matrix("pattern general", "1 2\n2 3").into_bytes()[..50], b"% caf\xe9\n"].concat();
        assert!(open_bytes("p.mtx", &latin).unwrap_err().to_string().contains("p.mtx:"), "bytes of Latin-1 do no harm");
        assert_is_path(&open("p.graph", "3 2\r2\r1 3\r2\r").unwrap());
    }

    #[test]
    fn columns_of_every_writer() {
        let path = [("1", "2", 5), ("2", "3", 7)];
        let cases = [
            ("1 2 {'weight': 5}\n2 3 {'weight': 7.0, 'x': 'a b'}\n", "`x`"),
            ("1,2,5\n2,3,7\n", ""),
            ("1;2;5\n2;3;7\n", ""),
            ("1,2,{'weight': 5}\n2,3,{'weight': 7}\n", ""),
            ("source,target,weight\n1,2,5\n2,3,7\n", ""),
            (",Source,kind,Target,Weight\n0,1,x,2,5\n1,2,y,3,7.0\n", "`kind`"),
            ("% asym weighted\n% 2 3 3\n1 2 5 1300000000\n2 3 7 1300000001\n", "the fourth word of a line"),
        ];
        for (text, unused) in cases {
            let graph = open("p.txt", text).unwrap();
            assert_eq!(edges(&graph), path, "{text}");
            assert_eq!(graph.origin.unwrap().unused.join(" "), unused, "{text}");
        }
        for text in [
            "a b {'weight': 5}\nb c {'weight': 7}\n",
            "a b 5\nb c 7\n",
            "from,to,length\n\"a\",\"b\",5\nb,c,7\n",
            "kind,source,target,weight\nx,a,b,5\ny,b,c,7\n",
        ] {
            assert_eq!(edges(&open("p", text).unwrap()), [("a", "b", 5), ("b", "c", 7)], "{text}");
        }
        assert_eq!(
            open_as("p", "1 2 5 6 7\n2 3 7 8 9\n", "edge-list").unwrap().origin.unwrap().unused,
            ["the words 4 to 5 of a line"]
        );
        assert!(message("p.txt", "1 2 5 6 7\n2 3 7 8 9\n")
            .contains("p.txt:1: 5 words, more than two nodes, a length and a time"));
        assert!(message("p.txt", "% bip weighted\n1 2 5\n").contains("p.txt:1: the graph is bipartite"));
        assert!(message("p.txt", "1 2 {'a': [3]}\n").contains("p.txt:1: not a dictionary that is known: `{'a': [3]}`"));
        for comment in ["# graph Edges: 5 of them", "# random graph [n=3]", "% graph ["] {
            assert_is_path(&open("p", &format!("{comment}\n1 2\n2 3\n")).unwrap());
        }
    }

    #[test]
    fn a_first_edge_is_no_header() {
        for [a, b, c] in
            [["node1", "node2", "node3"], ["source", "target", "sink"], ["From", "To", "x"], ["id_1", "id_2", "id_3"]]
        {
            for [ab, bc, ca] in [["3", "4", "5"], ["{'weight': 3}", "{'weight': 4}", "{'weight': 5}"]] {
                let text = format!("{a} {b} {ab}\n{b} {c} {bc}\n{c} {a} {ca}\n");
                assert_eq!(edges(&open("p", &text).unwrap()), [(a, b, 3), (a, c, 5), (b, c, 4)], "{text}");
            }
            assert_eq!(open("p", &format!("{a} {b}\n{b} {c}\n{c} {a}\n")).unwrap().edges(), 6);
        }
        assert_eq!(edges(&open("p", "src dst 7\nx dst 8\n").unwrap()), [("src", "dst", 7), ("dst", "x", 8)]);
        // A node may be called as a column that is no end of edges.
        assert_eq!(edges(&open("p", "source,target,weight\nweight,a,3\n").unwrap()), [("weight", "a", 3)]);
    }

    #[test]
    fn names_with_blanks_between_tabs() {
        let text = "hub\tNode 1\t5\nhub\tNode 2\t6\nNode 2\tNode 3\t7\n";
        let lengths = [("hub", "Node 1", 5), ("hub", "Node 2", 6), ("Node 2", "Node 3", 7)];
        assert_eq!(edges(&open("p", text).unwrap()), lengths);
        assert_eq!(edges(&open("p", &format!("source\ttarget\tweight\n{text}")).unwrap()), lengths);
        assert_eq!(open("p", "hub\tNode 1\nhub\tNode 2\nhub\tNode 3\n").unwrap().nodes(), 4);
        // Tabs that only line the words up.
        for text in ["a\t\tb\nb\tc\n", "1\t 2\n2 \t3\n", "1 2\t5\n2 3\t7\n"] {
            assert_is_path(&open("p", text).unwrap());
        }
    }

    #[test]
    fn counts_of_comments_are_held_against_the_edges() {
        for (comments, expected) in [
            ("% asym unweighted\n% 5 10 10", "a.txt:2: fewer edges than promised: 5 here, 2"),
            ("% sym unweighted\n% 2 2 2", "a.txt:2: more nodes than promised: 2 here, 3 in the file"),
            ("# Nodes: 10 Edges: 3", "a.txt:1: fewer edges than promised: 3 here, 2"),
            ("# Nodes: 2 Edges: 2", "a.txt:1: more nodes than promised: 2 here, 3 in the file"),
        ] {
            let message = message("a.txt", &format!("{comments}\n1 2\n2 3\n"));
            assert!(message.starts_with(expected), "{message}\nexpected: {expected}");
        }
        for comments in ["% asym unweighted\n% 2 10 10", "# Nodes: 10 Edges: 2", "% 5 10 10"] {
            assert_is_path(&open("a.txt", &format!("{comments}\n1 2\n2 3\n")).unwrap());
        }
    }

    /// NEL, line separator, vertical tab, blank without a break.
    #[test]
    fn only_blanks_and_tabs_stand_between_words() {
        for mark in ['\u{85}', '\u{2028}', '\u{b}', '\u{a0}'] {
            assert!(message("a.txt", &format!("1 2\n2{mark}3\n")).contains("a.txt:2: the second node is missing"));
            assert!(message("a.txt", &format!("1 2 3\n2 3{mark}4 5\n")).contains("not a number: `3"));
        }
    }

    /// Texts of people and files of other formats; no byte of a file reaches the terminal.
    #[test]
    fn what_is_no_graph_is_told_by_its_name() {
        let cases = [
            ("hello world\n", "not a graph format that is known"),
            ("two words\nevery line\nall along\n", "not a graph format that is known"),
            ("user1 5\nuser2 5\n", "not a graph format that is known"),
            ("FromNodeId ToNodeId\n1 2\n2 3\n", "a.txt:1: the first node is not a number: `FromNodeId`"),
            ("a b\n1 2\n2 3\n", "a.txt:1: the first node is not a number: `a`"),
            ("*Vertices 2\n1 \"a\"\n", "Pajek's format, which is not read; convert it"),
            ("<!DOCTYPE HTML>\n", "a web page; fetch the file itself"),
            ("digraph {\n a -> b\n}\n", "the format DOT, which is not read"),
            ("{\"nodes\": []}\n", "JSON, which is not read"),
            ("<gexf></gexf>", "GEXF, which is not read"),
            ("1 \u{1b}[2J\u{7}\n", r"the second node is not a number: `\u{1b}[2J\u{7}`"),
            ("p sp 2 1\na 1 2 3\u{9b}31m\n\u{1b}\n", r"a line that starts with `\u{1b}`"),
            ("%%MatrixMarket \u{1b}[31m\n", r"not a header that is known: `%%MatrixMarket \u{1b}[31m`"),
        ];
        for (text, expected) in cases {
            assert!(message("a.txt", text).contains(expected), "{}", message("a.txt", text));
        }
        let long = message("a.txt", &format!("1 {}\n", "x\u{1b}".repeat(100_000)));
        assert!(long.len() < 500, "{long}");
        for (bytes, expected) in [
            (&b"\xff\xfe1\0 \02\0"[..], "a text in UTF-16"),
            (b"\x89HDF\r\n\x1a\n\0", "an HDF5 file"),
            (b"\x93NUMPY\x01\0", "a single array"),
            (&[7; 99], "not a graph"),
            (&[0; 99], "not a graph"),
        ] {
            let error = open_bytes("a.bin", bytes).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_name_of_a_node_does_nothing_to_a_terminal() {
        let graph = open(
            "a.gml",
            "graph [ node [ id 1 label \"a\u{1b}[2J\" ] node [ id 2 label \"b\" ] edge [ source 1 target 2 ] ]",
        )
        .unwrap();
        assert_eq!((graph.label(0).as_str(), graph.find("b")), (r"a\u{1b}[2J", Some(1)));
    }

    #[test]
    fn an_ending_is_not_contradicted() {
        assert!(message("a.graph", "1 2\n2 3\n").contains("(read as metis; --graph-format names another format)"));
        assert!(message("a.mtx", "1 2\n2 3\n").contains("(read as matrix-market; --graph-format names another format)"));
        assert_is_path(&open_as("a.graph", "1 2\n2 3\n", "edge-list").unwrap());
        let known = Format::ALL.iter().all(|format| format.name().parse() == Ok(*format));
        assert!(known && "metsi".parse::<Format>().unwrap_err().to_string().contains("one of adjacency-list, "));
        assert!("mtis".parse::<Format>().unwrap_err().to_string().ends_with("(did you mean `metis`?)"));
    }

    #[test]
    fn what_was_changed_of_the_edges_is_counted() {
        let changes = |name: &str, text: &str| open(name, text).unwrap().changes.unwrap();
        let one_way = |one_way: u64| Changes { one_way, ..Changes::default() };
        assert_eq!(changes("p.mtx", &matrix("pattern symmetric", "2 1\n3 2")), Changes::default());
        assert_eq!(changes("p.mtx", &matrix("pattern general", "2 1\n3 2\n2 3")), one_way(1));
        assert_eq!(changes("p.gr", &arcs("a 1 2 5\na 2 1 5\na 2 3 5")), one_way(1));
        let all = Changes { one_way: 2, loops: 1, repeated: 1, several_lengths: 1 };
        assert_eq!(changes("p", "1 2 5\n2 3 5\n2 3 6\n3 3 9\n"), all);
    }

    #[test]
    fn mutual_edges_count_once_and_loops_not_at_all() {
        let text = "%%MatrixMarket matrix coordinate pattern general\n3 3 5\n1 2\n2 1\n2 2\n2 3\n2 3\n";
        assert_is_path(&open("p.mtx", text).unwrap());
    }

    #[test]
    fn dimacs() {
        let text = "c by hand\np sp 3 4\na 1 2 5\na 2 1 5\na 2 3 9\na 3 2 9\n";
        for name in ["p.gr", "p.gr.gz", "p.any"] {
            assert_is_path(&open(name, text).unwrap());
        }
    }

    #[test]
    fn edge_list_with_gaps_keeps_the_numbers_as_labels() {
        let text = "# Nodes: 3 Edges: 2\n# From To\n10\t400000000000\n400000000000 500000000000\r\n";
        for name in ["p.txt", "p.txt.gz", "p"] {
            let graph = open(name, text).unwrap();
            assert_is_path(&graph);
            assert_eq!(graph.label(1), "400000000000");
            assert_eq!(graph.find("500000000000"), Some(2));
        }
    }

    #[test]
    fn errors_name_file_line_and_remedy() {
        let mm = |rest: &str| format!("%%MatrixMarket matrix coordinate pattern general\n{rest}");
        let cases = [
            ("a.mtx", mm("3 3 2\n1 2\n2 4\n"), "a.mtx:4: edge out of range: the column is 4, nodes are 1 to 3; correct the edge or the number of nodes"),
            ("a.mtx", mm("3 3 2\n0 2\n2 1\n"), "a.mtx:3: edge out of range: the row is 0"),
            ("a.mtx", mm("3 3 2\n1 2\n"), "a.mtx:2: fewer edges than promised: 2 here, 1 in the file"),
            ("a.mtx", mm("3 3 1\n1 2\n1 3\n"), "a.mtx:2: more edges than promised"),
            ("a.mtx", mm("3 3 -2\n1 2\n"), "a.mtx:2: the number of entries is negative: -2; give"),
            ("a.mtx", mm("3 3\n1 2\n"), "a.mtx:2: the number of entries is missing; complete the line"),
            ("a.mtx", mm("3 x 2\n1 2\n"), "a.mtx:2: the number of columns is not a number: `x`"),
            ("a.mtx", mm("3 4 2\n1 2\n"), "a.mtx:2: 3 rows but 4 columns"),
            ("a.mtx", mm("3 3 1\n1\n"), "a.mtx:3: the column is missing"),
            ("a.mtx", mm("3 3 1\n1 -2\n"), "a.mtx:3: the column is negative"),
            ("a.mtx", mm("% nothing more\n"), "a.mtx:1: no line with rows, columns and entries follows"),
            ("a.mtx", mm("0 0 0\n"), "a.mtx: empty graph"),
            ("a.mtx", mm("3 3 1\n2 2\n"), "a.mtx: empty graph"),
            ("a.mtx", mm("16777217 16777217 1\n1 2\n"), "a.mtx:2: 16777217 nodes, but a work ID has 24 bits"),
            ("a.mtx", "1 2\n".into(), "a.mtx:1: not a header that is known: `1 2`; start with"),
            ("a.mtx", "%%MatrixMarket vector array real general\n2 2\n1\n".into(), "a.mtx:1: not a header"),
            ("a.mtx", String::new(), "a.mtx: empty graph"),
            ("a.gr", "p sp 2 1\na 1 3 1\n".into(), "a.gr:2: edge out of range: to is 3"),
            ("a.gr", "p sp 2 -1\n".into(), "a.gr:1: the number of arcs is negative"),
            ("a.gr", "p sp 2\n".into(), "a.gr:1: the number of arcs is missing"),
            ("a.gr", "p max 2 1\n".into(), "a.gr:1: a problem `max`, not sp, edge or col"),
            ("a.gr", "p sp 2 2\na 1 2 1\n".into(), "a.gr:1: fewer edges than promised"),
            ("a.gr", "p sp 2 1\np sp 2 1\n".into(), "a.gr:2: a second `p` line"),
            ("a.gr", "c\na 1 2 1\n".into(), "a.gr:2: an edge before the `p` line"),
            ("a.gr", "p sp 2 1\ne 1 2\n".into(), "a.gr:2: a line that starts with `e`"),
            ("a.gr", "c nothing\n".into(), "a.gr: empty graph"),
            ("a.txt", "# Nodes: 2 Edges: 3\n1 2\n".into(), "a.txt:1: fewer edges than promised: 3 here, 1"),
            ("a.txt", "1 2\n3\n".into(), "a.txt:2: the second node is missing; complete the line (read as edge-list; --graph-format names another format)"),
            ("a.txt", "1 2 7\n2 3\n".into(), "a.txt:2: other words than line 1, which has 3 words"),
            ("a.txt", "1 2\n2 1 3\n1 3\n".into(), "a.txt:2: more words than line 1, which has 2 words"),
            ("a.txt", "1 -2\n".into(), "a.txt:1: the second node is negative: -2"),
            ("a.txt", "1 2.5\n".into(), "a.txt:1: the second node is not a number: `2.5`"),
            ("a.txt", "# nothing\n".into(), "a.txt: empty graph"),
            ("a.txt", "source target\n".into(), "a.txt: not a graph format that is known"),
            ("a.txt", "To whom it may concern\n".into(), "a.txt: not a graph format that is known"),
            ("a", "\n".into(), "a: empty graph"),
        ];
        for (name, text, expected) in cases {
            let message = message(name, &text);
            assert!(message.starts_with(expected), "{message}\nexpected: {expected}");
            assert!(message.contains("; ") || message.contains(", but"), "says what to do: {message}");
        }
    }

    #[test]
    fn a_file_that_cannot_be_read() {
        let error = graph::open("no/such/graph.mtx").unwrap_err().to_string();
        assert!(error.starts_with("no/such/graph.mtx: cannot read the graph: No such file"), "{error}");
    }

    #[test]
    fn damaged_gzip_and_binary_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.mtx.gz");
        std::fs::write(&path, [0x1f, 0x8b, 8, 0, 1, 2, 3]).unwrap();
        let error = graph::open(path.to_str().unwrap()).unwrap_err();
        assert!(matches!(error, GraphError::Read { .. }), "{error}");
        std::fs::write(&path, [0xfd, 0xfc, 0]).unwrap();
        let error = graph::open(path.to_str().unwrap()).unwrap_err();
        assert!(matches!(error, GraphError::Format { .. }), "{error}");
    }
}
