//! A part of a sweep's runs, so that several commands make all of them.

use anyhow::{ensure, Context, Error, Result};
use std::cmp::Reverse;
use std::fmt;
use std::str::FromStr;

/// Parts of a sweep; Slurm numbers the tasks of an array to 1000 unless it is told more.
pub const MOST: usize = 1000;

/// `3/8`: the third of eight parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 1 on.
    pub number: usize,
    pub of: usize,
}

impl FromStr for Shard {
    type Err = Error;

    fn from_str(text: &str) -> Result<Shard> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        let (number, of) = numbers.context("must be a part and the number of parts, as in 3/8")?;
        ensure!((1..=MOST).contains(&of) && (1..=of).contains(&number), "must be 1/1 to {MOST}/{MOST}, as in 3/8");
        Ok(Shard { number, of })
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// The runs of each of so many parts, by the cost of the runs: the dearest first, each to the part that has the least
/// work so far. Every command deals the same way.
pub fn deal(costs: &[u64], parts: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..costs.len()).collect();
    order.sort_by_key(|&run| Reverse(costs[run]));
    let mut dealt = vec![(0, Vec::new()); parts];
    for run in order {
        let (cost, part) = dealt.iter_mut().min_by_key(|(cost, part)| (*cost, part.len())).expect("a part");
        *cost += costs[run];
        part.push(run);
    }
    dealt.into_iter().map(|(_, part)| part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_is_dealt_once() {
        for parts in [1, 2, 7, 40] {
            let costs: Vec<u64> = (0..30).map(|run| run * run % 11).collect();
            let mut all = deal(&costs, parts).concat();
            all.sort_unstable();
            assert_eq!(all, (0..30).collect::<Vec<_>>());
        }
    }

    #[test]
    fn parts_cost_about_the_same() {
        assert_eq!(deal(&[9, 1, 2, 3, 3], 2), [vec![0], vec![3, 4, 2, 1]], "by cost, not by number");
        assert_eq!(deal(&[5, 5, 5], 3), [[0], [1], [2]]);
        assert_eq!(deal(&[0, 0, 0], 3), [[0], [1], [2]], "runs of unknown cost");
    }

    #[test]
    fn a_part_is_one_of_the_parts() {
        assert_eq!("3/8".parse::<Shard>().unwrap(), Shard { number: 3, of: 8 });
        for wrong in ["", "3", "0/8", "9/8", "3/", "/8", "-1/8", "1/1001", "1/2/3"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
