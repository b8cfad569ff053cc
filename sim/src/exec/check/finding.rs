//! Findings of the checks, each place in the code once.

use crate::exec::Fault;
use serde::Serialize;
use std::collections::HashMap;

/// Places of which a launch has a finding each. Further ones are only counted.
const MOST: usize = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A read of what nobody has written.
    Uninitialised,
    /// Two accesses to shared memory that no barrier orders; the second one was this.
    ReadAfterWrite,
    WriteAfterRead,
    WriteAfterWrite,
}

/// One kind at one instruction.
#[derive(Clone, Debug)]
pub struct Finding {
    pub kind: Kind,
    /// The first time: where, which thread and what, in the words of a fault.
    pub first: Fault,
    /// Times that a thread did it.
    pub count: u64,
}

/// Findings of a launch.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    pub list: Vec<Finding>,
    /// Times at places that are not in the list.
    pub others: u64,
    known: HashMap<(Kind, u32), usize>,
}

impl Findings {
    /// One more of a kind, at `pc`.
    pub(super) fn add(&mut self, kind: Kind, pc: u32, fault: impl FnOnce() -> Fault) {
        if let Some(index) = self.known.get(&(kind, pc)) {
            self.list[*index].count += 1;
        } else if self.list.len() < MOST {
            self.known.insert((kind, pc), self.list.len());
            self.list.push(Finding { kind, first: fault(), count: 1 });
        } else {
            self.others += 1;
        }
    }
}
