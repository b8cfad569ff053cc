//! What a signal was in the cycles before.

use std::collections::VecDeque;

/// What was in the cycles before, as far back as its length.
#[derive(Clone, Debug)]
pub(in crate::units) struct Past<T>(VecDeque<T>);

impl<T: Copy + Default + PartialEq> Past<T> {
    pub fn new(cycles: usize) -> Self {
        Past(vec![T::default(); cycles].into())
    }

    /// The value of so many cycles ago; 0: `now`.
    pub fn ago(&self, cycles: usize, now: T) -> T {
        if cycles == 0 {
            now
        } else {
            self.0[self.0.len() - cycles]
        }
    }

    /// The end of the cycle in which it was `now`.
    pub fn push(&mut self, now: T) {
        self.0.push_back(now);
        self.0.pop_front();
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter()
    }

    pub fn is_all(&self, value: T) -> bool {
        self.iter().all(|v| *v == value)
    }
}
