//! Graph files: Matrix Market, DIMACS shortest path, and edge lists as SNAP has them; each plain or gzipped.
//!
//! All graphs become undirected: the reverse of every edge is added (also for Matrix Market's `general`), an edge that
//! the file names twice, in whichever direction, counts once, with the shortest of its lengths, and loops are dropped. The
//! values of Matrix Market's `real` and `integer`, the third word of a DIMACS arc and of a line of an edge list are lengths
//! of edges. Every edge has one or none has. Lengths that cannot be used are an error only to those who ask for them.

use super::changes::Changes;
use super::csr::{Graph, Labels, Weights};
use super::error::GraphError;
use super::limits::{MAX_LENGTH, MAX_NODES};
use super::Entry;
use crate::number;
use flate2::read::MultiGzDecoder;
use std::io::Read;

pub const FORMATS: [Entry; 3] = [
    Entry { name: "FILE.mtx[.gz]", description: "Matrix Market, coordinate; nodes are called 1, 2, ..." },
    Entry { name: "FILE.gr[.gz]", description: "DIMACS shortest path; nodes are called 1, 2, ..." },
    Entry {
        name: "FILE[.gz]",
        description:
            "edge list (SNAP): two node numbers a line, behind them a length if it has lengths; # starts a comment",
    },
];

#[derive(Clone, Copy)]
enum Format {
    MatrixMarket,
    Dimacs,
    EdgeList,
}

pub fn open(path: &str) -> Result<Graph, GraphError> {
    let text = read(path)?;
    if text.trim().is_empty() {
        return Err(GraphError::Empty { place: path.into() });
    }
    let format = format(path, &text).ok_or_else(|| GraphError::Format { path: path.into() })?;
    let lines = Lines::new(path, &text);
    let graph = match format {
        Format::MatrixMarket => matrix_market(lines)?,
        Format::Dimacs => dimacs(lines)?,
        Format::EdgeList => edge_list(lines)?,
    };
    if graph.edges() == 0 {
        return Err(GraphError::Empty { place: path.into() });
    }
    Ok(graph)
}

/// The file's text; a file that starts like gzip is unpacked whatever it is called.
fn read(path: &str) -> Result<String, GraphError> {
    let unreadable = |e: std::io::Error| GraphError::Read { path: path.into(), reason: e.to_string() };
    let mut bytes = std::fs::read(path).map_err(unreadable)?;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut unpacked = Vec::new();
        MultiGzDecoder::new(&bytes[..]).read_to_end(&mut unpacked).map_err(unreadable)?;
        bytes = unpacked;
    }
    String::from_utf8(bytes).map_err(|_| GraphError::Format { path: path.into() })
}

/// By extension; if that says nothing, by the first line that is not blank.
fn format(path: &str, text: &str) -> Option<Format> {
    let path = path.strip_suffix(".gz").unwrap_or(path);
    match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("mtx") => return Some(Format::MatrixMarket),
        Some("gr") => return Some(Format::Dimacs),
        _ => {}
    }
    let first = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    match first.split_whitespace().next()? {
        "%%MatrixMarket" => Some(Format::MatrixMarket),
        "c" | "p" => Some(Format::Dimacs),
        word if word.starts_with('#') || word.parse::<u64>().is_ok() => Some(Format::EdgeList),
        _ => None,
    }
}

/// A graph's name: the file's, without directory and extensions.
fn name(path: &str) -> String {
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = file.strip_suffix(".gz").unwrap_or(file);
    stem.rsplit_once('.').map_or(stem, |(stem, _)| stem).to_owned()
}

/// Lines with their numbers, from 1.
struct Lines<'a> {
    path: &'a str,
    rest: std::iter::Enumerate<std::str::Lines<'a>>,
}

/// Pairs of neighbours as a file names them, with their lengths.
struct Pairs {
    pairs: Vec<(u32, u32)>,
    /// Of every pair or of none, as long as nothing is wrong.
    lengths: Vec<u32>,
    /// The line that says whether edges have lengths: a header, or else the first edge.
    rule: Option<(usize, bool)>,
    /// The first line whose length cannot be used.
    wrong: Option<GraphError>,
}

