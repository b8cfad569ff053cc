//! Nodes that a file calls by any numbers.

/// Numbers up to this many times as many as there are have a table each, which takes less time than to sort or to search.
const SPARSE: u64 = 4;

/// All numbers below this occur in the pairs, if they are dense.
fn dense_bound(named: &[(u64, u64)]) -> Option<usize> {
    let largest = named.iter().map(|&(v, u)| v.max(u)).max()?;
    (largest < SPARSE * 2 * named.len() as u64).then(|| largest as usize + 1)
}

/// The numbers that occur, ascending.
pub fn ids(named: &[(u64, u64)]) -> Vec<u64> {
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
pub fn nodes(named: &[(u64, u64)], ids: &[u64]) -> Vec<(u32, u32)> {
    if let Some(bound) = dense_bound(named) {
        let mut nodes = vec![0; bound];
        (0..).zip(ids).for_each(|(node, &id)| nodes[id as usize] = node);
        return named.iter().map(|&(v, u)| (nodes[v as usize], nodes[u as usize])).collect();
    }
    let node = |id: u64| ids.binary_search(&id).expect("an ID of the list") as u32;
    named.iter().map(|&(v, u)| (node(v), node(u))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_and_sparse_numbers_are_the_same_nodes() {
        let dense = [(5, 2), (2, 7), (0, 5), (7, 2)];
        let sparse = dense.map(|(v, u)| (1000 * v, 1000 * u));
        assert!(dense_bound(&dense).is_some() && dense_bound(&sparse).is_none());
        assert_eq!(ids(&[(u64::MAX, 0)]), [0, u64::MAX]);
        assert_eq!((ids(&dense), ids(&sparse)), (vec![0, 2, 5, 7], vec![0, 2000, 5000, 7000]));
        assert_eq!(nodes(&dense, &ids(&dense)), [(2, 1), (1, 3), (0, 2), (3, 1)]);
        assert_eq!(nodes(&dense, &ids(&dense)), nodes(&sparse, &ids(&sparse)));
    }
}
