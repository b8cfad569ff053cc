//! Circles in a graph of arrows.

use super::arrows::Arrow;
use std::collections::{BTreeMap, VecDeque};

/// Circles that share no module, the shortest first; each is a list of arrows, of which every one begins where the one before it ends.
pub fn circles(arrows: &[Arrow]) -> Vec<Vec<&Arrow>> {
    let mut leaving: BTreeMap<usize, Vec<&Arrow>> = BTreeMap::new();
    for arrow in arrows {
        leaving.entry(arrow.from).or_default().push(arrow);
    }
    let mut found = Vec::new();
    while let Some(circle) = leaving.keys().filter_map(|module| back(&leaving, *module)).min_by_key(Vec::len) {
        circle.iter().for_each(|arrow| _ = leaving.remove(&arrow.from));
        found.push(circle);
    }
    found
}

/// The shortest way from a module back to it.
fn back<'a>(leaving: &BTreeMap<usize, Vec<&'a Arrow>>, module: usize) -> Option<Vec<&'a Arrow>> {
    let mut reached_by: BTreeMap<usize, &Arrow> = BTreeMap::new();
    let mut open = VecDeque::from([module]);
    while let Some(at) = open.pop_front() {
        for arrow in leaving.get(&at).into_iter().flatten() {
            if reached_by.contains_key(&arrow.to) {
                continue;
            }
            reached_by.insert(arrow.to, arrow);
            open.push_back(arrow.to);
        }
    }
    let mut way = vec![*reached_by.get(&module)?];
    while way[0].from != module {
        way.insert(0, reached_by[&way[0].from]);
    }
    Some(way)
}