impl Pairs {
    fn new(rule: Option<(usize, bool)>) -> Self {
        Pairs { pairs: Vec::new(), lengths: Vec::new(), rule, wrong: None }
    }

    /// Takes the next word of an edge's line as its length, if there is one.
    fn push_length(&mut self, line: &mut Line) {
        let word = line.words.next();
        let (rule, has_lengths) = *self.rule.get_or_insert((line.number, word.is_some()));
        let wrong = |what: &str| Err(line.error(format!("{what} by line {rule}"), LENGTHS));
        let length = match (word, has_lengths) {
            (Some(word), true) => line.length(word).map(|length| self.lengths.push(length)),
            (None, false) => Ok(()),
            (None, true) => wrong("the length is missing, which every edge has"),
            (Some(_), false) => wrong("there is a length, which no edge has"),
        };
        if let Err(error) = length {
            self.wrong.get_or_insert(error);
        }
    }
}

const LENGTHS: &str =
    "give each edge a whole number from 0 to 4294967294, or leave out all lengths to have them hashed";

/// A line of a file, split into words.
struct Line<'a> {
    path: &'a str,
    number: usize,
    text: &'a str,
    words: std::str::SplitWhitespace<'a>,
}

impl<'a> Lines<'a> {
    fn new(path: &'a str, text: &'a str) -> Self {
        Lines { path, rest: text.lines().enumerate() }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;
    fn next(&mut self) -> Option<Line<'a>> {
        let (index, text) = self.rest.next()?;
        Some(Line { path: self.path, number: index + 1, text, words: text.split_whitespace() })
    }
}

impl Line<'_> {
    fn error(&self, what: String, remedy: &'static str) -> GraphError {
        GraphError::Line { path: self.path.into(), line: self.number, what, remedy }
    }

    fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// The next word as a number that is not negative.
    fn number(&mut self, what: &str) -> Result<u64, GraphError> {
        let Some(word) = self.words.next() else {
            return Err(self.error(format!("{what} is missing"), "complete the line"));
        };
        word.parse().map_err(|_| match word.parse::<i128>() {
            Ok(value) if value < 0 => self.error(format!("{what} is negative: {word}"), "give a number from 0 on"),
            _ => self.error(format!("{what} is not a number: `{word}`"), "give a whole number"),
        })
    }

    /// The next word as a node called 1 to `nodes`; from 0 in the result.
    fn node(&mut self, what: &str, nodes: u64) -> Result<u32, GraphError> {
        match self.number(what)? {
            v if (1..=nodes).contains(&v) => Ok((v - 1) as u32),
            v => Err(self.error(
                format!("edge out of range: {what} is {v}, nodes are 1 to {nodes}"),
                "correct the edge or the number of nodes",
            )),
        }
    }

    /// A word as the length of an edge.
    fn length(&self, word: &str) -> Result<u32, GraphError> {
        if let Ok(length) = number::whole(word, MAX_LENGTH.into()) {
            return Ok(length as u32);
        }
        let what = match word.parse::<f64>() {
            Ok(value) if value > MAX_LENGTH.into() => "too large",
            Ok(value) if value.is_sign_negative() => "negative",
            Ok(value) if !value.is_nan() => "not whole",
            _ => "not a number",
        };
        Err(self.error(format!("the length is {what}: `{}`", shown(word)), LENGTHS))
    }

    fn node_count(&mut self, what: &str) -> Result<u64, GraphError> {
        let nodes = self.number(what)?;
        self.check_nodes(nodes)?;
        Ok(nodes)
    }

    fn check_nodes(&self, nodes: u64) -> Result<(), GraphError> {
        if nodes > MAX_NODES {
            return Err(GraphError::TooManyNodes { place: format!("{}:{}", self.path, self.number), nodes });
        }
        Ok(())
    }
}

/// The edges that a file's header promised.
struct Promise {
    /// Line of the header.
    line: usize,
    edges: u64,
}

impl Promise {
    fn check(&self, path: &str, found: usize) -> Result<(), GraphError> {
        if found as u64 == self.edges {
            return Ok(());
        }
        let than = if (found as u64) < self.edges { "fewer edges than promised" } else { "more edges than promised" };
        Err(GraphError::Line {
            path: path.into(),
            line: self.line,
            what: format!("{than}: {} here, {found} in the file", self.edges),
            remedy: "fetch the file again or correct the count",
        })
    }
}

