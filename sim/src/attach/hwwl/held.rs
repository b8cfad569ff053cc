//! Threads that have work from the worklist, and those that are done with theirs, which the unit is told pass by pass.

use super::passes::pass;
use std::collections::VecDeque;

#[derive(Debug)]
pub struct Held {
    lanes: usize,
    /// Threads that have work, by row.
    by_row: Vec<u32>,
    /// Threads that are done with theirs, with their row.
    leaving: VecDeque<(usize, u32)>,
}

impl Held {
    /// For a core with so many lanes and rows of threads.
    pub fn new(lanes: usize, rows: usize) -> Self {
        Held { lanes, by_row: vec![0; rows], leaving: VecDeque::with_capacity(rows) }
    }

    /// Threads of a row that have work.
    pub fn of(&self, row: usize) -> u32 {
        self.by_row[row]
    }

    /// These threads of a row have work now.
    pub fn add(&mut self, row: usize, threads: u32) {
        self.by_row[row] |= threads;
    }

    /// These threads of a row have no work any more; gives those that had some.
    pub fn remove(&mut self, row: usize, threads: u32) -> u32 {
        let held = self.by_row[row] & threads;
        self.by_row[row] &= !held;
        held
    }

    /// These threads of a row had work, and the unit is to be told that they are done.
    pub fn leave(&mut self, row: usize, threads: u32) {
        if threads != 0 {
            self.leaving.push_back((row, threads));
        }
    }

    /// These threads of a row are done with their work, if they have some; gives how many have.
    pub fn end(&mut self, row: usize, threads: u32) -> u32 {
        let held = self.remove(row, threads);
        self.leave(row, held);
        held.count_ones()
    }

    pub fn is_leaving(&self) -> bool {
        !self.leaving.is_empty()
    }

    /// The lanes of the next pass of threads that are done, if their pushes have come: `pushes` are those on their way, by row.
    pub fn next_pass(&mut self, pushes: &[u8]) -> Option<u32> {
        let (_, threads) = self.leaving.front_mut().filter(|(row, _)| pushes[*row] == 0)?;
        let (pass, first) = pass(*threads, self.lanes);
        *threads &= !pass;
        self.leaving.pop_front_if(|(_, threads)| *threads == 0);
        Some(pass >> first)
    }
}
