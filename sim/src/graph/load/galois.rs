//! Galois and LonestarGPU: version, bytes of an edge's data, numbers of nodes and edges; where the edges of each node end; the target of each edge, of
//! 32 bits in version 1 and of 64 in version 2; their data, which are lengths. All parts begin at multiples of 8 bytes. Nodes are called from 0.

use super::bytes::Bytes;
use super::found::Found;
use super::length::{FoundLengths, Value};
use super::rows::pairs;
use super::Asked;
use crate::graph::csr::Labels;
use crate::graph::error::GraphError;

/// It begins with a version and a size of data that are known.
pub fn is(bytes: &[u8]) -> bool {
    let word = |at: usize| bytes.get(at..at + 8).map(|word| u64::from_le_bytes(word.try_into().expect("eight")));
    matches!((word(0), word(8)), (Some(1 | 2), Some(0 | 4 | 8)))
}

pub fn read(file: Bytes, asked: Asked) -> Result<Found, GraphError> {
    let mut file = file;
    let (version, size) = (file.u64()?, file.u64()?);
    if !matches!((version, size), (1 | 2, 0 | 4 | 8)) {
        return Err(file.error(format!("version {version} with {size} bytes of data, not 1 or 2 with 0, 4 or 8")));
    }
    let nodes = file.node_count()?;
    let edges = file.u64()?;
    let starts: Vec<u64> = std::iter::once(0).chain(file.u64s(nodes)?).collect();
    let targets = match version {
        1 => file.u32s(edges)?,
        _ => file.u64s(edges)?.into_iter().map(|target| u32::try_from(target).unwrap_or(u32::MAX)).collect(),
    };
    file.check(&targets, nodes)?;
    if version == 1 && edges % 2 == 1 && !file.bytes.is_empty() {
        file.u32s(1)?;
    }
    let mut lengths = FoundLengths::of_header(asked.lengths, 0, size > 0);
    let values: Vec<u64> = match size {
        0 => Vec::new(),
        4 => file.u32s(edges)?.into_iter().map(u64::from).collect(),
        _ => file.u64s(edges)?,
    };
    values.into_iter().for_each(|value| lengths.push_value(file.place(), Value::Whole(value)));
    // Data of an odd number of edges may be filled up.
    if size == 4 && edges % 2 == 1 && file.bytes.len() == 4 {
        file.u32s(1)?;
    }
    file.end()?;
    let mut found = Found::new(nodes, Labels::From(0), lengths);
    found.pairs = pairs(file.path, &starts, &targets)?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{edges, open_bytes};

    /// 0 to 1, 1 to 2, 2 to 3, with the data given; version 1 fills up three targets.
    fn file(version: u64, size: u64, data: &[u8]) -> Vec<u8> {
        let words = [version, size, 4, 3, 1, 2, 3, 3];
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        match version {
            1 => bytes.extend([1u32, 2, 3, 0].iter().flat_map(|target| target.to_le_bytes())),
            _ => bytes.extend([1u64, 2, 3].iter().flat_map(|target| target.to_le_bytes())),
        }
        bytes.extend(data);
        bytes
    }

    #[test]
    fn both_versions_and_each_size_of_data() {
        let data4: Vec<u8> = [5u32, 6, 7].iter().flat_map(|value| value.to_le_bytes()).collect();
        let data8: Vec<u8> = [5u64, 6, 7].iter().flat_map(|value| value.to_le_bytes()).collect();
        for version in [1, 2] {
            for (size, data) in [(4, &data4), (8, &data8)] {
                let graph = open_bytes("a.gr", &file(version, size, data)).unwrap();
                assert_eq!(edges(&graph), [("0", "1", 5), ("1", "2", 6), ("2", "3", 7)], "{version} {size}");
            }
            let graph = open_bytes("a", &file(version, 0, &[])).unwrap();
            assert_eq!((graph.nodes(), graph.edges(), graph.weights_origin().as_str()), (4, 6, "hashed, 1 to 255"));
        }
    }

    #[test]
    fn what_is_refused() {
        let wrong = |bytes: &[u8]| open_bytes("a.gr", bytes).unwrap_err().to_string();
        let good = file(1, 0, &[]);
        assert!(wrong(&good[..70]).contains("a.gr: the file ends early: 12 more bytes should follow"));
        assert!(wrong(&file(1, 0, &[0; 8])).contains("a.gr: 8 bytes more than the counts"));
        let mut far = good.clone();
        far[64] = 4;
        assert!(wrong(&far).contains("a.gr: edge out of range: a target is 4 of 4 nodes"));
        let mut order = good;
        order[32] = 3;
        assert!(wrong(&order).contains("a.gr: the edges of node 1 begin at 3 and end at 2"));
    }
}