/// `symmetric`: by the file's form, each pair stands for both directions.
fn undirected(path: &str, nodes: usize, found: Pairs, labels: Labels, symmetric: bool) -> Result<Graph, GraphError> {
    let edges = 2 * found.pairs.len() as u64;
    if edges > u32::MAX as u64 {
        return Err(GraphError::TooManyEdges { place: path.into(), edges });
    }
    let Pairs { pairs, lengths, wrong, .. } = found;
    let name = name(path);
    let graph = match wrong {
        None if !lengths.is_empty() => Graph::undirected_weighted(&name, nodes, &pairs, &lengths),
        None => Graph::undirected(&name, nodes, &pairs),
        Some(error) => Graph { weights: Weights::Unusable(error), ..Graph::undirected(&name, nodes, &pairs) },
    };
    let lengths = if let Weights::Given(_) = graph.weights { &lengths[..] } else { &[] };
    Ok(Graph { labels, changes: Some(Changes::of(&pairs, lengths, symmetric)), ..graph })
}

const MATRIX_HEADER: &str =
    "start with `%%MatrixMarket matrix coordinate pattern|real|integer general|symmetric`, the form of a graph";

/// `%%MatrixMarket` header, `%` comments, `rows columns entries`, then `row column [value]` a line, from 1.
fn matrix_market(mut lines: Lines) -> Result<Graph, GraphError> {
    let path = lines.path;
    let first = lines.next().expect("a file that is not empty has a line");
    let header = first.text.to_ascii_lowercase();
    let words: Vec<_> = header.split_whitespace().collect();
    let (has_lengths, symmetric) = match words[..] {
        ["%%matrixmarket", "matrix", "coordinate", values @ ("pattern" | "real" | "integer"), symmetry @ ("general" | "symmetric")] => {
            (values != "pattern", symmetry == "symmetric")
        }
        _ => return Err(first.error(format!("not a header that is known: `{}`", shown(first.text)), MATRIX_HEADER)),
    };
    let mut lines = lines.filter(|line| !line.is_blank() && !line.text.starts_with('%'));
    let Some(mut size) = lines.next() else {
        return Err(first.error("no line with rows, columns and entries follows".into(), "fetch the file again"));
    };
    let nodes = size.node_count("the number of rows")?;
    let columns = size.number("the number of columns")?;
    if columns != nodes {
        return Err(size.error(format!("{nodes} rows but {columns} columns"), "give a square matrix: a graph's"));
    }
    let promise = Promise { line: size.number, edges: size.number("the number of entries")? };
    let mut found = Pairs::new(Some((first.number, has_lengths)));
    for mut line in lines {
        found.pairs.push((line.node("the row", nodes)?, line.node("the column", nodes)?));
        found.push_length(&mut line);
    }
    promise.check(path, found.pairs.len())?;
    undirected(path, nodes as usize, found, Labels::From(1), symmetric)
}

/// `c` comments, one `p sp nodes arcs`, then `a from to weight` a line, from 1.
fn dimacs(lines: Lines) -> Result<Graph, GraphError> {
    let path = lines.path;
    let mut problem: Option<(u64, Promise)> = None;
    let mut found = Pairs::new(None);
    for mut line in lines {
        match (line.words.next(), &problem) {
            (None | Some("c"), _) => {}
            (Some("p"), None) => {
                if line.words.next() != Some("sp") {
                    return Err(line.error("not a shortest-path problem".into(), "start with `p sp NODES ARCS`"));
                }
                let nodes = line.node_count("the number of nodes")?;
                problem = Some((nodes, Promise { line: line.number, edges: line.number("the number of arcs")? }));
            }
            (Some("p"), Some(_)) => return Err(line.error("a second `p` line".into(), "keep one")),
            (Some("a"), Some((nodes, _))) => {
                found.pairs.push((line.node("from", *nodes)?, line.node("to", *nodes)?));
                found.push_length(&mut line);
            }
            (Some("a"), None) => {
                return Err(line.error("an arc before the `p` line".into(), "start with `p sp NODES ARCS`"))
            }
            (Some(word), _) => {
                return Err(line.error(format!("a line that starts with `{}`", shown(word)), "use c, p and a only"))
            }
        }
    }
    let (nodes, promise) = problem.ok_or_else(|| GraphError::Empty { place: path.into() })?;
    promise.check(path, found.pairs.len())?;
    undirected(path, nodes as usize, found, Labels::From(1), false)
}

