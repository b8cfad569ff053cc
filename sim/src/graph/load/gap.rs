//! GAP: whether it is directed, the numbers of edges and nodes, where the edges of each node begin, the target of each edge, in .wsg each with a
//! length; if it is directed the same of edges turned round. Nodes are called from 0.

use super::bytes::Bytes;
use super::found::Found;
use super::length::{FoundLengths, Value};
use super::rows::pairs;
use super::Asked;
use crate::graph::csr::Labels;
use crate::graph::error::GraphError;

const HEADER: u64 = 17;

struct Header {
    edges: u64,
    has_lengths: bool,
}

/// By the length of the file, which the counts must give. Without edges there is no telling.
fn header(bytes: &[u8]) -> Option<Header> {
    let word = |at: usize| bytes.get(at..at + 8).map(|word| u64::from_le_bytes(word.try_into().expect("eight")));
    let directed = match bytes.first()? {
        0 => false,
        1 => true,
        _ => return None,
    };
    let (edges, nodes) = (word(1)?, word(9)?);
    let copies = if directed { 2 } else { 1 };
    let has_lengths = [false, true].into_iter().find(|has_lengths| {
        let edge = if *has_lengths { 8 } else { 4 };
        let size = nodes.checked_add(1).and_then(|starts| starts.checked_mul(8)?.checked_add(edges.checked_mul(edge)?));
        size.and_then(|size| size.checked_mul(copies)?.checked_add(HEADER)) == Some(bytes.len() as u64)
    })?;
    Some(Header { edges, has_lengths })
}

pub fn is(bytes: &[u8]) -> bool {
    header(bytes).is_some()
}

pub fn read(file: Bytes, asked: Asked) -> Result<Found, GraphError> {
    let Some(Header { edges, has_lengths }) = header(file.bytes) else {
        return Err(file.error("the counts at the start do not give the length of the file".into()));
    };
    let mut file = file;
    file.u8()?;
    file.u64()?;
    let nodes = file.node_count()?;
    let starts = file.u64s(nodes + 1)?;
    let mut lengths = FoundLengths::of_header(asked.lengths, 0, has_lengths);
    let targets = match has_lengths {
        false => file.u32s(edges)?,
        true => {
            let words = file.u32s(2 * edges)?;
            words.chunks_exact(2).for_each(|edge| lengths.push_value(file.place(), signed(edge[1])));
            words.chunks_exact(2).map(|edge| edge[0]).collect()
        }
    };
    file.check(&targets, nodes)?;
    let mut found = Found::new(nodes, Labels::From(0), lengths);
    found.pairs = pairs(file.path, &starts, &targets)?;
    Ok(found)
}

/// A length has a sign.
fn signed(word: u32) -> Value {
    let value = word as i32;
    u64::try_from(value).map_or(Value::Float(value.into()), Value::Whole)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{edges, open_bytes};

    fn file(directed: bool, starts: &[u64], words: &[u32], back: &[u8]) -> Vec<u8> {
        let (nodes, edges) = (starts.len() as u64 - 1, starts[starts.len() - 1]);
        let mut bytes = vec![u8::from(directed)];
        bytes.extend([edges, nodes].iter().chain(starts).flat_map(|word| word.to_le_bytes()));
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend(back);
        bytes
    }

    #[test]
    fn with_and_without_lengths() {
        let graph = open_bytes("a.sg", &file(false, &[0, 1, 3, 4, 4], &[1, 0, 2, 1], &[])).unwrap();
        assert_eq!((graph.nodes(), graph.edges(), graph.neighbours(1)), (4, 4, &[0, 2][..]));
        let graph = open_bytes("a.wsg", &file(false, &[0, 1, 3, 4, 4], &[1, 5, 0, 5, 2, 7, 1, 7], &[])).unwrap();
        assert_eq!(edges(&graph), [("0", "1", 5), ("1", "2", 7)]);
        // Directed: the edges turned round follow, and are not read.
        let graph = open_bytes("a", &file(true, &[0, 1, 1], &[1], &file(true, &[0, 0, 1], &[0], &[])[17..])).unwrap();
        assert_eq!((graph.edges(), graph.changes.unwrap().one_way, graph.origin.unwrap().format.name()), (2, 1, "gap"));
        let graph = open_bytes("a.wsg", &file(false, &[0, 1, 2], &[1, u32::MAX, 0, u32::MAX], &[])).unwrap();
        assert!(graph.edge_weights().unwrap_err().to_string().contains("the length is negative: `-1`"));
    }

    #[test]
    fn what_is_refused() {
        let wrong = |bytes: &[u8]| open_bytes("a.sg", bytes).unwrap_err().to_string();
        let good = file(false, &[0, 1, 2], &[1, 0], &[]);
        assert!(wrong(&good[..good.len() - 1]).contains("a.sg: the counts at the start do not give the length"));
        assert!(wrong(&file(false, &[0, 1, 2], &[1, 2], &[])).contains("a target is 2 of 2 nodes"));
    }
}
