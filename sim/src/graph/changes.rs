//! Changes to a graph's edges that make it undirected, without loops and with each edge once.

use serde::Serialize;

/// Edges that each change concerns. Both directions are one edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Changes {
    /// Named in one direction only, taken in both.
    pub one_way: u64,
    /// Dropped: from a node to itself.
    pub loops: u64,
    /// Dropped: named before in the same direction.
    pub repeated: u64,
    /// Named with several lengths, of which the shortest counts.
    pub several_lengths: u64,
}

/// The treatment of the direction in which a pair is named.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Directions {
    /// The other one is added.
    Doubled,
    /// By the origin's form each pair stands for both.
    Symmetric,
    Kept,
}

impl Changes {
    /// `lengths` has one for each pair, or none.
    pub(super) fn of(pairs: &[(u32, u32)], lengths: &[u32], directions: Directions) -> Changes {
        let length = |i: usize| lengths.get(i).copied().unwrap_or(0);
        let kept = directions == Directions::Kept;
        let ends = |&(v, u): &(u32, u32)| if kept { (v, u) } else { (v.min(u), v.max(u)) };
        let named = |(i, pair): (usize, &(u32, u32))| (ends(pair).0, ends(pair).1, pair.0 > pair.1, length(i));
        let mut named: Vec<_> = pairs.iter().enumerate().filter(|(_, (v, u))| v != u).map(named).collect();
        named.sort_unstable();
        let mut changes = Changes { loops: (pairs.len() - named.len()) as u64, ..Changes::default() };
        for edge in named.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let back = edge.iter().filter(|(_, _, back, _)| *back).count();
            let there = edge.len() - back;
            changes.one_way += u64::from(directions == Directions::Doubled && (there == 0 || back == 0));
            changes.repeated += (there.saturating_sub(1) + back.saturating_sub(1)) as u64;
            changes.several_lengths += u64::from(edge.iter().any(|named| named.3 != edge[0].3));
        }
        changes
    }

    /// The changes that concern every workload, in one line; `None`: there are none.
    pub fn shown(&self) -> Option<String> {
        let parts = [
            (self.one_way, "made undirected, edges with one direction"),
            (self.loops, "loops dropped"),
            (self.repeated, "repeated edges dropped"),
        ];
        let parts = parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{what}: {count}"));
        let line = parts.collect::<Vec<_>>().join("; ");
        (!line.is_empty()).then_some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_change_is_counted_once_an_edge() {
        let pairs = [(0, 1), (1, 0), (2, 1), (3, 3), (2, 1), (0, 1), (3, 2), (3, 3)];
        let changes = Changes { one_way: 2, loops: 2, repeated: 2, several_lengths: 0 };
        assert_eq!(Changes::of(&pairs, &[], Directions::Doubled), changes);
        assert_eq!(Changes::of(&pairs, &[], Directions::Symmetric), Changes { one_way: 0, ..changes });
        let lengths = [5, 6, 4, 1, 4, 5, 9, 2];
        assert_eq!(Changes::of(&pairs, &lengths, Directions::Doubled), Changes { several_lengths: 1, ..changes });
        let line = "made undirected, edges with one direction: 2; loops dropped: 2; repeated edges dropped: 2";
        assert_eq!(changes.shown().unwrap(), line);
    }

    #[test]
    fn in_a_directed_graph_each_direction_is_an_edge() {
        let pairs = [(0, 1), (1, 0), (1, 0), (2, 1), (3, 3)];
        let changes = Changes { one_way: 0, loops: 1, repeated: 1, several_lengths: 0 };
        assert_eq!(Changes::of(&pairs, &[5, 6, 6, 7, 8], Directions::Kept), changes);
    }

    #[test]
    fn of_an_undirected_graph_nothing_is_changed() {
        let changes = Changes::of(&[(0, 1), (1, 0), (2, 1), (1, 2)], &[3, 3, 4, 4], Directions::Doubled);
        assert_eq!((changes, changes.shown()), (Changes::default(), None));
    }
}