/// `#` comments (`# Nodes: N Edges: M` is believed and checked), then two node numbers a line, and a length if edges have any. Numbers may have gaps:
/// the nodes of the graph are those that occur, in ascending order.
fn edge_list(lines: Lines) -> Result<Graph, GraphError> {
    let path = lines.path;
    let mut promise = None;
    let (mut named, mut found) = (Vec::new(), Pairs::new(None));
    for mut line in lines {
        if let Some(comment) = line.text.trim_start().strip_prefix('#') {
            if let Some(edges) = promised_edges(comment) {
                promise = Some(Promise { line: line.number, edges });
            }
        } else if !line.is_blank() {
            named.push((line.number("the first node")?, line.number("the second node")?));
            found.push_length(&mut line);
        }
    }
    if let Some(promise) = promise {
        promise.check(path, named.len())?;
    }
    let ids = ids(&named);
    if ids.len() as u64 > MAX_NODES {
        return Err(GraphError::TooManyNodes { place: path.into(), nodes: ids.len() as u64 });
    }
    found.pairs = nodes(&named, &ids);
    undirected(path, ids.len(), found, Labels::Ids(ids), false)
}

/// Numbers up to this many times as many as there are have a table each, which takes less time than to sort or to search.
const SPARSE: u64 = 4;

/// All numbers below this occur in the pairs, if they are dense.
fn dense_bound(named: &[(u64, u64)]) -> Option<usize> {
    let largest = named.iter().map(|&(v, u)| v.max(u)).max()?;
    (largest < SPARSE * 2 * named.len() as u64).then_some(largest as usize + 1)
}

