//! Numbers of a binary file, the lowest byte first.

use super::length::Place;
use crate::graph::error::GraphError;
use crate::graph::limits::MAX_NODES;

const AGAIN: &str = "fetch the file again";

/// A file's name and what is in it.
#[derive(Clone, Copy)]
pub struct Bytes<'a> {
    pub path: &'a str,
    pub bytes: &'a [u8],
}

impl<'a> Bytes<'a> {
    pub fn error(self, what: String) -> GraphError {
        self.place().error(what, AGAIN)
    }

    pub fn place(self) -> Place<'a> {
        Place { path: self.path, line: None }
    }

    fn take(&mut self, count: u64) -> Result<&'a [u8], GraphError> {
        match usize::try_from(count).ok().and_then(|count| self.bytes.split_at_checked(count)) {
            Some((taken, rest)) => {
                self.bytes = rest;
                Ok(taken)
            }
            None => Err(self.error(format!("the file ends early: {count} more bytes should follow"))),
        }
    }

    pub fn u64(&mut self) -> Result<u64, GraphError> {
        Ok(self.u64s(1)?[0])
    }

    pub fn u64s(&mut self, count: u64) -> Result<Vec<u64>, GraphError> {
        let bytes = self.take(count.saturating_mul(8))?;
        Ok(bytes.chunks_exact(8).map(|bytes| u64::from_le_bytes(bytes.try_into().expect("eight"))).collect())
    }

    pub fn u32s(&mut self, count: u64) -> Result<Vec<u32>, GraphError> {
        let bytes = self.take(count.saturating_mul(4))?;
        Ok(bytes.chunks_exact(4).map(|bytes| u32::from_le_bytes(bytes.try_into().expect("four"))).collect())
    }

    pub fn u8(&mut self) -> Result<u8, GraphError> {
        Ok(self.take(1)?[0])
    }

    pub fn node_count(&mut self) -> Result<u64, GraphError> {
        let nodes = self.u64()?;
        match nodes > MAX_NODES {
            true => Err(GraphError::TooManyNodes { place: self.path.into(), nodes }),
            false => Ok(nodes),
        }
    }

    /// Targets are nodes.
    pub fn check(&self, targets: &[u32], nodes: u64) -> Result<(), GraphError> {
        match targets.iter().find(|target| u64::from(**target) >= nodes) {
            None => Ok(()),
            Some(target) => Err(self.error(format!("edge out of range: a target is {target} of {nodes} nodes"))),
        }
    }

    /// Nothing follows.
    pub fn end(&self) -> Result<(), GraphError> {
        match self.bytes.len() {
            0 => Ok(()),
            more => Err(self.error(format!("{more} bytes more than the counts at the start promise"))),
        }
    }
}
