//! Account of the elements of `configure_iru` that a kernel must get, kept independently of the unit.

use super::Reorder;
use crate::exec::{AddressError, Memory};
use crate::units::iru::element::{Element, INDEX_MASK};
use crate::units::iru::Filter;
use thiserror::Error;

/// Disagreements of a kernel and its elements.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ElementError {
    #[error(
        "load_iru by {lanes} threads, but configure_iru names {count} elements; guard it with the number of elements"
    )]
    TooManyLanes { lanes: u64, count: u64 },
    #[error(
        "load_iru by {lanes} threads only: {left} of the {count} elements that configure_iru names were not asked for"
    )]
    TooFewLanes { lanes: u64, left: u64, count: u64 },
    #[error("the element at position {position} came out twice")]
    Twice { position: u32 },
    #[error("position {position} came out with index {found}; the array has {expected}")]
    Index { position: u32, found: u32, expected: u32 },
    #[error("position {position} came out with the value {found:#010x}; the array has {expected:#010x}")]
    Secondary { position: u32, found: u32, expected: u32 },
    #[error("index {index}: the least value that came out is {found}, of the array it is {expected}")]
    Minimum { index: u32, found: u32, expected: u32 },
    #[error("index {index}: the values that came out add up to {found}, those of the array to {expected}; rounding explains {tolerance}")]
    Sum { index: u32, found: String, expected: String, tolerance: String },
    #[error("{elements} elements, but {delivered} delivered and {merged} merged")]
    Conservation { elements: u64, delivered: u64, merged: u64 },
}

/// A kernel that uses the unit, and an independent account of what it must get.
pub struct Account {
    pub reorder: Reorder,
    indices: Vec<u32>,
    secondary: Vec<u32>,
    /// Positions that have come out, one bit each.
    seen: Vec<u64>,
    /// By index, of the secondary values that have come out: least one, or sum.
    least: Vec<u32>,
    sums: Vec<f64>,
    pub lanes: u64,
    delivered: u64,
    pub merged: u64,
}

impl Account {
    pub fn new(reorder: Reorder, memory: &Memory) -> Result<Self, AddressError> {
        let count = reorder.count as usize;
        let mut indices = memory.read_u32s(reorder.indices, count)?;
        indices.iter_mut().for_each(|index| *index &= INDEX_MASK);
        let secondary = reorder.secondary.map_or(Ok(Vec::new()), |array| memory.read_u32s(array, count))?;
        let of =
            |filter| if reorder.filter == filter { indices.iter().max().map_or(0, |n| *n as usize + 1) } else { 0 };
        Ok(Account {
            least: vec![u32::MAX; of(Filter::Minimum)],
            sums: vec![0.0; of(Filter::Addition)],
            seen: vec![0; count.div_ceil(64)],
            indices,
            secondary,
            lanes: 0,
            delivered: 0,
            merged: 0,
            reorder,
        })
    }

    /// Elements beyond the first of each index.
    pub fn repeated(&self) -> u64 {
        let mut seen = vec![false; self.indices.iter().max().map_or(0, |n| *n as usize + 1)];
        self.indices.iter().filter(|&&index| std::mem::replace(&mut seen[index as usize], true)).count() as u64
    }

    pub fn is_done(&self) -> bool {
        self.delivered + self.merged == self.reorder.count
    }

    pub fn deliver(&mut self, element: &Element) -> Result<(), ElementError> {
        let Element { index, secondary, position } = *element;
        let at = position as usize;
        let expected = self.indices.get(at).copied().unwrap_or(u32::MAX);
        if expected != index {
            return Err(ElementError::Index { position, found: index, expected });
        }
        if self.seen[at / 64] >> (at % 64) & 1 == 1 {
            return Err(ElementError::Twice { position });
        }
        self.seen[at / 64] |= 1 << (at % 64);
        self.delivered += 1;
        match self.reorder.filter {
            Filter::Addition => self.sums[index as usize] += f64::from(f32::from_bits(secondary)),
            Filter::Minimum => self.least[index as usize] = self.least[index as usize].min(secondary),
            Filter::None => {}
        }
        // A sum is not what it was; a minimum is that of its position.
        match self.secondary.get(at).copied() {
            Some(expected) if expected != secondary && self.reorder.filter != Filter::Addition => {
                Err(ElementError::Secondary { position, found: secondary, expected })
            }
            _ => Ok(()),
        }
    }

    pub fn check(&self) -> Result<(), ElementError> {
        let (elements, delivered, merged) = (self.reorder.count, self.delivered, self.merged);
        if self.lanes < delivered || delivered + merged > elements {
            return Err(ElementError::Conservation { elements, delivered, merged });
        }
        if delivered + merged < elements {
            let left = elements - delivered - merged;
            return Err(ElementError::TooFewLanes { lanes: self.lanes, left, count: elements });
        }
        match self.reorder.filter {
            Filter::None => Ok(()),
            Filter::Minimum => self.check_minima(),
            Filter::Addition => self.check_sums(),
        }
    }

    fn check_minima(&self) -> Result<(), ElementError> {
        let mut expected = vec![u32::MAX; self.least.len()];
        // Without values all are 0.
        let values = self.secondary.iter().chain(std::iter::repeat(&0));
        for (index, value) in self.indices.iter().zip(values) {
            expected[*index as usize] = expected[*index as usize].min(*value);
        }
        let pairs = self.least.iter().zip(&expected);
        match (0..).zip(pairs).find(|(_, (found, expected))| found != expected) {
            None => Ok(()),
            Some((index, (found, expected))) => {
                Err(ElementError::Minimum { index, found: *found, expected: *expected })
            }
        }
    }

    /// A sum of n values in any order has n - 1 additions, each off by at most 2^-24 of the sum of the magnitudes.
    fn check_sums(&self) -> Result<(), ElementError> {
        let mut expected = vec![(0.0, 0.0, 0u32); self.sums.len()];
        for (index, value) in self.indices.iter().zip(&self.secondary) {
            let (sum, magnitude, count) = &mut expected[*index as usize];
            let value = f64::from(f32::from_bits(*value));
            (*sum, *magnitude, *count) = (*sum + value, *magnitude + value.abs(), *count + 1);
        }
        for (index, (found, (sum, magnitude, count))) in (0..).zip(self.sums.iter().zip(&expected)) {
            let tolerance = f64::from(*count) * magnitude * 2f64.powi(-24);
            // Also false if either is infinite or no number: then nothing can be said.
            if (found - sum).abs() > tolerance {
                let [found, expected, tolerance] = [*found, *sum, tolerance].map(|value| format!("{value:e}"));
                return Err(ElementError::Sum { index, found, expected, tolerance });
            }
        }
        Ok(())
    }
}