/// The numbers that occur, ascending.
fn ids(named: &[(u64, u64)]) -> Vec<u64> {
    if let Some(bound) = dense_bound(named) {
        let mut occurs = vec![false; bound];
        for &(v, u) in named {
            (occurs[v as usize], occurs[u as usize]) = (true, true);
        }
        return (0..).zip(occurs).filter_map(|(id, occurs)| occurs.then_some(id)).collect();
    }
    let mut ids: Vec<u64> = named.iter().flat_map(|&(v, u)| [v, u]).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// The pairs by the places of their numbers in `ids`.
fn nodes(named: &[(u64, u64)], ids: &[u64]) -> Vec<(u32, u32)> {
    if let Some(bound) = dense_bound(named) {
        let mut nodes = vec![0; bound];
        (0..).zip(ids).for_each(|(node, &id)| nodes[id as usize] = node);
        return named.iter().map(|&(v, u)| (nodes[v as usize], nodes[u as usize])).collect();
    }
    let node = |id: u64| ids.binary_search(&id).expect("an ID of the list") as u32;
    named.iter().map(|&(v, u)| (node(v), node(u))).collect()
}

/// M of SNAP's `# Nodes: N Edges: M`.
fn promised_edges(comment: &str) -> Option<u64> {
    let mut words = comment.split_whitespace();
    words.find(|word| *word == "Edges:")?;
    words.next()?.parse().ok()
}

/// At most the first 40 characters, for a message.
fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::{dense_bound, ids, nodes, Changes, Graph};
    use crate::graph::{self, GraphError};
    use flate2::{write::GzEncoder, Compression};
    use std::io::Write;

    /// Writes `text` to a file called `name` (packed if that ends in .gz) and opens it.
    fn open(name: &str, text: &str) -> Result<graph::Graph, GraphError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        let mut bytes = text.as_bytes().to_vec();
        if name.ends_with(".gz") {
            let mut packer = GzEncoder::new(Vec::new(), Compression::default());
            packer.write_all(&bytes).unwrap();
            bytes = packer.finish().unwrap();
        }
        std::fs::write(&path, bytes).unwrap();
        graph::open(path.to_str().unwrap())
    }

    /// The message without the folder.
    fn message(name: &str, text: &str) -> String {
        let error = open(name, text).unwrap_err().to_string();
        assert!(!error.contains('\n'), "{error}");
        let start = error.find(&format!("/{name}:")).expect("names the file") + 1;
        error[start..].to_owned()
    }

    const PATH: [&[u32]; 3] = [&[1], &[0, 2], &[1]];

    fn assert_is_path(graph: &graph::Graph) {
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
            for (name, line, text) in cases {
                let graph = open(name, &text).unwrap();
                assert_is_path(&graph);
                let error = graph.edge_weights().unwrap_err().to_string();
                assert!(error.contains(&format!("/{name}:{line}: {message}")), "{error}");
                assert!(error.ends_with("; give each edge a whole number from 0 to 4294967294, or leave out all lengths to have them hashed"), "{error}");
            }
        }
        let late = [("p.gr", 3, arcs("a 1 2\na 2 3 7")), ("p", 2, "1 2\n2 3 7\n".into())];
        for (name, line, text) in late.into_iter().chain([("p.mtx", 4, matrix("pattern general", "1 2\n2 3 7"))]) {
            let error = open(name, &text).unwrap().edge_weights().unwrap_err().to_string();
            assert!(
                error.contains(&format!("/{name}:{line}: there is a length, which no edge has by line ")),
                "{error}"
            );
        }
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
    fn dense_and_sparse_numbers_are_the_same_nodes() {
        let dense = [(5, 2), (2, 7), (0, 5), (7, 2)];
        let sparse = dense.map(|(v, u)| (1000 * v, 1000 * u));
        assert!(dense_bound(&dense).is_some() && dense_bound(&sparse).is_none());
        assert_eq!((ids(&dense), ids(&sparse)), (vec![0, 2, 5, 7], vec![0, 2000, 5000, 7000]));
        assert_eq!(nodes(&dense, &ids(&dense)), [(2, 1), (1, 3), (0, 2), (3, 1)]);
        assert_eq!(nodes(&dense, &ids(&dense)), nodes(&sparse, &ids(&sparse)));
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
            ("a.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n".into(), "a.mtx:1: not a header"),
            ("a.mtx", String::new(), "a.mtx: empty graph"),
            ("a.gr", "p sp 2 1\na 1 3 1\n".into(), "a.gr:2: edge out of range: to is 3"),
            ("a.gr", "p sp 2 -1\n".into(), "a.gr:1: the number of arcs is negative"),
            ("a.gr", "p sp 2\n".into(), "a.gr:1: the number of arcs is missing"),
            ("a.gr", "p max 2 1\n".into(), "a.gr:1: not a shortest-path problem"),
            ("a.gr", "p sp 2 2\na 1 2 1\n".into(), "a.gr:1: fewer edges than promised"),
            ("a.gr", "p sp 2 1\np sp 2 1\n".into(), "a.gr:2: a second `p` line"),
            ("a.gr", "c\na 1 2 1\n".into(), "a.gr:2: an arc before the `p` line"),
            ("a.gr", "p sp 2 1\ne 1 2\n".into(), "a.gr:2: a line that starts with `e`"),
            ("a.gr", "c nothing\n".into(), "a.gr: empty graph"),
            ("a.txt", "# Nodes: 2 Edges: 3\n1 2\n".into(), "a.txt:1: fewer edges than promised: 3 here, 1"),
            ("a.txt", "1 2\n3\n".into(), "a.txt:2: the second node is missing"),
            ("a.txt", "1 -2\n".into(), "a.txt:1: the second node is negative: -2"),
            ("a.txt", "1 2.5\n".into(), "a.txt:1: the second node is not a number: `2.5`"),
            ("a.txt", "# nothing\n".into(), "a.txt: empty graph"),
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
        std::fs::write(&path, [0xff, 0xfe, 0xfd]).unwrap();
        let error = graph::open(path.to_str().unwrap()).unwrap_err();
        assert!(matches!(error, GraphError::Format { .. }), "{error}");
    }
}
